//! Write: a memory, whole. A new one gets its line in the index by the same change, so that nothing is
//! left that can't be found.

use serde_json::json;

use super::{Done, Tool, Toolbox, Work, read};
use crate::base::front_matter::edit;
use crate::base::time::Moment;
use crate::memory::scan::INDEX_FILE;
use crate::turn::chat;

pub const TOOL: Tool = Tool {
    name: "Write",
    doc: "Writes a memory, whole: NAME.md in the memory folder, with its front matter; or the whole list of memories. \
          A new memory gets its line in the list by itself. One that is there has to be read before, whole. Nothing \
          outside the memory folder is written.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "file_path": {"type": "string", "description": "Absolute, below the memory folder"},
                "content": {"type": "string"}
            },
            "required": ["file_path", "content"]
        })
    },
};

impl Toolbox {
    pub(super) fn write(&mut self, work: &Work<'_>) -> Done {
        let input = work.input();
        let typed = input.text("file_path")?;
        let content = input.text("content")?;
        let (inside, path) = self.cage.writable(typed)?;
        let before = self.overlay.text(self.cage.disk(), &inside.place());
        let before = before.map_err(|error| format!("{path} can't be read: {error}"))?;
        if let Some(before) = &before {
            self.must_have_read(work, &path, before)?;
        }
        self.put(work, &path, before, content.to_string())
    }

    /// Proposes a text of a file of the memory folder, after it was looked at.
    pub(super) fn put(
        &mut self,
        work: &Work<'_>,
        path: &str,
        before: Option<String>,
        after: String,
    ) -> Done {
        if before.as_deref() == Some(&*after) {
            return Err(format!(
                "{path} says that already: nothing is to be written"
            ));
        }
        let folder = self.memory_root()?;
        let memories = self.memories(&folder);
        let is_new = before.is_none();
        let stem = path.trim_end_matches(".md");
        if path == INDEX_FILE || path == format!("team/{INDEX_FILE}") {
            if let Some(why) = memories.index_fault(path, &after)? {
                return Err(why);
            }
            let change = memories.change(path, before, Some(after), true);
            return self.propose(
                work,
                format!("edit {stem}"),
                vec![change],
                &format!("{path} changed"),
            );
        }
        if let Some(why) = memories.memory_fault(path, &after, is_new) {
            return Err(why);
        }
        let after = match is_new {
            true => stamped(&after, &work.chat.id, work.now)
                .map_err(|error| format!("{path}: {error}"))?,
            false => after,
        };
        let line = memories.listed(path, &after)?;
        let said = match (is_new, &line) {
            (true, Some(_)) => format!("{path} written, with its line in the list of memories"),
            (true, None) => format!("{path} written"),
            (false, _) => format!("{path} changed"),
        };
        let mut files = vec![memories.change(path, before, Some(after), false)];
        files.extend(line);
        let verb = if is_new { "new" } else { "edit" };
        self.propose(work, format!("{verb} {stem}"), files, &said)
    }

    /// The memory folder, resolved.
    pub(super) fn memory_root(&self) -> Result<std::path::PathBuf, String> {
        let memory = self
            .cage
            .memory()
            .ok_or("there is no memory folder to write to here")?;
        Ok(self.cage.disk().resolve_existing(memory))
    }

    /// What is overwritten has to be known: the last Read of it shows what stands there now, whole.
    fn must_have_read(&self, work: &Work<'_>, path: &str, now: &str) -> Result<(), String> {
        let seen = chat::uses(work.view).rev().find_map(|one| {
            let is_whole = one.name == "Read" && one.input["offset"].is_null() && one.input["limit"].is_null();
            let of = one.input["file_path"].as_str().filter(|_| is_whole)?;
            let spot = self.cage.readable(of).ok()?;
            let same = matches!(&spot, crate::turn::cage::Spot::Below { memory: Some(memory), .. } if memory == path);
            same.then(|| chat::result(work.view, one.id)).flatten()
        });
        let Some(seen) = seen else {
            return Err(format!(
                "{path} is there already: read it whole before you write it anew, or use Edit"
            ));
        };
        let (lines, _) = read::numbered(now.trim_start_matches('\u{feff}'), 1, usize::MAX)?;
        match seen.shown().ends_with(&lines) {
            true => Ok(()),
            false => Err(format!(
                "{path} was changed since you read it: read it again"
            )),
        }
    }
}

/// A new memory with the marks that the reference client gives one: of which session it is, and from when.
fn stamped(text: &str, session: &str, now: Moment) -> Result<String, edit::EditError> {
    let now = Moment {
        nanos: now.nanos / 1_000_000 * 1_000_000,
        ..now
    };
    let text = edit::set(text, "node_type", "memory")?;
    let text = edit::set(&text, "originSessionId", session)?;
    edit::set(&text, "modified", &now.rfc3339())
}
