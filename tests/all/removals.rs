//! Nothing is removed but where the plan allows it (spec 11.2): the sources are read for calls that
//! remove a file or a folder, or put one in the place of another.

use std::fs;
use std::path::{Path, PathBuf};

use crate::layering::code;

/// The calls that no function of our own shares its name with.
const CALLS: [&str; 8] = [
    "remove_file",
    "remove_dir",
    "remove_dir_all",
    "renameat",
    "renameat2",
    "renameat_with",
    "unlink",
    "unlinkat",
];

/// Who may remove, and what.
const ALLOWED: [(&str, &str); 16] = [
    (
        "base/swap.rs",
        "a temporary file that could not be made; the rename itself",
    ),
    (
        "store/perform.rs",
        "temporary files; a file that a step made, when it is taken back",
    ),
    (
        "store/relocate.rs",
        "a copy that is not whole; the source of a verified copy",
    ),
    (
        "store/folders.rs",
        "a folder that the change made, empty again when that is taken back",
    ),
    ("store/journal.rs", "intents whose work is done"),
    (
        "store/recover.rs",
        "temporary files that a crash left beside its targets",
    ),
    (
        "store/leftovers.rs",
        "temporary files that a crash left in our own folders",
    ),
    (
        "store/trash.rs",
        "what is emptied for good; the manifest of a change that came to nothing",
    ),
    (
        "store/keep.rs",
        "blobs that no line of the history needs any more",
    ),
    ("store/draft.rs", "drafts that were saved or discarded"),
    (
        "store/outside.rs",
        "what an export that died or was refused left half written",
    ),
    (
        "context/ledger.rs",
        "days of the ledger that are past keeping, and texts that no line names any more",
    ),
    (
        "store/rescued.rs",
        "copies that are not whole, and those that no change of the history takes any more",
    ),
    ("cli/demo_folder.rs", "demos that were killed"),
    ("tui/run.rs", "the demo's folder"),
    ("tui/panic.rs", "the demo's folder"),
];

/// The calls in a source that remove or replace: in its code alone, without comments, literals and
/// tests.
fn calls(source: &str) -> Vec<String> {
    let bare = code::without_tests(&code::bare(source));
    let is_call = |path: &[String]| {
        let segments: Vec<&str> = path
            .iter()
            .map(|part| part.trim_start_matches('.'))
            .collect();
        segments.iter().any(|part| CALLS.contains(part))
            || segments
                .windows(2)
                .any(|pair| matches!(pair, ["fs", "rename"]))
    };
    let mut found: Vec<String> = code::paths(&bare)
        .into_iter()
        .filter(|path| is_call(path))
        .map(|path| path.join("::"))
        .collect();
    // Under another name the module's `rename` would not be seen.
    if bare.contains("fs as ") {
        found.push("fs as another name".to_string());
    }
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_removed_outside_the_allowed_places() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    let mut used = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let tests = name.ends_with("_tests.rs") || name.ends_with("/tests.rs");
        let found = calls(&fs::read_to_string(&path).unwrap());
        if tests || found.is_empty() {
            continue;
        }
        let allowed = ALLOWED.iter().any(|(place, _)| *place == name);
        assert!(
            allowed,
            "src/{name} calls {found:?}: what is removed goes to the trash"
        );
        used.push(name);
    }
    for (place, _) in ALLOWED {
        assert!(
            used.iter().any(|name| name == place),
            "{place} removes nothing any more"
        );
    }
}

#[test]
fn a_removal_is_found_however_it_is_written() {
    for code in [
        "fn f() { std::fs::remove_file(path).ok(); }",
        "use std::fs; fn f() { let _ = fs::remove_dir_all(path); }",
        "use std::fs::remove_file; fn f() { remove_file(path); }",
        "use std::fs::{self, remove_dir}; fn f() { remove_dir(path); }",
        "fn f() { paths.iter().for_each(std::fs::remove_file); }",
        "fn f() { tokio::fs::remove_file(path); }",
        "fn f() { std::fs::rename(one, other); }",
        "fn f() { std::fs::\n    remove_file(path); }",
        "use std::fs as disk; fn f() { disk::rename(one, other); }",
        "use std::fs as disk; fn f() { disk::remove_file(path); }",
        "fn f() { rustix::fs::unlink(path); }",
    ] {
        assert!(!calls(code).is_empty(), "{code}");
    }
    for code in [
        "// fs::remove_file(path)\nfn f() {}",
        "const T: &str = \"fs::remove_file(path)\";",
        "#[cfg(test)]\nmod tests { fn f() { std::fs::remove_file(path); } }",
        "fn rename(name: &str) {}",
    ] {
        assert_eq!(calls(code), Vec::<String>::new(), "{code}");
    }
}
