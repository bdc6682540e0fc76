//! `mv`: a memory under another name; its file, its index line and the links to it follow.

use std::ffi::OsStr;

use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::Stop;
use crate::cli::memory_argument;
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::memory::proposal;

pub fn run(memory: &OsStr, new: &str, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let found = memory_argument::find(&opened, memory)?;
    change::refuse_unsafe(&found)?;
    let done = change::carry_out_anew(&opened, global, || {
        let memories = opened.store.entries(&found.shelf).entries;
        let folder = change::folder(&opened, &found.shelf.folder, &memories);
        Ok(proposal::rename(&folder, &found.entry.path, new)?)
    })?;
    done.report(&opened, global.json, output)?;
    Ok(())
}
