//! Where a working directory's instructions come from, as the client's settings have it.

use std::path::{Path, PathBuf};

use super::{Place, Sources};
use crate::base::disk::Disk;
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
            sources: Sources::default(),
            off: client.standing_off(),
            edited: None,
        }
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
