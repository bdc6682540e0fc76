//! The Preview view's switches and lines: what is asked for, when it is built, what is copied and
//! exported.

use std::path::PathBuf;

use crate::agents::ShelfKind;
use crate::app::action::{Action, Scope};
use crate::app::dialog::{Answer, Choice, Prompt, Purpose};
use crate::app::editor::Editor;
use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::preview_view::Source;
use crate::app::{App, Tab};
use crate::base::time::grouped;
use crate::config::limits::MOST_TURNS;
use crate::context::memory_prompt::Recall;
use crate::context::preview::{Asked, Edited, Layout, Moment, versions};

/// A line that is typed for the preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewLine {
    Question,
    File,
    /// A file that was changed after the session began.
    Edited,
    /// Folders that are added to it, a colon between two.
    Added,
    Model,
    Turns,
    /// Where the request goes.
    Export,
}

/// The switches in the order in which they are shown, each with its name.
pub(super) const SWITCHES: [(Action, &str); 12] = [
    (Action::PreviewLayout, "layout"),
    (Action::PreviewVersion, "version"),
    (Action::PreviewModel, "model"),
    (Action::PreviewRecall, "recall"),
    (Action::PreviewCompacted, "compacted"),
    (Action::PreviewResumed, "resumed"),
    (Action::PreviewFile, "file read"),
    (Action::PreviewEdited, "edited"),
    (Action::PreviewQuestion, "question"),
    (Action::PreviewAdded, "folders"),
    (Action::PreviewAgent, AGENT),
    (Action::PreviewTurns, "turns"),
];

/// The switch that is offered only where there is something to choose.
pub(super) const AGENT: &str = "agent";

/// Paths as they are typed: a colon between two.
pub(super) fn paths(all: &[PathBuf]) -> String {
    let all: Vec<String> = all.iter().map(|path| path.display().to_string()).collect();
    all.join(":")
}

impl App {
    /// Has the preview built where it is looked at, or an edit's meter needs it, and is outdated.
    pub(super) fn read_preview(&mut self, effects: &mut Vec<Effect>) {
        let is_shown = self.tab == Tab::Preview;
        let is_needed = is_shown || self.editor.is_some() || self.preview.is_exporting();
        if is_needed && self.typing().is_none() {
            self.ask_preview(effects);
        }
        if is_shown {
            let keys: Vec<(String, &'static str)> = SWITCHES
                .iter()
                .map(|(action, name)| (self.keymap.shown(*action, Scope::Preview), *name))
                .collect();
            let cells = usize::from(self.pane_area(Pane::Main).padded().width);
            let state = self.tree.current();
            let folder = state.map(|state| state.shelf.folder.as_path());
            self.preview.turn_to(folder, cells, &keys, &self.home);
        }
    }

    /// The stamp of what is being typed while the meter waits for a pause: the loop then sends
    /// [`Message::TypingPaused`](crate::app::message::Message::TypingPaused) once it has been the same
    /// for a while.
    #[must_use]
    pub fn typing(&self) -> Option<u64> {
        let typed = self.editor.as_ref()?.typed();
        (!self.preview.has_paused(typed)).then_some(typed)
    }

    /// Nothing was typed for a while: what the edit costs can be told.
    pub(super) fn typing_paused(&mut self) {
        let typed = self.editor.as_ref().map(Editor::typed);
        self.preview.pause(typed);
    }

    fn ask_preview(&mut self, effects: &mut Vec<Effect>) {
        let Some(state) = self.tree.current() else {
            return;
        };
        let edited = self.editor.as_ref();
        let source = Source {
            folder: state.shelf.folder.clone(),
            stamp: state.stamp,
            rules_stamp: self.rules_stamp(),
            switches: self.preview.switches.clone(),
            edited: edited.map(|editor| (editor.at.path(), editor.typed())),
        };
        match self.preview.to_export(&source) {
            None => {}
            Some((path, Ok(preview))) => {
                let not_exact = preview.not_exact();
                effects.push(Effect::ExportRequest {
                    path,
                    body: preview.request.body(),
                });
                self.preview.not_exact = not_exact;
            }
            Some((_, Err(said))) => {
                let said = format!("nothing is exported: {said}");
                self.fail(said);
                return;
            }
        }
        let path = match (state.shelf.kind, &state.shelf.path) {
            (ShelfKind::Project, Some(path)) => Some(path.clone()),
            (
                ShelfKind::Project
                | ShelfKind::Agent
                | ShelfKind::AgentProject
                | ShelfKind::AgentLocal,
                _,
            ) => None,
        };
        let id = self.last_id + 1;
        if !self.preview.wants(&source, id) {
            return;
        }
        self.last_id = id;
        let Some(path) = path else {
            let said = match state.shelf.kind {
                ShelfKind::Project => "where this project lies is not known: relink it in Projects",
                ShelfKind::Agent | ShelfKind::AgentProject | ShelfKind::AgentLocal => {
                    "choose a project in the tree: of its sub-agents the view then offers those that have a memory"
                }
            };
            self.preview.take(id, Err(said.to_string()));
            return;
        };
        let edited = edited
            .filter(|editor| editor.is_changed())
            .and_then(|editor| {
                let bytes = editor.edited().ok()?.into_bytes();
                Some(Edited {
                    path: editor.at.path(),
                    bytes,
                })
            });
        effects.push(Effect::BuildPreview {
            id,
            folder: source.folder,
            asked: Box::new(Asked {
                cwd: path,
                switches: source.switches,
                edited,
            }),
        });
    }

    /// Does what a key of the view is for.
    pub(super) fn act_on_preview(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let switches = &mut self.preview.switches;
        match action {
            Action::PreviewLayout => {
                switches.agent = None;
                switches.layout = match switches.layout {
                    Layout::Ours => Layout::Observed(None),
                    Layout::Observed(_) => Layout::Ours,
                };
            }
            Action::PreviewVersion => match &switches.layout {
                Layout::Ours => self.say("versions are those of what was observed"),
                Layout::Observed(None) => {
                    switches.layout = Layout::Observed(versions().next().map(str::to_string));
                }
                Layout::Observed(Some(now)) => {
                    let next = versions()
                        .skip_while(|it| it != now)
                        .nth(1)
                        .map(str::to_string);
                    switches.layout = Layout::Observed(next);
                }
            },
            Action::PreviewRecall => {
                switches.recall = match switches.recall {
                    Recall::Index => Recall::Prefetch,
                    Recall::Prefetch => Recall::Off,
                    Recall::Off => Recall::Index,
                };
            }
            Action::PreviewCompacted => {
                switches.agent = None;
                switches.moment = match switches.moment {
                    Moment::Compacted => Moment::New,
                    Moment::New | Moment::Resumed => Moment::Compacted,
                };
            }
            Action::PreviewResumed => {
                switches.agent = None;
                switches.moment = match switches.moment {
                    Moment::Resumed => Moment::New,
                    Moment::New | Moment::Compacted => Moment::Resumed,
                };
            }
            Action::PreviewQuestion => self.ask_line(PreviewLine::Question),
            Action::PreviewFile => self.ask_line(PreviewLine::File),
            Action::PreviewEdited => self.ask_line(PreviewLine::Edited),
            Action::PreviewAdded => self.ask_line(PreviewLine::Added),
            Action::PreviewAgent => self.ask_agent(),
            Action::PreviewModel => self.ask_line(PreviewLine::Model),
            Action::PreviewTurns => self.ask_line(PreviewLine::Turns),
            Action::PreviewExport => self.ask_line(PreviewLine::Export),
            Action::PreviewCopy => self.copy_part(effects),
            _ => self.show(Tab::Preview),
        }
    }

    /// Asks whose request is shown.
    fn ask_agent(&mut self) {
        let agents = self.preview.preview().map(|preview| &preview.agents);
        let agents = agents.map_or(&[][..], Vec::as_slice);
        let now = &self.preview.switches.agent;
        if agents.is_empty() && now.is_none() {
            self.say("no file in .claude/agents describes a sub-agent with a memory (`memory:` in its front matter)");
            return;
        }
        let named = agents.iter().map(|agent| {
            let said = format!("{} ({})", agent.name, agent.scope());
            (said, Answer::PreviewAgent(Some(agent.name.clone())))
        });
        let main = "the main conversation".to_string();
        let answers = std::iter::once((main, Answer::PreviewAgent(None))).chain(named);
        let at = agents
            .iter()
            .position(|one| Some(&one.name) == now.as_ref());
        self.overlay = Some(Overlay::Choice(Choice {
            title: "whose request".to_string(),
            lines: vec!["a sub-agent with a memory has an index of its own, in system".to_string()],
            answers: answers.collect(),
            list: List {
                cursor: at.map_or(0, |at| at + 1),
                ..List::default()
            },
        }));
    }

    /// Shows the first request of a sub-agent, or that of the main conversation again.
    pub(super) fn preview_agent(&mut self, name: Option<String>) {
        let switches = &mut self.preview.switches;
        if name.is_some() {
            // Nothing else was seen of a sub-agent.
            switches.moment = Moment::New;
            switches.edited = None;
            if switches.layout == Layout::Ours {
                switches.layout = Layout::Observed(None);
            }
        }
        switches.agent = name;
    }

    fn ask_line(&mut self, line: PreviewLine) {
        let switches = &self.preview.switches;
        let (title, hint, now) = match line {
            PreviewLine::Question => (
                "a question",
                "what is asked; empty: nothing",
                switches.prompt.clone(),
            ),
            PreviewLine::File => (
                "files that are about to be read",
                "their paths from the project, in their order, a colon between two; empty: none",
                Some(paths(&switches.read)),
            ),
            PreviewLine::Edited => (
                "a file that was changed after the session began",
                "its path from the project, or MEMORY.md; empty: none",
                switches
                    .edited
                    .clone()
                    .or_else(|| self.editor.as_ref().map(|editor| editor.at.path()))
                    .map(|path| path.display().to_string()),
            ),
            PreviewLine::Added => (
                "folders that are added to the session",
                "their paths, a colon between two; empty: none",
                Some(paths(&switches.added)),
            ),
            PreviewLine::Model => (
                "the model",
                "its name; empty: that of the newest transcript",
                switches.model.clone(),
            ),
            PreviewLine::Turns => (
                "turns of a session",
                "a number",
                Some(switches.turns.to_string()),
            ),
            PreviewLine::Export => {
                if self.preview.preview().is_none() {
                    self.say("there is no request to export yet");
                    return;
                }
                (
                    "export the request",
                    "a new file in the project's folder, or a whole path: your private rules and memories are in it",
                    Some("request.json".to_string()),
                )
            }
        };
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: title.to_string(),
            hint,
            field: Field::of(&now.unwrap_or_default()),
            said: None,
            purpose: Purpose::Preview(line),
        }));
    }

    /// Takes a line that was typed for the view.
    pub(super) fn take_line(&mut self, line: PreviewLine, typed: &str) {
        let given = Some(typed)
            .filter(|typed| !typed.trim().is_empty())
            .map(str::to_string);
        let paths = || {
            let all = typed.split(':').filter(|one| !one.trim().is_empty());
            all.map(PathBuf::from).collect()
        };
        let switches = &mut self.preview.switches;
        match line {
            PreviewLine::Question => switches.prompt = given,
            PreviewLine::File => switches.read = paths(),
            PreviewLine::Edited => {
                switches.edited = given.map(PathBuf::from);
                if switches.edited.is_some() {
                    switches.agent = None;
                    switches.moment = Moment::New;
                }
            }
            PreviewLine::Added => switches.added = paths(),
            PreviewLine::Model => switches.model = given,
            PreviewLine::Turns => match typed.parse() {
                Ok(turns @ 1..=MOST_TURNS) => switches.turns = turns,
                Ok(_) | Err(_) => {
                    self.say(format!(
                        "{typed} is no number from 1 to {}",
                        grouped(MOST_TURNS)
                    ));
                }
            },
            PreviewLine::Export => match given {
                Some(path) => self.preview.export(PathBuf::from(path)),
                None => self.say("nothing was typed: nothing is exported"),
            },
        }
    }

    /// Whether an action would do something in the view.
    pub(super) fn can_with_preview(&self, action: Action) -> bool {
        match action {
            Action::PreviewExport => self.preview.preview().is_some(),
            Action::PreviewAgent => {
                let is_chosen = self.preview.switches.agent.is_some();
                let built = self.preview.preview();
                is_chosen || built.is_some_and(|preview| !preview.agents.is_empty())
            }
            Action::Open => self.preview.row().is_some_and(|row| row.opens().is_some()),
            Action::PreviewCopy => self.preview.row().is_some_and(|row| row.group().is_some()),
            Action::AddEntry => self.ghost_here().is_some(),
            _ => true,
        }
    }

    fn copy_part(&mut self, effects: &mut Vec<Effect>) {
        match self.preview.chosen_text() {
            None => self.say("put the cursor on a part to copy its text"),
            Some(text) => self.copy_text(text, "the part", effects),
        }
    }

    /// Says what became of an export.
    pub(super) fn request_written(&mut self, path: &std::path::Path, by: Result<usize, String>) {
        match by {
            Ok(bytes) => {
                let not_exact = self.preview.not_exact.take();
                let not_exact = not_exact.map(|said| format!("; {said}"));
                self.say(format!(
                    "{} bytes went to {}{}",
                    grouped(bytes),
                    path.display(),
                    not_exact.unwrap_or_default()
                ));
            }
            Err(said) => self.fail(said),
        }
    }
}
