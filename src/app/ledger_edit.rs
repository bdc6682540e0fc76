//! What is done in the Ledger view: requests listed, opened, marked and compared; what it lacks is asked for.

use crate::app::action::Action;
use crate::app::change::diff_lines;
use crate::app::dialog::PastChange;
use crate::app::diff_text::DiffText;
use crate::app::layout::Pane;
use crate::app::ledger_view::{Compared, LedgerTold, LedgerWish};
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::preview_rows::PreviewRow;
use crate::app::request_view::RequestView;
use crate::app::{App, Tab};
use crate::base::time::Moment;
use crate::context::ledger::Entry;

impl App {
    /// Does what a key of the view is for.
    pub(super) fn act_on_ledger(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Open => self.open_in_ledger(effects),
            Action::AllProjects => {
                self.ledger.toggle_here();
                self.say(match self.ledger.here_only {
                    true => "requests for this project",
                    false => "requests for all projects",
                });
            }
            Action::LedgerMark => match self.ledger.toggle_mark() {
                None => self.say("no request is chosen"),
                Some(false) => self.say("it is marked no more"),
                Some(true) => {
                    let compares = self.hint(Action::LedgerCompare, "on another compares the two");
                    self.say(format!("marked{compares}"));
                }
            },
            Action::LedgerCompare => match self.ledger.pair() {
                Err(why) => self.say(why),
                Ok((before, after)) => {
                    let id = self.next_id();
                    self.ledger.comparing = Some(id);
                    effects.push(Effect::Ledger(LedgerWish::Compare { id, before, after }));
                }
            },
            Action::PreviewCopy => {
                match self.ledger.open.as_ref().and_then(RequestView::chosen_text) {
                    None => self.say("put the cursor on a part to copy its text"),
                    Some(text) => self.copy_text(text, "the part", effects),
                }
            }
            _ => {
                self.ledger.outdate();
                self.show(Tab::Ledger);
            }
        }
    }

    /// Opens the request under the cursor; in one that is open the part.
    pub(super) fn open_in_ledger(&mut self, effects: &mut Vec<Effect>) {
        if let Some(open) = &mut self.ledger.open {
            if !open.toggle() {
                self.say("put the cursor on a part to open it");
            }
            return;
        }
        let Some(request) = self.ledger.chosen().map(|one| one.id.clone()) else {
            self.say("no request is chosen");
            return;
        };
        let id = self.next_id();
        self.ledger.open = Some(RequestView::new(request.clone(), id));
        effects.push(Effect::Ledger(LedgerWish::Open { id, request }));
    }

    /// From a request that is open back to the list; `false`: none is.
    pub(super) fn back_in_ledger(&mut self) -> bool {
        self.ledger.open.take().is_some()
    }

    /// Has the ledger read where the view lacks it.
    pub(super) fn read_ledger(&mut self, effects: &mut Vec<Effect>) {
        if self.tab != Tab::Ledger {
            return;
        }
        let id = self.last_id + 1;
        if self.ledger.wants(id) {
            self.last_id = id;
            effects.push(Effect::Ledger(LedgerWish::List { id }));
        }
        let state = self.tree.current();
        let key = state.map(|state| state.shelf.key.clone());
        self.ledger.turn_to(key.as_deref());
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        let names: Vec<(String, String)> = self.project_names();
        let called = |key: &str| {
            let known = names.iter().find(|(it, _)| it == key);
            known.map_or(key, |(_, name)| name).to_string()
        };
        if let Some(open) = &mut self.ledger.open {
            open.turn_to(cells, &called, &self.home);
        }
    }

    /// What the projects that are listed are called, by their keys.
    fn project_names(&self) -> Vec<(String, String)> {
        let shelves = self.tree.shelves().iter().map(|state| &state.shelf);
        let named = shelves.filter_map(|shelf| {
            let name = shelf.path.as_deref()?.file_name()?;
            Some((shelf.key.clone(), name.to_string_lossy().into_owned()))
        });
        named.collect()
    }

    /// Takes what came of a wish.
    pub(super) fn take_ledger(&mut self, told: LedgerTold) {
        match told {
            LedgerTold::Changed => self.ledger.outdate(),
            LedgerTold::Listed { id, listed } => {
                let known = self.ledger.read().map_or(&[][..], |read| &read.faults);
                let new = listed.faults.iter().find(|fault| !known.contains(fault));
                let (new, many) = (new.cloned(), listed.faults.len());
                if self.ledger.take(id, listed)
                    && let Some(fault) = new
                {
                    self.fail(match many {
                        0 | 1 => fault,
                        many => format!("{fault}; {} more", many - 1),
                    });
                }
            }
            LedgerTold::Opened { id, opened } => {
                let Some(open) = self.ledger.open.as_mut().filter(|open| open.awaits(id)) else {
                    return;
                };
                match opened {
                    Ok(read) => open.fill(read.0, read.1),
                    Err(said) => {
                        self.ledger.open = None;
                        self.fail(said);
                    }
                }
            }
            LedgerTold::Compared { id, compared } => {
                if self.ledger.comparing.take_if(|it| *it == id).is_none() {
                    return;
                }
                match compared {
                    Ok(compared) => self.show_compared(&compared),
                    Err(said) => self.fail(said),
                }
            }
        }
    }

    fn show_compared(&mut self, compared: &Compared) {
        let Compared {
            before,
            after,
            difference,
        } = compared;
        let of = |mark: &str, one: &Entry| {
            let time = one.time.map_or("–".to_string(), Moment::rfc3339);
            format!("{mark} {time} · {} · {}", one.purpose.word(), one.model)
        };
        let mut lines = vec![of("-", before), of("+", after), String::new()];
        lines.extend(difference.sentences());
        if !difference.diff.is_empty() {
            lines.push(String::new());
            lines.extend(diff_lines(&difference.diff, std::path::Path::new("")));
        }
        self.overlay = Some(Overlay::Past(Box::new(PastChange {
            key: None,
            title: "what changed from one request to the next".to_string(),
            undone: false,
            diff: DiffText::new(lines),
            list: List::default(),
        })));
    }

    /// Whether an action would do something in the view.
    pub(super) fn can_in_ledger(&self, action: Action) -> bool {
        match (action, &self.ledger.open) {
            // What was sent is no change that could be taken back; what is added is about what the tree shows.
            (Action::AddEntry | Action::UndoThis, _) => false,
            (Action::Open | Action::PreviewCopy, Some(open)) => {
                open.row().is_some_and(PreviewRow::acts)
            }
            (Action::Open | Action::LedgerMark, _) => self.ledger.here().is_some(),
            (Action::LedgerCompare, _) => self.ledger.pair().is_ok(),
            _ => true,
        }
    }
}

#[cfg(test)]
#[path = "ledger_edit_tests.rs"]
mod tests;
