//! `show`: one memory, its fields with the lines they stand on, what is wrong with it, its text.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;

use serde::Serialize;

use crate::base::front_matter::Field;
use crate::base::time::{Moment, grouped};
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop};
use crate::cli::ls::MemoryShape;
use crate::cli::memory_argument::{self, Found};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::context::{preview, tokens};
use crate::memory::file::Page;

pub fn run(opened: &Opened, memory: &OsStr, json: bool, output: &mut Output) -> Result<(), Stop> {
    let found = memory_argument::find(opened, memory)?;
    let path = found.shelf.folder.join(&*found.entry.path);
    let unread = |message: String| Failure::disk("unreadable", message).at(&path);
    if let Some(why) = &found.entry.unread {
        return Err(unread(format!("{} {why}", path.display())).into());
    }
    let page = opened
        .store
        .page(&found.shelf.folder, &found.entry.path)
        .map_err(unread)?;
    if json {
        output.json(&PageShape::new(&found, &page))?;
    } else {
        lines(opened, &found, &page, output)?;
    }
    Ok(())
}

/// Prints a memory as the model reads it with its tool, in the form of the version that is used here.
pub fn as_read(
    opened: &Opened,
    memory: &OsStr,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let found = memory_argument::find(opened, memory)?;
    let path = found.shelf.folder.join(&*found.entry.path);
    let read = preview::as_read(&opened.store, &found.shelf.folder, &found.entry.path);
    let read = read.map_err(|message| Failure::disk("unreadable", message).at(&path))?;
    if json {
        output.json(&AsReadShape {
            path: path.to_string_lossy(),
            version: read.version,
            text: &read.text,
            tokens: tokens::estimate(&read.text),
        })?;
        return Ok(());
    }
    output.line(&match output.look.cells {
        Some(_) => display::block(&read.text),
        None => read.text,
    })?;
    Ok(())
}

#[derive(Serialize)]
struct AsReadShape<'a> {
    path: Cow<'a, str>,
    version: &'a str,
    text: &'a str,
    tokens: usize,
}

fn body(page: &Page) -> &str {
    page.text.get(page.front.body..).unwrap_or_default()
}

fn lines(opened: &Opened, found: &Found, page: &Page, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let entry = &found.entry;
    let title = display::line(crate::agents::entry_title(entry));
    output.line(&format!(
        "{}  {}",
        colour.paint(Style::Bold, &title),
        words::state_mark(entry.state, colour),
    ))?;
    if let Some(line) = found.below_cut {
        let said =
            format!("✂ below the cut of the index (line {line}): the model is not told of it");
        output.line(&colour.paint(Style::Warning, &said))?;
    }
    let about = format!(
        "{} · {} ({}) · {} bytes",
        words::short_path(&page.path, &opened.home),
        Moment::from_seconds(page.modified.seconds).rfc3339(),
        page.modified.age(opened.store.now()),
        grouped(usize::try_from(page.bytes).unwrap_or(usize::MAX)),
    );
    output.line(&colour.paint(Style::Dim, &display::line(&about)))?;
    if page.lossy {
        let fault = "✗ some bytes are no UTF-8: each is shown as U+FFFD";
        output.line(&colour.paint(Style::Error, fault))?;
    }
    for fault in &page.front.faults {
        let sentence = format!("▲ {}", fault.sentence());
        output.line(&colour.paint(Style::Warning, &display::line(&sentence)))?;
    }
    if !page.front.fields.is_empty() {
        output.line("")?;
    }
    let keys: Vec<String> = page.front.fields.iter().map(full_key).collect();
    let widest = keys.iter().map(|key| text::width(key)).max().unwrap_or(0);
    for (key, field) in keys.iter().zip(&page.front.fields) {
        output.line(&format!(
            "{}  {}",
            colour.paint(Style::Dim, &text::fit(key, widest)),
            display::line(&field.value),
        ))?;
    }
    output.line("")?;
    output.line(display::block(body(page)).trim_matches('\n'))
}

/// `metadata.type`: a key with the one that it stands under, safe for a terminal.
fn full_key(field: &Field<'_>) -> String {
    let key = match &field.under {
        Some(under) => format!("{under}.{}", field.key),
        None => field.key.to_string(),
    };
    display::line(&key).into_owned()
}

#[derive(Serialize)]
struct PageShape<'a> {
    #[serde(flatten)]
    memory: MemoryShape<'a>,
    fields: Vec<FieldShape<'a>>,
    faults: Vec<String>,
    body: &'a str,
}

#[derive(Serialize)]
struct FieldShape<'a> {
    under: Option<&'a str>,
    key: &'a str,
    value: &'a str,
    line: usize,
}

impl<'a> PageShape<'a> {
    fn new(found: &'a Found, page: &'a Page) -> Self {
        Self {
            memory: MemoryShape::new(&found.entry, found.below_cut),
            fields: page
                .front
                .fields
                .iter()
                .map(|field| FieldShape {
                    under: field.under.as_deref(),
                    key: &field.key,
                    value: &field.value,
                    line: field.line,
                })
                .collect(),
            faults: page
                .front
                .faults
                .iter()
                .map(crate::base::front_matter::Fault::sentence)
                .collect(),
            body: body(page),
        }
    }
}
