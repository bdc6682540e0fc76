//! Sessions that are written elsewhere: exported into a file, rescued, brought back.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli_write_home::Desk;

const ID: &str = "4022a905-0470-434a-80fe-ade87ad41d29";

/// A desk whose client has one session with a compaction; its transcript.
fn desk() -> (Desk, PathBuf) {
    let desk = Desk::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/oracle/transcripts");
    let bytes = fs::read(folder.join("compacted_resumed_2.1.332.jsonl")).unwrap();
    let kept = desk.memory().parent().unwrap().to_path_buf();
    fs::create_dir_all(&kept).unwrap();
    let path = kept.join(format!("{ID}.jsonl"));
    fs::write(&path, bytes).unwrap();
    (desk, path)
}

#[test]
fn a_session_is_exported_into_a_file_and_nothing_is_written_over_unasked() {
    let (desk, transcript) = desk();
    let export =
        |more: &[&str]| desk.run(&[&["sessions", "export", "4022", "--to"], more].concat());
    let file = desk.root().join("proj/s.md");
    assert_eq!(export(&["s.md", "--dry-run"]).code, Some(0));
    assert!(!file.exists());
    let ran = export(&["s.md"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains("\n\nanswer three\n"));
    fs::write(&file, "mine").unwrap();
    let ran = export(&["s.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--yes writes over it"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let ran = export(&["s.md", "--yes", "--json"]);
    assert_eq!(ran.json()["bytes"], written.len());
    assert!(
        ran.err.contains("`loci undo` does not bring it back"),
        "{}",
        ran.err
    );
    // Among the client's own files nothing is put.
    let inside = transcript.with_extension("md");
    let ran = export(&[inside.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(!inside.exists());
}

#[test]
fn a_session_is_rescued_brought_back_and_both_are_undone() {
    let (desk, original) = desk();
    let bytes = fs::read(&original).unwrap();
    let ran = desk.done(&["sessions", "rescue", "4022", "--dry-run"]);
    assert!(ran.err.contains("nothing was written"), "{}", ran.err);
    assert!(!desk.state().join("rescued").exists());
    let shape = desk.json(&["sessions", "rescue", "4022"]);
    assert_eq!(shape["title"], "rescue session \"first prompt\"");
    assert!(shape["days_left"].is_number(), "{shape}");
    let place = PathBuf::from(shape["place"].as_str().unwrap());
    assert_eq!(fs::read(&place).unwrap(), bytes);
    let ran = desk.run(&["sessions", "rescue", "4022"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is rescued already"), "{}", ran.err);
    // The client sweeps its own: it is read from the copy.
    fs::remove_file(&original).unwrap();
    let ran = desk.done(&["sessions", "export", "4022"]);
    assert!(ran.out.starts_with("# first prompt\n"), "{}", ran.out);
    desk.done(&["sessions", "bring-back", "4022"]);
    assert_eq!(fs::read(&original).unwrap(), bytes);
    assert_eq!(desk.run(&["sessions", "bring-back", "4022"]).code, Some(2));
    desk.done(&["undo"]);
    assert!(!original.exists());
    desk.done(&["undo"]);
    assert!(!place.exists(), "{}", place.display());
    let ran = desk.run(&["sessions", "chain", "4022"]);
    assert_eq!(ran.code, Some(2), "nothing of it is left");
}

#[test]
fn what_was_not_rescued_is_not_brought_back() {
    let (desk, _) = desk();
    let ran = desk.run(&["sessions", "bring-back", "4022"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("was not rescued"), "{}", ran.err);
}

/// What the client does not list as a session is none, and nothing of it comes into the client's store.
#[test]
fn what_is_no_session_is_not_rescued() {
    let (desk, original) = desk();
    let bytes = fs::read(&original).unwrap();
    let shape = desk.json(&["sessions", "rescue", "4022"]);
    let place = PathBuf::from(shape["place"].as_str().unwrap());
    let folder = desk.root().join("away/-srv-proj");
    fs::create_dir_all(&folder).unwrap();
    let stranger = folder.join(format!("{ID}.jsonl"));
    fs::write(&stranger, "{\"type\":\"user\"}\n").unwrap();
    let notes = folder.join("notes.md");
    fs::write(&notes, "# notes\n").unwrap();
    for path in [&stranger, &notes] {
        for more in [&["--dry-run"][..], &[]] {
            let path = path.to_str().unwrap();
            let ran = desk.run(&[&["sessions", "rescue", path], more].concat());
            assert_eq!(ran.code, Some(2), "{}", ran.err);
            assert!(
                ran.err.contains("is no session: those lie as"),
                "{}",
                ran.err
            );
        }
    }
    let text = original.with_file_name("22222222-1111-4111-8111-111111111111.jsonl");
    fs::write(&text, "# a text\n").unwrap();
    let ran = desk.run(&["sessions", "rescue", "2222"]);
    assert!(ran.err.contains("is no transcript"), "{}", ran.err);
    assert!(fs::read(&place).unwrap() == bytes, "the copy is as it was");
    let kept = place.parent().unwrap();
    let count = |folder: &Path| fs::read_dir(folder).unwrap().count();
    assert_eq!((count(kept), count(kept.parent().unwrap())), (1, 1));
}

#[test]
fn a_copy_that_holds_more_is_replaced_only_when_it_is_said() {
    let (desk, original) = desk();
    let bytes = fs::read(&original).unwrap();
    let shape = desk.json(&["sessions", "rescue", "4022"]);
    assert_eq!(
        (&shape["replaces"], &shape["left_out"]),
        (&false.into(), &serde_json::json!([]))
    );
    let place = PathBuf::from(shape["place"].as_str().unwrap());
    let end = bytes.len() - bytes.len() / 4;
    fs::write(&original, &bytes[..end]).unwrap();
    for more in [&["--dry-run"][..], &[]] {
        let ran = desk.run(&[&["sessions", "rescue", "4022"], more].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("holds what"), "{}", ran.err);
    }
    assert_eq!(fs::read(&place).unwrap(), bytes);
    let agents = original.with_extension("").join("subagents");
    fs::create_dir_all(&agents).unwrap();
    std::os::unix::fs::symlink("nowhere", agents.join("agent-a.jsonl")).unwrap();
    let ran = desk.run(&["sessions", "rescue", "4022", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("the older copy lies in the trash"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("agent-a.jsonl is left out"), "{}", ran.err);
    assert_eq!(fs::read(&place).unwrap(), bytes[..end]);
    desk.done(&["undo"]);
    assert_eq!(fs::read(&place).unwrap(), bytes);
}

#[test]
fn a_session_of_which_only_the_copy_is_left_is_listed() {
    let (desk, original) = desk();
    let kept = || {
        let found = desk.json(&["sessions"]);
        let all = found["sessions"].as_array().unwrap().clone();
        let told = |one: &serde_json::Value| (one["id"].clone(), one["kept"].clone());
        all.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(kept(), [(ID.into(), serde_json::Value::Null)]);
    desk.done(&["sessions", "rescue", "4022"]);
    assert_eq!(kept(), [(ID.into(), "also".into())]);
    fs::remove_file(&original).unwrap();
    assert_eq!(kept(), [(ID.into(), "only".into())]);
    for all in [&[][..], &["--all"]] {
        let words = [&["sessions", "--every-kind"], all].concat();
        let ran = desk.done(&words);
        assert!(
            ran.out.contains("only its kept copy is left"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn an_export_goes_to_stdout_and_not_among_our_own() {
    let (desk, _) = desk();
    let ran = desk.done(&["sessions", "export", "4022", "--to", "-"]);
    assert!(ran.out.starts_with("# first prompt\n"), "{}", ran.out);
    assert!(!desk.root().join("proj/-").exists());
    let file = desk.state().join("s.md");
    let ran = desk.run(&["sessions", "export", "4022", "--to", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("lies in the folder of loci's own state"),
        "{}",
        ran.err
    );
    assert!(!file.exists());
    // What is asked of all commands may stand before the one that is meant.
    let ran = desk.done(&["sessions", "--json", "proof", "4022"]);
    assert_eq!(ran.json()["session"], ID);
    let ran = desk.run(&["sessions", "--all", "proof", "4022"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("are about the list of sessions"),
        "{}",
        ran.err
    );
}

/// What was typed with a line break in it is told in one line.
#[test]
fn a_line_break_in_a_path_does_not_break_a_sentence() {
    let (desk, _) = desk();
    for asked in [
        &["sessions", "proof", "a\nb"][..],
        &["sessions", "export", "4022", "--to", "none/a\nb/c.md"],
        &["sessions", "reads", "a\nb"],
        &["show", "a\nb"],
    ] {
        let ran = desk.run(asked);
        assert_ne!(ran.code, Some(0), "{asked:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains("a␊b"), "{}", ran.err);
    }
}
