use super::*;
use crate::transcript::message::{Block, Role, Usage};

fn entry(line: &str) -> Entry<'_> {
    Entry::of_line(line.as_bytes()).expect("an entry")
}

fn text(text: Option<Text<'_>>) -> Option<String> {
    text.map(|text| text.read().into_owned())
}

#[test]
fn a_line_is_read_with_its_message() {
    let line = r#"{"parentUuid":"p","isSidechain":true,"type":"assistant","message":{"id":"m","role":"assistant","model":"demo-1",
        "content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"t"},{"type":"tool_use","id":"t1","name":"Read","input":{"content":"x"}},{"type":"new"}],
        "usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}}},
        "uuid":"u","sessionId":"s","requestId":"r","isMeta":true,"cwd":"/srv"}"#;
    let entry = entry(line);
    assert_eq!(entry.kind, Kind::Assistant);
    assert!(entry.is_sidechain && entry.is_meta && !entry.is_summary);
    let texts = [
        entry.uuid,
        entry.parent,
        entry.session,
        entry.request,
        entry.cwd,
    ]
    .map(text);
    assert_eq!(
        texts,
        ["u", "p", "s", "r", "/srv"].map(|word| Some(word.to_string()))
    );
    let message = &entry.message;
    assert_eq!(
        (text(message.id), text(message.model)),
        (Some("m".into()), Some("demo-1".into()))
    );
    assert_eq!(message.role, Some(Role::Assistant));
    let [thinking, said, used, other] = &message.blocks[..] else {
        panic!("{:?}", message.blocks);
    };
    assert!(thinking.is_thinking() && said.is_text());
    assert!(
        matches!(used, Block::ToolUse { id: Some(id), name: Some(name), .. } if id.is("t1") && name.is("Read"))
    );
    assert!(matches!(other, Block::Other(Some(kind)) if kind.is("new")));
    let usage = Usage {
        input: 1,
        output: 2,
        cache_read: 3,
        cache_creation: 9,
        cache_creation_1h: 5,
    };
    assert_eq!(message.usage, Some(usage));
}

/// Whatever a field holds that it should not, the line is read.
#[test]
fn fields_of_another_type_are_nothing() {
    let entry = entry(
        r#"{"type":7,"uuid":null,"isMeta":"true","message":{"content":{"a":1},"usage":[]},"cwd":{"cwd":"/x"}}"#,
    );
    assert_eq!(entry.kind, Kind::Other);
    assert_eq!(
        (entry.uuid, entry.cwd, entry.message.usage),
        (None, None, None)
    );
    assert!(!entry.is_meta && entry.message.blocks.is_empty());
    for plain in ["7", "[]", "null", "\"x\""] {
        assert_eq!(
            Entry::of_line(plain.as_bytes()).expect("JSON").kind,
            Kind::Other
        );
    }
}

/// TR04: two objects that were written without a line feed between them.
#[test]
fn tr04_glued_objects_are_two() {
    let line = br#"{"type":"user","uuid":"a"}{"type":"assistant","uuid":"b"}"#;
    assert!(Entry::of_line(line).is_err());
    let all = Entry::all_of_line(line).expect("both");
    let uuids: Vec<_> = all.iter().map(|entry| text(entry.uuid)).collect();
    assert_eq!(uuids, [Some("a".to_string()), Some("b".to_string())]);
    assert!(Entry::all_of_line(br#"{"uuid":"a"}{"uuid""#).is_err());
}

/// TR27: the same picture beside the message is no second picture.
#[test]
fn tr27_a_picture_is_one_though_stored_twice() {
    let lines = include_str!("../../tests/fixtures/TR27/session.jsonl");
    let line = entry(lines.lines().nth(2).expect("the result"));
    let [Block::ToolResult { content, .. }] = &line.message.blocks[..] else {
        panic!("{:?}", line.message.blocks);
    };
    assert!(matches!(&content[..], [Block::Picture { .. }]));
    assert!(line.is_stored_twice);
    assert!(!entry(lines.lines().next().expect("the prompt")).is_stored_twice);
}

/// TR30: every result of a message is read, with its mark.
#[test]
fn tr30_all_results_of_a_message_are_read() {
    let lines = include_str!("../../tests/fixtures/TR30/session.jsonl");
    let line = entry(lines.lines().nth(2).expect("the results"));
    let found = line.message.blocks.iter().map(|block| match block {
        Block::ToolResult {
            of,
            is_error,
            content,
            ..
        } => (text(*of).expect("an id"), *is_error, content.len()),
        other => panic!("{other:?}"),
    });
    let wanted = [("t0", false, 1), ("t1", true, 1), ("t2", false, 0)];
    let found: Vec<_> = found.collect();
    assert_eq!(
        found,
        wanted.map(|(id, error, parts)| (id.to_string(), error, parts))
    );
}
