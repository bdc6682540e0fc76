//! `ls`: the memories of this project, or of all. All projects are read in parallel and written one
//! by one, so that no list of everything is ever held.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::agents::order::{self, Sort};
use crate::agents::{Contents, Entry, Shelf, ShelfKind};
use crate::base::time::Moment;
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::memory_args::{self, By};
use crate::cli::opened::Opened;
use crate::cli::output::{Colour, Look, Output, Style};
use crate::cli::words;
use crate::memory::file::State;
use crate::memory::search::Query;
use crate::transcript::uses::{Roots, Use, Uses};

/// Cells that a path takes at most, and may always take, in a list on a terminal.
const PATH_CELLS: (usize, usize) = (44, 16);

pub fn run(
    opened: &Opened,
    asked: &memory_args::Ls,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let all = asked.all;
    let list = List::new(asked);
    if let Some(fault) = opened.store.unlisted().filter(|_| all) {
        return Err(Failure::disk("unreadable", fault)
            .at(opened.store.home())
            .into());
    }
    match (all, json) {
        (false, false) => here(opened, &list, output),
        (false, true) => here_json(opened, &list, output),
        (true, false) => all_shelves(opened, &list, output),
        (true, true) => all_json(opened, &list, output),
    }
}

/// What is asked for of a shelf's memories.
struct List {
    query: Query,
    sort: Sort,
}

impl List {
    fn new(asked: &memory_args::Ls) -> Self {
        let words: Vec<_> = asked.words.iter().map(|it| it.to_string_lossy()).collect();
        let sort = match asked.sort {
            By::Age => Sort::Age,
            By::Name => Sort::Name,
            By::Size => Sort::Size,
        };
        Self {
            query: Query::new(&words.join(" ")),
            sort,
        }
    }

    /// Leaves what is asked for, in its order.
    fn narrow(&self, entries: &mut Vec<Entry>) {
        if !self.query.is_empty() {
            entries.retain(|entry| order::holds(&self.query, entry));
        }
        entries.sort_by_cached_key(|entry| self.sort.key(entry));
    }

    /// Whether a shelf without any of them is told of.
    fn tells_of(&self, entries: &[Entry]) -> bool {
        self.query.is_empty() || !entries.is_empty()
    }
}

/// This project's shelf, read; `None` where there is none yet.
fn read_here(opened: &Opened) -> Result<Option<(Shelf, Contents)>, Stop> {
    let shelf = opened.store.here();
    let contents = opened.store.contents(&shelf);
    if contents.entries.is_empty() && contents.index.is_none() {
        return match contents.faults.into_iter().next() {
            Some(fault) => Err(Failure::disk("unreadable", fault).at(&shelf.folder).into()),
            None => Ok(None),
        };
    }
    say_faults(&contents.faults);
    Ok(Some((shelf, contents)))
}

fn here(opened: &Opened, list: &List, output: &mut Output) -> Result<(), Stop> {
    match read_here(opened)? {
        Some((shelf, mut contents)) => {
            list.narrow(&mut contents.entries);
            let lines = shelf_lines(opened, &shelf, &contents, output.look);
            output.write_all(lines.as_bytes())?;
        }
        None => {
            let folder = opened.store.here().folder;
            let folder = words::short_path(&folder, &opened.home);
            say(&format!(
                "no memories yet for this folder: they would lie in {} (loci ls --all lists every project's)",
                display::line(&folder)
            ));
        }
    }
    Ok(())
}

fn here_json(opened: &Opened, list: &List, output: &mut Output) -> Result<(), Stop> {
    let mut read = read_here(opened)?;
    if let Some((_, contents)) = &mut read {
        list.narrow(&mut contents.entries);
    }
    let digests = opened.digests(None);
    say_faults(&digests.faults);
    let uses = Uses::of(&digests);
    let projects: Vec<ShelfShape> = read
        .iter()
        .map(|(shelf, contents)| ShelfShape::new(opened, shelf, contents, &uses))
        .collect();
    output.json(&Projects { projects })?;
    Ok(())
}

fn all_shelves(opened: &Opened, list: &List, output: &mut Output) -> Result<(), Stop> {
    let look = output.look;
    let mut shelves = 0;
    opened.store.shelves_in_order(
        |shelf, mut read| {
            list.narrow(&mut read.entries);
            let told = list.tells_of(&read.entries);
            let lines = told.then(|| shelf_lines(opened, shelf, &read, look));
            (lines, read.faults)
        },
        |(lines, faults)| {
            say_faults(&faults);
            let Some(lines) = lines else {
                return Ok(());
            };
            if shelves > 0 {
                output.line("")?;
            }
            shelves += 1;
            output.write_all(lines.as_bytes())
        },
    )?;
    if shelves == 0 && !list.query.is_empty() {
        say("no memory holds all of these words in its name, path, description or type");
    } else if shelves == 0 {
        let home = words::short_path(opened.store.home(), &opened.home);
        say(&format!("no projects yet in {}", display::line(&home)));
    }
    Ok(())
}

/// What a memory takes in the list, roughly.
const MEMORY_BYTES: usize = 256;

/// Projects go out as they come; the few shelves of sub-agents wait for the second list.
fn all_json(opened: &Opened, list: &List, output: &mut Output) -> Result<(), Stop> {
    let digests = opened.digests(None);
    say_faults(&digests.faults);
    let uses = Uses::of(&digests);
    output.write_all(b"{\"projects\":[")?;
    let mut agents: Vec<u8> = Vec::new();
    let mut projects = 0;
    opened.store.shelves_in_order(
        |shelf, mut read| {
            list.narrow(&mut read.entries);
            let told = list.tells_of(&read.entries);
            let mut text = Vec::with_capacity(read.entries.len() * MEMORY_BYTES);
            let shape = ShelfShape::new(opened, shelf, &read, &uses);
            let written = serde_json::to_writer(&mut text, &shape);
            let text = written.map(|()| told.then_some(text));
            (shelf.kind, text, read.faults)
        },
        |(kind, text, faults)| -> io::Result<()> {
            say_faults(&faults);
            let Some(text) = text? else {
                return Ok(());
            };
            match kind {
                ShelfKind::Project => {
                    if projects > 0 {
                        output.write_all(b",")?;
                    }
                    projects += 1;
                    output.json_part(&text)
                }
                ShelfKind::Agent | ShelfKind::AgentProject | ShelfKind::AgentLocal => {
                    if !agents.is_empty() {
                        agents.push(b',');
                    }
                    agents.extend(text);
                    Ok(())
                }
            }
        },
    )?;
    output.write_all(b"]")?;
    if !agents.is_empty() {
        output.write_all(b",\"agents\":[")?;
        output.json_part(&agents)?;
        output.write_all(b"]")?;
    }
    output.write_all(b"}\n")?;
    Ok(())
}

fn say_faults(faults: &[String]) {
    for fault in faults {
        say(&format!("loci: {}", display::line(fault)));
    }
}

fn shelf_lines(opened: &Opened, shelf: &Shelf, contents: &Contents, look: Look) -> String {
    let Look { colour, cells } = look;
    let entries = &contents.entries;
    let title = shelf.title();
    let place = shelf
        .path
        .as_deref()
        .map_or_else(|| shelf.folder.as_path(), Path::new);
    let mut lines = format!(
        "{}  {}\n",
        colour.paint(Style::Bold, &display::line(&title)),
        colour.paint(
            Style::Dim,
            &format!(
                "{} · {}",
                display::line(&words::short_path(place, &opened.home)),
                words::counted(entries.len(), "memory", "memories"),
            )
        ),
    );
    let mut rows: Vec<Row> = entries
        .iter()
        .map(|entry| Row::new(entry, opened))
        .collect();
    let kind = widest(&rows, |row| &row.kind);
    let size = widest(&rows, |row| &row.size);
    // Glyph and word of the state take ten cells, an age four; two stand before each column.
    let before = 2 + 10 + 2 + kind + 2 + 4 + 2 + size + 2;
    if let Some(cells) = cells {
        let (most, least) = PATH_CELLS;
        let path = (cells.saturating_sub(before) / 2).clamp(least, most);
        for row in &mut rows {
            row.path = text::cut_middle(&row.path, path).into_owned();
        }
    }
    let path = widest(&rows, |row| &row.path);
    for (row, entry) in rows.iter().zip(entries) {
        let description = match cells {
            Some(cells) => text::cut_end(&row.description, cells.saturating_sub(before + path + 2)),
            None => row.description.as_str().into(),
        };
        let line = format!(
            "  {}  {}  {:>4}  {:>size$}  {}  {}",
            mark(entry, contents, colour),
            colour.paint(words::type_style(&entry.kind), &text::fit(&row.kind, kind)),
            row.age,
            row.size,
            text::fit(&row.path, path),
            colour.paint(Style::Dim, &description),
        );
        lines.push_str(line.trim_end_matches(' '));
        lines.push('\n');
    }
    lines
}

/// Glyph and word of a memory's state; of one that is well, that the index names it below its cut only.
fn mark(entry: &Entry, contents: &Contents, colour: Colour) -> String {
    match (entry.state, contents.below_cut(&entry.path)) {
        (State::Ok, Some(_)) => words::below_cut_mark(colour),
        (state, _) => words::state_mark(state, colour),
    }
}

fn widest(rows: &[Row], of: fn(&Row) -> &str) -> usize {
    rows.iter()
        .map(|row| text::width(of(row)))
        .max()
        .unwrap_or(0)
}

/// The cells of a memory's line, safe for a terminal.
struct Row {
    kind: String,
    age: String,
    size: String,
    path: String,
    description: String,
}

impl Row {
    fn new(entry: &Entry, opened: &Opened) -> Self {
        let kind = entry.kind.word().unwrap_or("–");
        let why = entry.unread.as_ref().map(ToString::to_string);
        let description = why.as_deref().or(entry.description.as_deref());
        let description = description.unwrap_or_default();
        Self {
            kind: text::cut_end(&display::line(kind), 12).into_owned(),
            age: words::age(entry.modified, opened.store.now()),
            size: words::size(entry.bytes),
            path: display::line(&entry.path).into_owned(),
            description: display::line(description).into_owned(),
        }
    }
}

#[derive(Serialize)]
struct Projects<'a> {
    projects: Vec<ShelfShape<'a>>,
}

/// A shelf in JSON.
#[derive(Serialize)]
struct ShelfShape<'a> {
    key: &'a str,
    /// U+FFFD stands for what is no UTF-8: JSON has no other way.
    path: Option<Cow<'a, str>>,
    memories: Vec<MemoryShape<'a>>,
}

impl<'a> ShelfShape<'a> {
    fn new(opened: &Opened, shelf: &'a Shelf, contents: &'a Contents, uses: &Uses<'_>) -> Self {
        let roots = Roots::of(&opened.disk, &shelf.folder);
        let shape = |entry: &'a Entry| {
            let below_cut = contents.below_cut(&entry.path);
            MemoryShape::with_use(entry, below_cut, &roots, uses)
        };
        Self {
            key: &shelf.key,
            path: shelf.path.as_deref().map(Path::to_string_lossy),
            memories: contents.entries.iter().map(shape).collect(),
        }
    }
}

/// A memory in JSON, as a list has it.
#[derive(Serialize)]
pub struct MemoryShape<'a> {
    path: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    r#type: Option<&'a str>,
    modified: Option<String>,
    bytes: u64,
    state: &'static str,
    /// Only lines below the cut of the index name it: the model is not told of it.
    #[serde(skip_serializing_if = "is_false")]
    below_cut: bool,
    #[serde(flatten)]
    used: Option<UseShape>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that is called")]
fn is_false(it: &bool) -> bool {
    !it
}

/// How often sessions read it, and when one did last; as far as transcripts tell.
#[derive(Serialize)]
struct UseShape {
    last_read: Option<String>,
    reads: usize,
}

impl<'a> MemoryShape<'a> {
    /// `below_cut`: the line that names it, where all that do stand below the cut.
    pub fn new(entry: &'a Entry, below_cut: Option<usize>) -> Self {
        Self {
            path: &entry.path,
            name: entry.name.as_deref(),
            description: entry.description.as_deref(),
            r#type: entry.kind.word(),
            modified: entry.modified.map(Moment::rfc3339),
            bytes: entry.bytes,
            state: entry.state.word(),
            below_cut: below_cut.is_some(),
            used: None,
        }
    }

    fn with_use(
        entry: &'a Entry,
        below_cut: Option<usize>,
        roots: &Roots,
        uses: &Uses<'_>,
    ) -> Self {
        let Use { last_read, reads } = uses.of_memory(roots, &entry.path);
        Self {
            used: Some(UseShape { last_read, reads }),
            ..Self::new(entry, below_cut)
        }
    }
}
