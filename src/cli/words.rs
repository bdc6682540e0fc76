//! The words and glyphs that stand for types, states, sizes and ages: the same in lists, in one
//! memory's view and in JSON.

use crate::base::display;
pub use crate::base::display::{homely, short_path, size};
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

/// In the place of a state: the index names it below its cut only.
pub fn below_cut_mark(colour: Colour) -> String {
    colour.paint(Style::Warning, &format!("✂ {:<8}", "cut off"))
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

/// A time as it stands in a transcript, to the second in UTC: `2031-02-28T10:00:00Z`. What is no time stays.
pub fn second(time: &str) -> String {
    match Moment::parse(time) {
        Some(moment) => Moment::from_seconds(moment.seconds).rfc3339(),
        None => display::line(time).into_owned(),
    }
}

/// `1 memory`, `12 memories`: a number with its noun.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

/// A share in percent, one decimal: `0.4 %`.
pub fn share(part: usize, whole: usize) -> String {
    let thousand = part.saturating_mul(1_000).saturating_add(whole / 2);
    let tenths = thousand.checked_div(whole).unwrap_or(0);
    format!("{}.{} %", tenths / 10, tenths % 10)
}
