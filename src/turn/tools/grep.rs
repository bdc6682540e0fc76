//! Grep: the lines of files that match a regular expression.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use globset::GlobBuilder;
use regex::RegexBuilder;
use serde_json::json;

use super::{Done, Tool, Toolbox, Work, walk};
use crate::config::limits::{GREP_BYTES, RESULT_BYTES, TOOL_HITS, TOOL_LINE_CHARS};
use crate::turn::cage::Spot;
use crate::turn::call::Outcome;

pub const TOOL: Tool = Tool {
    name: "Grep",
    doc: "Finds lines by a regular expression in the files of a folder of the project or of the memory folder, or in \
          one file. Gives path, line number and line, 200 at most. What version control ignores is left out.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "description": "A regular expression"},
                "path": {"type": "string", "description": "A folder or a file; without it the working directory"},
                "glob": {"type": "string", "description": "Only files whose name or path matches, such as *.md"},
                "ignore_case": {"type": "boolean"}
            },
            "required": ["pattern"]
        })
    },
};

/// Bytes that the compiled expression may take.
const REGEX_BYTES: usize = 4 * 1024 * 1024;

impl Toolbox {
    pub(super) fn grep(&self, work: &Work<'_>) -> Done {
        let input = work.input();
        let pattern = input.text("pattern")?;
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(input.flag("ignore_case")?)
            .size_limit(REGEX_BYTES)
            .build()
            .map_err(|error| format!("the expression can't be read: {error}"))?;
        let glob = input.optional_text("glob")?;
        let glob = glob.map(|glob| GlobBuilder::new(glob).build()).transpose();
        let glob = glob.map_err(|error| format!("glob can't be read: {error}"))?;
        let glob = glob.map(|glob| glob.compile_matcher());
        let typed = input.optional_text("path")?;
        let spot = match typed {
            Some(typed) => self.cage.readable(typed)?,
            None => self.folder(None)?,
        };
        let real = spot.real(self.cage.disk());
        let is_file = self.overlay.touches(&real) || self.cage.disk().is_file(&real);
        let (paths, cut) = match &spot {
            Spot::Below { .. } if is_file => (vec![real.clone()], None),
            Spot::Below { .. } | Spot::Root { .. } => {
                let walked = walk::files(&real, spot.in_memory(), work.stop);
                let waiting = self.overlay.below(&real).into_iter().map(Path::to_path_buf);
                let mut paths: Vec<_> = walked.files.into_iter().chain(waiting).collect();
                paths.sort();
                paths.dedup();
                (paths, walked.cut)
            }
        };
        if paths.is_empty() && !self.cage.disk().is_folder(&real) {
            return Err(format!("`{}` is not there", typed.unwrap_or(".")));
        }
        let (mut text, mut hits, mut stopped) = (String::new(), 0, cut);
        for path in &paths {
            let inner = path.strip_prefix(&real).unwrap_or(path);
            let name = Path::new(path.file_name().unwrap_or_default());
            if glob
                .as_ref()
                .is_some_and(|glob| !glob.is_match(inner) && !glob.is_match(name))
            {
                continue;
            }
            if work.stop.load(Ordering::Relaxed) {
                stopped = Some("it was interrupted".to_string());
                break;
            }
            let Some(content) = self.searched(path) else {
                continue;
            };
            let shown = match is_file {
                true => spot.path().to_path_buf(),
                false => spot.path().join(inner),
            };
            for (at, line) in content.lines().enumerate() {
                if !regex.is_match(line) {
                    continue;
                }
                hits += 1;
                if hits > TOOL_HITS || text.len() > RESULT_BYTES {
                    continue;
                }
                let head: String = line.chars().take(TOOL_LINE_CHARS).collect();
                let _ = writeln!(text, "{}:{}:{head}", shown.display(), at + 1);
            }
        }
        if hits == 0 {
            text.push_str("[Nothing matches.]");
        }
        if hits > TOOL_HITS {
            let _ = write!(
                text,
                "[{} more lines match: narrow it down.]",
                hits - TOOL_HITS
            );
        }
        if let Some(why) = stopped {
            let _ = write!(text, "\n[Not all: {why}.]");
        }
        let told = format!("Grep {pattern} · {hits} lines");
        Ok(Outcome::done(work.call, text.trim_end(), told))
    }

    /// The text of a file that is looked through; `None`: it is none, or too large.
    fn searched(&self, path: &Path) -> Option<String> {
        let disk = self.cage.disk();
        if self.overlay.touches(path) {
            return self.overlay.text(disk, path).ok()?;
        }
        let data = std::fs::symlink_metadata(path).ok()?;
        if !data.is_file() || data.len() > GREP_BYTES {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(path)
            .ok()?
            .take(GREP_BYTES)
            .read_to_end(&mut bytes)
            .ok()?;
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The folder that a call names; without a name the working directory.
    pub(super) fn folder(&self, typed: Option<&str>) -> Result<Spot, String> {
        let typed = typed
            .filter(|typed| !typed.trim().is_empty())
            .unwrap_or(".");
        let spot = self.cage.readable(typed)?;
        match self.cage.disk().is_folder(&spot.real(self.cage.disk())) {
            true => Ok(spot),
            false => Err(format!("`{typed}` is no folder")),
        }
    }
}
