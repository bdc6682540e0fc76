//! A change set on its way to the disk, and what is said of it: refused where the folder is only
//! claimed, shown instead of done by `--dry-run`, tried again when somebody else has written in between.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::display;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, say};
use crate::cli::memory_argument::Found;
use crate::cli::opened::Opened;
use crate::cli::output::{Colour, Output, Style};
use crate::cli::words;
use crate::memory::file::{Memory, State};
use crate::memory::proposal::Folder;
use crate::store::apply::Applied;
use crate::store::change::{Change, ChangeSet, Op};
use crate::store::plan::Plan;
use crate::store::{self, StoreError, diff};

/// How often a change is tried: once, and three times more after a conflict.
const TRIES: usize = 4;

/// A change set that was applied, or would have been.
pub struct Done {
    /// Its name in the history; none when nothing was written.
    key: Option<String>,
    set: ChangeSet,
    /// A diff for each write of the set, in its order.
    diffs: Vec<String>,
    notices: Vec<String>,
    dry_run: bool,
}

/// Applies a change set, or looks at what it would do. `again` gives the set for the next try after
/// a conflict, or ends the trying.
pub fn carry_out(
    opened: &Opened,
    global: &Global,
    first: ChangeSet,
    apply: impl Fn(&ChangeSet) -> store::Result<Applied>,
    mut again: impl FnMut(StoreError) -> Result<ChangeSet, Failure>,
) -> Result<Done, Failure> {
    let mut set = first;
    let mut tries = 1;
    loop {
        refuse_claimed(opened, &set)?;
        if let Some(said) = opened.store.leak_refused(&set) {
            return Err(Failure::usage("secret", said));
        }
        let leak = opened.store.leak_asked(&set);
        if let Some(said) = leak.as_ref().filter(|_| !global.yes && !global.dry_run) {
            return Err(leaky(said));
        }
        let checked = opened.writer.check(&set);
        let tried = checked.and_then(|plan| {
            if global.dry_run || set.changes.is_empty() {
                return Ok((plan, None));
            }
            apply(&set).map(|applied| (plan, Some(applied)))
        });
        match tried {
            Ok((plan, applied)) => {
                if let Some(applied) = &applied {
                    let (store, writer) = (&opened.store, &opened.writer);
                    store.remember_touched(writer, &applied.touched);
                }
                let mut done = Done::new(set, plan, applied, global.dry_run);
                done.notices.extend(leak);
                return Ok(done);
            }
            Err(error) if error.is_conflict() && tries < TRIES => {
                tries += 1;
                set = again(error)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Applies a change set that can be made again from what is there then.
pub fn carry_out_anew(
    opened: &Opened,
    global: &Global,
    make: impl Fn() -> Result<ChangeSet, Failure>,
) -> Result<Done, Failure> {
    let apply = |set: &ChangeSet| opened.writer.apply(set, opened.store.now());
    carry_out(opened, global, make()?, apply, |_| make())
}

/// The memories of a folder, as a proposal wants them.
pub fn folder<'a>(opened: &'a Opened, path: &'a Path, memories: &'a [Memory]) -> Folder<'a> {
    Folder {
        disk: &opened.disk,
        path,
        memories,
    }
}

/// Refuses what a write would have to follow somewhere else: a link that leaves the folder or leads
/// nowhere, a device.
pub fn refuse_unsafe(found: &Found) -> Result<(), Failure> {
    if found.entry.state != State::Unsafe {
        return Ok(());
    }
    let path = found.shelf.folder.join(&*found.entry.path);
    let message = format!(
        "{} leaves its folder, leads nowhere or can't be read: it is not written; `loci rm` takes it to the trash",
        path.display()
    );
    Err(Failure::usage("refused", message).at(&path))
}

/// Text that an argument gives; `-` is stdin.
pub fn body(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_string());
    }
    let mut text = String::new();
    match io::stdin().lock().read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            let message = "the text on stdin is no UTF-8: convert it first";
            Err(Failure::usage("refused", message))
        }
        Err(error) => {
            let message = format!("stdin can't be read: {error}");
            Err(Failure::disk("unreadable", message))
        }
    }
}

/// A secret is written only when a person says so.
fn leaky(said: &str) -> Failure {
    let message = format!("{said}. Nothing was written; --yes writes it all the same");
    Failure::usage("secret", message)
}

fn refuse_claimed(opened: &Opened, set: &ChangeSet) -> Result<(), Failure> {
    match opened.store.claimed(set) {
        None => Ok(()),
        Some(said) => {
            let folder = opened.store.claim().map(|(folder, _)| folder);
            let failure = Failure::usage("claimed", said);
            Err(failure.at(folder.unwrap_or(opened.store.home())))
        }
    }
}

impl Done {
    fn new(set: ChangeSet, plan: Plan, applied: Option<Applied>, dry_run: bool) -> Self {
        let diffs = plan
            .writes
            .iter()
            .map(|(path, before, after)| diff::of_write(path, before.as_deref(), after))
            .collect();
        let (key, notices) = match applied {
            Some(applied) => (Some(applied.key), applied.notices),
            None => (None, plan.notices),
        };
        Self {
            key,
            set,
            diffs,
            notices,
            dry_run,
        }
    }

    /// Adds a sentence that a person should read.
    pub fn note(&mut self, sentence: String) {
        self.notices.push(sentence);
    }

    /// Its name in the history; none when nothing was written.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What a person reads of it in the history.
    pub fn title(&self) -> &str {
        &self.set.title
    }

    /// Whether an operation of the set makes a file that was not there.
    pub fn makes_a_file(&self) -> bool {
        let makes = |change: &Change| matches!(&change.op, Op::Write { before: None, .. });
        self.set.changes.iter().any(makes)
    }

    /// Whether an operation of the set makes a file young.
    pub fn is_young(&self) -> bool {
        self.set.changes.iter().any(|change| {
            matches!(
                &change.op,
                Op::Write {
                    age: crate::store::change::Age::Set,
                    ..
                }
            )
        })
    }

    /// Says what was done: the change to stdout, words to stderr; with `--json` all in one object.
    pub fn report(&self, opened: &Opened, json: bool, output: &mut Output) -> io::Result<()> {
        if json {
            return output.json(&self.shape());
        }
        for notice in &self.notices {
            say(&display::line(&words::homely(notice, &opened.home)));
        }
        if self.set.changes.is_empty() {
            return output.line("nothing to change");
        }
        self.show(opened, output)?;
        if self.dry_run {
            say("a dry run: nothing was written");
        }
        Ok(())
    }

    /// Shows what was done, or what would be.
    pub fn show(&self, opened: &Opened, output: &mut Output) -> io::Result<()> {
        let colour = output.look.colour;
        if self.dry_run {
            for line in self.unified().lines() {
                output.line(&painted(line, colour))?;
            }
            return Ok(());
        }
        output.line(&format!(
            "{}  {}",
            colour.paint(
                Style::Bold,
                &display::line(&words::homely(&self.set.title, &opened.home))
            ),
            colour.paint(Style::Dim, self.key.as_deref().unwrap_or_default()),
        ))?;
        for change in &self.set.changes {
            let (op, path, to) = words_of(&change.op);
            let shown = |path: &Path| words::short_path(path, &opened.home);
            let line = match to {
                Some(to) => format!("{} → {}", shown(path), shown(to)),
                None => shown(path),
            };
            output.line(&format!(
                "  {op:<5}  {}  {}",
                display::line(&line),
                colour.paint(Style::Dim, &display::line(&change.reason)),
            ))?;
        }
        Ok(())
    }

    fn unified(&self) -> String {
        let others = self.set.changes.iter().map(|change| match &change.op {
            Op::Write { .. } => String::new(),
            Op::Move { from, to } => format!("move {} to {}\n", from.display(), to.display()),
            Op::Trash { path } => format!("trash {}\n", path.display()),
        });
        self.diffs.concat() + &others.collect::<String>()
    }

    /// The same as JSON.
    pub fn shape(&self) -> WriteShape<'_> {
        let mut diffs = self.diffs.iter();
        let changes = self.set.changes.iter().map(|change| {
            let diff = match change.op {
                Op::Write { .. } => diffs.next().map(String::as_str),
                Op::Move { .. } | Op::Trash { .. } => None,
            };
            ChangeShape::new(change, diff)
        });
        WriteShape {
            key: self.key.as_deref(),
            title: &self.set.title,
            dry_run: self.dry_run,
            changes: changes.collect(),
            notices: &self.notices,
        }
    }
}

/// The word of an operation, its path, and where it leads.
fn words_of(op: &Op) -> (&'static str, &PathBuf, Option<&PathBuf>) {
    match op {
        Op::Write { path, .. } => ("write", path, None),
        Op::Move { from, to } => ("move", from, Some(to)),
        Op::Trash { path } => ("trash", path, None),
    }
}

/// A line of a diff, safe for a terminal, by its role.
pub fn painted(line: &str, colour: Colour) -> String {
    let style = match line.as_bytes() {
        [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] => Style::Bold,
        [b'+', ..] => Style::Ok,
        [b'-', ..] => Style::Error,
        [b'@', ..] => Style::Dim,
        _ => Style::Text,
    };
    colour.paint(style, &display::line(&display::untab(line)))
}

/// A change set in JSON.
#[derive(Serialize)]
pub struct WriteShape<'a> {
    key: Option<&'a str>,
    title: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
    changes: Vec<ChangeShape<'a>>,
    notices: &'a [String],
}

#[derive(Serialize)]
struct ChangeShape<'a> {
    op: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

impl<'a> ChangeShape<'a> {
    fn new(change: &'a Change, diff: Option<&'a str>) -> Self {
        let (op, path, to) = words_of(&change.op);
        Self {
            op,
            path: path.to_string_lossy().into_owned(),
            to: to.map(|to| to.to_string_lossy().into_owned()),
            reason: &change.reason,
            diff,
        }
    }
}
