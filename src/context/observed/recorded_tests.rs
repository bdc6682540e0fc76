use serde_json::json;

use super::*;
use crate::context::fixture_for_tests::transcript_bytes;
use crate::context::observed::data::{newest, version};

fn read(lines: &[u8], known: &Wrapper) -> Recorded {
    Recorded::read(lines.split(|byte| *byte == b'\n'), known)
}

#[test]
fn the_wrapper_is_learnt_from_what_was_rendered() {
    let bytes = transcript_bytes("instructions_changed_2.1.332.jsonl");
    // Whatever the known one is.
    let (old, _) = version("2.1.112").expect("a version");
    let recorded = read(&bytes, &old.wrapper);
    let learnt = recorded.wrapper.expect("a wrapper");
    assert_eq!(learnt.opening, newest().wrapper.opening);
    assert_eq!(learnt.entry, newest().wrapper.entry);
    assert_eq!(learnt.between, newest().wrapper.between);
    assert_eq!(learnt.closing, newest().wrapper.closing);
    assert_eq!(learnt.labels.index, newest().wrapper.labels.index);
    assert_eq!(recorded.version.as_deref(), Some("2.1.332"));
    assert_eq!(recorded.model.as_deref(), Some("claude-opus-5-5"));
    // The block with changes is not the session's beginning.
    let texts: Vec<&str> = recorded
        .files
        .iter()
        .map(|file| file.text.as_str())
        .collect();
    assert_eq!(texts, ["PROJ v1", "- index v1"]);
    assert_eq!(recorded.files[1].kind, Kind::Index);
    assert_eq!(recorded.files[1].label, newest().wrapper.labels.index);
}

#[test]
fn the_clients_own_texts_are_taken_without_their_tags() {
    let bytes = transcript_bytes("compacted_resumed_2.1.332.jsonl");
    let recorded = read(&bytes, &newest().wrapper);
    assert_eq!(
        recorded.texts[&Slot::Identity],
        "You are a Claude agent, built on Anthropic's Claude Agent SDK."
    );
    assert_eq!(recorded.system_prompt.len(), 10);
    let line = json!({"type": "attachment", "attachment": {"type": "skill_listing"},
        "rendered": [{"content": "<system-reminder>\nSkills.\n</system-reminder>"}]});
    let recorded = read(line.to_string().as_bytes(), &newest().wrapper);
    assert_eq!(recorded.texts[&Slot::Skills], "Skills.");
}

fn attachment(rendered: &str, files: &Value) -> Vec<u8> {
    let line = json!({"type": "attachment", "version": "9.0.0",
        "attachment": {"type": "instructions", "files": files},
        "rendered": [{"content": rendered}]});
    line.to_string().into_bytes()
}

#[test]
fn a_version_that_is_still_to_come_is_followed() {
    let files = json!([
        {"path": "/a/CLAUDE.md", "type": "Project", "content": "A"},
        {"path": "/a/CLAUDE.local.md", "type": "Local", "content": "L"},
    ]);
    let rendered = "<rules>\nObey.\n\n## From /a/CLAUDE.md (shared):\n\nA\n----\n\
                    ## From /a/CLAUDE.local.md (yours):\n\nL\n</rules>";
    let learnt = read(&attachment(rendered, &files), &newest().wrapper)
        .wrapper
        .expect("a wrapper");
    assert_eq!(learnt.opening, "<rules>\nObey.\n\n");
    assert_eq!(learnt.entry, "## From {path} ({label}):\n\n");
    assert_eq!(learnt.between, "\n----\n");
    assert_eq!(learnt.closing, "\n</rules>");
    assert_eq!(
        (learnt.labels.project.as_str(), learnt.labels.local.as_str()),
        ("shared", "yours")
    );
    assert_eq!(learnt.labels.index, newest().wrapper.labels.index);
}

#[test]
fn what_can_not_be_told_for_certain_is_not_learnt() {
    let one = json!([{"path": "/a/CLAUDE.md", "type": "Project", "content": "A"}]);
    for rendered in [
        "<rules>\n## From /a/CLAUDE.md (shared):\n\nA\n</rules>",
        "Contents of /b/CLAUDE.md (shared):\n\nA",
        "Contents of /a/CLAUDE.md:\n\nA",
        "",
    ] {
        assert_eq!(
            read(&attachment(rendered, &one), &newest().wrapper).wrapper,
            None,
            "{rendered}"
        );
    }
    // One file, and a line that begins as is known.
    let rendered = "<x>\nContents of /a/CLAUDE.md (shared):\n\nA</x>";
    let learnt = read(&attachment(rendered, &one), &newest().wrapper)
        .wrapper
        .expect("a wrapper");
    assert_eq!(
        (learnt.opening.as_str(), learnt.closing.as_str()),
        ("<x>\n", "</x>")
    );
    assert_eq!(learnt.between, newest().wrapper.between);
}

#[test]
fn a_question_about_instructions_is_no_evidence() {
    let line = json!({"type": "user", "message": {"role": "user",
        "content": "{\"type\":\"attachment\",\"attachment\":{\"type\":\"instructions\"}}"}});
    let recorded = read(line.to_string().as_bytes(), &newest().wrapper);
    let nothing = Recorded {
        asked: recorded.asked,
        ..Recorded::default()
    };
    assert_eq!(recorded, nothing);
    assert_eq!(read(b"{\"type\":", &newest().wrapper), Recorded::default());
}
