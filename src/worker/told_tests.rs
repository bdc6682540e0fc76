use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, UNIX_EPOCH};

use tokio::sync::mpsc::unbounded_channel;

use super::*;
use crate::agents::claude::Setup;
use crate::app::health_sweep::Swept;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::config::health::{Health, Level};
use crate::worker::sweep;

const DAY: u64 = 86_400;
const NOW: u64 = 1_800_000_000;
const KEY: &str = "-srv-p";

struct World {
    root: tempfile::TempDir,
}

impl World {
    /// A project with an old memory whose session is gone, and a session that goes in a day.
    fn new() -> Self {
        let world = Self {
            root: tempfile::tempdir().expect("a folder"),
        };
        let head =
            "---\nname: old\ndescription: what was said of it long ago\nmetadata:\n  type: user\n";
        world.file(
            "memory/old.md",
            &format!("{head}  originSessionId: gone\n---\nText.\n"),
            90,
        );
        let line = "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"hello\"}}\n";
        world.file("s1.jsonl", line, 29);
        world
    }

    fn folder(&self) -> PathBuf {
        self.root.path().join(".claude/projects").join(KEY)
    }

    fn file(&self, path: &str, text: &str, days: u64) {
        let path = self.folder().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        let file = File::options().append(true).open(&path).expect("a file");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(NOW - days * DAY))
            .expect("a time");
    }

    fn store(&self) -> Claude {
        Claude::open(Setup {
            disk: Disk::system(),
            vars: std::collections::BTreeMap::new(),
            home: self.root.path().to_path_buf(),
            config_home: None,
            cwd: self.root.path().to_path_buf(),
            now: Moment::from_seconds(NOW.cast_signed()),
        })
        .expect("a store")
    }

    fn writer(&self) -> Store {
        let state = self.root.path().join("state");
        let home = self.root.path().join(".claude");
        Store::new(&state, &home, None, Faults::none())
    }

    fn shelf(&self) -> Shelf {
        let mut shelves = self.store().shelves().into_iter();
        shelves.find(|shelf| shelf.key == KEY).expect("the shelf")
    }

    fn told(&self) -> Vec<String> {
        let (store, rules, shelf) = (self.store(), Rules::default(), self.shelf());
        let examined = store.examine(&shelf, &rules);
        let mut found = Vec::new();
        let stop = AtomicBool::new(false);
        ask(&store, &self.writer(), &rules, Of::Some, &stop, |told| {
            found = told.findings(&shelf, &examined);
        });
        named(&found)
    }
}

fn named(found: &[Finding]) -> Vec<String> {
    let named = found
        .iter()
        .map(|one| format!("{} {}", one.code.word(), one.path));
    named.collect()
}

#[test]
fn sessions_tell_what_was_never_read_what_is_swept_and_what_goes() {
    let world = World::new();
    assert_eq!(world.told(), ["origin-swept old.md"]);
    // What is known reaches back far enough.
    let yesterday = Moment::from_seconds((NOW - DAY).cast_signed()).date();
    let swept = world.writer().own_file("swept.json");
    fs::create_dir_all(swept.parent().expect("a folder")).expect("a folder");
    let text = format!(
        "{{\"v\":1,\"seen\":\"{yesterday}\",\"since\":\"2026-01-01\",\"rows\":[],\"touches\":[]}}"
    );
    fs::write(&swept, text).expect("a file");
    assert_eq!(world.told(), ["never-read old.md", "origin-swept old.md"]);
    // Without a memory all that is left of the project goes with its last session.
    fs::remove_file(world.folder().join("memory/old.md")).expect("the memory");
    assert_eq!(world.told(), ["expiring "]);
}

#[test]
fn a_look_at_all_ends_with_what_sessions_tell() {
    let world = World::new();
    let (send, mut receive) = unbounded_channel();
    let (store, writer, rules) = (world.store(), world.writer(), Rules::default());
    sweep::run(&store, &writer, &rules, 7, &AtomicBool::new(false), &send);
    let mut parts: Vec<(Swept, bool)> = Vec::new();
    while let Ok(Message::Swept { id: 7, swept, done }) = receive.try_recv() {
        parts.push((*swept, done));
    }
    let (last, done) = parts.pop().expect("a part");
    assert!(done && !parts.is_empty() && parts.iter().all(|(_, done)| !done));
    assert_eq!((last.done, last.of), (parts[parts.len() - 1].0.done, 1));
    let found: Vec<String> = last
        .found
        .iter()
        .flat_map(|(_, found)| named(found))
        .collect();
    assert_eq!(found, ["origin-swept old.md"]);
}

#[test]
fn nothing_is_read_where_none_of_it_is_wanted() {
    assert!(is_wanted(&Rules::default()));
    let mut health = Health::default();
    for code in Code::ALL.into_iter().filter(|code| code.is_told_later()) {
        assert!(is_wanted(&Rules::from(&health)), "{}", code.word());
        health.levels.insert(code.word().to_string(), Level::Off);
    }
    assert!(!is_wanted(&Rules::from(&health)));
}
