//! Memory folders for the tests of health: written to disk with their ages, examined, mended.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::health::{Code, Examined, Finding, Rules, Severity, examine, fix};
use crate::memory::proposal::Folder;
use crate::store::Store;

pub const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

const DAY: i64 = 24 * 60 * 60;

/// A memory folder.
pub struct World {
    pub root: tempfile::TempDir,
    pub rules: Rules,
}

/// The front matter of a memory that nothing is wrong with.
pub fn head(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: What is to be known of {name} before work begins\nmetadata:\n  node_type: memory\n  type: feedback\n---\n"
    )
}

/// A memory that nothing is wrong with.
pub fn good(name: &str) -> String {
    format!(
        "{}\nThe fact of {name}.\n\n**Why:** it was learned.\n",
        head(name)
    )
}

/// Its index line.
pub fn line(name: &str) -> String {
    format!("- [About {name}]({name}.md) — what is to be known of {name}\n")
}

impl World {
    /// One good memory, `one.md`, and its index.
    pub fn new() -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
            rules: Rules::default(),
        };
        world.file("one.md", good("one"));
        world.file("MEMORY.md", line("one"));
        world
    }

    pub fn folder(&self) -> PathBuf {
        self.root.path().join("memory")
    }

    /// Writes a file that is two days old.
    pub fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        self.aged(path, bytes, 2 * DAY)
    }

    pub fn days_old(&self, path: &str, bytes: impl AsRef<[u8]>, days: i64) -> &Self {
        self.aged(path, bytes, days * DAY)
    }

    pub fn aged(&self, path: &str, bytes: impl AsRef<[u8]>, seconds: i64) -> &Self {
        let path = self.folder().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let since = u64::try_from(NOW.seconds - seconds).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(since))
            .unwrap();
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.folder().join(path)).unwrap();
        self
    }

    /// `one.md` with this text.
    pub fn one(text: impl AsRef<[u8]>) -> Self {
        let world = Self::new();
        world.file("one.md", text);
        world
    }

    /// One good memory and this index.
    pub fn index(text: impl AsRef<[u8]>) -> Self {
        let world = Self::new();
        world.file("MEMORY.md", text);
        world
    }

    pub fn text(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.folder().join(path)).unwrap()).unwrap()
    }

    pub fn modified(&self, path: &str) -> Moment {
        let data = fs::metadata(self.folder().join(path)).unwrap();
        data.modified().unwrap().into()
    }

    pub fn examine(&self) -> Examined {
        let disk = Disk::system();
        examine(&disk, "-srv-p", &self.folder(), &self.rules, NOW)
    }

    pub fn findings(&self) -> Vec<Finding> {
        self.examine().findings
    }

    /// All findings, as `code severity path:line`.
    pub fn found(&self) -> Vec<String> {
        let findings = self.findings();
        findings.iter().map(shown).collect()
    }

    /// The one finding of a code.
    pub fn the(&self, code: Code) -> Finding {
        let mut of_code = self.findings();
        of_code.retain(|one| one.code == code);
        assert_eq!(of_code.len(), 1, "{code:?}: {:?}", self.found());
        of_code.remove(0)
    }

    /// Applies the fix of the one finding of a code. It must be gone then, nothing new be there, and
    /// an undo bring every byte back.
    pub fn mend(&self, code: Code) -> &Self {
        let finding = self.the(code);
        let before = self.found();
        let bytes = self.all_bytes();
        let store = self.store();
        self.apply(&store, &finding);
        let mut expected = before;
        expected.retain(|one| *one != shown(&finding));
        let lines = |found: Vec<String>| -> Vec<String> {
            // A line above that has gone moves what is below.
            let cut = |one: &String| one.split(':').next().unwrap_or_default().to_string();
            found.iter().map(cut).collect()
        };
        assert_eq!(lines(self.found()), lines(expected), "{code:?}");
        let after = self.all_bytes();
        store.undo(None, NOW).unwrap();
        assert_eq!(self.all_bytes(), bytes, "{code:?} undone");
        store.redo(NOW).unwrap();
        assert_eq!(self.all_bytes(), after, "{code:?} done again");
        self
    }

    pub fn apply(&self, store: &Store, finding: &Finding) {
        let path = self.folder();
        let disk = Disk::system();
        let memories = self.examine().memories;
        let folder = Folder {
            disk: &disk,
            path: &path,
            memories: &memories,
        };
        let set = fix::propose(&folder, finding).unwrap();
        store.apply(&set, NOW).unwrap();
    }

    pub fn store(&self) -> Store {
        let state = self.root.path().join("state");
        Store::new(&state, self.root.path(), None, Faults::default())
    }

    fn all_bytes(&self) -> Vec<(String, Vec<u8>, Moment)> {
        fn walk(folder: &std::path::Path, found: &mut Vec<(String, Vec<u8>, Moment)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, found);
                } else {
                    let time = fs::metadata(&path).unwrap().modified().unwrap();
                    let name = path.to_string_lossy().into_owned();
                    found.push((name, fs::read(&path).unwrap(), time.into()));
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.folder(), &mut found);
        found.sort();
        found
    }
}

pub fn shown(finding: &Finding) -> String {
    let line = finding
        .line
        .map_or(String::new(), |line| format!(":{line}"));
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    format!("{} {severity} {}{line}", finding.code.word(), finding.path)
}
