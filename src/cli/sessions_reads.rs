//! `sessions reads`: the turns of all sessions that read or wrote a memory.

use std::ffi::OsStr;
use std::io::Write;

use serde::Serialize;

use crate::base::display;
use crate::cli::failure::{Stop, say};
use crate::cli::memory_argument;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::transcript::uses::{Roots, Touched, Uses};

pub fn run(opened: &Opened, memory: &OsStr, json: bool, output: &mut Output) -> Result<(), Stop> {
    let found = memory_argument::find(opened, memory)?;
    let digests = opened.digests_or_refuse(None)?;
    let uses = Uses::of(&digests);
    let roots = Roots::of(&opened.disk, &found.shelf.folder);
    let touches = uses.touches(&roots, &found.entry.path);
    if json {
        let touches: Vec<TouchShape<'_>> = touches.iter().map(TouchShape::new).collect();
        output.json(&Reads {
            memory: &found.entry.path,
            complete_since: uses.since,
            touches,
        })?;
        return Ok(());
    }
    let colour = output.look.colour;
    for touched in &touches {
        let touch = touched.touch;
        let gone = match touched.transcript {
            Some(_) => "",
            None => "  (its transcript is gone)",
        };
        output.line(&format!(
            "{:<16.16}  {:<8}  {}  turn {}  {}{gone}",
            display::line(&touch.time.replacen('T', " ", 1)),
            touch.how.word(),
            display::line(touched.session),
            touch.turn,
            colour.paint(Style::Dim, &display::line(&touch.uuid)),
        ))?;
    }
    output.flush()?;
    if touches.is_empty() {
        say(&match uses.since {
            Some(since) => format!(
                "no session has read or written it since {since} (UTC); what came before is not known"
            ),
            None => "no session that could be read has read or written it".to_string(),
        });
    }
    Ok(())
}

#[derive(Serialize)]
struct Reads<'a> {
    /// Its path in the memory folder.
    memory: &'a str,
    /// The first day (UTC) of which all is known; nothing where something could not be read.
    complete_since: Option<&'a str>,
    /// The newest first.
    touches: Vec<TouchShape<'a>>,
}

/// `how`: `read`, `write`, `edit`, `attached`, `recalled`. `turn`: the number of the prompt, from 1. `uuid` and
/// `at` (in bytes) find the line in `file`, which is nothing where the transcript is gone.
#[derive(Serialize)]
struct TouchShape<'a> {
    time: &'a str,
    how: &'static str,
    key: &'a str,
    session: &'a str,
    turn: u32,
    uuid: &'a str,
    at: u64,
    file: Option<String>,
}

impl<'a> TouchShape<'a> {
    fn new(touched: &Touched<'a>) -> Self {
        let touch = touched.touch;
        Self {
            time: &touch.time,
            how: touch.how.word(),
            key: touched.project,
            session: touched.session,
            turn: touch.turn,
            uuid: &touch.uuid,
            at: touch.at,
            file: touched
                .transcript
                .map(|path| path.to_string_lossy().into_owned()),
        }
    }
}
