//! A small disk below a temporary folder, for the tests of this room.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{Attached, Instructions, Manner, Place, Sources, attached, read};
use crate::base::disk::Disk;
use crate::config::client::Client;

pub struct World {
    dir: tempfile::TempDir,
    pub disk: Disk,
    pub vars: BTreeMap<String, String>,
    pub sources: Sources,
}

impl World {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::below(dir.path()).unwrap();
        let world = Self {
            dir,
            disk,
            vars: BTreeMap::new(),
            sources: Sources::default(),
        };
        fs::create_dir_all(world.host("/home/u/.claude")).unwrap();
        world
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        let world = Self::new();
        for (path, text) in files {
            world.write(path, text.as_bytes());
        }
        world
    }

    /// A folder of `tests/fixtures` as `/srv/p`.
    pub fn of_case(name: &str) -> Self {
        let world = Self::new();
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(name);
        copy(&from, &world.host("/srv/p"));
        world
    }

    pub fn host(&self, path: &str) -> PathBuf {
        self.dir.path().join(path.trim_start_matches('/'))
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.host(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn folder(&self, path: &str) {
        fs::create_dir_all(self.host(path)).unwrap();
    }

    pub fn link(&self, path: &str, target: &str) {
        let path = self.host(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    pub fn place(&self, cwd: &str) -> Place {
        self.folder(cwd);
        let (home, config_home) = (Path::new("/home/u"), Path::new("/home/u/.claude"));
        let cwd = self.disk.resolve(Path::new(cwd)).unwrap();
        let client = Client::read(&self.disk, self.vars.clone(), home, config_home, &cwd);
        assert_eq!(client.faults(), [""; 0]);
        let claude_json = home.join(".claude.json");
        Place {
            sources: self.sources,
            ..Place::new(&self.disk, &client, &claude_json, config_home, &cwd)
        }
    }

    pub fn read(&self, cwd: &str) -> Instructions {
        read(&self.disk, &self.place(cwd), &Manner::default())
    }

    pub fn attached(&self, cwd: &str, file: &str) -> Vec<Attached> {
        let file = Path::new(file);
        attached(&self.disk, &self.place(cwd), &Manner::default(), file)
    }
}

/// The paths of what is sent.
pub fn paths(all: &Instructions) -> Vec<String> {
    let paths = all.entries.iter().map(|one| one.path.display().to_string());
    paths.collect()
}

/// What was left out, with the sentence.
pub fn left_out(all: &Instructions) -> Vec<String> {
    let all = all.left_out.iter();
    all.map(|one| format!("{} {}", one.path.display(), one.why.sentence()))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}
