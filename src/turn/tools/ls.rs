//! LS: what lies in a folder.

use serde_json::json;

use super::{Done, Tool, Toolbox, Work};
use crate::base::disk::Kind;
use crate::config::limits::LISTED_NAMES;
use crate::turn::call::Outcome;

pub const TOOL: Tool = Tool {
    name: "LS",
    doc: "Lists a folder of the project or the memory folder: a name a line, folders with a slash behind, links with \
          an @, 500 at most.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The folder; without it the working directory"}
            }
        })
    },
};

impl Toolbox {
    pub(super) fn ls(&self, work: &Work<'_>) -> Done {
        let spot = self.folder(work.input().optional_text("path")?)?;
        let disk = self.cage.disk();
        let real = spot.real(disk);
        let items = disk
            .list(&real)
            .map_err(|error| format!("{} can't be listed: {error}", spot.path().display()))?;
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        for item in items {
            let name = item.name.to_string_lossy();
            let place = real.join(&item.name);
            if self.is_to_go(&place) {
                continue;
            }
            names.push(match item.kind {
                Kind::Folder => format!("{name}/"),
                Kind::Link => format!("{name}@"),
                Kind::File | Kind::Other => name.into_owned(),
            });
        }
        for path in self.overlay.below(&real) {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let is_here = path.parent() == Some(&*real) && !self.is_to_go(path);
            names.extend(name.filter(|_| is_here));
        }
        names.sort();
        names.dedup();
        let all = names.len();
        names.truncate(LISTED_NAMES);
        if all == 0 {
            names.push("[The folder is empty.]".to_string());
        }
        if all > LISTED_NAMES {
            names.push(format!("[{} more.]", all - LISTED_NAMES));
        }
        let told = format!("LS {} · {all}", self.short(spot.path()));
        Ok(Outcome::done(work.call, names.join("\n"), told))
    }
}
