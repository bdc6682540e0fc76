//! A store and a memory folder for the tests, and the changes that they make.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::base::time::Moment;
use crate::store::change::{Age, Author, ChangeSet, Op};

pub(super) const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

/// A store and a memory folder below one temporary folder.
pub(super) struct Bench {
    root: tempfile::TempDir,
    pub store: Store,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Faults::none())
    }

    pub fn with(faults: Faults) -> Self {
        Self::on(tempfile::tempdir().expect("a temporary folder"), faults)
    }

    /// In memory where the machine has such a file system: a flush costs nothing there, and all else
    /// is as on a disk.
    pub fn quick() -> Self {
        let root = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self::on(root.expect("a temporary folder"), Faults::none())
    }

    fn on(root: tempfile::TempDir, faults: Faults) -> Self {
        fs::create_dir_all(root.path().join("memory")).expect("a folder");
        let store = Store::new(
            &root.path().join("state"),
            Path::new("/home/u/.claude"),
            None,
            faults,
        );
        Self { root, store }
    }

    /// The same places, as another process would open them.
    pub fn again(&self, faults: Faults) -> Store {
        Store::new(
            &self.root.path().join("state"),
            Path::new("/home/u/.claude"),
            None,
            faults,
        )
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("memory").join(name)
    }

    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        let old = UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789);
        fs::File::options()
            .write(true)
            .open(&path)
            .expect("a file")
            .set_modified(old)
            .expect("a time");
        path
    }

    /// Every entry of the memory folder: name, bytes, mode, modification.
    pub fn picture(&self) -> Vec<(String, Vec<u8>, u32, i64, i64)> {
        let mut rows: Vec<_> = fs::read_dir(self.root.path().join("memory"))
            .expect("a listing")
            .map(|entry| {
                let entry = entry.expect("an entry");
                let data = entry.metadata().expect("metadata");
                let bytes = match data.is_file() {
                    true => fs::read(entry.path()).expect("bytes"),
                    false => Vec::new(),
                };
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, bytes, data.mode(), data.mtime(), data.mtime_nsec())
            })
            .collect();
        rows.sort();
        rows
    }

    /// Every file of the memory folder and below: path, bytes (of a link where it leads), mode,
    /// modification.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>, u32, i64, i64)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>, u32, i64, i64)>) {
            for entry in fs::read_dir(folder).expect("a listing") {
                let path = entry.expect("an entry").path();
                let data = fs::symlink_metadata(&path).expect("metadata");
                if data.is_dir() {
                    walk(&path, found);
                } else {
                    let target = fs::read_link(&path).map(PathBuf::into_os_string);
                    let bytes = target.map_or_else(
                        |_| fs::read(&path).expect("bytes"),
                        std::ffi::OsString::into_encoded_bytes,
                    );
                    found.push((path, bytes, data.mode(), data.mtime(), data.mtime_nsec()));
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.root.path().join("memory"), &mut found);
        found.sort();
        found
    }
}

pub(super) fn write(path: &Path, before: Option<&str>, after: &str, age: Age) -> Op {
    let before = before.map(|text| text.as_bytes().to_vec());
    Op::Write {
        path: path.to_path_buf(),
        before,
        after: after.as_bytes().to_vec(),
        age,
    }
}

pub(super) fn one(op: Op) -> ChangeSet {
    ChangeSet::new("a change", Author::You).with(op, "because")
}

pub(super) fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

/// Edit, create, move and trash in one change set, as a rename of a memory does.
pub(super) fn everything(bench: &Bench) -> ChangeSet {
    let (a, b, index) = (
        bench.path("a.md"),
        bench.path("b.md"),
        bench.path("MEMORY.md"),
    );
    ChangeSet::new("everything", Author::You)
        .with(write(&a, Some("a\n"), "A\n", Age::Keep), "the name")
        .with(
            Op::Move {
                from: a.clone(),
                to: bench.path("c.md"),
            },
            "the file",
        )
        .with(
            write(&index, Some("- [A](a.md)\n"), "- [A](c.md)\n", Age::Keep),
            "its line",
        )
        .with(
            write(&bench.path("new.md"), None, "new\n", Age::Set),
            "a new one",
        )
        .with(Op::Trash { path: b }, "no longer true")
}

pub(super) fn fill(bench: &Bench) {
    bench.put("a.md", "a\n");
    bench.put("b.md", "b\n");
    bench.put("MEMORY.md", "- [A](a.md)\n");
}
