//! `rm`: memories to the trash with their index lines, a change set each, so that each comes back by
//! itself.

use std::collections::HashSet;
use std::ffi::OsString;

use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::Stop;
use crate::cli::memory_argument;
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::memory::proposal;

pub fn run(memories: &[OsString], global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    // All are found before the first goes.
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for memory in memories {
        let one = memory_argument::find(&opened, memory)?;
        if seen.insert(one.shelf.folder.join(&*one.entry.path)) {
            found.push(one);
        }
    }
    for one in &found {
        // Looked for while it is still there to be linked to.
        let dangling = {
            let memories = opened.store.entries(&one.shelf).entries;
            let folder = change::folder(&opened, &one.shelf.folder, &memories);
            proposal::left_dangling(&folder, &[&*one.entry.path])
        };
        let mut done = change::carry_out_anew(&opened, global, || {
            let memories = opened.store.entries(&one.shelf).entries;
            let folder = change::folder(&opened, &one.shelf.folder, &memories);
            Ok(proposal::remove(&folder, &[&*one.entry.path])?)
        })?;
        if let Some(said) = dangling {
            done.note(said);
        }
        done.report(&opened, global.json, output)?;
        // A later one may fail: what was done is said by then.
        output.finish()?;
    }
    Ok(())
}
