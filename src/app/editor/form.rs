//! The front matter of a memory being edited, as a form: a field a line. Name, description and type
//! are always offered; every other key is listed and kept as it is.

use crate::app::field::Field;
use crate::app::key::{Code, Key};
use crate::base::front_matter::{Fault, FrontMatter};

/// The four types, in the order in which they are offered.
pub const TYPES: [&str; 4] = ["user", "feedback", "project", "reference"];

/// One line of the form.
#[derive(Debug, Clone)]
pub struct FormField {
    /// As it is shown: `metadata.type`.
    pub label: String,
    pub key: String,
    pub input: Input,
    /// The value in the file; `None`: the key is not there.
    before: Option<String>,
}

/// How a field is edited.
#[derive(Debug, Clone)]
pub enum Input {
    Text(Box<Field>),
    /// One of the four types, or what stands there instead.
    Type(String),
    /// Listed and kept.
    Kept(String),
}

impl FormField {
    #[must_use]
    pub fn value(&self) -> &str {
        match &self.input {
            Input::Text(field) => field.text(),
            Input::Type(value) | Input::Kept(value) => value,
        }
    }

    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self.input, Input::Kept(_))
    }

    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.value() != self.before.as_deref().unwrap_or_default()
    }

    /// Whether the key stands in the file.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.before.is_some()
    }

    /// Puts another value in, as a draft has it.
    pub fn put(&mut self, value: &str) {
        match &mut self.input {
            Input::Text(field) => **field = Field::of(value),
            Input::Type(kind) => *kind = value.to_string(),
            Input::Kept(_) => {}
        }
    }

    /// Takes a press; `false` if it means nothing here.
    pub fn press(&mut self, key: Key) -> bool {
        match &mut self.input {
            Input::Text(field) => field.press(key),
            Input::Type(kind) => choose(kind, key),
            Input::Kept(_) => false,
        }
    }
}

/// The next type, the one before it, or the one that begins with a letter.
fn choose(kind: &mut String, key: Key) -> bool {
    let at = TYPES.iter().position(|one| one == kind);
    let step = |by: usize| match at {
        Some(at) => TYPES[(at + by) % TYPES.len()],
        None => TYPES[0],
    };
    let chosen = match key.code {
        Code::Right | Code::Char(' ') if !key.ctrl && !key.alt => Some(step(1)),
        Code::Left if !key.ctrl && !key.alt => Some(step(TYPES.len() - 1)),
        Code::Char(letter) if key.is_typing() => {
            TYPES.into_iter().find(|one| one.starts_with(letter))
        }
        _ => None,
    };
    // A letter of the type that it has already changes nothing.
    let chosen = chosen.filter(|chosen| *chosen != kind.as_str());
    if let Some(chosen) = chosen {
        *kind = chosen.to_string();
    }
    chosen.is_some()
}

/// Whether a fault keeps a block from being edited field by field: where it ends, or what it says, is
/// not known.
#[must_use]
pub fn locks(fault: &Fault) -> bool {
    match fault {
        Fault::Unclosed | Fault::NotYaml { .. } => true,
        Fault::Tab { .. }
        | Fault::Duplicate { .. }
        | Fault::UnquotedColon { .. }
        | Fault::AliasNotExpanded { .. }
        | Fault::Late { .. } => false,
    }
}

/// Whether a block can't be edited field by field.
#[must_use]
pub fn is_locked(front: &FrontMatter<'_>) -> bool {
    front.faults.iter().any(locks)
}

/// The form of a front matter. Of one that can't be read as such the fields are listed and can't be
/// edited.
#[must_use]
pub fn fields(front: &FrontMatter<'_>) -> Vec<FormField> {
    let is_open = is_locked(front);
    let offered = ["name", "description", "type"];
    let own = offered.into_iter().map(|key| {
        let before = front.get(key).map(str::to_string);
        let value = before.clone().unwrap_or_default();
        FormField {
            label: key.to_string(),
            key: key.to_string(),
            input: match key {
                _ if is_open => Input::Kept(value),
                "type" => Input::Type(value),
                _ => Input::Text(Box::new(Field::of(&value))),
            },
            before,
        }
    });
    let others = front
        .fields
        .iter()
        .filter(|field| !offered.contains(&&*field.key))
        .map(|field| FormField {
            label: match &field.under {
                Some(under) => format!("{under}.{}", field.key),
                None => field.key.to_string(),
            },
            key: field.key.to_string(),
            input: Input::Kept(field.value.to_string()),
            before: Some(field.value.to_string()),
        });
    own.chain(others).collect()
}
