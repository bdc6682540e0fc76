//! In which order memories are listed, and which of them hold some words: the same for the screen and
//! the command line.

use std::cmp::Reverse;

use crate::agents::{Entry, entry_title};
use crate::memory::search::Query;

/// What memories are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// As they are read: the newest first.
    #[default]
    Age,
    Name,
    /// The largest first.
    Size,
}

impl Sort {
    pub const ALL: [Self; 3] = [Self::Age, Self::Name, Self::Size];

    /// The next one of the cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Age => Self::Name,
            Self::Name => Self::Size,
            Self::Size => Self::Age,
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Age => "age",
            Self::Name => "name",
            Self::Size => "size",
        }
    }

    /// What a memory is sorted by, among those that were read in their own order. Equal ones stay so.
    #[must_use]
    pub fn key(self, entry: &Entry) -> Key {
        match self {
            Self::Age => Key::AsRead,
            Self::Name => Key::Name(entry_title(entry).to_lowercase()),
            Self::Size => Key::Size(Reverse(entry.bytes)),
        }
    }
}

/// A memory's place in an order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    AsRead,
    /// In lower case.
    Name(String),
    /// Bytes.
    Size(Reverse<u64>),
}

/// Whether a memory holds all words in its name, path, description or type.
#[must_use]
pub fn holds(query: &Query, entry: &Entry) -> bool {
    let fields = [
        entry.name.as_deref(),
        Some(&*entry.path),
        entry.description.as_deref(),
        entry.kind.word(),
    ];
    query.stands_in(fields.into_iter().flatten())
}
