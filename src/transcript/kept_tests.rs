use std::fs;
use std::io::Write;
use std::time::{Duration, UNIX_EPOCH};

use super::*;

const LINE: &str =
    "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"q\"}}\n";

struct Case {
    folder: tempfile::TempDir,
    kept: Option<KeptFile>,
}

impl Case {
    fn new(text: &str) -> Self {
        let case = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
            kept: None,
        };
        fs::write(case.path(), text).expect("a file");
        case
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("s.jsonl")
    }

    fn append(&self, text: &str) {
        let mut file = File::options()
            .append(true)
            .open(self.path())
            .expect("the file");
        file.write_all(text.as_bytes()).expect("room");
    }

    /// Bytes that are read to look at it, and prompts that are found.
    fn look(&mut self) -> (u64, u32) {
        let looked = KeptFile::look(
            &Disk::system(),
            &self.path(),
            "s.jsonl".into(),
            self.kept.take(),
            None,
        );
        let looked = looked.expect("a file");
        let found = (looked.read, looked.kept.digest.prompts);
        let written = serde_json::to_vec(&looked.kept).expect("JSON");
        self.kept = Some(serde_json::from_slice(&written).expect("what was kept"));
        found
    }
}

/// What is read to know a file again, at most.
const MARKS: u64 = 4 * MARK_BYTES;

#[test]
fn of_a_file_only_what_grew_is_read() {
    let long = LINE.repeat(10_000);
    let mut case = Case::new(&long);
    let (read, prompts) = case.look();
    assert_eq!(prompts, 10_000);
    assert!(
        (long.len() as u64..=long.len() as u64 + MARKS).contains(&read),
        "{read}"
    );
    assert_eq!(case.look(), (0, 10_000));
    case.append(&LINE.repeat(3));
    let (read, prompts) = case.look();
    assert_eq!(prompts, 10_003);
    assert!(read <= 3 * LINE.len() as u64 + MARKS, "{read}");
    assert_eq!(case.look(), (0, 10_003));
}

#[test]
fn a_line_that_was_being_written_is_read_when_it_is_whole() {
    let mut case = Case::new(&LINE.repeat(2));
    case.append(&LINE[..20]);
    assert_eq!(case.look().1, 2);
    case.append(&LINE[20..]);
    assert_eq!(case.look().1, 3);
}

#[test]
fn what_is_not_the_same_file_any_more_is_read_anew() {
    let other = LINE.replace("\"q\"", "\"r\"");
    let text = LINE.repeat(2_000);
    let stamp = |case: &Case, seconds: u64| {
        let file = File::options()
            .write(true)
            .open(case.path())
            .expect("the file");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
            .expect("a time");
    };
    // Shorter.
    let mut case = Case::new(&text);
    case.look();
    fs::write(case.path(), LINE).expect("room");
    assert_eq!(case.look().1, 1);
    // Shorter, and then longer than before.
    let mut case = Case::new(&text);
    case.look();
    fs::write(case.path(), other.repeat(2_500)).expect("room");
    assert_eq!(case.look().1, 2_500);
    // Another file in its place, which begins and ends as it did.
    let mut case = Case::new(&text);
    case.look();
    let aside = case.folder.path().join("aside");
    fs::write(
        &aside,
        [
            LINE.repeat(500),
            "\n".repeat(1_000 * LINE.len()),
            LINE.repeat(501),
        ]
        .concat(),
    )
    .expect("room");
    fs::rename(&aside, case.path()).expect("a rename");
    assert_eq!(case.look().1, 1_001);
    // As long as before, changed in its midst.
    let mut case = Case::new(&text);
    stamp(&case, 1_000);
    case.look();
    let mut bytes = text.clone().into_bytes();
    let midst = 1_000 * LINE.len();
    bytes[midst..midst + LINE.len() - 1].fill(b' ');
    fs::write(case.path(), bytes).expect("room");
    stamp(&case, 2_000);
    assert_eq!(case.look().1, 1_999);
}

#[test]
fn a_new_mode_is_no_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let mut case = Case::new(&LINE.repeat(10_000));
    case.look();
    fs::set_permissions(case.path(), fs::Permissions::from_mode(0o640)).expect("a mode");
    let (read, prompts) = case.look();
    assert!(read <= MARKS && prompts == 10_000, "{read} {prompts}");
}

#[test]
fn what_can_not_be_opened_keeps_what_is_known() {
    let mut case = Case::new(LINE);
    case.look();
    fs::remove_file(case.path()).expect("the file");
    let failed = KeptFile::look(
        &Disk::system(),
        &case.path(),
        "s.jsonl".into(),
        case.kept.take(),
        None,
    );
    let Failed { error, before } = failed.expect_err("it is gone");
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert_eq!(before.expect("what is known").digest.prompts, 1);
    fs::create_dir(case.path()).expect("a folder");
    let failed = KeptFile::look(&Disk::system(), &case.path(), "s.jsonl".into(), None, None);
    assert_eq!(
        failed.expect_err("a folder").error.to_string(),
        "it is no file"
    );
}
