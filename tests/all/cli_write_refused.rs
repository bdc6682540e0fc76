//! What the system refuses: no space, a read-only file system, no permission, something else in the
//! place of a file. A sentence with the path and what to do, exit 3, and every byte as it was.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::cli_home::ran;
use crate::cli_write_home::{Desk, small};

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

/// The real thing, where the tests do not run as root, whom nothing is closed to.
#[test]
fn a_folder_without_the_right_to_write_is_said() {
    let desk = small();
    let folder = desk.memory();
    let before = desk.memories();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    let closed = fs::write(folder.join("probe"), "").is_err();
    if closed {
        for command in COMMANDS {
            let sentence = desk.refused(command, 3, "disk");
            assert!(sentence.contains("the right to write"), "{sentence}");
        }
    } else {
        fs::remove_file(folder.join("probe")).unwrap();
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(desk.memories(), before);
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
