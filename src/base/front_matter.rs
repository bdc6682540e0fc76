//! Front matter, read leniently: what can be understood is understood, what cannot is marked, and
//! the bytes are never touched. A plain line reader takes the common shape; YAML stands behind it.
//! Knows nothing of which fields a memory has.

use std::ops::Range;

/// The front matter of a text and where its body begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Bytes of the block, both fences and the line break after the last one included. `None`:
    /// the text has no block (or one that never closes: then the whole text is body).
    pub block: Option<Range<usize>>,
    /// Byte where the body begins.
    pub body: usize,
    /// Fields in the order of the file.
    pub fields: Vec<Field>,
    /// What is wrong with the block.
    pub faults: Vec<Fault>,
}

/// One field: `key: value` at the top, or one level below another key (`metadata:`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key that it stands under, if any.
    pub under: Option<String>,
    pub key: String,
    /// The value as text: quotes and escapes undone, lists as they are written.
    pub value: String,
    /// Line of the file, from 1.
    pub line: usize,
}

/// Something wrong with the block. Lines count from 1 in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The opening fence never closes: the whole text is body.
    Unclosed,
    /// A key that stands twice; `used` is the line whose value is read.
    Duplicate {
        key: String,
        line: usize,
        used: usize,
    },
    /// A value with an unquoted `: ` in it; the reference client reads it as text.
    UnquotedColon { line: usize },
    /// A line indented by a tab, which YAML forbids.
    Tab { line: usize },
    /// Aliases (`*name`) stand in the block; they are shown as written, not expanded.
    AliasNotExpanded { line: usize },
    /// YAML refuses the block; the fields are what a line reader found.
    NotYaml { line: usize, message: String },
    /// A block shaped like front matter begins at this line, but it is not first.
    Late { line: usize },
}

impl FrontMatter {
    /// The first field of this key at the top or, failing that, under `metadata`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let at = |under: Option<&str>| {
            self.fields
                .iter()
                .rfind(|field| field.key == key && field.under.as_deref() == under)
        };
        at(None)
            .or_else(|| at(Some("metadata")))
            .map(|field| field.value.as_str())
    }

    /// Whether the block cannot be trusted: anything but an unquoted colon, an alias or a late block.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.faults.iter().any(|fault| match fault {
            Fault::Unclosed
            | Fault::Duplicate { .. }
            | Fault::Tab { .. }
            | Fault::NotYaml { .. } => true,
            Fault::UnquotedColon { .. } | Fault::AliasNotExpanded { .. } | Fault::Late { .. } => {
                false
            }
        })
    }
}

impl Fault {
    /// A sentence that says what is wrong, where, and what it means.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Unclosed => {
                "the opening fence is never closed: the whole file is body".to_string()
            }
            Self::Duplicate { key, line, used } => {
                format!(
                    "`{key}` stands twice: the value of line {used} is used, line {line} is not"
                )
            }
            Self::UnquotedColon { line } => {
                format!("line {line} has an unquoted colon: read as text")
            }
            Self::Tab { line } => format!("line {line} is indented by a tab, which YAML forbids"),
            Self::AliasNotExpanded { line } => format!("line {line}: aliases not expanded"),
            Self::NotYaml { line, message } => {
                format!("line {line} is no YAML ({message}): read line by line")
            }
            Self::Late { line } => {
                format!(
                    "a block like front matter begins at line {line}, but it is not first: it is body"
                )
            }
        }
    }
}
