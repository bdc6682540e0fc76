//! The Health view as a model: the findings of the current project or of all, gathered by code, and what
//! mends them. Knows nothing of how they are found.

use std::path::{Path, PathBuf};

use crate::agents::Shelf;
use crate::app::health_sweep::{KEPT, Progress, Sweep, Swept, Tally, Touched};
use crate::app::list::List;
use crate::app::tree::ShelfState;
use crate::base::{display, text};
use crate::health::{Code, Counts, Finding, Severity, in_order};
use crate::memory::search::Query;

/// Findings of a code that are listed of all projects, and where words leave only a few codes.
const LISTED: usize = 200;
const LISTED_OF_FEW: usize = KEPT;

/// A row of the view. Numbers are positions in the findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthRow {
    /// Nothing to list: a sentence.
    None(&'static str),
    /// So many more of the code above are not listed.
    More(Code, usize),
    /// The findings of a code follow.
    Code {
        code: Code,
        severity: Severity,
        count: usize,
        fixes: usize,
    },
    Finding(usize),
    /// A part of the sentence of the finding above.
    Sentence(usize, String),
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct HealthView {
    rows: Vec<HealthRow>,
    findings: Vec<Finding>,
    /// The folder and the reading of it that the findings are of.
    source: Option<(PathBuf, u64)>,
    /// The id of the answer that they came with.
    answer: Option<u64>,
    /// It must be examined again all the same.
    anew: bool,
    /// What is being examined: the id of the answer, and its source.
    awaited: Option<(u64, (PathBuf, u64))>,
    /// All projects are looked at, not the current one.
    sweep: Option<Sweep>,
    /// What a change that is under way touches, and what one that is made has touched.
    touching: Option<Touched>,
    touched: Option<Touched>,
    /// Words that narrow it to some codes, as they were typed.
    filter: String,
    /// Findings that the words leave.
    listed: usize,
    cells: usize,
    height: usize,
    pub list: List,
}

impl HealthView {
    #[must_use]
    pub fn rows(&self) -> &[HealthRow] {
        &self.rows
    }

    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// How many there are of a folder, if it was examined.
    #[must_use]
    pub fn counts(&self, folder: &Path) -> Option<Counts> {
        let (of, _) = self.source.as_ref()?;
        (of == folder).then(|| Counts::of(&self.findings))
    }

    /// The finding under the cursor.
    #[must_use]
    pub fn finding(&self) -> Option<&Finding> {
        match self.rows.get(self.list.cursor)? {
            HealthRow::Finding(at) | HealthRow::Sentence(at, _) => self.findings.get(*at),
            HealthRow::None(_) | HealthRow::Code { .. } | HealthRow::More(..) => None,
        }
    }

    /// The code under the cursor.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self.rows.get(self.list.cursor)? {
            HealthRow::Code { code, .. } | HealthRow::More(code, _) => Some(*code),
            HealthRow::Finding(_) | HealthRow::Sentence(..) => self.finding().map(|it| it.code),
            HealthRow::None(_) => None,
        }
    }

    /// The look at all projects, where that is what is shown.
    #[must_use]
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweep.as_ref()
    }

    /// Whether all projects are being looked at right now.
    #[must_use]
    pub fn is_sweeping(&self) -> bool {
        let progress = self.sweep.as_ref().map(|sweep| sweep.progress);
        progress == Some(Progress::Running)
    }

    /// The words that narrow it; empty: all is listed.
    #[must_use]
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Findings that are listed, or would be with room, and all there are.
    #[must_use]
    pub fn shown(&self) -> (usize, usize) {
        let all = self.sweep.as_ref().map(Sweep::count);
        (self.listed, all.unwrap_or(self.findings.len()))
    }

    /// Lists only findings whose code, severity or meaning holds all words.
    pub fn narrow(&mut self, text: &str) {
        if self.filter != text {
            self.filter = text.to_string();
            self.rebuild();
        }
    }

    /// Turns to all projects; the answers bear `id`.
    pub fn begin_sweep(&mut self, id: u64) {
        self.sweep = Some(Sweep::new(id));
        self.source = None;
        self.awaited = None;
        self.findings.clear();
        self.list = List::default();
        self.build();
    }

    /// Turns back to the current project, which must be looked at again.
    pub fn end_sweep(&mut self) {
        self.sweep = None;
        self.findings.clear();
        self.list = List::default();
        self.rows = vec![HealthRow::None("looking …")];
    }

    /// What was not looked at yet is left out.
    pub fn stop_sweep(&mut self) {
        if let Some(sweep) = &mut self.sweep {
            sweep.progress = Progress::Stopped;
        }
    }

    /// Takes a part of what a sweep found; one that is not awaited is dropped.
    pub fn take_swept(&mut self, id: u64, swept: Swept, done: bool) {
        let Some(sweep) = self.sweep.as_mut().filter(|sweep| sweep.id == id) else {
            return;
        };
        if sweep.progress == Progress::Stopped {
            return;
        }
        if done {
            sweep.progress = Progress::Done;
        }
        let found = sweep.take(swept);
        self.findings.extend(found);
        self.rebuild();
    }

    /// Notes what a change touches that is about to be made.
    pub fn touch(&mut self, touched: Touched) {
        self.touching = Some(match self.touching.take() {
            Some(before) => before.and(touched),
            None => touched,
        });
    }

    /// A change was made: what it touched is no longer as it was seen.
    pub fn outdate(&mut self) {
        if self.sweep.is_none() {
            self.touching = None;
        }
        if let Some(touching) = self.touching.take() {
            self.touched = Some(match self.touched.take() {
                Some(before) => before.and(touching),
                None => touching,
            });
        }
    }

    /// What must be looked at again of a sweep, once.
    pub fn due(&mut self) -> Option<Touched> {
        self.touched.take().filter(|_| self.sweep.is_some())
    }

    /// A shelf of the sweep is looked at again as `id`; its shelf, if it had findings.
    pub fn look_again(&mut self, folder: &Path, id: u64) -> Option<Shelf> {
        let sweep = self.sweep.as_mut()?;
        let shelf = sweep.shelf_at(folder)?.clone();
        sweep.again.insert(id, shelf.key.clone());
        Some(shelf)
    }

    /// Has the current project examined again: ages grow though no file changes. What was found
    /// stays listed until then.
    pub fn look_anew(&mut self) {
        self.anew = true;
    }

    /// Whether a shelf must be examined for the view to be true; notes that it will be, as `id`.
    pub fn wants(&mut self, state: &ShelfState, id: u64) -> bool {
        if self.sweep.is_some() {
            return false;
        }
        let source = (state.shelf.folder.clone(), state.stamp);
        let awaited = self.awaited.as_ref().map(|(_, source)| source);
        let anew = std::mem::take(&mut self.anew);
        let is_known = self.source.as_ref() == Some(&source) && !anew;
        if is_known || awaited == Some(&source) {
            return false;
        }
        let is_other = self.source.as_ref().is_none_or(|(of, _)| *of != source.0);
        if is_other {
            self.source = None;
            self.findings.clear();
            self.list = List::default();
            self.rows = vec![HealthRow::None("looking …")];
        }
        self.awaited = Some((id, source));
        true
    }

    /// Takes what was found; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, findings: Vec<Finding>) {
        if let Some(sweep) = &mut self.sweep {
            if let Some(key) = sweep.again.remove(&id) {
                sweep.untold.insert(id, key.clone());
                self.findings.retain(|finding| finding.project != key);
                self.findings.extend(sweep.replace(&key, findings));
                self.rebuild();
            }
            return;
        }
        let Some((_, source)) = self.awaited.take_if(|(awaited, _)| *awaited == id) else {
            return;
        };
        let chosen = self.finding().cloned();
        // What sessions told stays until they tell it anew.
        let told = std::mem::take(&mut self.findings).into_iter();
        let is_same = self.source.as_ref().is_some_and(|(of, _)| *of == source.0);
        let told = told.filter(|one| is_same && one.code.is_told_later());
        self.findings = findings.into_iter().chain(told).collect();
        in_order(&mut self.findings);
        self.source = Some(source);
        self.answer = Some(id);
        self.build();
        self.go_back_to(chosen);
    }

    /// Takes what sessions tell of a shelf that was examined; what is not of the last look at it is dropped.
    pub fn take_told(&mut self, id: u64, findings: Vec<Finding>) {
        if let Some(sweep) = &mut self.sweep {
            if let Some(key) = sweep.untold.remove(&id) {
                self.findings.extend(sweep.tell(&key, findings));
                self.rebuild();
            }
            return;
        }
        if self.answer != Some(id) || self.source.is_none() {
            return;
        }
        let chosen = self.finding().cloned();
        self.findings.retain(|one| !one.code.is_told_later());
        self.findings.extend(findings);
        in_order(&mut self.findings);
        self.build();
        self.go_back_to(chosen);
    }

    fn rebuild(&mut self) {
        let chosen = self.finding().cloned();
        if self.sweep.is_some() {
            self.findings.sort_by(|a, b| {
                let kind = |one: &Finding| (one.severity, one.code);
                kind(a)
                    .cmp(&kind(b))
                    .then_with(|| a.project.cmp(&b.project))
                    .then_with(|| a.path.cmp(&b.path))
                    .then_with(|| a.line.cmp(&b.line))
            });
        }
        self.build();
        self.go_back_to(chosen);
    }

    /// The cursor stays on its finding, else near where it was.
    fn go_back_to(&mut self, chosen: Option<Finding>) {
        let at = chosen.and_then(|chosen| {
            self.rows.iter().position(|row| {
                matches!(row, HealthRow::Finding(at) if {
                    let one = &self.findings[*at];
                    (one.code, &one.project, &one.path, one.line)
                        == (chosen.code, &chosen.project, &chosen.path, chosen.line)
                })
            })
        });
        let to = at.unwrap_or(self.list.cursor);
        self.list.go(to, self.rows.len());
        self.step(0);
    }

    /// Wraps sentences anew at another width.
    pub fn turn_to(&mut self, cells: usize) {
        if self.cells != cells {
            self.cells = cells;
            if self.source.is_some() || self.sweep.is_some() {
                self.build();
            }
        }
    }

    fn build(&mut self) {
        self.rows.clear();
        self.listed = 0;
        let query = Query::new(&self.filter);
        // What is listed of each code: rows of all projects' findings would be built for long.
        let most = match (&self.sweep, query.is_empty()) {
            (None, _) => usize::MAX,
            (Some(_), true) => LISTED,
            (Some(_), false) => LISTED_OF_FEW,
        };
        let mut at = 0;
        let same = |a: &Finding, b: &Finding| (a.code, a.severity) == (b.code, b.severity);
        for group in self.findings.chunk_by(same) {
            let (code, severity) = (group[0].code, group[0].severity);
            let first = at;
            at += group.len();
            let words = [code.word(), code.what(), severity.word()];
            if !query.stands_in(words.into_iter()) {
                continue;
            }
            let Tally { count, fixes } = match &self.sweep {
                Some(sweep) => sweep.tally((severity, code)),
                None => Tally {
                    count: group.len(),
                    fixes: group.iter().filter(|one| one.fix.is_some()).count(),
                },
            };
            self.listed += count;
            self.rows.push(HealthRow::Code {
                code,
                severity,
                count,
                fixes,
            });
            for (at, finding) in (first..).zip(group.iter().take(most)) {
                self.rows.push(HealthRow::Finding(at));
                let safe = display::line(&finding.message).into_owned();
                let pieces = text::wrap(&safe, self.cells.saturating_sub(6).max(10));
                let pieces = pieces.into_iter().map(|piece| safe[piece].to_string());
                self.rows
                    .extend(pieces.map(|piece| HealthRow::Sentence(at, piece)));
            }
            let listed = group.len().min(most);
            if count > listed {
                self.rows.push(HealthRow::More(code, count - listed));
            }
        }
        if self.rows.is_empty() {
            self.rows.push(HealthRow::None(self.nothing()));
        }
    }

    /// Why nothing is listed.
    fn nothing(&self) -> &'static str {
        let progress = self.sweep.as_ref().map(|sweep| sweep.progress);
        match (self.findings.is_empty(), progress) {
            (false, _) => "No finding is of that code.",
            (true, Some(Progress::Running)) => "looking …",
            (true, Some(Progress::Stopped)) => "Nothing found so far.",
            (true, Some(Progress::Done)) => "Nothing found: all is well everywhere.",
            (true, None) => "Nothing found: all is well here.",
        }
    }

    /// Moves by so many findings and codes; `false` if it was at that end.
    pub fn step(&mut self, by: isize) -> bool {
        let is_stop = |row: &HealthRow| !matches!(row, HealthRow::Sentence(..));
        let stops: Vec<usize> = (0..self.rows.len())
            .filter(|at| is_stop(&self.rows[*at]))
            .collect();
        let here = stops
            .partition_point(|at| *at <= self.list.cursor)
            .saturating_sub(1);
        let to = here
            .saturating_add_signed(by)
            .min(stops.len().saturating_sub(1));
        let Some(row) = stops.get(to) else {
            return false;
        };
        let moved = *row != self.list.cursor;
        self.list.cursor = *row;
        moved
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
    }
}

#[cfg(test)]
#[path = "health_view_tests.rs"]
mod tests;
