use super::*;

fn exported(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    let bytes = std::fs::read(&path).unwrap();
    let head = Head {
        title: Some("A title"),
        id: "s",
        path: &path,
    };
    let mut out = Vec::new();
    let source = &bytes[..];
    write(source, bytes.len() as u64, &head, &str::to_string, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn what_was_said_stands_as_it_is_and_tools_are_folded() {
    let text = exported("oracle/transcripts/compacted_resumed_2.1.112.jsonl");
    assert!(
        text.starts_with("# A title\n\nSession `s`\n\n## Prompt · 2026-11-30 01:06:"),
        "{text}"
    );
    for wanted in [
        "\n\nfirst prompt\n\n",
        "\n\nI read\n\n<details><summary>Read /srv/proj/a.txt</summary>\n",
        "<details><summary>Bash echo hi; exit 3 · error</summary>\n",
        "\n```text\nExit code 3\nhi\n```\n",
        "\n---\n\n*Compacted (manual)",
        "<details><summary>what was said before</summary>\n",
        "\n\nanswer three\n",
    ] {
        assert!(text.contains(wanted), "{wanted:?} is not in {text}");
    }
    let place = |said: &str| text.find(said).unwrap();
    assert!(place("answer one") < place("second prompt"));
    assert!(place("Compacted") < place("third prompt"));
}

/// What the client attached of itself is told in words, and each time says where it counts from.
#[test]
fn what_was_recalled_is_told_in_words_and_times_are_those_of_utc() {
    let lines = [
        r#"{"type":"user","uuid":"a","parentUuid":null,"timestamp":"2026-11-30T01:30:00.250+02:00","message":{"role":"user","content":"q"}}"#,
        r#"{"type":"attachment","uuid":"b","parentUuid":"a","attachment":{"type":"relevant_memories","memories":[{"path":"/m/one.md","content":"x"}]}}"#,
        r#"{"type":"user","uuid":"c","parentUuid":"b","timestamp":"25 o'clock","message":{"role":"user","content":"r"}}"#,
    ];
    let text = lines.join("\n");
    let head = Head::default_for_tests();
    let mut out = Vec::new();
    let all = text.len() as u64;
    write(text.as_bytes(), all, &head, &str::to_string, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for wanted in [
        "## Prompt · 2026-11-29 23:30:00 UTC\n\nq\n",
        "recalled: /m/one.md",
        "\n\nr\n",
    ] {
        assert!(text.contains(wanted), "{wanted:?} is not in {text}");
    }
    assert!(!text.contains("relevant_memories"), "{text}");
}

/// TR11: the whole history, whatever the boundaries say.
#[test]
fn tr11_all_of_it_is_exported_in_order() {
    let text = exported("TR11/session.jsonl");
    assert!(!text.contains("taken back"), "{text}");
    assert_eq!(text.matches("*Compacted").count(), 2);
}

#[test]
fn a_fence_is_longer_than_those_in_the_text() {
    let line = r#"{"type":"user","uuid":"a","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"````\nx"}]}}"#;
    let head = Head::default_for_tests();
    let mut out = Vec::new();
    write(
        line.as_bytes(),
        line.len() as u64,
        &head,
        &str::to_string,
        &mut out,
    )
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("\n`````text\n````\nx\n`````\n"), "{text}");
}

impl Head<'_> {
    fn default_for_tests() -> Self {
        Self {
            title: None,
            id: "s",
            path: Path::new("/s.jsonl"),
        }
    }
}

#[test]
fn what_is_left_out_is_counted_and_named() {
    let block = r#"{"type":"text","text":"0123456789 0123456789 0123456789"}"#;
    let line = |uuid: &str, content: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"message\":{{\"role\":\"user\",\"content\":{content}}}}}\n"
        )
    };
    let text = [
        line("a", &format!("[{}]", vec![block; 40_000].join(","))),
        line("b", "\"one\""),
        line("b", "\"two\""),
    ]
    .concat();
    let head = Head {
        title: None,
        id: "s",
        path: Path::new("/s.jsonl"),
    };
    let mut out = Vec::new();
    let source = text.as_bytes();
    let left_out = write(source, text.len() as u64, &head, &str::to_string, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let held = out.matches("0123456789 0123456789 0123456789").count() as u64;
    assert_eq!((held + left_out.blocks, left_out.lines), (40_000, 1));
    assert!(out.contains(&format!(
        "\n> {} more blocks are missing\n",
        left_out.blocks
    )));
    assert!(
        out.contains("\n> a line was written again with other words"),
        "{out}"
    );
    assert!(!out.contains("\none\n") && out.contains("\ntwo\n"));
    assert!(
        left_out
            .said()
            .unwrap()
            .contains("lines that were written again with other words (1)")
    );
    assert_eq!(LeftOut::default().said(), None);
}
