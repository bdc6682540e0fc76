//! What the reference client's settings say of standing rules: which files are taken out and by which
//! layer, what switches all of them off, whether imports may leave a project.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Client, Source};
use crate::base::disk::Disk;
use crate::config::limits::CLAUDE_JSON_BYTES;

/// The setting that takes instruction files out.
pub const EXCLUDES_KEY: &str = "claudeMdExcludes";

/// One pattern of [`EXCLUDES_KEY`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclude {
    /// A glob, or an absolute path.
    pub pattern: String,
    /// The settings file that it stands in, and whose that is.
    pub setting: PathBuf,
    pub source: Source,
}

/// What of `.claude.json` is asked.
#[derive(Default, Deserialize)]
struct ClaudeJson {
    #[serde(default)]
    projects: HashMap<String, Approval>,
}

#[derive(Deserialize)]
struct Approval {
    #[serde(default, rename = "hasClaudeMdExternalIncludesApproved")]
    external_imports: Option<serde_json::Value>,
}

impl Client {
    /// The home folder of the person.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The patterns that take instruction files out: those of all layers count, the strongest layer
    /// comes first.
    #[must_use]
    pub fn excludes(&self) -> Vec<Exclude> {
        let of_layer = |layer: &super::Layer| {
            let patterns = layer.value.get(EXCLUDES_KEY)?.as_array()?;
            let texts = patterns.iter().filter_map(serde_json::Value::as_str);
            let exclude = |pattern: &str| Exclude {
                pattern: pattern.to_string(),
                setting: layer.file.clone(),
                source: layer.source,
            };
            Some(texts.map(exclude).collect::<Vec<_>>())
        };
        self.layers.iter().filter_map(of_layer).flatten().collect()
    }

    /// What takes all standing rules out of the request: words for a person.
    #[must_use]
    pub fn standing_off(&self) -> Option<String> {
        let all_off = ["CLAUDE_CODE_DISABLE_CLAUDE_MDS", "CLAUDE_CODE_SIMPLE"];
        let set = all_off.iter().find(|name| self.flag(name) == Some(true))?;
        Some(format!("{set} is set in the environment"))
    }

    /// Of the settings for standing rules those that could not be used: a sentence each.
    pub(super) fn unusable_excludes(&self) -> Vec<String> {
        let bad = |layer: &&super::Layer| {
            let Some(value) = layer.value.get(EXCLUDES_KEY) else {
                return false;
            };
            let texts = value.as_array();
            !texts.is_some_and(|texts| texts.iter().all(serde_json::Value::is_string))
        };
        let sentence = |layer: &super::Layer| {
            let file = layer.file.display();
            format!(
                "{EXCLUDES_KEY} in {file} is not a list of texts: what is none of them is ignored"
            )
        };
        self.layers.iter().filter(bad).map(sentence).collect()
    }
}

/// Whether the person has approved that imports leave the working directory: `.claude.json` says so of
/// exactly this path.
#[must_use]
pub fn external_imports_approved(disk: &Disk, claude_json: &Path, cwd: &Path) -> bool {
    let length = disk.metadata(claude_json).map_or(0, |data| data.len());
    if length == 0 || length > CLAUDE_JSON_BYTES {
        return false;
    }
    let text = disk.text(claude_json).unwrap_or_default();
    let text = text.trim_start_matches('\u{FEFF}');
    let read: ClaudeJson = serde_json::from_str(text).unwrap_or_default();
    let of_cwd = cwd.to_str().and_then(|cwd| read.projects.get(cwd));
    of_cwd.is_some_and(|it| it.external_imports == Some(serde_json::Value::Bool(true)))
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
