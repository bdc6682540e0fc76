//! What a person must say yes to before a change is taken back: what sessions have written since lies in
//! the folders that it made, and would go with them. Reads only.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::base::time::Moment;
use crate::config::limits::SESSION_SECONDS;
use crate::project::{Census, Session, census};
use crate::store::change::{ChangeSet, Op};

impl Claude {
    /// Sentences about the project folders, and the sessions in them, that a change set takes away: one
    /// that may be at work, those that wrote after `since`.
    #[must_use]
    pub fn taken_along(&self, set: &ChangeSet, since: Option<Moment>) -> Vec<String> {
        let projects = self.home().join("projects");
        let mut counted: HashMap<PathBuf, Census> = HashMap::new();
        let mut asks: Vec<String> = Vec::new();
        let mut ask = |said: String| {
            if !asks.contains(&said) {
                asks.push(said);
            }
        };
        for change in &set.changes {
            let (Op::Move { from: path, .. } | Op::Trash { path }) = &change.op else {
                continue;
            };
            let Ok(inner) = path.strip_prefix(&projects) else {
                continue;
            };
            // A folder, or what lies right in it and is no memory.
            let mut parts = inner.iter();
            let (Some(key), name, None) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            if name.is_some_and(|name| name == "memory") {
                continue;
            }
            let folder = projects.join(key);
            let found = counted
                .entry(folder.clone())
                .or_insert_with(|| census(self.disk(), &folder, &folder.join("memory")));
            let goes = |one: &&Session| {
                *path == folder
                    || one.transcript == *path
                    || one.folder.as_deref().is_some_and(|own| path == own)
            };
            let key = key.to_string_lossy();
            let written = found.sessions.iter().filter(goes);
            let written: Vec<Moment> = written.filter_map(|one| one.modified).collect();
            let newest = written.iter().max();
            let ago = newest.map(|newest| self.now().seconds - newest.seconds);
            if let Some(ago) = ago.filter(|ago| (-SESSION_SECONDS..SESSION_SECONDS).contains(ago)) {
                let ago = ago.max(0);
                ask(format!(
                    "a session in {key} wrote {ago} s ago and may still be at work: what it writes would be moved away from it"
                ));
            } else if let Some(since) = since {
                let later = written.iter().filter(|one| **one > since).count();
                let shown = shown(path, &folder, &key);
                match later {
                    0 => {}
                    1 => ask(format!(
                        "a session in {shown} was written since: it would go along"
                    )),
                    many => ask(format!(
                        "{many} sessions in {shown} were written since: they would go along"
                    )),
                }
            }
        }
        asks
    }
}

fn shown(path: &Path, folder: &Path, key: &str) -> String {
    match path == folder {
        true => key.to_string(),
        false => {
            let name = path.file_name().unwrap_or_default();
            format!("{key} ({})", name.to_string_lossy())
        }
    }
}
