use std::fs;

use super::*;
use crate::base::fault::Faults;
use crate::config::prices::Price;
use crate::context::ledger::{Keep, Sent, Usage};
use crate::context::part::{Kind, Piece, Place, parts};
use crate::context::request::{Block, Request};

const NOW: i64 = 1_800_000_000;

fn append(ledger: &Ledger, id: &str, session: &str, texts: &[&str], ago: i64) {
    let block = |text: &&str| Block::text(Piece::new(Kind::Identity, Origin::Ours, *text));
    let request = Request {
        system: texts.iter().map(block).collect(),
        ..Request::default()
    };
    let sent = Sent {
        id,
        session,
        project: Some("-p"),
        purpose: Purpose::Chat,
        model: "m-1",
        key: "k",
        parts: &parts(&request, None),
        usage: Some(Usage {
            input: 1_000_000,
            output: 0,
            cache_read: 0,
            cache_creation: 1_000_000,
            cache_creation_1h: 1_000_000,
        }),
        ended: "tool_use",
        answer: &[(Kind::Answer, None, "hello".to_string())],
    };
    let now = Moment::from_seconds(NOW - ago);
    ledger.append(&sent, now).expect("it is written");
}

fn prices() -> Prices {
    let price = Price {
        input: 1_000_000,
        output: 0,
        cache_write_5m: 0,
        cache_write_1h: 2_000_000,
        cache_read: 0,
    };
    Prices::made_up(vec![("m".to_string(), price)])
}

#[test]
fn requests_are_listed_newest_first_with_their_cost_and_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = Ledger::new(folder.path().join("l"), Keep::default(), Faults::default());
    append(&ledger, "1", "s", &["who"], 90_000);
    append(&ledger, "2", "t", &["who"], 80);
    append(&ledger, "3", "s", &["who", "more"], 70);
    let Listed { entries, faults } = ledger.list(&prices());
    assert_eq!(faults, Vec::<String>::new());
    let ids: Vec<_> = entries
        .iter()
        .map(|it| (&*it.id, it.before.as_deref()))
        .collect();
    assert_eq!(ids, [("3", Some("1")), ("2", None), ("1", None)]);
    let sum = entries[0].sum.expect("it was counted");
    assert_eq!(sum.dollars(), Some(3.0));
    assert_eq!(entries[0].miss, Some(Miss::Cold { minutes: 1_498 }));
    assert_eq!(entries[0].end(), "called tools");
    assert_eq!(entries[0].project.as_deref(), Some("-p"));
}

#[test]
fn a_request_opens_to_its_texts_and_tells_those_that_are_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("l");
    let ledger = Ledger::new(path.clone(), Keep::default(), Faults::default());
    append(&ledger, "1", "s", &["who"], 80);
    append(&ledger, "2", "s", &["who", "more"], 70);
    let opened = ledger.open("2").expect("it is there");
    let texts: Vec<_> = opened
        .parts
        .iter()
        .map(|it| (&*it.text, it.cached, it.place))
        .collect();
    let system = |block| Place::System { block };
    assert_eq!(
        texts,
        [("who", true, system(0)), ("more", false, system(1))]
    );
    assert_eq!(opened.answer[0].text, "hello");
    assert_eq!(opened.before.map(|it| it.id).as_deref(), Some("1"));
    fs::remove_file(path.join("blobs").join(&opened.line.parts[1].sha256)).expect("removed");
    let opened = ledger.open("2").expect("it is there");
    assert_eq!((opened.gone, opened.parts[1].recorded), (1, false));
    assert_eq!(opened.parts[1].text, GONE);
    let error = ledger.open("9").expect_err("there is none");
    assert!(
        error
            .to_string()
            .contains("no request of the ledger is called 9"),
        "{error}"
    );
}

#[test]
fn lines_that_cannot_be_read_are_told_stay_and_keep_their_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("l");
    let ledger = Ledger::new(path.clone(), Keep::default(), Faults::default());
    append(&ledger, "1", "s", &["who"], 80);
    append(&ledger, "2", "s", &["more"], 70);
    let day = path.join(format!("{}.jsonl", Moment::from_seconds(NOW).date()));
    let text = fs::read_to_string(&day).expect("a day");
    let lines: Vec<&str> = text.lines().collect();
    // The first of a later version, the second cut off behind its texts.
    let cut = &lines[1][..lines[1].find("\"usage\"").expect("a usage")];
    let damaged = format!("{}\n{cut}", lines[0].replace("\"v\":1", "\"v\":2"));
    fs::write(&day, &damaged).expect("written");
    let listed = ledger.list(&prices());
    assert_eq!(listed.entries, []);
    let [later, cut] = &listed.faults[..] else {
        panic!("two lines: {:?}", listed.faults);
    };
    assert!(
        later.contains(".jsonl:1 was written by a later version of loci"),
        "{later}"
    );
    assert!(
        cut.contains(".jsonl:2 can't be read") && cut.ends_with("stays there"),
        "{cut}"
    );
    let blobs = || fs::read_dir(path.join("blobs")).expect("blobs").count();
    let before = blobs();
    ledger.prune(Moment::from_seconds(NOW)).expect("pruned");
    assert_eq!(blobs(), before);
    assert_eq!(fs::read_to_string(&day).expect("a day"), damaged);
    // What is appended begins a line of its own.
    append(&ledger, "3", "s", &["third"], 60);
    assert_eq!(ledger.list(&prices()).entries.len(), 1);
}

#[test]
fn a_line_of_before_opens_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = r#"{"v":1,"id":"a","time":"2027-01-14T08:00:00Z","session":"s","purpose":"chat","model":"m","parts":[{"kind":"identity","path":null,"sha256":"x","tokens":3}],"usage":{"input":1,"output":2,"cache_read":3,"cache_creation":4}}"#;
    fs::write(folder.path().join("2027-01-14.jsonl"), old).expect("written");
    let ledger = Ledger::new(
        folder.path().to_path_buf(),
        Keep::default(),
        Faults::default(),
    );
    let listed = ledger.list(&prices());
    assert_eq!((listed.entries.len(), listed.faults.len()), (1, 0));
    assert_eq!(
        (listed.entries[0].end(), &listed.entries[0].project),
        ("–", &None)
    );
    let opened = ledger.open("a").expect("it is there");
    assert_eq!(opened.parts[0].place, Place::System { block: 0 });
}
