//! What each action does, or why it does nothing here. Moving about is in `browse`, the mouse in `mouse`.

use crate::app::action::{self, Action, Scope};
use crate::app::conflict::Side;
use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::look::Themes;
use crate::app::message::Effect;
use crate::app::overlay::{Help, Overlay, Palette};
use crate::app::{App, Notice, Tab};

impl App {
    /// Does an action in a scope, or says why not.
    #[allow(clippy::too_many_lines, reason = "a line an action")]
    pub(super) fn act(&mut self, action: Action, scope: Scope, effects: &mut Vec<Effect>) {
        if !self.is_for(action, scope) {
            return;
        }
        match action {
            Action::Open if scope == Scope::Finder => self.open_hit(effects),
            Action::Open if self.tab == Tab::Sessions && self.focus == Pane::Main => {
                self.open_in_sessions(effects);
            }
            Action::Open if matches!(scope, Scope::Ledger | Scope::Request) => {
                self.act_on_ledger(action, effects);
            }
            Action::Open if scope == Scope::Usage => self.open_in_usage(effects),
            Action::Open if scope == Scope::Agent => self.open_in_agent(),
            Action::Open => self.open(),
            Action::Find => self.find(),
            Action::NextHit | Action::PreviousHit if scope == Scope::Session => {
                self.next_in_session(action == Action::NextHit, effects);
            }
            Action::NextHit | Action::PreviousHit => self.next_hit(action == Action::NextHit),
            Action::Follow => self.follow_link(),
            Action::GoBack if scope == Scope::Session => self.go_back_from_session(effects),
            Action::GoBack | Action::Fold if scope == Scope::Request => {
                self.back_in_ledger();
            }
            Action::GoBack => self.go_back(),
            Action::Fold if scope == Scope::Session => {
                self.back_in_sessions(effects);
            }
            Action::Fold => self.fold(),
            Action::Down => self.step(1),
            Action::Up => self.step(-1),
            Action::Top | Action::Bottom if scope == Scope::Session && self.proof.is_none() => {
                self.go_to_end_of_session(action == Action::Bottom, effects);
            }
            Action::Top => self.step(isize::MIN),
            Action::Bottom => self.step(isize::MAX),
            Action::HalfDown => self.step(self.page_rows() / 2),
            Action::HalfUp => self.step(-(self.page_rows() / 2)),
            Action::PageDown => self.step(self.page_rows()),
            Action::PageUp => self.step(-self.page_rows()),
            Action::NextPane | Action::PreviousPane => {
                self.focus_next(action == Action::NextPane);
            }
            Action::ShowMemory => self.show(Tab::Memory),
            Action::ShowIndex => self.show(Tab::Index),
            Action::PreviewCopy if scope == Scope::Request => self.act_on_ledger(action, effects),
            Action::AllProjects if scope == Scope::Ledger => self.act_on_ledger(action, effects),
            Action::ShowLedger | Action::LedgerMark | Action::LedgerCompare => {
                self.act_on_ledger(action, effects);
            }
            Action::ShowPreview
            | Action::PreviewQuestion
            | Action::PreviewFile
            | Action::PreviewEdited
            | Action::PreviewAgent
            | Action::PreviewAdded
            | Action::PreviewModel
            | Action::PreviewLayout
            | Action::PreviewVersion
            | Action::PreviewRecall
            | Action::PreviewCompacted
            | Action::PreviewResumed
            | Action::PreviewTurns
            | Action::PreviewCopy
            | Action::PreviewExport => self.act_on_preview(action, effects),
            Action::ShowSessions
            | Action::SessionSearch
            | Action::SessionExport
            | Action::SessionRescue
            | Action::SessionProof
            | Action::SessionAgents
            | Action::UnfoldAll
            | Action::SessionMemory => self.act_on_sessions(action, effects),
            Action::ShowUsage | Action::UsageBars | Action::UsageBy | Action::UsageSpan => {
                self.act_on_usage(action);
            }
            Action::Sort if scope == Scope::Usage => self.act_on_usage(action),
            Action::ShowAgent
            | Action::HideAgent
            | Action::WidenAgent
            | Action::ResetRecall
            | Action::Send
            | Action::Newline
            | Action::Accept
            | Action::Reject => self.act_on_agent(action, effects),
            Action::Turns => self.ask_turns(),
            Action::ShowHealth => self.show_health(),
            Action::ShowProjects => self.show_projects(),
            Action::Prune
            | Action::Relink
            | Action::MergeProjects
            | Action::Forget
            | Action::Split
            | Action::FoldIn
            | Action::SwitchMemory
            | Action::Export
            | Action::Import => self.act_on_projects(action, effects),
            Action::OldPaths => self.toggle_old_paths(effects),
            Action::Sort if scope == Scope::Sessions => {
                self.sessions.sort_by_next();
                let by = self.sessions.sort().word();
                self.say(format!("sessions by {by}"));
            }
            Action::Mark | Action::Sort if scope == Scope::Projects => self.list_projects(action),
            Action::Fix if scope == Scope::Memory => self.mend(effects),
            Action::AllProjects if scope == Scope::Sessions => {
                self.sessions.toggle_all();
                self.say(match self.sessions.all {
                    true => "sessions of all projects",
                    false => "sessions of this project",
                });
            }
            Action::AllProjects => self.toggle_all(effects),
            Action::Fix => self.fix_one(effects),
            Action::FixAll => self.fix_all(effects),
            Action::Raw => self.toggle_raw(),
            Action::Edit | Action::EditOutside if scope == Scope::Agent => {
                self.edit_card(action == Action::EditOutside, effects);
            }
            Action::Edit => self.edit(effects),
            Action::EditOutside => self.lend(effects),
            Action::New | Action::NewRule => self.begin_new(action, effects),
            Action::Promote | Action::Demote => self.ask_other_kind(action),
            Action::Rename => self.ask_name(),
            Action::Verify => self.verify(effects),
            Action::Trash => self.trash(effects),
            Action::CopyPath if matches!(scope, Scope::Sessions | Scope::Session) => {
                self.act_on_sessions(action, effects);
            }
            Action::CopyPath => self.copy_path(effects),
            Action::CopyBody => self.copy_body(effects),
            Action::MoveTo => self.ask_project(false),
            Action::CopyTo => self.ask_project(true),
            Action::Share => self.share(effects),
            Action::Mark => self.mark(),
            Action::Sort => self.sort(),
            Action::Filter => self.filter(),
            Action::AddEntry => self.add_entry(effects),
            Action::EditHook => self.ask_hook(),
            Action::MoveDown => self.move_entry(true, effects),
            Action::MoveUp => self.move_entry(false, effects),
            Action::RemoveEntry => self.remove_entry(effects),
            Action::Undo => self.undo(None, effects),
            Action::LookBack => self.look_back(effects),
            Action::UndoThis => self.undo_this(effects),
            Action::ShowHistory => self.show_history(),
            Action::Redo => self.redo(effects),
            Action::Save
            | Action::ShowChange
            | Action::KeepAge
            | Action::UndoTyping
            | Action::RedoTyping
            | Action::DropEdit
            | Action::NextField
            | Action::PreviousField => self.act_on_edit(action, effects),
            Action::Drafts => self.show_drafts(),
            Action::Log => self.show_said(),
            Action::Confirm => self.confirm(effects),
            Action::Complete => self.complete(effects),
            Action::TakeMine => self.take_side(Side::Mine),
            Action::TakeTheirs => self.take_side(Side::Theirs),
            Action::TakeBoth => self.take_side(Side::Both),
            Action::TakeBase => self.take_side(Side::Base),
            Action::Help => {
                self.overlay = Some(Overlay::Help(Help::of(&self.keymap, self.scope())));
            }
            Action::Palette => self.overlay = Some(Overlay::Palette(Palette::default())),
            Action::Run => self.run_chosen(effects),
            Action::Back => self.back(effects),
            Action::Reload => self.reload(effects),
            Action::Mouse => self.toggle_mouse(effects),
            Action::Theme => self.overlay = Some(Overlay::Themes(Themes::of(&self.look))),
            Action::Cancel => self.cancel(effects),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Quit => effects.push(Effect::Quit),
        }
    }

    /// Whether an action works in a scope; says where it does if not.
    fn is_for(&mut self, action: Action, scope: Scope) -> bool {
        let entry = action::entry(action);
        let applies = entry.applies(scope);
        if !applies {
            let places: Vec<_> = entry.scopes().map(Scope::name).collect();
            self.say(format!("{} works in {}", entry.name, places.join(", ")));
        }
        applies
    }

    /// Does what is for the edit that is open.
    fn act_on_edit(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Save | Action::ShowChange | Action::KeepAge if self.is_saving() => {
                self.say("being saved: a moment");
            }
            Action::Save => self.save(effects),
            Action::ShowChange => self.show_change(),
            Action::KeepAge => self.keep_age(),
            Action::DropEdit => self.ask_to_discard(),
            Action::NextField => self.move_field(1),
            Action::PreviousField => self.move_field(-1),
            _ => self.rewind(action == Action::UndoTyping),
        }
    }

    fn toggle_mouse(&mut self, effects: &mut Vec<Effect>) {
        self.mouse = !self.mouse;
        self.dragging = false;
        effects.push(Effect::Mouse(self.mouse));
        self.say(if self.mouse {
            "the mouse works here; shift-drag selects text"
        } else {
            "the mouse is the terminal's: it selects text"
        });
    }

    fn run_chosen(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Palette(palette)) = &self.overlay else {
            return;
        };
        match palette.chosen() {
            Some(action) => {
                self.overlay = None;
                self.act(action, self.pane_scope(), effects);
            }
            None => self.say("nothing matches what is typed"),
        }
    }

    fn back(&mut self, effects: &mut Vec<Effect>) {
        if let Some(closed) = self.overlay.take() {
            if let Overlay::Filter(filter) = &closed {
                self.narrow(filter.of, "");
            }
            // An offered draft that was not answered stays, and nothing is edited.
            if let Overlay::Choice(choice) = closed
                && choice.is_offer()
            {
                self.editor = None;
            }
            return;
        }
        if self.focus == Pane::Agent {
            self.back_in_agent(effects);
            return;
        }
        if self.editor.is_some() {
            if !self.warns_of_loss() {
                self.leave_edit(effects);
            }
            return;
        }
        match (self.focus, self.notice.take()) {
            (_, Some(Notice::Error(_))) => {}
            (Pane::Main, _) if self.stop_work(effects) => {}
            (Pane::Main, _) if self.tab == Tab::Sessions && self.back_in_sessions(effects) => {}
            (Pane::Main, _) if self.tab == Tab::Usage && self.usage.widen() => {}
            (Pane::Main, _) if self.tab == Tab::Ledger && self.back_in_ledger() => {}
            _ if self.widen() => self.say("all is listed again"),
            (Pane::Tree, _) if !self.marked.is_empty() => {
                self.marked.clear();
                self.say("nothing is marked");
            }
            (Pane::Main, _) => {
                self.focus = Pane::Tree;
                self.reading.hits.shown = false;
            }
            (Pane::Tree | Pane::Agent, _) => {
                let quit = self.hint(Action::Quit, "quits");
                self.say(format!("nothing is open on top{quit}"));
            }
        }
    }

    fn cancel(&mut self, effects: &mut Vec<Effect>) {
        if let Some(overlay) = &mut self.overlay {
            if overlay.field().is_some_and(Field::clear) {
                overlay.typed();
            } else {
                self.back(effects);
            }
        } else if self.focus == Pane::Agent && self.cancel_in_agent(effects) {
            self.quit_armed = false;
        } else if self.editor.is_some() {
            self.leave_edit(effects);
        } else if self.stop_work(effects) {
            self.quit_armed = false;
        } else if self.quit_armed {
            effects.push(Effect::Quit);
        } else {
            self.quit_armed = true;
            self.say("ctrl-c again to quit");
        }
    }

    /// Has the shelves listed and counted anew.
    pub(super) fn survey(&mut self, effects: &mut Vec<Effect>) {
        self.survey_id = self.next_id();
        self.surveying = true;
        effects.push(Effect::Survey { id: self.survey_id });
    }

    fn reload(&mut self, effects: &mut Vec<Effect>) {
        self.history.outdate();
        self.preview.outdate();
        self.projects.outdate();
        self.sessions.outdate();
        self.ledger.outdate();
        effects.push(Effect::Redraw);
        self.survey(effects);
        if self.health.sweep().is_some() {
            self.sweep(effects);
        }
        self.read_again(effects);
        self.read_session_again(effects);
        self.say("read again");
    }
}
