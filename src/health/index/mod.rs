//! The index: what it points at, how it is written, what of it is loaded, what it leaves out.

mod limits;
mod pointers;
mod reach;
mod rows;
mod shape;

use crate::base::markdown::{self, Marks};
use crate::health::facts::Facts;
use crate::health::gathered::Gathered;
use crate::memory::index::decode;
use crate::memory::load::{self, Loaded};
use crate::memory::pointer::{self, Pointer, Targets};

pub use pointers::merged_hook;
pub use reach::{hook_for, look as reach};
pub use rows::{Row, RowKind, rows};
pub use shape::joined;

/// One index, read.
pub struct IndexPage {
    /// `MEMORY.md` or `team/MEMORY.md`.
    pub path: String,
    /// The folder that it stands in, with a slash: empty or `team/`.
    pub prefix: &'static str,
    /// U+FFFD for bad bytes, without a BOM.
    pub text: String,
    pub loaded: Loaded,
    /// In the order of the file.
    pub pointers: Vec<Pointer>,
    /// Whether it may be written: it is text and lies in its folder.
    pub is_ours: bool,
    marks: Marks,
}

impl IndexPage {
    pub fn new(path: &str, prefix: &'static str, bytes: &[u8], is_ours: bool) -> Self {
        let text = decode(bytes);
        Self {
            path: path.to_string(),
            prefix,
            loaded: load::load(&text),
            marks: markdown::marks(&text),
            text,
            pointers: Vec::new(),
            is_ours,
        }
    }

    /// The first index, with its pointers as they are known.
    pub fn with(bytes: &[u8], pointers: Vec<Pointer>) -> Self {
        let page = Self::new("", "", bytes, true);
        Self { pointers, ..page }
    }

    /// Looks its pointers up among the memories.
    pub fn resolve(&mut self, all: &[Facts]) {
        let own = || {
            all.iter()
                .filter_map(|one| Some((one, one.memory.path.strip_prefix(self.prefix)?)))
        };
        let mut targets = Targets::new(own().map(|(_, path)| path));
        for (one, path) in own() {
            if let Some(name) = &one.memory.name {
                targets.name(name, path);
            }
        }
        self.pointers = pointer::read(&self.text, &self.marks, &targets);
    }

    /// The pointers of a line.
    pub fn on_line(&self, line: usize) -> &[Pointer] {
        let from = self.pointers.partition_point(|one| one.line < line);
        let to = self.pointers.partition_point(|one| one.line <= line);
        &self.pointers[from..to]
    }

    /// Whether a pointer is the only one of its line, so that the line is its own.
    pub fn is_alone(&self, pointer: &Pointer) -> bool {
        self.on_line(pointer.line).len() == 1
    }

    pub fn line(&self, rows: &[Row], line: usize) -> &str {
        &self.text[rows[line - 1].range.clone()]
    }
}

/// All findings of one index by itself.
pub fn look(index: &IndexPage, all: &[Facts], out: &mut Gathered<'_>) {
    let rows = rows(index);
    limits::look(index, all, out);
    pointers::look(index, &rows, all, out);
    shape::look(index, &rows, out);
}
