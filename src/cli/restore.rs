//! `restore`: what a change put into the trash comes back, with the index line that went with it.

use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop};
use crate::cli::opened::Opened;
use crate::cli::output::Output;

pub fn run(key: &str, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let set = || opened.writer.restored(key).map_err(Failure::from);
    let done = change::carry_out(
        &opened,
        global,
        set()?,
        |_| opened.writer.restore(key, opened.store.now()),
        |_| set(),
    )?;
    done.report(&opened, global.json, output)?;
    Ok(())
}
