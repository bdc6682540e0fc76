//! A card of the agent's that a person changes before it is written: in the editor here, or in their own.

use crate::app::agent::Target;
use crate::app::dialog::{Answer, Choice};
use crate::app::doing::Doing;
use crate::app::editor::{Editor, OfCard, Save};
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::{AgentWish, Editable, Effect, Order};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};
use crate::engine::review::{Decided, Wish};
use crate::store::sha256;
use crate::turn::record::Decision;

impl App {
    /// The proposal of the card under the cursor, else of the first that waits.
    pub(super) fn card_here(&self) -> Option<String> {
        if let Some(Target::Card(id)) = self.agent.target() {
            return Some(id.clone());
        }
        let mut waiting = self.agent.talk.waiting();
        waiting.next().map(|(_, card)| card.id.clone())
    }

    /// Opens what a card would write; which file of it is asked where there are more.
    pub(super) fn edit_card(&mut self, lend: bool, effects: &mut Vec<Effect>) {
        let Some(id) = self.card_here() else {
            self.say("nothing waits for a decision");
            return;
        };
        let Some(card) = self.agent.talk.card(&id) else {
            return;
        };
        let texts = card.files.iter().enumerate();
        let texts = texts.filter(|(_, (_, after))| after.is_some());
        let mut answers: Vec<(String, Answer)> = texts
            .map(|(file, (path, _))| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let id = id.clone();
                (name.into_owned(), Answer::EditCard { id, file, lend })
            })
            .collect();
        match answers.len() {
            0 => self.say("nothing of it is a text: it only goes to the trash"),
            1 => {
                if let Some((_, answer)) = answers.pop() {
                    self.answer(answer, effects);
                }
            }
            _ => {
                let title = card.title.clone();
                self.overlay = Some(Overlay::Choice(Choice {
                    title: format!("change {title}"),
                    lines: vec!["saving it writes all of the card".to_string()],
                    answers,
                    list: List::default(),
                }));
            }
        }
    }

    /// Opens one file of a card.
    pub(super) fn edit_card_file(
        &mut self,
        id: &str,
        file: usize,
        lend: bool,
        effects: &mut Vec<Effect>,
    ) {
        let card = self.agent.talk.card(id);
        let Some((path, Some(text))) = card.and_then(|card| card.files.get(file)) else {
            self.say("this proposal is decided on already");
            return;
        };
        let (at, text) = (self.place_of(path), text.clone());
        let own = self.own_drafts.get(path);
        if lend && own.is_some_and(|own| own.base == sha256(text.as_bytes())) {
            self.say("it has a draft: save or discard that first (e)");
        } else if lend {
            self.agent.lent = Some((id.to_string(), file));
            let bytes = text.into_bytes();
            effects.push(Effect::EditOutside { at, bytes });
        } else {
            let doing = Doing::OpeningCard {
                id: id.to_string(),
                file,
            };
            let id = self.begin(doing);
            effects.push(Effect::Write(Order::OpenDrafts { id, at }));
        }
    }

    /// Begins the edit of a card, now that its drafts are read. They lie with those of the file that it
    /// would write, and say what they were made from.
    pub(super) fn begin_card(
        &mut self,
        id: &str,
        file: usize,
        read: Result<Box<Editable>, String>,
    ) {
        let mut drafts = match read {
            Ok(editable) => editable.drafts,
            Err(said) => {
                self.fail(said);
                return;
            }
        };
        let Some(card) = self.agent.talk.card(id) else {
            self.say("this proposal is decided on already");
            return;
        };
        let Some((path, Some(text))) = card.files.get(file) else {
            return;
        };
        let of = OfCard {
            id: id.to_string(),
            file,
            files: card.files.len(),
        };
        let path = path.clone();
        let mut editor = Editor::of_card(self.place_of(&path), of, text);
        drafts.retain(|draft| editor.fits(draft));
        // A draft of the file itself is another one, and stays beside.
        let own = self.own_drafts.get(&path);
        if own.is_some_and(|own| !editor.fits(own)) {
            self.own_drafts.remove(&path);
        }
        self.offer_drafts(&mut editor, drafts);
        self.editor = Some(editor);
        self.tab = Tab::Memory;
        self.focus = Pane::Main;
    }

    /// Has a card written as it was changed. Its draft stays until that is done.
    pub(super) fn save_card(&mut self, card: &OfCard, effects: &mut Vec<Effect>) {
        let Some(editor) = &mut self.editor else {
            return;
        };
        let text = match editor.save() {
            Err(error) => {
                self.fail(error.to_string());
                return;
            }
            Ok(Save::Same | Save::New { .. }) => None,
            Ok(Save::Change(_)) => editor.edited().ok(),
        };
        let path = editor.at.path();
        let Some(text) = text else {
            self.editor = None;
            self.drop_draft(&path, effects);
            self.turn_to_cards();
            self.say("nothing was changed: the card waits as it was");
            return;
        };
        editor.touch();
        self.keep_draft(effects);
        self.editor = None;
        self.turn_to_cards();
        effects.push(decide_edited(card, text));
    }

    /// Takes what a person's own editor left of a card.
    pub(super) fn take_lent_card(
        &mut self,
        lent: Option<(String, usize)>,
        after: Vec<u8>,
        effects: &mut Vec<Effect>,
    ) {
        let Some((id, file)) = lent else { return };
        let files = self.agent.talk.card(&id).map(|card| card.files.len());
        match (files, String::from_utf8(after)) {
            (None, _) => self.fail("this proposal is decided on already: nothing was written"),
            (Some(_), Err(_)) => {
                self.fail("what the editor left is no UTF-8: nothing was written");
            }
            (Some(files), Ok(text)) => {
                effects.push(decide_edited(&OfCard { id, file, files }, text));
            }
        }
    }

    /// Back to the conversation, where the cards are.
    pub(super) fn turn_to_cards(&mut self) {
        self.agent.is_open = true;
        self.agent.is_typing = false;
        self.focus = Pane::Agent;
    }

    /// What was written needs its drafts no more.
    pub(super) fn drop_drafts_of(&mut self, decided: &Decided, effects: &mut Vec<Effect>) {
        let edited = decided
            .all
            .iter()
            .filter(|(_, decision)| *decision == Decision::Edited);
        for file in edited.flat_map(|(proposal, _)| &proposal.files) {
            let base = file.after.as_ref().map(|text| sha256(text.as_bytes()));
            let own = self.own_drafts.get(&file.path);
            if own.is_some_and(|own| Some(&own.base) == base.as_ref()) {
                self.drop_draft(&file.path, effects);
            }
        }
    }
}

/// Has a card written with another text of one of its files.
fn decide_edited(card: &OfCard, text: String) -> Effect {
    let mut edits = vec![None; card.files];
    if let Some(edit) = edits.get_mut(card.file) {
        *edit = Some(text);
    }
    let (id, wish) = (card.id.clone(), Wish::Edit(edits));
    Effect::Agent(AgentWish::Decide { id, wish })
}

#[cfg(test)]
#[path = "agent_card_tests.rs"]
mod tests;
