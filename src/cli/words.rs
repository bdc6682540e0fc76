//! The words and glyphs that stand for types, states, sizes and ages: the same in lists, in one
//! memory's view and in JSON.

use std::path::Path;

use crate::base::time::{Moment, grouped};
use crate::cli::output::{Colour, Style};
use crate::memory::file::{MemoryType, State};
use crate::memory::pointer::PointerState;

pub fn type_style(kind: &MemoryType) -> Style {
    match kind {
        MemoryType::User => Style::User,
        MemoryType::Feedback => Style::Feedback,
        MemoryType::Project => Style::Project,
        MemoryType::Reference => Style::Reference,
        MemoryType::Unknown(_) | MemoryType::Missing => Style::Warning,
    }
}

/// Glyph and word of a state; the glyph is one cell wide.
pub fn state_mark(state: State, colour: Colour) -> String {
    let (glyph, style) = match state {
        State::Ok => ('✓', Style::Ok),
        State::Ghost => ('◌', Style::Warning),
        State::NoType => ('▲', Style::Warning),
        State::Broken | State::NotText | State::Unsafe => ('✗', Style::Error),
    };
    colour.paint(style, &format!("{glyph} {:<8}", state.word()))
}

/// Glyph and word of a pointer's state.
pub fn pointer_mark(state: PointerState, colour: Colour) -> String {
    let (glyph, style) = match state {
        PointerState::Ok => ('✓', Style::Ok),
        PointerState::Dangling => ('⊘', Style::Error),
        PointerState::Duplicate | PointerState::Case => ('▲', Style::Warning),
        PointerState::Malformed | PointerState::Unsafe => ('✗', Style::Error),
    };
    colour.paint(style, &format!("{glyph} {:<9}", state.word()))
}

/// An age for people: `47d`; nothing where the time is not known.
pub fn age(modified: Option<Moment>, now: Moment) -> String {
    modified.map_or_else(|| "–".to_string(), |modified| modified.age(now))
}

/// A size for people: `812 B`, `4.1 KB`, `2.3 MB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes.saturating_mul(10) / unit;
            return format!("{}.{} {name}", tenths / 10, tenths % 10);
        }
    }
    format!("{bytes} B")
}

/// `1 memory`, `12 memories`: a number with its noun.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

/// A path below the home with `~` for it.
pub fn short_path(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) if rest.as_os_str().is_empty() => "~".to_string(),
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

/// A share in percent, one decimal: `0.4 %`.
pub fn share(part: usize, whole: usize) -> String {
    let tenths = part.saturating_mul(1_000).checked_div(whole).unwrap_or(0);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A text with `~` for the home folder in the paths that it names.
pub fn homely(text: &str, home: &Path) -> String {
    let Some(home) = home.to_str().filter(|home| home.len() > 1) else {
        return text.to_string();
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, found) = rest.split_at(at);
        let after = &found[home.len()..];
        let part = |c: char| c.is_alphanumeric() || "/._-".contains(c);
        let begins = !before.chars().next_back().is_some_and(part);
        let ends = !after.chars().next().is_some_and(|c| c != '/' && part(c));
        out.push_str(before);
        out.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_that_begins_with_the_home_is_shortened() {
        let home = Path::new("/home/u");
        for (text, shown) in [
            ("/home/u/work is gone", "~/work is gone"),
            ("in `/home/u/a`, /home/u", "in `~/a`, ~"),
            ("/srv/home/u/a", "/srv/home/u/a"),
            ("/home/u2/a and /home/u.old", "/home/u2/a and /home/u.old"),
            ("it ends in /home/u.", "it ends in /home/u."),
        ] {
            assert_eq!(homely(text, home), shown);
        }
        assert_eq!(homely("/a", Path::new("/")), "/a");
    }
}
