//! Forget: a memory to the trash with its line in the index, or one passage of it away.

use serde_json::json;

use super::{Done, Tool, Toolbox, Work};
use crate::turn::cage::Spot;
use crate::turn::memories::without;

pub const TOOL: Tool = Tool {
    name: "Forget",
    doc: "Removes a memory: it goes to the trash, from where the person can bring it back, and its line leaves the \
          list. With a passage only that passage is taken out of it.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "file_path": {"type": "string", "description": "The memory, absolute, below the memory folder"},
                "passage": {"type": "string", "description": "What is to go, as it stands there; without it all"}
            },
            "required": ["file_path"]
        })
    },
};

impl Toolbox {
    pub(super) fn forget(&mut self, work: &Work<'_>) -> Done {
        let input = work.input();
        let typed = input.text("file_path")?;
        let passage = input
            .optional_text("passage")?
            .filter(|it| !it.trim().is_empty());
        let (inside, path) = self.cage.writable(typed)?;
        let folder = self.memory_root()?;
        let memories = self.memories(&folder);
        if !memories.paths().contains(&path) {
            let found = matches!(self.cage.readable(typed), Ok(Spot::Below { .. }));
            return Err(match found && self.cage.disk().is_file(&inside.place()) {
                true => format!("{path} is no memory: it is not removed"),
                false => format!("{path} is not there"),
            });
        }
        let before = self.overlay.text(self.cage.disk(), &inside.place());
        let before = before.map_err(|error| format!("{path} can't be read: {error}"))?;
        let before = before.ok_or_else(|| format!("{path} is not there"))?;
        if let Some(passage) = passage {
            let after = match before.matches(passage).count() {
                0 => {
                    return Err(format!(
                        "{path}: the passage does not stand there so: read it and take it over exactly"
                    ));
                }
                1 => without(&before, passage),
                many => {
                    return Err(format!(
                        "{path}: the passage stands there {many} times: take more of what is around it"
                    ));
                }
            };
            return self.put(work, &path, Some(before), after);
        }
        let files = memories.without(&path, before)?;
        let stem = path.trim_end_matches(".md");
        self.propose(
            work,
            format!("forget {stem}"),
            files,
            &format!("{path} removed, with its line in the list"),
        )
    }
}
