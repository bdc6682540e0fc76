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
