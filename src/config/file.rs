//! A file of ours in TOML, read with the line of each key, and what can be wrong with it. Knows
//! nothing of what the keys mean.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, TableLike};

use crate::base::disk::Disk;
use crate::config::limits::CONFIG_BYTES;

/// What is wrong in a file of ours: where, what, and what holds instead or is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub file: PathBuf,
    /// From 1; `None` where it is about the file as a whole.
    pub line: Option<usize>,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// A file that could be read.
#[derive(Debug)]
pub struct TomlFile {
    pub path: PathBuf,
    document: Document<String>,
}

/// A key with its value and the line that it stands in.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    pub key: &'a str,
    pub value: &'a Item,
    pub line: Option<usize>,
}

impl TomlFile {
    /// Reads a file; `None` if there is none.
    ///
    /// # Errors
    /// What is wrong with it as a whole; the defaults hold then.
    pub fn read(disk: &Disk, path: &Path) -> Result<Option<Self>, Fault> {
        let bytes = match disk.metadata(path) {
            Err(error) if is_absent(&error) => return Ok(None),
            Ok(data) if data.len() > CONFIG_BYTES => {
                Err(io::Error::other("it is over 1 MiB large"))
            }
            Ok(_) | Err(_) => disk.read(path),
        };
        let fault = |why: String| Fault {
            file: path.to_path_buf(),
            line: None,
            message: format!("can't be read ({why}); the defaults hold"),
        };
        let bytes = bytes.map_err(|error| fault(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| fault("it is no UTF-8".to_string()))?;
        Self::parse(path, &text).map(Some)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Where and why it is no TOML.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Fault> {
        let document = Document::parse(text.to_string()).map_err(|error| Fault {
            file: path.to_path_buf(),
            line: Some(error.span().map_or(1, |span| line_of(text, &span))),
            message: format!(
                "this is no TOML ({}); the defaults hold until it is mended",
                error.message().lines().collect::<Vec<_>>().join(", ")
            ),
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            document,
        })
    }

    /// The keys at the top.
    #[must_use]
    pub fn fields(&self) -> Vec<Field<'_>> {
        self.fields_of(self.document.as_table())
    }

    /// The keys of a table in it.
    #[must_use]
    pub fn fields_of<'a>(&'a self, table: &'a dyn TableLike) -> Vec<Field<'a>> {
        let field = |(key, value): (&'a str, &'a Item)| {
            let span = table.key(key).and_then(toml_edit::Key::span);
            Field {
                key,
                value,
                line: span.map(|span| line_of(self.document.raw(), &span)),
            }
        };
        let mut fields: Vec<Field<'a>> = table.iter().map(field).collect();
        fields.sort_by_key(|field| field.line);
        fields
    }

    /// Its text.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.document.raw()
    }

    /// Something wrong with a key.
    #[must_use]
    pub fn fault(&self, field: Field<'_>, message: impl Into<String>) -> Fault {
        Fault {
            file: self.path.clone(),
            line: field.line,
            message: message.into(),
        }
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
