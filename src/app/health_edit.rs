//! Health's findings put right: one, or all of a code, after a look; and the way to where they are.

use std::path::{Path, PathBuf};

use crate::app::action::Action;
use crate::app::doing::Doing;
use crate::app::health_sweep::Touched;
use crate::app::layout::Pane;
use crate::app::message::{Effect, Wanted};
use crate::app::reading::Subject;
use crate::app::tree::FileAt;
use crate::app::{App, Tab};
use crate::base::display;
use crate::health::{Code, Finding, Fix};
use crate::memory::file::{Page, State};
use crate::memory::scan::INDEX_FILE;

/// Findings of all projects that are mended at once: a person looks at each first.
const FIXED_AT_ONCE: usize = 200;

impl App {
    /// Has the current project examined where the view lacks it.
    pub(super) fn examine(&mut self, effects: &mut Vec<Effect>) {
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        self.health.turn_to(cells);
        if self.tab != Tab::Health {
            return;
        }
        match self.health.due() {
            Some(Touched::Anything) => self.sweep(effects),
            Some(Touched::Folders(folders)) => {
                for folder in folders {
                    let id = self.next_id();
                    match self.health.look_again(&folder, id) {
                        Some(shelf) => effects.push(Effect::Examine { id, shelf }),
                        // It had no finding: where it lies in the list is not known.
                        None => return self.sweep(effects),
                    }
                }
            }
            None => {}
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

    /// Shows the findings of all projects, or of the current one again.
    pub(super) fn toggle_all(&mut self, effects: &mut Vec<Effect>) {
        if self.health.sweep().is_some() {
            effects.push(Effect::StopExamining);
            self.health.end_sweep();
        } else {
            self.sweep(effects);
        }
    }

    /// Looks at all projects from the beginning.
    pub(super) fn sweep(&mut self, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.health.begin_sweep(id);
        effects.push(Effect::ExamineAll { id });
    }

    /// The memory folder that a finding is in.
    fn folder_of(&self, finding: &Finding) -> Option<PathBuf> {
        match self.health.sweep() {
            Some(sweep) => sweep.shelf(finding).map(|shelf| shelf.folder.clone()),
            None => self.current_folder(),
        }
    }

    pub(super) fn show_health(&mut self) {
        self.health.look_anew();
        self.show(Tab::Health);
    }

    /// Opens what a finding is about.
    pub(super) fn open_finding(&mut self) {
        let Some(finding) = self.health.finding() else {
            self.say("no finding on this line: those of a code stand below it");
            return;
        };
        let path = finding.path.clone();
        if path.starts_with('/') {
            if self.tree.reveal_rule(Path::new(&path)) {
                self.tab = Tab::Memory;
                return;
            }
            let file = display::line(&path).into_owned();
            self.say(format!(
                "a rules file, no memory: open it in an editor: {file}"
            ));
            return;
        }
        let Some(folder) = self.folder_of(finding) else {
            return;
        };
        // It is about the project's folder, or about its sessions.
        if Code::BY_FOLDER.contains(&finding.code) {
            let key = finding.project.clone();
            self.show_projects();
            self.projects.seek(&key);
            return;
        }
        let is_of_project = path.is_empty();
        let is_other = self.current_folder().as_ref() != Some(&folder);
        if is_other && !self.tree.go_to_shelf(&folder) {
            self.say("its project is not listed yet: a moment");
            return;
        }
        if is_of_project {
            self.sessions.all = false;
            self.tab = Tab::Sessions;
            return;
        }
        let is_read = self
            .tree
            .shelf(&folder)
            .is_some_and(|it| it.contents.is_some());
        if path.ends_with(INDEX_FILE) {
            self.tab = Tab::Index;
        } else if !is_read {
            // The tree goes there as soon as the shelf is read.
            self.reveal = Some(FileAt { folder, file: path });
            self.tab = Tab::Memory;
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
        if self.rule_here().is_some() {
            return false;
        }
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
        let fixable = all.filter(|one| one.fix.is_some());
        let findings = fixable.take(FIXED_AT_ONCE).cloned().collect();
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
        let wishes: Vec<_> = findings
            .into_iter()
            .filter_map(|finding| {
                let folder = self.folder_of(&finding)?;
                Some((folder, Wanted::Fix(Box::new(finding))))
            })
            .collect();
        let doing = Doing::Reviewing {
            title: format!("{title}{}", self.undo_hint(wishes.len())),
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }
}

#[cfg(test)]
#[path = "health_edit_tests.rs"]
mod tests;
