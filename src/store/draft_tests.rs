//! Drafts on the disk.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::base::time::Moment;
use crate::store::draft::Draft;
use crate::store::sha256;
use crate::store::tests::{Bench, NOW};

#[test]
fn a_draft_is_kept_replaced_and_let_go() {
    let bench = Bench::new();
    let path = bench.path("a.md");
    let draft = |text: &str| Draft {
        v: 1,
        path: path.clone(),
        base: sha256(b"a"),
        text: text.into(),
        cursor: (3, 4),
        time: NOW.rfc3339(),
    };
    let (one, two) = (draft("one"), draft("two"));
    bench.store.keep_draft(&one, None).expect("kept");
    bench.store.keep_draft(&two, Some(&one)).expect("kept");
    assert_eq!(bench.store.drafts(&path), std::slice::from_ref(&two));
    bench.store.discard_draft(&one).expect("not there");
    assert_eq!(bench.store.drafts(&path), std::slice::from_ref(&two));
    bench.store.discard_draft(&two).expect("gone");
    assert_eq!(bench.store.drafts(&path), []);
}

#[test]
fn two_windows_on_one_file_keep_a_draft_each() {
    let bench = Bench::new();
    let path = bench.path("a.md");
    let draft = |text: &str, seconds: i64| Draft {
        v: 1,
        path: path.clone(),
        base: sha256(b"a"),
        text: text.into(),
        cursor: (0, 0),
        time: Moment::from_seconds(NOW.seconds + seconds).rfc3339(),
    };
    let (mine, theirs) = (draft("mine", 0), draft("theirs", 1));
    bench.store.keep_draft(&mine, None).expect("kept");
    bench.store.keep_draft(&theirs, None).expect("kept");
    let more = draft("mine, more", 2);
    bench.store.keep_draft(&more, Some(&mine)).expect("kept");
    assert_eq!(bench.store.drafts(&path), [more.clone(), theirs.clone()]);
    assert_eq!(bench.store.drafted(), std::slice::from_ref(&path));
    // The other takes mine up and goes on with it: I keep mine beside it.
    let taken = draft("taken up", 3);
    bench.store.keep_draft(&taken, Some(&more)).expect("kept");
    let last = draft("mine, last", 4);
    bench.store.keep_draft(&last, Some(&more)).expect("kept");
    assert_eq!(
        bench.store.drafts(&path),
        [last.clone(), taken.clone(), theirs.clone()]
    );
    bench.store.discard_draft(&taken).expect("gone");
    assert_eq!(bench.store.drafts(&path), [last, theirs]);
}

#[test]
fn what_a_crash_left_of_a_draft_goes_once_it_is_old() {
    let bench = Bench::new();
    let folder = bench.store.home.join("drafts");
    fs::create_dir_all(&folder).expect("a folder");
    let (old, fresh) = (
        folder.join(".loci-draft-1-1.tmp"),
        folder.join(".loci-draft-1-2.tmp"),
    );
    for path in [&old, &fresh] {
        fs::write(path, "half").expect("a file");
    }
    let hour_ago = SystemTime::now() - Duration::from_hours(1);
    let file = fs::File::options().write(true).open(&old).expect("a file");
    file.set_modified(hour_ago).expect("a time");
    bench.store.recover().expect("recovered");
    assert_eq!((old.exists(), fresh.exists()), (false, true));
}

#[test]
fn the_draft_of_a_window_that_is_open_is_its_own() {
    let bench = Bench::new();
    let path = bench.path("a.md");
    let draft = |text: &str| Draft {
        v: 1,
        path: path.clone(),
        base: sha256(b"a"),
        text: text.into(),
        cursor: (0, 0),
        time: NOW.rfc3339(),
    };
    let other = bench.again(crate::base::fault::Faults::none());
    other.keep_draft(&draft("theirs"), None).expect("kept");
    assert_eq!(bench.store.drafts(&path), [], "it is being typed there");
    assert_eq!(bench.store.drafted(), std::slice::from_ref(&path));
    bench.store.keep_draft(&draft("mine"), None).expect("kept");
    assert_eq!(bench.store.drafts(&path), [draft("mine")]);
    assert_eq!(other.drafts(&path), [draft("theirs")]);
    drop(other);
    let both = bench.store.drafts(&path);
    assert_eq!(both.len(), 2, "what a closed window left is offered");
    let text = fs::read_dir(bench.store.home.join("drafts")).expect("a listing");
    let slots = text.flatten().filter(|it| it.path().extension().is_some());
    let first = fs::read_to_string(slots.max_by_key(fs::DirEntry::path).expect("a slot").path());
    let first = first.expect("a text");
    let json: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(json["text"], "theirs");
    assert!(
        json["window"].is_string() && json["path"].is_string(),
        "{first}"
    );
}
