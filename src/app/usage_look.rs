//! What is done in the Usage view: what its bars and its table show, narrowed and widened again, and from
//! a session to its reading.

use crate::app::action::Action;
use crate::app::message::Effect;
use crate::app::session_reading::Ask;
use crate::app::sessions_edit::Left;
use crate::app::usage_view::By;
use crate::app::{App, Tab};

impl App {
    /// Does what a key of the view is for.
    pub(super) fn act_on_usage(&mut self, action: Action) {
        match action {
            Action::UsageBars => {
                self.usage.show_next_bars();
                let shown = self.usage.bars().word();
                self.say(format!("the bars show {shown} a day"));
            }
            Action::UsageSpan => {
                self.usage.span_next();
                let span = self.usage.span().word();
                self.say(format!("shown: {span}"));
            }
            Action::UsageBy => {
                self.usage.group_by_next();
                let by = self.usage.by().word();
                self.say(format!("the table is by {by}"));
            }
            Action::Sort => {
                self.usage.sort_by_next();
                let by = self.usage.sort().word();
                self.say(format!("the table is sorted by {by}"));
            }
            _ => {
                self.sessions.outdate();
                self.show(Tab::Usage);
            }
        }
    }

    /// Opens the session under the cursor, or narrows the view to what is under it.
    pub(super) fn open_in_usage(&mut self, effects: &mut Vec<Effect>) {
        let Some(row) = self.usage.chosen().cloned() else {
            self.say("nothing is chosen");
            return;
        };
        if self.usage.by() != By::Session {
            self.usage.narrow();
            let back = self.hint(Action::Back, "shows all again");
            self.say(format!("its sessions{back}"));
            return;
        }
        let sessions = self.sessions.read().map(|read| &read.sessions);
        let own = sessions.into_iter().flatten().find(|one| {
            one.of.is_none() && one.id == row.name && row.project.as_ref() == Some(&one.key)
        });
        match own.map(|one| (one.path.clone(), one.name().to_string())) {
            Some((path, title)) => {
                self.open_session(path, title, Ask::Last, effects);
                self.session_left = Left::Usage;
            }
            None => self.say("its transcript is gone: only its sums are kept"),
        }
    }
}

#[cfg(test)]
#[path = "usage_look_tests.rs"]
mod tests;
