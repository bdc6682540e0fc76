//! `[model]` in `config.toml`: which provider is asked, with which key, for which models. Holds no key
//! itself, only where it is to be had.

use std::path::Path;

use crate::base::disk::Disk;
use crate::config::file::{Fault, Field, TomlFile};
use crate::config::settings::{FILE, text, unknown};

/// The protocol that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Anthropic's Messages API.
    #[default]
    Anthropic,
    /// Chat completions as `OpenAI` has them, which many servers speak.
    OpenAi,
}

impl Protocol {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
        }
    }
}

/// What is set. What is empty is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    pub provider: Option<Protocol>,
    /// The model of the chat.
    pub main: Option<String>,
    /// The one for small questions, such as what to recall.
    pub small: Option<String>,
    pub dream: Option<String>,
    pub base_url: Option<String>,
    /// A command for the shell that prints the key.
    pub key_command: Option<String>,
    /// A file with the key, which may begin with `~/`.
    pub key_file: Option<String>,
    /// Tokens of the model's window.
    pub window: Option<u64>,
}

impl Model {
    /// That of the configuration as it is now; what is wrong in it was told when it was read.
    ///
    /// # Errors
    /// Why the file can't be read.
    pub fn read(disk: &Disk, folder: &Path) -> Result<Self, Fault> {
        let mut model = Self::default();
        let Some(file) = TomlFile::read(disk, &folder.join(FILE))? else {
            return Ok(model);
        };
        let tables = file.fields().into_iter();
        let own = tables.filter(|field| field.key == "model");
        for table in own.filter_map(|field| field.value.as_table_like()) {
            for inner in file.fields_of(table) {
                let _ = model.take(inner);
            }
        }
        Ok(model)
    }

    pub(super) fn take(&mut self, field: Field<'_>) -> Result<(), String> {
        let set = |field| -> Result<Option<String>, String> {
            let text = text(field)?.trim();
            Ok(Some(text.to_string()).filter(|text| !text.is_empty()))
        };
        match field.key {
            "provider" => {
                self.provider = match text(field)? {
                    "" => None,
                    "anthropic" => Some(Protocol::Anthropic),
                    "openai" => Some(Protocol::OpenAi),
                    _ => {
                        return Err("provider must be \"anthropic\" or \"openai\" (any server that speaks chat \
                                    completions); it is left out"
                            .to_string());
                    }
                }
            }
            "main" => self.main = set(field)?,
            "small" => self.small = set(field)?,
            "dream" => self.dream = set(field)?,
            "base_url" => {
                let address = set(field)?;
                let is_web = |text: &String| {
                    let text = text.to_ascii_lowercase();
                    text.starts_with("http://") || text.starts_with("https://")
                };
                if !address.as_ref().is_none_or(is_web) {
                    return Err(
                        "base_url must begin with http:// or https://; it is left out".to_string(),
                    );
                }
                self.base_url = address;
            }
            "key_command" => {
                self.key_command = set(field)?;
                self.one_key()?;
            }
            "key_file" => {
                self.key_file = set(field)?;
                self.one_key()?;
            }
            "window" => {
                let tokens = field.value.as_integer();
                let tokens = tokens.and_then(|tokens| u64::try_from(tokens).ok());
                self.window = match tokens {
                    Some(0) => None,
                    Some(tokens) => Some(tokens),
                    None => {
                        return Err("window must be a whole number of tokens, 0 where the provider is to be \
                                    asked; 0 holds"
                            .to_string());
                    }
                }
            }
            "key" | "api_key" => {
                return Err(format!(
                    "[model] {}: no key stands in this file; say with key_command or key_file where it is; it is \
                     left out",
                    field.key
                ));
            }
            key => return Err(unknown(key, "[model] ")),
        }
        Ok(())
    }

    fn one_key(&self) -> Result<(), String> {
        match self.key_command.is_some() && self.key_file.is_some() {
            true => Err("key_command and key_file are both set; key_command holds".to_string()),
            false => Ok(()),
        }
    }

    /// As it stands in a `config.toml`.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let quoted = |text: &Option<String>| {
            toml_edit::Value::from(text.as_deref().unwrap_or_default()).to_string()
        };
        let provider = self.provider.map(|provider| provider.word().to_string());
        let rows = [
            (
                "provider",
                quoted(&provider),
                "anthropic or openai; empty: anthropic",
            ),
            (
                "main",
                quoted(&self.main),
                "empty: the newest that the provider lists",
            ),
            (
                "small",
                quoted(&self.small),
                "for small questions; empty: main",
            ),
            ("dream", quoted(&self.dream), "empty: main"),
            (
                "base_url",
                quoted(&self.base_url),
                "empty: the provider's own, or $ANTHROPIC_BASE_URL",
            ),
            (
                "key_command",
                quoted(&self.key_command),
                "prints the key; empty: $ANTHROPIC_API_KEY",
            ),
            (
                "key_file",
                quoted(&self.key_file),
                "holds the key, mode 600",
            ),
            (
                "window",
                self.window.unwrap_or(0).to_string(),
                "tokens; 0: the provider is asked",
            ),
        ];
        let row = |(key, value, why): (&str, String, &str)| {
            let set = format!("{key} = {value}");
            format!("{set:<32}  # {why}\n")
        };
        format!("\n[model]\n{}", rows.map(row).concat())
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
