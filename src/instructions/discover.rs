//! Which files a session begins with, in the order in which the reference client was seen to send
//! them: the organisation's, the person's own, then from the topmost folder down to the working
//! directory those of each folder; those of folders that were added to the session come last: which place they
//! have among the others was not recorded.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::page::{self, Page};
use super::reader::Reader;
use super::why::Why;
use super::{Instructions, Layer, Listing, Manner, Place, Role};
use crate::base::disk::{Disk, Kind};
use crate::config::limits::RULE_DEPTH;
use crate::memory::git;

/// Below a folder: its two main files, its rules, and the person's own.
pub const MAIN: [&str; 2] = ["CLAUDE.md", ".claude/CLAUDE.md"];
pub const RULES: &str = ".claude/rules";
pub const LOCAL: &str = "CLAUDE.local.md";
const AGENTS: [&str; 2] = ["AGENTS.md", ".claude/AGENTS.md"];

/// Spellings of the main file in which it is not read.
const MISSPELT: [&str; 3] = ["claude.md", "Claude.md", "CLAUDE.MD"];

pub fn all(disk: &Disk, place: &Place, manner: &Manner, listing: &Listing<'_>) -> Instructions {
    let mut reader = Reader::new(disk, place, manner);
    start(&mut reader, listing);
    reader.out
}

/// Reads what a session begins with.
pub fn start(reader: &mut Reader<'_>, listing: &Listing<'_>) {
    let place = reader.place;
    reader.out.off.clone_from(&place.off);
    if place.off.is_some() {
        return;
    }
    reader.take(&place.managed.join(MAIN[0]), Layer::Managed, Role::Main);
    let rules = place.managed.join(RULES);
    take_rules(reader, listing, &rules, Layer::Managed, &place.cwd);
    let own = place.config_home.join(MAIN[0]);
    let own_rules = place.config_home.join("rules");
    match place.sources.user {
        true => {
            reader.take(&own, Layer::User, Role::Main);
            take_rules(reader, listing, &own_rules, Layer::User, &place.cwd);
        }
        false => no_source(reader, &own),
    }
    Chain::new(reader, listing).take(reader);
    for folder in &place.added {
        if place.sources.project {
            reader.take(&folder.join(MAIN[0]), Layer::Project, Role::Main);
        }
        if place.sources.local && reader.manner.added_local {
            reader.take(&folder.join(LOCAL), Layer::Local, Role::Local);
        }
    }
}

/// Takes the rules of a folder and those below, in the order of its listing. What is not read because
/// of its spelling is said.
pub fn take_rules(
    reader: &mut Reader<'_>,
    listing: &Listing<'_>,
    folder: &Path,
    layer: Layer,
    base: &Path,
) {
    let mut entered = HashSet::new();
    rules_below(
        reader,
        listing,
        folder,
        RULE_DEPTH,
        &mut entered,
        &mut |reader, path| {
            reader.take_rule(path, layer, base);
        },
    );
}

fn rules_below(
    reader: &mut Reader<'_>,
    listing: &Listing<'_>,
    folder: &Path,
    depth: usize,
    entered: &mut HashSet<PathBuf>,
    each: &mut dyn FnMut(&mut Reader<'_>, &Path),
) {
    let items = match listing(folder) {
        Ok(items) => items,
        Err(error) => {
            if !page::is_absent(&error) {
                reader.leave_out(folder, Why::Unreadable(error.to_string()), None);
            }
            return;
        }
    };
    let is_new = match reader.disk.resolve(folder) {
        Ok(real) => entered.insert(real),
        // It comes with the new file that is being edited.
        Err(_) => reader.place.edited_below(folder).is_some(),
    };
    if !is_new {
        return;
    }
    if depth == 0 {
        reader.leave_out(folder, Why::FolderTooDeep, None);
        return;
    }
    for item in items {
        let path = folder.join(&item.name);
        let is_folder = match item.kind {
            Kind::Folder => true,
            Kind::Link | Kind::Other => reader.disk.is_folder(&path),
            Kind::File => false,
        };
        if is_folder {
            rules_below(reader, listing, &path, depth - 1, entered, each);
            continue;
        }
        let name = item.name.as_encoded_bytes();
        if name.ends_with(b".md") {
            each(reader, &path);
        } else if name.to_ascii_lowercase().ends_with(b".md") {
            let name = item.name.to_string_lossy();
            let wanted = format!("{}.md", &name[..name.len() - 3]);
            reader.leave_out(&path, Why::Spelling(wanted), None);
        }
    }
}

fn no_source(reader: &mut Reader<'_>, path: &Path) {
    if reader.disk.is_file(path) && !reader.seen.contains(path) {
        reader.leave_out(path, Why::NoSource, None);
    }
}

/// The folders from the topmost one down to the working directory.
struct Chain<'l> {
    listing: &'l Listing<'l>,
    folders: Vec<PathBuf>,
    /// Where a worktree lies in its main checkout: the checkout and the worktree.
    nested: Option<(PathBuf, PathBuf)>,
    /// Files that were read to learn whether there are any.
    read: HashMap<PathBuf, Page>,
    /// The main and local files with text, because of which `AGENTS.md` stays out, the nearest last.
    mains: Vec<PathBuf>,
}

impl<'l> Chain<'l> {
    fn new(reader: &mut Reader<'_>, listing: &'l Listing<'l>) -> Self {
        let cwd = &reader.place.cwd;
        let mut folders: Vec<PathBuf> = cwd.ancestors().map(Path::to_path_buf).collect();
        folders.reverse();
        let mut chain = Self {
            listing,
            nested: nested_worktree(reader.disk, cwd),
            folders,
            read: HashMap::new(),
            mains: Vec::new(),
        };
        if reader.manner.agents_md {
            chain.look_for_main(reader);
        }
        chain
    }

    /// Reads the main files once, and keeps them: `AGENTS.md` only stands in where there are none.
    fn look_for_main(&mut self, reader: &mut Reader<'_>) {
        let sources = reader.place.sources;
        for folder in &self.folders {
            let mut files = Vec::new();
            if sources.project && !self.is_main_checkout(folder) {
                files.extend(MAIN.map(|name| (folder.join(name), Layer::Project)));
            }
            if sources.local {
                files.push((folder.join(LOCAL), Layer::Local));
            }
            for (path, layer) in files {
                // The working directory may lie below `.claude`, where two names mean one file.
                if self.read.contains_key(&path) {
                    continue;
                }
                let left_out = reader.out.left_out.len();
                if let Some(page) = reader.page(&path, layer) {
                    self.mains.push(path.clone());
                    self.read.insert(path, page);
                } else {
                    // It is said when its turn comes.
                    reader.out.left_out.truncate(left_out);
                }
            }
        }
    }

    fn is_main_checkout(&self, folder: &Path) -> bool {
        let nested = self.nested.as_ref();
        nested.is_some_and(|(checkout, worktree)| {
            folder.starts_with(checkout) && !folder.starts_with(worktree)
        })
    }

    fn take(mut self, reader: &mut Reader<'_>) {
        let sources = reader.place.sources;
        let mut agents = Vec::new();
        for folder in std::mem::take(&mut self.folders) {
            if self.is_main_checkout(&folder) {
                self.name_main_checkout(reader, &folder);
            } else if sources.project {
                self.project(reader, &folder);
                if reader.manner.agents_md {
                    agents.extend(AGENTS.map(|name| folder.join(name)));
                }
            } else {
                for name in MAIN {
                    no_source(reader, &folder.join(name));
                }
            }
            let local = folder.join(LOCAL);
            match sources.local {
                true => self.one(reader, &local, Layer::Local, Role::Local),
                false => no_source(reader, &local),
            }
        }
        // What stood in was taken with its folder; else it is said, unless another file imports it.
        if !self.mains.is_empty() {
            for path in agents {
                Self::name(reader, &path, Why::StoodIn(self.mains.clone()));
            }
        }
    }

    fn project(&mut self, reader: &mut Reader<'_>, folder: &Path) {
        for name in MAIN {
            self.one(reader, &folder.join(name), Layer::Project, Role::Main);
        }
        let rules = folder.join(RULES);
        take_rules(reader, self.listing, &rules, Layer::Project, folder);
        if reader.manner.agents_md && self.mains.is_empty() {
            for name in AGENTS {
                reader.take(&folder.join(name), Layer::Project, Role::Agents);
            }
        }
        name_misspelt(reader, folder);
    }

    fn one(&mut self, reader: &mut Reader<'_>, path: &Path, layer: Layer, role: Role) {
        match self.read.remove(path) {
            // What was read before may have come meanwhile as another one's import.
            Some(page) if !reader.seen.contains(path) => reader.give(path, &page, layer, role),
            Some(_) => {}
            None => reader.take(path, layer, role),
        }
    }

    /// Says of a file that is there and was not taken why it is not. Below `.claude` two names mean one
    /// file, which is said once.
    fn name(reader: &mut Reader<'_>, path: &Path, why: Why) {
        let is_named = reader.out.left_out.iter().any(|out| out.path == path);
        if !is_named && reader.disk.is_file(path) && !reader.seen.contains(path) {
            reader.leave_out(path, why, None);
        }
    }

    fn name_main_checkout(&self, reader: &mut Reader<'_>, folder: &Path) {
        let agents = AGENTS.iter().filter(|_| reader.manner.agents_md);
        for name in MAIN.iter().chain(agents) {
            Self::name(reader, &folder.join(name), Why::MainCheckout);
        }
        let mut entered = HashSet::new();
        let rules = folder.join(RULES);
        rules_below(
            reader,
            self.listing,
            &rules,
            RULE_DEPTH,
            &mut entered,
            &mut |reader, path| {
                reader.leave_out(path, Why::MainCheckout, None);
            },
        );
    }
}

/// Says of a main file that its spelling keeps the client from it.
fn name_misspelt(reader: &mut Reader<'_>, folder: &Path) {
    let right = folder.join(MAIN[0]);
    if reader.disk.metadata(&right).is_ok() {
        return;
    }
    for name in MISSPELT {
        let path = folder.join(name);
        if reader.disk.is_file(&path) {
            reader.leave_out(&path, Why::Spelling(MAIN[0].to_string()), None);
        }
    }
}

/// The main checkout that the worktree of a working directory lies in, and that worktree.
fn nested_worktree(disk: &Disk, cwd: &Path) -> Option<(PathBuf, PathBuf)> {
    let worktree = git::work_root(disk, cwd)?;
    let checkout = git::memory_root(disk, cwd);
    let is_nested = checkout != worktree && worktree.starts_with(&checkout);
    is_nested.then_some((checkout, worktree))
}
