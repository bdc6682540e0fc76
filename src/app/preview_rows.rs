//! The rows of the Preview view: what is shown, what it costs, the parts (open ones with their text),
//! the cut of the index, what is missing, what a compaction leaves. Foreign text is safe for display.

use std::collections::BTreeSet;
use std::path::Path;

use crate::base::time::grouped;
use crate::base::{display, text};
use crate::context::memory_prompt::Recall;
use crate::context::observed::models::AutoCompact;
use crate::context::part::{Kind, Place};
use crate::context::preview::{Amount, Fate, Layout, Moment, Preview, Switches, groups};

/// How something that is said is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Dim,
    Strong,
    Warning,
    Error,
    /// Lost: struck out where the terminal can.
    Lost,
}

/// A row of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewRow {
    Said(String, Tone),
    /// Tokens against the window.
    Meter,
    /// Where the parts below stand, and their tokens.
    Place(String, Amount),
    /// A group of parts, by its position.
    Part(usize),
    /// A row of the text of an open one.
    Text {
        group: usize,
        line: String,
        /// It is the request's own, not the file's.
        around: bool,
    },
    /// The model sees nothing of the index below; so many entries.
    Cut(usize),
    Blank,
}

impl PreviewRow {
    /// The group that it is of.
    #[must_use]
    pub fn group(&self) -> Option<usize> {
        match self {
            Self::Part(group) | Self::Text { group, .. } => Some(*group),
            Self::Said(..) | Self::Meter | Self::Place(..) | Self::Cut(_) | Self::Blank => None,
        }
    }
}

/// A sentence, wrapped.
#[must_use]
pub fn said(sentence: &str, cells: usize) -> Vec<PreviewRow> {
    wrapped(sentence, Tone::Dim, cells)
}

fn wrapped(sentence: &str, tone: Tone, cells: usize) -> Vec<PreviewRow> {
    let safe = display::line(sentence).into_owned();
    let pieces = text::wrap(&safe, cells.max(1)).into_iter();
    pieces
        .map(|piece| PreviewRow::Said(safe[piece].to_string(), tone))
        .collect()
}

/// All rows. `keys`: the key of each switch and its name, in the order of [`states`].
#[must_use]
pub fn build(
    preview: &Preview,
    switches: &Switches,
    open: &BTreeSet<usize>,
    cells: usize,
    keys: &[(String, &'static str)],
) -> Vec<PreviewRow> {
    let mut rows = wrapped(&title(preview), Tone::Strong, cells);
    rows.push(PreviewRow::Meter);
    rows.extend(
        compacts(preview)
            .into_iter()
            .flat_map(|it| wrapped(&it, Tone::Dim, cells)),
    );
    rows.extend(wrapped(&money(preview), Tone::Plain, cells));
    rows.extend(
        difference(preview)
            .into_iter()
            .flat_map(|it| wrapped(&it, Tone::Warning, cells)),
    );
    let states = states(preview, switches);
    let switches: Vec<String> = keys
        .iter()
        .zip(states)
        .map(|((key, name), state)| format!("{key} {name}: {state}"))
        .collect();
    rows.extend(wrapped(&switches.join(" · "), Tone::Dim, cells));
    parts(preview, open, cells, &mut rows);
    let mut section = |heading: String, tone: Tone, lines: Vec<(String, Tone)>| {
        if !lines.is_empty() {
            rows.push(PreviewRow::Blank);
            rows.extend(wrapped(&heading, tone, cells));
            for (line, tone) in lines {
                rows.extend(wrapped(&format!("  {line}"), tone, cells));
            }
        }
    };
    let fates = preview.fates.iter().map(|one| {
        let path = file(preview, &one.path);
        let word = one.what.word();
        match one.fate {
            Fate::Restored => (format!("✓ {word} {path}: {}", one.why), Tone::Plain),
            Fate::Lost => (format!("✗ {word} {path}: lost {}", one.why), Tone::Lost),
            Fate::Waits => (format!("· {word} {path} waits, {}", one.why), Tone::Dim),
            Fate::InSummary => (
                format!("~ {word} {path}: held by the summary only, {}", one.why),
                Tone::Dim,
            ),
        }
    });
    section(
        "after a compaction".to_string(),
        Tone::Strong,
        fates.collect(),
    );
    let left_out = preview.left_out.iter().map(|one| {
        let named = one
            .named
            .as_ref()
            .map(|(path, line)| format!(" ({}:{line})", file(preview, path)));
        let said = format!(
            "{} {}{}",
            file(preview, &one.path),
            one.why,
            named.unwrap_or_default()
        );
        (said, Tone::Warning)
    });
    section("left out".to_string(), Tone::Strong, left_out.collect());
    let waiting = preview.waiting.iter().map(|one| {
        let said = format!(
            "{} waits for a Read of {}",
            file(preview, &one.path),
            one.patterns.join(", ")
        );
        (said, Tone::Plain)
    });
    section("waiting".to_string(), Tone::Strong, waiting.collect());
    if let Some(money) = &preview.money {
        let standing = money.standing.iter().map(|part| {
            (
                format!("≈ {} {}", part.cost, file(preview, &part.path)),
                Tone::Plain,
            )
        });
        let heading = format!("over {} turns", grouped(money.session));
        section(heading, Tone::Strong, standing.collect());
    }
    let notes = preview.notes.iter().map(|note| (note.clone(), Tone::Dim));
    section("to be known".to_string(), Tone::Strong, notes.collect());
    rows
}

fn title(preview: &Preview) -> String {
    let whose = match &preview.observed {
        None => "our own chat".to_string(),
        Some(shown) => format!("observed {}", shown.version),
    };
    format!("{whose} · {}", preview.model)
}

fn compacts(preview: &Preview) -> Option<String> {
    Some(match preview.compacts.as_ref()? {
        AutoCompact::At(tokens) => format!("compacts of itself at {}", grouped(*tokens)),
        AutoCompact::WhenRefused => {
            "compacts only once the provider refuses a prompt as too long".to_string()
        }
        AutoCompact::Off(by) => format!("does not compact of itself: {by}"),
    })
}

fn money(preview: &Preview) -> String {
    match &preview.money {
        None => format!(
            "no price for {}: [prices] in config.toml gives one",
            preview.model
        ),
        Some(money) => format!(
            "input {}{} first turn · {} later · {} cold",
            preview.about(),
            money.turns.first,
            money.turns.later,
            money.turns.cold
        ),
    }
}

fn difference(preview: &Preview) -> Option<String> {
    let difference = preview.difference?;
    let change = |about: &str, (before, after): (usize, usize)| {
        format!("{about}{} → {} tokens", grouped(before), grouped(after))
    };
    let read = difference
        .as_read
        .map(|read| format!(" · whenever it is read {}", change("≈ ", read)));
    let read = read.unwrap_or_default();
    Some(format!(
        "✎ once it is saved: {}{read}",
        change(preview.about(), difference.tokens)
    ))
}

/// The state of each switch: layout, version, model, recall, compaction, resumed, file, question, turns.
fn states(preview: &Preview, switches: &Switches) -> [String; 9] {
    let guess = |guessed: bool| if guessed { " (guessed)" } else { "" };
    let yes = |is: bool| if is { "yes" } else { "no" }.to_string();
    [
        match switches.layout {
            Layout::Ours => "ours",
            Layout::Observed(_) => "observed",
        }
        .to_string(),
        preview.observed.as_ref().map_or_else(
            || "–".to_string(),
            |shown| format!("{}{}", shown.version, guess(shown.guessed)),
        ),
        format!("{}{}", preview.model, guess(switches.model.is_none())),
        match switches.recall {
            Recall::Index => "index",
            Recall::Prefetch => "prefetch",
            Recall::Off => "off",
        }
        .to_string(),
        yes(switches.moment == Moment::Compacted),
        yes(switches.moment == Moment::Resumed),
        switches
            .read
            .as_ref()
            .map_or_else(|| "none".to_string(), |path| path.display().to_string()),
        switches
            .prompt
            .clone()
            .unwrap_or_else(|| "none".to_string()),
        grouped(switches.turns),
    ]
}

fn parts(preview: &Preview, open: &BTreeSet<usize>, cells: usize, rows: &mut Vec<PreviewRow>) {
    let groups = groups(&preview.parts);
    if !preview.counts_tools() {
        rows.push(PreviewRow::Blank);
        rows.extend(wrapped("tools: not counted", Tone::Dim, cells));
    }
    let mut place = None;
    for (at, group) in groups.iter().enumerate() {
        let main = &preview.parts[group.main];
        let heading = place_words(main.place);
        if place.as_ref() != Some(&heading) {
            let here = groups
                .iter()
                .filter(|other| place_words(preview.parts[other.main].place) == heading);
            let tokens = here.map(|other| other.tokens(&preview.parts)).sum();
            rows.push(PreviewRow::Blank);
            rows.push(PreviewRow::Place(heading.clone(), tokens));
            place = Some(heading);
        }
        rows.push(PreviewRow::Part(at));
        if open.contains(&at) {
            for part in &preview.parts[group.parts.clone()] {
                let around = part.kind == Kind::Wrapper || !part.recorded;
                for line in part.text.lines() {
                    let safe = display::line(&display::untab(line)).into_owned();
                    rows.extend(
                        text::wrap(&safe, cells.saturating_sub(4).max(1))
                            .into_iter()
                            .map(|piece| PreviewRow::Text {
                                group: at,
                                line: safe[piece].to_string(),
                                around,
                            }),
                    );
                }
            }
        }
        if main.kind == Kind::Index {
            cut(preview, cells, rows);
        }
    }
}

fn cut(preview: &Preview, cells: usize, rows: &mut Vec<PreviewRow>) {
    let Some(cut) = &preview.cut else {
        return;
    };
    if cut.at_line.is_some() {
        rows.push(PreviewRow::Cut(cut.below.len()));
        for one in &cut.below {
            let path = one.path.as_deref().unwrap_or("–");
            let said = format!("    {} {} {path}", one.line, one.title);
            rows.extend(wrapped(&said, Tone::Lost, cells));
        }
    }
    for ghost in &cut.ghosts {
        rows.extend(wrapped(
            &format!("    ◌ no line points at {ghost}"),
            Tone::Warning,
            cells,
        ));
    }
}

fn place_words(place: Place) -> String {
    match place {
        Place::Tools => "tools".to_string(),
        Place::System { .. } => "system".to_string(),
        Place::Message { message, role, .. } => format!("messages[{message}] {}", role.word()),
    }
}

/// A path as a list shows it: below the working directory or the memory folder from there.
#[must_use]
pub fn file(preview: &Preview, path: &Path) -> String {
    let cwd = &preview.asked.cwd;
    let below = path.strip_prefix(cwd).ok();
    let memory = preview.memory_folder.as_path();
    let below = below.or_else(|| path.strip_prefix(memory).ok());
    below.unwrap_or(path).display().to_string()
}
