//! Parts as a list shows them: what only stands around a text goes with it.

use std::ops::Range;

use crate::base::time::grouped;
use crate::context::part::{Kind, Part};

/// One row of a list: a part and what stands around it in the same block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Positions among the parts.
    pub parts: Range<usize>,
    /// Which of them it is about.
    pub main: usize,
}

/// A number of tokens or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// As far as it is known.
    pub known: usize,
    pub estimated: bool,
    /// Something of it is not known.
    pub lacks: bool,
}

impl Amount {
    fn of(number: Option<usize>, estimated: bool) -> Self {
        Self {
            known: number.unwrap_or(0),
            estimated: estimated && number.is_some(),
            lacks: number.is_none(),
        }
    }

    /// Of one part: `7,008`, `≈ 7,008`; `?` where it is not known.
    #[must_use]
    pub fn one(self) -> String {
        match self.lacks {
            true => "?".to_string(),
            false => self.sum(),
        }
    }

    /// Of several: `≥ 7,008` where something is missing from it, `?` where nothing of it is known.
    #[must_use]
    pub fn sum(self) -> String {
        if self.lacks && self.known == 0 {
            return "?".to_string();
        }
        let mark = match (self.lacks, self.estimated) {
            (true, _) => "≥ ",
            (false, true) => "≈ ",
            (false, false) => "",
        };
        format!("{mark}{}", grouped(self.known))
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            known: sum.known + one.known,
            estimated: sum.estimated || one.estimated,
            lacks: sum.lacks || one.lacks,
        })
    }
}

/// The groups of some parts, in their order; together they are all parts.
#[must_use]
pub fn groups(parts: &[Part]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // Wrappers that stand before the part that they are of.
    let mut begin = 0;
    for (at, part) in parts.iter().enumerate() {
        let ends_block = parts
            .get(at + 1)
            .is_none_or(|next| next.place != part.place);
        if opens_files(part, parts.get(at + 1)) {
            // It is there for all files, and is no cost of the first.
            groups.push(Group {
                parts: begin..at + 1,
                main: at,
            });
            begin = at + 1;
        } else if part.kind != Kind::Wrapper {
            groups.push(Group {
                parts: begin..at + 1,
                main: at,
            });
            begin = at + 1;
        } else if ends_block {
            // What closes a block goes with its last part.
            match groups.last_mut() {
                Some(last)
                    if parts[last.main].place == part.place
                        && parts[last.main].kind != Kind::Rule =>
                {
                    last.parts.end = at + 1;
                }
                Some(_) | None => groups.push(Group {
                    parts: begin..at + 1,
                    main: at,
                }),
            }
            begin = at + 1;
        }
    }
    groups
}

/// Whether a part stands before files of which each has a line of its own that names it.
fn opens_files(part: &Part, next: Option<&Part>) -> bool {
    let is_line =
        |next: &Part| next.kind == Kind::Wrapper && next.path.is_some() && next.place == part.place;
    part.kind == Kind::Wrapper && part.path.is_none() && next.is_some_and(is_line)
}

impl Group {
    fn of<'a>(&self, parts: &'a [Part]) -> &'a [Part] {
        parts.get(self.parts.clone()).unwrap_or_default()
    }

    #[must_use]
    pub fn tokens(&self, parts: &[Part]) -> Amount {
        let parts = self.of(parts).iter();
        parts.map(|part| Amount::of(part.tokens, !part.exact)).sum()
    }

    #[must_use]
    pub fn bytes(&self, parts: &[Part]) -> Amount {
        let parts = self.of(parts).iter();
        parts
            .map(|part| Amount::of(part.bytes, !part.recorded))
            .sum()
    }

    /// The exact text.
    #[must_use]
    pub fn text(&self, parts: &[Part]) -> String {
        self.of(parts)
            .iter()
            .map(|part| part.text.as_str())
            .collect()
    }
}

#[cfg(test)]
#[path = "group_tests.rs"]
mod tests;
