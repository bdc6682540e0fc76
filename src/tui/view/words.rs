//! How states, types and groups are called and marked. Every mark has its word, and both are here.

use ratatui::text::Span;

use crate::app::tree::Group;
use crate::base::display;
use crate::memory::file::{MemoryType, State};
use crate::memory::pointer::PointerState;
use crate::tui::theme::{Role, Theme};

/// The mark of a memory's state; a memory that is well bears none in a list.
#[must_use]
pub fn state_mark(state: State) -> Option<(&'static str, Role)> {
    match state {
        State::Ok => None,
        State::Ghost => Some(("◌", Role::Note)),
        State::NoType => Some(("▲", Role::Warning)),
        State::Broken | State::NotText | State::Unsafe => Some(("✗", Role::Error)),
    }
}

/// A memory's state as a mark and a few words.
#[must_use]
pub fn state(state: State, theme: Theme) -> Span<'static> {
    let words = match state {
        State::Ok => "ok",
        State::Ghost => "ghost: no line of the index points at it",
        State::NoType => "no type, or none of the four",
        State::Broken => "broken: front matter missing or faulty",
        State::NotText => "not text: bytes that are no UTF-8",
        State::Unsafe => "unsafe: leads out of the folder, or cannot be read",
    };
    let (mark, role) = state_mark(state).unwrap_or(("✓", Role::Ok));
    Span::styled(format!("{mark} {words}"), theme.style(role))
}

/// The mark of a pointer and, where it is not well, its word.
#[must_use]
pub fn pointer(state: PointerState) -> (&'static str, &'static str, Role) {
    match state {
        PointerState::Ok => ("✓", "", Role::Ok),
        PointerState::Dangling => ("⊘", "dangling", Role::Error),
        PointerState::Duplicate => ("▲", "duplicate", Role::Warning),
        PointerState::Case => ("▲", "case differs", Role::Warning),
        PointerState::Malformed => ("✗", "malformed", Role::Error),
        PointerState::Unsafe => ("✗", "unsafe", Role::Error),
    }
}

/// A type as the four are called, an unknown one as it is written.
#[must_use]
pub fn kind(kind: &MemoryType) -> String {
    match kind {
        MemoryType::User => "user".to_string(),
        MemoryType::Feedback => "feedback".to_string(),
        MemoryType::Project => "project".to_string(),
        MemoryType::Reference => "reference".to_string(),
        MemoryType::Unknown(written) => format!("‹{}› (unknown)", display::line(written)),
        MemoryType::Missing => "no type".to_string(),
    }
}

/// The name of a group and its style.
#[must_use]
pub fn group(group: &Group, theme: Theme) -> Span<'static> {
    match group {
        Group::Type(of) => Span::styled(kind(of), theme.of_type(of)),
        Group::Team => Span::styled("⇄ team", theme.style(Role::Text)),
        Group::Learnings => Span::styled("learnings", theme.style(Role::Text)),
        Group::Logs => Span::styled("logs", theme.style(Role::Text)),
    }
}

/// `1 memory`, `2 memories`.
#[must_use]
pub fn counted(number: usize, one: &str, many: &str) -> String {
    let number_word = crate::base::time::grouped(number);
    format!("{number_word} {}", if number == 1 { one } else { many })
}
