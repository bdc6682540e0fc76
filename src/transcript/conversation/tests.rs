use std::path::Path;

use super::*;
use crate::transcript::made_for_tests::Made;
use crate::transcript::source::Source;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(path.join(name)).unwrap()
}

/// An item in a word or two.
fn told(item: &Item) -> String {
    let side = match item.side {
        Side::Main => "",
        Side::Branch => "(branch) ",
        Side::Agent => "(agent) ",
    };
    let said = match &item.said {
        Said::Prompt(text) => format!("prompt {}", text.text),
        Said::Command(_) => "command".to_string(),
        Said::Answer(text) => format!("answer {}", text.text),
        Said::Thinking(_) => "thinking".to_string(),
        Said::Tool(tool) => {
            let result = tool.result.as_ref().map(|result| {
                let mut parts: Vec<&str> = result.texts.iter().map(|it| &*it.text).collect();
                parts.extend(result.others.iter().map(|it| &**it));
                let error = if result.is_error { "error " } else { "" };
                format!(" -> {error}{}", parts.join("|").replace('\n', "/"))
            });
            let result = result.unwrap_or_default();
            format!("{} {}{result}", tool.name, tool.about)
        }
        Said::Picture(name) => name.clone(),
        Said::Boundary(it) => format!("--- {} {:?}", it.trigger, it.is_earlier_elsewhere),
        Said::Summary(_) => "summary".to_string(),
        Said::Instructions { files, .. } => format!("instructions {}", files.len()),
        Said::Files { kind, paths, .. } => format!("{kind} {}", paths.join(" ")),
        Said::Attached { kind, .. } => format!("attached {kind}"),
        Said::Reminder(text) => format!("reminder {}", text.text),
        Said::Notice { kind, .. } => format!("notice {kind}"),
        Said::Missing(blocks) => format!("missing {blocks}"),
        Said::Repeated => "repeated".to_string(),
        Said::Unreadable(bytes) => format!("unreadable {bytes}"),
        Said::Incomplete(bytes) => format!("incomplete {bytes}"),
    };
    format!("{side}{said}").chars().take(100).collect()
}

/// All pages from the last to the first, in the order of the file.
fn all(bytes: &[u8]) -> Vec<String> {
    let mut page = last(bytes, bytes.len() as u64).unwrap();
    let mut lines: Vec<String> = page.items.iter().map(told).collect();
    while page.has_before() {
        page = before(bytes, &page).unwrap();
        let mut more: Vec<String> = page.items.iter().map(told).collect();
        more.append(&mut lines);
        lines = more;
    }
    lines
}

/// The same, forwards.
fn all_forwards(bytes: &[u8]) -> Vec<String> {
    let end = bytes.len() as u64;
    let mut page = first(bytes, end).unwrap();
    let mut lines: Vec<String> = page.items.iter().map(told).collect();
    while page.has_after() {
        page = after(bytes, &page, end).unwrap();
        lines.extend(page.items.iter().map(told));
    }
    lines
}

#[track_caller]
fn reads(name: &str, wanted: &[&str]) {
    let bytes = fixture(name);
    assert_eq!(all(&bytes), wanted);
    assert_eq!(all_forwards(&bytes), wanted);
}

#[test]
fn tr01_a_lone_surrogate_is_shown_as_a_replacement() {
    let lines = all(&fixture("TR01/session.jsonl")).join("\n");
    assert!(lines.contains('\u{fffd}'), "{lines}");
}

#[test]
fn tr02_only_a_line_feed_ends_a_line() {
    assert_eq!(all(&fixture("TR02/session.jsonl")).len(), 3);
}

#[test]
fn tr03_a_last_line_that_is_cut_off_is_told() {
    let lines = all(&fixture("TR03/session.jsonl"));
    assert_eq!(lines.last().map(String::as_str), Some("incomplete 64"));
    assert!(lines.len() > 1);
}

#[test]
fn tr04_bad_lines_hide_nothing_and_glued_objects_are_shown() {
    let lines = all(&fixture("TR04/session.jsonl"));
    let said: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(said, ["a", "b", "c", "d", "e", "38", "f"], "{lines:?}");
    assert_eq!(lines[5], "unreadable 38");
}

#[test]
fn tr10_an_earlier_part_that_is_elsewhere_is_told() {
    let lines = all(&fixture("TR10/session.jsonl"));
    assert!(
        lines[0].starts_with("---") && lines[0].ends_with("true"),
        "{lines:?}"
    );
    assert_eq!(lines[1], "summary");
}

#[test]
fn tr11_nothing_before_a_boundary_is_a_dead_branch() {
    let lines = all(&fixture("TR11/session.jsonl"));
    assert!(
        lines.iter().all(|line| !line.contains("(branch)")),
        "{lines:?}"
    );
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("---")).count(),
        2
    );
    assert_eq!(lines, all_forwards(&fixture("TR11/session.jsonl")));
}

#[test]
fn tr13_an_injected_text_beside_the_way_is_shown_and_marked() {
    let lines = all(&fixture("TR13/session.jsonl"));
    let at = lines.iter().position(|line| line.starts_with("reminder "));
    assert!(at.is_some_and(|at| at + 1 < lines.len()), "{lines:?}");
}

#[test]
fn tr16_snapshots_are_nothing_in_it() {
    let lines = all(&fixture("TR16/session.jsonl"));
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("(branch)")));
}

#[test]
fn tr19_an_answer_on_three_lines_is_shown_block_by_block_and_the_failed_call_too() {
    reads(
        "TR19/session.jsonl",
        &[
            "prompt q",
            "thinking",
            "answer t",
            "Bash x -> y",
            "answer API Error",
        ],
    );
}

#[test]
fn tr27_a_picture_that_is_stored_twice_is_one_chip_that_says_so() {
    reads(
        "TR27/session.jsonl",
        &[
            "prompt look",
            "Read /srv/demo/heron/a.png -> [image png, ~150 bytes]|stored twice, sent once",
        ],
    );
}

/// TR36: lines of progress are none of what was said, and the first screen does not wait for them.
#[test]
fn tr36_progress_is_nothing_in_it_and_costs_no_more_than_its_bytes() {
    let mut text = String::new();
    let mut parent: Option<String> = None;
    for at in 0..500 {
        let uuid = format!("m{at}");
        text += &line(&uuid, parent.as_deref(), "t");
        parent = Some(uuid);
        for tick in 0..120 {
            let uuid = format!("p{at}-{tick}");
            let parent = parent.replace(uuid.clone()).unwrap_or_default();
            text += &serde_json::json!({
                "type": "progress", "uuid": uuid, "parentUuid": parent, "data": {"tick": tick},
            })
            .to_string();
            text.push('\n');
        }
    }
    assert_eq!(all(text.as_bytes()), vec!["prompt t"; 500]);
    let made = Made::of(&[(&text, 10)]);
    last(&made, made.length()).unwrap();
    let read = made.read.get();
    assert!(read < 4 << 20, "{read} bytes were read");
}

#[test]
fn tr30_each_result_closes_its_tool() {
    let lines = all(&fixture("TR30/session.jsonl"));
    let tools: Vec<&String> = lines.iter().filter(|line| line.contains(" -> ")).collect();
    assert_eq!(tools.len(), 3, "{lines:?}");
    assert!(
        tools.iter().any(|line| line.contains("-> error")),
        "{lines:?}"
    );
}

#[test]
fn a_session_with_a_compaction_is_read_from_both_its_halves() {
    reads(
        "oracle/transcripts/compacted_resumed_2.1.112.jsonl",
        &[
            "prompt first prompt",
            "attached skill_listing",
            "answer I read",
            "Read /srv/proj/a.txt -> 1\talpha/2\tbeta/3\t",
            "Bash echo hi; exit 3 -> error Exit code 3/hi",
            "Read /home/u/.claude/projects/-srv-proj/memory/one.md -> 1\t---/2\tname: one/3\tdescription: d/4\tmetada",
            "Write /home/u/.claude/projects/-srv-proj/memory/two.md -> File created successfully at: /home/u/.cla",
            "answer answer one",
            "prompt second prompt",
            "answer answer two",
            "--- manual false",
            "summary",
            "reminder <local-command-caveat>Caveat: The messages below were generated by the user while running l",
            "command",
            "command",
            "file /home/u/.claude/projects/-srv-proj/memory/two.md",
            "file /home/u/.claude/projects/-srv-proj/memory/one.md",
            "file /srv/proj/a.txt",
            "answer No response requested.",
            "prompt third prompt",
            "attached skill_listing",
            "answer answer three",
        ],
    );
}

fn line(uuid: &str, parent: Option<&str>, text: &str) -> String {
    let parent = parent.map_or("null".to_string(), |parent| format!("\"{parent}\""));
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent},\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
    )
}

#[test]
fn what_was_taken_back_is_a_branch_also_far_above() {
    let mut text = line("a", None, "a") + &line("b", Some("a"), "b");
    let filler = "x".repeat(8_000);
    let mut parent = "b".to_string();
    for number in 0..300 {
        let uuid = format!("f{number}");
        text += &line(&uuid, Some(&parent), &filler);
        parent = uuid;
    }
    text += &line("c", Some("a"), "c");
    text += &line("d", Some("c"), "d");
    let page = last(text.as_bytes(), text.len() as u64).unwrap();
    assert!(page.has_before(), "it is longer than a page");
    assert_eq!(page.up, Up::Line("a".to_string()));
    let lines = all(text.as_bytes());
    let own: Vec<&String> = lines
        .iter()
        .filter(|it| !it.starts_with("(branch)"))
        .collect();
    assert_eq!(own, ["prompt a", "prompt c", "prompt d"]);
    assert_eq!(lines.len(), 304);
    // A parent that is nowhere: the order of the file stands in.
    let text = line("a", None, "a") + &line("b", Some("gone"), "b") + &line("c", Some("b"), "c");
    assert_eq!(all(text.as_bytes()), ["prompt a", "prompt b", "prompt c"]);
    // Links in a circle end.
    let text = line("a", Some("b"), "a") + &line("b", Some("a"), "b");
    assert_eq!(all(text.as_bytes()), ["prompt a", "prompt b"]);
}

/// A long session costs a page to open, and a page more for each page that is read.
#[test]
fn the_first_screen_costs_a_page() {
    let text = line("a", None, &"word ".repeat(400));
    let made = Made::of(&[(&text, 400_000)]);
    assert!(made.length() > 800_000_000);
    let page = last(&made, made.length()).unwrap();
    assert!(!page.items.is_empty());
    let read = made.read.get();
    assert!(read < 4 << 20, "{read} bytes were read");
    before(&made, &page).unwrap();
    assert!(made.read.get() < 16 << 20);
    let middle = around(
        &made,
        made.length() / 2 / text.len() as u64 * text.len() as u64,
        made.length(),
    );
    assert!(!middle.unwrap().items.is_empty());
}

#[test]
fn a_long_text_is_cut_and_read_whole_when_asked_for() {
    let long = "0123456789".repeat(20_000);
    let text = line("a", None, &long);
    let bytes = text.as_bytes();
    let page = last(bytes, bytes.len() as u64).unwrap();
    let piece = page.items[0].pieces()[0].clone();
    assert_eq!((piece.bytes, piece.text.len()), (200_000, 32 * 1024));
    assert_eq!(piece.read(bytes).unwrap(), long);
}

#[test]
fn tr26_a_line_of_a_huge_picture_is_named_with_its_size() {
    let head = r#"{"type":"user","uuid":"a","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#;
    let made = Made::of(&[(head, 1), ("AAAA", 3 << 20), ("\"}}]}}\n", 1)]);
    let page = last(&made, made.length()).unwrap();
    assert_eq!(
        page.items.iter().map(told).collect::<Vec<_>>(),
        ["[image png, ~9 MB]"]
    );
    let mut byte = [0];
    assert_eq!(made.read_at(&mut byte, 0).unwrap(), 1);
}

#[test]
fn a_sub_agents_own_transcript_is_a_conversation() {
    let text = line("a", None, "a").replace("\"type\"", "\"isSidechain\":true,\"type\"");
    assert_eq!(all(text.as_bytes()), ["prompt a"]);
    let both = line("b", None, "b") + &text;
    assert_eq!(all(both.as_bytes()), ["prompt b", "(agent) prompt a"]);
}

fn spoke(uuid: &str, kind: &str, content: &str) -> String {
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"{uuid}\",\"message\":{{\"role\":\"{kind}\",\"content\":{content}}}}}\n"
    )
}

/// What is there twice is told once; where it says something else, that it does is told.
#[test]
fn a_line_that_is_there_again_is_told_where_it_differs() {
    let tool = r#"[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]"#;
    let result = r#"[{"type":"tool_result","tool_use_id":"t","content":"files"}]"#;
    let text = [
        spoke("a", "user", "\"one\""),
        spoke("b", "assistant", tool),
        spoke("c", "user", result),
        spoke("a", "user", "\"one\""),
        spoke("b", "assistant", tool),
        spoke("a", "user", "\"another\""),
    ]
    .concat();
    let told = all(text.as_bytes());
    assert_eq!(
        told,
        ["repeated", "(branch) Bash ls -> files", "prompt another"]
    );
}

/// Of a line that is too long to be held the blocks that are missing are counted.
#[test]
fn blocks_that_are_missing_are_counted() {
    for (count, block) in [
        (
            40_000_usize,
            r#"{"type":"text","text":"0123456789 0123456789 0123456789"}"#,
        ),
        (
            300,
            &format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(100_000)),
        ),
        (
            10_000,
            &format!(
                r#"{{"type":"tool_result","tool_use_id":"t","content":[{{"type":"text","text":"{}"}}]}}"#,
                "x".repeat(200)
            ),
        ),
    ] {
        let blocks = vec![block; count].join(",");
        let text = spoke("a", "user", &format!("[{blocks}]"));
        let page = last(text.as_bytes(), text.len() as u64).unwrap();
        let Some((Said::Missing(missing), held)) = page
            .items
            .split_last()
            .map(|(last, held)| (&last.said, held))
        else {
            panic!("{count}");
        };
        // Whichever is told is told whole.
        for item in held {
            let pieces = item.pieces();
            assert!(!pieces.is_empty(), "{:?}", item.said);
        }
        let results = |item: &Item| match &item.said {
            Said::Tool(tool) => tool.result.as_ref().map_or(0, |result| result.texts.len()),
            _ => 1,
        };
        let told: usize = held.iter().map(results).sum();
        assert_eq!(told + usize::try_from(*missing).unwrap(), count);
        assert!(told > 50, "{told}");
    }
}

/// The input of a tool, where its line is too long to be held, is read whole all the same.
#[test]
fn the_input_of_a_tool_is_read_whole() {
    for length in [10_usize, 50_000, 3_000_000] {
        let content = "x\\n".repeat(length / 3);
        let input = format!(r#"{{"file_path":"/a.md","content":"{content}","more":[1,2]}}"#);
        let tool = format!(r#"[{{"type":"tool_use","id":"t","name":"Write","input":{input}}}]"#);
        let text = spoke("a", "assistant", &tool);
        let page = last(text.as_bytes(), text.len() as u64).unwrap();
        let pieces = page.items[0].pieces();
        assert_eq!(pieces[0].bytes, input.len() as u64);
        let read = pieces[0].read(text.as_bytes()).unwrap();
        assert!(
            read == input,
            "{length}: {} {}",
            read.len(),
            &read[..200.min(read.len())]
        );
    }
}
