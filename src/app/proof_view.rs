//! The proof of a session as rows: what of the rules and indexes was sent, and which memories were read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::agents::claude::{Fate, Now, Proof, Sent, Used};
use crate::app::list::List;
use crate::app::session_rows::{Fold, Tone};
use crate::base::{display, text};
use similar::{ChangeTag, TextDiff};

/// Cells of what became of a file.
const FATE_CELLS: usize = 19;
/// Cells of its layer, and from which width on it is told.
const LAYER_CELLS: usize = 8;
const NARROW: usize = 56;

/// Rows of one text that are laid out at most.
const MOST_ROWS: usize = 2_000;

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    Nothing,
    /// A rule or an index, by its path.
    File(PathBuf),
    /// A memory, and where the session touched it: a line of its transcript.
    Memory {
        path: PathBuf,
        at: u64,
    },
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofRow {
    /// Safe for a terminal.
    pub text: String,
    pub tone: Tone,
    pub fold: Fold,
    pub about: About,
}

/// The state of the view.
#[derive(Debug, Clone)]
pub struct ProofView {
    pub path: PathBuf,
    pub title: String,
    read: Option<Proof>,
    awaited: Option<u64>,
    rows: Vec<ProofRow>,
    /// Files of which the texts are shown.
    open: BTreeSet<PathBuf>,
    made_at: Option<usize>,
    height: usize,
    pub list: List,
}

impl ProofView {
    #[must_use]
    pub fn new(path: PathBuf, title: String, id: u64) -> Self {
        Self {
            path,
            title,
            read: None,
            awaited: Some(id),
            rows: Vec::new(),
            open: BTreeSet::new(),
            made_at: None,
            height: 0,
            list: List::default(),
        }
    }

    #[must_use]
    pub fn rows(&self) -> &[ProofRow] {
        &self.rows
    }

    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.awaited.is_some()
    }

    /// Has it read again, as `id`; the transcript is given back.
    pub fn read_again(&mut self, id: u64) -> PathBuf {
        self.awaited = Some(id);
        self.path.clone()
    }

    /// Takes what was read.
    ///
    /// # Errors
    /// The sentence that says why it could not be.
    pub fn take(&mut self, id: u64, read: Result<Proof, String>) -> Result<(), String> {
        if self.awaited.take_if(|awaited| *awaited == id).is_some() {
            self.read = Some(read?);
            self.made_at = None;
        }
        Ok(())
    }

    /// Builds the rows for a width.
    pub fn turn_to(&mut self, cells: usize, home: &Path) {
        if self.made_at == Some(cells) {
            return;
        }
        self.made_at = Some(cells);
        self.rows = match &self.read {
            None => vec![plain("being read …".to_string(), Tone::Dim)],
            Some(proof) => rows(proof, &self.open, cells, home),
        };
        self.list.go(self.list.cursor, self.rows.len());
    }

    /// What the row under the cursor is about.
    #[must_use]
    pub fn about(&self) -> Option<&About> {
        self.rows.get(self.list.cursor).map(|row| &row.about)
    }

    /// Shows or hides the text of a file; the cursor goes to its row.
    pub fn toggle(&mut self, path: &Path) {
        if !self.open.remove(path) {
            self.open.insert(path.to_path_buf());
        }
        let is_head =
            |row: &ProofRow| row.fold != Fold::None && row.about == About::File(path.to_path_buf());
        let head = self.rows.iter().position(is_head);
        self.list
            .go(head.unwrap_or(self.list.cursor), self.rows.len());
        self.made_at = None;
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height.saturating_sub(1);
        self.list.settle(self.rows.len(), self.height);
    }
}

fn plain(text: String, tone: Tone) -> ProofRow {
    ProofRow {
        text,
        tone,
        fold: Fold::None,
        about: About::Nothing,
    }
}

/// The rows as they come.
struct Rows {
    rows: Vec<ProofRow>,
    cells: usize,
}

impl Rows {
    fn say(&mut self, said: &str, tone: Tone) {
        self.about(said, tone, &About::Nothing);
    }

    fn about(&mut self, said: &str, tone: Tone, about: &About) {
        let safe = display::line(said).into_owned();
        for piece in text::wrap(&safe, self.cells.max(10)) {
            let row = plain(safe[piece].to_string(), tone);
            self.rows.push(ProofRow {
                about: about.clone(),
                ..row
            });
        }
    }

    /// A rule or an index, and where it is unfolded its texts.
    fn file(&mut self, one: &Sent, is_open: bool, home: &Path) {
        let about = About::File(one.path.clone());
        let (text, tone) = file(one, self.cells.saturating_sub(2), home);
        self.rows.push(ProofRow {
            text,
            tone,
            fold: if is_open { Fold::Open } else { Fold::Closed },
            about: about.clone(),
        });
        if !is_open {
            return;
        }
        let path = display::short_path(&one.path, home);
        let times = match one.times.len() {
            0 | 1 => String::new(),
            many => format!(" · sent {many} times"),
        };
        self.about(&format!("    {path}{times}"), Tone::Dim, &about);
        match (&one.text, &one.here) {
            (None, None) => {}
            (None, Some(here)) => {
                let why = match one.fate {
                    Fate::NotLoaded => {
                        "    nothing that was written down holds it: it came later, or the client left it out; it says now:"
                    }
                    Fate::Waited => "    it is sent with files that its paths match; it says now:",
                    Fate::Whole | Fate::Cut { .. } | Fate::Unknown => {
                        "    what was sent is not written down; it says now:"
                    }
                };
                self.about(why, Tone::Note, &about);
                self.text(here, &about);
            }
            (Some(sent), Some(here)) => {
                self.about("    - was sent, + is there now:", Tone::Note, &about);
                for change in TextDiff::from_lines(&**sent, here).iter_all_changes() {
                    let (mark, tone) = match change.tag() {
                        ChangeTag::Equal => (' ', Tone::Dim),
                        ChangeTag::Delete => ('-', Tone::Error),
                        ChangeTag::Insert => ('+', Tone::Strong),
                    };
                    let line = change.value().trim_end_matches('\n');
                    self.about(&format!("    {mark} {line}"), tone, &about);
                }
            }
            (Some(sent), None) => {
                self.about("    as it was sent:", Tone::Note, &about);
                self.text(sent, &about);
            }
        }
    }

    fn text(&mut self, said: &str, about: &About) {
        let end = self.rows.len() + MOST_ROWS;
        let mut lines = said.lines();
        while self.rows.len() < end
            && let Some(line) = lines.next()
        {
            self.about(&format!("      {line}"), Tone::Plain, about);
        }
        if lines.next().is_some() {
            self.about("    … and more", Tone::Note, about);
        }
    }
}

fn rows(proof: &Proof, open: &BTreeSet<PathBuf>, cells: usize, home: &Path) -> Vec<ProofRow> {
    let mut rows = Rows {
        rows: Vec::new(),
        cells,
    };
    match (proof.is_recorded, &proof.version) {
        (true, Some(version)) => rows.say(
            &format!(
                "client {version} wrote down what it sent: this is compared byte for byte with the disk"
            ),
            Tone::Dim,
        ),
        (true, None) => rows.say(
            "what was sent is compared byte for byte with the disk",
            Tone::Dim,
        ),
        (false, version) => rows.say(
            &format!(
                "nothing of what was sent is written down in it by client {}: that begins with 2.1.270, and not in every session",
                version.as_deref().unwrap_or("of an unknown version")
            ),
            Tone::Warning,
        ),
    }
    if proof.cwd.is_none() {
        rows.say(
            "the folder where it ran is not there: nothing can be said of what was not sent",
            Tone::Warning,
        );
    }
    rows.say("", Tone::Dim);
    rows.say("rules and index", Tone::Strong);
    for one in &proof.files {
        rows.file(one, open.contains(&one.path), home);
    }
    if proof.files.is_empty() {
        rows.say("none is known", Tone::Dim);
    }
    rows.say("", Tone::Dim);
    rows.say("memories", Tone::Strong);
    let (used, unused): (Vec<&Used>, Vec<&Used>) =
        proof.memories.iter().partition(|one| !one.uses.is_empty());
    for one in used {
        let times = |many: usize, word: &str| match many {
            0 => String::new(),
            _ => format!("{word} {many}× "),
        };
        let said = times(one.reads(), "read") + &times(one.writes(), "written");
        let folder = proof.memory_folder.as_deref().unwrap_or(Path::new(""));
        let about = |at: u64| About::Memory {
            path: folder.join(&one.path),
            at,
        };
        let last = one.uses.last().map_or(About::Nothing, |it| about(it.at));
        rows.about(&format!("✓ {said} {}", one.path), Tone::Plain, &last);
        for it in &one.uses {
            rows.about(
                &format!("    turn {:<4} {}  {}", it.turn, it.time, it.how.word()),
                Tone::Dim,
                &about(it.at),
            );
        }
    }
    let below = unused
        .iter()
        .filter(|one| one.listed == Some(false))
        .count();
    let noun = |many: usize| if many == 1 { "memory" } else { "memories" };
    match unused.len() {
        0 => {}
        many => rows.say(
            &format!("· {many} {} neither read nor written", noun(many)),
            Tone::Dim,
        ),
    }
    if below > 0 {
        rows.say(
            &format!("▲ {below} of them had no line in the index that was sent"),
            Tone::Warning,
        );
    }
    if proof.memories.is_empty() {
        rows.say("none is known", Tone::Dim);
    }
    rows.rows
}

/// What became of a rule or an index, on one line.
fn file(one: &Sent, cells: usize, home: &Path) -> (String, Tone) {
    let (mark, tone) = match one.fate {
        Fate::Whole => ("✓", Tone::Plain),
        Fate::Cut { .. } => ("✂", Tone::Warning),
        Fate::NotLoaded => ("✗", Tone::Error),
        Fate::Waited => ("·", Tone::Dim),
        Fate::Unknown => ("?", Tone::Dim),
    };
    let now = match one.now {
        Now::Same | Now::Untold => "",
        Now::Changed => " · changed",
        Now::Gone => " · gone",
    };
    let path = display::short_path(&one.path, home);
    let path = display::line(&path).into_owned();
    let fate = text::fit(&one.fate.said(), FATE_CELLS.min(cells / 3));
    let layer = if cells < NARROW { "" } else { &*one.layer };
    let fixed = [&*fate, now].map(text::width);
    let layer_cells = if cells < NARROW { 0 } else { LAYER_CELLS };
    let room = cells.saturating_sub(fixed.iter().sum::<usize>() + layer_cells + 4);
    let path = display::cut_path(&path, room.max(12)).into_owned();
    let layer = text::fit(layer, layer_cells);
    (format!("{mark} {fate}{layer} {path}{now}"), tone)
}
