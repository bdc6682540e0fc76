//! Instructions below the working directory, looked for in a bounded number of folders: they come with
//! a Read there, and a compaction loses them.

use std::collections::VecDeque;

use super::attach;
use super::discover;
use super::reader::Reader;
use super::{Listing, Manner, Place, Survey};
use crate::base::disk::{Disk, Kind};
use crate::config::limits::RULE_FOLDERS;

pub fn survey(disk: &Disk, place: &Place, manner: &Manner) -> Survey {
    let listing: &Listing<'_> = &|folder| disk.list(folder);
    let mut reader = Reader::new(disk, place, manner);
    discover::start(&mut reader, listing);
    let start = std::mem::take(&mut reader.out);
    let is_project = start.off.is_none() && !place.home.starts_with(&place.cwd);
    if is_project {
        walk(&mut reader, listing);
    }
    Survey {
        start,
        below: reader.out,
    }
}

/// The nearest folders first. Hidden ones and what a package manager fetched are not entered.
fn walk(reader: &mut Reader<'_>, listing: &Listing<'_>) {
    let mut todo = VecDeque::from([reader.place.cwd.clone()]);
    let mut listed = 0;
    while let Some(folder) = todo.pop_front() {
        let Ok(mut items) = listing(&folder) else {
            continue;
        };
        listed += 1;
        let has_rules = items.iter().any(|item| {
            ["CLAUDE.md", "CLAUDE.local.md", ".claude"].contains(&&*item.name.to_string_lossy())
        });
        if has_rules && folder != reader.place.cwd {
            attach::take(reader, listing, &folder);
        }
        items.retain(|item| {
            let name = item.name.to_string_lossy();
            item.kind == Kind::Folder && !name.starts_with('.') && name != "node_modules"
        });
        items.sort_by(|a, b| a.name.cmp(&b.name));
        let room = RULE_FOLDERS.saturating_sub(listed + todo.len());
        todo.extend(items.iter().take(room).map(|item| folder.join(&item.name)));
    }
}
