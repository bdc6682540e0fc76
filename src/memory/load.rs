//! What of an index reaches the model: the pipeline that the reference client was seen to run
//! (2.1.332): decode, front matter off, block comments off, trim, the first 200 lines, back to the
//! last line break at or before unit 25,000, a warning, and sanitising of text and warning together.
//! Older versions leave steps out: [`Manner`] says which.

use std::ops::Range;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::base::front_matter;
use crate::base::tidy::{kept_pieces, line_of, origin, trim};
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};

/// Units of the first line that was cut off which the warning quotes, its ellipsis among them.
const QUOTED_UNITS: usize = 80;

/// What of an index is loaded. Units are UTF-16 code units.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Lines, bytes and units of the trimmed text: what the limits count.
    pub lines: usize,
    pub bytes: usize,
    pub units: usize,
    /// The loaded text, after sanitising, without the warning.
    pub text: String,
    /// The warning that follows it, from `> WARNING`; `None` when all is loaded.
    pub warning: Option<String>,
    /// The first line of the file (from 1) that is not loaded, or only in part.
    pub cut_at_line: Option<usize>,
    /// The line of the file (from 1) that the trimmed text begins in.
    pub first_line: usize,
    /// Lines of the file (from 1) that are taken out before the limits count: front matter and
    /// block comments. Sorted.
    pub stripped_lines: Vec<usize>,
}

/// How a version of the reference client loads an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Block comments come off and the rest is trimmed (2.1.112 and later). Else only the front matter
    /// comes off, and what is within the limit is sent as it is.
    pub tidied: bool,
    /// Its units are limited too, not its lines alone (2.1.112 and later).
    pub limits_units: bool,
    pub warning: Warning,
    /// Invisible characters go and the client's own tags are defused (2.1.300 and later).
    pub sanitised: bool,
}

/// What the client says below an index that is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// How many lines were loaded (2.1.63).
    Lines,
    /// That only a part was loaded (2.1.112, 2.1.220).
    Plain,
    /// And where it was cut (2.1.270 and later).
    Detailed,
}

impl Default for Manner {
    /// The newest version that was observed.
    fn default() -> Self {
        Self {
            tidied: true,
            limits_units: true,
            warning: Warning::Detailed,
            sanitised: true,
        }
    }
}

impl Loaded {
    /// The line of the file for one of the text, both from 1.
    #[must_use]
    pub fn file_line(&self, line: usize) -> usize {
        let lines = self.first_line..;
        let mut kept = lines.filter(|line| self.stripped_lines.binary_search(line).is_err());
        kept.nth(line.saturating_sub(1)).unwrap_or(line)
    }

    /// All that is sent of it: the text, and below it the warning.
    #[must_use]
    pub fn sent(&self) -> String {
        match &self.warning {
            Some(warning) => format!("{}\n\n{warning}", self.text),
            None => self.text.clone(),
        }
    }
}

/// Runs the pipeline of the newest version over the decoded text of an index (no BOM).
#[must_use]
pub fn load(text: &str) -> Loaded {
    load_as(text, Manner::default())
}

/// Runs the pipeline of one version over the decoded text of an index.
#[must_use]
pub fn load_as(text: &str, manner: Manner) -> Loaded {
    let pieces = pieces_kept(text, manner.tidied);
    let joined: String = pieces.iter().map(|piece| &text[piece.clone()]).collect();
    let trimmed = trim(&joined);
    let offset = trimmed.as_ptr() as usize - joined.as_ptr() as usize;
    let lines = if trimmed.is_empty() {
        0
    } else {
        trimmed.split('\n').count()
    };
    let units = units_of(trimmed);
    let units_limit = if manner.limits_units {
        INDEX_UNITS
    } else {
        usize::MAX
    };
    let cut = cut(trimmed, lines, units_limit);
    let uncut = if manner.tidied { trimmed } else { &joined };
    let kept = cut.as_ref().map_or(uncut, |cut| &trimmed[..cut.end]);
    let warning = cut.as_ref().map(|cut| match manner.warning {
        Warning::Lines => format!(
            "> WARNING: MEMORY.md is {lines} lines (limit: {INDEX_LINES}). Only the first {INDEX_LINES} lines \
             were loaded. Move detailed content into separate topic files and keep MEMORY.md as a concise index."
        ),
        Warning::Plain => warning(lines, units, cut, ""),
        Warning::Detailed => warning(lines, units, cut, &detail(trimmed, lines, kept, cut)),
    });
    let clean = |text: &str| match manner.sanitised {
        true => sanitise(text),
        false => text.to_string(),
    };
    let whole = match &warning {
        Some(warning) => clean(&format!("{kept}\n\n{warning}")),
        None => clean(kept),
    };
    let (text_part, warning) = match whole.find("\n\n> WARNING").filter(|_| warning.is_some()) {
        Some(at) => (whole[..at].to_string(), Some(whole[at + 2..].to_string())),
        None => (whole, None),
    };
    Loaded {
        lines,
        bytes: trimmed.len(),
        units,
        text: text_part,
        warning,
        cut_at_line: cut.map(|cut| line_of(text, origin(&pieces, offset + cut.next))),
        first_line: line_of(text, origin(&pieces, offset)),
        stripped_lines: stripped_lines(text, &pieces),
    }
}

/// What an index that was sent says below itself: that it was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The first line of the trimmed text that was not loaded, and how many there were from there on;
    /// `None`: the version did not say.
    pub at_line: Option<usize>,
    pub lines: Option<usize>,
}

/// Reads the warning below an index as it was sent; `None`: there is none, all was loaded.
#[must_use]
pub fn told(sent: &str) -> Option<Told> {
    let (_, warning) = sent.rsplit_once("\n\n> WARNING: MEMORY.md is ")?;
    let number = |before: &str| {
        let (_, rest) = warning.split_once(before)?;
        rest.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    Some(Told {
        at_line: number(" cut off, starting at line "),
        lines: number("was loaded: ").or_else(|| number("were loaded: ")),
    })
}

/// Where the loaded text ends and where the first byte that is not loaded stands.
struct Cut {
    end: usize,
    next: usize,
    /// No line break at or before the limit: the cut parts a line.
    hard: bool,
    over_units: bool,
}

/// The bytes that stay: without front matter and, where it is tidied, without block comments.
fn pieces_kept(text: &str, tidied: bool) -> Vec<Range<usize>> {
    if tidied {
        return kept_pieces(text);
    }
    let body = front_matter::read(text).block.map_or(0, |block| block.end);
    std::iter::once(body..text.len()).collect()
}

/// The first 200 lines, then back to the last line break at or before unit 25,000.
fn cut(text: &str, lines: usize, units_limit: usize) -> Option<Cut> {
    let over_lines = lines > INDEX_LINES;
    let over_units = units_of(text) > units_limit;
    if !over_lines && !over_units {
        return None;
    }
    let end = match over_lines {
        true => text
            .match_indices('\n')
            .nth(INDEX_LINES - 1)
            .map_or(text.len(), |(at, _)| at),
        false => text.len(),
    };
    if units_of(&text[..end]) <= units_limit {
        return Some(Cut {
            end,
            next: end + 1,
            hard: false,
            over_units,
        });
    }
    // The text up to the limit, and the character at it, which may be the line break itself.
    let limit = at_unit(&text[..end], units_limit);
    let reach = if text[limit..].starts_with('\n') {
        limit + 1
    } else {
        limit
    };
    Some(match text[..reach].rfind('\n') {
        Some(at) => Cut {
            end: at,
            next: at + 1,
            hard: false,
            over_units,
        },
        None => Cut {
            end: limit,
            next: limit,
            hard: true,
            over_units,
        },
    })
}

/// The warning; `detail` stands behind "loaded".
fn warning(lines: usize, units: usize, cut: &Cut, detail: &str) -> String {
    let size = kilobytes(units);
    let reason = match (lines > INDEX_LINES, cut.over_units) {
        (true, true) => format!("MEMORY.md is {lines} lines and {size}."),
        (true, false) => format!("MEMORY.md is {lines} lines (limit: {INDEX_LINES})."),
        (false, _) => {
            format!(
                "MEMORY.md is {size} (limit: {}) — index entries are too long.",
                kilobytes(INDEX_UNITS)
            )
        }
    };
    format!(
        "> WARNING: {reason} Only part of it was loaded{detail}. Keep index entries to one line under \
         ~200 chars; move detail into topic files."
    )
}

/// Where it was cut.
fn detail(text: &str, lines: usize, kept: &str, cut: &Cut) -> String {
    if cut.hard {
        return format!(
            ": everything after the first {INDEX_UNITS} characters of line 1 was cut off"
        );
    }
    let kept_lines = kept.split('\n').count();
    let line = trim(text[cut.next..].split('\n').next().unwrap_or_default());
    let (quoted, more) = match units_of(line) > QUOTED_UNITS {
        true => (&line[..at_unit(line, QUOTED_UNITS - 1)], "…"),
        false => (line, ""),
    };
    format!(
        ": {} of {lines} lines were cut off, starting at line {} (\"{quoted}{more}\")",
        lines - kept_lines,
        kept_lines + 1
    )
}

/// What the client says of a size: units (not bytes) over 1,024, one decimal.
fn kilobytes(units: usize) -> String {
    let tenths = (units * 10 + 512) / 1024;
    format!("{}.{}KB", tenths / 10, tenths % 10)
}

/// UTF-16 code units of a text.
#[must_use]
pub fn units_of(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    }
}

/// The byte at which `units` units have passed; a surrogate pair is not parted.
fn at_unit(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (at, c) in text.char_indices() {
        passed += c.len_utf16();
        if passed > units {
            return at;
        }
    }
    text.len()
}

/// Takes out what could hide from a reader or pose as the client's own words.
fn sanitise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if is_dropped(c) => {}
            c => out.push(c),
        }
    }
    out.replace("<system-reminder>", "<\\system-reminder>")
        .replace("</system-reminder>", "<\\/system-reminder>")
}

fn is_dropped(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !matches!(c, '\t' | '\n');
    }
    if matches!(c, '\u{200C}' | '\u{200D}') {
        return false;
    }
    matches!(c, '\u{E0100}'..='\u{E01EF}')
        || matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
        )
}

/// Lines of the file of which no byte stays.
fn stripped_lines(text: &str, pieces: &[Range<usize>]) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        if !pieces
            .iter()
            .any(|piece| piece.start < end && piece.end > start)
        {
            lines.push(at + 1);
        }
        start = end;
    }
    lines
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
