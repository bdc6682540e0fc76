//! Moves and copies from folder to folder, through the store, and back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::*;
use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::memory::scan;
use crate::store::Store;

const OLD: Duration = Duration::new(1_700_000_000, 123_456_789);
const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};
const ALPHA: &str =
    "---\r\nname: alpha # kept\r\ntype: project\r\n---\r\nSee [[beta]] and [[gamma]].";

/// Two memory folders, `one` and `two`.
struct Bench {
    root: tempfile::TempDir,
    store: Store,
}

type Picture = BTreeMap<PathBuf, (String, SystemTime)>;

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(&file, text).expect("a file");
            let file = fs::File::options().write(true).open(file).expect("opened");
            file.set_modified(UNIX_EPOCH + OLD).expect("a time");
        }
        let store = Store::new(
            &root.path().join("state"),
            Path::new("/h"),
            None,
            Faults::none(),
        );
        Self { root, store }
    }

    fn transfer(&self, asked: &Transfer<'_>) -> Result<Moved> {
        let disk = Disk::system();
        let (one, two) = (self.root.path().join("one"), self.root.path().join("two"));
        let scanned = |path: &Path| scan::heads(&disk, path, scan::list(&disk, path).memories);
        let (here, there) = (scanned(&one), scanned(&two));
        let folder = |path, memories| Folder {
            disk: &disk,
            path,
            memories,
        };
        transfer(&folder(&one, &here), &folder(&two, &there), asked)
    }

    fn apply(&self, set: &ChangeSet) {
        self.store.apply(set, NOW).expect("applied");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.path().join(path)).expect(path)
    }

    fn has(&self, path: &str) -> bool {
        self.root.path().join(path).exists()
    }

    fn time(&self, path: &str) -> Duration {
        let data = fs::metadata(self.root.path().join(path)).expect(path);
        let time = data.modified().expect("a time");
        time.duration_since(UNIX_EPOCH).expect("after 1970")
    }

    /// Both folders.
    fn picture(&self) -> Picture {
        fn walk(folder: &Path, found: &mut Picture) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, found);
                    continue;
                }
                let text = fs::read_to_string(&path).expect("text");
                let time = fs::metadata(&path).and_then(|data| data.modified());
                found.insert(path, (text, time.expect("a time")));
            }
        }
        let mut found = Picture::new();
        walk(&self.root.path().join("one"), &mut found);
        walk(&self.root.path().join("two"), &mut found);
        found
    }
}

fn asked(path: &str) -> Transfer<'_> {
    Transfer {
        path,
        project: "two",
        copy: false,
        name: None,
        first: false,
    }
}

fn two_projects() -> Bench {
    Bench::new(&[
        ("one/alpha.md", ALPHA),
        ("one/beta.md", "---\nname: beta\n---\nAs [[alpha]] says.\n"),
        ("one/code.md", "`[[alpha]]` is code.\n"),
        (
            "one/MEMORY.md",
            "# One\r\n* [Alpha](alpha.md): the *first*\r\n  goes on\r\n* [beta](beta.md)\r\n",
        ),
        ("two/gamma.md", "---\nname: gamma\n---\nx\n"),
        ("two/MEMORY.md", "- [gamma](gamma.md) — there\n\nThe end.\n"),
    ])
}

#[test]
fn a_move_takes_file_time_and_line_and_undo_brings_all_back() {
    let bench = two_projects();
    let before = bench.picture();
    let moved = bench.transfer(&asked("alpha.md")).expect("moved");
    assert_eq!(moved.set.title, "move alpha to two");
    assert_eq!(
        moved.warnings,
        [
            "beta.md links to it: that will lead nowhere",
            "it links to beta: no memory of two bears that name"
        ]
    );
    bench.apply(&moved.set);
    assert_eq!(bench.read("two/alpha.md"), ALPHA);
    assert_eq!(bench.time("two/alpha.md"), OLD);
    assert!(!bench.has("one/alpha.md"));
    assert_eq!(
        bench.read("one/MEMORY.md"),
        "# One\r\n* [beta](beta.md)\r\n"
    );
    assert_eq!(
        bench.read("two/MEMORY.md"),
        "- [gamma](gamma.md) — there\n* [Alpha](alpha.md): the *first*\n  goes on\n\nThe end.\n"
    );
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), before);
}

#[test]
fn a_copy_is_as_old_and_leaves_all_where_it_is() {
    let bench = two_projects();
    let before = bench.picture();
    let copied = bench.transfer(&Transfer {
        copy: true,
        ..asked("alpha.md")
    });
    let copied = copied.expect("copied");
    assert_eq!(
        copied.warnings,
        ["it links to beta: no memory of two bears that name"]
    );
    bench.apply(&copied.set);
    assert_eq!(bench.read("two/alpha.md"), ALPHA);
    assert_eq!(bench.time("two/alpha.md"), OLD);
    let after = bench.picture();
    assert!(
        before.iter().all(|(path, file)| {
            after.get(path) == Some(file) || path.ends_with("two/MEMORY.md")
        })
    );
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), before);
}

#[test]
fn a_name_that_is_taken_wants_another_one() {
    for (file, text) in [
        ("two/alpha.md", "x\n"),
        ("two/ALPHA.md", "x\n"),
        ("two/other.md", "---\nname: alpha\n---\n"),
    ] {
        let bench = Bench::new(&[
            ("one/alpha.md", "---\nname: alpha\n---\nx\n"),
            ("one/MEMORY.md", "- [alpha](alpha.md) — says [alpha]\n"),
            ("two/MEMORY.md", ""),
            (file, text),
        ]);
        let taken = bench.transfer(&asked("alpha.md"));
        assert!(
            matches!(&taken, Err(error) if error.is_about_a_name()),
            "{file}: {taken:?}"
        );
        let named = |name| Transfer {
            name: Some(name),
            ..asked("alpha.md")
        };
        let bad = bench.transfer(&named("a/b"));
        assert!(
            matches!(&bad, Err(error) if error.is_about_a_name()),
            "{bad:?}"
        );
        let moved = bench.transfer(&named("Delta")).expect("moved");
        assert_eq!(moved.file, "delta.md");
        bench.apply(&moved.set);
        assert_eq!(bench.read("two/delta.md"), "---\nname: delta\n---\nx\n");
        assert_eq!(bench.time("two/delta.md"), OLD);
        assert_eq!(
            bench.read("two/MEMORY.md"),
            "- [delta](delta.md) — says [alpha]\n"
        );
    }
}

#[test]
fn a_place_below_the_folder_stays_and_the_line_goes_to_the_index_of_that_place() {
    let bench = Bench::new(&[
        ("one/team/alpha.md", "x\n"),
        ("one/MEMORY.md", "- [alpha](team/alpha.md) — a\n"),
        ("two/MEMORY.md", ""),
        ("two/team/MEMORY.md", "- [b](b.md)\n"),
        ("two/team/b.md", "x\n"),
    ]);
    let moved = bench.transfer(&asked("team/alpha.md")).expect("moved");
    bench.apply(&moved.set);
    assert_eq!(bench.read("two/team/alpha.md"), "x\n");
    assert_eq!(
        bench.read("two/team/MEMORY.md"),
        "- [b](b.md)\n- [alpha](alpha.md) — a\n"
    );
    assert_eq!(bench.read("two/MEMORY.md"), "");
    assert_eq!(bench.read("one/MEMORY.md"), "");
}

#[test]
fn an_index_is_made_for_an_empty_folder_only() {
    let files = [
        ("one/alpha.md", "x\n"),
        ("one/MEMORY.md", "- [alpha](alpha.md)\n"),
    ];
    let bench = Bench::new(&files);
    bench.apply(&bench.transfer(&asked("alpha.md")).expect("moved").set);
    assert_eq!(bench.read("two/MEMORY.md"), "- [alpha](alpha.md)\n");
    let bench = Bench::new(&[files.as_slice(), &[("two/tiny.md", "y\n")]].concat());
    let moved = bench.transfer(&asked("alpha.md")).expect("moved");
    assert_eq!(
        moved.warnings,
        ["two keeps no index: no line of it is written there"]
    );
    bench.apply(&moved.set);
    assert!(bench.has("two/alpha.md") && !bench.has("two/MEMORY.md"));
}

#[test]
fn a_ghost_gets_a_line_where_there_is_an_index_and_a_shared_line_stays() {
    let bench = Bench::new(&[
        (
            "one/alpha.md",
            "---\nname: alpha\ndescription: it says\n---\n",
        ),
        ("one/beta.md", "x\n"),
        (
            "one/MEMORY.md",
            "- [beta](beta.md), see [alpha](alpha.md) too\n",
        ),
        ("two/MEMORY.md", ""),
    ]);
    let moved = bench.transfer(&asked("alpha.md")).expect("moved");
    assert_eq!(
        moved.warnings,
        ["the index that it leaves still names it in a line of others: that will lead nowhere"]
    );
    bench.apply(&moved.set);
    assert_eq!(
        bench.read("two/MEMORY.md"),
        "- [alpha](alpha.md) — it says\n"
    );
    assert_eq!(
        bench.read("one/MEMORY.md"),
        "- [beta](beta.md), see [alpha](alpha.md) too\n"
    );
}

#[test]
fn what_is_no_file_of_its_own_is_not_moved() {
    let bench = Bench::new(&[("one/alpha.md", "x\n"), ("two/b.md", "y\n")]);
    let link = bench.root.path().join("one/link.md");
    std::os::unix::fs::symlink("alpha.md", link).expect("a link");
    let linked = bench.transfer(&asked("link.md"));
    assert!(
        matches!(linked, Err(ProposalError::Linked { .. })),
        "{linked:?}"
    );
    let gone = bench.transfer(&asked("gone.md"));
    assert!(
        matches!(gone, Err(ProposalError::Unreadable { .. })),
        "{gone:?}"
    );
    let two = bench.root.path().join("two");
    fs::remove_dir_all(&two).expect("removed");
    std::os::unix::fs::symlink("one", two).expect("a link");
    let same = bench.transfer(&asked("alpha.md"));
    assert!(
        matches!(same, Err(ProposalError::SameProject { .. })),
        "{same:?}"
    );
}

/// A project that went away between the look and the yes is not made anew with one memory in it.
#[test]
fn what_was_shown_with_its_project_is_refused_without_it() {
    let bench = Bench::new(&[("one/a.md", "A"), ("two/b.md", "B")]);
    let disk = Disk::system();
    let (one, two) = (bench.root.path().join("one"), bench.root.path().join("two"));
    let memories = scan::heads(&disk, &one, scan::list(&disk, &one).memories);
    let folder = Folder {
        disk: &disk,
        path: &one,
        memories: &memories,
    };
    let mut wish = super::super::Wish::Transfer {
        path: "a.md".into(),
        to: two.clone(),
        project: "beta".into(),
        copy: false,
        name: None,
        there: false,
    };
    let ask = |wish: &super::super::Wish| super::super::wished(&folder, wish, NOW);
    let shown = ask(&wish).expect("shown");
    assert!(shown.there);
    wish.was_shown(&shown);
    assert_eq!(ask(&wish).expect("the same"), shown);
    fs::rename(&two, two.with_file_name("three")).expect("renamed");
    let said = ask(&wish).expect_err("gone").to_string();
    assert_eq!(said, "beta is gone: nothing was written");
    // What was shown as a new project may be made.
    wish.was_shown(&super::super::Proposal {
        there: false,
        ..shown
    });
    assert!(!ask(&wish).expect("made").there);
}
