//! `config`: where our files lie, what is wrong in those that a person writes, what holds.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item};

use crate::app::kept;
use crate::base::display;
use crate::cli::Ending;
use crate::cli::args::{self, Global};
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::config::settings::{self, Settings};
use crate::config::{keys, theme};
use crate::project::identity;

pub fn run(asked: &args::Config, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    let opened = Opened::quietly(global)?;
    match asked {
        args::Config::Path => path(&opened, global.json, output)?,
        args::Config::Check => return check(&opened, global.json, output),
        args::Config::Print { default } => print(&opened, *default, global.json, output)?,
    }
    Ok(Ending::Done)
}

#[derive(Serialize)]
struct Place {
    what: &'static str,
    path: PathBuf,
    exists: bool,
}

/// Every place of ours that this store uses.
fn places(opened: &Opened) -> Vec<Place> {
    let config = &opened.places.config;
    let state = &opened.places.state;
    let ours = |what, path: PathBuf| {
        let exists = opened.disk.metadata(&path).is_ok();
        Place { what, path, exists }
    };
    // The writer's are places of this machine, whatever is read as if it were `/`.
    let written = |what, path: PathBuf| {
        let exists = path.symlink_metadata().is_ok();
        Place { what, path, exists }
    };
    vec![
        ours("settings", config.join(settings::FILE)),
        ours("keys", config.join(keys::FILE)),
        ours("themes", config.join(theme::FOLDER)),
        ours("log", state.join("log")),
        written("reports", opened.reports.clone()),
        written("lock", opened.writer.own_file("lock")),
        written("journal", opened.writer.own_file("journal")),
        written("blobs", opened.writer.own_file("blobs")),
        written("history", opened.writer.own_file("history.jsonl")),
        written("trash", opened.writer.trash_folder().to_path_buf()),
        written("drafts", opened.writer.own_file("drafts")),
        written("identity", opened.writer.own_file(identity::FILE)),
        written("screen", opened.writer.own_file(kept::FILE)),
    ]
}

fn path(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let places = places(opened);
    if json {
        return Ok(output.json(&json!({ "places": places }))?);
    }
    let colour = output.look.colour;
    for Place { what, path, exists } in places {
        let path = display::line(&path.to_string_lossy()).into_owned();
        let (path, note) = match exists {
            true => (path, ""),
            false => (colour.paint(Style::Dim, &path), "  (not there)"),
        };
        output.line(&format!(
            "{}  {path}{}",
            colour.paint(Style::Bold, &format!("{what:<8}")),
            colour.paint(Style::Dim, note)
        ))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct FaultShape<'a> {
    file: &'a Path,
    line: Option<usize>,
    message: &'a str,
}

fn check(opened: &Opened, json: bool, output: &mut Output) -> Result<Ending, Stop> {
    let faults = &opened.config.faults;
    if json {
        let shapes = faults.iter().map(|fault| FaultShape {
            file: &fault.file,
            line: fault.line,
            message: &fault.message,
        });
        output.json(&json!({ "faults": shapes.collect::<Vec<_>>() }))?;
    } else {
        for fault in faults {
            output.line(&display::line(&fault.to_string()))?;
        }
        let folder = opened.places.config.to_string_lossy();
        let found = match faults.len() {
            0 => "nothing is wrong".to_string(),
            many => words::counted(many, "fault", "faults"),
        };
        output.line(&format!("{found} in {}", display::line(&folder)))?;
    }
    Ok(match faults.is_empty() {
        true => Ending::Done,
        false => Ending::ConfigFaults,
    })
}

fn print(opened: &Opened, default: bool, json: bool, output: &mut Output) -> Result<(), Stop> {
    let defaults = Settings::default();
    let settings = match default {
        true => &defaults,
        false => &opened.config.settings,
    };
    let text = settings.to_toml();
    if json {
        let document: DocumentMut = text.parse().expect("what is printed is TOML");
        return Ok(output.json(&json_of(document.as_item()))?);
    }
    for line in text.lines() {
        output.line(&display::line(line))?;
    }
    output.finish()?;
    say(&settings::not_used_yet());
    for fault in &opened.config.faults {
        say(&display::line(&fault.to_string()));
    }
    Ok(())
}

/// What settings hold: tables, lists of texts, texts, numbers and switches.
fn json_of(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        let fields = table
            .iter()
            .map(|(key, item)| (key.to_string(), json_of(item)));
        return Value::Object(fields.collect::<Map<_, _>>());
    }
    if let Some(list) = item.as_array() {
        let texts = list.iter().filter_map(toml_edit::Value::as_str);
        return texts.map(Value::from).collect();
    }
    let number = item.as_integer().map(Value::from);
    let switch = || item.as_bool().map(Value::from);
    let text = || item.as_str().map(Value::from);
    number.or_else(switch).or_else(text).unwrap_or(Value::Null)
}
