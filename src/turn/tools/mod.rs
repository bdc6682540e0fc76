//! The tools that the model may use: what each is called, what it takes, what it does, within the cage. They
//! read files themselves; what they would write is proposed. The list is the same in every request of a
//! session. Knows no engine.

mod edit;
mod forget;
mod glob;
mod grep;
mod input;
mod ls;
mod memory_search;
mod read;
pub mod walk;
mod write;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use crate::agents::claude::Claude;
use crate::base::time::Moment;
use crate::config::settings::Review;
use crate::context::conversation::Entry;
use crate::context::part::Kind;
use crate::store::Store;
use crate::store::change::Author;
use crate::turn::cage::Cage;
use crate::turn::call::{Call, Outcome};
use crate::turn::chat::{self, Chat};
use crate::turn::memories::Memories;
use crate::turn::overlay::{FileChange, Overlay, Proposal};

/// One tool as the model is told of it.
struct Tool {
    name: &'static str,
    doc: &'static str,
    schema: fn() -> Value,
}

const TOOLS: [Tool; 8] = [
    read::TOOL,
    grep::TOOL,
    glob::TOOL,
    ls::TOOL,
    memory_search::TOOL,
    write::TOOL,
    edit::TOOL,
    forget::TOOL,
];

/// What a request says of the tools.
#[must_use]
pub fn described() -> Vec<Value> {
    let tools = TOOLS.iter();
    tools
        .map(|tool| {
            json!({"name": tool.name, "description": tool.doc, "input_schema": (tool.schema)()})
        })
        .collect()
}

/// All that the tools of one conversation work with.
#[derive(Debug)]
pub struct Toolbox {
    pub store: Claude,
    pub cage: Cage,
    pub overlay: Overlay,
    pub review: Review,
    /// Who writes where no review is wanted.
    pub writer: Arc<Store>,
}

/// One call at work.
struct Work<'a> {
    call: &'a Call,
    /// The conversation as the model has it in view.
    view: &'a [Entry],
    chat: &'a Chat,
    now: Moment,
    stop: &'a AtomicBool,
}

/// What came of a tool: an outcome, or why it was refused.
type Done = Result<Outcome, String>;

impl Toolbox {
    /// Runs one call. `stop`, once it is set, ends what takes long.
    pub fn run(&mut self, call: &Call, chat: &Chat, now: Moment, stop: &AtomicBool) -> Outcome {
        let view = chat.in_view(now);
        let work = Work {
            call,
            view: &view,
            chat,
            now,
            stop,
        };
        let done = match call.name.as_str() {
            "Read" => self.read(&work),
            "Grep" => self.grep(&work),
            "Glob" => self.glob(&work),
            "LS" => self.ls(&work),
            "memory_search" => self.memory_search(&work),
            "Write" => self.write(&work),
            "Edit" => self.edit(&work),
            "Forget" => self.forget(&work),
            other => Err(format!(
                "there is no tool {other:?} here; there are {}",
                TOOLS.map(|tool| tool.name).join(", ")
            )),
        };
        done.unwrap_or_else(|why| Outcome::refused(call, why))
    }

    fn memories<'a>(&'a self, folder: &'a std::path::Path) -> Memories<'a> {
        Memories {
            disk: self.cage.disk(),
            folder,
            overlay: &self.overlay,
        }
    }

    /// Proposes changes, or has them written where no review is wanted.
    fn propose(
        &mut self,
        work: &Work<'_>,
        title: String,
        files: Vec<FileChange>,
        said: &str,
    ) -> Done {
        let proposal = Proposal {
            id: work.call.id.clone(),
            title: title.clone(),
            files,
            by: Author::Agent,
        };
        let set = proposal.change_set(&work.chat.id);
        if let Some(why) = self.store.refusal(&set) {
            return Err(why);
        }
        match self.review {
            Review::Review => {
                self.overlay.pending.push(proposal);
                let text = format!(
                    "Proposed: {said}. The person reviews it; until they decide it reads back as if it were done."
                );
                Ok(Outcome::done(
                    work.call,
                    text,
                    format!("{title} · for review"),
                ))
            }
            Review::Auto => {
                let applied = self
                    .writer
                    .apply(&set, work.now)
                    .map_err(|error| error.to_string())?;
                let mut text = format!("Done: {said}.");
                for notice in applied.notices {
                    text.push('\n');
                    text.push_str(&notice);
                }
                Ok(Outcome::done(work.call, text, title))
            }
        }
    }
}

impl Work<'_> {
    fn input(&self) -> input::Input<'_> {
        input::Input(&self.call.input)
    }

    /// Whether a rule is in view of the model: it came with the session, or with a Read.
    fn has_rule(&self, path: &std::path::Path) -> bool {
        let standing = self.chat.session.instructions.iter();
        standing.map(|one| &*one.path).any(|it| it == path)
            || chat::has_attached(self.view, Kind::Nested, path)
    }
}

#[cfg(test)]
mod hostile_tests;

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
