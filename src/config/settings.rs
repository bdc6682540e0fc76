//! `config.toml` as one value (spec 11.4). What is wrong in it is told with its line, and the default
//! holds. Keys of parts that are still to come are known, and not used.

use std::fmt::Write as _;

use toml_edit::Item;

use crate::config::file::{Fault, Field, TomlFile};
use crate::config::health::{Health, Level};
use crate::config::limits::{KEEP_BYTES, KEEP_DAYS, LEDGER_BYTES, LEDGER_DAYS};
use crate::config::model::Model;
use crate::config::prices::Prices;
use crate::config::recall::Recalling;
use crate::config::secrets::Secrets;

/// The file in our configuration folder.
pub const FILE: &str = "config.toml";

/// What a person has set, and the defaults of the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The name of a theme, or `auto`.
    pub theme: String,
    /// Whether the mouse works in the screen from the start.
    pub mouse: bool,
    /// Whether anything in the screen moves by itself.
    pub motion: bool,
    pub glyphs: Glyphs,
    /// What `E` runs, as a shell would; empty: `$VISUAL` or `$EDITOR`.
    pub editor: String,
    pub recall: Recalling,
    pub health: Health,
    pub keep: Keep,
    /// What becomes of what the agent would write.
    pub review: Review,
    /// Which model is asked.
    pub model: Model,
    /// What models cost.
    pub prices: Prices,
    /// What looks like a secret and is none.
    pub secrets: Secrets,
}

/// What our own marks are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    #[default]
    Unicode,
    /// For terminals that draw marks of ambiguous width two cells wide.
    Ascii,
}

/// What becomes of what the agent would write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Review {
    /// A person decides on each.
    #[default]
    Review,
    /// It is written at once, and can be undone.
    Auto,
}

/// How long the trash and the history are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    pub trash_days: u32,
    pub trash_bytes: u64,
    /// Of the ledger of what was sent to a model.
    pub ledger_days: u32,
    pub ledger_bytes: u64,
}

impl Default for Keep {
    fn default() -> Self {
        Self {
            trash_days: KEEP_DAYS,
            trash_bytes: KEEP_BYTES,
            ledger_days: LEDGER_DAYS,
            ledger_bytes: LEDGER_BYTES,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: "terminal".to_string(),
            mouse: true,
            motion: true,
            glyphs: Glyphs::default(),
            editor: String::new(),
            recall: Recalling::default(),
            health: Health::default(),
            keep: Keep::default(),
            review: Review::default(),
            model: Model::default(),
            prices: Prices::default(),
            secrets: Secrets::default(),
        }
    }
}

/// Keys of spec 11.4 that belong to parts which are still to come, at the top and by table.
const NOT_USED_YET: &[(&str, &[&str])] = &[("", &["demo", "extract_every", "limits", "dream"])];

/// Whether a key is known that has no effect yet; `table` is empty at the top.
fn is_not_used_yet(table: &str, key: &str) -> bool {
    let mut tables = NOT_USED_YET.iter();
    tables.any(|(of, keys)| *of == table && keys.contains(&key))
}

impl Settings {
    /// Reads the keys of a file. `is_code` tells the codes that a finding can have, `is_theme` the
    /// themes that there are.
    #[must_use]
    pub fn from(
        file: &TomlFile,
        is_code: impl Fn(&str) -> bool,
        is_theme: impl Fn(&str) -> bool,
    ) -> (Self, Vec<Fault>) {
        let mut settings = Self::default();
        let mut faults = Vec::new();
        for field in file.fields() {
            let result = match field.key {
                "health" | "keep" | "model" | "prices" | "secrets" => {
                    match field.value.as_table_like() {
                        None => Err(format!(
                            "{} must be a table, [{0}]; its defaults hold",
                            field.key
                        )),
                        Some(table) => {
                            for inner in file.fields_of(table) {
                                let result = match field.key {
                                    "prices" => {
                                        faults.extend(settings.prices.take(file, inner));
                                        Ok(())
                                    }
                                    "health" => settings.health.take(inner, &is_code),
                                    "model" => settings.model.take(inner),
                                    "secrets" => settings.secrets.take(inner),
                                    _ => settings.keep.take(inner),
                                };
                                faults.extend(result.err().map(|said| file.fault(inner, said)));
                            }
                            Ok(())
                        }
                    }
                }
                _ => settings.take(field, &is_theme),
            };
            faults.extend(result.err().map(|said| file.fault(field, said)));
        }
        (settings, faults)
    }

    fn take(&mut self, field: Field<'_>, is_theme: impl Fn(&str) -> bool) -> Result<(), String> {
        match field.key {
            "theme" => {
                let name = text(field)?;
                if !is_theme(name) {
                    return Err(format!(
                        "there is no theme {name:?}: `loci config path` says where own ones lie; {:?} holds",
                        self.theme
                    ));
                }
                self.theme = name.to_string();
            }
            "mouse" => self.mouse = switch(field)?,
            "motion" => self.motion = switch(field)?,
            "glyphs" => {
                self.glyphs = match text(field)? {
                    "unicode" => Glyphs::Unicode,
                    "ascii" => Glyphs::Ascii,
                    _ => {
                        return Err("glyphs must be \"unicode\" or \"ascii\"; \"unicode\" holds"
                            .to_string());
                    }
                }
            }
            "editor" => self.editor = text(field)?.to_string(),
            "review" => {
                self.review = match text(field)? {
                    "review" => Review::Review,
                    "auto" => Review::Auto,
                    _ => {
                        return Err(
                            "review must be \"review\" or \"auto\"; \"review\" holds".to_string()
                        );
                    }
                }
            }
            key if is_not_used_yet("", key) => {}
            key => {
                return self
                    .recall
                    .take(field)
                    .unwrap_or_else(|| Err(unknown(key, "")));
            }
        }
        Ok(())
    }

    /// As a `config.toml` that says the same.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let mut line = |key: &str, value: String, why: &str| {
            let set = format!("{key} = {value}");
            let _ = writeln!(out, "{set:<32}  # {why}");
        };
        let quoted = |text: &str| toml_edit::Value::from(text).to_string();
        let glyphs = match self.glyphs {
            Glyphs::Unicode => "unicode",
            Glyphs::Ascii => "ascii",
        };
        line(
            "theme",
            quoted(&self.theme),
            "terminal, dark, light, auto, or one of themes/",
        );
        line(
            "mouse",
            self.mouse.to_string(),
            "whether it works in the screen from the start; F2 toggles",
        );
        line(
            "motion",
            self.motion.to_string(),
            "false: words in place of what moves by itself",
        );
        line(
            "glyphs",
            quoted(glyphs),
            "\"ascii\" where marks of ambiguous width are drawn wide",
        );
        line(
            "editor",
            quoted(&self.editor),
            "what E runs; empty: $VISUAL, else $EDITOR",
        );
        let review = match self.review {
            Review::Review => "review",
            Review::Auto => "auto",
        };
        line(
            "review",
            quoted(review),
            "\"auto\": what the agent writes is not asked about",
        );
        out.push_str(&self.recall.to_toml());
        let Health {
            stale_days,
            stale_project_days,
            ghost_grace_seconds,
            levels,
        } = &self.health;
        let _ = write!(
            out,
            "\n[health]\nstale_days = {stale_days}\nstale_project_days = {stale_project_days}\n\
             ghost_grace_seconds = {ghost_grace_seconds}\n"
        );
        for (code, level) in levels {
            let _ = writeln!(out, "{code} = \"{}\"", level.word());
        }
        let Keep {
            trash_days,
            trash_bytes,
            ledger_days,
            ledger_bytes,
        } = self.keep;
        let _ = write!(
            out,
            "\n[keep]                            # the trash and the history, each\n\
             trash_days = {trash_days}\ntrash_bytes = {trash_bytes}\n\
             ledger_days = {ledger_days}\nledger_bytes = {ledger_bytes}\n"
        );
        out.push_str(&self.secrets.to_toml());
        out.push_str(&self.model.to_toml());
        out.push_str(&self.prices.to_toml());
        out
    }
}

/// What `config print` says of the keys that have no effect yet.
#[must_use]
pub fn not_used_yet() -> String {
    let names = NOT_USED_YET.iter().flat_map(|(table, keys)| {
        keys.iter().map(move |key| match *table {
            "" => (*key).to_string(),
            table => format!("{table}.{key}"),
        })
    });
    let names: Vec<String> = names.collect();
    format!("known, and not used yet: {}", names.join(", "))
}

impl Health {
    fn take(&mut self, field: Field<'_>, is_code: impl Fn(&str) -> bool) -> Result<(), String> {
        match field.key {
            "stale_days" => self.stale_days = number(field, self.stale_days)?,
            "stale_project_days" => {
                self.stale_project_days = number(field, self.stale_project_days)?;
            }
            "ghost_grace_seconds" => {
                self.ghost_grace_seconds = number(field, self.ghost_grace_seconds)?;
            }
            code if is_code(code) => {
                let level = field.value.as_str().and_then(Level::read).ok_or_else(|| {
                    format!(
                        "{code} must be \"off\", \"note\", \"warning\" or \"error\"; it is as loud as usual"
                    )
                })?;
                self.levels.insert(code.to_string(), level);
            }
            key => {
                return Err(format!(
                    "[health] {key}: no finding has this code; `loci doctor --help` lists them"
                ));
            }
        }
        Ok(())
    }
}

impl Keep {
    fn take(&mut self, field: Field<'_>) -> Result<(), String> {
        match field.key {
            "trash_days" => self.trash_days = number(field, self.trash_days)?,
            "trash_bytes" => self.trash_bytes = number(field, self.trash_bytes)?,
            "ledger_days" => self.ledger_days = number(field, self.ledger_days)?,
            "ledger_bytes" => self.ledger_bytes = number(field, self.ledger_bytes)?,
            key => return Err(unknown(key, "[keep] ")),
        }
        Ok(())
    }
}

pub(super) fn unknown(key: &str, table: &str) -> String {
    format!("{table}{key} is no key of ours: `loci config print` lists them; it is left out")
}

pub(super) fn number<N: TryFrom<i64> + Copy + std::fmt::Display>(
    field: Field<'_>,
    default: N,
) -> Result<N, String> {
    let whole = field.value.as_integer().and_then(|n| n.try_into().ok());
    whole.ok_or_else(|| {
        let key = field.key;
        format!("{key} must be a whole number from 0 on; {default} holds")
    })
}

pub(super) fn text(field: Field<'_>) -> Result<&str, String> {
    let text = field.value.as_str();
    text.ok_or_else(|| format!("{} must be a text in quotes; its default holds", field.key))
}

pub(super) fn switch(field: Field<'_>) -> Result<bool, String> {
    let switch = Item::as_bool(field.value);
    switch.ok_or_else(|| format!("{} must be true or false; its default holds", field.key))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
