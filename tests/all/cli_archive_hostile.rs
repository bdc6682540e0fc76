//! Archives that somebody made to do harm, or that were damaged on the way: each is refused with a
//! sentence, and leaves nothing behind.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tar::EntryType;

use crate::cli_write_home::{Desk, small};

/// One entry of a tar, its name written as it is.
struct Entry {
    name: Vec<u8>,
    kind: EntryType,
    bytes: Vec<u8>,
    /// What its header says, if not the truth.
    size: Option<u64>,
}

fn file(name: &str, bytes: &str) -> Entry {
    Entry {
        name: name.as_bytes().to_vec(),
        kind: EntryType::Regular,
        bytes: bytes.as_bytes().to_vec(),
        size: None,
    }
}

fn tar_of(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        assert!(entry.name.len() <= 100, "the table's names are short");
        header.as_old_mut().name[..entry.name.len()].copy_from_slice(&entry.name);
        header.set_entry_type(entry.kind);
        header.set_size(entry.size.unwrap_or(entry.bytes.len() as u64));
        header.set_mode(0o644);
        header.set_mtime(1_700_000_000);
        header.set_cksum();
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(&entry.bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn listed(path: &str, bytes: &str) -> Value {
    let sha: String = Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    json!({"path": path, "bytes": bytes.len(), "modified": "2026-01-01T00:00:00Z", "sha256": sha})
}

fn manifest(key: &str, files: &[Value]) -> Entry {
    let memories = files
        .iter()
        .filter(|file| file["path"].as_str().unwrap().ends_with(".md"))
        .count();
    let text = json!({"format": "loci-archive", "version": 1, "projects": [
        {"key": key, "path": null, "memories": memories, "transcripts": 0, "files": files}
    ]});
    file("loci-archive.json", &text.to_string())
}

/// A good file, and others by their paths below the project folder, each as its manifest says.
fn with(paths: &[&str]) -> Vec<u8> {
    let mut paths = paths.to_vec();
    paths.insert(0, "memory/good.md");
    let listed: Vec<Value> = paths.iter().map(|path| listed(path, "x")).collect();
    let mut entries = vec![manifest("-k", &listed)];
    entries.extend(
        paths
            .iter()
            .map(|path| file(&format!("projects/-k/{path}"), "x")),
    );
    tar_of(&entries)
}

fn also(entry: Entry) -> Vec<u8> {
    tar_of(&[
        manifest("-k", &[listed("memory/good.md", "x")]),
        file("projects/-k/memory/good.md", "x"),
        entry,
    ])
}

fn of_kind(name: &str, kind: EntryType) -> Vec<u8> {
    also(Entry {
        kind,
        ..file(name, "")
    })
}

fn of_text(text: &Value) -> Vec<u8> {
    tar_of(&[file("loci-archive.json", &text.to_string())])
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn cut(bytes: &[u8], off: usize) -> Vec<u8> {
    bytes[..bytes.len() - off].to_vec()
}

/// What an archive is, what its refusal must speak of, and the archive.
type Case = (&'static str, &'static str, Vec<u8>);

/// Names that may not be used, each by itself in an archive that is sound otherwise.
fn names() -> Vec<Case> {
    let table: &[(&str, &str, &[&str])] = &[
        ("absolute", "neither", &["/etc/passwd"]),
        ("absolute in memory", "neither", &["memory//etc/passwd"]),
        ("up", "neither", &["memory/../../../x.md"]),
        ("up from the project", "neither", &["../x.jsonl"]),
        ("encoded up", "percent-decoded", &["memory/%2e%2e/x.md"]),
        ("full-width up", "normalised", &["memory/．．/x.md"]),
        ("backslash", "backslash", &["memory/a\\x.md"]),
        ("drive", "begins with a drive", &["memory/C:/x.md"]),
        ("hidden", "neither", &["memory/.git/hooks/x"]),
        ("ours", "neither", &["memory/.loci-1.tmp"]),
        ("elsewhere", "neither", &["settings.json"]),
        ("no session", "neither", &["plugins/x.jsonl"]),
        ("a case", "can't both", &["memory/Good.md"]),
        (
            "a form",
            "can't both",
            &["memory/\u{e9}.md", "memory/e\u{301}.md"],
        ),
        ("file and folder", "can't both", &["memory/good.md/x.md"]),
    ];
    let cases = table.iter();
    cases
        .map(|(name, word, paths)| (*name, *word, with(paths)))
        .collect()
}

/// Entries that are no plain files, or that the manifest does not know.
fn entries() -> Vec<Case> {
    let b = "projects/-k/memory/b.md";
    let huge = |kind| Entry {
        kind,
        size: Some(1 << 40),
        ..file(b, "")
    };
    let bad = Entry {
        name: b"a\xff".to_vec(),
        ..file("", "")
    };
    let mut flood = vec![manifest("-k", &[])];
    flood.extend((0..100_001).map(|_| Entry {
        kind: EntryType::Directory,
        ..file("d/", "")
    }));
    let outside = "/etc/cron.d/x";
    vec![
        ("a link", "a link", of_kind(b, EntryType::Symlink)),
        ("a hard link", "a link", of_kind(b, EntryType::Link)),
        ("a device", "a device", of_kind(b, EntryType::Char)),
        ("a pipe", "a pipe", of_kind(b, EntryType::Fifo)),
        ("pax", "pax", of_kind("x", EntryType::XHeader)),
        ("a bad name", "no UTF-8", also(bad)),
        (
            "twice",
            "twice",
            also(file("projects/-k/memory/good.md", "x")),
        ),
        ("not listed", "not in its manifest", also(file(b, "x"))),
        ("outside", "not in its manifest", also(file(outside, "x"))),
        ("a bomb", "MiB are not read", also(huge(EntryType::Regular))),
        ("a long name", "bytes", also(huge(EntryType::GNULongName))),
        ("a flood", "entries", tar_of(&flood)),
    ]
}

/// Manifests that lie.
fn manifests() -> Vec<Case> {
    let of =
        |projects: Value| json!({"format": "loci-archive", "version": 1, "projects": projects});
    let project = |key: &str, memories: u64| json!({"key": key, "path": null, "memories": memories, "transcripts": 0, "files": []});
    let key = |key: &str| {
        tar_of(&[
            manifest(key, &[listed("memory/a.md", "x")]),
            file(&format!("projects/{key}/memory/a.md"), "x"),
        ])
    };
    let good = || listed("memory/good.md", "x");
    let one = |listed: &[Value]| {
        tar_of(&[
            manifest("-k", listed),
            file("projects/-k/memory/good.md", "x"),
        ])
    };
    let mut wrong = good();
    wrong["sha256"] = json!("0".repeat(64));
    let mut no_time = good();
    no_time["modified"] = json!("99999999999999999999");
    let counts = of(json!([project("-k", 1_000_000)]));
    let keys = of(json!([project("-k", 0), project("-K", 0)]));
    vec![
        ("wrong counts", "counts", of_text(&counts)),
        ("keys of one case", "may be one", of_text(&keys)),
        ("twice listed", "can't both", one(&[good(), good()])),
        ("a wrong sum", "not what its manifest says", one(&[wrong])),
        ("no time", "no time", one(&[no_time])),
        (
            "missing",
            "b.md` is not in it",
            one(&[good(), listed("memory/b.md", "x")]),
        ),
        ("a key that leads up", "no key", key("..")),
        ("a key with a slash", "no key", key("a/b")),
        ("an empty key", "no key", key("")),
        ("an encoded key", "percent-decoded", key("%2e%2e")),
        (
            "no manifest",
            "no archive of loci",
            tar_of(&[file("a", "x")]),
        ),
        (
            "no JSON",
            "understood",
            tar_of(&[file("loci-archive.json", "{")]),
        ),
        (
            "another format",
            "another format",
            of_text(&json!({"format": "x", "version": 1})),
        ),
        (
            "newer",
            "newer loci",
            of_text(&json!({"format": "loci-archive", "version": 2})),
        ),
    ]
}

/// Bytes that are cut off, or are something else.
fn bytes() -> Vec<Case> {
    let good = with(&[]);
    vec![
        ("cut in a file", "cut off", cut(&good, 1024 + 511)),
        ("cut gzip", "ends too early", cut(&gzipped(&good), 9)),
        (
            "no sum of the gzip",
            "ends too early",
            cut(&gzipped(&good), 4),
        ),
        (
            "no tar",
            "not those of a tar",
            b"PK\x03\x04 other".repeat(99),
        ),
        ("empty", "no archive of loci", Vec::new()),
        ("more behind", "follows", [good, vec![0; 2 << 20]].concat()),
    ]
}

/// All files but the archive, our own state aside: an attempt may make its lock.
fn rest(desk: &Desk) -> Vec<(String, Vec<u8>)> {
    let whole = desk.whole().into_iter();
    whole
        .filter(|(path, _)| path != "x.tar" && !path.starts_with("state/"))
        .map(|(path, file)| (path, file.0))
        .collect()
}

#[test]
fn a_hostile_archive_is_refused_and_leaves_nothing_behind() {
    for (name, word, bytes) in [names(), entries(), manifests(), bytes()].concat() {
        let desk = small();
        let path = desk.root().join("x.tar");
        fs::write(&path, bytes).unwrap();
        let before = rest(&desk);
        let said = desk.refused(&["import", path.to_str().unwrap()], 2, "refused");
        assert!(said.contains(word), "{name}: {said}");
        assert_eq!(rest(&desk), before, "{name}");
        assert_eq!(desk.json(&["history"])["history"], json!([]), "{name}");
        assert!(!Path::new("/etc/cron.d/x").exists());
    }
}

/// The table's frame is sound: without the fault it is taken.
#[test]
fn the_same_archive_without_a_fault_is_taken() {
    for bytes in [with(&["memory/b.md"]), gzipped(&with(&["memory/b.md"]))] {
        let desk = Desk::new();
        let path = desk.root().join("x.tar");
        fs::write(&path, bytes).unwrap();
        let done = desk.json(&["import", path.to_str().unwrap()]);
        assert_eq!(done["new"], json!(["memory/good.md", "memory/b.md"]));
    }
}

/// A link out of the memory folder that stands where a file of the archive goes, or above it.
#[test]
fn nothing_is_written_through_a_link_that_leads_out() {
    for (link, at) in [("out", "memory/out/x.md"), ("x.md", "memory/x.md")] {
        for to in ["outside", "outside.md", "nowhere"] {
            let desk = small();
            fs::create_dir(desk.root().join("outside")).unwrap();
            fs::write(desk.root().join("outside.md"), "theirs").unwrap();
            std::os::unix::fs::symlink(desk.root().join(to), desk.memory().join(link)).unwrap();
            let path = desk.root().join("x.tar");
            fs::write(&path, with(&[at])).unwrap();
            let before = rest(&desk);
            for more in ["mine", "beside", "theirs"] {
                let arguments = [
                    "import",
                    path.to_str().unwrap(),
                    "--to",
                    ".",
                    "--on-conflict",
                    more,
                ];
                desk.refused(&arguments, 2, "refused");
                assert_eq!(rest(&desk), before, "{link} to {to}");
            }
        }
    }
}
