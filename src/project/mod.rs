//! Project folders: which path each is about, by evidence (spec 1.2), what lies in it, where a
//! project that moved may be now, and the change sets that prune one. A key can't be turned back into
//! a path, so nothing is guessed: every claim bears what makes it. Knows nothing of the screen.

pub mod along;
pub mod archive;
mod census;
pub mod cited;
pub mod claims;
mod claude_json;
pub mod elsewhere;
pub mod fold;
mod fold_index;
pub mod forget;
pub mod identity;
mod judge;
pub mod known;
pub mod listings;
pub mod prune;
pub mod seek;
pub mod split;
mod walk;

use std::path::{Path, PathBuf};

pub use census::{Census, Session, census};
pub use claims::claims;
pub use judge::{Place, Places, Verdict, by_walk, by_walk_in, judge, lookup};

use crate::base::time::Moment;

/// What is known of the path that a project folder is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The path is there.
    Live,
    /// It is there, and its memory lives under the key of its main repository.
    Worktree,
    /// More than one path that is there bears this key.
    Ambiguous,
    /// It is gone, and a likely new home is known.
    Moved,
    /// It is gone.
    Orphaned,
    /// There is no evidence, or none that can be checked here.
    Unknown,
}

/// What makes a claim, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The `cwd` of its transcripts.
    Transcript,
    /// The `cwd` of a sub-agent's transcript.
    Subagent,
    /// `history.jsonl`.
    History,
    /// The projects of `.claude.json`.
    ClaudeJson,
    /// The git root of a folder in which another project's sessions ran.
    Repository,
    /// A walk down the file system along the key.
    Walk,
}

/// Whether a claimed path is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    There,
    Gone,
    /// A path of Windows: it can't be looked up here.
    Foreign,
    /// The system does not let us look: its words.
    Unseen(String),
}

/// One path that a project folder is said to be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub path: PathBuf,
    pub source: Source,
    pub standing: Standing,
    /// The sessions whose transcripts say so; none where it is said elsewhere.
    pub sessions: Vec<String>,
    /// One file that says so; none for a walk.
    pub file: Option<PathBuf>,
    /// Whether the path has this very key. A session that changed its directory has not.
    pub exact: bool,
}

/// Sessions that lie in a project folder though they ran in a path that is there and has another key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    pub path: PathBuf,
    /// The key of that path, links resolved: there the client looks for its sessions.
    pub key: String,
    /// The project folder of that key is there.
    pub settled: bool,
    pub sessions: usize,
}

/// Where a project that is gone may be now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub path: PathBuf,
    /// 0 to 100.
    pub score: u32,
    /// What speaks for it: words for a person.
    pub why: String,
    /// Whether it is likely enough to call the project moved.
    pub likely: bool,
}

/// One folder of `projects/`, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub key: String,
    /// Its folder below `projects/`, as seen.
    pub folder: PathBuf,
    /// Its memory folder, which may lie elsewhere and need not exist.
    pub memory: PathBuf,
    /// The path that it is about: of one that is gone, the one that was.
    pub path: Option<PathBuf>,
    pub origin: Origin,
    /// What the origin rests on: the strongest kind of evidence that says anything.
    pub evidence: Vec<Claim>,
    /// Of a moved or orphaned one, the best first; of an unknown one, what a walk found.
    pub candidates: Vec<Candidate>,
    pub census: Census,
    /// Sessions of other paths that are there, by path.
    pub guests: Vec<Guest>,
    /// The key under which its memory lives: its own, or that of its main repository.
    pub memory_key: String,
    /// What else a person should know: a sentence each.
    pub notes: Vec<String>,
}

/// What goes with a change of a project folder, as a person reads it before saying yes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// The folder goes whole; else only what is listed here.
    pub whole: bool,
    /// The paths that it goes for. Each is gone.
    pub gone: Vec<PathBuf>,
    /// Memories: paths below the memory folder; those of a project folder nested in it begin with
    /// that one's name.
    pub memories: Vec<String>,
    /// Why it can't be told whether more memories go: sentences.
    pub untold: Vec<String>,
    /// Sessions, by their ids.
    pub sessions: Vec<String>,
    /// What else, by name.
    pub others: Vec<String>,
}

impl Listed {
    /// All that is said of memories that go: their paths, and sentences where they can't be told. What
    /// can't be told is taken for memories.
    #[must_use]
    pub fn said_of_memories(&self) -> Vec<String> {
        self.memories.iter().chain(&self.untold).cloned().collect()
    }
}

impl Origin {
    pub const ALL: [Self; 6] = [
        Self::Live,
        Self::Worktree,
        Self::Ambiguous,
        Self::Moved,
        Self::Orphaned,
        Self::Unknown,
    ];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Worktree => "worktree",
            Self::Ambiguous => "ambiguous",
            Self::Moved => "moved",
            Self::Orphaned => "orphaned",
            Self::Unknown => "unknown",
        }
    }
}

impl Origin {
    /// Its sign in lists, one cell wide.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Live => "✓",
            Self::Worktree => "⇄",
            Self::Ambiguous => "▲",
            Self::Moved => "→",
            Self::Orphaned => "✗",
            Self::Unknown => "·",
        }
    }
}

impl Source {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Subagent => "subagent",
            Self::History => "history.jsonl",
            Self::ClaudeJson => ".claude.json",
            Self::Repository => "repository",
            Self::Walk => "walk",
        }
    }
}

impl Standing {
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::There => "there",
            Self::Gone => "gone",
            Self::Foreign => "foreign",
            Self::Unseen(_) => "unseen",
        }
    }
}

impl Standing {
    /// What a person reads of it.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::There => "there".to_string(),
            Self::Gone => "gone".to_string(),
            Self::Foreign => "a path of Windows".to_string(),
            Self::Unseen(why) => format!("not to be looked at ({why})"),
        }
    }
}

impl Source {
    /// What a person reads of it.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Self::Walk => "a folder of this key",
            Self::Transcript
            | Self::Subagent
            | Self::History
            | Self::ClaudeJson
            | Self::Repository => self.word(),
        }
    }
}

impl Project {
    /// The paths that it is said to be about, each once.
    #[must_use]
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = Vec::new();
        for claim in &self.evidence {
            if !paths.contains(&&*claim.path) {
                paths.push(&claim.path);
            }
        }
        paths
    }

    /// What a person calls it: the last part of its path, else its key.
    #[must_use]
    pub fn title(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.map_or_else(
            || self.key.clone(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// Where it may be now, if a likely place is known: a sentence.
    #[must_use]
    pub fn may_be_at(&self) -> Option<String> {
        let best = self.candidates.first().filter(|best| best.likely)?;
        let (path, why) = (best.path.display(), &best.why);
        Some(format!("{} may be at {path} now: {why}", self.title()))
    }

    /// Where it belongs, if it is about a path that is there and is not the folder of that path's key:
    /// the client looks there, not here.
    #[must_use]
    pub fn misplaced(&self) -> Option<&Guest> {
        let path = self.path.as_deref()?;
        self.guests.iter().find(|guest| guest.path == path)
    }

    /// The sessions of other paths that a split gives back, if it has a path of its own or several.
    #[must_use]
    pub fn to_split(&self) -> &[Guest] {
        match self.misplaced() {
            Some(_) if self.guests.len() == 1 => &[],
            Some(_) | None => &self.guests,
        }
    }

    /// The command that takes it to the folder of its own path, where it is not that.
    #[must_use]
    pub fn to_its_place(&self) -> Option<String> {
        let home = self.misplaced().filter(|_| self.to_split().is_empty())?;
        let (key, own, path) = (&self.key, &home.key, home.path.display());
        Some(match home.settled {
            true => format!("loci merge {key} {own}"),
            false => format!("loci relink {key} {path}"),
        })
    }

    /// When it was used last: the newest of its transcripts, else of its memories.
    #[must_use]
    pub fn last_used(&self) -> Option<Moment> {
        self.census.last_session().or(self.census.newest_memory)
    }

    /// Whole days until the client's clean-up takes its newest transcript, the last that proves its
    /// path; none where there is no transcript.
    #[must_use]
    pub fn days_left(&self, keep_days: i64, now: Moment) -> Option<i64> {
        let newest = self.census.last_session()?;
        Some((keep_days - newest.days_before(now)).max(0))
    }

    /// The session that was at work here within `seconds`, by the time of its transcript: how long ago
    /// it wrote, in seconds. There is no surer sign from outside.
    #[must_use]
    pub fn at_work(&self, seconds: i64, now: Moment) -> Option<i64> {
        let ago = now.seconds - self.census.last_session()?.seconds;
        (-seconds..seconds).contains(&ago).then_some(ago.max(0))
    }
}
