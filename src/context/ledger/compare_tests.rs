use super::*;
use crate::context::ledger::{Purpose, Usage};
use crate::context::part::{Kind, Origin, Part};

fn part(kind: Kind, place: &str, text: &str) -> PartLine {
    PartLine {
        kind: kind.word().to_string(),
        path: None,
        label: None,
        place: Some(place.to_string()),
        mark: None,
        sha256: text.to_string(),
        tokens: 10,
    }
}

fn line(seconds: i64, parts: &[PartLine], read: u64) -> Line {
    Line {
        v: 1,
        id: seconds.to_string(),
        time: Moment::from_seconds(1_800_000_000 + seconds).rfc3339(),
        session: "s".to_string(),
        project: None,
        purpose: Purpose::Chat,
        model: "m".to_string(),
        key: Some("k".to_string()),
        parts: parts.to_vec(),
        usage: Some(Usage {
            cache_read: read,
            ..Usage::default()
        }),
        ended: None,
        answer: Vec::new(),
    }
}

fn conversation(rules: &str, turns: usize) -> Vec<PartLine> {
    let mut parts = vec![
        part(Kind::Tools, "tools", "read"),
        part(Kind::Tools, "tools", "write"),
        part(Kind::Identity, "system/0", "who"),
        part(Kind::Wrapper, "messages/0/0/user", "<begin>"),
        part(Kind::Rule, "messages/0/0/user", rules),
    ];
    for turn in 0..turns {
        parts.push(part(
            Kind::Prompt,
            &format!("messages/{}/0/user", turn + 1),
            &turn.to_string(),
        ));
    }
    parts
}

#[test]
fn what_was_only_added_to_is_cached_whole() {
    let (before, now) = (
        line(0, &conversation("r", 1), 0),
        line(60, &conversation("r", 2), 50),
    );
    assert_eq!(shared(&before, &now), 6);
    assert_eq!(miss(Some(&before), &now), None);
    assert_eq!(miss(None, &before), Some(Miss::First));
}

#[test]
fn the_cached_prefix_ends_with_a_whole_block_and_each_tool_is_one() {
    let (before, now) = (
        line(0, &conversation("r", 1), 0),
        line(60, &conversation("R", 1), 30),
    );
    // What stands before the rule in its block is written anew with it.
    assert_eq!(shared(&before, &now), 3);
    let what = "wrapper in messages[0]".to_string();
    assert_eq!(
        miss(Some(&before), &now),
        Some(Miss::Changed { part: 3, what })
    );
    let mut tools = conversation("r", 1);
    tools[1].sha256 = "edit".to_string();
    assert_eq!(shared(&before, &line(60, &tools, 0)), 1);
}

#[test]
fn a_miss_is_told_by_its_cause() {
    let parts = conversation("r", 1);
    let before = line(0, &parts, 0);
    let other = Line {
        model: "n".to_string(),
        ..line(60, &parts, 0)
    };
    assert_eq!(
        miss(Some(&before), &other),
        Some(Miss::Model {
            before: "m".to_string()
        })
    );
    assert_eq!(shared(&before, &other), 0);
    let other = Line {
        key: Some("l".to_string()),
        ..line(60, &parts, 0)
    };
    assert_eq!(miss(Some(&before), &other), Some(Miss::Parameters));
    assert_eq!(shared(&before, &other), 0);
    assert_eq!(
        miss(Some(&before), &line(300, &parts, 0)),
        Some(Miss::NotKnown)
    );
    assert_eq!(
        miss(Some(&before), &line(361, &parts, 0)),
        Some(Miss::Cold { minutes: 6 })
    );
    let mut long = before.clone();
    long.parts[2].mark = Some("1h".to_string());
    assert_eq!(
        miss(Some(&long), &line(3_600, &parts, 0)),
        Some(Miss::NotKnown)
    );
    assert_eq!(
        miss(Some(&long), &line(3_661, &parts, 0)),
        Some(Miss::Cold { minutes: 61 })
    );
    let uncounted = Line {
        usage: None,
        ..line(60, &parts, 0)
    };
    assert_eq!(miss(Some(&before), &uncounted), None);
}

fn opened(line: Line) -> Opened {
    let parts = line.parts.iter().map(|it| Part {
        kind: it.kind(),
        origin: Origin::Ours,
        place: it.place(),
        path: None,
        label: None,
        text: format!("{}\n", it.sha256),
        recorded: true,
        tokens: Some(it.tokens),
        exact: false,
        bytes: None,
        units: None,
        cached: false,
        mark: None,
        masked: Vec::new(),
    });
    Opened {
        parts: parts.collect(),
        line,
        before: None,
        answer: Vec::new(),
        gone: 0,
    }
}

#[test]
fn a_difference_tells_where_it_begins_and_shows_each_part_that_changed_came_or_went() {
    let a = opened(line(0, &conversation("r", 1), 0));
    let b = opened(line(60, &conversation("R", 2), 0));
    let found = difference(&a, &b);
    assert_eq!((found.shared, found.shared_tokens), (3, 30));
    assert_eq!(found.first.as_deref(), Some("wrapper in messages[0]"));
    assert_eq!(
        found.diff,
        "changed: rule in messages[0], ≈ 10 tokens\n@@ -1 +1 @@\n-r\n+R\n\
         came: prompt in messages[2], ≈ 10 tokens\n@@ -0,0 +1 @@\n+1\n"
    );
    let back = difference(&b, &a).diff;
    assert!(
        back.ends_with("went: prompt in messages[2], ≈ 10 tokens\n@@ -1 +0,0 @@\n-1\n"),
        "{back}"
    );
    let same = difference(&a, &a);
    assert_eq!((same.first, &*same.diff), (None, ""));
}
