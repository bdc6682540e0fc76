//! Parts as a list shows them: what only stands around a text goes with it.

use std::ops::Range;

use crate::context::part::{Kind, Part};

/// One row of a list: a part and what stands around it in the same block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Positions among the parts.
    pub parts: Range<usize>,
    /// Which of them it is about.
    pub main: usize,
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
        if part.kind != Kind::Wrapper {
            groups.push(Group {
                parts: begin..at + 1,
                main: at,
            });
            begin = at + 1;
        } else if ends_block {
            // What closes a block goes with its last part.
            match groups.last_mut() {
                Some(last) if parts[last.main].place == part.place => last.parts.end = at + 1,
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

impl Group {
    fn of<'a>(&self, parts: &'a [Part]) -> &'a [Part] {
        parts.get(self.parts.clone()).unwrap_or_default()
    }

    #[must_use]
    pub fn tokens(&self, parts: &[Part]) -> usize {
        self.of(parts).iter().map(|part| part.tokens).sum()
    }

    #[must_use]
    pub fn bytes(&self, parts: &[Part]) -> usize {
        self.of(parts).iter().map(|part| part.bytes).sum()
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
