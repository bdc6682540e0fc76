//! `search`: the memories of this project, or of all, that hold the words; then those that are like
//! them. For people grouped by project in the order of the best hit.

use std::ffi::OsString;
use std::io;
use std::ops::Range;

use serde::Serialize;

use crate::agents::claude::Corpus;
use crate::agents::{Hits, ShelfHit};
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::memory::search::Query;

/// What is looked for, and where.
pub struct Asked {
    query: Query,
    said: String,
    all: bool,
    most: usize,
}

impl Asked {
    pub fn new(words: &[OsString], all: bool, limit: usize) -> Result<Self, Failure> {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let said = words.join(" ");
        let query = Query::new(&said);
        if query.is_empty() {
            return Err(Failure::usage("usage", "there is no word to look for"));
        }
        let most = if limit == 0 { usize::MAX } else { limit };
        Ok(Self {
            query,
            said,
            all,
            most,
        })
    }
}

/// Says what is found, and whether anything is.
pub fn run(opened: &Opened, asked: &Asked, json: bool, output: &mut Output) -> Result<bool, Stop> {
    let store = &opened.store;
    if let Some(fault) = store.unlisted().filter(|_| asked.all) {
        return Err(Failure::disk("unreadable", fault).at(store.home()).into());
    }
    let mut corpus = match asked.all {
        true => Corpus::all(store, 0),
        false => Corpus::here(store),
    };
    let found = corpus.search(store, &asked.query, asked.most, &|| false, |_| {});
    let found = found.unwrap_or_default();
    if let Some(fault) = found
        .faults
        .first()
        .filter(|_| found.total() == 0 && !asked.all)
    {
        let folder = store.here().folder;
        return Err(Failure::disk("unreadable", fault).at(&folder).into());
    }
    for fault in &found.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    match json {
        true => output.json(&Shape::new(&found))?,
        false => lines(&found, output)?,
    }
    if found.hits.is_empty() {
        let said = display::line(&asked.said).into_owned();
        let hint = if asked.all {
            ""
        } else {
            " in this project (--all looks in every one)"
        };
        say(&format!("no memory holds {said}{hint}"));
    } else if found.hits.len() < found.total() {
        let more = words::counted(found.total() - found.hits.len(), "hit", "hits");
        say(&format!("{more} more: -n 0 prints all"));
    }
    Ok(!found.hits.is_empty())
}

fn lines(found: &Hits, output: &mut Output) -> io::Result<()> {
    let exact = found.hits.partition_point(|found_hit| found_hit.hit.exact);
    let (exact, fuzzy) = found.hits.split_at(exact);
    groups(exact, output)?;
    if !fuzzy.is_empty() {
        if !exact.is_empty() {
            output.line("")?;
        }
        let colour = output.look.colour;
        output.line(&colour.paint(Style::Dim, "similar, without all of the words:"))?;
        groups(fuzzy, output)?;
    }
    Ok(())
}

/// Hits below their projects, each project where its best hit stands.
fn groups(hits: &[ShelfHit], output: &mut Output) -> io::Result<()> {
    let mut groups: Vec<Vec<&ShelfHit>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for hit in hits {
        let at = *places.entry(&hit.shelf.folder).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(hit),
            None => groups.push(vec![hit]),
        }
    }
    for (number, group) in groups.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        let colour = output.look.colour;
        let title = group[0].shelf.title();
        output.line(&colour.paint(Style::Bold, &display::line(&title)))?;
        for found_hit in group {
            let line = line(found_hit, output);
            output.line(&line)?;
        }
    }
    Ok(())
}

fn line(found_hit: &ShelfHit, output: &Output) -> String {
    let (colour, hit) = (output.look.colour, &found_hit.hit);
    let mut place = display::line(&hit.path).into_owned();
    if let Some(line) = hit.line {
        place = format!("{place}:{line}");
    }
    let room = output.look.cells.map(|cells| {
        let used = 2 + text::width(&place) + 2;
        cells.saturating_sub(used).max(20)
    });
    // A hit in the path says there what it found; the description says more.
    let shown = match hit.line {
        Some(_) => emphasised(&hit.text, &hit.marks, room, |part, marked| {
            colour.paint(if marked { Style::Match } else { Style::Text }, part)
        }),
        None => {
            let description = display::line(hit.description.as_deref().unwrap_or_default());
            let description = room.map_or(description.clone(), |room| {
                text::cut_end(&description, room).into_owned().into()
            });
            colour.paint(Style::Dim, &description)
        }
    };
    format!(
        "  {}  {shown}",
        colour.paint(words::type_style(&hit.kind), &place)
    )
}

/// A text, safe for a terminal, in at most so many cells, its marked parts painted as such.
fn emphasised(
    whole: &str,
    marks: &[Range<usize>],
    room: Option<usize>,
    paint: impl Fn(&str, bool) -> String,
) -> String {
    let mut out = String::new();
    let mut left = room.unwrap_or(usize::MAX);
    for (part, marked) in display::marked(whole, marks) {
        let wide = text::width(&part);
        if wide > left {
            out.push_str(&paint(&text::cut_end(&part, left), marked));
            break;
        }
        left -= wide;
        out.push_str(&paint(&part, marked));
    }
    out
}

#[derive(Serialize)]
struct Shape<'a> {
    hits: Vec<HitShape<'a>>,
    total: usize,
}

#[derive(Serialize)]
struct HitShape<'a> {
    project: &'a str,
    path: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    r#type: Option<&'a str>,
    field: &'static str,
    line: Option<usize>,
    text: &'a str,
    score: i64,
    exact: bool,
}

impl<'a> Shape<'a> {
    fn new(found: &'a Hits) -> Self {
        let hit = |found_hit: &'a ShelfHit| HitShape {
            project: &found_hit.shelf.key,
            path: &found_hit.hit.path,
            name: found_hit.hit.name.as_deref(),
            description: found_hit.hit.description.as_deref(),
            r#type: found_hit.hit.kind.word(),
            field: found_hit.hit.place.word(),
            line: found_hit.hit.line,
            text: &found_hit.hit.text,
            score: found_hit.hit.score,
            exact: found_hit.hit.exact,
        };
        Self {
            hits: found.hits.iter().map(hit).collect(),
            total: found.total(),
        }
    }
}
