//! What is pressed, typed and pasted: which of it is an action, which goes into a field or a text, and
//! which waits for what is about to come up.

use crate::app::action::{self, Action, Lookup, Scope};
use crate::app::doing::Doing;
use crate::app::editor::{Editor, Spot};
use crate::app::key::{Code, Key};
use crate::app::message::{Effect, Message};
use crate::app::{App, Notice};

impl App {
    /// Whether something is about to come up that the next keys are meant for.
    pub(super) fn is_opening(&self) -> bool {
        self.doing.values().any(Doing::comes_up)
    }

    /// Whether a message waits for what is about to come up. Esc gives it up, unless it is a save;
    /// ctrl-c never waits.
    pub(super) fn holds(&mut self, message: &Message) -> bool {
        if !self.is_opening() {
            return false;
        }
        match message {
            Message::Key(key) if *key == Key::plain(Code::Esc) || *key == Key::ctrl('c') => {
                let saving = self.is_saving();
                self.doing.retain(|_, doing| !doing.can_be_given_up());
                if saving && *key == Key::plain(Code::Esc) {
                    return true;
                }
                self.held.clear();
                false
            }
            Message::Key(_) | Message::Paste(_) => true,
            _ => false,
        }
    }

    /// The character that a message types into the text of an edit. Many that come together go in
    /// as one: a terminal without bracketed paste sends a paste as keys (case TU18).
    pub(super) fn typed_into_text(&self, message: &Message) -> Option<char> {
        let Message::Key(key) = message else {
            return None;
        };
        let has_focus = matches!(self.scope(), Scope::Form | Scope::Body);
        let takes = has_focus && self.pending.is_empty() && !self.is_saving();
        let editor = self.editor.as_ref().filter(|_| takes);
        let in_field = editor.is_some_and(Editor::is_in_text_field);
        let in_text = editor.is_some_and(|editor| editor.spot == Spot::Body);
        match key.code {
            Code::Char(c) if (in_text || in_field) && key.is_typing() => Some(c),
            Code::Enter if in_text && *key == Key::plain(Code::Enter) => Some('\n'),
            _ => None,
        }
    }

    pub(super) fn put_in(&mut self, typed: &mut String) {
        let typed = std::mem::take(typed);
        let mut chars = typed.chars();
        match (chars.next(), chars.next(), &mut self.editor) {
            (None, _, _) | (_, _, None) => {}
            // One press is a step of its own to take back.
            (Some(_), None, Some(_)) => {
                let code = match typed.as_str() {
                    "\n" => Code::Enter,
                    one => Code::Char(one.chars().next().unwrap_or(' ')),
                };
                self.press_one(Key::plain(code), &mut Vec::new());
            }
            (Some(_), Some(_), Some(editor)) => {
                if let Some(Notice::Word(_)) = self.notice {
                    self.notice = None;
                }
                if let Some(cut) = editor.paste(&typed) {
                    self.say(cut);
                }
            }
        }
    }

    /// Without the newer key protocol, alt and a key are the same bytes as Esc and then that key. What
    /// is no key of ours as alt was meant as the two.
    pub(super) fn press(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let is_key = |app: &Self| app.keymap.lookup(app.scope(), &[key]) != Lookup::Nothing;
        if key.alt && !crate::app::field::takes_alt(key.code) && !is_key(self) {
            self.press_one(Key::plain(Code::Esc), effects);
            self.press_one(Key { alt: false, ..key }, effects);
        } else {
            self.press_one(key, effects);
        }
    }

    fn press_one(&mut self, key: Key, effects: &mut Vec<Effect>) {
        if let Some(Notice::Word(_)) = self.notice {
            self.notice = None;
        }
        if key != Key::ctrl('c') {
            self.quit_armed = false;
        }
        let begun = !self.pending.is_empty();
        if begun && (key == Key::plain(Code::Esc) || key == Key::ctrl('c')) {
            self.pending.clear();
            return;
        }
        let scope = self.scope();
        self.pending.push(key);
        match self.keymap.lookup(scope, &self.pending) {
            Lookup::Action(action) => {
                self.pending.clear();
                self.act(action, scope, effects);
            }
            Lookup::Prefix => {}
            Lookup::Nothing => {
                let pressed: Vec<_> = self.pending.drain(..).map(|key| key.to_string()).collect();
                let took = !begun && self.type_key(key);
                if !took {
                    let hint = match action::entry(Action::Help).applies(scope) {
                        false => String::new(),
                        true => self.hint(Action::Help, "shows the keys"),
                    };
                    self.say(format!(
                        "{} does nothing in {}{hint}",
                        pressed.join(" "),
                        scope.name()
                    ));
                }
            }
        }
    }

    /// Gives a press to the text field on top; `false` if there is none or it means nothing to it.
    fn type_key(&mut self, key: Key) -> bool {
        let Some(overlay) = &mut self.overlay else {
            return self.type_question(key) || self.type_in_editor(key);
        };
        let Some(field) = overlay.field() else {
            return false;
        };
        let took = field.press(key);
        if !took && let Some(said) = field.full().filter(|_| key.is_typing()) {
            self.say(said);
            return true;
        }
        if took && matches!(key.code, Code::Char(_) | Code::Backspace | Code::Delete) {
            overlay.typed();
        }
        took
    }

    fn type_in_editor(&mut self, key: Key) -> bool {
        let in_editor = matches!(self.pane_scope(), Scope::Form | Scope::Body);
        if in_editor && self.is_saving() {
            self.say("being saved: a moment");
            return true;
        }
        match &mut self.editor {
            Some(editor) if in_editor => editor.press(key),
            Some(_) | None => false,
        }
    }

    /// A paste goes into a text field; in a list it would run as keys, so it is not taken.
    pub(super) fn paste(&mut self, text: &str) {
        let saving = self.is_saving();
        let nothing = || Some("nothing to paste into here".to_string());
        let to_agent = matches!(self.pane_scope(), Scope::Question | Scope::Completion);
        if self.overlay.is_none() && to_agent {
            self.agent.input.paste(text);
            self.agent.is_undrafted = true;
            self.agent.look_for_choices();
            return;
        }
        let said = match &mut self.overlay {
            Some(overlay) => match overlay.field() {
                Some(field) => {
                    let cut = field.paste(text);
                    overlay.typed();
                    cut
                }
                None => nothing(),
            },
            None if saving => Some("being saved: paste again in a moment".to_string()),
            None => match &mut self.editor {
                Some(editor) => editor.paste(text),
                None => nothing(),
            },
        };
        if let Some(said) = said {
            self.say(said);
        }
    }
}
