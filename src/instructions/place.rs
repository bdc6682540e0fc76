//! Where a working directory's instructions come from, as the client's settings have it.

use std::io;
use std::path::{Path, PathBuf};

use super::page::is_absent;
use super::{Place, Sources};
use crate::base::disk::{Disk, Item, Kind};
use crate::config::client::standing::{Exclude, external_imports_approved};
use crate::config::client::{Client, Source};

/// The organisation's folder on this system.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode"
} else {
    "/etc/claude-code"
};

impl Place {
    /// The place of a working directory (resolved), whose settings `client` are. `claude_json` is the
    /// client's `.claude.json`, where the person's approvals stand.
    #[must_use]
    pub fn new(
        disk: &Disk,
        client: &Client,
        claude_json: &Path,
        config_home: &Path,
        cwd: &Path,
    ) -> Self {
        Self {
            cwd: cwd.to_path_buf(),
            home: client.home().to_path_buf(),
            config_home: config_home.to_path_buf(),
            managed: PathBuf::from(MANAGED),
            excludes: client.excludes(),
            external_approved: external_imports_approved(disk, claude_json, cwd),
            added: Vec::new(),
            sources: Sources::default(),
            off: client.standing_off(),
            edited: None,
        }
    }

    /// Lists a folder; a new file that is being edited is in it already.
    pub(super) fn list(&self, disk: &Disk, folder: &Path) -> io::Result<Vec<Item>> {
        let listed = disk.list(folder);
        let Some(item) = self.edited_below(folder) else {
            return listed;
        };
        match listed {
            Ok(mut items) => {
                if items.iter().all(|one| one.name != item.name) {
                    items.push(item);
                }
                Ok(items)
            }
            Err(error) if is_absent(&error) => Ok(vec![item]),
            Err(error) => Err(error),
        }
    }

    /// What a folder holds of the file that is being edited: itself, or a folder on the way to it.
    pub(super) fn edited_below(&self, folder: &Path) -> Option<Item> {
        let below = self.edited.as_ref()?.path.strip_prefix(folder).ok()?;
        let mut components = below.components();
        let name = components.next()?.as_os_str().to_os_string();
        let kind = match components.next() {
            None => Kind::File,
            Some(_) => Kind::Folder,
        };
        Some(Item { name, kind })
    }

    /// The patterns of the settings that are read: those of a source that is left out are not.
    pub(super) fn live_excludes(&self) -> impl Iterator<Item = &Exclude> {
        let sources = self.sources;
        self.excludes.iter().filter(move |one| match one.source {
            Source::Managed => true,
            Source::User => sources.user,
            Source::Project => sources.project,
            Source::Local => sources.local,
        })
    }
}
