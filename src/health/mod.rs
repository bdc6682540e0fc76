//! Health: what a memory folder has that costs, as findings; a sentence for each that says what it
//! costs; and where nothing has to be guessed, a fix. Knows neither agents nor the screen.
//!
//! How it is used:
//!
//! * [`examine`] reads one memory folder, each file once, and gives its findings: the worst first,
//!   then by code, path and line. [`check::Check`] is the same on values, for who has the bytes.
//!   Findings of all projects are those of each, in turn.
//! * A [`Finding`] is plain data: filter by [`Code`], [`Severity`], project or path; findings of one
//!   folder are sorted so that those of a code stand together ([`slice::chunk_by`] groups them);
//!   [`Counts::of`] counts.
//! * [`fix::propose`] makes the change set of one finding from what is on disk then. Its diff and its
//!   application are those of every change set. For all of a code: propose and apply one, then the
//!   next, so that each is one undo; to show it all first, the diff of each proposal.
//! * [`Rules`] are the measures, from `[health]` of the configuration.
//!
//! A family is a file: [`front_matter`], [`names`], [`links`], [`ages`], [`dates`], [`sizes`],
//! [`text`], [`secrets`], [`layout`], [`index`] and [`used`]; of a project's standing rules [`standing`]. What of a memory is compared with others is kept in
//! [`facts::Facts`]; its text is not.

mod ages;
pub mod check;
pub mod code;
mod dates;
mod facts;
pub mod finding;
pub mod fix;
mod fix_index;
mod front_matter;
mod gathered;
mod index;
mod layout;
mod links;
mod names;
mod origins;
mod page;
mod rules;
mod secrets;
mod sizes;
mod standing;
mod strict;
mod text;
mod used;
mod words;

use std::path::Path;

pub use code::{Code, Severity};
pub use finding::{Counts, Finding};
pub use fix::{Fix, FixError};
pub use gathered::in_order;
pub use origins::{Around, origins};
pub use rules::Rules;
pub use standing::standing;
pub use used::{Evidence, Stay, expiring, used};

use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::memory::file::{Memory, Unread};
use crate::memory::scan::{self, INDEX_FILE};
use check::Check;

/// A folder that was examined.
#[derive(Debug, Default)]
pub struct Examined {
    pub findings: Vec<Finding>,
    /// Its memories by path, as a proposal wants them.
    pub memories: Vec<Memory>,
    /// Paths of memories that say which session they come from, and that session.
    pub origins: Vec<(Box<str>, Box<str>)>,
}

/// Reads a memory folder and finds what costs in it. A folder that is not there has no findings.
/// `project` is its key.
#[must_use]
pub fn examine(disk: &Disk, project: &str, folder: &Path, rules: &Rules, now: Moment) -> Examined {
    let listing = scan::list(disk, folder);
    let paths = listing.memories.iter().map(|listed| listed.path.as_str());
    let mut check = Check::new(project, paths, rules, now);
    for fault in &listing.faults {
        check.not_entered(&fault.path, &fault.sentence);
    }
    for (prefix, there) in [("", listing.index), ("team/", listing.team_index)] {
        if there {
            read_index(disk, folder, prefix, &mut check);
        }
    }
    for path in &listing.logs {
        match scan::bytes(disk, folder, path) {
            Ok(bytes) => check.log(path, &bytes),
            Err(why) => check.unread(path, &why),
        }
    }
    scan::pages(disk, folder, listing.memories, |memory, bytes| {
        check.memory(memory, bytes);
    });
    check.finish()
}

/// An index that is a link out of the folder is said to be one, and read as the client reads it.
fn read_index(disk: &Disk, folder: &Path, prefix: &'static str, check: &mut Check<'_>) {
    let path = [prefix, INDEX_FILE].concat();
    match scan::bytes(disk, folder, &path) {
        Ok(bytes) => check.index(prefix, &bytes, false),
        Err(why @ Unread::LeadsOut(_)) => {
            check.unread(&path, &why);
            if let Ok(bytes) = crate::memory::index::read_bytes(disk, &folder.join(&path)) {
                check.index(prefix, &bytes, true);
            }
        }
        Err(why) => check.unread_index(&path, &why),
    }
}

#[cfg(test)]
#[path = "fixture_for_tests.rs"]
mod fixture;
#[cfg(test)]
#[path = "examine_tests.rs"]
mod tests;
