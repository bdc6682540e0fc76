//! `[health]` of our `config.toml` (spec 11.4): how old is stale, how young may be half written, and
//! which findings are told how loudly. A fault in it is a sentence, and the defaults hold. Which
//! codes there are is not known here.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::base::disk::Disk;
use crate::config::limits::CONFIG_BYTES;

/// The file in our configuration folder.
pub const FILE: &str = "config.toml";

/// What `[health]` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Days beyond which a memory is stale.
    pub stale_days: u32,
    /// The same of a memory of the type `project`.
    pub stale_project_days: u32,
    /// Seconds in which a memory without an index line may be one that is being written.
    pub ghost_grace_seconds: u32,
    /// How loudly the findings of a code are told, where it is not as usual.
    pub levels: BTreeMap<String, Level>,
}

/// How loudly a finding is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Off,
    Note,
    Warning,
    Error,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            stale_days: 30,
            stale_project_days: 14,
            ghost_grace_seconds: 60,
            levels: BTreeMap::new(),
        }
    }
}

impl Health {
    /// Reads `[health]` from our configuration folder; with it a sentence for each fault.
    #[must_use]
    pub fn read(disk: &Disk, folder: &Path) -> (Self, Vec<String>) {
        let path = folder.join(FILE);
        let bytes = match disk.metadata(&path) {
            Err(error) if is_absent(&error) => return (Self::default(), Vec::new()),
            Ok(data) if data.len() > CONFIG_BYTES => {
                Err(io::Error::other("it is over 1 MiB large"))
            }
            Ok(_) | Err(_) => disk.read(&path),
        };
        let name = path.display();
        match bytes {
            Ok(bytes) => {
                let (health, faults) = Self::parse(&String::from_utf8_lossy(&bytes));
                let told = faults.iter().map(|fault| format!("{name}: {fault}"));
                (health, told.collect())
            }
            Err(error) => {
                let fault = format!("{name} can't be read ({error}): the defaults hold");
                (Self::default(), vec![fault])
            }
        }
    }

    /// Reads `[health]` of a text of TOML.
    fn parse(text: &str) -> (Self, Vec<String>) {
        let mut health = Self::default();
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let line = error
                    .span()
                    .map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                let why = error.message();
                let fault = format!("line {line} is no TOML ({why}): the defaults hold");
                return (health, vec![fault]);
            }
        };
        let mut faults = Vec::new();
        match table.get("health") {
            None => {}
            Some(toml::Value::Table(own)) => {
                for (key, value) in own {
                    faults.extend(health.take(key, value).err());
                }
            }
            Some(_) => faults.push("health is no table: the defaults hold".to_string()),
        }
        (health, faults)
    }

    fn take(&mut self, key: &str, value: &toml::Value) -> Result<(), String> {
        let number = || {
            let whole = value.as_integer().and_then(|number| number.try_into().ok());
            whole.ok_or_else(|| format!("[health] {key} must be a whole number from 0 on"))
        };
        match key {
            "stale_days" => self.stale_days = number()?,
            "stale_project_days" => self.stale_project_days = number()?,
            "ghost_grace_seconds" => self.ghost_grace_seconds = number()?,
            code => {
                let level = value.as_str().and_then(Level::read).ok_or_else(|| {
                    format!("[health] {code} must be \"off\", \"note\", \"warning\" or \"error\"")
                })?;
                self.levels.insert(code.to_string(), level);
            }
        }
        Ok(())
    }
}

impl Level {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "off" => Self::Off,
            "note" => Self::Note,
            "warning" => Self::Warning,
            "error" => Self::Error,
            _ => return None,
        })
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
#[path = "health_tests.rs"]
mod tests;
