//! What the system refuses: no space, a read-only file system, no permission, something else in the
//! place of a file. A sentence with the path and what to do, exit 3, and every byte as it was.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::cli_home::ran;
use crate::cli_write_home::{Desk, small, text_of};

const COMMANDS: [&[&str]; 4] = [
    &["new", "delta", "--type", "user", "--description", "d"],
    &["edit", "alpha", "--body", "Uno."],
    &["mv", "alpha", "omega"],
    &["rm", "alpha"],
];

/// The points that a command passes before or while it changes the store, and what a full, a
/// read-only and a closed disk say there.
#[test]
fn whatever_the_system_refuses_leaves_every_byte_and_says_what_to_do() {
    for command in COMMANDS {
        for point in [
            "create",
            "flush",
            "swap",
            "rename",
            "replace",
            "make-folder",
        ] {
            for (errno, remedy) in [
                (28, "make room"),
                (30, "writable"),
                (13, "the right to write"),
            ] {
                let desk = small();
                let before = desk.memories();
                let mut run = desk.command(command);
                run.env("LOCI_TEST_FAIL", format!("{point}:{errno}"));
                let ran = ran(&mut run);
                let when = format!("{command:?} with {point}:{errno}: {ran:?}");
                if ran.code == Some(0) {
                    // It does not come by this point.
                    assert!(matches!(point, "swap" | "rename"), "{when}");
                    continue;
                }
                assert_eq!(ran.code, Some(3), "{when}");
                assert!(ran.err.contains(remedy), "{when}");
                let root = desk.root().display().to_string();
                assert!(ran.err.contains(&root), "{when}: no path");
                // Without the fault the next command cleans up what was begun.
                desk.run(&["trash", "--empty"]);
                let after = desk.memories();
                assert_eq!(after, before, "{when}");
                desk.assert_sound(&when);
            }
        }
    }
}

/// Whoever nothing is open to by right: this user, or nobody where this user is root, whom nothing is
/// closed to.
struct Nobody(Option<u32>);

const NOBODY: u32 = 65534;

impl Nobody {
    /// None where the program can't be run as nobody.
    fn at(desk: &Desk) -> Option<Self> {
        if !rustix::process::getuid().is_root() {
            return Some(Self(None));
        }
        give(desk.root(), NOBODY);
        let nobody = Self(Some(NOBODY));
        let runs = nobody.command(desk, &["ls"]).output();
        let runs = runs.is_ok_and(|output| output.status.success());
        if !runs {
            println!("skipped: the program can't be run as nobody here");
        }
        runs.then_some(nobody)
    }

    fn command(&self, desk: &Desk, arguments: &[&str]) -> Command {
        let mut command = desk.command(arguments);
        if let Some(id) = self.0 {
            command.uid(id).gid(id);
        }
        command
    }

    /// Runs it; it must be refused with a sentence that names this path and says what to do.
    #[track_caller]
    fn refused(&self, desk: &Desk, arguments: &[&str], path: &Path) {
        let arguments = [arguments, &["--json"]].concat();
        let ran = ran(&mut self.command(desk, &arguments));
        assert_eq!(ran.code, Some(3), "{arguments:?}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], "disk", "{ran:?}");
        let path = path.display().to_string();
        assert!(ran.err.contains(&path), "{arguments:?}: {path}: {ran:?}");
        assert!(
            ran.err.contains("give yourself the right to write there"),
            "{ran:?}"
        );
    }
}

/// Gives all below a folder to a user.
fn give(path: &Path, id: u32) {
    std::os::unix::fs::lchown(path, Some(id), Some(id)).unwrap();
    for entry in fs::read_dir(path).into_iter().flatten() {
        give(&entry.unwrap().path(), id);
    }
}

fn close(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_folder_without_the_right_to_write_is_said() {
    let desk = small();
    desk.put("sub/delta.md", text_of("delta", "user", "Four."));
    let Some(nobody) = Nobody::at(&desk) else {
        return;
    };
    let before = desk.memories();
    let folder = desk.memory();
    close(&folder, 0o500);
    for command in COMMANDS {
        nobody.refused(&desk, command, &folder);
    }
    // The text of the edit is still at hand, whatever became of the pipe that it came from.
    let bodies = fs::read_dir(desk.state().join("blobs")).unwrap();
    let bodies: Vec<Vec<u8>> = bodies
        .map(|blob| fs::read(blob.unwrap().path()).unwrap())
        .collect();
    let uno = text_of("alpha", "user", "Uno.").into_bytes();
    assert!(bodies.contains(&uno), "{}", bodies.len());
    close(&folder, 0o755);
    close(&folder.join("sub"), 0o500);
    let delta = folder.join("sub/delta.md");
    for command in [
        ["edit", "delta", "--body", "x"].as_slice(),
        &["mv", "delta", "epsilon"],
        &["rm", "delta"],
    ] {
        nobody.refused(&desk, command, &delta);
    }
    close(&folder.join("sub"), 0o755);
    assert_eq!(
        desk.memories(),
        before,
        "bytes, modes, times, and nothing else"
    );
    let ran = ran(&mut nobody.command(&desk, &["history", "--json"]));
    assert_eq!(
        ran.json()["history"].as_array().unwrap().len(),
        0,
        "{ran:?}"
    );
    assert_eq!(ran.err, "", "nothing is unfinished");
    let ran = crate::cli_home::ran(&mut nobody.command(&desk, &["edit", "delta", "--body", "x"]));
    assert_eq!(ran.code, Some(0), "once it is open again: {ran:?}");
}

/// What can't be read is not edited; to the trash and back it goes unread.
#[test]
fn a_file_that_is_closed_goes_to_the_trash_and_comes_back() {
    let desk = small();
    let Some(nobody) = Nobody::at(&desk) else {
        return;
    };
    let beta = desk.memory().join("beta.md");
    close(&beta, 0o000);
    let before = desk.memories();
    let edit = ran(&mut nobody.command(&desk, &["edit", "beta.md", "--body", "x"]));
    assert_eq!(edit.code, Some(2), "{edit:?}");
    assert!(
        edit.err.contains("`loci rm` takes it to the trash"),
        "{edit:?}"
    );
    for command in [["rm", "beta.md"].as_slice(), &["undo"]] {
        let ran = ran(&mut nobody.command(&desk, command));
        assert_eq!(ran.code, Some(0), "{command:?}: {ran:?}");
        assert_eq!(desk.has("beta.md"), command[0] == "undo");
    }
    assert_eq!(desk.memories(), before);
}

/// Our own folders closed: nothing can be journalled, so nothing is done.
#[test]
fn a_closed_folder_of_ours_is_said() {
    let desk = small();
    let Some(nobody) = Nobody::at(&desk) else {
        return;
    };
    let before = desk.memories();
    let first = ran(&mut nobody.command(&desk, &["edit", "alpha", "--set", "x=1"]));
    assert_eq!(first.code, Some(0), "{first:?}");
    let undo = ran(&mut nobody.command(&desk, &["undo"]));
    assert_eq!(undo.code, Some(0), "{undo:?}");
    for name in ["journal", "blobs"] {
        let folder = desk.state().join(name);
        close(&folder, 0o500);
        let command = ["edit", "alpha", "--body", &format!("never seen: {name}")];
        nobody.refused(&desk, &command, &folder);
        close(&folder, 0o700);
        assert_eq!(desk.memories(), before, "{name}");
    }
}

/// Puts something else in the place of a file.
type Make = fn(&Desk);

#[test]
fn what_became_something_else_is_not_written() {
    let make: [(&str, Make); 3] = [
        ("a folder", |desk| {
            fs::create_dir(desk.memory().join("alpha.md")).unwrap();
        }),
        ("a link to nowhere", |desk| {
            symlink("nowhere", desk.memory().join("alpha.md")).unwrap();
        }),
        ("a device", |desk| {
            symlink("/dev/null", desk.memory().join("alpha.md")).unwrap();
        }),
    ];
    for (what, make) in make {
        let desk = small();
        fs::remove_file(desk.memory().join("alpha.md")).unwrap();
        make(&desk);
        let before = desk.memories();
        for command in &COMMANDS[1..3] {
            let ran = desk.run(command);
            assert_eq!(ran.code, Some(2), "{what}: {command:?}: {ran:?}");
            assert!(ran.err.contains("alpha"), "{what}: {ran:?}");
        }
        assert_eq!(desk.memories(), before, "{what}");
    }
}

/// An index that became a folder or a link to nowhere: nothing is made in its place.
#[test]
fn an_index_that_became_something_else_is_not_written() {
    let make: [Make; 2] = [
        |desk| fs::create_dir(desk.memory().join("MEMORY.md")).unwrap(),
        |desk| symlink("/nonexistent/x.md", desk.memory().join("MEMORY.md")).unwrap(),
    ];
    for make in make {
        let desk = small();
        fs::remove_file(desk.memory().join("MEMORY.md")).unwrap();
        make(&desk);
        let before = desk.memories();
        let ran = desk.run(COMMANDS[0]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.err.contains("MEMORY.md"), "{ran:?}");
        assert_eq!(desk.memories(), before);
    }
}
