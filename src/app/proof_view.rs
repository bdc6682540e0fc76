//! The proof of a session as rows: what of the rules and indexes was sent, and which memories were read.

use std::path::{Path, PathBuf};

use crate::agents::claude::{Fate, Now, Proof, Sent, Used};
use crate::app::list::List;
use crate::app::session_rows::Tone;
use crate::base::{display, text};

/// Cells of what became of a file.
const FATE_CELLS: usize = 19;
/// Cells of its layer, and from which width on it is told.
const LAYER_CELLS: usize = 8;
const NARROW: usize = 56;

/// The state of the view.
#[derive(Debug, Clone)]
pub struct ProofView {
    pub path: PathBuf,
    pub title: String,
    read: Option<Proof>,
    awaited: Option<u64>,
    rows: Vec<(String, Tone)>,
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
            made_at: None,
            height: 0,
            list: List::default(),
        }
    }

    #[must_use]
    pub fn rows(&self) -> &[(String, Tone)] {
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
            None => vec![("being read …".to_string(), Tone::Dim)],
            Some(proof) => rows(proof, cells, home),
        };
        self.list.go(self.list.cursor, self.rows.len());
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height.saturating_sub(1);
        self.list.settle(self.rows.len(), self.height);
    }
}

fn rows(proof: &Proof, cells: usize, home: &Path) -> Vec<(String, Tone)> {
    let mut rows = Vec::new();
    let mut say = |said: &str, tone| {
        let safe = display::line(said).into_owned();
        for piece in text::wrap(&safe, cells.max(10)) {
            rows.push((safe[piece].to_string(), tone));
        }
    };
    match (proof.is_recorded, &proof.version) {
        (true, Some(version)) => say(
            &format!(
                "client {version} wrote down what it sent: this is compared byte for byte with the disk"
            ),
            Tone::Dim,
        ),
        (true, None) => say(
            "what was sent is compared byte for byte with the disk",
            Tone::Dim,
        ),
        (false, version) => say(
            &format!(
                "nothing of what was sent is written down in it by client {}: that begins with 2.1.270, and not in every session",
                version.as_deref().unwrap_or("of an unknown version")
            ),
            Tone::Warning,
        ),
    }
    if proof.cwd.is_none() {
        say(
            "the folder where it ran is not there: nothing can be said of what was not sent",
            Tone::Warning,
        );
    }
    say("", Tone::Dim);
    say("rules and index", Tone::Strong);
    for one in &proof.files {
        let (said, tone) = file(one, cells, home);
        say(&said, tone);
    }
    if proof.files.is_empty() {
        say("none is known", Tone::Dim);
    }
    say("", Tone::Dim);
    say("memories", Tone::Strong);
    let (used, unused): (Vec<&Used>, Vec<&Used>) =
        proof.memories.iter().partition(|one| !one.uses.is_empty());
    for one in used {
        let times = |many: usize, word: &str| match many {
            0 => String::new(),
            _ => format!("{word} {many}× "),
        };
        let said = times(one.reads(), "read") + &times(one.writes(), "written");
        say(&format!("✓ {said} {}", one.path), Tone::Plain);
        for it in &one.uses {
            say(
                &format!("    turn {:<4} {}  {}", it.turn, it.time, it.how.word()),
                Tone::Dim,
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
        many => say(
            &format!("· {many} {} neither read nor written", noun(many)),
            Tone::Dim,
        ),
    }
    if below > 0 {
        say(
            &format!("▲ {below} of them had no line in the index that was sent"),
            Tone::Warning,
        );
    }
    if proof.memories.is_empty() {
        say("none is known", Tone::Dim);
    }
    rows
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
        Now::Changed => " · changed since",
        Now::Gone => " · gone since",
    };
    let times = match one.times.len() {
        0 | 1 => String::new(),
        many => format!(" · sent {many} times"),
    };
    let path = display::short_path(&one.path, home);
    let path = display::line(&path).into_owned();
    let fate = text::fit(&one.fate.said(), FATE_CELLS.min(cells / 3));
    let layer = if cells < NARROW { "" } else { &*one.layer };
    let fixed = [&*fate, &*times, now].map(text::width);
    let layer_cells = if cells < NARROW { 0 } else { LAYER_CELLS };
    let room = cells.saturating_sub(fixed.iter().sum::<usize>() + layer_cells + 4);
    let path = text::cut_middle(&path, room.max(12)).into_owned();
    let layer = text::fit(layer, layer_cells);
    (format!("{mark} {fate}{layer} {path}{times}{now}"), tone)
}
