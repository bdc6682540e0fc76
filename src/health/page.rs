//! One memory as the families look at it: its text, decoded once, and what of it is front matter,
//! body, comment and code.

use std::cell::OnceCell;

use crate::base::front_matter::{Field, FrontMatter};
use crate::base::markdown::{self, Marks};
use crate::memory::file::Memory;

/// A memory that could be read.
pub struct Page<'a> {
    pub memory: &'a Memory,
    /// Relative to the memory folder.
    pub path: &'a str,
    pub bytes: &'a [u8],
    /// U+FFFD for bad bytes, without a BOM.
    pub text: &'a str,
    pub front: &'a FrontMatter<'a>,
    marks: OnceCell<Marks>,
}

/// A line of a body.
pub struct Line<'a> {
    /// Of the file, from 1.
    pub number: usize,
    /// Byte of the body where it begins.
    pub start: usize,
    /// Without its line break.
    pub text: &'a str,
}

impl<'a> Page<'a> {
    pub fn new(
        memory: &'a Memory,
        bytes: &'a [u8],
        text: &'a str,
        front: &'a FrontMatter<'a>,
    ) -> Self {
        Self {
            memory,
            path: &memory.path,
            bytes,
            text,
            front,
            marks: OnceCell::new(),
        }
    }

    pub fn body(&self) -> &'a str {
        &self.text[self.front.body..]
    }

    /// The lines of the body.
    pub fn lines(&self) -> impl Iterator<Item = Line<'a>> + use<'a> {
        let head = &self.text.as_bytes()[..self.front.body];
        let first = memchr::memchr_iter(b'\n', head).count() + 1;
        lines(self.body()).map(move |line| Line {
            number: first + line.number - 1,
            ..line
        })
    }

    /// Whether a byte of the body is part of a comment or of code.
    pub fn is_code(&self, at: usize) -> bool {
        let marks = self.marks.get_or_init(|| markdown::marks(self.body()));
        marks.covers(at)
    }

    /// The comments of the body, as bytes of it.
    pub fn comments(&self) -> &[std::ops::Range<usize>] {
        let marks = self.marks.get_or_init(|| markdown::marks(self.body()));
        &marks.comments
    }

    /// The field that is read for a key: the last one at the top, else the last under `metadata`.
    pub fn field(&self, key: &str) -> Option<&Field<'a>> {
        let at = |under: Option<&str>| {
            let mut fields = self.front.fields.iter();
            fields.rfind(|field| field.key == key && field.under.as_deref() == under)
        };
        at(None).or_else(|| at(Some("metadata")))
    }

    /// What a field says, if it says anything.
    pub fn says(&self, key: &str) -> Option<&str> {
        let field = self.field(key)?;
        Some(field.value.trim()).filter(|value| !value.is_empty())
    }

    /// Whether there is a block of front matter with an end.
    pub fn has_block(&self) -> bool {
        self.front.block.is_some()
    }
}

/// The lines of a text, numbered from 1.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .enumerate()
        .map(move |(at, whole)| {
            let line = Line {
                number: at + 1,
                start,
                text: whole.trim_end_matches(['\n', '\r']),
            };
            start += whole.len();
            line
        })
}
