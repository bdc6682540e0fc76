//! The rows of the Preview view: what is shown, what it costs, the switches, the parts (open ones with
//! their text), the cut of the index, what is missing, what a compaction leaves. Long lists are folded.
//! Foreign text is safe for display.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::app::preview_switches::{self, Switch};
use crate::app::preview_words::{compacts, difference, money, place_words, title};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::context::part::{Kind, Part};
use crate::context::preview::{Amount, Cut, Fate, Preview, Survivor, Switches, What, groups};

/// A list of more rows than these is folded until it is opened.
pub const UNFOLDED: usize = 6;

/// What the marks mean, also at the foot of what the command prints.
pub const LEGEND: &str = "▣ cached for later turns · ▢ new in its turn · ≈ estimated · ? not known";

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

/// A list that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fold {
    /// Entries below the cut of the index.
    Below,
    /// Memories that no line points at.
    Ghosts,
    /// The same of a sub-agent's own index.
    AgentBelow,
    AgentGhosts,
    /// Rules that are read anew after a compaction, and memories that only its summary can hold.
    Restored,
    Memories,
    LeftOut,
    NotImports,
    Waiting,
    Standing,
}

/// What was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opened {
    /// A group of parts, by its position.
    Part(usize),
    List(Fold),
}

/// A row of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewRow {
    Said(String, Tone),
    /// Tokens against the window.
    Meter,
    /// Switches side by side.
    Switches(Vec<Switch>),
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
    /// A list in one row: what it is of, with its number.
    Fold {
        fold: Fold,
        is_open: bool,
        said: String,
        tone: Tone,
    },
    Blank,
}

impl PreviewRow {
    /// The group that it is of.
    #[must_use]
    pub fn group(&self) -> Option<usize> {
        match self {
            Self::Part(group) | Self::Text { group, .. } => Some(*group),
            Self::Said(..)
            | Self::Meter
            | Self::Switches(_)
            | Self::Place(..)
            | Self::Cut(_)
            | Self::Fold { .. }
            | Self::Blank => None,
        }
    }

    /// What it opens.
    #[must_use]
    pub fn opens(&self) -> Option<Opened> {
        match self {
            Self::Fold { fold, .. } => Some(Opened::List(*fold)),
            _ => self.group().map(Opened::Part),
        }
    }

    /// Whether something can be done with it.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.opens().is_some()
    }

    /// Whether it is the row that stands for what was opened.
    #[must_use]
    pub fn is_head_of(&self, opened: Opened) -> bool {
        match (self, opened) {
            (Self::Part(group), Opened::Part(of)) => *group == of,
            (Self::Fold { fold, .. }, Opened::List(of)) => *fold == of,
            _ => false,
        }
    }
}

/// A sentence, wrapped.
#[must_use]
pub fn said(sentence: &str, cells: usize) -> Vec<PreviewRow> {
    hung("", sentence, Tone::Dim, cells)
}

/// A sentence behind what leads it; its further rows stand below its beginning.
#[must_use]
pub fn hung(lead: &str, sentence: &str, tone: Tone, cells: usize) -> Vec<PreviewRow> {
    let safe = display::line(sentence).into_owned();
    let indent = text::width(lead);
    let pieces = text::wrap(&safe, cells.saturating_sub(indent).max(1));
    let rows = pieces.into_iter().enumerate().map(|(at, piece)| {
        let lead = match at {
            0 => lead.to_string(),
            _ => " ".repeat(indent),
        };
        PreviewRow::Said(format!("{lead}{}", &safe[piece]), tone)
    });
    rows.collect()
}

/// What rows are made from.
#[derive(Debug, Clone, Copy)]
pub struct Making<'a> {
    pub switches: &'a Switches,
    pub open: &'a BTreeSet<Opened>,
    pub cells: usize,
    /// The key of each switch and its name, in the order of [`preview_switches::states`].
    pub keys: &'a [(String, &'static str)],
    /// The person's home, `~` in paths.
    pub home: &'a Path,
}

/// All rows.
#[must_use]
pub fn build(preview: &Preview, making: Making<'_>) -> Vec<PreviewRow> {
    Building {
        preview,
        making,
        built: Vec::new(),
    }
    .all()
}

/// What the parts of a request make.
pub enum PartRow {
    Row(PreviewRow),
    /// All rows of a group are there: its main part.
    End(usize),
}

/// The rows of the parts of a request, group by group below where they stand, open ones with their text.
/// `heading`: where a part stands, in words.
#[must_use]
pub fn part_rows(
    parts: &[Part],
    open: &BTreeSet<Opened>,
    cells: usize,
    heading: &dyn Fn(usize) -> String,
) -> Vec<PartRow> {
    let groups = groups(parts);
    let mut rows = Vec::new();
    let mut place = None;
    for (at, group) in groups.iter().enumerate() {
        let here = heading(group.main);
        if place.as_ref() != Some(&here) {
            let own = groups.iter().filter(|other| heading(other.main) == here);
            let tokens = own.map(|other| other.tokens(parts)).sum();
            rows.push(PartRow::Row(PreviewRow::Blank));
            rows.push(PartRow::Row(PreviewRow::Place(here.clone(), tokens)));
            place = Some(here);
        }
        rows.push(PartRow::Row(PreviewRow::Part(at)));
        if open.contains(&Opened::Part(at)) {
            let text = text_rows(at, &parts[group.parts.clone()], cells);
            rows.extend(text.into_iter().map(PartRow::Row));
        }
        rows.push(PartRow::End(group.main));
    }
    rows
}

/// The text of a group.
fn text_rows(group: usize, parts: &[Part], cells: usize) -> Vec<PreviewRow> {
    let cells = cells.saturating_sub(4).max(1);
    let mut rows = Vec::new();
    for part in parts {
        let around = part.kind == Kind::Wrapper || !part.recorded;
        for line in part.text.lines() {
            let safe = display::line(&display::untab(line)).into_owned();
            let pieces = text::wrap(&safe, cells).into_iter();
            rows.extend(pieces.map(|piece| PreviewRow::Text {
                group,
                line: safe[piece].to_string(),
                around,
            }));
        }
    }
    rows
}

struct Building<'a> {
    preview: &'a Preview,
    making: Making<'a>,
    built: Vec<PreviewRow>,
}

/// One line of a list: what leads it, what it says, how that is meant.
type Listed = (&'static str, String, Tone);

impl Building<'_> {
    fn all(mut self) -> Vec<PreviewRow> {
        let preview = self.preview;
        self.say("", &title(preview), Tone::Strong);
        self.built.push(PreviewRow::Meter);
        if let Some(said) = compacts(preview) {
            self.say("", &said, Tone::Dim);
        }
        self.say("", &money(preview), Tone::Plain);
        if let Some(said) = difference(preview) {
            self.say("✎ ", &said, Tone::Warning);
        }
        let Making {
            switches,
            keys,
            cells,
            ..
        } = self.making;
        let switches = preview_switches::rows(preview, switches, keys, cells).into_iter();
        self.built.push(PreviewRow::Blank);
        self.built.extend(switches.map(PreviewRow::Switches));
        self.parts();
        self.fates();
        self.missing();
        self.standing();
        self.heading("to be known", &preview.notes);
        for note in &preview.notes {
            self.say("  · ", &display::homely(note, self.making.home), Tone::Dim);
        }
        self.built
    }

    fn say(&mut self, lead: &str, sentence: &str, tone: Tone) {
        self.built
            .extend(hung(lead, sentence, tone, self.making.cells));
    }

    /// A heading of what follows, if that is anything.
    fn heading<T>(&mut self, said: &str, of: &[T]) {
        if !of.is_empty() {
            self.built.push(PreviewRow::Blank);
            self.say("", said, Tone::Strong);
        }
    }

    fn file(&self, path: &Path) -> String {
        file(self.preview, path, self.making.home)
    }

    /// A list, in one row where it is long and not opened. `said`: what that row says.
    fn list(&mut self, fold: Fold, said: &str, tone: Tone, lines: Vec<Listed>) {
        let is_open = self.making.open.contains(&Opened::List(fold));
        if lines.len() > UNFOLDED {
            self.built.push(PreviewRow::Fold {
                fold,
                is_open,
                said: said.to_string(),
                tone,
            });
            if !is_open {
                return;
            }
        }
        for (lead, line, tone) in lines {
            self.say(lead, &line, tone);
        }
    }

    fn parts(&mut self) {
        let preview = self.preview;
        if let Some(said) = preview.of_tools() {
            self.built.push(PreviewRow::Blank);
            self.say("", said, Tone::Dim);
        }
        let heading = |part: usize| place_words(preview.parts[part].place);
        for row in part_rows(
            &preview.parts,
            self.making.open,
            self.making.cells,
            &heading,
        ) {
            match row {
                PartRow::Row(row) => self.built.push(row),
                PartRow::End(main) => self.cut_below(main),
            }
        }
        self.built.push(PreviewRow::Blank);
        self.say("", LEGEND, Tone::Dim);
    }

    /// What is not seen of the index that is this part.
    fn cut_below(&mut self, part: usize) {
        let preview = self.preview;
        if let Some(cut) = preview.cut.as_ref().filter(|cut| cut.part == Some(part)) {
            self.cut(cut, (Fold::Below, Fold::Ghosts));
        }
        let agent = preview.agent.as_ref().and_then(|it| it.cut.as_ref());
        if let Some(cut) = agent.filter(|cut| cut.part == Some(part)) {
            self.cut(cut, (Fold::AgentBelow, Fold::AgentGhosts));
        }
        if let Some(cut) = preview.cut_at_start.filter(|cut| cut.part == part) {
            self.say("✂ ", &cut.sentence(), Tone::Error);
        }
    }

    fn cut(&mut self, cut: &Cut, (unseen, unnamed): (Fold, Fold)) {
        if cut.at_line.is_some() {
            self.built.push(PreviewRow::Cut(cut.below.len()));
            let below = cut.below.iter().map(|one| {
                let path = one.path.as_deref().unwrap_or("–");
                let said = format!("{} {} {path}", one.line, one.title);
                ("    ", said, Tone::Lost)
            });
            let said = format!("{} entries below the cut", grouped(cut.below.len()));
            self.list(unseen, &said, Tone::Error, below.collect());
        }
        let ghosts = cut.ghosts.iter().map(|ghost| {
            let said = format!("no line points at {ghost}");
            ("    ◌ ", said, Tone::Warning)
        });
        let said = format!(
            "◌ {} memories that no line points at",
            grouped(cut.ghosts.len())
        );
        self.list(unnamed, &said, Tone::Warning, ghosts.collect());
    }

    fn fates(&mut self) {
        let fates = &self.preview.fates;
        self.heading("after a compaction", fates);
        let is_restored = |one: &&Survivor| one.what == What::Rule && one.fate == Fate::Restored;
        let is_held = |one: &&Survivor| one.fate == Fate::InSummary;
        let (restored, rest): (Vec<_>, Vec<_>) = fates.iter().partition(is_restored);
        let (held, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_held);
        let restored: Vec<_> = restored.into_iter().map(|one| self.fate(one)).collect();
        let said = format!("✓ {} rules: read anew from disk", grouped(restored.len()));
        self.list(Fold::Restored, &said, Tone::Plain, restored);
        for one in rest {
            let (lead, line, tone) = self.fate(one);
            self.say(lead, &line, tone);
        }
        let held: Vec<_> = held.into_iter().map(|one| self.fate(one)).collect();
        let said = format!(
            "~ {} memories: held by the summary only",
            grouped(held.len())
        );
        self.list(Fold::Memories, &said, Tone::Dim, held);
    }

    fn fate(&self, one: &Survivor) -> Listed {
        let path = self.file(&one.path);
        let (word, why) = (one.what.word(), &one.why);
        match one.fate {
            Fate::Restored => ("  ✓ ", format!("{word} {path}: {why}"), Tone::Plain),
            Fate::Lost => ("  ✗ ", format!("{word} {path}: lost {why}"), Tone::Lost),
            Fate::Waits => ("  · ", format!("{word} {path} waits, {why}"), Tone::Dim),
            Fate::InSummary => {
                let said = format!("{word} {path}: held by the summary only, {why}");
                ("  ~ ", said, Tone::Dim)
            }
        }
    }

    fn missing(&mut self) {
        let preview = self.preview;
        let left_out = preview.left_out.iter().map(|one| {
            let named = one
                .named
                .as_ref()
                .map(|(path, line)| format!(" ({}:{line})", self.file(path)));
            let said = format!(
                "{} {}{}",
                self.file(&one.path),
                one.why,
                named.unwrap_or_default()
            );
            ("  ", said, Tone::Warning)
        });
        let left_out: Vec<_> = left_out.collect();
        self.heading("left out", &left_out);
        let said = format!("{} files", grouped(left_out.len()));
        self.list(Fold::LeftOut, &said, Tone::Warning, left_out);
        let not_imports = preview.not_imports.iter().map(|one| {
            let at = self.file(&one.file);
            let said = format!("{} {} ({at}:{})", one.written, one.why, one.line);
            ("  ", said, Tone::Dim)
        });
        let not_imports: Vec<_> = not_imports.collect();
        self.heading("not imports", &not_imports);
        let said = format!("{} that only look like some", grouped(not_imports.len()));
        self.list(Fold::NotImports, &said, Tone::Dim, not_imports);
        let waiting = preview.waiting.iter().map(|one| {
            let said = format!(
                "{} waits for a Read of {}",
                self.file(&one.path),
                one.patterns.join(", ")
            );
            ("  ", said, Tone::Plain)
        });
        let waiting: Vec<_> = waiting.collect();
        self.heading("waiting", &waiting);
        let said = format!("{} rules that wait for a Read", grouped(waiting.len()));
        self.list(Fold::Waiting, &said, Tone::Plain, waiting);
    }

    fn standing(&mut self) {
        let Some(money) = &self.preview.money else {
            return;
        };
        let standing = money.standing.iter().map(|part| {
            let said = format!("≈ {} {}", part.cost, self.file(&part.path));
            ("  ", said, Tone::Plain)
        });
        let standing: Vec<_> = standing.collect();
        self.heading(&format!("over {} turns", grouped(money.session)), &standing);
        let said = format!("{} standing parts", grouped(standing.len()));
        self.list(Fold::Standing, &said, Tone::Plain, standing);
    }
}

/// A path as a list shows it: below the working directory or the memory folder from there.
#[must_use]
pub fn file(preview: &Preview, path: &Path, home: &Path) -> String {
    file_near(path, [&preview.asked.cwd, &preview.memory_folder], home)
}

/// A path as a list shows it: below one of these folders from there.
#[must_use]
pub fn file_near<'a>(
    path: &Path,
    folders: impl IntoIterator<Item = &'a PathBuf>,
    home: &Path,
) -> String {
    let below = folders
        .into_iter()
        .find_map(|it| path.strip_prefix(it).ok());
    match below {
        Some(below) => below.display().to_string(),
        None => display::short_path(path, home),
    }
}

#[cfg(test)]
#[path = "preview_rows_tests.rs"]
mod tests;
