use serde_json::{Value, json};

use super::*;
use crate::transcript::made_for_tests::Made;

fn of(text: &str) -> Digest {
    let (digest, read) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    assert_eq!(read, text.len() as u64);
    digest
}

fn fixture(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let bytes = std::fs::read(format!("{folder}/{path}")).expect(path);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn lines(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

fn user(uuid: &str, content: impl Into<Value>) -> Value {
    json!({"type": "user", "uuid": uuid, "timestamp": format!("2031-03-04T05:00:{uuid}.000Z"),
        "message": {"role": "user", "content": content.into()}})
}

fn answer(uuid: &str, id: &str, content: &Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "timestamp": format!("2031-03-04T05:00:{uuid}.000Z"), "requestId": id,
        "message": {"id": id, "role": "assistant", "model": "m", "content": content,
            "usage": {"input_tokens": 3, "output_tokens": 4}}})
}

fn tool(id: &str, name: &str, path: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": {"file_path": path}})
}

fn result(id: &str, is_error: bool) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": is_error})
}

#[test]
fn a_session_is_named_by_a_person_else_the_client_else_its_first_prompt() {
    let prompt = user("01", "  make it\n  fast ");
    let ai = json!({"type": "ai-title", "aiTitle": "Faster start", "sessionId": "s"});
    let own = json!({"type": "custom-title", "customTitle": "Speed", "sessionId": "s"});
    assert_eq!(
        of(&lines(std::slice::from_ref(&prompt))).title(),
        Some("make it fast")
    );
    assert_eq!(
        of(&lines(&[prompt.clone(), ai.clone()])).title(),
        Some("Faster start")
    );
    assert_eq!(of(&lines(&[own, prompt, ai])).title(), Some("Speed"));
    assert_eq!(of("").title(), None);
}

/// The summaries of older clients stand in files of other sessions.
#[test]
fn a_summary_names_the_session_whose_last_line_it_names() {
    let summary =
        |of: &str| json!({"type": "summary", "summary": format!("about {of}"), "leafUuid": of});
    let talk = [user("01", "q"), answer("02", "a", &json!([]))];
    let with = |before: &[Value], behind: &[Value]| {
        let digest = of(&lines(&[before, &talk, behind].concat()));
        digest.title().map(str::to_string)
    };
    assert_eq!(with(&[summary("77")], &[]).as_deref(), Some("q"));
    assert_eq!(
        with(&[summary("77"), summary("02")], &[]).as_deref(),
        Some("about 02")
    );
    assert_eq!(with(&[], &[summary("02")]).as_deref(), Some("about 02"));
    assert_eq!(with(&[], &[summary("77")]).as_deref(), Some("q"));
}

#[test]
fn tr24_a_session_without_a_cwd_at_first_is_known() {
    let digest = of(&fixture("TR24/session.jsonl"));
    assert_eq!(digest.cwd.as_deref(), Some("/srv/demo/heron"));
    assert_eq!(digest.title(), Some("Counting nests"));
    assert_eq!((digest.messages, digest.prompts), (2, 1));
    assert_eq!(digest.first.as_deref(), Some("2031-03-04T05:00:00.000Z"));
    assert_eq!(digest.last.as_deref(), Some("2031-03-04T05:00:02.000Z"));
}

#[test]
fn tr23_a_session_of_a_program_is_told_by_its_entrypoint() {
    let (sdk, own) = (fixture("TR23/sdk.jsonl"), fixture("TR23/interactive.jsonl"));
    let (sdk, own) = (of(&sdk), of(&own));
    assert_eq!(
        (sdk.by_program, sdk.entrypoint.as_deref()),
        (true, Some("sdk-py"))
    );
    assert_eq!(
        (own.by_program, own.entrypoint.as_deref()),
        (false, Some("cli"))
    );
}

#[test]
fn tr19_an_answer_on_three_lines_is_one_message_and_a_failed_call_none() {
    let digest = of(&fixture("TR19/session.jsonl"));
    assert_eq!((digest.messages, digest.prompts), (2, 1));
    assert_eq!(digest.model.as_deref(), Some("demo-1"));
}

#[test]
fn tr04_what_stands_behind_a_bad_line_is_read() {
    let digest = of(&fixture("TR04/session.jsonl"));
    assert_eq!(digest.unreadable, 1);
    let whole = fixture("TR04/session.jsonl");
    let last = whole.lines().last().expect("a line");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(digest.last.as_deref(), last["timestamp"].as_str());
}

/// TR03: a line that is being written is read when it is whole.
#[test]
fn tr03_a_torn_line_waits_and_one_that_lacks_its_line_feed_counts() {
    let text = fixture("TR03/session.jsonl");
    let (digest, read) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    let whole = text.rfind('\n').expect("a line") + 1;
    assert_eq!((read, digest.unreadable), (whole as u64, 0));
    let text = lines(&[user("01", "q")]) + &user("02", "r").to_string();
    assert_eq!(of(&text).prompts, 2);
}

/// In whatever steps a file is read, what comes out is the same.
#[test]
fn reading_goes_on_where_it_ended() {
    for path in [
        "TR19/session.jsonl",
        "TR20/fork.jsonl",
        "oracle/transcripts/compacted_resumed_2.1.332.jsonl",
    ] {
        let text = fixture(path);
        let whole = of(&text);
        for cut in (0..text.len()).step_by(997) {
            let (mut digest, read) = Digest::read(text.as_bytes(), cut as u64).expect("memory");
            // As it is kept meanwhile.
            let kept = serde_json::to_vec(&digest).expect("JSON");
            assert_eq!(
                serde_json::from_slice::<Digest>(&kept).expect("a digest"),
                digest
            );
            digest
                .read_on(text.as_bytes(), read..text.len() as u64, |_| true)
                .expect("memory");
            assert_eq!(digest, whole, "{path} at {cut}");
        }
    }
}

#[test]
fn what_read_and_wrote_a_file_is_told_with_its_turn_and_line() {
    let text = lines(&[
        user("01", "what do we know of \"file_path\": \"/m/fake.md\"?"),
        answer(
            "02",
            "a",
            &json!([
                tool("t1", "Read", "/m/one.md"),
                tool("t2", "Read", "/m/gone.md")
            ]),
        ),
        user("03", json!([result("t1", false)])),
        user("04", json!([result("t2", true)])),
        user("05", "note it"),
        answer(
            "06",
            "b",
            &json!([
                tool("t3", "Write", "/m/two.md"),
                tool("t4", "Bash", "/m/no.md"),
                tool("t5", "Read", "/m/x.rs")
            ]),
        ),
        user("07", json!([result("t3", false)])),
        json!({"type": "attachment", "uuid": "08", "timestamp": "2031-03-04T05:00:08.000Z",
            "attachment": {"type": "relevant_memories", "memories": [{"path": "/m/one.md", "content": "c"}, {"path": "/m/é.md"}]}}),
        json!({"type": "attachment", "uuid": "09", "attachment": {"type": "file", "filename": "/m/two.md", "content": {"type": "text"}}}),
        json!({"type": "attachment", "uuid": "10", "attachment": {"type": "todo", "filename": "/m/no.md"}}),
        answer("11", "c", &json!([tool("t6", "Edit", "/m/one.md")])),
    ]);
    let digest = of(&text);
    let found: Vec<_> = digest
        .touches
        .iter()
        .map(|touch| (&*touch.path, touch.how, touch.turn, &*touch.uuid))
        .collect();
    let wanted = [
        ("/m/one.md", How::Read, 1, "02"),
        ("/m/two.md", How::Write, 2, "06"),
        ("/m/one.md", How::Recalled, 2, "08"),
        ("/m/é.md", How::Recalled, 2, "08"),
        ("/m/two.md", How::Attached, 2, "09"),
        ("/m/one.md", How::Edit, 2, "11"),
    ];
    assert_eq!(found, wanted);
    for touch in &digest.touches {
        let line = text[usize::try_from(touch.at).expect("small")..]
            .lines()
            .next();
        assert!(
            line.expect("a line")
                .contains(&format!("\"uuid\":\"{}\"", touch.uuid))
        );
    }
    assert_eq!((digest.prompts, digest.messages), (2, 5));
}

/// The transcripts that the reference client wrote.
#[test]
fn the_clients_own_transcript_tells_reads_and_instructions() {
    let digest = of(&fixture(
        "oracle/transcripts/compacted_resumed_2.1.332.jsonl",
    ));
    let memory = "/home/u/.claude/projects/-srv-proj/memory";
    let found: Vec<_> = digest
        .touches
        .iter()
        .map(|touch| {
            (
                touch.path.strip_prefix(memory).expect("a memory"),
                touch.how,
                touch.turn,
            )
        })
        .collect();
    let wanted = [
        ("/one.md", How::Read, 1),
        ("/two.md", How::Write, 1),
        ("/two.md", How::Attached, 2),
        ("/one.md", How::Attached, 2),
    ];
    assert_eq!(found, wanted);
    let loaded: Vec<_> = digest
        .loaded
        .iter()
        .map(|loaded| (loaded.turn, loaded.files.len()))
        .collect();
    assert_eq!(loaded, [(1, 2), (3, 2)]);
    let index = &digest.loaded[0].files[1];
    assert_eq!(
        (&*index.layer, index.bytes),
        ("AutoMem", "- [One](one.md) — first".len() as u64)
    );
    let hash = crate::store::sha256("- [One](one.md) — first".as_bytes());
    assert_eq!(index.sha256.as_deref(), Some(&*hash));
    assert_eq!(digest.title(), Some("first prompt"));
    assert!(digest.by_program);
    assert_eq!(
        (digest.prompts, digest.version.as_deref()),
        (3, Some("2.1.332"))
    );
    assert_eq!(digest.model.as_deref(), Some("claude-opus-5-5"));
}

#[test]
fn side_chains_count_in_their_own_file_only() {
    let aside = |mut line: Value| {
        line["isSidechain"] = json!(true);
        line
    };
    let inner = [
        aside(user("05", "look")),
        aside(answer("06", "z", &json!([]))),
    ];
    let own = of(&lines(&inner));
    assert_eq!((own.messages, own.title()), (2, Some("look")));
    let both = of(&lines(&[&[user("01", "q")], &inner[..]].concat()));
    assert_eq!(
        (both.messages, both.title(), both.bills.all().len()),
        (1, Some("q"), 1)
    );
}

const BIG_HEAD: &str = r#"{"type":"user","uuid":"u2","cwd":"/srv/p","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#;
const BIG_TAIL: &str = "\"}}]}}\n";

/// One line of so many bytes between two short ones (TR26).
fn with_a_long_line(bytes: u64) {
    let made = Made::of(&[
        (
            "{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"content\":\"first\"}}\n",
            1,
        ),
        (BIG_HEAD, 1),
        ("QUJD", bytes / 4),
        (BIG_TAIL, 1),
        (
            "{\"type\":\"user\",\"uuid\":\"u3\",\"message\":{\"content\":\"last\"}}\n",
            1,
        ),
    ]);
    let (digest, read) = Digest::read(&made, made.length()).expect("memory");
    assert_eq!(
        (read, made.read.get()),
        (made.length(), made.length()),
        "each byte once"
    );
    assert_eq!((digest.prompts, digest.title()), (3, Some("first")));
    assert_eq!(
        (digest.cwd.as_deref(), digest.unreadable),
        (Some("/srv/p"), 0)
    );
}

/// A session of so many bytes, in lines of 1 MiB (TR25).
fn long_session(bytes: u64) {
    let line = format!(
        "{{\"type\":\"user\",\"uuid\":\"u\",\"message\":{{\"content\":\"{}\"}}}}\n",
        "x".repeat(1_048_000)
    );
    let times = bytes / line.len() as u64;
    let made = Made::of(&[(&line, times)]);
    let (digest, read) = Digest::read(&made, made.length()).expect("memory");
    assert_eq!(
        (read, made.read.get()),
        (made.length(), made.length()),
        "each byte once"
    );
    assert_eq!(u64::from(digest.prompts), times);
    let prompt = digest.prompt.expect("a prompt");
    assert_eq!(prompt.chars().count(), PROMPT_CHARS);
    assert!(prompt.ends_with("x…"), "{prompt}");
}

#[test]
fn tr25_tr26_64_mib_are_read_once_in_one_line_and_in_many() {
    with_a_long_line(64 * 1024 * 1024);
    long_session(64 * 1024 * 1024);
}

#[test]
#[ignore = "two GiB are read: by hand"]
fn tr25_two_gib_are_read_once() {
    long_session(2 * 1024 * 1024 * 1024);
}

#[test]
#[ignore = "120 MB are read: by hand"]
fn tr26_a_line_of_120_mb_is_read_once() {
    with_a_long_line(120_000_000);
}
