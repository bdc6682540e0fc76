//! The draft of a question: what is typed and not sent outlives the program.

use crate::app::App;
use crate::app::doing::Doing;
use crate::app::editor::body::Body;
use crate::app::message::{Editable, Effect, Order};
use crate::app::tree::FileAt;
use crate::store::draft::Draft;

/// What the draft of a question is kept for, beside a project's memories: no file has this name.
pub const QUESTION_FILE: &str = ".question";

impl App {
    /// Where a question to the agent of this project is kept.
    fn question_at(&self) -> Option<FileAt> {
        let state = self.tree.current()?;
        Some(FileAt {
            folder: state.shelf.folder.clone(),
            file: QUESTION_FILE.to_string(),
        })
    }

    /// Keeps what was typed into the question since the last draft of it.
    pub(super) fn keep_question(&mut self, effects: &mut Vec<Effect>) {
        if !std::mem::take(&mut self.agent.is_undrafted) {
            return;
        }
        let text = self.agent.input.text();
        let at = self.agent.draft_at.clone().or_else(|| self.question_at());
        let Some(at) = at else { return };
        let path = at.path();
        if text.trim().is_empty() {
            self.agent.draft_at = None;
            self.drop_draft(&path, effects);
            return;
        }
        let draft = Draft {
            v: 1,
            path: path.clone(),
            base: String::new(),
            text,
            cursor: self.agent.input.cursor(),
            time: self.now.rfc3339(),
        };
        let own = self.own_drafts.get(&path).cloned().map(Box::new);
        self.note_draft(&draft);
        self.agent.draft_at = Some(at);
        let draft = Box::new(draft);
        effects.push(Effect::Write(Order::KeepDraft { draft, own }));
    }

    /// A question that was sent, or given up, leaves no draft.
    pub(super) fn drop_sent_question(&mut self, effects: &mut Vec<Effect>) {
        if self.agent.is_undrafted && self.agent.input.text().is_empty() {
            self.keep_question(effects);
        }
    }

    /// Has the question read that was typed here and never sent, unless one is typed already.
    pub(super) fn look_for_question(&mut self, effects: &mut Vec<Effect>) {
        let at = self
            .question_at()
            .filter(|at| self.agent.input.text().is_empty() && self.drafts.contains(&at.path()));
        if let Some(at) = at {
            let id = self.begin(Doing::TakingQuestion);
            effects.push(Effect::Write(Order::OpenDrafts { id, at }));
        }
    }

    /// Goes on with the newest question that was typed and never sent.
    pub(super) fn take_up_question(&mut self, at: FileAt, read: Result<Box<Editable>, String>) {
        let draft = match read {
            Ok(editable) => editable.drafts.into_iter().next(),
            Err(said) => {
                self.fail(said);
                return;
            }
        };
        let Some(draft) = draft else {
            // Another window that is open has it.
            return;
        };
        self.agent.input = Body::new(&draft.text);
        self.agent.input.go(draft.cursor.0, draft.cursor.1);
        self.agent.draft_at = Some(at);
        self.note_draft(&draft);
        self.say("the question that was typed and not sent is back");
    }
}

#[cfg(test)]
#[path = "agent_question_tests.rs"]
mod tests;
