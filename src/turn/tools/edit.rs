//! Edit: a passage of a memory or of the index becomes another.

use serde_json::json;

use super::{Done, Tool, Toolbox, Work};

pub const TOOL: Tool = Tool {
    name: "Edit",
    doc: "Replaces a passage of a memory, or of the list of memories, by another. The passage has to stand there \
          exactly so, once; with replace_all every one of them is replaced. Nothing outside the memory folder is \
          written.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "file_path": {"type": "string", "description": "Absolute, below the memory folder"},
                "old_string": {"type": "string", "description": "As it stands in the file, without line numbers"},
                "new_string": {"type": "string"},
                "replace_all": {"type": "boolean"}
            },
            "required": ["file_path", "old_string", "new_string"]
        })
    },
};

impl Toolbox {
    pub(super) fn edit(&mut self, work: &Work<'_>) -> Done {
        let input = work.input();
        let typed = input.text("file_path")?;
        let (old, new) = (input.text("old_string")?, input.text("new_string")?);
        let all = input.flag("replace_all")?;
        let (inside, path) = self.cage.writable(typed)?;
        let before = self.overlay.text(self.cage.disk(), &inside.place());
        let before = before.map_err(|error| format!("{path} can't be read: {error}"))?;
        let before =
            before.ok_or_else(|| format!("{path} is not there: Write makes a new memory"))?;
        let after = replaced(&before, old, new, all).map_err(|why| format!("{path}: {why}"))?;
        self.put(work, &path, Some(before), after)
    }
}

/// A text with a passage replaced. Where its lines end in CRLF, what the model wrote with LF is meant so.
fn replaced(text: &str, old: &str, new: &str, all: bool) -> Result<String, String> {
    if old.is_empty() {
        return Err("old_string is empty: it has to be the passage as it stands there".to_string());
    }
    let is_crlf = !text.contains(old) && text.contains("\r\n") && !old.contains('\r');
    let (old, new) = match is_crlf {
        true => (
            old.replace('\n', "\r\n"),
            new.replace("\r\n", "\n").replace('\n', "\r\n"),
        ),
        false => (old.to_string(), new.to_string()),
    };
    match (text.matches(&*old).count(), all) {
        (0, _) => Err(
            "the passage does not stand there so: read the file and take it over exactly"
                .to_string(),
        ),
        (1, _) | (_, true) => Ok(text.replace(&*old, &new)),
        (many, false) => Err(format!(
            "the passage stands there {many} times: take more of what is around it, or set replace_all"
        )),
    }
}
