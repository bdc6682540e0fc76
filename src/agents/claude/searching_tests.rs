//! A corpus over made-up shelves.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time::Moment;

const GO_ON: Stop<'static> = &|| false;

/// A store of so many projects with two memories each.
fn store(root: &tempfile::TempDir, projects: usize) -> Claude {
    for number in 0..projects {
        let folder = format!("home/u/.claude/projects/-p{number:03}/memory");
        let folder = root.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.md"), format!("a word, number{number}")).unwrap();
        fs::write(folder.join("b.md"), "---\nname: words\n---\nnothing").unwrap();
    }
    fs::create_dir_all(root.path().join("srv/p")).unwrap();
    Claude::open(Setup {
        disk: Disk::below(root.path()).unwrap(),
        vars: BTreeMap::new(),
        home: "/home/u".into(),
        config_home: None,
        cwd: "/srv/p".into(),
        now: Moment::from_seconds(1_790_000_000),
    })
    .unwrap()
}

#[test]
fn hits_come_in_parts_and_what_is_held_or_not_finds_the_same() {
    let root = tempfile::tempdir().unwrap();
    let store = store(&root, 100);
    let query = Query::new("word");
    let mut found = Vec::new();
    for room in [0, 500, 1 << 20] {
        let mut corpus = Corpus::all(&store, room);
        for _ in 0..2 {
            let parts = Cell::new(0);
            let each = |_: &Hits| parts.set(parts.get() + 1);
            found.push(corpus.search(&store, &query, 10, GO_ON, each).unwrap());
            assert!(parts.get() > 1);
            assert!(corpus.taken <= room);
        }
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    let keys: Vec<_> = found[0]
        .hits
        .iter()
        .map(|it| it.shelf.key.as_str())
        .collect();
    assert_eq!((keys[0], keys[9], found[0].exact), ("-p000", "-p009", 200));
    assert!(found[0].hits.iter().all(|it| &*it.hit.path == "b.md"));
}

#[test]
fn a_longer_query_looks_only_where_the_shorter_one_hit() {
    let root = tempfile::tempdir().unwrap();
    let store = store(&root, 30);
    let mut corpus = Corpus::all(&store, 0);
    let mut count = |words: &str| {
        let query = Query::new(words);
        let found = corpus.search(&store, &query, 10, GO_ON, |_| {}).unwrap();
        let looked = corpus.shelves.iter().filter(|held| held.hit).count();
        (found.exact, looked)
    };
    assert_eq!(count("number7"), (1, 1));
    assert_eq!(count("number7 word"), (1, 1));
    assert_eq!(count("number1"), (11, 11));
}

#[test]
fn a_search_that_is_not_wanted_any_more_gives_nothing() {
    let root = tempfile::tempdir().unwrap();
    let store = store(&root, 30);
    let mut corpus = Corpus::all(&store, 1 << 20);
    let query = Query::new("word");
    let stopped = corpus.search(&store, &query, 10, &|| true, |_| panic!("nothing is told"));
    assert_eq!(stopped, None);
    let found = corpus.search(&store, &query, 10, GO_ON, |_| {}).unwrap();
    assert_eq!(found.exact, 60);
    assert_eq!(
        corpus.search(&store, &Query::new(" "), 10, GO_ON, |_| {}),
        Some(Hits::default())
    );
}

/// What holds all the words comes first, then what is related, in any form of the words; each once.
#[test]
fn what_is_related_follows_what_is_exact() {
    let root = tempfile::tempdir().unwrap();
    let store = store(&root, 3);
    let put = |project: &str, name: &str, text: &str| {
        let folder = format!("home/u/.claude/projects/{project}/memory");
        fs::write(root.path().join(folder).join(name), text).unwrap();
    };
    put(
        "-p002",
        "backup.md",
        "---\nname: db-backup\ndescription: Take a snapshot before each migration\n---\nBy hand.\n",
    );
    put(
        "-p001",
        "exact.md",
        "---\nname: e\n---\nBefore migrating, snapshots are taken.\n",
    );
    let paths = |hits: &Hits| -> Vec<(String, bool)> {
        let each = hits.hits.iter();
        each.map(|it| (it.hit.path.to_string(), it.hit.exact))
            .collect()
    };
    for room in [0, 1 << 20] {
        let mut corpus = Corpus::all(&store, room);
        let query = Query::new("migrating snapshots");
        let found = corpus.search(&store, &query, 10, GO_ON, |_| {}).unwrap();
        assert_eq!(
            paths(&found),
            [
                ("exact.md".to_string(), true),
                ("backup.md".to_string(), false)
            ]
        );
        assert_eq!((found.exact, found.fuzzy), (1, 1));
        let hit = &found.hits[1].hit;
        let marked: Vec<&str> = hit.marks.iter().map(|at| &hit.text[at.clone()]).collect();
        assert_eq!(
            (hit.place.word(), hit.line, marked),
            ("description", Some(3), vec!["snapshot", "migration"])
        );
        assert_eq!(&*found.hits[1].shelf.key, "-p002");
        // What has nothing of the words is not related.
        let query = Query::new("haiku");
        let found = corpus.search(&store, &query, 10, GO_ON, |_| {}).unwrap();
        assert_eq!(found, Hits::default());
    }
}

/// Stopped while it is indexed, the next search goes on and has no memory twice.
#[test]
fn indexing_that_was_stopped_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let store = store(&root, 30);
    for room in [0, 1 << 20] {
        let mut corpus = Corpus::all(&store, room);
        let query = Query::new("numbers");
        let left = std::sync::atomic::AtomicUsize::new(0);
        let mut stops = 0;
        let found = loop {
            left.store(40 * (stops + 2), std::sync::atomic::Ordering::Relaxed);
            let stop = || {
                let count = |left: usize| left.checked_sub(1);
                let order = std::sync::atomic::Ordering::Relaxed;
                left.try_update(order, order, count).is_err()
            };
            match corpus.search(&store, &query, 50, &stop, |_| {}) {
                Some(found) => break found,
                None => stops += 1,
            }
        };
        assert!(stops > 0);
        let mut known: Vec<_> = found
            .hits
            .iter()
            .map(|it| (it.order, it.hit.path.clone()))
            .collect();
        known.sort();
        known.dedup();
        assert_eq!(known.len(), found.hits.len());
        let mut whole = Corpus::all(&store, room);
        let wanted = whole.search(&store, &query, 50, GO_ON, |_| {}).unwrap();
        assert_eq!(found.hits.len(), wanted.hits.len());
    }
}
