//! How states, types and groups are called and marked. Every mark has its word, and both are here.

use ratatui::text::Span;

use crate::agents::{Shelf, ShelfKind};
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

/// The word of a state.
#[must_use]
pub fn state_word(state: State) -> &'static str {
    match state {
        State::Ok => "ok",
        State::Ghost => "ghost",
        State::NoType => "no type",
        State::Broken => "broken",
        State::NotText => "not text",
        State::Unsafe => "unsafe",
    }
}

/// A memory's state as a mark, its word and what that means.
#[must_use]
pub fn state(state: State, theme: Theme) -> Span<'static> {
    let meaning = match state {
        State::Ok => "",
        State::Ghost => ": no line of the index points at it",
        State::NoType => ", or none of the four",
        State::Broken => ": front matter missing or faulty",
        State::NotText => ": bytes that are no UTF-8",
        State::Unsafe => ": leads out of the folder, or cannot be read",
    };
    let (mark, role) = state_mark(state).unwrap_or(("✓", Role::Ok));
    let word = state_word(state);
    Span::styled(format!("{mark} {word}{meaning}"), theme.style(role))
}

/// What is said of a memory that the index names only below its cut, in this line.
#[must_use]
pub fn below_cut(line: usize) -> String {
    format!("✂ below the cut of the index (line {line}): the model is not told of it")
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
        Group::Rules => Span::styled("Rules", theme.style(Role::Text)),
    }
}

/// `1 memory`, `2 memories`.
#[must_use]
pub fn counted(number: usize, one: &str, many: &str) -> String {
    let number_word = crate::base::time::grouped(number);
    format!("{number_word} {}", if number == 1 { one } else { many })
}

/// What a shelf is called: its title; of an agent's folder the last part and where it is kept.
#[must_use]
pub fn shelf(shelf: &Shelf) -> String {
    let title = shelf.title();
    let safe = display::line(&title);
    let last = safe.rsplit('/').next().unwrap_or(&safe);
    match shelf.kind {
        ShelfKind::Project => safe.into_owned(),
        ShelfKind::Agent => last.to_string(),
        ShelfKind::AgentProject => format!("{last} (project)"),
        ShelfKind::AgentLocal => format!("{last} (local)"),
    }
}
