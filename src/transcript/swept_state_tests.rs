use std::fs;
use std::path::Path;

use super::*;
use crate::base::fault::Faults;

const NOW: Moment = Moment {
    seconds: 1_930_000_000,
    nanos: 0,
};

const LOOK: Look = Look {
    is_whole: true,
    is_lossy: false,
    keep_days: 30,
    now: NOW,
};

fn store(top: &Path) -> Store {
    Store::new(top, Path::new("/home/u/.claude"), None, Faults::none())
}

fn put(store: &Store, text: &str) {
    store
        .revise_own(FILE, |_| Some(text.as_bytes().to_vec()))
        .expect("it is written");
}

#[test]
fn what_is_kept_is_read_again_and_tells_its_version() {
    let swept = Swept::nothing(30, NOW);
    let text = serde_json::to_string(&swept).expect("JSON");
    assert!(matches!(State::of(text.as_bytes()), State::Kept(read) if read == swept));
    let newer = text.replace("\"v\":2", "\"v\":3");
    assert!(matches!(State::of(newer.as_bytes()), State::Newer(3)));
    for damaged in [
        "",
        "\0\0\0\0",
        "{",
        "{}",
        "[]",
        &text[..text.len() - 1],
        &text.replace("\"v\":2", "\"v\":0"),
        &text.replace("\"files\":[]", "\"files\":[{}]"),
    ] {
        let state = State::of(damaged.as_bytes());
        assert!(matches!(state, State::Damaged), "{damaged}");
    }
}

/// The form of the first version holds sums alone.
#[test]
fn the_first_version_is_taken_over() {
    let text = r#"{"v":1,"seen":"2031-02-20","since":"2031-01-01","rows":[
        {"project":"-a","file":"s1.jsonl","session":"s1","day":"2031-02-01","model":"m","messages":2,
         "input":1,"output":30,"cache_read":0,"cache_creation":0,"cache_creation_1h":0}],"touches":[
        {"project":"-a","file":"s1.jsonl","session":"s1","path":"/m/one.md","how":"read","turn":1,"uuid":"u","time":"2031-02-01T10:00:00Z","at":0}]}"#;
    let State::Kept(swept) = State::of(text.as_bytes()) else {
        panic!("it is read");
    };
    assert_eq!(swept.since, "2031-01-01");
    let [file] = &swept.files[..] else {
        panic!("one file");
    };
    assert_eq!((&*file.project, &*file.session), ("-a", "s1"));
    let row = &file.rows[0];
    assert_eq!(
        (&*row.day, row.messages, row.usage.output),
        ("2031-02-01", 2, 30)
    );
    assert_eq!(file.touches[0].path, "/m/one.md");
}

#[test]
fn what_is_damaged_is_put_aside_whole_and_a_newer_one_is_left_alone() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let store = store(top.path());
    let keep = || keep(&store, &[], &LOOK, HashMap::new).expect("it is kept");
    for (text, name) in [
        ("half", "swept-damaged-1.json"),
        ("{\"v\":2}", "swept-damaged-2.json"),
        ("", "swept-damaged-3.json"),
    ] {
        put(&store, text);
        let aside = store.own_file(name);
        assert!(matches!(keep(), Outcome::Kept(Some(path)) if path == aside));
        assert_eq!(fs::read_to_string(&aside).expect("it is there"), text);
        let State::Kept(swept) = State::read(&store) else {
            panic!("a new one");
        };
        assert_eq!(swept.since, NOW.date());
    }
    let newer = "{\"v\":3,\"what\":1}";
    put(&store, newer);
    assert!(matches!(keep(), Outcome::Refused));
    let text = fs::read_to_string(store.own_file(FILE)).expect("it is there");
    assert_eq!(text, newer);
}

/// A disk that is full just then: what is damaged is where it was.
#[test]
fn what_can_not_be_replaced_stays() {
    let top = tempfile::tempdir().expect("a temporary folder");
    put(&store(top.path()), "half");
    let faults = Faults::failing(crate::base::fault::Point::Create, 28);
    let full = Store::new(top.path(), Path::new("/home/u/.claude"), None, faults);
    keep(&full, &[], &LOOK, HashMap::new).expect_err("the disk is full");
    let text = fs::read_to_string(full.own_file(FILE)).expect("it is there");
    assert_eq!(text, "half");
    assert!(!full.own_file("swept-damaged-1.json").exists());
}
