//! Read: the lines of a file, with their numbers; of a memory its age in front, and behind it the rules
//! that go with the file.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use serde_json::json;

use super::{Done, Tool, Toolbox, Work};
use crate::base::time::Moment;
use crate::config::limits::{PAGE_BYTES, READ_LINES, RESULT_BYTES, TOOL_LINE_CHARS};
use crate::context::part::{Kind, Origin, Piece};
use crate::instructions::{self, Manner};
use crate::turn::cage::Spot;
use crate::turn::call::Outcome;

pub const TOOL: Tool = Tool {
    name: "Read",
    doc: "Reads a text file below the project or the memory folder. Gives its lines with their numbers and a tab in \
          front, 2,000 at most; offset and limit give another part. Of a memory its age is told first.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "file_path": {"type": "string", "description": "Absolute, or relative to the working directory"},
                "offset": {"type": "integer", "description": "First line, from 1"},
                "limit": {"type": "integer", "description": "How many lines"}
            },
            "required": ["file_path"]
        })
    },
};

/// Whole days from which on a memory's age is told.
const AGED_DAYS: i64 = 2;

/// Bytes at a file's head in which a NUL tells that it is no text.
const NUL_BYTES: usize = 8 * 1024;

impl Toolbox {
    pub(super) fn read(&self, work: &Work<'_>) -> Done {
        let input = work.input();
        let typed = input.text("file_path")?;
        let first = input.number("offset", 1)?.unwrap_or(1);
        let most = input.number("limit", 1)?.unwrap_or(READ_LINES);
        let spot = self.cage.readable(typed)?;
        let (bytes, modified) = self.bytes_of(&spot, typed)?;
        if bytes.iter().take(NUL_BYTES).any(|byte| *byte == 0) {
            return Err(format!("`{typed}` is no text: it holds NUL bytes"));
        }
        let decoded =
            String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes));
        let mut text = match modified.filter(|_| spot.in_memory()) {
            Some(modified) => age_line(modified, work.now),
            None => String::new(),
        };
        let (lines, shown) = numbered(&decoded, first, most)?;
        text.push_str(&lines);
        if matches!(decoded, Cow::Owned(_)) {
            text.push_str("\n[Bytes of it are no UTF-8: each stands as a replacement character.]");
        }
        let many = match shown {
            1 => "1 line".to_string(),
            many => format!("{many} lines"),
        };
        let told = format!("Read {} · {many}", self.short(spot.path()));
        let mut outcome = Outcome::done(work.call, text, told);
        outcome.result = outcome.result.of(spot.path());
        outcome.along = self.along(work, spot.path());
        Ok(outcome)
    }

    /// The bytes of a file, with what is proposed of it, and when it was modified.
    pub(super) fn bytes_of(
        &self,
        spot: &Spot,
        typed: &str,
    ) -> Result<(Vec<u8>, Option<Moment>), String> {
        let Spot::Below { inside, .. } = spot else {
            return Err(format!("`{typed}` is a folder: LS lists it"));
        };
        let disk = self.cage.disk();
        let place = inside.place();
        let failed = |error: &dyn std::fmt::Display| format!("`{typed}` can't be read: {error}");
        if self.overlay.touches(&place) {
            let text = self
                .overlay
                .text(disk, &place)
                .map_err(|error| failed(&error))?;
            let text =
                text.ok_or_else(|| format!("`{typed}` is not there: it is proposed to go"))?;
            return Ok((text.into_bytes(), None));
        }
        if disk.is_folder(&place) {
            return Err(format!("`{typed}` is a folder: LS lists it"));
        }
        let file = inside
            .open(disk)
            .map_err(|error| match disk.metadata(&place) {
                Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => {
                    format!("`{typed}` is not there")
                }
                _ => error.to_string(),
            })?;
        let data = file.metadata().map_err(|error| failed(&error))?;
        if data.len() > PAGE_BYTES {
            let size = data.len();
            return Err(format!(
                "`{typed}` has {size} bytes, more than the {PAGE_BYTES} that are read: look for what you need in it \
                 with Grep"
            ));
        }
        let mut bytes = Vec::new();
        file.take(PAGE_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        let modified = data.modified().ok().map(Moment::from);
        Ok((bytes, modified))
    }

    /// The rules that the Read of a file brings along, but those that the model has.
    fn along(&self, work: &Work<'_>, path: &Path) -> Vec<Vec<Piece>> {
        if !path.starts_with(self.cage.cwd()) {
            return Vec::new();
        }
        let place = self.store.surroundings(self.cage.cwd()).place;
        let attached = instructions::attached(self.cage.disk(), &place, &Manner::default(), path);
        let new = attached.into_iter().filter(|one| !work.has_rule(&one.path));
        new.map(|one| {
            let line = format!("{}:\n\n", one.path.display());
            let text = Piece::new(Kind::Nested, Origin::File, one.text).of(&one.path);
            let text = match one.pattern {
                Some(pattern) => text.labelled(pattern),
                None => text,
            };
            vec![
                Piece::new(Kind::Wrapper, Origin::Ours, line).of(&one.path),
                text,
            ]
        })
        .collect()
    }

    /// A path as a person reads it: relative to the memory folder or the project.
    pub(super) fn short(&self, path: &Path) -> String {
        let memory = self
            .cage
            .memory()
            .and_then(|memory| path.strip_prefix(memory).ok());
        let short = memory.or_else(|| path.strip_prefix(self.cage.project()).ok());
        short
            .filter(|it| !it.as_os_str().is_empty())
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

/// What is told of a memory's age, with its line break: nothing where it is younger than two days, or from
/// the future.
fn age_line(modified: Moment, now: Moment) -> String {
    match modified.days_before(now) {
        days if days >= AGED_DAYS => format!(
            "[This memory is {days} days old. It says what was true then: see that it still is before you rely on it.]\n"
        ),
        _ => String::new(),
    }
}

/// Lines from `first` on with their numbers, and how many they are.
pub(super) fn numbered(text: &str, first: usize, most: usize) -> Result<(String, usize), String> {
    if text.is_empty() {
        return Ok(("[The file is empty.]".to_string(), 0));
    }
    let all = text.lines().count();
    if first > all {
        return Err(format!(
            "the file has {all} lines: there is none from {first} on"
        ));
    }
    let mut out = String::new();
    let mut shown = 0;
    for (at, line) in text.lines().enumerate().skip(first - 1).take(most) {
        if out.len() > RESULT_BYTES {
            break;
        }
        if shown > 0 {
            out.push('\n');
        }
        let cut = line.char_indices().nth(TOOL_LINE_CHARS);
        let _ = match cut {
            None => write!(out, "{}\t{line}", at + 1),
            Some((end, _)) => write!(out, "{}\t{} [the line goes on]", at + 1, &line[..end]),
        };
        shown += 1;
    }
    let last = first - 1 + shown;
    if last < all {
        let _ = write!(
            out,
            "\n[{} more lines: read on with offset {}.]",
            all - last,
            last + 1
        );
    }
    Ok((out, shown))
}
