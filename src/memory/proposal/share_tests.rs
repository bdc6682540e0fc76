//! To the team and back, through the store.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

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

struct Bench {
    root: tempfile::TempDir,
    store: Store,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let file = root.path().join("memory").join(path);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(&file, text).expect("a file");
            let file = fs::File::options().write(true).open(file).expect("opened");
            file.set_modified(UNIX_EPOCH + OLD).expect("a time");
        }
        let state = root.path().join("state");
        let store = Store::new(&state, Path::new("/h"), None, Faults::none());
        Self { root, store }
    }

    fn share(&self, path: &str, name: Option<&str>) -> Result<Moved> {
        let disk = Disk::system();
        let folder = self.root.path().join("memory");
        let memories = scan::heads(&disk, &folder, scan::list(&disk, &folder).memories);
        let seen = Folder {
            disk: &disk,
            path: &folder,
            memories: &memories,
        };
        share(&seen, path, name)
    }

    fn done(&self, path: &str) -> Moved {
        let moved = self.share(path, None).expect("shared");
        self.store.apply(&moved.set, NOW).expect("applied");
        moved
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.path().join("memory").join(path)).ok()
    }

    fn time(&self, path: &str) -> Option<Duration> {
        let data = fs::metadata(self.root.path().join("memory").join(path)).ok()?;
        data.modified().ok()?.duration_since(UNIX_EPOCH).ok()
    }
}

#[test]
fn without_a_team_index_the_line_stays_in_its_place_and_leads_to_the_team() {
    let index = "- [b](b.md)\n- [alpha](./alpha.md) — a\n- [c](c.md)\n";
    let bench = Bench::new(&[("alpha.md", "A\n"), ("MEMORY.md", index)]);
    let moved = bench.done("alpha.md");
    assert_eq!(moved.set.title, "give alpha to the team");
    assert_eq!(moved.file, "team/alpha.md");
    assert_eq!(bench.read("team/alpha.md").as_deref(), Some("A\n"));
    assert_eq!(bench.time("team/alpha.md"), Some(OLD));
    assert_eq!(bench.read("alpha.md"), None);
    let shared = "- [b](b.md)\n- [alpha](team/alpha.md) — a\n- [c](c.md)\n";
    assert_eq!(bench.read("MEMORY.md").as_deref(), Some(shared));
    let back = bench.done("team/alpha.md");
    assert_eq!(back.set.title, "take alpha out of the team's");
    assert_eq!(bench.time("alpha.md"), Some(OLD));
    assert_eq!(
        bench.read("MEMORY.md").as_deref(),
        Some("- [b](b.md)\n- [alpha](alpha.md) — a\n- [c](c.md)\n")
    );
    bench.store.undo(None, NOW).expect("undone");
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.read("MEMORY.md").as_deref(), Some(index));
    assert_eq!(bench.read("alpha.md").as_deref(), Some("A\n"));
    assert_eq!(bench.time("MEMORY.md"), Some(OLD));
}

#[test]
fn with_a_team_index_the_line_goes_there_and_comes_back() {
    let bench = Bench::new(&[
        ("alpha.md", "A\n"),
        (
            "MEMORY.md",
            "See [it](alpha.md).\n\n- [alpha](alpha.md) — a\n",
        ),
        ("team/MEMORY.md", "- [t](t.md)\n"),
        ("team/t.md", "T\n"),
    ]);
    bench.done("alpha.md");
    assert_eq!(
        bench.read("MEMORY.md").as_deref(),
        Some("See [it](team/alpha.md).\n\n")
    );
    assert_eq!(
        bench.read("team/MEMORY.md").as_deref(),
        Some("- [t](t.md)\n- [alpha](alpha.md) — a\n")
    );
    bench.done("team/alpha.md");
    assert_eq!(
        bench.read("team/MEMORY.md").as_deref(),
        Some("- [t](t.md)\n")
    );
    let own = bench.read("MEMORY.md").expect("the index");
    assert!(own.contains("- [alpha](alpha.md) — a\n"), "{own}");
}

#[test]
fn a_ghost_stays_one_and_a_taken_name_wants_another() {
    let bench = Bench::new(&[
        ("learnings/alpha.md", "---\nname: alpha\n---\n"),
        ("team/learnings/alpha.md", "x\n"),
        ("MEMORY.md", "none\n"),
    ]);
    let taken = bench.share("learnings/alpha.md", None);
    assert!(
        matches!(&taken, Err(error) if error.is_about_a_name()),
        "{taken:?}"
    );
    let moved = bench
        .share("learnings/alpha.md", Some("beta"))
        .expect("shared");
    bench.store.apply(&moved.set, NOW).expect("applied");
    assert_eq!(
        bench.read("team/learnings/beta.md").as_deref(),
        Some("---\nname: beta\n---\n")
    );
    assert_eq!(bench.read("MEMORY.md").as_deref(), Some("none\n"));
}
