//! `index`: the entries of the index, both of its limits, and the place where it is cut.

use std::io;

use serde::Serialize;

use crate::agents::room::{self, Room};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::memory::index::Index;
use crate::memory::pointer::Pointer;

/// Cells before an entry's title: its line, its state, two before each column.
const BEFORE: usize = 6 + 2 + 11 + 2;

/// Cells that a title and a target take at most, and may always take on a terminal.
const WIDEST: usize = 44;
const NARROWEST: usize = 12;

pub fn run(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let shelf = opened.store.here();
    let contents = opened.store.contents(&shelf);
    let index = contents.index.as_ref();
    let unread = match contents.entries.is_empty() {
        true => contents.faults.first(),
        false => contents.index_fault.as_ref(),
    };
    if let (None, Some(fault)) = (index, unread) {
        return Err(Failure::disk("unreadable", fault).at(&shelf.folder).into());
    }
    for fault in &contents.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    if json {
        let team = contents.team_index.as_ref();
        let room =
            |index: Option<&Index>, is_team| index.map(|it| Room::of(it, &contents, is_team));
        output.json(&IndexShape {
            team: team.map(|it| Box::new(IndexShape::new(team, room(Some(it), true)))),
            ..IndexShape::new(index, room(index, false))
        })?;
        return Ok(());
    }
    match index {
        Some(index) => {
            let room = Room::of(index, &contents, false);
            lines(opened, index, room, output)?;
        }
        None => say(&format!(
            "no index yet: it would be {}",
            display::line(&words::short_path(
                &shelf.folder.join("MEMORY.md"),
                &opened.home
            ))
        )),
    }
    if let Some(team) = &contents.team_index {
        output.line("")?;
        lines(opened, team, Room::of(team, &contents, true), output)?;
    }
    if let Some(said) = room::advice(contents.entries.len()) {
        say(&said);
    }
    Ok(())
}

fn lines(opened: &Opened, index: &Index, room: Room, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let loaded = &index.loaded;
    let path = words::short_path(&index.path, &opened.home);
    output.line(&colour.paint(Style::Bold, &display::line(&path)))?;
    output.line(&format!(
        "lines {} of {} · UTF-16 units {} of {} · bytes {}",
        grouped(loaded.lines),
        grouped(INDEX_LINES),
        grouped(loaded.units),
        grouped(INDEX_UNITS),
        grouped(loaded.bytes),
    ))?;
    output.line(&colour.paint(Style::Dim, &room.sentence()))?;
    if loaded.bytes > INDEX_UNITS && loaded.units <= INDEX_UNITS {
        let limit = grouped(INDEX_UNITS);
        let readings =
            format!("· over {limit} bytes, under {limit} UTF-16 units: readings disagree");
        output.line(&readings)?;
    }
    if let Some(off) = &index.off {
        let sentence = format!("▲ {off}");
        output.line(&colour.paint(Style::Warning, &display::line(&sentence)))?;
    }
    if let Some(to) = &index.leads_out {
        let sentence = format!("▲ a link to {to}, out of the memory folder");
        output.line(&colour.paint(Style::Warning, &display::line(&sentence)))?;
    }
    if !index.pointers.is_empty() {
        output.line("")?;
    }
    let most = output.look.cells.map_or(WIDEST, |cells| {
        WIDEST.min(cells.saturating_sub(BEFORE) / 3).max(NARROWEST)
    });
    let rows: Vec<Row> = index
        .pointers
        .iter()
        .map(|pointer| Row::new(pointer, most))
        .collect();
    let title = rows.iter().map(|row| text::width(&row.title)).max();
    let target = rows.iter().map(|row| text::width(&row.target)).max();
    let columns = (title.unwrap_or(0), target.unwrap_or(0));
    let cut = Cut::of(index);
    for (row, pointer) in rows.iter().zip(&index.pointers) {
        if let Some(cut) = cut.filter(|cut| cut.stands_before(pointer, &index.pointers)) {
            output.line(&colour.paint(Style::Error, &cut.sentence(&index.pointers)))?;
        }
        let below = cut.is_some_and(|cut| pointer.line >= cut.below);
        row.line(pointer, columns, below, output)?;
    }
    if let Some(cut) = cut.filter(|cut| cut.hidden(&index.pointers) == 0) {
        output.line(&colour.paint(Style::Error, &cut.sentence(&index.pointers)))?;
    }
    if let Some(warning) = loaded.warning.as_ref().filter(|_| index.off.is_none()) {
        output.line("")?;
        output.line(&colour.paint(Style::Warning, &display::block(warning)))?;
    }
    Ok(())
}

/// An entry's cells, safe for a terminal.
struct Row {
    title: String,
    target: String,
    hook: String,
}

impl Row {
    fn new(pointer: &Pointer, most: usize) -> Self {
        Self {
            title: text::cut_end(&display::line(&pointer.title), most).into_owned(),
            target: text::cut_middle(&display::line(&pointer.target), most).into_owned(),
            hook: display::line(&pointer.hook).into_owned(),
        }
    }

    fn line(
        &self,
        pointer: &Pointer,
        (title, target): (usize, usize),
        below: bool,
        output: &mut Output,
    ) -> io::Result<()> {
        let colour = output.look.colour;
        let before = BEFORE + title + 2 + target + 2;
        let hook = match output.look.cells {
            Some(cells) => text::cut_end(&self.hook, cells.saturating_sub(before)),
            None => self.hook.as_str().into(),
        };
        let style = if below { Style::Dim } else { Style::Text };
        output.line(&format!(
            "{:>6}  {}  {}  {}  {}",
            pointer.line,
            words::pointer_mark(pointer.state, colour),
            colour.paint(style, &text::fit(&self.title, title)),
            colour.paint(Style::Dim, &text::fit(&self.target, target)),
            colour.paint(style, &hook),
        ))
    }
}

/// Where the index is cut: from which line on the model sees nothing at all.
#[derive(Clone, Copy)]
struct Cut {
    below: usize,
    /// The line before it is loaded in part.
    in_part: bool,
}

impl Cut {
    fn of(index: &Index) -> Option<Self> {
        let at = index.loaded.cut_at_line.filter(|_| index.off.is_none())?;
        // Only a first line that alone bursts the limit is loaded in part.
        let in_part = !index.loaded.text.is_empty() && first_line(index) == Some(at);
        Some(Self {
            below: at + usize::from(in_part),
            in_part,
        })
    }

    fn hidden(self, pointers: &[Pointer]) -> usize {
        pointers.iter().filter(|at| at.line >= self.below).count()
    }

    /// Whether the cut is drawn before this entry: the first one that is not seen.
    fn stands_before(self, pointer: &Pointer, pointers: &[Pointer]) -> bool {
        let first = pointers.iter().find(|at| at.line >= self.below);
        first.is_some_and(|first| std::ptr::eq(first, pointer))
    }

    fn sentence(self, pointers: &[Pointer]) -> String {
        let entries = words::counted(self.hidden(pointers), "entry", "entries");
        if self.in_part {
            let line = self.below - 1;
            format!("✂ line {line} is loaded in part; the model sees nothing below · {entries}")
        } else {
            format!("✂ the model sees nothing below · {entries}")
        }
    }
}

/// The first line of the file that the limits count.
fn first_line(index: &Index) -> Option<usize> {
    let stripped = &index.loaded.stripped_lines;
    (1..)
        .zip(index.text.lines())
        .find(|(number, line)| !line.trim().is_empty() && stripped.binary_search(number).is_err())
        .map(|(number, _)| number)
}

#[derive(Serialize)]
struct IndexShape<'a> {
    entries: Vec<PointerShape<'a>>,
    lines: usize,
    bytes: usize,
    units: usize,
    loaded_lines: usize,
    loaded_units: usize,
    cut_at_line: Option<usize>,
    warning: Option<&'a str>,
    loaded_text: &'a str,
    off: Option<&'a str>,
    bodies_bytes: u64,
    more_entries: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Box<IndexShape<'a>>>,
}

#[derive(Serialize)]
struct PointerShape<'a> {
    line: usize,
    title: &'a str,
    target: &'a str,
    hook: &'a str,
    state: &'static str,
}

impl<'a> IndexShape<'a> {
    /// The shape is whole without an index too.
    fn new(index: Option<&'a Index>, room: Option<Room>) -> Self {
        let off = index.and_then(|index| index.off.as_deref());
        let counted = index.map(|index| &index.loaded);
        let loaded = counted.filter(|_| off.is_none());
        let text = loaded.map_or("", |loaded| loaded.text.as_str());
        let pointers = index.map_or(&[][..], |index| &index.pointers);
        Self {
            entries: pointers.iter().map(PointerShape::new).collect(),
            lines: counted.map_or(0, |loaded| loaded.lines),
            bytes: counted.map_or(0, |loaded| loaded.bytes),
            units: counted.map_or(0, |loaded| loaded.units),
            loaded_lines: line_count(text),
            loaded_units: text.encode_utf16().count(),
            cut_at_line: loaded.and_then(|loaded| loaded.cut_at_line),
            warning: loaded.and_then(|loaded| loaded.warning.as_deref()),
            loaded_text: text,
            off,
            bodies_bytes: room.map_or(0, |room| room.bodies),
            more_entries: room.and_then(|room| room.more),
            team: None,
        }
    }
}

impl<'a> PointerShape<'a> {
    fn new(pointer: &'a Pointer) -> Self {
        Self {
            line: pointer.line,
            title: &pointer.title,
            target: &pointer.target,
            hook: &pointer.hook,
            state: pointer.state.word(),
        }
    }
}

fn line_count(text: &str) -> usize {
    match text {
        "" => 0,
        text => text.split('\n').count(),
    }
}
