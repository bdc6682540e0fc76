//! `cp`, and `mv` with `--to`: memories into another project, a change set each. A line that the model
//! would not see there needs `--yes`.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::agents::Shelf;
use crate::base::time::grouped;
use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop};
use crate::cli::memory_args;
use crate::cli::memory_argument::{self, Found};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::project_argument;
use crate::memory::proposal::{self, Moved, Transfer};
use crate::store::change::ChangeSet;

pub fn run(asked: &memory_args::Cp, global: &Global, output: &mut Output) -> Result<(), Stop> {
    if let (Some(_), [_, _, ..]) = (&asked.name, asked.memories.as_slice()) {
        let message = "--name is for one memory: copy them one after the other";
        return Err(Failure::usage("usage", message).into());
    }
    let opened = Opened::to_write(global)?;
    let to = project_argument::goal(&opened, global, &asked.to)?;
    // All are found before the first is copied.
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for memory in &asked.memories {
        let one = memory_argument::find(&opened, memory)?;
        if seen.insert(one.shelf.folder.join(&*one.entry.path)) {
            found.push(one);
        }
    }
    for one in &found {
        let way = Way {
            copy: true,
            name: asked.name.as_deref(),
            first: asked.first,
        };
        carry(&opened, global, one, &to, way, output)?;
        // A later one may fail: what was done is said by then.
        output.finish()?;
    }
    Ok(())
}

/// How a memory goes into another project.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    pub copy: bool,
    pub name: Option<&'a str>,
    pub first: bool,
}

/// Takes one memory into another project.
pub fn carry(
    opened: &Opened,
    global: &Global,
    found: &Found,
    to: &Shelf,
    way: Way<'_>,
    output: &mut Output,
) -> Result<(), Stop> {
    change::refuse_unsafe(found)?;
    let project = to.title();
    let path = &*found.entry.path;
    relocate(opened, global, to, output, || {
        let here = opened.store.entries(&found.shelf).entries;
        let there = opened.store.entries(to).entries;
        let from = change::folder(opened, &found.shelf.folder, &here);
        let onto = change::folder(opened, &to.folder, &there);
        let asked = Transfer {
            path,
            project: &project,
            copy: way.copy,
            name: way.name,
            first: way.first,
        };
        Ok(proposal::transfer(&from, &onto, &asked)?)
    })
}

/// Applies a change of place and says what should be known of it.
pub fn relocate(
    opened: &Opened,
    global: &Global,
    to: &Shelf,
    output: &mut Output,
    make: impl Fn() -> Result<Moved, Failure>,
) -> Result<(), Stop> {
    let notes = RefCell::new(Vec::new());
    let mut done = change::carry_out_anew(opened, global, || -> Result<ChangeSet, Failure> {
        let moved = make()?;
        let hidden = moved.below_the_cut.map(|line| {
            let line = grouped(line);
            format!("line {line} of the index is below the cut: the model does not see it")
        });
        if let (Some(said), false) = (&hidden, global.yes || global.dry_run) {
            let message = format!(
                "{said}. Nothing was written; --yes writes it there anyway, and with --to, --first puts it at the head of its list"
            );
            return Err(Failure::usage("below-the-cut", message).at(&to.folder));
        }
        let warnings = moved.warnings.into_iter();
        notes.replace(warnings.chain(hidden).collect());
        Ok(moved.set)
    })?;
    for note in notes.into_inner() {
        done.note(note);
    }
    done.report(opened, global.json, output)?;
    Ok(())
}
