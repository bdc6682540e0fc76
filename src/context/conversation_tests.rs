use super::*;
use crate::context::fixture_for_tests::{answer, asked, result, used};

fn at(minutes: i64) -> Moment {
    Moment::from_seconds(minutes * 60)
}

fn said(role: Role, blocks: Vec<Block>, minutes: i64) -> Entry {
    Entry::Said {
        role,
        blocks,
        time: at(minutes),
    }
}

fn question(text: &str) -> Entry {
    said(Role::User, vec![Block::text(asked(text))], 0)
}

fn boundary(text: &str, kept: usize) -> Entry {
    Entry::Boundary {
        summary: Piece::new(Kind::Summary, Origin::Conversation, text),
        kept,
        time: at(0),
    }
}

fn texts(entries: &[Entry]) -> Vec<String> {
    let blocks = entries.iter().flat_map(Entry::blocks);
    blocks.map(|block| block.shown().into_owned()).collect()
}

#[test]
fn the_last_boundary_cuts_and_its_summary_comes_first() {
    let entries = [
        question("a"),
        boundary("S1", 0),
        question("b"),
        boundary("S2", 0),
        question("c"),
    ];
    assert_eq!(texts(&cut(&entries)), ["S2", "c"]);
    assert_eq!(texts(&cut(&entries[..1])), ["a"]);
}

#[test]
fn what_a_boundary_kept_follows_the_summary() {
    let entries = [
        question("a"),
        question("b"),
        boundary("S", 1),
        question("c"),
    ];
    assert_eq!(texts(&cut(&entries)), ["S", "b", "c"]);
    // Never beyond an older boundary.
    let entries = [
        question("a"),
        boundary("S1", 0),
        question("b"),
        boundary("S2", 9),
    ];
    assert_eq!(texts(&cut(&entries)), ["S2", "b"]);
}

#[test]
fn a_spilled_result_is_sent_as_it_was_decided_once() {
    let spill = Spill {
        id: "1".to_string(),
        preview: "beginning".to_string(),
        path: "/state/spill/1".into(),
    };
    let entries = vec![said(
        Role::User,
        vec![result("1", "long"), result("2", "short")],
        0,
    )];
    let replayed = replay_spills(entries, &[spill]);
    assert_eq!(
        texts(&replayed),
        [
            "beginning\n[The whole result lies in /state/spill/1: read it there if you need more.]",
            "short"
        ]
    );
}

/// Eight reads, one a minute.
fn reads() -> Vec<Entry> {
    let mut entries = vec![question("q")];
    for n in 0..8 {
        let id = n.to_string();
        entries.push(said(Role::Assistant, vec![used(&id, "Read")], n));
        entries.push(said(Role::User, vec![result(&id, &format!("r{n}"))], n));
    }
    entries
}

fn results(entries: &[Entry]) -> Vec<String> {
    let blocks = entries.iter().flat_map(Entry::blocks);
    let results = blocks.filter(|block| block.is_tool_result());
    results.map(|block| block.shown().into_owned()).collect()
}

#[test]
fn an_hour_of_rest_clears_all_but_the_newest_five_results() {
    let warm = clear_by_time(reads(), at(7 + 59));
    assert_eq!(results(&warm)[0], "r0");
    let cold = results(&clear_by_time(reads(), at(7 + 60)));
    assert_eq!(cold[..3], [CLEARED, CLEARED, CLEARED]);
    assert_eq!(cold[3..], ["r3", "r4", "r5", "r6", "r7"]);
}

#[test]
fn what_was_cleared_once_stays_cleared() {
    let mut entries = reads();
    entries.push(said(Role::Assistant, vec![Block::text(answer("a"))], 7));
    entries.push(said(Role::User, vec![Block::text(asked("next day"))], 1500));
    let then = results(&clear_by_time(entries.clone(), at(1500)));
    entries.push(said(Role::Assistant, vec![used("9", "Read")], 1501));
    entries.push(said(Role::User, vec![result("9", "r9")], 1501));
    let later = results(&clear_by_time(entries, at(1502)));
    assert_eq!(later[..8], then[..]);
    assert_eq!(
        (later[2].as_str(), later[3].as_str(), later[8].as_str()),
        (CLEARED, "r3", "r9")
    );
}

#[test]
fn errors_and_other_tools_are_not_cleared() {
    let mut entries = reads();
    for entry in &mut entries {
        for block in entry.blocks_mut() {
            match &mut block.content {
                Content::ToolUse { id, name, .. } if id == "0" => *name = "Task".to_string(),
                Content::ToolResult { id, is_error, .. } if id == "1" => *is_error = true,
                _ => {}
            }
        }
    }
    let cold = results(&clear_by_time(entries, at(100)));
    assert_eq!(cold[..4], ["r0", "r1", CLEARED, "r3"]);
}
