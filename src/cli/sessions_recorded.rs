//! `sessions instructions` and `sessions requests`: what the client wrote down of what it sent.

use std::io::Write;

use serde::Serialize;

use crate::base::display;
use crate::base::time::grouped;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::output::{Output, Style};
use crate::cli::sessions::Transcript;
use crate::transcript::recorded;
use crate::transcript::requests::{Request, Requests};

#[derive(Serialize)]
struct InstructionsShape<'a> {
    uuid: &'a str,
    time: &'a str,
    files: Vec<FileShape<'a>>,
}

#[derive(Serialize)]
struct FileShape<'a> {
    path: &'a str,
    layer: &'a str,
    text: &'a str,
}

pub fn instructions(file: &Transcript, json: bool, output: &mut Output) -> Result<(), Stop> {
    let found = recorded::instructions(&file.file, file.bytes);
    let found = found.map_err(|error| file.failed(&error))?;
    for sent in found.iter().filter(|sent| sent.is_partly_unread) {
        let uuid = display::line(&sent.uuid);
        say(&format!(
            "a part of what line {uuid} records can't be read, and is left out"
        ));
    }
    if json {
        let shapes = found.iter().map(|sent| InstructionsShape {
            uuid: &sent.uuid,
            time: &sent.time,
            files: sent
                .files
                .iter()
                .map(|file| FileShape {
                    path: &file.path,
                    layer: &file.layer,
                    text: &file.content,
                })
                .collect(),
        });
        let shapes: Vec<_> = shapes.collect();
        output.json(&serde_json::json!({ "instructions": shapes }))?;
        return Ok(());
    }
    if found.is_empty() {
        say(
            "no instructions are recorded in it: the client does so since 2.1.270, and not in every session",
        );
    }
    let colour = output.look.colour;
    for sent in &found {
        let title = format!("sent {}", display::line(&sent.time));
        output.line(&colour.paint(Style::Bold, &title))?;
        for file in &sent.files {
            let bytes = grouped(file.content.len());
            let about = format!("{} · {} · {bytes} bytes", file.path, file.layer);
            output.line("")?;
            output.line(&colour.paint(Style::Dim, &display::line(&about)))?;
            for line in display::block(&file.content).trim_end().lines() {
                output.line(&format!("  {line}"))?;
            }
        }
        output.line("")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct RequestShape<'a> {
    id: &'a str,
    time: &'a str,
    asked_by: &'a str,
    model: Option<&'a str>,
    messages: usize,
    /// Messages of it that are not in the transcript.
    missing: usize,
}

pub fn requests(file: &Transcript, json: bool, output: &mut Output) -> Result<(), Stop> {
    let requests = read(file)?;
    let shape = |request: &Request| {
        let missing = request.messages.iter().filter(|hash| !requests.has(hash));
        (request.messages.len(), missing.count())
    };
    if json {
        let shapes = requests.list.iter().map(|request| {
            let (messages, missing) = shape(request);
            RequestShape {
                id: &request.id,
                time: &request.time,
                asked_by: &request.asked_by,
                model: request.model(),
                messages,
                missing,
            }
        });
        let shapes: Vec<_> = shapes.collect();
        output.json(&serde_json::json!({ "requests": shapes }))?;
        return Ok(());
    }
    if requests.list.is_empty() {
        say("no requests are recorded in it: the client does so since 2.1.300");
    }
    let colour = output.look.colour;
    for request in &requests.list {
        let (messages, missing) = shape(request);
        let about = format!(
            "{}  {:<9} {:<24} {messages:>4} messages",
            request.time,
            request.asked_by,
            request.model().unwrap_or("–"),
        );
        let lacks = match missing {
            0 => String::new(),
            _ => colour.paint(
                Style::Warning,
                &format!("  {missing} not in the transcript"),
            ),
        };
        let id = colour.paint(Style::Bold, &display::line(&request.id));
        output.line(&format!("{id}  {}{lacks}", display::line(&about)))?;
    }
    Ok(())
}

pub fn request(file: &Transcript, id: &str, output: &mut Output) -> Result<(), Stop> {
    let requests = read(file)?;
    let hits: Vec<_> = requests
        .list
        .iter()
        .filter(|request| request.id.starts_with(id))
        .collect();
    let path = file.path.display();
    let request = match hits[..] {
        [request] => request,
        [] => {
            let message = format!(
                "no request {id} is recorded in {path}: `loci sessions requests` lists them"
            );
            return Err(Failure::usage("not-found", message).at(&file.path).into());
        }
        [..] => {
            let message = format!(
                "{} requests of {path} begin with {id}: give more of the id",
                hits.len()
            );
            return Err(Failure::usage("ambiguous", message).at(&file.path).into());
        }
    };
    let rebuilt = requests
        .rebuild(&file.file, request)
        .map_err(|error| file.failed(&error))?;
    for missing in &rebuilt.missing {
        say(&display::line(&format!("not in the transcript: {missing}")));
    }
    let text = serde_json::to_vec_pretty(&rebuilt.body).map_err(std::io::Error::from)?;
    output.json_part(&text)?;
    output.write_all(b"\n")?;
    Ok(())
}

fn read(file: &Transcript) -> Result<Requests, Failure> {
    Requests::read(&file.file, file.bytes).map_err(|error| file.failed(&error))
}
