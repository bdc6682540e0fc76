//! The pages of a session that are held: what is asked for as the cursor comes near an end or its transcript
//! grows, and what comes taken in.

use std::collections::{BTreeMap, BTreeSet};

use super::SessionReading;
use crate::app::list::List;
use crate::app::session_rows::Key;
use crate::transcript::conversation::Page;

/// Pages that are held at once.
const MOST_PAGES: usize = 6;
/// Rows from an end within which the next page is asked for.
const NEAR: usize = 20;

/// What of a session is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    Last,
    First,
    /// What stands before a page, which is told without its items.
    Before(Box<Page>),
    After(Box<Page>),
    /// Round the line that begins at this byte.
    Around(u64),
    /// The last page, told without its items, which may have grown.
    Grown(Box<Page>),
}

impl SessionReading {
    /// Notes what is asked for, as `id`; `false`: something else is under way.
    pub fn ask(&mut self, id: u64, ask: &Ask) -> bool {
        let is_free = match ask {
            // These take the place of all that is held.
            Ask::Last | Ask::First | Ask::Around(_) => true,
            Ask::Before(_) | Ask::After(_) | Ask::Grown(_) => {
                self.awaited.is_none() && self.fault.is_none()
            }
        };
        if is_free {
            self.is_doubted &= !matches!(ask, Ask::Grown(_));
            self.awaited = Some((id, ask.clone()));
        }
        is_free
    }

    /// What is to be read next, as the cursor stands.
    #[must_use]
    pub fn lacks(&self) -> Option<Ask> {
        if self.awaited.is_some() || self.fault.is_some() {
            return None;
        }
        let (Some(first), Some(last)) = (self.pages.first(), self.pages.last()) else {
            return Some(Ask::Last);
        };
        if self.is_doubted && !last.has_after() {
            return Some(Ask::Grown(Box::new(edge(last))));
        }
        if first.has_before() && self.list.cursor < NEAR {
            return Some(Ask::Before(Box::new(edge(first))));
        }
        if last.has_after() && self.list.cursor + NEAR >= self.rows.len() {
            return Some(Ask::After(Box::new(edge(last))));
        }
        None
    }

    /// Has it looked whether its transcript has grown. Where more of it is to be read anyway nothing is due.
    pub fn doubt(&mut self) {
        self.is_doubted = true;
    }

    /// Takes a page; one that is not awaited is dropped.
    pub fn take(&mut self, id: u64, page: Result<Page, String>) {
        let Some((_, ask)) = self.awaited.take_if(|(awaited, _)| *awaited == id) else {
            return;
        };
        let page = match page {
            Ok(page) => page,
            Err(said) => {
                self.fault = Some(said);
                return;
            }
        };
        self.fault = None;
        let stood = self.stood();
        match ask {
            Ask::Before(_) => {
                self.pages.insert(0, page);
                self.pages.truncate(MOST_PAGES);
                self.make();
                self.stand(stood);
            }
            Ask::After(_) => {
                let end = page.end;
                self.pages.push(page);
                if self.pages.len() > MOST_PAGES {
                    self.pages.remove(0);
                }
                for page in &mut self.pages {
                    page.end = end;
                }
                self.make();
                self.stand(stood);
            }
            Ask::Last => {
                self.pages = vec![page];
                self.make();
                self.list.go(usize::MAX, self.rows.len());
            }
            Ask::First => {
                self.pages = vec![page];
                self.make();
                self.list = List::default();
            }
            Ask::Around(at) => {
                self.pages = vec![page];
                self.make();
                self.go_to(at);
            }
            Ask::Grown(_) => self.grow(page, stood),
        }
    }

    /// Takes the last page as it is now; the cursor stays on its item.
    fn grow(&mut self, page: Page, stood: Option<(Key, usize)>) {
        let Some(last) = self.pages.last_mut() else {
            return;
        };
        if page.end == last.end {
            return;
        }
        let first = |page: &Page| page.items.first().map(|item| (item.at, item.uuid.clone()));
        let is_same = page.range.start == last.range.start && first(&page) == first(last);
        let end = page.end;
        if is_same {
            *last = page;
        } else {
            // It was written anew: where its other pages stood is another place now.
            self.pages = vec![page];
            (self.open, self.whole) = (BTreeSet::new(), BTreeMap::new());
        }
        for page in &mut self.pages {
            page.end = end;
        }
        self.make();
        if is_same {
            self.stand(stood);
        } else {
            self.list.go(usize::MAX, self.rows.len());
        }
    }
}

/// A page without its items: where it stands, and where the conversation goes on.
pub(super) fn edge(page: &Page) -> Page {
    Page {
        range: page.range.clone(),
        items: Vec::new(),
        up: page.up.clone(),
        end: page.end,
    }
}
