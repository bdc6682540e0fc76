//! `prune`: project folders whose path is gone, to the trash: one change a folder; `forget`: one, and
//! all that the client holds of it elsewhere. All that goes is listed before, the memories by name; a
//! folder with memories needs its key said twice.

use std::io;
use std::path::PathBuf;

use crate::agents::claude::{ProjectProposal, ProjectWish, Told};
use crate::base::display;
use crate::cli::Ending;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::{Forget, Prune};
use crate::cli::project_wish::HeldShape;
use crate::cli::{project_wish, projects, words};
use crate::project::Project;

/// One project folder that goes.
struct Going {
    key: String,
    wish: ProjectWish,
    proposal: ProjectProposal,
}

pub fn run(asked: &Prune, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    for fault in &read.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let of: Vec<PathBuf> = asked.of.iter().map(|path| opened.cwd.join(path)).collect();
    let told = Told::default();
    // All are looked at before the first goes.
    let mut going: Vec<Going> = Vec::new();
    for key in &asked.keys {
        let project = project_wish::find(&read.projects, key, &opened)?;
        if going.iter().any(|other| other.key == project.key) {
            continue;
        }
        let key = project.key.clone();
        let (of, seen) = (of.clone(), None);
        let wish = ProjectWish::Prune { key, of, seen };
        let mut proposal = opened
            .store
            .wished_of(&wish, &told)
            .map_err(Failure::from)?;
        if proposal.listed.whole {
            proposal.notes.extend(project.may_be_at());
        }
        going.push(Going {
            key: project.key.clone(),
            wish,
            proposal,
        });
    }
    carry_through(
        &opened,
        &read.projects,
        &told,
        going,
        &asked.with_memories,
        global,
        output,
    )
}

/// `forget`: one project folder and all that the client holds of it elsewhere.
/// That some of it could not be done is in the ending.
pub fn forget(asked: &Forget, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    let project = project_wish::find(&read.projects, &asked.key, &opened)?;
    let key = project.key.clone();
    let (told, seen) = (Told::default(), None);
    let wish = ProjectWish::Forget {
        key: key.clone(),
        seen,
    };
    let mut proposal = opened
        .store
        .wished_of(&wish, &told)
        .map_err(Failure::from)?;
    let undone = proposal.undone.clone();
    project_wish::say_undone(&undone);
    // All of it goes only on `--yes` anyway.
    let asks = std::mem::take(&mut proposal.asks);
    proposal.notes.splice(0..0, asks);
    let going = vec![Going {
        key,
        wish,
        proposal,
    }];
    carry_through(
        &opened,
        &read.projects,
        &told,
        going,
        &asked.with_memories,
        global,
        output,
    )?;
    Ok(project_wish::ending(&undone))
}

/// Lists all that goes, and lets it go where that is said.
fn carry_through(
    opened: &Opened,
    projects: &[Project],
    told: &Told,
    mut going: Vec<Going>,
    with_memories: &[String],
    global: &Global,
    output: &mut Output,
) -> Result<(), Stop> {
    if !global.json {
        for one in &going {
            list(opened, one, output)?;
        }
        output.finish()?;
    }
    if !global.dry_run {
        confirmed(with_memories, global, &going)?;
    }
    project_wish::remember(opened, projects, global);
    for one in &mut going {
        // It goes as it was listed: a memory may have come meanwhile.
        one.wish.was_shown(one.proposal.listed.said_of_memories());
        one.proposal.set = opened
            .store
            .wished_of(&one.wish, told)
            .map_err(Failure::from)?
            .set;
        let done = project_wish::carry_out(opened, global, &one.wish, &one.proposal)?;
        report(&done, one, opened, global, output)?;
        // A later one may fail: what was done is said by then.
        output.finish()?;
    }
    Ok(())
}

/// Refuses what a person has not said yes to: `--yes` for all, and the key once more for each folder
/// that takes memories along.
fn confirmed(with_memories: &[String], global: &Global, going: &[Going]) -> Result<(), Failure> {
    let goes_too = |one: &Going| !one.proposal.listed.said_of_memories().is_empty();
    let is_unsaid = |one: &Going| goes_too(one) && !with_memories.contains(&one.key);
    if global.yes && !going.iter().any(is_unsaid) {
        return Ok(());
    }
    let some = |one: &Going| {
        let sessions = one.proposal.listed.sessions.len();
        words::counted(sessions, "session", "sessions")
    };
    let what = match going {
        [one] if !one.proposal.listed.whole => format!("{} of {}", some(one), one.key),
        [one] => one.key.clone(),
        many => {
            let (whole, parts): (Vec<&Going>, Vec<&Going>) =
                many.iter().partition(|one| one.proposal.listed.whole);
            let whole = (!whole.is_empty())
                .then(|| words::counted(whole.len(), "project folder", "project folders"));
            let parts = parts
                .into_iter()
                .map(|one| format!("{} of {}", some(one), one.key));
            whole
                .into_iter()
                .chain(parts)
                .collect::<Vec<_>>()
                .join(" and ")
        }
    };
    // All that must be said, also what was said already: the line is copied as it is.
    let flags = going
        .iter()
        .filter(|one| goes_too(one))
        .map(|one| format!(" --with-memories {}", one.key));
    let flags: String = flags.collect();
    let memories = |one: &Going| one.proposal.listed.memories.len();
    let too = match going.iter().map(memories).sum() {
        0 if !going.iter().any(goes_too) => String::new(),
        0 => " (memories that can't be told may go too)".to_string(),
        many => format!(
            " ({} too)",
            words::counted(many, "memory goes", "memories go")
        ),
    };
    let message = format!("{what} would go to the trash: --yes{flags} does it{too}");
    Err(Failure::usage("confirm", message))
}

fn list(opened: &Opened, one: &Going, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let listed = &one.proposal.listed;
    let what = match listed.whole {
        true => "the whole folder",
        false => "some of its sessions",
    };
    let key = display::line(&one.key);
    output.line(&format!("{}  {what}", colour.paint(Style::Bold, &key)))?;
    let gone = listed
        .gone
        .iter()
        .map(|path| format!("{} is gone", words::short_path(path, &opened.home)));
    for line in gone.chain(one.proposal.notes.iter().cloned()) {
        output.line(&format!(
            "  {}",
            colour.paint(
                Style::Dim,
                &display::line(&words::homely(&line, &opened.home))
            )
        ))?;
    }
    for (word, names) in [
        ("memory", &listed.memories),
        ("session", &listed.sessions),
        ("other", &listed.others),
    ] {
        for name in names {
            output.line(&format!("  {word:<7}  {}", display::line(name)))?;
        }
    }
    for why in &one.proposal.listed.untold {
        let line = format!("more that can't be told: {why}");
        output.line(&format!("  {:<7}  {}", "memory", display::line(&line)))?;
    }
    for held in &one.proposal.elsewhere {
        let file = words::short_path(&held.file, &opened.home);
        let entries = words::counted(held.places, "entry", "entries");
        let line = format!("{file} ({entries})");
        output.line(&format!("  {:<7}  {}", "in", display::line(&line)))?;
    }
    Ok(())
}

fn report(
    done: &Done,
    one: &Going,
    opened: &Opened,
    global: &Global,
    output: &mut Output,
) -> Result<(), Stop> {
    if global.json {
        let listed = &one.proposal.listed;
        output.json(&PruneShape {
            key: &one.key,
            whole: listed.whole,
            memories: &listed.memories,
            untold: &listed.untold,
            sessions: &listed.sessions,
            others: &listed.others,
            elsewhere: one
                .proposal
                .elsewhere
                .iter()
                .map(|held| HeldShape::new(held, true))
                .collect(),
            notes: &one.proposal.notes,
            undone: &one.proposal.undone,
            change: done.shape(),
        })?;
        return Ok(());
    }
    done.report(opened, false, output)?;
    Ok(())
}

#[derive(serde::Serialize)]
struct PruneShape<'a> {
    key: &'a str,
    whole: bool,
    memories: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    untold: &'a [String],
    sessions: &'a [String],
    others: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<HeldShape>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    undone: &'a [String],
    change: change::WriteShape<'a>,
}
