//! Promote and demote: a memory that becomes a line of a rules file, a rule that becomes a memory. Each
//! is shown first, with what it costs.

use std::path::{Path, PathBuf};

use crate::agents::rules::{Places, RuleFile, RuleState, layer_word};
use crate::app::App;
use crate::app::action::Action;
use crate::app::ask::{NAME_HINT, stem};
use crate::app::dialog::{Answer, Choice, Prompt, Purpose, RulePart};
use crate::app::doing::Doing;
use crate::app::editor::form::TYPES;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Effect, Wanted};
use crate::app::overlay::Overlay;
use crate::app::rules_edit::locked;
use crate::app::tree::FileAt;
use crate::base::time::grouped;
use crate::base::tokens;
use crate::instructions::Layer;
use crate::memory::file::MemoryType;
use crate::memory::proposal::{self, Demotion, Proposal, Target, Wish};

impl App {
    /// The memory under the cursor, if it is one.
    pub(super) fn memory_here(&self) -> Option<FileAt> {
        let row = self.tree.row()?;
        self.tree.memory(row)?;
        self.tree.file(row)
    }

    /// Whether a path is one that rules are read from: no project comes or goes with it.
    pub(super) fn is_place_of_rules(&self, path: &Path) -> bool {
        let lists = self.tree.shelves().iter();
        let mut lists = lists.filter_map(|state| state.rules.as_ref());
        lists.any(|rules| {
            let places = &rules.places;
            let own = [&places.user, &places.project, &places.local];
            own.iter().any(|own| *own == path)
                || path.starts_with(&places.user_rules)
                || path.starts_with(&places.project_rules)
                || rules
                    .files
                    .iter()
                    .any(|it| it.path == path || it.real == path)
        })
    }

    /// Asks what is to be known before a memory becomes a rule, or a rule a memory.
    pub(super) fn ask_other_kind(&mut self, action: Action) {
        match action {
            Action::Promote => self.ask_target(),
            _ => self.ask_part(),
        }
    }

    /// Asks which rules file the chosen memory shall become a line of.
    pub(super) fn ask_target(&mut self) {
        let Some(at) = self.chosen_memory() else {
            return;
        };
        if self.drafts.contains(&at.path()) {
            self.say("it has a draft: save or discard that first (e)");
            return;
        }
        let Some(rules) = self.rules_here() else {
            self.say("the rules of this project are not known: its folder is not, or they are still being read");
            return;
        };
        let takes = |file: &&RuleFile| {
            let is_read = match file.state {
                RuleState::Sent | RuleState::Waits { .. } => true,
                RuleState::LeftOut { .. } => false,
            };
            is_read && file.is_ours()
        };
        let there = rules.files.iter().filter(takes).map(|file| {
            let waits = match file.state {
                RuleState::Waits { .. } => ", waits for its paths",
                RuleState::Sent | RuleState::LeftOut { .. } => "",
            };
            let size = format!("≈ {} tokens", grouped(file.tokens));
            let layer = layer_word(file.layer);
            (file.path.clone(), format!("{layer}{waits} · {size}"))
        });
        let own = [
            (&rules.places.user, "user"),
            (&rules.places.project, "project"),
            (&rules.places.local, "local"),
        ];
        let lacking = own
            .into_iter()
            .filter(|(path, _)| !rules.files.iter().any(|it| it.path == **path && takes(&it)))
            .map(|(path, layer)| (path.clone(), format!("{layer} · begun with it")));
        let answers = there.chain(lacking).map(|(to, says)| {
            let label = format!("{} · {says}", rules.places.title(&to));
            (label, Answer::Promote { at: at.clone(), to })
        });
        let answers = answers.collect();
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("promote {}", stem(&at.file)),
            lines: vec!["into which rules file? what it costs is shown next".to_string()],
            answers,
            list: List::default(),
        }));
    }

    /// Sees what promoting a memory comes to.
    pub(super) fn promote(&mut self, at: FileAt, to: PathBuf, effects: &mut Vec<Effect>) {
        let Some(rules) = self.rules_here() else {
            return;
        };
        let cwd = project_of(&rules.places);
        let title = rules.places.title(&to);
        let every_project =
            to == rules.places.user || rules.at(&to).is_some_and(|it| it.layer == Layer::User);
        let heading = format!("promote {} to {title}{}", stem(&at.file), self.undo_hint(1));
        let outside = rules.leads_out(&to);
        let wish = Wish::Promote {
            cwd,
            path: at.file,
            target: Target {
                to,
                title,
                every_project,
                outside,
                seen: None,
            },
        };
        let wishes = vec![(at.folder, Wanted::Wish(wish))];
        let doing = Doing::Reviewing {
            title: heading,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Asks which part of the rule under the cursor shall become a memory.
    pub(super) fn ask_part(&mut self) {
        let Some(rule) = self.rule_here().cloned() else {
            self.say("a rule is demoted: the cursor is on none");
            return;
        };
        let said = match &rule.state {
            RuleState::LeftOut { why, .. } => Some(format!("{} {}", rule.title, why.sentence())),
            RuleState::Sent | RuleState::Waits { .. } => locked(&rule),
        };
        if let Some(said) = said {
            self.say(said);
            return;
        }
        if self.drafts.contains(&rule.real) {
            self.say("it has a draft: save or discard that first (e)");
            return;
        }
        let shown = self.reading.shown();
        let page = shown
            .filter(|shown| shown.path == rule.path)
            .and_then(|shown| shown.page.as_ref().ok())
            .filter(|page| !page.lossy);
        let (Some(page), Some(state)) = (page, self.tree.current()) else {
            self.say(format!("{} is not read yet, or is no text", rule.title));
            return;
        };
        let text = page.text.trim_start_matches('\u{FEFF}');
        let notes = self.left_imports(&rule);
        let part = |lines: Option<(usize, usize)>, text: &str, name: &str| RulePart {
            folder: state.shelf.folder.clone(),
            rule: rule.path.clone(),
            title: rule.title.clone(),
            lines,
            text: text.to_string(),
            name: proposal::slug(name).unwrap_or_default(),
            notes: match lines {
                None => notes.clone(),
                Some(_) => Vec::new(),
            },
        };
        let label = |what: &str, tokens: usize| format!("{what} · ≈ {} tokens", grouped(tokens));
        let body = text.get(page.front.body..).unwrap_or_default();
        let whole = part(None, body, stem(&rule.title));
        let mut answers = vec![(
            label("the whole file", rule.tokens),
            Answer::AskName(Box::new(whole)),
        )];
        for section in proposal::sections(text) {
            if let Some(said) = proposal::lines_of(text, section.lines) {
                let (first, last) = section.lines;
                let what = format!("{} (lines {first}–{last})", section.heading);
                let part = part(Some(section.lines), said, &section.heading);
                let tokens = tokens::estimate(said);
                answers.push((label(&what, tokens), Answer::AskName(Box::new(part))));
            }
        }
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("demote {}", rule.title),
            lines: vec!["which part becomes a memory?".to_string()],
            answers,
            list: List::default(),
        }));
    }

    /// The lines that would import nothing without a rule: a sentence each.
    pub(super) fn left_imports(&self, rule: &RuleFile) -> Vec<String> {
        let rules = self.rules_here().into_iter();
        let edges = rules.flat_map(|rules| {
            let edges = rules.importers_of(&rule.path);
            edges.map(|edge| (rules.places.title(&edge.from), edge.line))
        });
        edges
            .map(|(from, line)| format!("line {line} of {from} imports it and will find nothing"))
            .collect()
    }

    /// Asks for the name of the memory that a part of a rule becomes.
    pub(super) fn ask_memory_name(&mut self, part: Box<RulePart>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: "the memory's name".to_string(),
            hint: NAME_HINT,
            field: Field::of(&part.name),
            said: None,
            purpose: Purpose::Demote(part),
        }));
    }

    /// Asks for its type.
    pub(super) fn ask_kind(&mut self, part: Box<RulePart>, name: &str) {
        if let Err(error) = proposal::slug(name) {
            self.ask_memory_name(part);
            if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
                prompt.field = Field::of(name);
                prompt.said = Some(error.to_string());
            }
            return;
        }
        let answers = TYPES.map(|word| {
            let kind = MemoryType::of_word(word);
            let (part, name) = (part.clone(), name.to_string());
            (word.to_string(), Answer::Demote { part, name, kind })
        });
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("the type of {name}"),
            lines: vec![
                "user: who you are · feedback: how to work · project: what is so here · reference: where it stands".to_string(),
            ],
            answers: answers.into_iter().collect(),
            list: List::default(),
        }));
    }

    /// Sees what demoting a part of a rule comes to.
    pub(super) fn demote(
        &mut self,
        part: RulePart,
        name: String,
        kind: MemoryType,
        effects: &mut Vec<Effect>,
    ) {
        let heading = format!("demote {name} from {}{}", part.title, self.undo_hint(1));
        let rules = self.rules_here();
        let demotion = Demotion {
            outside: rules.and_then(|rules| rules.leads_out(&part.rule)),
            seen_at: None,
            rule: part.rule,
            title: part.title,
            lines: part.lines,
            seen: part.text,
            name,
            kind,
            first: None,
            cwd: rules
                .map(|rules| project_of(&rules.places))
                .unwrap_or_default(),
            notes: part.notes,
        };
        self.review_demotion(heading, part.folder, demotion, effects);
    }

    /// Sees what a demotion comes to.
    pub(super) fn review_demotion(
        &mut self,
        title: String,
        folder: PathBuf,
        demotion: Demotion,
        effects: &mut Vec<Effect>,
    ) {
        let wishes = vec![(folder, Wanted::Wish(Wish::Demote(demotion)))];
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Asks where the index line of a demoted rule goes, if the model would not see it and nobody was
    /// asked; `false`: there is nothing to ask.
    pub(super) fn ask_demoted_place(
        &mut self,
        title: &str,
        wishes: &[(PathBuf, Wanted)],
        shown: &Proposal,
    ) -> bool {
        let ([(folder, Wanted::Wish(Wish::Demote(demotion)))], Some(line)) =
            (wishes, shown.below_the_cut)
        else {
            return false;
        };
        if demotion.first.is_some() {
            return false;
        }
        let place = |first| Answer::Place {
            title: title.to_string(),
            folder: folder.clone(),
            demotion: Box::new(Demotion {
                first: Some(first),
                ..demotion.clone()
            }),
        };
        self.overlay = Some(Overlay::Choice(Choice {
            title: "the index is full".to_string(),
            lines: vec![format!(
                "its line {} would lie below the cut: the model would not see it",
                grouped(line)
            )],
            answers: vec![
                (
                    "put its line at the head of its list, where it is seen".to_string(),
                    place(true),
                ),
                ("below the cut all the same".to_string(), place(false)),
            ],
            list: List::default(),
        }));
        true
    }
}

/// The working directory whose rules these are.
fn project_of(places: &Places) -> PathBuf {
    let folder = places.project.parent();
    folder.map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
#[path = "promoting_tests.rs"]
mod tests;
