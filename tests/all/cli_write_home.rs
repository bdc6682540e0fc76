//! A home on the real disk, without a sysroot, for the commands that write; pictures of what lies in
//! it, and what must hold of it after a crash.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;
use tempfile::TempDir;

use crate::cli_home::{LOCI, NOW, Ran, ran};

/// Files below a folder by their relative path: bytes, mode, modification. A link by where it leads.
pub type Picture = BTreeMap<String, (Vec<u8>, u32, i64, i64)>;

/// Makes a memory whose name has to become a slug.
pub const NEW: [&str; 6] = [
    "new",
    "Delta One",
    "--type",
    "user",
    "--description",
    "fourth: d",
];

pub struct Desk {
    _folder: TempDir,
    root: PathBuf,
    elsewhere: Option<Elsewhere>,
}

/// What of ours lies on another file system than the memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    Trash,
    State,
}

struct Elsewhere {
    folder: TempDir,
    what: Apart,
}

impl Desk {
    /// A home with one project and no memories yet.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        for name in ["home", "proj"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        Self {
            _folder: folder,
            root,
            elsewhere: None,
        }
    }

    /// The same with a part of ours on another file system, if this machine has one.
    pub fn apart(self, what: Apart) -> Option<Self> {
        let device = |path: &Path| fs::metadata(path).map(|data| data.dev()).ok();
        let folder = ["/dev/shm", "/run/user", "/tmp"]
            .iter()
            .filter_map(|folder| tempfile::tempdir_in(folder).ok())
            .find(|folder| device(folder.path()) != device(&self.root))?;
        let elsewhere = Some(Elsewhere { folder, what });
        Some(Self { elsewhere, ..self })
    }

    fn elsewhere(&self, what: Apart) -> Option<&Path> {
        let there = self.elsewhere.as_ref().filter(|there| there.what == what)?;
        Some(there.folder.path())
    }

    fn state_root(&self) -> PathBuf {
        let there = self.elsewhere(Apart::State);
        there.map_or_else(|| self.root.join("state"), |there| there.join("state"))
    }

    pub fn trash(&self) -> PathBuf {
        let there = self.elsewhere(Apart::Trash);
        there.map_or_else(|| self.state().join("trash"), |there| there.join("trash"))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folders in which a command may change something. They need not be there.
    pub fn places(&self) -> Vec<PathBuf> {
        let own = [self.root.join("home"), self.state_root()];
        let apart = self.elsewhere(Apart::Trash).map(|_| self.trash());
        own.into_iter().chain(apart).collect()
    }

    /// The memory folder of the project.
    pub fn memory(&self) -> PathBuf {
        let key: String = self
            .root
            .join("proj")
            .to_str()
            .unwrap()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let projects = self.root.join("home/.claude/projects");
        projects.join(key).join("memory")
    }

    /// The folder of one config home in our state: there is only one.
    pub fn state(&self) -> PathBuf {
        let folder = self.state_root().join("homes");
        let mut homes = fs::read_dir(&folder).into_iter().flatten();
        homes
            .next()
            .map_or_else(|| folder.join("none"), |home| home.unwrap().path())
    }

    /// Writes a file of the memory folder, 47 days old.
    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.memory().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let old = UNIX_EPOCH + Duration::new(NOW.unsigned_abs() - 47 * 24 * 60 * 60, 123_456_789);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(old).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.memory().join(name)).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        fs::symlink_metadata(self.memory().join(name)).is_ok()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(LOCI);
        command
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("LOCI_STATE_DIR", self.state_root())
            .envs(
                self.elsewhere(Apart::Trash)
                    .map(|_| ("LOCI_TRASH", self.trash())),
            )
            .current_dir(self.root.join("proj"))
            .args(["--now", &NOW.to_string()])
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(&mut self.command(arguments))
    }

    /// Runs it; it must succeed.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran
    }

    /// Runs it with `--json`; it must succeed.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        self.done(&[arguments, &["--json"]].concat()).json()
    }

    /// Runs it with `--json`; it must fail with this code and this word. The sentence is given back.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str], code: i32, word: &str) -> String {
        let ran = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        let error = &ran.json()["error"];
        assert_eq!(error["code"], word, "{ran:?}");
        let sentence = error["message"].as_str().unwrap().to_string();
        assert!(ran.err.contains(&sentence), "{ran:?}");
        sentence
    }

    /// Everything below the root: home, project and state; and what lies elsewhere.
    pub fn whole(&self) -> Picture {
        let mut whole = picture(&self.root);
        if let Some(there) = &self.elsewhere {
            let apart = picture(there.folder.path()).into_iter();
            whole.extend(apart.map(|(path, file)| (format!("elsewhere/{path}"), file)));
        }
        whole
    }

    /// The memory folder alone.
    pub fn memories(&self) -> Picture {
        picture(&self.memory())
    }

    /// Bytes and modes of the memory folder: what stays the same whenever a command runs.
    pub fn texts(&self) -> BTreeMap<String, (String, u32)> {
        self.memories()
            .into_iter()
            .map(|(path, (bytes, mode, ..))| {
                (path, (String::from_utf8_lossy(&bytes).into_owned(), mode))
            })
            .collect()
    }

    /// Paths in the trash as they were, with their bytes.
    pub fn trashed(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        for manifest in self.json(&["trash"])["trash"].as_array().unwrap() {
            let key = manifest["key"].as_str().unwrap();
            for item in manifest["items"].as_array().unwrap() {
                let name = item["name"].as_str().unwrap();
                let path = self.trash().join(key).join(name);
                let was = item["path"].as_str().unwrap().to_string();
                found.insert(was, fs::read(path).unwrap());
            }
        }
        found
    }

    /// What no crash may leave: temporary files, open intents, ghosts and lines that lead nowhere.
    #[track_caller]
    pub fn assert_sound(&self, when: &str) {
        let left: Vec<String> = self
            .whole()
            .into_keys()
            .filter(|path| path.contains("/.loci-") || path.contains("/journal/"))
            .collect();
        assert!(left.is_empty(), "{when}: left behind: {left:?}");
        let list = self.json(&["ls"]);
        for project in list["projects"].as_array().unwrap() {
            for memory in project["memories"].as_array().unwrap() {
                assert_eq!(memory["state"], "ok", "{when}: {memory}");
            }
        }
        if self.has("MEMORY.md") {
            for entry in self.json(&["index"])["entries"].as_array().unwrap() {
                assert_eq!(entry["state"], "ok", "{when}: {entry}");
            }
        }
    }
}

pub fn picture(folder: &Path) -> Picture {
    fn walk(folder: &Path, root: &Path, found: &mut Picture) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            let bytes = if data.is_dir() {
                walk(&path, root, found);
                continue;
            } else if data.file_type().is_symlink() {
                let target = fs::read_link(&path).unwrap();
                target.into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(name, (bytes, data.mode(), data.mtime(), data.mtime_nsec()));
        }
    }
    let mut found = Picture::new();
    walk(folder, folder, &mut found);
    found
}

/// A memory with a type at the top and a body.
pub fn text_of(name: &str, kind: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\ntype: {kind}\n---\n{body}\n")
}

/// Three memories; `beta` links to `alpha`.
pub fn small() -> Desk {
    let desk = Desk::new();
    desk.put(
        "MEMORY.md",
        "# Memory\n- [alpha](alpha.md) — first\n- [beta](beta.md) — second\n- [gamma](gamma.md) — third\n",
    );
    desk.put("alpha.md", text_of("alpha", "user", "One."));
    desk.put(
        "beta.md",
        text_of("beta", "project", "As [[alpha]] says.\nMore."),
    );
    desk.put("gamma.md", text_of("gamma", "reference", "Three."));
    desk
}
