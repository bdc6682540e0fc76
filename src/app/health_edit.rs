//! Health's findings put right: one, or all of a code, after a look; and the way to where they are.

use std::path::PathBuf;

use crate::app::action::Action;
use crate::app::change::Doing;
use crate::app::layout::Pane;
use crate::app::message::{Effect, Wanted};
use crate::app::reading::Subject;
use crate::app::{App, Tab};
use crate::health::{Code, Finding, Fix};
use crate::memory::file::{Page, State};
use crate::memory::scan::INDEX_FILE;

impl App {
    /// Has the current project examined where the view lacks it.
    pub(super) fn examine(&mut self, effects: &mut Vec<Effect>) {
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        self.health.turn_to(cells);
        if self.tab != Tab::Health {
            return;
        }
        let id = self.next_id();
        let Some(state) = self.tree.current() else {
            return;
        };
        if state.contents.is_some() && self.health.wants(state, id) {
            let shelf = state.shelf.clone();
            effects.push(Effect::Examine { id, shelf });
        }
    }

    /// Opens what a finding is about.
    pub(super) fn open_finding(&mut self) {
        let Some(finding) = self.health.finding() else {
            self.say("a code: its findings stand below");
            return;
        };
        let path = finding.path.clone();
        let Some(folder) = self.current_folder() else {
            return;
        };
        if path.ends_with(INDEX_FILE) {
            self.tab = Tab::Index;
        } else if self.tree.reveal(&folder, &path) {
            self.tab = Tab::Memory;
        } else {
            self.say("its file is not among the memories");
        }
    }

    pub(super) fn current_folder(&self) -> Option<PathBuf> {
        self.tree.current().map(|state| state.shelf.folder.clone())
    }

    /// What `f` would mend: the finding under the cursor, or the only one of the code there.
    pub(super) fn fixes_here(&self) -> Vec<Finding> {
        let chosen: Vec<&Finding> = match (self.health.finding(), self.health.code()) {
            (Some(finding), _) => vec![finding],
            (None, Some(code)) => self.of_code(code),
            (None, None) => Vec::new(),
        };
        match chosen.as_slice() {
            [one] if one.fix.is_some() => vec![(*one).clone()],
            _ => Vec::new(),
        }
    }

    fn of_code(&self, code: Code) -> Vec<&Finding> {
        let all = self.health.findings().iter();
        all.filter(|one| one.code == code).collect()
    }

    /// Shows what mends the worst of the memory that is shown.
    pub(super) fn mend(&mut self, effects: &mut Vec<Effect>) {
        let Some(at) = self.chosen_memory() else {
            return;
        };
        if self.drafts.contains(&at.path()) {
            self.say("it has a draft: save or discard that first (e)");
            return;
        }
        let title = format!("mend {}{}", at.file, self.hint(Action::Undo, "undoes it"));
        let wishes = vec![(at.folder, Wanted::Mend(at.file))];
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Whether the memory that is shown has something that `f` may mend.
    pub(super) fn may_be_mended(&self) -> bool {
        let Subject::Page(shown) = self.subject() else {
            return false;
        };
        let faulty = |page: &Page| !page.front.faults.is_empty();
        let state = shown.entry.as_ref().map(|entry| entry.state);
        shown.page.as_ref().is_ok_and(|page| faulty(page))
            || matches!(state, Some(State::Broken | State::Ghost | State::NoType))
    }

    /// Shows what mends the finding under the cursor.
    pub(super) fn fix_one(&mut self, effects: &mut Vec<Effect>) {
        let fixes = self.fixes_here();
        let several = |code| {
            self.of_code(code)
                .iter()
                .filter(|it| it.fix.is_some())
                .count()
        };
        match (self.health.finding(), self.health.code().map(several)) {
            (None, Some(2..)) => self.say("F fixes all of this kind, f the finding that it is on"),
            _ => self.fix(fixes, effects),
        }
    }

    /// Shows what mends all findings of the code under the cursor.
    pub(super) fn fix_all(&mut self, effects: &mut Vec<Effect>) {
        let Some(code) = self.health.code() else {
            self.say("nothing to fix");
            return;
        };
        let all = self.of_code(code).into_iter();
        let findings = all.filter(|one| one.fix.is_some()).cloned().collect();
        self.fix(findings, effects);
    }

    fn fix(&mut self, findings: Vec<Finding>, effects: &mut Vec<Effect>) {
        let fixes: Vec<&Finding> = findings.iter().filter(|one| one.fix.is_some()).collect();
        let title = match fixes.as_slice() {
            [] => {
                self.say("no fix without a guess: the sentence says what to do");
                return;
            }
            [one] => one.fix.as_ref().map(Fix::sentence).unwrap_or_default(),
            [first, ..] => format!("{} of {}", fixes.len(), first.code.word()),
        };
        let Some(folder) = self.current_folder() else {
            return;
        };
        let wishes: Vec<_> = findings
            .into_iter()
            .map(|finding| (folder.clone(), Wanted::Fix(Box::new(finding))))
            .collect();
        let doing = Doing::Reviewing {
            title: format!("{title}{}", self.hint(Action::Undo, "undoes it")),
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }
}
