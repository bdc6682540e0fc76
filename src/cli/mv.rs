//! `mv`: a memory under another name, whose file, index line and links follow; into another project
//! (`--to`); to the team's folder and out of it (`--team`, `--private`).

use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::cp::{self, Way};
use crate::cli::failure::{Failure, Stop};
use crate::cli::memory_args;
use crate::cli::memory_argument::{self, Found};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::project_argument;
use crate::memory::file::Drawer;
use crate::memory::proposal;

pub fn run(asked: &memory_args::Mv, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let found = memory_argument::find(&opened, &asked.memory)?;
    change::refuse_unsafe(&found)?;
    let name = asked.new.as_deref();
    if let Some(project) = &asked.to {
        let to = project_argument::goal(&opened, global, project)?;
        let way = Way {
            copy: false,
            name,
            first: asked.first,
        };
        return cp::carry(&opened, global, &found, &to, way, output);
    }
    if asked.team || asked.private {
        return share(&opened, global, &found, asked, output);
    }
    let new = name.unwrap_or_default();
    let done = change::carry_out_anew(&opened, global, || {
        let memories = opened.store.entries(&found.shelf).entries;
        let folder = change::folder(&opened, &found.shelf.folder, &memories);
        Ok(proposal::rename(&folder, &found.entry.path, new)?)
    })?;
    done.report(&opened, global.json, output)?;
    Ok(())
}

fn share(
    opened: &Opened,
    global: &Global,
    found: &Found,
    asked: &memory_args::Mv,
    output: &mut Output,
) -> Result<(), Stop> {
    let path = &*found.entry.path;
    let is_shared = found.entry.drawer == Drawer::Team;
    if is_shared == asked.team {
        let already = match is_shared {
            true => "is the team's already",
            false => "is none of the team's",
        };
        let failure = Failure::usage("refused", format!("{path} {already}"));
        return Err(failure.at(&found.shelf.folder.join(path)).into());
    }
    cp::relocate(opened, global, &found.shelf, output, || {
        let memories = opened.store.entries(&found.shelf).entries;
        let folder = change::folder(opened, &found.shelf.folder, &memories);
        Ok(proposal::share(&folder, path, asked.new.as_deref())?)
    })
}
