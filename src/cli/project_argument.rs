//! What a PROJECT argument means: the key of a project that has memories, or a folder of any project.

use std::ffi::OsStr;
use std::path::Path;

use crate::agents::{Shelf, ShelfKind};
use crate::cli::args::Global;
use crate::cli::failure::Failure;
use crate::cli::opened::Opened;

/// Finds the shelf that `argument` means. It need not hold anything yet.
pub fn find(opened: &Opened, argument: &OsStr) -> Result<Shelf, Failure> {
    let asked = argument.to_string_lossy();
    not_empty(&asked, "--to")?;
    let shelves = opened.store.shelves();
    let of_key = shelves
        .into_iter()
        .find(|shelf| shelf.kind == ShelfKind::Project && *shelf.key == *asked);
    if let Some(shelf) = of_key {
        return Ok(opened.store.survey(shelf));
    }
    let path = opened.cwd.join(Path::new(argument));
    if !opened.disk.is_folder(&path) {
        let message = format!(
            "no project has the key \"{asked}\", and there is no folder of that path: `loci ls --all --json` lists the keys"
        );
        return Err(Failure::usage("not-found", message));
    }
    Ok(opened.store.shelf_of(&path))
}

/// The shelf that memories shall go to. A project that is not there yet is made by it; where hardly
/// anybody has one, only when that is said.
pub fn goal(opened: &Opened, global: &Global, argument: &OsStr) -> Result<Shelf, Failure> {
    let shelf = find(opened, argument)?;
    let said = global.yes || global.dry_run || opened.disk.is_folder(&shelf.folder);
    let Some(path) = shelf.path.as_deref().filter(|_| !said) else {
        return Ok(shelf);
    };
    let real = |path: &Path| opened.disk.resolve_existing(path);
    let what = match real(path) {
        path if path.parent().is_none() => "the root of all folders",
        path if path == real(&opened.home) => "the home folder",
        path if path.starts_with(real(opened.store.home())) => "a folder of the client's own",
        _ => return Ok(shelf),
    };
    let message = format!(
        "{} is {what}, and no project yet: nothing was written; --yes makes it one",
        path.display()
    );
    Err(Failure::usage("confirm", message).at(path))
}

/// Refuses an argument that names nothing: joined to the working directory it would mean that.
pub fn not_empty(argument: &str, what: &str) -> Result<(), Failure> {
    match argument {
        "" => {
            let message = format!(
                "{what} is empty: name a project by its key or by its folder (`.` is the working directory)"
            );
            Err(Failure::usage("usage", message))
        }
        _ => Ok(()),
    }
}
