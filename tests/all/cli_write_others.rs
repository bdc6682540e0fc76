//! Other writers: somebody who changes a file while a command is at work on it, a second loci, work
//! that a crash left unfinished. A command is held at a write point by a stop signal, so that the
//! other one comes in at exactly that moment.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::cli_home::Ran;
use crate::cli_write_home::{Desk, small, text_of};

/// A command that stands still at a write point.
struct Held(Child);

impl Held {
    fn at(point: usize, desk: &Desk, arguments: &[&str]) -> Self {
        let mut command = desk.command(arguments);
        command
            .env("LOCI_TEST_STOP_AT", point.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let (_, status) = waitpid(Some(Pid::from_child(&child)), WaitOptions::UNTRACED)
            .unwrap()
            .unwrap();
        assert!(
            status.stopped(),
            "point {point} was not reached: {status:?}"
        );
        Self(child)
    }

    /// Lets it go on to its end.
    fn go_on(self) -> Ran {
        kill_process(Pid::from_child(&self.0), Signal::CONT).unwrap();
        let output = self.0.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Rewrites a file as editors do: a new file renamed over it.
fn rewrite(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let beside = path.with_extension("new");
    fs::write(&beside, change(&text)).unwrap();
    fs::rename(&beside, path).unwrap();
}

/// The write points of an edit: it has read before the first, and swaps at this one.
const POINTS: usize = 23;
const SWAP: usize = 18;

#[test]
fn co02_a_field_is_set_though_another_changes_the_body_meanwhile() {
    for point in 1..=POINTS {
        let desk = small();
        let path = desk.memory().join("alpha.md");
        let held = Held::at(point, &desk, &["edit", "alpha", "--set", "type=project"]);
        rewrite(&path, |text| text.replace("One.", "One and more."));
        let ran = held.go_on();
        assert_eq!(ran.code, Some(0), "point {point}: {ran:?}");
        let expected = text_of("alpha", "project", "One and more.");
        assert_eq!(desk.read("alpha.md"), expected, "point {point}");
        let merged = ran.err.contains("merged");
        assert_eq!(merged, point <= SWAP, "point {point}: {ran:?}");
        desk.assert_sound("afterwards");
    }
}

#[test]
fn co02_what_another_wrote_into_the_same_line_stays() {
    for point in 1..=SWAP {
        let desk = small();
        let path = desk.memory().join("alpha.md");
        let held = Held::at(point, &desk, &["edit", "alpha", "--set", "type=project"]);
        rewrite(&path, |text| text.replace("type: user", "type: feedback"));
        let ran = held.go_on();
        assert_eq!(ran.code, Some(3), "point {point}: {ran:?}");
        assert!(ran.err.contains("the same lines"), "{ran:?}");
        let expected = text_of("alpha", "feedback", "One.");
        assert_eq!(desk.read("alpha.md"), expected, "point {point}");
        desk.assert_sound("afterwards");
    }
}

/// The lines beside the field are another's; the field is not: the edit is made anew on them.
#[test]
fn a_field_is_set_in_a_block_that_another_wrote_anew() {
    let desk = small();
    let path = desk.memory().join("alpha.md");
    let held = Held::at(9, &desk, &["edit", "alpha", "--set", "type=project"]);
    rewrite(&path, |text| text.replace("type: user", "type: \"user\""));
    let ran = held.go_on();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(desk.read("alpha.md").contains("type: \"project\"\n"));
}

#[test]
fn a_text_is_never_put_over_one_that_nobody_has_seen() {
    let desk = small();
    let path = desk.memory().join("alpha.md");
    let held = Held::at(9, &desk, &["edit", "alpha", "--body", "Mine."]);
    rewrite(&path, |text| text.replace("One.", "Theirs."));
    let ran = held.go_on();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "user", "Theirs."));
}

#[test]
fn co04_an_index_that_grows_meanwhile_keeps_every_line() {
    let grown = |text: &str| {
        let more: String = (0..58)
            .map(|n| format!("- [G{n}](g{n}.md) — g\n"))
            .collect();
        format!("# Head\n{text}{more}")
    };
    for command in [
        ["mv", "alpha", "omega"].as_slice(),
        &["rm", "alpha"],
        &["new", "delta", "--type", "user", "--description", "d"],
    ] {
        for point in [3, 8, 12, 14] {
            let desk = small();
            let path = desk.memory().join("MEMORY.md");
            let held = Held::at(point, &desk, command);
            rewrite(&path, grown);
            let ran = held.go_on();
            let when = format!("{command:?} at {point}");
            assert_eq!(ran.code, Some(0), "{when}: {ran:?}");
            let index = desk.read("MEMORY.md");
            let old = "# Memory\n- [alpha](alpha.md) — first\n- [beta](beta.md) — second\n- [gamma](gamma.md) — third\n";
            let lines: Vec<&str> = index.lines().collect();
            for line in grown(old).lines().filter(|line| !line.contains("alpha")) {
                assert!(lines.contains(&line), "{when}: {line} is lost");
            }
            assert_eq!(index.contains("(alpha.md)"), command[0] == "new", "{when}");
            assert_eq!(index.contains("(omega.md)"), command[0] == "mv", "{when}");
            assert_eq!(index.contains("(delta.md)"), command[0] == "new", "{when}");
        }
    }
}

#[test]
fn a_memory_that_goes_meanwhile_is_a_conflict() {
    let desk = small();
    let held = Held::at(9, &desk, &["edit", "alpha", "--set", "type=project"]);
    fs::remove_file(desk.memory().join("alpha.md")).unwrap();
    let ran = held.go_on();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("is gone"), "{ran:?}");
    assert!(!desk.has("alpha.md"));
}

/// A second loci neither finishes nor undoes what a living one is at, wherever that stands.
#[test]
fn the_work_of_a_living_process_is_left_alone() {
    thread::scope(|scope| {
        for point in [4, 12, 16, 20, 30, 45] {
            scope.spawn(move || {
                let desk = small();
                let held = Held::at(point, &desk, &["mv", "alpha", "omega"]);
                let middle = desk.whole();
                let ran = desk.done(&["history"]);
                assert_eq!(ran.err, "", "point {point}: it is not unfinished");
                let sentence = desk.refused(&["edit", "gamma", "--set", "type=user"], 3, "busy");
                assert!(sentence.contains("another loci is writing"), "{sentence}");
                assert_eq!(desk.whole(), middle, "point {point}");
                let ran = held.go_on();
                assert_eq!(ran.code, Some(0), "point {point}: {ran:?}");
                assert!(desk.has("omega.md") && !desk.has("alpha.md"));
                desk.assert_sound("afterwards");
            });
        }
    });
}

/// A recovery that is at work is not disturbed by another one either.
#[test]
fn a_recovery_at_work_is_left_alone() {
    let desk = small();
    Held::at(36, &desk, &["mv", "alpha", "omega"]).kill();
    let held = Held::at(2, &desk, &["trash", "--empty"]);
    let middle = desk.whole();
    desk.refused(&["trash", "--empty"], 3, "busy");
    assert_eq!(desk.whole(), middle);
    let ran = held.go_on();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("was finished"), "{ran:?}");
    desk.assert_sound("afterwards");
}

#[test]
fn a_command_that_only_reads_names_unfinished_work_and_leaves_it() {
    let desk = small();
    Held::at(36, &desk, &["mv", "alpha", "omega"]).kill();
    let left = desk.whole();
    for command in [
        ["ls"].as_slice(),
        &["show", "gamma"],
        &["index"],
        &["trash"],
        &["history"],
        &["edit", "gamma", "--set", "type=user", "--dry-run"],
    ] {
        let ran = desk.done(command);
        let said = "an unfinished write of 2026-09-21T14:13:20Z: run `loci undo`";
        assert!(ran.err.contains(said), "{command:?}: {ran:?}");
        assert_eq!(desk.whole(), left, "{command:?}");
    }
    let ran = desk.done(&["edit", "gamma", "--set", "type=user"]);
    assert!(
        ran.err.contains("rename alpha to omega: the write of "),
        "{ran:?}"
    );
    assert!(desk.has("omega.md") && desk.read("beta.md").contains("[[omega]]"));
    desk.assert_sound("afterwards");
    assert_eq!(desk.done(&["ls"]).err, "");
}

/// What somebody else has changed since the crash is left as it is, and the intent is kept.
#[test]
fn unfinished_work_that_another_has_written_over_is_kept_and_said() {
    let desk = small();
    Held::at(36, &desk, &["mv", "alpha", "omega"]).kill();
    rewrite(&desk.memory().join("beta.md"), |_| "theirs\n".to_string());
    let ran = desk.run(&["trash", "--empty"]);
    assert!(ran.err.contains("beta.md changed meanwhile"), "{ran:?}");
    assert_eq!(desk.read("beta.md"), "theirs\n");
    let kept = fs::read_dir(desk.state().join("journal/conflicts")).unwrap();
    assert_eq!(kept.count(), 1);
    assert_eq!(desk.done(&["ls"]).err, "", "it is not unfinished any more");
}

/// The write makes a new file under one name.
#[test]
fn a_memory_with_a_second_name_is_written_and_the_other_name_is_told() {
    let desk = small();
    let other = desk.root().join("other.md");
    std::fs::hard_link(desk.memory().join("alpha.md"), &other).unwrap();
    let before = std::fs::read_to_string(&other).unwrap();
    let said =
        "alpha.md is one of 2 names of a file (hard links): the other one keeps the old text";
    for more in [&["--dry-run"][..], &[]] {
        let edit = [&["edit", "alpha", "--body", "Uno."][..], more].concat();
        let ran = desk.done(&edit);
        assert!(ran.err.contains(said), "{ran:?}");
    }
    assert_eq!(std::fs::read_to_string(&other).unwrap(), before);
    assert_ne!(desk.read("alpha.md"), before);
    // It has one name by now.
    let ran = desk.done(&["edit", "alpha", "--body", "One."]);
    assert!(!ran.err.contains("hard links"), "{ran:?}");
}
