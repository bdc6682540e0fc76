use std::cell::Cell;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::base::disk::Disk;

const GO_ON: Stop<'static> = &|| false;

fn memory(name: &str, description: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\ntype: project\n---\n{body}\n")
}

fn look(path: &str, text: &str, words: &str) -> Option<Hit> {
    let query = Query::new(words);
    let mut search = Search::new(&query, Wanted::most(10));
    search.look(path, text.as_bytes());
    search.finish().hits.pop()
}

fn marked(hit: &Hit) -> Vec<&str> {
    hit.marks
        .iter()
        .map(|mark| &hit.text[mark.clone()])
        .collect()
}

#[test]
fn hits_are_ranked_by_where_all_words_stand() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("e.md", memory("e", "d", "see the Snapshot")),
        ("d.md", memory("d", "d", "# On snapshots\n\ntext")),
        ("c.md", memory("c", "take a SNAPSHOT", "text")),
        ("b.md", memory("snapshot", "d", "text")),
        ("f.md", memory("snapdragon-shot", "d", "text")),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let query = Query::new("snapshot");
    let found = in_folder(
        &Disk::system(),
        folder.path(),
        &query,
        Wanted::most(10),
        GO_ON,
    );
    let seen: Vec<_> = found
        .hits
        .iter()
        .map(|hit| (&*hit.path, hit.place, hit.exact))
        .collect();
    assert_eq!(
        seen,
        [
            ("b.md", Place::Name, true),
            ("c.md", Place::Description, true),
            ("d.md", Place::Heading, true),
            ("e.md", Place::Body, true),
            ("f.md", Place::Name, false),
        ]
    );
    assert_eq!((found.exact, found.fuzzy), (4, 1));
    let held = hold(&Disk::system(), folder.path(), GO_ON).unwrap();
    assert_eq!(in_texts(&held, &query, Wanted::most(10), GO_ON), found);
    let two = in_texts(&held, &query, Wanted::most(2), GO_ON);
    assert_eq!((two.hits.len(), two.exact, two.fuzzy), (2, 4, 1));
    let above = Wanted {
        exact_above: found.hits[1].score,
        fuzzy_above: i64::MAX,
        ..Wanted::most(10)
    };
    let high = in_texts(&held, &query, above, GO_ON);
    assert_eq!((high.hits.len(), high.exact, high.fuzzy), (1, 4, 1));
}

#[test]
fn all_words_must_occur_wherever_they_stand() {
    let text = memory(
        "db-backup",
        "before a migration",
        "# Why\n\nlost once, by night",
    );
    let hit = look("team/a.md", &text, "NIGHT backup team").unwrap();
    assert!(hit.exact && hit.place == Place::Name, "{hit:?}");
    assert_eq!(look("team/a.md", &text, "backup absent"), None);
    let hit = look("a.md", &text, "once night").unwrap();
    assert_eq!(
        (hit.place, hit.line, &*hit.text),
        (Place::Body, Some(8), "lost once, by night")
    );
    assert_eq!(marked(&hit), ["once", "night"]);
}

#[test]
fn other_fields_of_the_front_matter_are_no_hits() {
    assert_eq!(look("a.md", &memory("a", "b", "text"), "project"), None);
    assert!(look("a.md", &memory("a", "b", "a project"), "project").is_some());
}

#[test]
fn a_heading_in_code_is_none() {
    let text = memory("a", "b", "```sh\n# restore it\n```\n");
    assert_eq!(look("a.md", &text, "restore").unwrap().place, Place::Body);
    let text = memory("a", "b", "## Restore it\n");
    assert_eq!(
        look("a.md", &text, "restore").unwrap().place,
        Place::Heading
    );
}

#[test]
fn case_goes_by_unicode_and_cjk_needs_no_word_breaks() {
    let text = memory("über-ÄNDERUNG", "数据库快照，再部署", "İstanbul ΑΒΓ Straße");
    for (words, hits) in [
        ("ÜBER änderung", vec!["über", "ÄNDERUNG"]),
        ("库快", vec!["库快"]),
        ("快照 部署", vec!["快照", "部署"]),
        ("αβγ", vec!["ΑΒΓ"]),
        ("stanbul", vec!["stanbul"]),
        ("STRASSE", vec![]),
    ] {
        let hit = look("a.md", &text, words);
        let seen = hit.as_ref().map(marked).unwrap_or_default();
        assert_eq!(seen, hits, "{words}: {hit:?}");
    }
}

#[test]
fn likeness_is_of_letters_in_order_close_together() {
    let text = memory("db-migration-needs-backup", "Take a snapshot", "text");
    let hit = look("x.md", &text, "dbmig").unwrap();
    assert!(!hit.exact && hit.place == Place::Name);
    assert_eq!(marked(&hit), ["db", "mig"]);
    assert_eq!(look("x.md", &text, "dbmig zzz"), None);
    // Letters that only happen to stand there are no likeness, and one letter never is.
    assert_eq!(look("x.md", &text, "tkps"), None);
    assert_eq!(look("x.md", &memory("ab", "c", "d"), "z"), None);
}

#[test]
fn a_long_line_is_cut_round_its_match() {
    let long = format!("{}needle{}", "数".repeat(50_000), "x".repeat(50_000));
    let hit = look("a.md", &memory("a", "b", &long), "needle").unwrap();
    assert!(hit.text.len() < 400, "{}", hit.text.len());
    assert_eq!(marked(&hit), ["needle"]);
    assert!(hit.text.starts_with('…') && hit.text.ends_with('…'));
}

#[test]
fn what_lies_beyond_the_limit_of_a_file_is_not_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let filler = "x\n".repeat(crate::config::limits::SEARCH_BYTES / 2);
    fs::write(folder.path().join("a.md"), format!("near\n{filler}far\n")).unwrap();
    let found = |words| {
        let query = Query::new(words);
        in_folder(
            &Disk::system(),
            folder.path(),
            &query,
            Wanted::most(10),
            GO_ON,
        )
        .exact
    };
    assert_eq!((found("near"), found("far")), (1, 0));
}

#[test]
fn no_link_is_followed_out_of_the_folder_and_no_pipe_is_waited_for() {
    let world = tempfile::tempdir().unwrap();
    let folder = world.path().join("memory");
    fs::create_dir(&folder).unwrap();
    fs::write(world.path().join("secret.md"), "the secret").unwrap();
    fs::write(folder.join("open.md"), "no secret").unwrap();
    std::os::unix::fs::symlink("../secret.md", folder.join("out.md")).unwrap();
    std::os::unix::fs::symlink("open.md", folder.join("in.md")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.md")).unwrap();
    let query = Query::new("secret");
    let found = in_folder(&Disk::system(), &folder, &query, Wanted::most(10), GO_ON);
    let paths: Vec<_> = found.hits.iter().map(|hit| &*hit.path).collect();
    assert_eq!(paths, ["in.md", "open.md"]);
}

#[test]
fn bytes_that_are_no_text_are_searched_as_far_as_they_are() {
    let query = Query::new("word");
    let mut search = Search::new(&query, Wanted::most(10));
    search.look("a.md", b"---\nname: a\n---\nb\xffd word\n");
    search.look("b.md", b"\xEF\xBB\xBF---\nname: word\n---\n");
    let found = search.finish();
    let places: Vec<_> = found.hits.iter().map(|hit| (hit.place, hit.line)).collect();
    assert_eq!(places, [(Place::Name, Some(2)), (Place::Body, Some(4))]);
}

#[test]
fn a_search_that_nobody_waits_for_stops_at_the_next_file() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..50 {
        fs::write(folder.path().join(format!("{number}.md")), "word").unwrap();
    }
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 3;
    let query = Query::new("word");
    let found = in_folder(
        &Disk::system(),
        folder.path(),
        &query,
        Wanted::most(10),
        &stop,
    );
    assert_eq!((found.exact, asked.load(Ordering::Relaxed)), (3, 4));
    assert!(hold(&Disk::system(), folder.path(), &|| true).is_none());
}

#[test]
fn a_query_is_bounded_and_knows_what_it_narrows() {
    let many: String = (0..500).map(|at| format!("w{at} ")).collect();
    assert_eq!(Query::new(&many).words.len(), WORDS);
    assert_eq!(Query::new("a A a").words.len(), 1);
    assert!(Query::new(" \t").is_empty());
    assert!(Query::new("snap shot").narrows(&Query::new("sna")));
    assert!(!Query::new("sn").narrows(&Query::new("sna")));
    let calls = Cell::new(0);
    let word = Word::new("Ä");
    assert!(word.can_be_in(b"", || {
        calls.set(1);
        Some("ä")
    }));
    assert_eq!(calls.get(), 1);
}
