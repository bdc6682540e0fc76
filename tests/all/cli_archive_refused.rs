//! What `export` and `import` refuse, and what a death in the middle of an export leaves.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use crate::cli_home::{Home, ran};
use crate::cli_write_home::{Desk, small};

fn at(desk: &Desk, name: &str) -> String {
    desk.root().join(name).to_str().unwrap().to_string()
}

#[test]
fn what_is_there_is_not_written_over_unasked() {
    let desk = small();
    let file = at(&desk, "x.tar");
    fs::write(&file, "mine").unwrap();
    let said = desk.refused(&["export", &file], 2, "taken");
    assert!(said.contains("--yes"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    desk.done(&["export", &file, "--dry-run"]);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    desk.done(&["export", &file, "--yes"]);
    assert!(fs::read(&file).unwrap().starts_with(b"loci-archive.json"));
    desk.refused(&["export", &at(&desk, "proj"), "--yes"], 2, "taken");
}

#[test]
fn a_dry_run_writes_nothing_and_a_file_in_the_store_is_refused() {
    let desk = small();
    let before = desk.whole();
    let shown = desk.done(&["export", &at(&desk, "x.tar"), "--dry-run"]);
    assert!(shown.out.contains("3 memories"), "{shown:?}");
    let memory = desk.memory().join("alpha.md");
    desk.refused(&["export", memory.to_str().unwrap(), "--yes"], 2, "refused");
    let hidden = desk.root().join("home/.claude/x.tar");
    desk.refused(&["export", hidden.to_str().unwrap()], 2, "refused");
    let changed: Vec<String> = desk
        .whole()
        .into_iter()
        .filter(|(path, file)| before.get(path) != Some(file) && !path.starts_with("state/"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(changed, Vec::<String>::new());
}

#[test]
fn wrong_words_are_told() {
    let desk = small();
    desk.refused(&["export", "-"], 2, "usage");
    desk.refused(&["export", &at(&desk, "x.tar"), "-nowhere"], 2, "not-found");
    desk.refused(&["import", &at(&desk, "none.tar")], 3, "unreadable");
    desk.refused(&["import", &at(&desk, "proj")], 2, "refused");
    desk.refused(&["export", &at(&desk, "none/x.tar")], 3, "disk");
    let empty = Desk::new();
    let said = empty.refused(&["export", &at(&empty, "x.tar")], 2, "not-found");
    assert!(said.contains("--all"), "{said}");
}

/// A view of another file system is only read: its export goes to stdout alone.
#[test]
fn below_a_sysroot_an_export_goes_to_stdout_only() {
    let home = Home::new();
    home.memory("a.md", "A.\n");
    let ran = ran(&mut home.command(&["export", "x.tar", "--json"]));
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (Some(2), &"sysroot".into())
    );
    let out = home.command(&["export", "-"]).output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert!(out.stdout.starts_with(b"loci-archive.json"));
}

/// The file is not there, or whole; of the old one the same. The next export sweeps what is left.
#[test]
fn a_death_at_any_point_of_an_export_leaves_no_half_archive() {
    let whole = {
        let desk = small();
        desk.done(&["export", &at(&desk, "x.tar")]);
        fs::read(at(&desk, "x.tar")).unwrap().len()
    };
    for old in [None, Some("old")] {
        for point in 1.. {
            let desk = small();
            let file = at(&desk, "x.tar");
            if let Some(old) = old {
                fs::write(&file, old).unwrap();
            }
            let mut command = desk.command(&["export", &file, "--yes"]);
            command.env("LOCI_TEST_KILL_AT", point.to_string());
            let status = command.output().unwrap().status;
            if status.success() {
                assert!(point > 4, "{point}");
                break;
            }
            assert_eq!(status.signal(), Some(6));
            let found = fs::read(&file).ok();
            let is_old = found.as_deref() == old.map(str::as_bytes);
            let is_new = found.as_ref().is_some_and(|bytes| bytes.len() == whole);
            assert!(is_old || is_new, "killed at {point}: {found:?}");
            desk.done(&["export", &file, "--yes"]);
            let left = desk
                .whole()
                .into_keys()
                .filter(|path| path.contains(".loci-"));
            assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new(), "at {point}");
        }
    }
}
