use serde_json::Value;

use super::*;
use crate::transcript::made_for_tests::Made;

/// What is sent of a text, as `u:text` and `a:text`, line breaks as `\n`.
fn sequence(text: &[u8]) -> Vec<String> {
    let chain = Chain::read(text, text.len() as u64).unwrap();
    let told = chain.messages.iter().map(|sent| {
        let text = chain.text(text, sent).unwrap().replace('\n', "\\n");
        format!("{}:{text}", &chain.role(sent).word()[..1])
    });
    told.collect()
}

/// What is left out of a text, as `uuid why`.
fn dropped(text: &str) -> Vec<String> {
    let chain = Chain::read(text.as_bytes(), text.len() as u64).unwrap();
    let told = chain
        .dropped
        .iter()
        .map(|(uuid, why)| format!("{} {}", uuid.as_deref().unwrap_or("–"), why.words()));
    told.collect()
}

fn fixture(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let bytes = std::fs::read(format!("{folder}/{path}")).expect(path);
    String::from_utf8(bytes).expect("text")
}

/// A line with an id and a parent; none is `-`.
fn line(kind: &str, uuid: &str, parent: &str, rest: &str) -> String {
    let parent = if parent == "-" {
        "null".to_string()
    } else {
        format!("\"{parent}\"")
    };
    format!("{{\"type\":\"{kind}\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent},{rest}}}\n")
}

fn user(uuid: &str, parent: &str, text: &str) -> String {
    line(
        "user",
        uuid,
        parent,
        &format!("\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}"),
    )
}

/// A line of the API message `id` with one block.
fn answer(uuid: &str, parent: &str, id: &str, block: &str) -> String {
    let message =
        format!("\"message\":{{\"id\":\"{id}\",\"role\":\"assistant\",\"content\":[{block}]}}");
    line("assistant", uuid, parent, &message)
}

fn text(text: &str) -> String {
    format!("{{\"type\":\"text\",\"text\":\"{text}\"}}")
}

fn used(id: &str) -> String {
    format!("{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"Read\",\"input\":{{}}}}")
}

fn result(uuid: &str, parent: &str, of: &str) -> String {
    let block =
        format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"{of}\",\"content\":\"{of}\"}}");
    line(
        "user",
        uuid,
        parent,
        &format!("\"message\":{{\"content\":[{block}]}}"),
    )
}

const THOUGHT: &str = "{\"type\":\"thinking\",\"thinking\":\"hm\"}";

#[test]
fn every_observed_resume_gives_the_observed_sequence() {
    let cases: Value = serde_json::from_str(&fixture("oracle/cases.json")).unwrap();
    let cases = cases["transcript_resume"].as_array().expect("the cases");
    assert_eq!(cases.len(), 10);
    for case in cases {
        let input = fixture(&format!("oracle/{}", case["input_jsonl"].as_str().unwrap()));
        let mut found = sequence(input.as_bytes());
        found.push("u:NEW".to_string());
        assert_eq!(Value::from(found), case["sequence"], "{}", case["label"]);
    }
}

/// The starts of what was sent after a compaction and a resume, by version.
#[test]
fn compacted_transcripts_go_through_as_observed() {
    let (caveat, command, output) = (
        "u:<local-command-caveat>",
        "u:<command-name>",
        "u:<local-command-stdout>",
    );
    let summary = "u:This session is being continued";
    let (asked, answered) = ("u:third prompt", "a:answer three");
    let (filler, go_on, tail) = (
        "a:No response requested.",
        "u:Continue from where",
        "a:answer two",
    );
    let plain = vec![summary, caveat, command, output, filler, asked, answered];
    for (version, wanted, lines) in [
        ("2.1.63", plain.clone(), 24),
        ("2.1.112", plain, 30),
        (
            "2.1.220",
            vec![
                summary, tail, caveat, command, output, go_on, filler, asked, answered,
            ],
            35,
        ),
        (
            "2.1.332",
            vec![summary, tail, caveat, command, output, asked, answered],
            72,
        ),
    ] {
        let file = fixture(&format!(
            "oracle/transcripts/compacted_resumed_{version}.jsonl"
        ));
        let found = sequence(file.as_bytes());
        assert_eq!(found.len(), wanted.len(), "{version}: {found:#?}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(found.starts_with(wanted), "{version}: {found}");
        }
        assert_eq!(dropped(&file), [""; 0], "{version}");
        // As the file was before the resume: the same lines are made.
        let before: String = file.split_inclusive('\n').take(lines).collect();
        let resumed = sequence(before.as_bytes());
        let mut wanted = found[..found.len() - 2].to_vec();
        if version == "2.1.332" {
            // No prompt is there yet that its last text would meet.
            let last = wanted.last_mut().expect("a message");
            last.truncate(last.len() - "\\n".len());
        }
        assert_eq!(resumed, wanted, "{version}");
    }
}

#[test]
fn parallel_results_stand_beside_the_path() {
    let lines = [
        user("1", "-", "go"),
        answer("2", "1", "m", &used("t1")),
        answer("3", "2", "m", &used("t2")),
        result("4", "2", "t1"),
        result("5", "3", "t2"),
        answer("6", "5", "n", &text("done")),
        user("7", "2", "a branch that was given up"),
        line(
            "user",
            "8",
            "6",
            "\"isSidechain\":true,\"message\":{\"content\":\"side\"}",
        ),
        answer("9", "6", "n", &text("end")),
    ];
    let wanted = [
        "u:go",
        "a:[tool use: Read]",
        "a:[tool use: Read]",
        "u:[tool result] t1",
        "u:[tool result] t2",
        "a:done",
        "a:end",
    ];
    assert_eq!(sequence(lines.concat().as_bytes()), wanted);
    assert_eq!(dropped(&lines.concat()), ["7 side branch", "8 side-chain"]);
    // The same where the path goes by the first result, and the second use lies beside it.
    let mut lines = lines;
    lines[5] = answer("6", "4", "n", &text("done"));
    assert_eq!(sequence(lines.concat().as_bytes()), wanted);
    lines[2] = answer("3", "4", "m", &used("t2"));
    assert_eq!(sequence(lines.concat().as_bytes()), wanted);
}

#[test]
fn what_a_provider_would_refuse_is_cleaned() {
    let lines = [
        user("1", "-", "go"),
        answer("2", "1", "m", THOUGHT),
        answer("3", "2", "m", &text("said")),
        answer("4", "3", "only", THOUGHT),
        answer("5", "4", "blank", &text("  \\n")),
        answer("6", "5", "n", &used("t1")),
        answer("7", "6", "o", &[used("t2"), text("and a word")].join(",")),
        result("8", "7", "t0"),
    ];
    let lines = lines.concat();
    assert_eq!(
        sequence(lines.as_bytes()),
        ["u:go", "a:[thinking]", "a:said", "a:and a word"]
    );
    let wanted = [
        "4 only thinking",
        "5 empty",
        "6 tool use without a result",
        "8 tool result without its tool use",
    ];
    assert_eq!(dropped(&lines), wanted);
}

#[test]
fn a_turn_without_an_end_gets_one() {
    let asked = user("1", "-", "go");
    assert_eq!(
        sequence(asked.as_bytes()),
        ["u:go", "a:No response requested."]
    );
    let cut = [
        asked.clone(),
        answer("2", "1", "m", &used("t1")),
        result("3", "2", "t1"),
    ]
    .concat();
    let wanted = [
        "u:go",
        "a:[tool use: Read]",
        "u:[tool result] t1",
        "u:Continue from where you left off.",
        "a:No response requested.",
    ];
    assert_eq!(sequence(cut.as_bytes()), wanted);
    let chain = Chain::read(cut.as_bytes(), cut.len() as u64).unwrap();
    assert_eq!(chain.uuid(&chain.messages[3]), None);
    // The use that was not answered goes first, then the prompt has no answer.
    let used = [asked, answer("2", "1", "m", &used("t1"))].concat();
    assert_eq!(
        sequence(used.as_bytes()),
        ["u:go", "a:No response requested."]
    );
    assert_eq!(sequence(b""), [""; 0]);
}

/// Older clients name the kept messages by their first and last line; what is not there is said.
#[test]
fn messages_before_the_boundary_follow_the_summary() {
    let boundary = |kept: &str| {
        let rest = format!(
            "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"4\",\"compactMetadata\":{{{kept}}}"
        );
        line("system", "b", "-", &rest)
    };
    let talk = [
        user("1", "-", "one"),
        answer("2", "1", "m", &text("two")),
        line("attachment", "a", "2", "\"attachment\":{}"),
        user("3", "a", "three"),
        answer("4", "3", "n", &text("four")),
    ]
    .concat();
    let rest = [
        user("s", "b", "SUMMARY"),
        user("7", "s", "next"),
        answer("8", "7", "o", &text("end")),
    ]
    .concat();
    for (kept, wanted, lost) in [
        ("", vec![], vec![]),
        (
            "\"preservedMessages\":{\"anchorUuid\":\"s\",\"uuids\":[\"3\",\"4\"]}",
            vec!["u:three", "a:four"],
            vec![],
        ),
        (
            "\"preservedSegment\":{\"headUuid\":\"2\",\"anchorUuid\":\"s\",\"tailUuid\":\"4\"}",
            vec!["a:two", "u:three", "a:four"],
            vec![],
        ),
        (
            "\"preservedMessages\":{\"anchorUuid\":\"s\",\"uuids\":[\"gone\",\"4\"]}",
            vec!["a:four"],
            vec!["gone kept by the boundary, but not in this file"],
        ),
    ] {
        let text = [&talk, &boundary(kept), &rest].map(String::as_str).concat();
        let first = if wanted.first().is_some_and(|first| first.starts_with('a')) {
            "u:SUMMARY"
        } else {
            "u:SUMMARY\\n"
        };
        let mut all = vec![first];
        all.extend(wanted);
        all.extend(["u:next", "a:end"]);
        assert_eq!(sequence(text.as_bytes()), all, "{kept}");
        assert_eq!(dropped(&text), lost, "{kept}");
        let chain = Chain::read(text.as_bytes(), text.len() as u64).unwrap();
        let kept = chain
            .messages
            .iter()
            .filter(|sent| matches!(sent, Sent::Line { is_kept: true, .. }));
        assert_eq!(kept.count(), all.len() - 3);
    }
}

#[test]
fn tr36_progress_lies_outside_the_chain_and_holds_it_together() {
    let mut text = String::new();
    let mut parent = "-".to_string();
    for at in 0..40 {
        let uuid = format!("m{at}");
        text += &match at % 2 {
            0 => user(&uuid, &parent, "t"),
            _ => answer(&uuid, &parent, &uuid, &self::text("t")),
        };
        parent = uuid;
        for tick in 0..120 {
            let uuid = format!("p{at}-{tick}");
            text += &line("progress", &uuid, &parent, "\"data\":{}");
            parent = uuid;
        }
    }
    let found = sequence(text.as_bytes());
    assert_eq!(found.len(), 40);
    assert_eq!(dropped(&text), [""; 0]);
}

/// However much stands before it, so much is read as the boundary needs.
#[test]
fn what_stands_before_the_boundary_is_not_read() {
    let talk = user("1", "-", &"x".repeat(900));
    let boundary = line(
        "system",
        "b",
        "-",
        "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"1\"",
    );
    let rest = [
        user("s", "b", "SUMMARY"),
        answer("2", "s", "m", &text("end")),
    ]
    .concat();
    let made = Made::of(&[(&talk, 70_000), (&boundary, 1), (&rest, 1)]);
    let chain = Chain::read(&made, made.length()).unwrap();
    let texts: Vec<_> = chain
        .messages
        .iter()
        .map(|sent| chain.text(&made, sent).unwrap())
        .collect();
    assert_eq!(texts, ["SUMMARY", "end"]);
    assert!(
        made.read.get() < 3 * 1024 * 1024,
        "{} of {}",
        made.read.get(),
        made.length()
    );
}

#[test]
#[ignore = "two GiB are read: by hand"]
fn tr25_a_transcript_of_two_gib_is_sent_line_by_line() {
    let talk = user("1", "-", &"x".repeat(1_048_000));
    let made = Made::of(&[(&talk, 2_048), (&answer("2", "1", "m", &text("end")), 1)]);
    let chain = Chain::read(&made, made.length()).unwrap();
    assert_eq!(chain.graph.repeated, 2_047);
    let last = chain.messages.last().expect("a message");
    assert_eq!(chain.text(&made, last).unwrap(), "end");
}

#[test]
fn tr01_half_of_a_surrogate_pair_is_shown_and_sent_as_a_replacement() {
    let found = sequence(fixture("TR01/session.jsonl").as_bytes());
    assert_eq!(found[1], "a:cut here \u{FFFD}…");
    assert_eq!(found.len(), 4);
}

#[test]
fn tr02_other_line_breaks_end_no_line() {
    let found = sequence(fixture("TR02/session.jsonl").as_bytes());
    assert_eq!(
        found[..3],
        ["u:a", "a:x\u{2028}y\u{2029}z\u{85}w\u{b}v", "u:c"]
    );
}

#[test]
fn tr03_a_torn_last_record_is_told_and_stops_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let bytes = std::fs::read(format!("{folder}/TR03/session.jsonl")).unwrap();
    assert_eq!(sequence(&bytes), ["u:a", "a:b"]);
    let chain = Chain::read(&bytes[..], bytes.len() as u64).unwrap();
    let torn = chain.graph.incomplete.clone().expect("the last line");
    assert_eq!(torn, bytes.len() as u64 - 64..bytes.len() as u64);
    // Once it is written to its end it is a line like others.
    let whole = [&bytes[..], "\u{8c}\"},\"parentUuid\":null}\n".as_bytes()].concat();
    let chain = Chain::read(&whole[..], whole.len() as u64).unwrap();
    assert_eq!(chain.graph.incomplete, None);
}

#[test]
fn tr04_a_bad_line_stops_nothing_and_is_not_sent() {
    let text = fixture("TR04/session.jsonl");
    assert_eq!(sequence(text.as_bytes()), ["u:a", "a:b", "u:e", "a:f"]);
    let id = |last: &str| format!("00000000-0000-4000-8000-00000000000{last}");
    let glued = "shares its line with another object";
    let wanted = [
        format!("{} {glued}", id("3")),
        format!("{} {glued}", id("4")),
        "– unreadable line".to_string(),
    ];
    assert_eq!(dropped(&text), wanted);
}

#[test]
fn tr10_a_boundary_whose_past_is_elsewhere_is_the_beginning() {
    let text = fixture("TR10/session.jsonl");
    assert_eq!(
        sequence(text.as_bytes()),
        ["u:Summary of earlier work: nest map done.", "a:ok"]
    );
    let chain = Chain::read(text.as_bytes(), text.len() as u64).unwrap();
    assert!(
        chain
            .graph
            .boundary
            .expect("a boundary")
            .is_earlier_elsewhere
    );
}

#[test]
fn tr11_a_resume_begins_at_the_last_boundary_whatever_it_says() {
    let text = fixture("TR11/session.jsonl");
    assert_eq!(
        sequence(text.as_bytes()),
        ["u:e", "a:No response requested."]
    );
    let chain = Chain::read(text.as_bytes(), text.len() as u64).unwrap();
    assert!(
        !chain
            .graph
            .boundary
            .expect("a boundary")
            .is_earlier_elsewhere
    );
}

#[test]
fn tr13_a_text_beside_the_path_is_not_sent() {
    let text = fixture("TR13/session.jsonl");
    let wanted = [
        "u:go",
        "a:[tool use: Skill]",
        "u:[tool result] Launching skill",
        "a:counted",
    ];
    assert_eq!(sequence(text.as_bytes()), wanted);
    assert_eq!(
        dropped(&text),
        ["00000000-0000-4000-8000-000000000004 side branch"]
    );
}

#[test]
fn tr16_snapshots_are_no_nodes() {
    let text = fixture("TR16/session.jsonl");
    assert_eq!(sequence(text.as_bytes()), ["u:a", "a:b", "u:c", "a:d"]);
    let chain = Chain::read(text.as_bytes(), text.len() as u64).unwrap();
    assert_eq!((chain.graph.nodes.len(), chain.graph.repeated), (4, 0));
}

#[test]
fn tr26_a_picture_is_named_and_never_drawn() {
    let head = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#;
    let made = Made::of(&[
        (head, 1),
        ("QUJD", 4 * 1024 * 1024),
        ("\"}}]}}\n", 1),
        (&answer("u2", "u1", "m", &text("a heron")), 1),
    ]);
    let chain = Chain::read(&made, made.length()).unwrap();
    let texts: Vec<_> = chain
        .messages
        .iter()
        .map(|sent| chain.text(&made, sent).unwrap())
        .collect();
    assert_eq!(texts, ["[image png, ~12 MB]", "a heron"]);
}

#[test]
fn tr30_all_results_of_a_message_are_told() {
    let found = sequence(fixture("TR30/session.jsonl").as_bytes());
    assert_eq!(
        found[2],
        "u:[tool result] plain\\n[tool error] arr\\n[tool result] (empty)"
    );
}
