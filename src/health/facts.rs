//! What is kept of a memory when its text has been looked at: all that the families compare between
//! memories.

use crate::base::time::Moment;
use crate::health::links::{self, Link};
use crate::health::names;
use crate::health::page::Page;
use crate::memory::file::{Memory, MemoryType};

/// One memory, without its text.
#[derive(Debug)]
pub struct Facts {
    pub memory: Memory,
    /// Whether its text was read.
    pub is_read: bool,
    /// Whether it has front matter with an end.
    pub has_block: bool,
    /// From the whole of the front matter, not only from where a scan looks.
    pub name: Option<Box<str>>,
    /// The line of the name that is read, also of one that says nothing.
    pub name_line: Option<usize>,
    /// How often a name stands.
    pub names: usize,
    pub description: Option<Box<str>>,
    pub kind: MemoryType,
    /// `modified` and `created` of the front matter.
    pub modified: Option<Moment>,
    pub created: Option<Moment>,
    /// The session that it comes from.
    pub origin: Option<Box<str>>,
    /// The file that a synchroniser made it a copy of.
    pub copy_of: Option<String>,
    pub links: Vec<Link>,
}

impl Facts {
    /// Of a memory that is not to be read.
    pub fn unread(memory: Memory) -> Self {
        Self {
            is_read: false,
            has_block: false,
            name: None,
            name_line: None,
            names: 0,
            description: None,
            kind: MemoryType::Missing,
            modified: None,
            created: None,
            origin: None,
            copy_of: names::original(&memory.path),
            links: Vec::new(),
            memory,
        }
    }

    pub fn of(page: &Page<'_>) -> Self {
        let own = |key: &str| page.says(key).filter(|_| page.has_block());
        let date = |key: &str| {
            own(key).and_then(|text| Moment::parse(text).or_else(|| Moment::of_date(text)))
        };
        let names = page.front.fields.iter().filter(|field| field.key == "name");
        Self {
            is_read: true,
            has_block: page.has_block(),
            names: names.count(),
            name: own("name").map(Box::from),
            name_line: page.field("name").map(|field| field.line),
            description: own("description").map(Box::from),
            kind: MemoryType::read(page.front),
            modified: date("modified"),
            // A date without a zone is the date that it says, wherever it is read.
            created: own("created").and_then(Moment::of_date),
            origin: own("originSessionId").map(Box::from),
            copy_of: names::original(page.path),
            links: links::of(page),
            memory: page.memory.clone(),
        }
    }
}
