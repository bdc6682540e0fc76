//! `memory`: whether the client keeps memory in this project, and which layer decides; on and off write
//! the person's own settings of the project, as a change that undo takes back.

use std::io;

use serde::Serialize;

use crate::agents::claude::SwitchError;
use crate::base::display;
use crate::cli::args::{Global, Switch};
use crate::cli::change::{self, WriteShape};
use crate::cli::failure::{Failure, Stop};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::config::client::{LOCAL_SETTINGS, Said};

pub fn run(switch: Switch, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let on = match switch {
        Switch::Status => {
            status(&Opened::to_switch(global, false)?, global, output)?;
            return Ok(());
        }
        Switch::On => true,
        Switch::Off => false,
    };
    let opened = Opened::to_switch(global, true)?;
    let make = || {
        let made = opened.store.switch_memory(opened.store.cwd(), on);
        made.map_err(|error| refused(&error))
    };
    let mut done = change::carry_out_anew(&opened, global, make)?;
    if done.makes_a_file() && in_git(&opened) {
        done.note(format!(
            "{LOCAL_SETTINGS} is new, and yours alone: keep it out of version control"
        ));
    }
    if global.json {
        let shown = Shown::new(&opened);
        output.json(&shown.shape(Some(done.shape())))?;
        return Ok(());
    }
    done.report(&opened, false, output)?;
    if !global.dry_run {
        Shown::new(&opened).print(&opened, output)?;
    }
    Ok(())
}

/// Why memory can't be switched.
pub fn refused(error: &SwitchError) -> Failure {
    let message = error.to_string();
    match error {
        SwitchError::Stronger { .. } => Failure::usage("refused", message),
        SwitchError::Path { folder, .. } => Failure::usage("refused", message).at(folder),
        SwitchError::TooLarge { path, .. }
        | SwitchError::NotText { path }
        | SwitchError::Json { path, .. } => Failure::usage("refused", message).at(path),
        SwitchError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(path),
    }
}

fn in_git(opened: &Opened) -> bool {
    let root = opened.store.place(opened.store.cwd()).memory_root;
    opened.disk.metadata(&root.join(".git")).is_ok()
}

fn status(opened: &Opened, global: &Global, output: &mut Output) -> io::Result<()> {
    let shown = Shown::new(opened);
    match global.json {
        true => output.json(&shown.shape(None)),
        false => shown.print(opened, output),
    }
}

/// What is so in the project, read anew.
struct Shown {
    path: String,
    said: Vec<Said>,
}

impl Shown {
    fn new(opened: &Opened) -> Self {
        let path = opened.store.cwd();
        Self {
            path: path.to_string_lossy().into_owned(),
            said: opened.store.said_of_memory(path),
        }
    }

    /// Nothing says otherwise: it is on.
    fn is_on(&self) -> bool {
        self.said.first().is_none_or(|said| said.on)
    }

    fn print(&self, opened: &Opened, output: &mut Output) -> io::Result<()> {
        let colour = output.look.colour;
        let word = match self.is_on() {
            true => colour.paint(Style::Ok, "● on"),
            false => colour.paint(Style::Warning, "○ off"),
        };
        let path = words::short_path(opened.store.cwd(), &opened.home);
        output.line(&format!("{word}  {}", display::line(&path)))?;
        if self.said.is_empty() {
            return output.line(&colour.paint(Style::Dim, "  nothing says otherwise"));
        }
        for (number, said) in self.said.iter().enumerate() {
            let what = if said.on { "on" } else { "off" };
            let role = if number == 0 { "decides" } else { "weaker" };
            let line = format!("  {role:<7}  {what:<3}  {}", said.by);
            output.line(&colour.paint(Style::Dim, &display::line(&line)))?;
        }
        Ok(())
    }

    fn shape<'a>(&'a self, change: Option<WriteShape<'a>>) -> MemoryShape<'a> {
        MemoryShape {
            path: &self.path,
            on: self.is_on(),
            by: self.said.first().map(|said| said.by.as_str()),
            said: self.said.iter().map(SaidShape::new).collect(),
            change,
        }
    }
}

#[derive(Serialize)]
struct MemoryShape<'a> {
    path: &'a str,
    on: bool,
    by: Option<&'a str>,
    said: Vec<SaidShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<WriteShape<'a>>,
}

#[derive(Serialize)]
struct SaidShape<'a> {
    on: bool,
    by: &'a str,
    file: Option<std::borrow::Cow<'a, str>>,
}

impl<'a> SaidShape<'a> {
    fn new(said: &'a Said) -> Self {
        Self {
            on: said.on,
            by: &said.by,
            file: said.file.as_deref().map(std::path::Path::to_string_lossy),
        }
    }
}
