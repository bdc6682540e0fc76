//! `new`: a memory and its index line. A line that the model would not see needs `--yes`.

use std::cell::Cell;

use crate::agents::Shelf;
use crate::base::time::grouped;
use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop};
use crate::cli::memory_args::{self, Kind};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::memory::file::MemoryType;
use crate::memory::proposal::{self, NewMemory};
use crate::store::change::ChangeSet;

pub fn run(new: &memory_args::New, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let body = change::body(&new.body)?;
    let shelf = opened.store.here();
    // The line of the index, if it lies below the cut.
    let hidden = Cell::new(None);
    let mut done = change::carry_out_anew(&opened, global, || {
        let (set, below) = make(&opened, &shelf, new, &body)?;
        hidden.set(below);
        match below {
            Some(line) if !global.yes && !global.dry_run => Err(below_the_cut(&shelf, line)),
            Some(_) | None => Ok(set),
        }
    })?;
    if let Some(line) = hidden.get() {
        done.note(format!(
            "line {} of the index is below the cut: the model does not see it",
            grouped(line)
        ));
    }
    done.report(&opened, global.json, output)?;
    Ok(())
}

fn make(
    opened: &Opened,
    shelf: &Shelf,
    new: &memory_args::New,
    body: &str,
) -> Result<(ChangeSet, Option<usize>), Failure> {
    let memories = opened.store.entries(shelf).entries;
    let folder = change::folder(opened, &shelf.folder, &memories);
    let wanted = NewMemory {
        name: &new.name,
        kind: kind(new.kind),
        description: &new.description,
        body,
        session: None,
        first: new.first,
    };
    let created = proposal::create(&folder, &wanted, opened.store.now())?;
    Ok((created.set, created.below_the_cut))
}

pub fn below_the_cut(shelf: &Shelf, line: usize) -> Failure {
    let message = format!(
        "the new entry would be line {} of the index, below the cut: the model would not see it. Nothing was written; --first puts it at the head of its list, --yes writes it there anyway, and `loci index` shows the cut",
        grouped(line)
    );
    Failure::usage("below-the-cut", message).at(&shelf.folder)
}

pub fn kind(kind: Kind) -> MemoryType {
    match kind {
        Kind::User => MemoryType::User,
        Kind::Feedback => MemoryType::Feedback,
        Kind::Project => MemoryType::Project,
        Kind::Reference => MemoryType::Reference,
    }
}
