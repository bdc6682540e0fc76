//! `[secrets]` of our `config.toml`: what looks like a secret and is let pass, each value by its
//! fingerprint or as it is. What looks like one is not known here.

use std::path::Path;

use toml_edit::Value;

use crate::base::disk::Disk;
use crate::config::file::{Fault, Field, TomlFile};
use crate::config::settings::{FILE, unknown};

/// Before a fingerprint.
pub const FINGERPRINT: &str = "sha256:";

/// Hexadecimal digits of one: the first of the value's SHA-256.
pub const FINGERPRINT_DIGITS: usize = 16;

/// What is let pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Secrets {
    pub allow: Vec<String>,
}

impl Secrets {
    /// Those of the configuration as it is now; what is wrong in them was told when it was read.
    ///
    /// # Errors
    /// Why the file can't be read.
    pub fn read(disk: &Disk, folder: &Path) -> Result<Self, Fault> {
        let mut secrets = Self::default();
        let Some(file) = TomlFile::read(disk, &folder.join(FILE))? else {
            return Ok(secrets);
        };
        let tables = file.fields().into_iter();
        let own = tables.filter(|field| field.key == "secrets");
        for table in own.filter_map(|field| field.value.as_table_like()) {
            for inner in file.fields_of(table) {
                let _ = secrets.take(inner);
            }
        }
        Ok(secrets)
    }

    /// What is wrong with an entry leaves the others.
    pub(super) fn take(&mut self, field: Field<'_>) -> Result<(), String> {
        if field.key != "allow" {
            return Err(unknown(field.key, "[secrets] "));
        }
        let list = field.value.as_array();
        let list = list.ok_or("allow must be a list of texts; nothing is let pass")?;
        let mut wrong = None;
        for value in list {
            match value.as_str().map(|entry| (entry, fault(entry))) {
                Some((entry, None)) => self.allow.push(entry.to_string()),
                Some((_, Some(said))) => {
                    wrong.get_or_insert(said);
                }
                None => {
                    wrong.get_or_insert("one that is no text in quotes");
                }
            }
        }
        wrong.map_or(Ok(()), |said| {
            Err(format!("allow holds {said}; it is left out"))
        })
    }

    pub(super) fn to_toml(&self) -> String {
        let list: toml_edit::Array = self.allow.iter().map(String::as_str).collect();
        format!(
            "\n[secrets]                         # what looks like one and is none: loci doctor says each one's sha256:…\n\
             allow = {}\n",
            Value::from(list)
        )
    }
}

/// What is wrong with an entry. It is not repeated: it may be a secret.
fn fault(entry: &str) -> Option<&'static str> {
    let Some(digits) = entry.strip_prefix(FINGERPRINT) else {
        return entry.trim().is_empty().then_some("an empty text");
    };
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let fits = digits.len() == FINGERPRINT_DIGITS && digits.chars().all(is_digit);
    (!fits).then_some("a fingerprint that no value has: after sha256: come 16 of 0-9 and a-f")
}
