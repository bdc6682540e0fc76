//! Another writer and loci at the same files at the same time.
//!
//! What can be promised: what another has written as a whole (a new file renamed over the old one,
//! as editors and the reference client do) comes out of our swap and is looked at, so it is never
//! lost; and what a command of ours has said to have done stands, unless that other writes over it
//! without looking. So the writer here looks: it swaps too, and takes what came out unread into its
//! next version. While a swap of ours is being taken back another may for a moment read our version
//! in the place of its own; it looks again.
//!
//! What can't: a writer that truncates a file and writes into it. Who holds the file open while it is
//! swapped writes into the one that was swapped out, and no system call tells us. Such a writer loses
//! at most the version that it was writing at that very moment, and half a file of its own making is
//! never taken for a whole one by anyone but a reader that comes in between.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::cli_home::Ran;
use crate::cli_write_home::{Desk, small, text_of};

const REWRITES: usize = 1_000;

/// How long a version of the other writer may be away while a swap is taken back.
const AWAY: Duration = Duration::from_secs(20);

/// A writer that adds lines of its own to a file, a thousand times, by whole new files.
struct Other {
    path: PathBuf,
    written: Vec<String>,
    /// Lines that came out of its swaps though it had not read them.
    unread: BTreeSet<String>,
}

impl Other {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            written: Vec::new(),
            unread: BTreeSet::new(),
        }
    }

    fn read(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }

    /// Waits until all that it has written is there; what never comes back is lost.
    fn read_own(&self) -> String {
        let begun = Instant::now();
        loop {
            let text = self.read();
            let lines: HashSet<&str> = text.lines().collect();
            let missing = self
                .written
                .iter()
                .find(|line| !lines.contains(line.as_str()));
            let Some(missing) = missing else { return text };
            assert!(
                begun.elapsed() < AWAY,
                "lost: {missing} in {}",
                self.path.display()
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Adds a line.
    fn add(&mut self, line: &str) {
        let mut read = self.read_own();
        let mut next = format!("{read}{line}\n");
        self.written.push(line.to_string());
        loop {
            let there: HashSet<&str> = next.lines().collect();
            let away = self
                .unread
                .iter()
                .filter(|line| !there.contains(line.as_str()));
            let away: String = away.map(|line| format!("{line}\n")).collect();
            next += &away;
            let beside = self.path.with_extension("other");
            fs::write(&beside, &next).unwrap();
            renameat_with(CWD, &beside, CWD, &self.path, RenameFlags::EXCHANGE).unwrap();
            let out = fs::read_to_string(&beside).unwrap();
            fs::remove_file(&beside).unwrap();
            if out == read {
                return;
            }
            let there: HashSet<&str> = next.lines().collect();
            let unread = out.lines().filter(|line| !there.contains(line));
            let unread: Vec<String> = unread.map(str::to_string).collect();
            if unread.is_empty() {
                return;
            }
            self.unread.extend(unread);
            read.clone_from(&next);
        }
    }
}

/// Runs commands of ours until the others are done; each that fails must be a reported conflict.
/// Returns the arguments of those that were done, and how many were not.
fn commands(
    desk: &Desk,
    done: &AtomicBool,
    make: impl Fn(usize) -> Vec<String>,
) -> (Vec<Vec<String>>, usize) {
    let (mut applied, mut conflicts) = (Vec::new(), 0);
    for number in 0.. {
        if done.load(Ordering::Acquire) {
            return (applied, conflicts);
        }
        let arguments = make(number);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran: Ran = desk.run(&words);
        match ran.code {
            Some(0) => applied.push(arguments),
            Some(3) => {
                assert!(is_a_told_conflict(&ran), "{arguments:?}: {ran:?}");
                conflicts += 1;
            }
            Some(_) | None => panic!("{arguments:?}: {ran:?}"),
        }
    }
    unreachable!("the numbers do not end")
}

/// Whether nothing was written, or of two that were written as a whole while ours was swapped one is kept, and
/// that is told.
fn is_a_told_conflict(ran: &Ran) -> bool {
    let told = ["nothing was written", "is kept in"];
    ran.code == Some(3) && told.iter().any(|words| ran.err.contains(words))
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(ToString::to_string).collect()
}

/// Works at a file beside the other writer, which adds a line each time; returns what our side gave
/// once no line of the other's is missing.
fn beside<T>(
    path: &Path,
    rewrites: usize,
    line: impl Fn(usize) -> String + Sync,
    ours: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let done = AtomicBool::new(false);
    let (other, gave) = thread::scope(|scope| {
        let other = scope.spawn(|| {
            let _end = AtTheEnd(&done);
            let mut other = Other::new(path.to_path_buf());
            for number in 0..rewrites {
                other.add(&line(number));
                rest(number);
            }
            other
        });
        let gave = ours(&done);
        (other.join().unwrap(), gave)
    });
    assert_holds(path, &other.written);
    gave
}

#[track_caller]
fn assert_holds(path: &Path, expected: &[String]) {
    let text = fs::read_to_string(path).unwrap();
    let lines: HashSet<&str> = text.lines().collect();
    let lost = expected.iter().find(|line| !lines.contains(line.as_str()));
    assert_eq!(lost, None, "lost in {}", path.display());
}

/// The other writer's line in an index.
fn index_line(number: usize) -> String {
    format!("- [Other {number}](alpha.md) — o{number}")
}

#[test]
fn no_line_of_either_side_is_lost_in_an_index_that_another_rewrites() {
    let desk = small();
    let index = desk.memory().join("MEMORY.md");
    let new = |number: usize| {
        let name = format!("n{number}");
        words(&[
            "new",
            &name,
            "--type",
            "user",
            "--description",
            "d",
            "--yes",
        ])
    };
    let ours = |done: &AtomicBool| commands(&desk, done, new);
    let (applied, conflicts) = beside(&index, REWRITES, index_line, ours);
    let names: Vec<&String> = applied.iter().map(|arguments| &arguments[1]).collect();
    for name in &names {
        assert!(desk.has(&format!("{name}.md")), "lost: {name}");
    }
    let line = |name: &&String| format!("- [{name}]({name}.md) — d");
    assert_holds(&index, &names.iter().map(line).collect::<Vec<_>>());
    assert_some(&applied, conflicts);
    assert_swept(&desk);
}

#[test]
fn no_update_of_either_side_is_lost_in_a_memory_that_another_rewrites() {
    let desk = small();
    let path = desk.memory().join("alpha.md");
    // Each sets a field of its own: what was done must stand at the end.
    let set = |number: usize| words(&["edit", "alpha", "--set", &format!("k{number}=v{number}")]);
    let ours = |done: &AtomicBool| commands(&desk, done, set);
    let line = |number: usize| format!("Line {number} of another.");
    let (applied, conflicts) = beside(&path, REWRITES, line, ours);
    let field = |arguments: &Vec<String>| arguments[3].replace('=', ": ");
    assert_holds(&path, &applied.iter().map(field).collect::<Vec<_>>());
    assert_some(&applied, conflicts);
    assert_swept(&desk);
}

/// A race in which our side never comes through tests nothing.
fn assert_some(applied: &[Vec<String>], conflicts: usize) {
    assert!(
        !applied.is_empty(),
        "{conflicts} conflicts and nothing done"
    );
    println!("{} done, {conflicts} conflicts", applied.len());
}

/// `rm` and `undo` beside the same writer: its lines stay, whatever becomes of ours.
#[test]
fn removals_and_undos_lose_no_line_of_another() {
    let desk = small();
    // Were gamma's line the last, the other's first one could come to stand at its very place while it
    // is away: a conflict that no second try ends.
    desk.put("MEMORY.md", desk.read("MEMORY.md") + "\nKept by hand.\n");
    let index = desk.memory().join("MEMORY.md");
    beside(&index, REWRITES / 4, index_line, |done| {
        while !done.load(Ordering::Acquire) {
            let removed = desk.run(&["rm", "gamma"]);
            assert!(matches!(removed.code, Some(0 | 2 | 3)), "{removed:?}");
            if removed.code == Some(0) {
                // Until it comes back: the place is free, only the index is fought for.
                let undone = (0..200).map(|_| desk.run(&["undo"]));
                let refused: Vec<_> = undone.take_while(|ran| ran.code != Some(0)).collect();
                assert!(refused.iter().all(is_a_told_conflict), "{refused:?}");
                // The other may have put back, at its own place, the line that it read before it went: that
                // is for a person to settle.
                if refused.len() == 200 {
                    desk.put("gamma.md", text_of("gamma", "reference", "Three."));
                    return;
                }
            }
            assert!(desk.has("gamma.md"), "{removed:?}");
        }
    });
    assert_eq!(
        desk.read("gamma.md"),
        text_of("gamma", "reference", "Three.")
    );
    assert_swept(&desk);
}

/// The writer that no one can be safe from: it truncates and writes in place. Nothing of ours fails
/// in another way than with a conflict, and once it rests its last version is there with our edit on it.
#[test]
fn a_writer_in_place_keeps_what_it_wrote_last() {
    let desk = small();
    let path = desk.memory().join("alpha.md");
    let version = |number: usize| {
        let lines = format!("version {number}\n").repeat(40);
        format!("---\nname: alpha\ntype: user\n---\n{lines}")
    };
    let done = AtomicBool::new(false);
    let tried = thread::scope(|scope| {
        scope.spawn(|| {
            let _end = AtTheEnd(&done);
            for number in 0..REWRITES {
                fs::write(&path, version(number)).unwrap();
                rest(number);
            }
        });
        let mut tried = 0;
        while !done.load(Ordering::Acquire) {
            let ran = desk.run(&["edit", "alpha.md", "--set", "type=project"]);
            assert!(matches!(ran.code, Some(0 | 2 | 3)), "{ran:?}");
            assert!(ran.code == Some(0) || !ran.err.is_empty());
            tried += 1;
        }
        tried
    });
    assert!(tried > 0);
    fs::write(&path, version(REWRITES)).unwrap();
    desk.done(&["edit", "alpha.md", "--set", "type=project"]);
    let expected = version(REWRITES).replace("type: user", "type: project");
    assert_eq!(desk.read("alpha.md"), expected);
    assert_swept(&desk);
}

/// Says that the other writer is done, also when it fails: nobody waits for it then.
struct AtTheEnd<'a>(&'a AtomicBool);

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Mostly a few milliseconds apart, so that every moment of a command is met; now and then long
/// enough for one to come through.
fn rest(number: usize) {
    let millis = match number % 50 {
        49 => 60,
        other => other as u64 % 7,
    };
    thread::sleep(Duration::from_millis(millis));
}

fn assert_swept(desk: &Desk) {
    let left: Vec<String> = desk
        .whole()
        .into_keys()
        .filter(|path| {
            let path = Path::new(path);
            let is_kept = path.ends_with("journal")
                || path
                    .components()
                    .any(|part| part.as_os_str() == "conflicts");
            path.components().any(|part| {
                part.as_os_str().to_string_lossy().starts_with(".loci-")
                    || (part.as_os_str() == "journal" && !is_kept)
            })
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
