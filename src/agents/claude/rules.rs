//! Reading the standing rules of a shelf's project, and one file of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::agents::rules::{Places, RuleList};
use crate::agents::{Shelf, ShelfKind};
use crate::base::disk::Kind;
use crate::instructions::{self, Edited, Manner, Place};
use crate::memory::file::Page;
use crate::memory::git;

/// Folders that are looked at for changes of rules at most.
const MOST_FOLDERS: usize = 64;

impl Claude {
    /// Reads the standing rules of a shelf's project; none where it is not known, and none of a
    /// sub-agent.
    #[must_use]
    pub fn rules(&self, shelf: &Shelf) -> RuleList {
        let here = &self.inner.here;
        match (&shelf.path, shelf.kind) {
            // Sessions begin where we were started, which may be below the project's folder.
            (_, ShelfKind::Project) if shelf.key == here.memory_key => {
                self.rules_of(&self.inner.cwd)
            }
            (Some(path), ShelfKind::Project) => self.rules_of(path),
            (
                _,
                ShelfKind::Project
                | ShelfKind::Agent
                | ShelfKind::AgentProject
                | ShelfKind::AgentLocal,
            ) => RuleList::default(),
        }
    }

    /// Reads the standing rules of a working directory.
    #[must_use]
    pub fn rules_of(&self, cwd: &Path) -> RuleList {
        self.rules_with(cwd, None)
    }

    /// As [`Claude::rules_of`], with a file as it would be once it is saved.
    pub(super) fn rules_with(&self, cwd: &Path, edited: Option<Edited>) -> RuleList {
        let inner = &self.inner;
        let disk = &inner.disk;
        let cwd = disk.resolve_existing(cwd);
        let client = inner.client.of_folder(disk, &inner.config_home, &cwd);
        let mut place = Place::new(disk, &client, &self.claude_json(), &inner.config_home, &cwd);
        place.edited = edited;
        let read = instructions::read(disk, &place, &Manner::default());
        let places = Places {
            user: inner.config_home.join("CLAUDE.md"),
            user_rules: inner.config_home.join("rules"),
            project: cwd.join("CLAUDE.md"),
            project_rules: cwd.join(".claude").join("rules"),
            local: cwd.join("CLAUDE.local.md"),
            managed: place.managed.clone(),
            home: inner.user_home.clone(),
        };
        let mut list = RuleList::of(read, places, |path| disk.resolve_existing(path));
        list.folders = self.folders_of_rules(&place, &list);
        list.outside = self.rules_outside(&cwd, &list);
        list
    }

    /// What of the rules, and of the folders in which they are begun, a link takes out of the folder in
    /// which it stands. The organisation's are not written.
    fn rules_outside(&self, cwd: &Path, list: &RuleList) -> Vec<(PathBuf, PathBuf)> {
        let disk = &self.inner.disk;
        let places = &list.places;
        let settings = cwd.join(".claude");
        let begun = [
            &settings,
            &places.user,
            &places.user_rules,
            &places.project,
            &places.project_rules,
            &places.local,
        ];
        let files = list.files.iter().filter(|file| file.is_ours());
        let paths: BTreeSet<&PathBuf> = files.map(|file| &file.path).chain(begun).collect();
        let led = paths.into_iter().filter_map(|path| {
            let real = disk.resolve_existing(path);
            let folder = self.folder_of_rule(cwd, path);
            let repository = git::work_root(disk, &folder);
            let mut within = [Some(&folder), repository.as_ref()].into_iter().flatten();
            let is_in = within.any(|folder| real.starts_with(disk.resolve_existing(folder)));
            (!is_in).then(|| (path.clone(), real))
        });
        led.collect()
    }

    /// The folder that a rules file stands in: the config home, the project, or for what lies above or
    /// beside them its own.
    fn folder_of_rule(&self, cwd: &Path, path: &Path) -> PathBuf {
        let home = &self.inner.config_home;
        if let Some(own) = [home, cwd].into_iter().find(|own| path.starts_with(own)) {
            return own.to_path_buf();
        }
        let mut above = path.ancestors().skip(1);
        let settings = above.find(|folder| folder.ends_with(".claude"));
        let own = settings.unwrap_or(path).parent();
        own.unwrap_or(path).to_path_buf()
    }

    /// Folders in which a file that comes, goes or changes makes other rules: those of the files that
    /// there are and those in which the project's own would come up. Above the project a folder that
    /// holds no rule is not looked at: its first one is seen when all is read again.
    fn folders_of_rules(&self, place: &Place, list: &RuleList) -> Vec<PathBuf> {
        let disk = &self.inner.disk;
        let mut found: Vec<PathBuf> = vec![place.cwd.clone(), place.config_home.clone()];
        found.push(place.cwd.join(".claude"));
        for file in &list.files {
            found.extend(file.path.parent().map(Path::to_path_buf));
            found.extend(file.real.parent().map(Path::to_path_buf));
        }
        for rules in [&list.places.project_rules, &list.places.user_rules] {
            let mut open = vec![rules.clone()];
            while let Some(folder) = open.pop() {
                let below = disk.list(&folder).unwrap_or_default();
                let folders = below.iter().filter(|item| item.kind == Kind::Folder);
                open.extend(folders.map(|item| folder.join(&item.name)));
                found.push(folder);
                if found.len() > MOST_FOLDERS {
                    break;
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|folder| disk.is_folder(folder) && seen.insert(folder.clone()));
        found.truncate(MOST_FOLDERS);
        found
    }

    /// Reads one file of them whole. A link is read where it leads, and keeps its name.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn rule_page(&self, path: &Path, real: &Path) -> Result<Page, String> {
        let (folder, file) = parts(real)
            .ok_or_else(|| format!("{} names no file that can be read", path.display()))?;
        let page = self.page(folder, file)?;
        Ok(Page {
            path: path.to_path_buf(),
            ..page
        })
    }
}

/// Folder and name of a file.
fn parts(path: &Path) -> Option<(&Path, &str)> {
    Some((path.parent()?, path.file_name()?.to_str()?))
}
