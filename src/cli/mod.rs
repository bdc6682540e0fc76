//! The command line: arguments, one file a subcommand, output, exit codes. Results go to stdout,
//! words to stderr, and each stream is judged by itself. It knows the read model of `agents`, not
//! how a store lies on disk, and nothing of how the screen works.

mod args;
mod change;
mod chat;
mod chat_args;
mod chat_shape;
mod completions;
mod config;
mod cp;
pub mod day_args;
pub mod demo;
mod demo_folder;
mod doctor;
mod doctor_look;
mod edit;
mod export;
mod failure;
mod help_texts;
mod history;
mod import;
mod index;
mod key;
mod keys_last;
mod ledger;
mod log;
mod ls;
mod man;
mod memory_args;
mod memory_argument;
mod memory_switch;
mod model;
mod mv;
mod new;
mod opened;
mod output;
mod preview;
mod preview_args;
mod preview_shape;
mod project_args;
mod project_argument;
mod project_wish;
mod projects;
mod promote;
mod prune;
mod recall;
mod relink;
mod restore;
mod rm;
mod rule_args;
mod rules;
mod screen;
mod search;
mod sessions;
mod sessions_args;
mod sessions_chain;
mod sessions_export;
mod sessions_list;
mod sessions_proof;
mod sessions_reads;
mod sessions_recorded;
mod sessions_rescue;
mod show;
mod trash;
mod undo;
mod usage;
mod usage_table;
mod words;

use std::ffi::OsString;

use clap::error::ErrorKind;

pub use args::Arguments;
pub use failure::{Exit, Failure, Stop};

use crate::base::{display, signalled};
use args::Subcommand;
use opened::Opened;
use output::{Colour, Output, Stream};

/// How a run that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Done,
    /// What was looked for is there: findings of error or warning; a project that an archive leaves out.
    Found,
    /// A search found nothing.
    NothingFound,
    /// Something is wrong in our own configuration.
    ConfigFaults,
    /// A person stopped it with ctrl-c; what had come is kept.
    Interrupted,
    /// The screen was ended by this signal, and all is tidied up.
    Signal(i32),
}

/// Reads the arguments.
///
/// # Errors
/// Help and version, which are text for stdout; wrong usage.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, Stop> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let command = args::command_with_hidden();
    let read = keys_last::keys_last(&command, arguments.clone());
    command
        .try_get_matches_from(read)
        .and_then(|matches| args::read(&matches))
        .map_err(|error| stop_of(&error, &arguments))
}

/// Help, version or wrong usage, as text for its stream. The parser repeats what it was given, so a
/// terminal gets that made safe.
fn stop_of(error: &clap::Error, arguments: &[OsString]) -> Stop {
    let glance = args::glance(arguments);
    let help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let stream = if help { Stream::Out } else { Stream::Err };
    let mut given = arguments.iter().map(|argument| argument.to_string_lossy());
    let is_safe = !given.any(|argument| argument.chars().any(display::is_hidden));
    let text = if is_safe && Colour::of(stream, glance.color).is_on() {
        error.render().ansi().to_string()
    } else {
        display::block(&error.render().to_string())
    };
    if help {
        Stop::Text(text)
    } else {
        Stop::Usage {
            text,
            json: glance.json,
        }
    }
}

/// Does what the arguments ask for.
///
/// # Errors
/// A sentence with its exit code; a reader of stdout that has gone.
pub fn run(arguments: Arguments) -> Result<Ending, Stop> {
    let Arguments { global, command } = arguments;
    let mut output = Output::new(global.color);
    let mut ending = Ending::Done;
    match &command {
        Some(Subcommand::Config(asked)) => ending = config::run(asked, &global, &mut output)?,
        Some(Subcommand::Model { asked }) => {
            model::run(&Opened::open(&global)?, *asked, global.json, &mut output)?;
        }
        Some(Subcommand::Completions { shell }) => completions::run(*shell, &mut output)?,
        Some(Subcommand::Man) => man::run(&mut output)?,
        None => {
            screen::check(&global)?;
            return Ok(screen::run(Opened::quietly(&global)?, &global)?);
        }
        Some(Subcommand::Ls(asked)) => {
            ls::run(&Opened::open(&global)?, asked, global.json, &mut output)?;
        }
        Some(Subcommand::Show { memory, as_read }) => {
            let opened = Opened::open(&global)?;
            match as_read {
                true => show::as_read(&opened, memory, global.json, &mut output)?,
                false => show::run(&opened, memory, global.json, &mut output)?,
            }
        }
        Some(Subcommand::Preview(asked)) => {
            let opened = match asked.request {
                true => Opened::open(&global)?,
                false => Opened::to_preview(&global)?,
            };
            preview::run(&opened, asked, global.json, &mut output)?;
        }
        Some(Subcommand::Search { words, all, limit }) => {
            let asked = search::Asked::new(words, *all, *limit)?;
            let found = search::run(&Opened::open(&global)?, &asked, global.json, &mut output)?;
            if !found {
                ending = Ending::NothingFound;
            }
        }
        Some(Subcommand::Recall { question, words }) => {
            let opened = Opened::open(&global)?;
            if !recall::run(&opened, question, *words, global.json, &mut output)? {
                ending = Ending::NothingFound;
            }
        }
        Some(Subcommand::Index) => index::run(&Opened::open(&global)?, global.json, &mut output)?,
        Some(Subcommand::Rules) => rules::run(&Opened::open(&global)?, global.json, &mut output)?,
        Some(Subcommand::Promote(asked)) => promote::promote(asked, &global, &mut output)?,
        Some(Subcommand::Demote(asked)) => promote::demote(asked, &global, &mut output)?,
        Some(Subcommand::Key { path }) => {
            let place = Opened::open(&global)?;
            key::run(&place, path.as_deref(), global.json, &mut output)?;
        }
        Some(Subcommand::Memory { switch }) => memory_switch::run(*switch, &global, &mut output)?,
        Some(Subcommand::Doctor(doctor)) => {
            ending = doctor::run(doctor, &global, &mut output)?;
        }
        Some(Subcommand::New(new)) => new::run(new, &global, &mut output)?,
        Some(Subcommand::Edit(edit)) => edit::run(edit, &global, &mut output)?,
        Some(Subcommand::Mv(asked)) => mv::run(asked, &global, &mut output)?,
        Some(Subcommand::Cp(asked)) => cp::run(asked, &global, &mut output)?,
        Some(Subcommand::Rm { memories }) => rm::run(memories, &global, &mut output)?,
        Some(Subcommand::Projects(asked)) => {
            projects::run(&Opened::open(&global)?, asked, global.json, &mut output)?;
        }
        Some(Subcommand::Sessions(asked)) => sessions::run(asked, &global, &mut output)?,
        Some(Subcommand::Usage(range)) => {
            usage::run(&Opened::open(&global)?, range, global.json, &mut output)?;
        }
        Some(Subcommand::Ledger(asked)) => {
            ledger::run(&Opened::open(&global)?, asked, global.json, &mut output)?;
        }
        Some(Subcommand::Prune(asked)) => prune::run(asked, &global, &mut output)?,
        Some(Subcommand::Relink(asked)) => {
            ending = relink::relink(asked, &global, &mut output)?;
        }
        Some(Subcommand::Merge(asked)) => relink::merge(asked, &global, &mut output)?,
        Some(Subcommand::Split(asked)) => relink::split(asked, &global, &mut output)?,
        Some(Subcommand::FoldIn(asked)) => relink::fold_in(asked, &global, &mut output)?,
        Some(Subcommand::Forget(asked)) => ending = prune::forget(asked, &global, &mut output)?,
        Some(Subcommand::Export(asked)) => ending = export::run(asked, &global, &mut output)?,
        Some(Subcommand::Import(asked)) => import::run(asked, &global, &mut output)?,
        Some(Subcommand::Trash { empty: false }) => {
            trash::list(&Opened::open(&global)?, global.json, &mut output)?;
        }
        Some(Subcommand::Trash { empty: true }) => trash::empty(&global, &mut output)?,
        Some(Subcommand::Restore { key }) => restore::run(key, &global, &mut output)?,
        Some(Subcommand::History { key: None }) => {
            history::run(&Opened::open(&global)?, global.json, &mut output)?;
        }
        Some(Subcommand::History { key: Some(key) }) => {
            history::show(&Opened::open(&global)?, key, global.json, &mut output)?;
        }
        Some(Subcommand::Undo { key }) => undo::undo(key.as_deref(), &global, &mut output)?,
        Some(Subcommand::Chat(asked)) => ending = chat::run(asked, &global, &mut output)?,
        Some(Subcommand::Redo) => undo::redo(&global, &mut output)?,
    }
    output.finish()?;
    Ok(signalled::caught().map_or(ending, Ending::Signal))
}
