use std::fs;

use super::*;
use crate::base::disk::Disk;

fn ends_of(text: impl AsRef<[u8]>) -> Ends {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.jsonl");
    fs::write(&file, text).expect("a file");
    ends(&File::open(file).expect("a file"))
}

fn found(text: impl AsRef<[u8]>) -> (Option<String>, Option<String>) {
    let ends = ends_of(text);
    (ends.first, ends.last)
}

fn both(first: &str, last: &str) -> (Option<String>, Option<String>) {
    (Some(first.to_string()), Some(last.to_string()))
}

#[test]
fn the_first_and_the_last_directory_are_found() {
    let text = "{\"type\":\"mode\"}\nno json\n{\"cwd\":\"/srv/a b\",\"x\":1}\n{\"cwd\":\"/srv/c\"}\n{\"type\":\"mode\"}\n";
    assert_eq!(found(text), both("/srv/a b", "/srv/c"));
    assert_eq!(found("{\"type\":\"mode\"}\n"), (None, None));
    assert_eq!(found(""), (None, None));
    assert_eq!(found("{\"cwd\":\"\"}\n{\"cwd\":7}\n"), (None, None));
}

/// The reference client writes `cwd` behind the message, older ones before it.
#[test]
fn a_field_counts_wherever_it_stands_in_its_line() {
    let long = "x".repeat(5_000);
    let behind = format!(
        "{{\"message\":{{\"content\":\"{long}\"}},\"cwd\":\"/srv/\\u00e9\",\"version\":\"2\"}}\n"
    );
    assert_eq!(found(&behind), both("/srv/é", "/srv/é"));
    let before = format!("{{\"cwd\":\"/srv/b\",\"message\":{{\"content\":\"{long}\"}}}}\n");
    assert_eq!(found(&before), both("/srv/b", "/srv/b"));
    // The ends of a long transcript, both lines cut.
    let middle = "{\"cwd\":\"/never/read\"}\n".repeat(4_000);
    let text = format!("{before}{middle}{behind}");
    assert_eq!(found(text), both("/srv/b", "/srv/é"));
}

#[test]
fn the_directory_of_a_tool_s_result_is_not_the_session_s() {
    let inner = "{\"toolUseResult\":{\"cwd\":\"/other\"},\"message\":\"{\\\"cwd\\\":\\\"/quoted\\\"}\",\"cwd\":\"/own\"}\n";
    assert_eq!(found(inner), both("/own", "/own"));
    let only = "{\"toolUseResult\":{\"cwd\":\"/other\"}}\n";
    assert_eq!(found(only), (None, None));
    // The same in a line of which only the end is read.
    let pad = "y".repeat(20_000);
    let cut = format!("{{\"m\":\"{pad}\",\"r\":[{{\"cwd\":\"/other\"}}],\"cwd\":\"/own\"}}\n");
    assert_eq!(found(cut), (None, Some("/own".to_string())));
    let cut = format!("{{\"m\":\"{pad}\",\"r\":[{{\"cwd\":\"/other\"}}]}}\n");
    assert_eq!(found(cut), (None, None));
}

#[test]
fn a_last_line_that_is_cut_off_and_bad_bytes_stop_nothing() {
    let text =
        b"{\"cwd\":\"/a\"}\n\xff\xfe{\"cwd\"\n{\"cwd\":\"/b\",\"m\":\"\xff\"}\n{\"cwd\":\"/c";
    assert_eq!(found(text), both("/a", "/b"));
    assert_eq!(found("{\"cwd\":\"/a\",\"m\":\"\\"), both("/a", "/a"));
    assert_eq!(found("{\"m\":\"\\"), (None, None));
}

/// However large a transcript is and whatever is in it, at most 16 KiB are read.
#[test]
fn at_most_sixteen_kib_are_read() {
    for line in [
        "{\"cwd\":\"/a\"}\n".to_string(),
        "{\"type\":\"mode\"}\n".to_string(),
        format!("{{\"m\":\"{}\"}}\n", "x".repeat(100_000)),
    ] {
        for times in [1, 50, 700, 2_000, 100_000] {
            let text = line.repeat(times.min(10_000_000 / line.len()));
            let ends = ends_of(&text);
            assert!(ends.read <= 16 * 1024, "{} of {}", ends.read, text.len());
            assert!(ends.read <= text.len(), "nothing is read twice");
        }
    }
    let ends = ends_of("{\"cwd\":\"/a\"}\n".repeat(100_000));
    assert_eq!(ends.read, 8 * 1024, "a step at each end is enough here");
}

#[test]
fn a_folder_and_a_pipe_tell_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ends_at = |path| ends(&Disk::system().open(path).expect("it opens"));
    assert_eq!(ends_at(folder.path()), Ends::default());
    let pipe = folder.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).expect("a pipe");
    assert_eq!(ends_at(&pipe), Ends::default());
}
