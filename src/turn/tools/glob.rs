//! Glob: the files whose path matches a pattern, the newest first.

use std::cmp::Reverse;
use std::fs;
use std::time::SystemTime;

use globset::GlobBuilder;
use serde_json::json;

use super::{Done, Tool, Toolbox, Work, walk};
use crate::config::limits::TOOL_HITS;
use crate::turn::call::Outcome;

pub const TOOL: Tool = Tool {
    name: "Glob",
    doc: "Finds files by a pattern such as **/*.rs or src/**/mod.rs, below a folder of the project or the memory \
          folder. Gives their paths, the newest first, 200 at most. What version control ignores is left out.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "description": "** for any folders, * within a name, {a,b} for either"},
                "path": {"type": "string", "description": "The folder; without it the working directory"}
            },
            "required": ["pattern"]
        })
    },
};

impl Toolbox {
    pub(super) fn glob(&self, work: &Work<'_>) -> Done {
        let input = work.input();
        let pattern = input.text("pattern")?;
        let spot = self.folder(input.optional_text("path")?)?;
        let matcher = GlobBuilder::new(pattern).literal_separator(true).build();
        let matcher = matcher
            .map_err(|error| format!("the pattern can't be read: {error}"))?
            .compile_matcher();
        let root = spot.real(self.cage.disk());
        let walked = walk::files(&root, spot.in_memory(), work.stop);
        let mut found: Vec<(SystemTime, String)> = Vec::new();
        let waiting = self
            .overlay
            .below(&root)
            .into_iter()
            .map(std::path::Path::to_path_buf);
        let mut paths: Vec<_> = walked.files.into_iter().chain(waiting).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            let Ok(inner) = path.strip_prefix(&root) else {
                continue;
            };
            if !matcher.is_match(inner) || self.is_to_go(&path) {
                continue;
            }
            let modified = fs::metadata(&path).and_then(|data| data.modified());
            let modified = modified.unwrap_or_else(|_| SystemTime::now());
            found.push((modified, spot.path().join(inner).display().to_string()));
        }
        found.sort_by_key(|(modified, _)| Reverse(*modified));
        let all = found.len();
        let mut text: Vec<String> = found
            .into_iter()
            .take(TOOL_HITS)
            .map(|(_, path)| path)
            .collect();
        if all == 0 {
            text.push("[No file matches.]".to_string());
        }
        if all > TOOL_HITS {
            text.push(format!(
                "[{} more match: make the pattern narrower.]",
                all - TOOL_HITS
            ));
        }
        text.extend(walked.cut.map(|cut| format!("[Not all: {cut}.]")));
        let told = format!("Glob {pattern} · {all} files");
        Ok(Outcome::done(work.call, text.join("\n"), told))
    }

    /// Whether a file is proposed to go to the trash.
    pub(super) fn is_to_go(&self, path: &std::path::Path) -> bool {
        self.overlay.touches(path) && self.overlay.over(path, None).is_none()
    }
}
