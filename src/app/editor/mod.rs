//! The edit of one memory: its front matter as a form, its body as text, what was there when it began.
//! Gives drafts and change sets as values; reading, keeping and saving are effects. Only what a person
//! changed differs in what it gives.

pub mod body;
pub mod form;
pub mod layout;

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::app::key::Key;
use crate::app::tree::FileAt;
use crate::base::front_matter::edit::{self as front_matter_edit, EditError};
use crate::base::front_matter::{self, Fault};
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::proposal;
use crate::store;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::draft::Draft;
use body::{Body, Pressed};
use form::FormField;

/// Stands for a file in the draft of a memory that has none yet.
pub const NEW_FILE: &str = ".new.md";

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Where the cursor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// In a field of the form, by its position.
    Field(usize),
    Body,
}

/// A file of what the agent proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfCard {
    /// The proposal.
    pub id: String,
    /// Which of its files, and of how many.
    pub file: usize,
    pub files: usize,
}

/// What is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Memory,
    /// The whole file is the text.
    Rule,
}

/// An open edit.
#[derive(Debug, Clone)]
pub struct Editor {
    pub at: FileAt,
    what: What,
    /// The bytes of the file when the edit began; `None`: it is a new memory.
    base: Option<Vec<u8>>,
    /// Its text, without BOM.
    text: String,
    /// Where the body begins in `text`: behind the front matter and the blank lines below it.
    body_start: usize,
    pub fields: Vec<FormField>,
    pub spot: Spot,
    pub body: Body,
    /// The file's time, and with it its age, shall stay.
    pub keep_age: bool,
    /// When the memory was last changed.
    pub modified: Option<Moment>,
    /// It is no file of the disk but what the agent would write.
    pub card: Option<OfCard>,
    /// Changes since the last draft.
    undrafted: bool,
    was_drafted: bool,
}

/// What is to be done with an edit that is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Save {
    /// Nothing differs from the file.
    Same,
    Change(ChangeSet),
    /// A new memory, still without its index line.
    New {
        name: String,
        kind: MemoryType,
        description: String,
        body: String,
    },
}

impl Editor {
    /// Opens an edit of a file's bytes.
    ///
    /// # Errors
    /// A sentence, when the bytes are no text.
    pub fn open(at: FileAt, bytes: Vec<u8>, modified: Option<Moment>) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes.strip_prefix(BOM).unwrap_or(&bytes))
            .map(str::to_string)
            .map_err(|_| {
                format!(
                    "{} holds bytes that are no UTF-8: it is shown, never rewritten",
                    at.file
                )
            })?;
        Ok(Self::of(at, Some(bytes), text, modified))
    }

    /// Opens an edit of a memory that is not there yet.
    #[must_use]
    pub fn new_memory(folder: std::path::PathBuf, kind: &str) -> Self {
        let at = FileAt {
            folder,
            file: NEW_FILE.to_string(),
        };
        let mut editor = Self::of(at, None, String::new(), None);
        for field in &mut editor.fields {
            if field.key == "type" {
                field.put(kind);
            }
        }
        editor.body = Body::new("\n\n**Why:** \n\n**How to apply:** \n");
        editor.spot = Spot::Field(0);
        editor
    }

    /// Opens an edit of a rule, which may not be there yet: all of it is text. One that says nothing
    /// begins with `beginning`, which is no change until something is typed.
    ///
    /// # Errors
    /// A sentence, when the bytes are no text.
    pub fn rule(
        at: FileAt,
        bytes: Option<Vec<u8>>,
        modified: Option<Moment>,
        beginning: &str,
    ) -> Result<Self, String> {
        let mut editor = match bytes {
            Some(bytes) => Self::open(at, bytes, modified)?,
            None => Self::of(at, None, String::new(), modified),
        };
        editor.what = What::Rule;
        editor.fields.clear();
        editor.body_start = 0;
        editor.body = match editor.text.trim().is_empty() {
            true => Body::new(beginning),
            false => Body::new(&editor.text),
        };
        Ok(editor)
    }

    /// Opens an edit of what the agent would write into a file.
    #[must_use]
    pub fn of_card(at: FileAt, card: OfCard, proposed: &str) -> Self {
        let base = Some(proposed.as_bytes().to_vec());
        let text = proposed.strip_prefix('\u{feff}').unwrap_or(proposed);
        let mut editor = Self::of(at, base, text.to_string(), None);
        editor.card = Some(card);
        editor
    }

    fn of(at: FileAt, base: Option<Vec<u8>>, text: String, modified: Option<Moment>) -> Self {
        let front = front_matter::read(&text);
        // Of a block that can't be read as one, the whole file is the text.
        let body = if form::is_locked(&front) {
            0
        } else {
            front.body
        };
        let rest = &text[body..];
        let body_start = match body {
            0 => 0,
            _ => text.len() - rest.trim_start_matches(['\n', '\r']).len(),
        };
        let fields = form::fields(&front);
        Self {
            at,
            what: What::Memory,
            base,
            body: Body::new(&text[body_start..]),
            body_start,
            fields,
            text,
            spot: Spot::Body,
            keep_age: false,
            modified,
            card: None,
            undrafted: false,
            was_drafted: false,
        }
    }

    /// Whether it is no memory but a rule, which has neither form nor age.
    #[must_use]
    pub fn is_rule(&self) -> bool {
        self.what == What::Rule
    }

    #[must_use]
    pub fn is_new(&self) -> bool {
        self.base.is_none()
    }

    /// What keeps the front matter from being a form, so that the whole file is edited as text.
    #[must_use]
    pub fn locked_by(&self) -> Option<Fault> {
        if self.is_rule() {
            return None;
        }
        let front = front_matter::read(&self.text);
        front.faults.into_iter().find(form::locks)
    }

    /// Takes a draft up: what it says stands in form and body.
    pub fn take_up(&mut self, draft: &Draft) {
        if self.is_rule() {
            self.body = Body::new(&draft.text);
            self.body.go(draft.cursor.0, draft.cursor.1);
            self.was_drafted = true;
            return;
        }
        let front = front_matter::read(&draft.text);
        for field in &mut self.fields {
            let value = front.get(&field.key).unwrap_or_default();
            if field.value() != value {
                field.put(value);
            }
        }
        self.body = match self.body_start {
            0 => Body::new(&draft.text),
            _ => Body::new(draft.text[front.body..].trim_start_matches(['\n', '\r'])),
        };
        self.body.go(draft.cursor.0, draft.cursor.1);
        self.was_drafted = true;
    }

    /// Whether a draft was made from the bytes that are there now.
    #[must_use]
    pub fn fits(&self, draft: &Draft) -> bool {
        draft.base == self.base_hash()
    }

    fn base_hash(&self) -> String {
        self.base.as_deref().map_or_else(String::new, store::sha256)
    }

    /// The file as it would be saved, without BOM.
    ///
    /// # Errors
    /// Why the front matter can't be written so.
    pub fn edited(&self) -> Result<String, EditError> {
        let body = self.body.text();
        let mut text = if body == self.text[self.body_start..] {
            self.text.clone()
        } else {
            format!("{}{body}", &self.text[..self.body_start])
        };
        for field in self.fields.iter().filter(|field| field.is_changed()) {
            text = match (field.value(), field.is_there()) {
                ("", true) => front_matter_edit::unset(&text, &field.key)?,
                (value, _) => front_matter_edit::set(&text, &field.key, value)?,
            };
        }
        Ok(text)
    }

    /// A number that is another one once form or text are.
    #[must_use]
    pub fn typed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.body.revision().hash(&mut hasher);
        for field in &self.fields {
            field.value().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether it differs from the file.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        match self.base {
            None => self.was_drafted || self.undrafted,
            Some(_) => {
                self.fields.iter().any(FormField::is_changed)
                    || (self.body.revision() > 0 || self.was_drafted)
                        && self.body.text() != self.text[self.body_start..]
            }
        }
    }

    /// Whether the model will be told another age: the description or the body differs.
    #[must_use]
    pub fn makes_young(&self) -> bool {
        let description = self.fields.iter().find(|field| field.key == "description");
        !self.is_rule()
            && !self.keep_age
            && (description.is_some_and(FormField::is_changed)
                || (self.body.revision() > 0 || self.was_drafted)
                    && self.body.text().trim() != self.text[self.body_start..].trim())
    }

    /// The change set that saves it.
    ///
    /// # Errors
    /// Why the front matter can't be written so.
    pub fn save(&self) -> Result<Save, EditError> {
        if self.is_rule() {
            return Ok(self.save_rule());
        }
        let Some(base) = &self.base else {
            return Ok(self.save_new());
        };
        let name = self.fields.iter().find(|field| field.key == "name");
        // What is not written yet has no links that a name must agree with.
        let name = name
            .filter(|field| field.is_changed() && self.card.is_none())
            .map(FormField::value);
        if name.is_some_and(|name| {
            proposal::slug(name).is_ok_and(|slug| slug != name)
                || !name.is_empty() && proposal::slug(name).is_err()
        }) {
            return Err(EditError::Unwritable {
                key: "name".to_string(),
                why: "a name is letters a to z, digits and dashes; rename (r) takes file, index line and links along",
            });
        }
        let edited = self.edited()?;
        if edited == self.text {
            return Ok(Save::Same);
        }
        let bom: &[u8] = if base.starts_with(BOM) { BOM } else { b"" };
        let after = [bom, edited.as_bytes()].concat();
        let set = proposal::edited(
            &self.at.folder,
            &self.at.file,
            base.clone(),
            after,
            self.keep_age,
        );
        Ok(Save::Change(set))
    }

    fn save_rule(&self) -> Save {
        let edited = self.body.text();
        if edited == self.text || self.base.is_none() && edited.trim().is_empty() {
            return Save::Same;
        }
        let has_bom = self.base.as_ref().is_some_and(|it| it.starts_with(BOM));
        let bom: &[u8] = if has_bom { BOM } else { b"" };
        let after = [bom, edited.as_bytes()].concat();
        Save::Change(rule_set(&self.at, self.base.clone(), after))
    }

    fn save_new(&self) -> Save {
        let value = |key: &str| {
            let field = self.fields.iter().find(|field| field.key == key);
            field.map_or(String::new(), |field| field.value().trim().to_string())
        };
        Save::New {
            name: value("name"),
            kind: MemoryType::of_word(&value("type")),
            description: value("description"),
            body: self.body.text().trim().to_string(),
        }
    }

    /// Has a draft kept again although nothing was typed.
    pub fn touch(&mut self) {
        self.undrafted = true;
    }

    /// What is to be kept of it now, if anything changed since the last time.
    pub fn draft(&mut self, now: Moment) -> Option<Draft> {
        if !std::mem::take(&mut self.undrafted) {
            return None;
        }
        self.was_drafted = true;
        Some(Draft {
            v: 1,
            path: self.at.path(),
            base: self.base_hash(),
            // A form that can't be written yet is kept as far as it can be.
            text: self.edited().unwrap_or_else(|_| {
                format!("{}{}", &self.text[..self.body_start], self.body.text())
            }),
            cursor: self.body.cursor(),
            time: now.rfc3339(),
        })
    }

    /// Whether something is to be kept that no draft has.
    #[must_use]
    pub fn is_undrafted(&self) -> bool {
        self.undrafted
    }

    /// Takes a press; `false` if it means nothing where the cursor is.
    pub fn press(&mut self, key: Key) -> bool {
        match self.spot {
            Spot::Field(at) => {
                let Some(field) = self.fields.get_mut(at) else {
                    return false;
                };
                let before = field.value().to_string();
                let took = field.press(key);
                self.undrafted |= field.value() != before;
                took
            }
            Spot::Body => match self.body.press(key) {
                Pressed::Changed => {
                    self.undrafted = true;
                    true
                }
                Pressed::Moved | Pressed::End => true,
                Pressed::Start => {
                    self.move_field(-1);
                    true
                }
                Pressed::Nothing => false,
            },
        }
    }

    /// Whether the cursor is in a field that is typed into.
    #[must_use]
    pub fn is_in_text_field(&self) -> bool {
        match self.spot {
            Spot::Field(at) => {
                let field = self.fields.get(at).map(|field| &field.input);
                matches!(field, Some(form::Input::Text(_)))
            }
            Spot::Body => false,
        }
    }

    /// Takes a paste into the field or the body. `Some`: what is to be said of a rest that does not fit.
    pub fn paste(&mut self, pasted: &str) -> Option<String> {
        let field = match self.spot {
            Spot::Field(at) => self.fields.get_mut(at),
            Spot::Body => {
                self.body.paste(pasted);
                self.undrafted = true;
                return None;
            }
        };
        let form::Input::Text(field) = &mut field?.input else {
            return None;
        };
        self.undrafted = true;
        field.paste(pasted)
    }

    /// Takes back, or does again, what was typed where the cursor is.
    pub fn rewind(&mut self, back: bool) -> bool {
        let done = match self.spot {
            Spot::Body if back => self.body.undo(),
            Spot::Body => self.body.redo(),
            Spot::Field(at) => match self.fields.get_mut(at).map(|field| &mut field.input) {
                Some(form::Input::Text(field)) if back => field.undo(),
                Some(form::Input::Text(field)) => field.redo(),
                Some(form::Input::Type(_) | form::Input::Kept(_)) | None => false,
            },
        };
        self.undrafted |= done;
        done
    }

    /// To the next field that can be edited, or the one before; the body is the last.
    pub fn move_field(&mut self, by: isize) {
        let spots: Vec<Spot> = (0..self.fields.len())
            .filter(|at| !self.fields[*at].is_kept())
            .map(Spot::Field)
            .chain([Spot::Body])
            .collect();
        let at = spots
            .iter()
            .position(|spot| *spot == self.spot)
            .unwrap_or(0);
        let to = at.saturating_add_signed(by).min(spots.len() - 1);
        self.spot = spots[to];
    }
}

/// The change set that gives a rule these bytes.
#[must_use]
pub fn rule_set(at: &FileAt, before: Option<Vec<u8>>, after: Vec<u8>) -> ChangeSet {
    let (verb, reason) = match before {
        Some(_) => ("edit", "edited"),
        None => ("new", "a new rules file"),
    };
    ChangeSet::new(format!("{verb} {}", at.file), Author::You).with(
        Op::Write {
            path: at.path(),
            before,
            after,
            age: Age::Set,
        },
        reason,
    )
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
