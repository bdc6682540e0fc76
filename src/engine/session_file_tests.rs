use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::context::conversation::Entry;
use crate::context::ours::tests::session;
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Role};

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn header(id: &str) -> Header {
    Header {
        session: id.to_string(),
        cwd: "/srv/proj".into(),
        branch: None,
    }
}

fn said(text: &str) -> Entry {
    let piece = Piece::new(Kind::Prompt, Origin::Conversation, text);
    Entry::Said {
        role: Role::User,
        blocks: vec![Block::text(piece)],
        time: NOW,
    }
}

#[test]
fn what_is_kept_is_there_when_it_is_taken_up_again() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("sessions/proj");
    let mut file = SessionFile::begin(&folder, header("5e55"), &session(), NOW).unwrap();
    file.keep(Item::Entry(&said("Hello\n there")), NOW).unwrap();
    assert_eq!(
        fs::metadata(file.path()).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let path = named(&folder, "5e").unwrap();
    assert!(matches!(
        SessionFile::resume(&path, header),
        Err(SessionError::Busy { .. })
    ));
    drop(file);
    let listed = list(&folder);
    assert_eq!((&*listed[0].id, &*listed[0].title), ("5e55", "Hello there"));
    let (mut again, read) = SessionFile::resume(&path, header).unwrap();
    assert_eq!(read.chat.entries, [said("Hello\n there")]);
    again.keep(Item::Entry(&said("More")), NOW).unwrap();
    drop(again);
    let (_, read) = SessionFile::resume(&path, header).unwrap();
    assert_eq!(read.chat.entries, [said("Hello\n there"), said("More")]);
}

#[test]
fn a_line_that_a_crash_cut_off_spoils_none_after_it() {
    let root = tempfile::tempdir().unwrap();
    let file = SessionFile::begin(root.path(), header("5e55"), &session(), NOW).unwrap();
    let path = file.path().to_path_buf();
    drop(file);
    let mut raw = OpenOptions::new().append(true).open(&path).unwrap();
    raw.write_all(b"{\"type\":\"user\",\"mess").unwrap();
    let (mut file, read) = SessionFile::resume(&path, header).unwrap();
    assert_eq!(read.unread, [2]);
    file.keep(Item::Entry(&said("Hello")), NOW).unwrap();
    drop(file);
    let (_, read) = SessionFile::resume(&path, header).unwrap();
    assert_eq!(read.chat.entries, [said("Hello")]);
}

#[test]
fn what_is_not_there_or_none_of_ours_is_told_so() {
    let root = tempfile::tempdir().unwrap();
    assert!(matches!(
        named(root.path(), "x"),
        Err(SessionError::Unknown { .. })
    ));
    fs::write(root.path().join("ab.jsonl"), "{}\n").unwrap();
    fs::write(root.path().join("ac.jsonl"), "{}\n").unwrap();
    assert!(matches!(
        named(root.path(), "a"),
        Err(SessionError::Several { many: 2, .. })
    ));
    let path = named(root.path(), "ab").unwrap();
    assert!(matches!(
        SessionFile::resume(&path, header),
        Err(SessionError::Foreign { .. })
    ));
}
