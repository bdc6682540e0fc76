use serde_json::json;

use super::*;
use crate::context::request::Role;

const DAY: i64 = 24 * 60 * 60;
const PATH: &str = "/m/deploy.md";

fn now() -> Moment {
    Moment::from_seconds(100 * DAY)
}

fn shown(bytes: &[u8], seconds_ago: i64) -> String {
    let modified = Moment::from_seconds(100 * DAY - seconds_ago);
    let pieces = pieces(Path::new(PATH), bytes, Some(modified), now());
    pieces
        .iter()
        .map(|piece| piece.shown().into_owned())
        .collect()
}

#[test]
fn the_header_tells_the_age_in_words_and_warns_from_two_days_on() {
    for (seconds, said, warns) in [
        (0, "A memory, /m/deploy.md, saved today\n", false),
        (DAY - 1, "A memory, /m/deploy.md, saved today\n", false),
        (DAY, "A memory, /m/deploy.md, saved yesterday\n", false),
        (2 * DAY, "A memory, /m/deploy.md, saved 2 days ago\n", true),
        (
            47 * DAY,
            "A memory, /m/deploy.md, saved 47 days ago\n",
            true,
        ),
        (-1, "A memory, /m/deploy.md\n", false),
    ] {
        let text = shown(b"body", seconds);
        assert!(text.starts_with(said), "{text}");
        assert_eq!(text.contains("observation of its time"), warns, "{text}");
        assert!(text.ends_with("\nbody"), "{text}");
    }
    let unknown = pieces(Path::new(PATH), b"body", None, now());
    assert_eq!(unknown[0].shown(), "A memory, /m/deploy.md\n");
}

#[test]
fn the_names_of_links_stand_in_the_header_and_those_in_code_do_not() {
    let text = shown(
        b"---\nname: d\n---\nSee [[a]], [[b|the b]], [[a]] and `[[c]]`, [[\n]].",
        0,
    );
    assert!(text.contains(". It links to: a, b\n"), "{text}");
}

#[test]
fn a_long_memory_is_cut_between_characters_and_says_where_the_rest_is() {
    let wide = "数".repeat(2_000);
    let pieces = pieces(Path::new(PATH), wide.as_bytes(), None, now());
    let text = &pieces[2];
    assert_eq!((text.kind, text.shown().len()), (Kind::Recalled, 4_095));
    assert_eq!(
        pieces[3].shown(),
        "\n[Cut here: the file has 1 lines, 6000 bytes. Read has the rest: /m/deploy.md]"
    );
    let lines = "x\n".repeat(201);
    let many = shown(lines.as_bytes(), 0);
    assert_eq!(many.matches("x\n").count(), 200);
    assert!(many.contains("the file has 201 lines, 402 bytes"));
    let just = "x\n".repeat(200);
    assert!(!shown(just.as_bytes(), 0).contains("Cut here"));
}

fn said(role: Role, content: Content, at: i64) -> Entry {
    Entry::Said {
        role,
        blocks: vec![Block::new(content)],
        time: Moment::from_seconds(at),
    }
}

fn attached() -> Entry {
    Entry::Attached {
        pieces: pieces(Path::new(PATH), b"body", None, now()),
        time: now(),
    }
}

fn read_entries(is_error: bool, at: i64) -> [Entry; 2] {
    let input = json!({"file_path": "/m/read.md"});
    let call = Content::ToolUse {
        id: "t1".to_string(),
        name: "Read".to_string(),
        input,
    };
    let result = Content::ToolResult {
        id: "t1".to_string(),
        result: Piece::new(Kind::ToolResult, Origin::Conversation, "1\ttext"),
        is_error,
    };
    [
        said(Role::Assistant, call, at),
        said(Role::User, result, at),
    ]
}

#[test]
fn what_a_conversation_holds_is_found_by_its_parts() {
    let time = now().seconds;
    let mut entries = vec![attached()];
    entries.extend(read_entries(false, time));
    let found = held(&entries, now());
    assert_eq!(found.bytes, 4);
    assert_eq!(
        found.why(Path::new(PATH)),
        Some("it is in the conversation already")
    );
    assert_eq!(
        found.why(Path::new("/m/read.md")),
        Some("a tool has read it")
    );
    assert_eq!(found.why(Path::new("/m/other.md")), None);
    assert_eq!(held(&read_entries(true, time), now()), Held::default());
    // A text that only names a memory is none.
    let words = Piece::new(Kind::Prompt, Origin::Conversation, "A memory, /m/deploy.md");
    let prompt = said(Role::User, Content::Text(vec![words]), time);
    assert_eq!(held(&[prompt], now()), Held::default());
}

#[test]
fn a_compaction_lets_it_come_again() {
    let summary = Piece::new(Kind::Summary, Origin::Ours, "summary");
    let boundary = Entry::Boundary {
        summary,
        kept: 0,
        time: now(),
    };
    assert_eq!(held(&[attached(), boundary], now()), Held::default());
}
