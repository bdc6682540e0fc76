//! `sessions chain`: what a resume would send. Messages are read and written one after the other: a
//! transcript of any size takes no more memory than its largest message.

use std::io;

use serde::Serialize;

use crate::base::display;
use crate::cli::failure::Stop;
use crate::cli::output::{Output, Style};
use crate::cli::sessions::Transcript;
use crate::transcript::backwards::line_numbers;
use crate::transcript::resume::{Chain, Sent};

/// Lines that a notice names by their numbers.
const NAMED: usize = 20;

pub fn run(file: &Transcript, json: bool, output: &mut Output) -> Result<(), Stop> {
    let chain = Chain::read(&file.file, file.bytes).map_err(|error| file.failed(&error))?;
    let notes = notes(file, &chain).map_err(|error| file.failed(&error))?;
    match json {
        true => chain_json(file, &chain, &notes, output),
        false => chain_lines(file, &chain, &notes, output),
    }
}

/// What a person has to know of how the chain was found, each a sentence.
fn notes(file: &Transcript, chain: &Chain) -> io::Result<Vec<String>> {
    let graph = &chain.graph;
    let mut notes = Vec::new();
    if chain.messages.is_empty() {
        notes.push("no conversation is in it".to_string());
    }
    if chain.is_broken {
        let note =
            "a parent is missing, or the links run in a circle: the order of the file stands in";
        notes.push(note.to_string());
    }
    let boundary = graph.boundary.as_ref();
    if boundary.is_some_and(|boundary| boundary.is_earlier_elsewhere) {
        notes.push("the part before the boundary is not in this file".to_string());
    }
    let places: Vec<u64> = graph.unreadable.iter().map(|range| range.start).collect();
    if let Some(lines) = numbered(file, &places)? {
        notes.push(format!("unreadable: {lines}"));
    }
    let places: Vec<u64> = graph.glued.iter().map(|(range, _)| range.start).collect();
    if let Some(lines) = numbered(file, &places)? {
        notes.push(format!("more than one object: {lines}"));
    }
    let places: Vec<u64> = graph.thinned.iter().map(|range| range.start).collect();
    if let Some(lines) = numbered(file, &places)? {
        notes.push(format!("too much to be looked at whole: {lines}"));
    }
    if let Some(range) = &graph.incomplete {
        notes.push(format!(
            "the last line is incomplete ({} bytes): it may still be being written",
            range.end - range.start
        ));
    }
    if graph.repeated > 0 {
        notes.push(format!(
            "lines whose uuid was there before: {}",
            graph.repeated
        ));
    }
    Ok(notes)
}

/// `line 5`, `lines 5, 9`, the first of them by number.
fn numbered(file: &Transcript, places: &[u64]) -> io::Result<Option<String>> {
    let named = &places[..places.len().min(NAMED)];
    let numbers = line_numbers(&file.file, named)?;
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let more = places.len() - named.len();
    Ok(match numbers.len() {
        0 => None,
        1 => Some(format!("line {}", numbers[0])),
        _ if more == 0 => Some(format!("lines {}", numbers.join(", "))),
        _ => Some(format!("lines {} and {more} more", numbers.join(", "))),
    })
}

#[derive(Serialize)]
struct MessageShape<'a> {
    role: &'static str,
    uuid: Option<&'a str>,
    text: &'a str,
    /// From before the boundary.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    kept: bool,
}

#[derive(Serialize)]
struct DroppedShape<'a> {
    uuid: Option<&'a str>,
    why: &'static str,
}

fn is_kept(sent: &Sent) -> bool {
    match sent {
        Sent::Line { is_kept, .. } => *is_kept,
        Sent::Made { .. } => false,
    }
}

fn boundary(chain: &Chain) -> Option<&str> {
    let uuid = chain.graph.boundary.as_ref()?.uuid?;
    Some(chain.graph.names.text(uuid))
}

fn chain_json(
    file: &Transcript,
    chain: &Chain,
    notes: &[String],
    output: &mut Output,
) -> Result<(), Stop> {
    let part =
        |output: &mut Output, before: &str, shape: &dyn Fn() -> serde_json::Result<Vec<u8>>| {
            output.json_part(before.as_bytes())?;
            output.json_part(&shape()?)
        };
    let mut before = "{\"messages\":[";
    for sent in &chain.messages {
        let text = chain
            .text(&file.file, sent)
            .map_err(|error| file.failed(&error))?;
        let shape = MessageShape {
            role: chain.role(sent).word(),
            uuid: chain.uuid(sent).map(|uuid| &**uuid),
            text: &text,
            kept: is_kept(sent),
        };
        part(output, before, &|| serde_json::to_vec(&shape))?;
        before = ",";
    }
    if chain.messages.is_empty() {
        output.json_part(before.as_bytes())?;
    }
    let dropped = chain.dropped.iter().map(|(uuid, why)| DroppedShape {
        uuid: uuid.as_deref(),
        why: why.words(),
    });
    let dropped: Vec<_> = dropped.collect();
    part(output, "],\"dropped\":", &|| serde_json::to_vec(&dropped))?;
    part(output, ",\"boundary\":", &|| {
        serde_json::to_vec(&boundary(chain))
    })?;
    part(output, ",\"notes\":", &|| serde_json::to_vec(notes))?;
    output.json_part(b"}\n")?;
    Ok(())
}

fn chain_lines(
    file: &Transcript,
    chain: &Chain,
    notes: &[String],
    output: &mut Output,
) -> Result<(), Stop> {
    let colour = output.look.colour;
    if let Some(uuid) = boundary(chain) {
        let line = format!("from the boundary {}", display::line(uuid));
        output.line(&colour.paint(Style::Dim, &line))?;
        output.line("")?;
    }
    for sent in &chain.messages {
        let text = chain
            .text(&file.file, sent)
            .map_err(|error| file.failed(&error))?;
        let role = colour.paint(Style::Bold, chain.role(sent).word());
        let about = match chain.uuid(sent) {
            Some(uuid) if is_kept(sent) => format!("{uuid} · kept from before the boundary"),
            Some(uuid) => uuid.to_string(),
            None => "added by the resume".to_string(),
        };
        let about = colour.paint(Style::Dim, &display::line(&about));
        output.line(&format!("{role}  {about}"))?;
        for line in display::block(&text).trim_end().lines() {
            output.line(&format!("  {line}"))?;
        }
        output.line("")?;
    }
    if !chain.dropped.is_empty() {
        output.line(&colour.paint(Style::Bold, "not sent"))?;
    }
    for (uuid, why) in &chain.dropped {
        let uuid = display::line(uuid.as_deref().unwrap_or("–")).into_owned();
        let why = colour.paint(Style::Dim, why.words());
        output.line(&format!("  {uuid}  {why}"))?;
    }
    for note in notes {
        output.line(&colour.paint(Style::Warning, &display::line(&format!("▲ {note}"))))?;
    }
    Ok(())
}
