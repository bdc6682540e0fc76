use super::*;
use crate::context::fixture_for_tests::CASES;
use crate::context::observed::data::{newest, version};

const NOW: Moment = Moment {
    seconds: 1_800_000_000,
    nanos: 0,
};

fn aged(seconds: i64) -> Moment {
    Moment::from_seconds(NOW.seconds - seconds)
}

#[test]
fn every_age_that_was_seen_in_every_version() {
    let folder = Path::new("/home/u/.claude/projects/-srv-proj/memory");
    for case in CASES["staleness"].as_array().expect("cases") {
        let file = case["file"].as_str().expect("a name");
        // Not a read by the tool, and one whose age is that of an earlier case.
        if file == "cat via Bash" {
            continue;
        }
        let aged_here = is_aged(&folder.join(file), folder);
        let modified = aged(case["age_seconds"].as_i64().expect("seconds"));
        for (name, same) in case["by_version"].as_object().expect("versions") {
            // The older clients gave no text at all at a second read.
            if file.starts_with("second read") && same.is_null() {
                continue;
            }
            let (version, _) = version(name).expect("a version");
            let line = match aged_here {
                true => age_line(&version.read, modified, NOW),
                false => String::new(),
            };
            let expected = match same.is_null() {
                true => "",
                false => case["text"].as_str().unwrap_or_default(),
            };
            assert_eq!(line, expected, "{file} {name}");
        }
    }
}

#[test]
fn every_odd_file_reads_as_it_was_seen() {
    let long = format!("{}\n", "L".repeat(3000)).repeat(3);
    let utf16: Vec<u8> = std::iter::once(0xFEFF)
        .chain("utf16 text\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let cases: [(&str, &[u8]); 7] = [
        ("badyaml.md", b"---\nname: [x\n---\nbody\n"),
        ("crlf.md", b"---\r\nname: x\r\n---\r\nbody\r\n"),
        ("bom.md", b"\xEF\xBB\xBF---\nname: x\n---\nbody\n"),
        ("latin1.md", b"caf\xE9 \xFC\n"),
        ("nul.md", b"a\0b\n"),
        ("utf16.md", &utf16),
        ("long.md", long.as_bytes()),
    ];
    let seen = &CASES["odd_memory_files_read"]["2.1.332"];
    for (name, bytes) in cases {
        let expected = seen[name].as_str().expect("a text");
        let found = text(&newest().read, bytes, Some(aged(5 * 86_400)), NOW);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn an_empty_file_and_one_from_the_future_have_no_age() {
    let read = |bytes: &[u8], seconds: i64| text(&newest().read, bytes, Some(aged(seconds)), NOW);
    assert_eq!(read(b"", 50 * 86_400), "1\t");
    assert_eq!(read(b"x", -50 * 86_400), "1\tx");
    assert!(read(b"x", 800 * 86_400).contains("is 800 days old"));
}

#[test]
fn the_oldest_numbered_its_lines_otherwise() {
    let (old, _) = version("2.1.63").expect("a version");
    let found = text(&old.read, b"alpha\nbeta\n", Some(aged(50 * 86_400)), NOW);
    assert!(
        found.starts_with(
            "     1→alpha\n     2→beta\n     3→\n\n<system-reminder>\nWhenever you read"
        ),
        "{found}"
    );
    assert!(found.ends_with("code behavior.\n</system-reminder>\n"));
}

#[test]
fn what_lies_below_the_memory_folder_has_an_age() {
    let folder = Path::new("/m/memory");
    assert!(is_aged(Path::new("/m/memory/MEMORY.md"), folder));
    assert!(is_aged(Path::new("/m/memory/team/a.txt"), folder));
    assert!(!is_aged(Path::new("/m/memory2/a.md"), folder));
    assert!(!is_aged(Path::new("/m/CLAUDE.md"), folder));
}
