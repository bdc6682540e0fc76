//! The reference client's own settings, read only: which layer moves the memory folder, which
//! switches memory off. Settings layers, strongest first: managed, the project's
//! `.claude/settings.local.json`, its `.claude/settings.json`, `<config home>/settings.json`;
//! variables of the environment are stronger than all of them (observed, 2.1.332).

pub mod standing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::base::disk::Disk;
use crate::config::limits::{MOST_TRANSCRIPT_DAYS, SETTINGS_BYTES, TRANSCRIPT_DAYS};

/// The managed layer's file on this system.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// The setting that switches memory on or off.
pub const MEMORY_KEY: &str = "autoMemoryEnabled";

/// Without it nothing is read of folders that are added to a session.
pub const ADDED_VAR: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";

/// The setting that says whether the client compacts of itself.
const COMPACT_KEY: &str = "autoCompactEnabled";

/// The person's own settings of a project, below its folder.
pub const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

/// Who wrote a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Managed,
    /// The person's own, in the project, ignored by version control.
    Local,
    /// The repository's: it may claim, it is not trusted.
    Project,
    User,
}

/// One settings file that exists.
#[derive(Debug, Clone)]
struct Layer {
    source: Source,
    file: PathBuf,
    value: Value,
}

/// The client's settings and variables for one working directory.
#[derive(Debug, Clone)]
pub struct Client {
    layers: Vec<Layer>,
    vars: BTreeMap<String, String>,
    home: PathBuf,
    /// Settings that could not be used: a sentence each.
    faults: Vec<String>,
}

/// Where the memory of the working directory lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryPlace {
    /// `projects/<key>/memory` below this folder: the config home, or where a variable moved it.
    Keyed { base: PathBuf, by: Option<String> },
    /// Exactly this folder, for every project.
    Fixed {
        folder: PathBuf,
        by: String,
        claimed: bool,
    },
}

/// Which settings that move memory a version of the reference client follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moves {
    /// `autoMemoryDirectory` in the settings that are the person's or the organisation's (2.1.112 and
    /// later).
    pub own_setting: bool,
    /// The same in the repository's settings (2.1.220 and later).
    pub project_setting: bool,
    /// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE` (2.1.112 and later).
    pub path_override: bool,
}

impl Default for Moves {
    /// The newest version that was observed.
    fn default() -> Self {
        Self {
            own_setting: true,
            project_setting: true,
            path_override: true,
        }
    }
}

/// Whether memory is on, and who says so (`None`: nobody, it is on by default).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemorySwitch {
    pub on: bool,
    pub by: Option<String>,
}

/// One that says whether memory is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub on: bool,
    /// Which variable or setting says so, and where: words for a person.
    pub by: String,
    /// Of a setting: its file, and whose it is. None: a variable.
    pub file: Option<PathBuf>,
    pub source: Option<Source>,
}

impl Said {
    /// Whether the person's own settings of the project can't change what it says.
    #[must_use]
    pub fn is_stronger_than_local(&self) -> bool {
        match self.source {
            None | Some(Source::Managed) => true,
            Some(Source::Local | Source::Project | Source::User) => false,
        }
    }
}

impl Client {
    /// Reads the layers for a working directory. A file that is no JSON is left out and named.
    #[must_use]
    pub fn read(
        disk: &Disk,
        vars: BTreeMap<String, String>,
        home: &Path,
        config_home: &Path,
        cwd: &Path,
    ) -> Self {
        let files = [
            (Source::Managed, PathBuf::from(MANAGED)),
            (Source::Local, cwd.join(LOCAL_SETTINGS)),
            (Source::Project, cwd.join(".claude/settings.json")),
            (Source::User, config_home.join("settings.json")),
        ];
        let mut faults = Vec::new();
        let mut layers: Vec<Layer> = Vec::new();
        for (source, file) in files {
            // In the home folder the project's file and the person's own are one and the same.
            if source == Source::Project && file == config_home.join("settings.json") {
                continue;
            }
            let length = disk.metadata(&file).map_or(0, |data| data.len());
            if length > SETTINGS_BYTES {
                let size = length / 1024 / 1024;
                let file = file.display();
                faults.push(format!(
                    "{file} is {size} MiB large: its settings are ignored"
                ));
                continue;
            }
            let Some(text) = disk.text(&file) else {
                continue;
            };
            match serde_json::from_str(text.trim_start_matches('\u{FEFF}')) {
                Ok(value) => layers.push(Layer {
                    source,
                    file,
                    value,
                }),
                Err(error) => faults.push(format!(
                    "{} can't be read as JSON ({error}): its settings are ignored",
                    file.display()
                )),
            }
        }
        let mut client = Self {
            layers,
            vars,
            home: home.to_path_buf(),
            faults,
        };
        client.note_unusable();
        client
    }

    /// Settings that could not be used: a sentence each.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Whether the client would load and keep memory here.
    #[must_use]
    pub fn memory_switch(&self) -> MemorySwitch {
        match self.said_of_memory().into_iter().next() {
            Some(said) => MemorySwitch {
                on: said.on,
                by: Some(said.by),
            },
            None => MemorySwitch { on: true, by: None },
        }
    }

    /// All that switches memory on or off here, the strongest first: that one decides.
    #[must_use]
    pub fn said_of_memory(&self) -> Vec<Said> {
        let variable = |name: &str, on: bool| {
            let value = self.var(name).unwrap_or_default();
            Said {
                on,
                by: format!("{name}={value} in the environment"),
                file: None,
                source: None,
            }
        };
        let mut said = Vec::new();
        if let Some(off) = self.flag("CLAUDE_CODE_DISABLE_AUTO_MEMORY") {
            said.push(variable("CLAUDE_CODE_DISABLE_AUTO_MEMORY", !off));
        }
        if self.flag("CLAUDE_CODE_SIMPLE") == Some(true) {
            said.push(variable("CLAUDE_CODE_SIMPLE", false));
        }
        if self.flag("CLAUDE_CODE_REMOTE") == Some(true)
            && self.var("CLAUDE_CODE_REMOTE_MEMORY_DIR").is_none()
        {
            said.push(variable("CLAUDE_CODE_REMOTE", false));
        }
        said.extend(self.layers.iter().filter_map(|layer| {
            Some(Said {
                on: layer.value.get(MEMORY_KEY)?.as_bool()?,
                by: format!("{MEMORY_KEY} in {}", layer.file.display()),
                file: Some(layer.file.clone()),
                source: Some(layer.source),
            })
        }));
        said
    }

    /// The settings of another working directory, under the same variables.
    #[must_use]
    pub fn of_folder(&self, disk: &Disk, config_home: &Path, cwd: &Path) -> Self {
        Self::read(disk, self.vars.clone(), &self.home, config_home, cwd)
    }

    /// Who takes the index out of the request though memory is on: the variable that takes out all
    /// standing rules takes the index with them.
    #[must_use]
    pub fn index_off(&self) -> Option<String> {
        let switch = self.memory_switch();
        if !switch.on {
            return Some(format!(
                "memory is switched off by {}",
                switch.by.unwrap_or_default()
            ));
        }
        (self.flag("CLAUDE_CODE_DISABLE_CLAUDE_MDS") == Some(true)).then(|| {
            "the index is not loaded: CLAUDE_CODE_DISABLE_CLAUDE_MDS is set in the environment"
                .to_string()
        })
    }

    /// Where memory lies.
    #[must_use]
    pub fn memory_place(&self, config_home: &Path) -> MemoryPlace {
        self.memory_place_as(config_home, Moves::default())
    }

    /// Where memory lies for a version that follows these settings.
    #[must_use]
    pub fn memory_place_as(&self, config_home: &Path, moves: Moves) -> MemoryPlace {
        let fixed = self.var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE");
        if let Some(folder) = fixed.filter(|_| moves.path_override) {
            let by = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE in the environment".to_string();
            return MemoryPlace::Fixed {
                folder: self.expand(folder),
                by,
                claimed: false,
            };
        }
        let followed = |layer: &&Layer| match layer.source {
            Source::Project => moves.project_setting,
            Source::Managed | Source::Local | Source::User => moves.own_setting,
        };
        for layer in self.layers.iter().filter(followed) {
            let Some(folder) = layer
                .directory()
                .map(|text| self.expand(text))
                .filter(|path| path.is_absolute())
            else {
                continue;
            };
            let by = format!("autoMemoryDirectory in {}", layer.file.display());
            return MemoryPlace::Fixed {
                folder,
                by,
                claimed: layer.source == Source::Project,
            };
        }
        match self.var("CLAUDE_CODE_REMOTE_MEMORY_DIR") {
            Some(base) => MemoryPlace::Keyed {
                base: self.expand(base),
                by: Some("CLAUDE_CODE_REMOTE_MEMORY_DIR in the environment".to_string()),
            },
            None => MemoryPlace::Keyed {
                base: config_home.to_path_buf(),
                by: None,
            },
        }
    }

    /// The variables of the environment that were given.
    #[must_use]
    pub fn vars(&self) -> &BTreeMap<String, String> {
        &self.vars
    }

    /// Whether the `CLAUDE.md` of folders that are added to a session is read.
    #[must_use]
    pub fn reads_added(&self) -> bool {
        self.flag(ADDED_VAR) == Some(true)
    }

    /// The setting that keeps the client from compacting of itself: words for a person.
    #[must_use]
    pub fn compact_off(&self) -> Option<String> {
        let said = |layer: &Layer| {
            let on = layer.value.get(COMPACT_KEY)?.as_bool()?;
            Some((on, format!("{COMPACT_KEY} in {}", layer.file.display())))
        };
        let (on, by) = self.layers.iter().find_map(said)?;
        (!on).then_some(by)
    }

    /// Whole days that the client keeps a transcript: `cleanupPeriodDays` of the strongest layer that
    /// sets it, else 30; at most [`MOST_TRANSCRIPT_DAYS`].
    #[must_use]
    pub fn transcript_days(&self) -> i64 {
        let set = |layer: &Layer| {
            let days = layer.value.get("cleanupPeriodDays")?;
            // A number that no integer holds.
            let many = || {
                let is_large = days.as_f64()? > 1e15;
                is_large.then_some(MOST_TRANSCRIPT_DAYS)
            };
            let days = days.as_i64().or_else(many)?;
            Some(days.min(MOST_TRANSCRIPT_DAYS))
        };
        self.layers.iter().find_map(set).unwrap_or(TRANSCRIPT_DAYS)
    }

    fn note_unusable(&mut self) {
        self.faults.extend(self.unusable_excludes());
        for layer in &self.layers {
            let file = layer.file.display();
            if layer
                .value
                .get(MEMORY_KEY)
                .is_some_and(|value| !value.is_boolean())
            {
                self.faults.push(format!(
                    "{MEMORY_KEY} in {file} is neither true nor false: ignored"
                ));
            }
            if layer
                .directory()
                .is_some_and(|text| !self.expand(text).is_absolute())
            {
                self.faults.push(format!(
                    "autoMemoryDirectory in {file} is a relative path: ignored"
                ));
            }
        }
    }

    fn var(&self, name: &str) -> Option<&str> {
        self.vars
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// A variable as a yes or no, in the words that the client knows.
    fn flag(&self, name: &str) -> Option<bool> {
        match self.var(name)?.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    fn expand(&self, text: &str) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => PathBuf::from(text),
        }
    }
}

impl Layer {
    fn directory(&self) -> Option<&str> {
        self.value
            .get("autoMemoryDirectory")?
            .as_str()
            .filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
