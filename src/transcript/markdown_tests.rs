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
