//! The Projects view as a model: every project folder with what it is about and by what evidence,
//! worktrees below the repository whose memory they share. Knows nothing of how they are read.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::agents::claude::Repository;
use crate::app::list::List;
use crate::base::time::Moment;
use crate::base::{display, text};
use crate::config::client::Said;
use crate::config::limits::SESSION_SECONDS;
use crate::memory::search::Query;
use crate::project::{Origin, Project};

/// Rows of what is known of the chosen project at most.
const MOST_DETAIL: usize = 9;

/// What the view lists, as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectList {
    pub projects: Vec<Project>,
    /// Sentences.
    pub faults: Vec<String>,
    /// Whole days that the client keeps a transcript.
    pub keep_days: i64,
    /// By key: what switches memory on or off in the folder that a project is about, the strongest
    /// first. Of those that are about one that is there.
    pub switches: HashMap<String, Vec<Said>>,
    /// By key: the repositories of those that are worktrees, also of some that are gone.
    pub repositories: HashMap<String, Repository>,
}

/// What projects are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectSort {
    /// Those that want something done first.
    #[default]
    Origin,
    Used,
    Memories,
    Size,
    Path,
}

impl ProjectSort {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Origin => Self::Used,
            Self::Used => Self::Memories,
            Self::Memories => Self::Size,
            Self::Size => Self::Path,
            Self::Path => Self::Origin,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Used => "last used",
            Self::Memories => "memories",
            Self::Size => "size",
            Self::Path => "path",
        }
    }
}

/// A row: a project, and whether it stands below the one whose memory it shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectRow {
    pub at: usize,
    pub is_member: bool,
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct ProjectsView {
    read: Option<ProjectList>,
    rows: Vec<ProjectRow>,
    sort: ProjectSort,
    filter: String,
    /// Keys of those that the next action is for, all together.
    pub marked: BTreeSet<String>,
    stale: bool,
    awaited: Option<u64>,
    /// Keys of the project folders that a change touched that is not read yet: where the chosen project
    /// may be now.
    gone_to: Vec<String>,
    detail: Vec<String>,
    detail_rows: usize,
    cells: usize,
    height: usize,
    pub list: List,
}

impl ProjectsView {
    #[must_use]
    pub fn rows(&self) -> &[ProjectRow] {
        &self.rows
    }

    /// What was read, once it was.
    #[must_use]
    pub fn read(&self) -> Option<&ProjectList> {
        self.read.as_ref()
    }

    #[must_use]
    pub fn project(&self, row: ProjectRow) -> Option<&Project> {
        self.read.as_ref()?.projects.get(row.at)
    }

    /// The project under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<&Project> {
        self.project(*self.rows.get(self.list.cursor)?)
    }

    /// The marked projects that are listed, else the one under the cursor: none goes unseen.
    #[must_use]
    pub fn chosen_all(&self) -> Vec<&Project> {
        let listed = self.rows.iter().filter_map(|row| self.project(*row));
        let marked: Vec<&Project> = listed
            .filter(|one| self.marked.contains(&one.key))
            .collect();
        match marked.is_empty() {
            true => self.chosen().into_iter().collect(),
            false => marked,
        }
    }

    /// How many marked ones the filter hides.
    #[must_use]
    pub fn marked_unlisted(&self) -> usize {
        let listed = self.rows.iter().filter_map(|row| self.project(*row));
        let listed = listed.filter(|one| self.marked.contains(&one.key)).count();
        self.marked.len().saturating_sub(listed)
    }

    /// Takes the marks off those that are listed: what was asked for is done.
    pub fn unmark_listed(&mut self) {
        let listed: Vec<String> = self
            .chosen_all()
            .iter()
            .map(|one| one.key.clone())
            .collect();
        self.marked.retain(|key| !listed.contains(key));
    }

    #[must_use]
    pub fn sort(&self) -> ProjectSort {
        self.sort
    }

    pub fn sort_by_next(&mut self) {
        self.sort = self.sort.next();
        self.build(&self.keys_near_cursor());
    }

    #[must_use]
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Lists only those whose path, key or origin holds all words.
    pub fn narrow(&mut self, words: &str) {
        self.filter = words.to_string();
        self.build(&self.keys_near_cursor());
    }

    /// Marks the project under the cursor, or takes the mark off.
    pub fn mark(&mut self) {
        if let Some(key) = self.chosen().map(|one| one.key.clone())
            && !self.marked.remove(&key)
        {
            self.marked.insert(key);
        }
    }

    /// What is known of the chosen project, as rows.
    #[must_use]
    pub fn detail(&self) -> &[String] {
        &self.detail[..self.detail_rows.min(self.detail.len())]
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Has it read again when it is shown the next time.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Whether it must be read; notes that it will be, as `id`.
    pub fn wants(&mut self, id: u64) -> bool {
        let wants = self.awaited.is_none() && (self.read.is_none() || self.stale);
        if wants {
            self.stale = false;
            self.awaited = Some(id);
        }
        wants
    }

    /// Whether an answer is still to come.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.awaited.is_some()
    }

    /// Takes what was read; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, read: ProjectList) {
        if self.awaited.take_if(|awaited| *awaited == id).is_some() {
            let there: BTreeSet<&str> = read.projects.iter().map(|one| &*one.key).collect();
            self.marked.retain(|key| there.contains(&**key));
            // Rows tell a project by its place in what was read before.
            let keys = self.keys_near_cursor();
            self.read = Some(read);
            self.build(&keys);
            if !self.stale {
                self.gone_to.clear();
            }
        }
    }

    /// The cursor goes to a project, at once or when it is listed next.
    pub fn seek(&mut self, key: &str) {
        self.gone_to = vec![key.to_string()];
        let is_it = |row: &ProjectRow| self.project(*row).is_some_and(|one| one.key == key);
        if let Some(at) = self.rows.iter().position(is_it) {
            self.list.go(at, self.rows.len());
        }
    }

    /// Notes the paths that a change touched: a project that it moved is followed there.
    pub fn follow(&mut self, touched: &[PathBuf]) {
        let Some(projects) = self.chosen().and_then(|one| one.folder.parent()) else {
            return;
        };
        let key_of = |path: &PathBuf| {
            let first = path.strip_prefix(projects).ok()?.components().next()?;
            Some(first.as_os_str().to_string_lossy().into_owned())
        };
        self.gone_to = touched.iter().filter_map(key_of).collect();
    }

    /// The keys of the rows that the cursor may go to, the best first: its own, where its project went,
    /// those below, those above.
    fn keys_near_cursor(&self) -> Vec<String> {
        let key = |row: &ProjectRow| Some(self.project(*row)?.key.clone());
        let (above, below) = self.rows.split_at(self.list.cursor.min(self.rows.len()));
        let own = below.first().and_then(key);
        let mut keys: Vec<String> = own.into_iter().chain(self.gone_to.clone()).collect();
        keys.extend(below.iter().skip(1).filter_map(key));
        keys.extend(above.iter().rev().filter_map(key));
        keys
    }

    /// The repository that a project is a worktree of.
    #[must_use]
    pub fn repository(&self, one: &Project) -> Option<&Repository> {
        self.read.as_ref()?.repositories.get(&one.key)
    }

    /// Whether it is a worktree that can be folded in, or the repository of such.
    #[must_use]
    pub fn folds_in(&self, one: &Project) -> bool {
        let read = self.read.iter();
        let mut all = read.flat_map(|read| &read.repositories);
        all.any(|(key, of)| of.folds_in && (*key == one.key || of.key == one.key))
    }

    /// What switches memory on or off in the folder that a project is about, if that is there.
    #[must_use]
    pub fn switch(&self, one: &Project) -> Option<&[Said]> {
        Some(self.read.as_ref()?.switches.get(&one.key)?)
    }

    /// How many there are of an origin.
    #[must_use]
    pub fn count(&self, origin: Origin) -> usize {
        let read = self.read.iter().flat_map(|read| &read.projects);
        read.filter(|one| one.origin == origin).count()
    }

    /// Lists anew; the cursor goes to the first of these keys that is listed.
    fn build(&mut self, keys: &[String]) {
        let Some(read) = &self.read else { return };
        let all = &read.projects;
        let query = Query::new(&self.filter);
        let holds = |at: &usize| {
            let one = &all[*at];
            let path = one.path.as_deref().map(Path::to_string_lossy);
            let path = path.unwrap_or_default();
            self.filter.trim().is_empty()
                || query.stands_in([&*one.key, &*path, one.origin.word()].into_iter())
        };
        let mut order: Vec<usize> = (0..all.len()).filter(holds).collect();
        match self.sort {
            ProjectSort::Origin => {
                order.sort_by_key(|at| (urgency(all[*at].origin), Reverse(all[*at].last_used())));
            }
            ProjectSort::Used => order.sort_by_key(|at| Reverse(all[*at].last_used())),
            ProjectSort::Memories => {
                order.sort_by_key(|at| Reverse(all[*at].census.memories.len()));
            }
            ProjectSort::Size => order.sort_by_key(|at| Reverse(all[*at].census.bytes)),
            ProjectSort::Path => order
                .sort_by(|a, b| (&all[*a].path, &all[*a].key).cmp(&(&all[*b].path, &all[*b].key))),
        }
        let is_head = |at: &usize| all[*at].memory_key == all[*at].key;
        let (heads, mut members): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_head);
        let mut rows = Vec::new();
        let row = |is_member| move |at| ProjectRow { at, is_member };
        for head in heads {
            rows.push(row(false)(head));
            let key = &all[head].key;
            let own = members.extract_if(.., |at| all[*at].memory_key == *key);
            rows.extend(own.map(row(true)));
        }
        // Those whose repository is not listed stand by themselves.
        rows.extend(members.into_iter().map(row(false)));
        let at_of = |key: &String| rows.iter().position(|row| all[row.at].key == *key);
        let at = keys.iter().find_map(at_of);
        self.rows = rows;
        self.list
            .go(at.unwrap_or(self.list.cursor), self.rows.len());
    }

    /// Tells what is known of the chosen project, wrapped to so many cells.
    pub fn turn_to(&mut self, cells: usize, now: Moment, home: &Path) {
        self.cells = cells;
        let said = self.chosen().zip(self.read.as_ref());
        let said = said.map(|(one, read)| facts(one, read, now));
        let short = |said: String| display::homely(&said, home);
        let said: Vec<String> = said.unwrap_or_default().into_iter().map(short).collect();
        self.detail = said
            .iter()
            .flat_map(|said| {
                let safe = display::line(said).into_owned();
                let pieces = text::wrap(&safe, cells.max(10));
                let pieces = pieces.into_iter().map(|piece| safe[piece].to_string());
                pieces.collect::<Vec<_>>()
            })
            .collect();
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.detail_rows = self.detail.len().min(MOST_DETAIL).min(height / 2);
        let rule = usize::from(self.detail_rows > 0);
        self.height = height.saturating_sub(self.detail_rows + rule + 1);
        self.list.settle(self.rows.len(), self.height);
    }
}

/// What wants something done comes first.
fn urgency(origin: Origin) -> u8 {
    match origin {
        Origin::Moved => 0,
        Origin::Orphaned => 1,
        Origin::Ambiguous => 2,
        Origin::Unknown => 3,
        Origin::Live | Origin::Worktree => 4,
    }
}

/// Who decides whether memory is on.
fn switched(said: &[Said]) -> String {
    let word = |one: &Said| if one.on { "on" } else { "off" };
    let Some(first) = said.first() else {
        return "memory on · nothing says otherwise".to_string();
    };
    let firm = match first.is_stronger_than_local() {
        true => ", which your settings of the project can't change",
        false => "",
    };
    let weaker = said[1..].iter().map(|one| {
        let (on, by) = (word(one), &one.by);
        format!(" · weaker: {on} by {by}")
    });
    let weaker: String = weaker.collect();
    format!("memory {} by {}{firm}{weaker}", word(first), first.by)
}

/// What is known of a project: whether a session is there and memory on, its evidence, where it may be
/// now, what a person should know.
fn facts(one: &Project, read: &ProjectList, now: Moment) -> Vec<String> {
    // What is wrong stands first: there may be room for little.
    let mut said = match (one.origin, &one.path) {
        (Origin::Orphaned | Origin::Moved, Some(path)) => {
            let (word, path) = (one.origin.word(), path.display());
            vec![format!("{word} · folder missing: {path}")]
        }
        _ => vec![format!("{} · {}", one.origin.word(), one.key)],
    };
    for candidate in one.candidates.iter().take(3) {
        let path = candidate.path.display();
        said.push(format!(
            "→ {path} · {}% · {}",
            candidate.score, candidate.why
        ));
    }
    let notes = one.notes.iter().filter(|note| *note != "folder missing");
    said.extend(notes.cloned());
    if let Some(seconds) = one.at_work(SESSION_SECONDS, now) {
        said.push(format!(
            "a session may be live here: it wrote {seconds} s ago"
        ));
    }
    said.extend(read.switches.get(&one.key).map(|said| switched(said)));
    if let Some(of) = read.repositories.get(&one.key).filter(|of| of.folds_in) {
        let gone = match one.origin {
            Origin::Worktree => "",
            _ => " that is gone",
        };
        said.push(format!(
            "a worktree of {}{gone}: what it holds can be folded in",
            of.root.display()
        ));
    }
    for claim in one.evidence.iter().take(4) {
        let sessions = match claim.sessions.len() {
            0 => String::new(),
            1 => " (1 session)".to_string(),
            many => format!(" ({many} sessions)"),
        };
        said.push(format!(
            "{}: {} is {}{sessions}",
            claim.source.word(),
            claim.path.display(),
            claim.standing.word()
        ));
    }
    if one.evidence.len() > 4 {
        said.push(format!("… and {} claims more", one.evidence.len() - 4));
    }
    if let Some(days) = one.days_left(read.keep_days, now) {
        said.push(match days {
            0 => "its newest session may be cleaned up any day: then no transcript proves its path"
                .to_string(),
            1 => "its newest session is kept for a day more: then no transcript proves its path"
                .to_string(),
            days => format!(
                "its newest session is kept for {days} days more: then no transcript proves its path"
            ),
        });
    }
    if matches!(one.origin, Origin::Orphaned | Origin::Moved) {
        said.push(format!("key: {}", one.key));
    }
    said
}

#[cfg(test)]
#[path = "projects_view_tests.rs"]
mod tests;
