//! One way to die at every write point of a command: what the next start finds is all of the change
//! or nothing of it, byte for byte, with modes, times and folders; and what was done is taken back to
//! the same.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use crate::cli_write_home::{Desk, Picture, picture};

/// A desk, and the command that dies on it.
pub struct Scene {
    desk: Desk,
    command: Vec<String>,
}

/// The two ends of a command: nothing of it, and all of it.
struct Ends {
    places: Places,
    /// When it was done.
    began: i64,
    /// Changes in the history before.
    told: usize,
    before: Seen,
    after: Seen,
}

/// What counts of a desk: the client's home, and what the trash holds.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    files: Picture,
    folders: BTreeSet<String>,
    trashed: BTreeSet<Vec<u8>>,
}

impl Scene {
    pub fn new(desk: Desk, command: &[&str]) -> Self {
        let command = command.iter().map(ToString::to_string).collect();
        Self { desk, command }
    }

    /// The same desk with the command done, and another one that dies.
    pub fn then(self, command: &[&str]) -> Self {
        self.desk.done(&self.command());
        Self::new(self.desk, command)
    }

    pub fn command(&self) -> Vec<&str> {
        self.command.iter().map(String::as_str).collect()
    }

    /// Kills the command at every write point; returns how many there are.
    pub fn dies_everywhere(&self) -> usize {
        let ends = self.ends();
        for point in 1.. {
            ends.places.put_back();
            let when = format!("{:?} killed at point {point}", self.command);
            let died = self.dies(&self.command(), point, &when);
            if !died {
                Seen::of(&self.desk).assert_is(&ends.after, ends.began, &when);
                return point - 1;
            }
            recover(&self.desk);
            self.assert_whole(&ends, &when);
        }
        unreachable!("the loop ends when the command succeeds")
    }

    /// Kills the command at a write point and then its recovery at every one; returns how many that
    /// has.
    pub fn dies_again_at(&self, point: usize) -> usize {
        let ends = self.ends();
        for again in 1.. {
            ends.places.put_back();
            let when = format!("{:?}, recovery killed at {again}", self.command);
            assert!(self.dies(&self.command(), point, &when), "{when}");
            let died = self.dies(&RECOVER, again, &when);
            recover(&self.desk);
            self.assert_whole(&ends, &when);
            if !died {
                return again - 1;
            }
        }
        unreachable!("the loop ends when the recovery succeeds")
    }

    /// Does the command once, and takes it back.
    fn ends(&self) -> Ends {
        let (desk, command) = (&self.desk, self.command());
        let kept = tempfile::tempdir().unwrap();
        let places = Places::keep(desk, kept);
        let (before, told) = (Seen::of(desk), changes(desk));
        let began = now();
        desk.done(&command);
        let after = Seen::of(desk);
        assert_ne!(before, after, "{command:?} changes something");
        assert_eq!(changes(desk), told + 1, "{command:?}");
        desk.assert_sound("done");
        let ends = Ends {
            places,
            began,
            told,
            before,
            after,
        };
        self.take_back(&ends, "done");
        ends
    }

    /// Runs a command that dies at a write point; whether it came to that.
    #[track_caller]
    fn dies(&self, command: &[&str], point: usize, when: &str) -> bool {
        let mut dying = self.desk.command(command);
        dying.env("LOCI_TEST_KILL_AT", point.to_string());
        let status = dying.output().unwrap().status;
        let died = status.signal() == Some(6);
        assert!(
            died || matches!(status.code(), Some(0 | 2)),
            "{when}: {status:?}"
        );
        died
    }

    /// All is as before, or all is done, and then taken back.
    #[track_caller]
    fn assert_whole(&self, ends: &Ends, when: &str) {
        let whole = self.desk.whole().into_keys();
        let left: Vec<String> = whole
            .filter(|path| path.contains("/.loci-") || path.contains("/journal/"))
            .collect();
        assert!(left.is_empty(), "{when}: left behind: {left:?}");
        let found = Seen::of(&self.desk);
        if changes(&self.desk) == ends.told {
            found.assert_is(&ends.before, ends.began, when);
        } else {
            found.assert_is(&ends.after, ends.began, when);
            self.take_back(ends, when);
        }
    }

    /// What was done is taken back, and all is as it was.
    #[track_caller]
    fn take_back(&self, ends: &Ends, when: &str) {
        let back = match &*self.command[0] {
            "undo" | "restore" => "redo",
            _ => "undo",
        };
        self.desk.done(&[back]);
        let found = Seen::of(&self.desk);
        let when = format!("{:?}, {when}, then {back}", self.command);
        same_files(&found.files, &ends.before.files, None, &when);
        assert_eq!(found.folders, ends.before.folders, "{when}");
    }
}

/// Kills the commands of all scenes everywhere, on as many threads as there are processors. Each has
/// more than `least` write points.
pub fn die_everywhere(scenes: &[(&str, &(dyn Fn() -> Scene + Sync))], least: usize) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((name, make)) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let points = make().dies_everywhere();
                    println!("{name}: {points} write points");
                    assert!(points > least, "{name}: {points}");
                }
            });
        }
    });
}

/// A command that recovers and changes nothing: without `--yes` it only lists.
const RECOVER: [&str; 2] = ["trash", "--empty"];

pub fn recover(desk: &Desk) {
    let ran = desk.run(&RECOVER);
    assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
}

impl Seen {
    fn of(desk: &Desk) -> Self {
        let home = desk.root().join("home");
        let trashed = picture(&desk.trash()).into_iter();
        // A manifest alone keeps nothing.
        let trashed = trashed.filter(|(path, _)| !path.ends_with("manifest.json"));
        Self {
            files: picture(&home),
            folders: folders(&home),
            trashed: trashed.map(|(_, (bytes, ..))| bytes).collect(),
        }
    }

    /// What a change made young is as young here, at a moment of its own.
    #[track_caller]
    fn assert_is(&self, other: &Self, young: i64, when: &str) {
        assert_eq!(self.folders, other.folders, "{when}");
        same_files(&self.files, &other.files, Some(young), when);
        assert!(
            self.trashed == other.trashed,
            "{when}: in the trash: {}, not {}",
            self.trashed.len(),
            other.trashed.len()
        );
    }
}

/// Bytes, modes and times are the same, but where both times are not before `young`.
#[track_caller]
fn same_files(found: &Picture, expected: &Picture, young: Option<i64>, when: &str) {
    let names = |picture: &Picture| picture.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{when}");
    for (name, (bytes, mode, seconds, nanos)) in found {
        let (as_bytes, as_mode, as_seconds, as_nanos) = &expected[name];
        let text = String::from_utf8_lossy;
        assert_eq!(text(bytes), text(as_bytes), "{when}: {name}");
        assert_eq!(mode, as_mode, "{when}: {name}");
        let are_young = young.is_some_and(|young| *seconds >= young && *as_seconds >= young);
        assert!(
            are_young || (seconds, nanos) == (as_seconds, as_nanos),
            "{when}: {name}: {seconds}.{nanos}, not {as_seconds}.{as_nanos}"
        );
    }
}

fn folders(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(folders(&path));
            found.insert(path.display().to_string());
        }
    }
    found
}

/// Changes that the history holds.
fn changes(desk: &Desk) -> usize {
    let text = fs::read_to_string(desk.state().join("history.jsonl"));
    text.map_or(0, |text| text.lines().count())
}

/// Seconds, as file times have them.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_secs().cast_signed()
}

/// What a command changes, with a copy of each from before.
struct Places {
    _kept: TempDir,
    pairs: Vec<(PathBuf, PathBuf)>,
}

impl Places {
    fn keep(desk: &Desk, kept: TempDir) -> Self {
        let places = desk.places().into_iter().enumerate();
        let pairs: Vec<(PathBuf, PathBuf)> = places
            .map(|(number, place)| (place, kept.path().join(number.to_string())))
            .collect();
        for (place, copy) in &pairs {
            fs::create_dir_all(place).unwrap();
            copied(place, copy);
        }
        Self { _kept: kept, pairs }
    }

    fn put_back(&self) {
        for (place, copy) in &self.pairs {
            fs::remove_dir_all(place).unwrap();
            copied(copy, place);
        }
    }
}

/// With times and links.
fn copied(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(
        copied.unwrap().success(),
        "cp {} to {}",
        from.display(),
        to.display()
    );
}
