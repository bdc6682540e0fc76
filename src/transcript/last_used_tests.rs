use std::fs;
use std::path::Path;

use super::*;
use crate::transcript::digest::Digest;

const MODIFIED: i64 = 1_700_000_000;

fn found(path: &Path) -> Found {
    Found {
        project: "-srv-p".to_string(),
        session: "s".to_string(),
        path: path.to_path_buf(),
        is_agent: false,
        bytes: 0,
        modified: Some(Moment::from_seconds(MODIFIED)),
    }
}

/// By its end, which must be what its digest says, for which all of it is read.
fn used(text: &str) -> Option<Moment> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.jsonl");
    fs::write(&path, text).expect("a file");
    let by_end = of_file(&Disk::system(), &found(&path));
    let mut digest = Digest::default();
    digest
        .read_on(text.as_bytes(), 0..text.len() as u64, |_| true)
        .expect("bytes");
    let modified = Some(Moment::from_seconds(MODIFIED));
    assert_eq!(by_end, last_used(digest.last.as_deref(), modified));
    by_end
}

#[test]
fn the_last_line_that_bears_a_time_counts() {
    let wanted = Moment::parse("2027-01-02T03:04:05Z");
    let line = r#"{"type":"user","timestamp":"2027-01-02T03:04:05Z"}"#;
    let before = r#"{"type":"user","timestamp":"2028-01-01T00:00:00Z"}"#;
    assert_eq!(used(&format!("{before}\n{line}\n")), wanted);
    assert_eq!(used(&format!("{before}\n{line}")), wanted, "no line feed");
    let untimed = r#"{"type":"summary","summary":"s"}"#.to_string() + "\n";
    let broken = "{\"type\":\"user\",\"timest\n";
    let end = untimed.repeat(20_000) + broken;
    assert_eq!(used(&format!("{before}\n{line}\n{end}")), wanted);
    assert_eq!(used(&format!("{before}{line}\n")), wanted, "two in a line");
}

#[test]
fn where_no_line_bears_a_time_the_file_s_counts() {
    let modified = Some(Moment::from_seconds(MODIFIED));
    assert_eq!(used(""), modified);
    assert_eq!(used("{\"type\":\"user\"}\n"), modified);
    let odd = "{\"type\":\"user\",\"timestamp\":\"yesterday\"}\n";
    assert_eq!(used(odd), modified);
    let gone = of_file(&Disk::system(), &found(Path::new("/nowhere/s.jsonl")));
    assert_eq!(gone, modified);
}
