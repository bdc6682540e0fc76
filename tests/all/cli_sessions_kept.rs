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
