//! Which memories of a folder link to which, by `[[name]]` or by `[title](file.md)` in their bodies.
//! Links from the index are pointers and none of these.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::base::disk::Disk;
use crate::base::{front_matter, markdown};
use crate::memory::file::Memory;
use crate::memory::index::decode;
use crate::memory::pointer::{self, Targets};
use crate::memory::scan;

/// Bytes of a text whose links are looked for; what lies behind them is no place for one.
const LOOKED_AT: usize = 256 * 1024;

/// The links of one folder, each once. Paths are relative to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// From, to.
    links: BTreeSet<(Box<str>, Box<str>)>,
}

/// From pairs of a memory and one that it links to.
impl FromIterator<(Box<str>, Box<str>)> for Links {
    fn from_iter<T: IntoIterator<Item = (Box<str>, Box<str>)>>(pairs: T) -> Self {
        Self {
            links: pairs.into_iter().collect(),
        }
    }
}

impl Links {
    /// The memories that one links to, by path.
    pub fn of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let from = self.links.range((Box::from(path), Box::from(""))..);
        from.take_while(move |(from, _)| **from == *path)
            .map(|(_, to)| &**to)
    }

    /// The memories that link to one, by path.
    pub fn to<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let links = self.links.iter();
        links
            .filter(move |(_, to)| **to == *path)
            .map(|(from, _)| &**from)
    }
}

/// Reads the links between the memories of a folder: each file once, one after the other.
#[must_use]
pub fn read(disk: &Disk, folder: &Path) -> Links {
    let all = scan::heads(disk, folder, scan::list(disk, folder).memories);
    let mut by_folder: HashMap<&str, Targets<'_>> = HashMap::new();
    by_folder.insert("", targets(&all, ""));
    for memory in &all {
        let inner = parent(&memory.path);
        by_folder
            .entry(inner)
            .or_insert_with(|| targets(&all, inner));
    }
    let mut links = BTreeSet::new();
    let listed = scan::list(disk, folder).memories;
    scan::pages(disk, folder, listed, |memory, bytes| {
        let Some(bytes) = bytes.filter(|bytes| may_link(bytes)) else {
            return;
        };
        let text = decode(&bytes[..bytes.len().min(LOOKED_AT)]);
        let body = &text[front_matter::read(&text).body..];
        let marks = markdown::marks(body);
        // A link is told from where its file lies; what leads nowhere there, from the whole folder.
        let inner = parent(&memory.path);
        let mut found = BTreeSet::new();
        let whole = (!inner.is_empty()).then_some("");
        for prefix in [Some(inner), whole].into_iter().flatten() {
            let Some(targets) = by_folder.get(prefix) else {
                continue;
            };
            for link in pointer::read(body, &marks, targets) {
                let Some(to) = link.resolved else { continue };
                let to = format!("{prefix}{to}");
                if found.insert((link.line, link.target)) && *to != *memory.path {
                    links.insert((memory.path.clone(), Box::from(to)));
                }
            }
        }
    });
    Links { links }
}

fn may_link(bytes: &[u8]) -> bool {
    let has = |what: &[u8]| memchr::memmem::find(bytes, what).is_some();
    has(b"[[") || has(b"](") || has(b".md")
}

/// The folder that a memory lies in, with its `/`; nothing for the memory folder itself.
fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

fn targets<'a>(all: &'a [Memory], prefix: &str) -> Targets<'a> {
    let own = || {
        all.iter()
            .filter_map(|memory| Some((memory, memory.path.strip_prefix(prefix)?)))
    };
    let mut targets = Targets::new(own().map(|(_, path)| path));
    for (memory, path) in own() {
        if let Some(name) = &memory.name {
            targets.name(name, path);
        }
    }
    targets
}

#[cfg(test)]
#[path = "backlinks_tests.rs"]
mod tests;
