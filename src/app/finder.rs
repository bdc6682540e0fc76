//! The finder: words typed into a line, the memories of all projects that answer them, and a look at
//! the chosen one. Each change of the words asks for a search; the old hits stay until the new come.

use std::sync::Arc;

use crate::agents::{Hits, ShelfHit};
use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::{Effect, Excerpt};
use crate::app::overlay::Overlay;
use crate::app::reading::Subject;
use crate::app::tree::FileAt;
use crate::app::{App, Tab};
use crate::memory::search::{Place, Query};

/// The state of the finder.
#[derive(Debug, Clone)]
pub struct Finder {
    pub input: Field,
    pub list: List,
    /// What the last answer found, and the words that it answers.
    pub found: Arc<Hits>,
    pub query: Query,
    /// An answer is still to come, in part at least.
    pub searching: bool,
    /// The words that were asked for last, and the id of the answer.
    asked: (String, u64),
    /// The words whose best hit is opened once they are answered: Enter came first.
    opening: Option<String>,
    /// The file and the line of the preview that was asked for, and the id of the answer.
    looking: Option<(FileAt, usize, u64)>,
    /// The preview that came last.
    pub seen: Option<Seen>,
}

/// A preview and the line of its file that was hit.
#[derive(Debug, Clone)]
pub struct Seen {
    pub hit: usize,
    pub excerpt: Result<Excerpt, String>,
}

/// What stands on a row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A hit, by its position.
    Hit(usize),
    /// What is below is only like the words.
    Rule,
}

impl Default for Finder {
    fn default() -> Self {
        Self {
            input: Field::default(),
            list: List::default(),
            found: Arc::default(),
            query: Query::new(""),
            searching: false,
            asked: (String::new(), 0),
            opening: None,
            looking: None,
            seen: None,
        }
    }
}

impl Finder {
    /// Hits that are exact; the rule stands below them if there are others.
    fn exact(&self) -> usize {
        self.found.hits.partition_point(|it| it.hit.exact)
    }

    fn has_rule(&self) -> bool {
        self.exact() < self.found.hits.len()
    }

    /// Rows of the list.
    #[must_use]
    pub fn length(&self) -> usize {
        self.found.hits.len() + usize::from(self.has_rule())
    }

    /// What stands on a row.
    #[must_use]
    pub fn row(&self, at: usize) -> Row {
        let exact = self.exact();
        match at.cmp(&exact) {
            std::cmp::Ordering::Less => Row::Hit(at),
            std::cmp::Ordering::Equal => Row::Rule,
            std::cmp::Ordering::Greater => Row::Hit(at - 1),
        }
    }

    /// The hit under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<&ShelfHit> {
        match self.row(self.list.cursor) {
            Row::Hit(at) => self.found.hits.get(at),
            Row::Rule => None,
        }
    }

    /// The words that are typed, if the hits that are listed are those of others.
    fn unanswered(&self) -> Option<String> {
        let words = self.input.text().trim();
        let typed = Query::new(words);
        let same = self.query.narrows(&typed) && typed.narrows(&self.query);
        let is_asked = self.searching || words != self.asked.0;
        (is_asked && !same).then(|| words.to_string())
    }

    /// Moves the cursor off the rule, on in the direction that it came from where it can.
    pub fn leave_rule(&mut self, down: bool) {
        if self.row(self.list.cursor) != Row::Rule || self.length() < 2 {
            return;
        }
        let back = !down && self.list.cursor > 0;
        self.list.step(if back { -1 } else { 1 }, self.length());
    }

    /// Takes an answer, whole or the beginning of one. A cursor that was moved stays on its hit.
    fn take(&mut self, found: Hits, done: bool) {
        self.searching = !done;
        if found.hits.is_empty() && !done {
            return;
        }
        let kept = match self.list.cursor {
            0 => None,
            _ => self.chosen().cloned(),
        };
        self.query = Query::new(&self.asked.0);
        self.found = Arc::new(found);
        let same = |it: &ShelfHit, kept: &ShelfHit| {
            it.shelf.folder == kept.shelf.folder && it.hit.path == kept.hit.path
        };
        let at = kept.and_then(|kept| self.found.hits.iter().position(|it| same(it, &kept)));
        let row = at.map_or(0, |at| at + usize::from(at >= self.exact()));
        self.list.go(row, self.length());
        self.leave_rule(true);
    }
}

impl App {
    pub(super) fn find(&mut self) {
        self.overlay = Some(Overlay::Finder(Box::default()));
    }

    /// What the finder needs searched and read; a finder that is closed needs nothing any more.
    pub(super) fn follow_finder(&mut self, effects: &mut Vec<Effect>) {
        let next = self.last_id + 1;
        let Some(Overlay::Finder(finder)) = &mut self.overlay else {
            if std::mem::take(&mut self.finding) {
                effects.push(Effect::EndSearch);
            }
            return;
        };
        self.finding = true;
        let words = finder.input.text().trim();
        if words != finder.asked.0 {
            let words = words.to_string();
            finder.asked = (words.clone(), next);
            finder.searching = true;
            effects.push(Effect::Search { id: next, words });
            self.last_id = next;
            // The cursor is on the hits of other words: what is under it is not asked for.
            return;
        }
        let Some(ShelfHit { shelf, hit, .. }) = finder.chosen() else {
            finder.looking = None;
            finder.seen = None;
            return;
        };
        let at = FileAt {
            folder: shelf.folder.clone(),
            file: hit.path.to_string(),
        };
        let line = hit.line.unwrap_or(1);
        let is_asked = finder
            .looking
            .as_ref()
            .is_some_and(|(known, known_line, _)| *known == at && *known_line == line);
        if !is_asked {
            finder.looking = Some((at.clone(), line, next));
            effects.push(Effect::Preview { id: next, at, line });
            self.last_id = next;
        }
    }

    /// Takes hits, if they answer what was asked last.
    pub(super) fn take_found(
        &mut self,
        id: u64,
        found: Hits,
        done: bool,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(Overlay::Finder(finder)) = &mut self.overlay
            && finder.asked.1 == id
        {
            finder.take(found, done);
            if done && finder.opening.as_ref() == Some(&finder.asked.0) {
                // What was said of the wait is over.
                self.notice = None;
                self.open_hit(effects);
            }
        }
    }

    /// Takes a preview, if it is of the hit that is chosen.
    pub(super) fn take_preview(&mut self, id: u64, excerpt: Result<Excerpt, String>) {
        if let Some(Overlay::Finder(finder)) = &mut self.overlay
            && let Some((_, hit, _)) = finder.looking.as_ref().filter(|(.., asked)| *asked == id)
        {
            finder.seen = Some(Seen { hit: *hit, excerpt });
        }
    }

    /// Opens the chosen hit: its project is unfolded, it is shown, scrolled to what was found.
    pub(super) fn open_hit(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Finder(finder)) = &mut self.overlay else {
            return;
        };
        finder.opening = finder.unanswered();
        if finder.opening.is_some() {
            self.say("searching: its best hit opens when it is there");
            return;
        }
        let Some(found_hit) = finder.chosen().cloned() else {
            self.say("no hit is chosen");
            return;
        };
        let query = finder.query.clone();
        let at = FileAt {
            folder: found_hit.shelf.folder.clone(),
            file: found_hit.hit.path.to_string(),
        };
        if !self.tree.reveal(&at.folder, &at.file) {
            if !self.tree.go_to_shelf(&at.folder) {
                self.say("its project is not listed yet: a moment");
                return;
            }
            // What was read of the shelf may be older than the hit.
            if let Some(state) = self.tree.current().filter(|it| it.contents.is_some()) {
                let shelf = state.shelf.clone();
                let id = self.next_id();
                self.tree.await_contents(&shelf.folder, id);
                effects.push(Effect::ReadShelf { id, shelf });
            }
            self.reveal = Some(at.clone());
        }
        let line = match found_hit.hit.place {
            Place::Heading | Place::Body => found_hit.hit.line,
            Place::Name | Place::Path | Place::Description => None,
        };
        self.reading.hits.seek(query, at.path(), line);
        self.overlay = None;
        self.tab = Tab::Memory;
        self.focus = Pane::Main;
    }

    /// To the next or the previous hit of the last search on the page that is shown.
    pub(super) fn next_hit(&mut self, forward: bool) {
        if self.reading.hits.query().is_none() {
            self.say("nothing was searched for yet: / finds");
            return;
        }
        if !matches!(self.subject(), Subject::Page(_)) {
            self.say("no memory is shown: hits are in memories");
            return;
        }
        self.reading.hits.shown = true;
        match self.reading.to_hit(forward) {
            Some((at, of)) => self.say(format!("hit {at} of {of}")),
            None => self.say("no hit on this page"),
        }
    }
}

#[cfg(test)]
#[path = "finder_tests.rs"]
mod tests;
