//! `key`: the folder names that a path's transcripts and memory are kept under.

use std::path::Path;

use serde::Serialize;

use crate::base::display;
use crate::cli::failure::Stop;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};

pub fn run(
    opened: &Opened,
    path: Option<&Path>,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let place = opened.store.place(path.unwrap_or(&opened.cwd));
    let shape = KeyShape {
        path: &place.path.to_string_lossy(),
        key: &place.key,
        memory_root: &place.memory_root.to_string_lossy(),
        memory_key: &place.memory_key,
    };
    if json {
        output.json(&shape)?;
        return Ok(());
    }
    for (label, value) in [
        ("path", shape.path),
        ("key", shape.key),
        ("memory root", shape.memory_root),
        ("memory key", shape.memory_key),
    ] {
        let label = output
            .look
            .colour
            .paint(Style::Dim, &format!("{label:<11}"));
        output.line(&format!("{label}  {}", display::line(value)))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct KeyShape<'a> {
    path: &'a str,
    key: &'a str,
    memory_root: &'a str,
    memory_key: &'a str,
}
