use serde_json::json;

use super::*;
use crate::base::time::Moment;
use crate::transcript::digest::Digest;
use crate::transcript::digests::Digested;
use crate::transcript::found::Found;
use crate::transcript::swept::Swept;

fn digested(session: &str, lines: &[serde_json::Value]) -> Digested {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    let found = Found {
        project: "-a".to_string(),
        session: session.to_string(),
        path: format!("/projects/-a/{session}.jsonl").into(),
        is_agent: false,
        bytes: text.len() as u64,
        modified: None,
    };
    Digested { found, digest }
}

fn used(uuid: &str, day: &str, tool: &str, name: &str, path: &str) -> serde_json::Value {
    json!({"type": "assistant", "uuid": uuid, "timestamp": format!("2031-02-{day}T10:00:00.000Z"), "message": {"content": [
        {"type": "tool_use", "id": tool, "name": name, "input": {"file_path": path}}]}})
}

fn answered(tool: &str) -> serde_json::Value {
    json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": tool, "content": "x"}]}})
}

#[test]
fn each_use_counts_once_and_only_when_it_was_done() {
    let first = [
        used("u1", "01", "t1", "Read", "/m/one.md"),
        answered("t1"),
        used("u2", "02", "t2", "Edit", "/m/one.md"),
        answered("t2"),
        // Cut off.
        used("u3", "03", "t3", "Read", "/m/one.md"),
    ];
    let fork = [
        &first[..],
        &[
            used("u4", "04", "t4", "Read", "/real/m/one.md"),
            answered("t4"),
        ],
    ]
    .concat();
    let digests = Digests {
        all: vec![digested("s1", &first), digested("s2", &fork)],
        faults: Vec::new(),
        notices: Vec::new(),
        left_out: Vec::new(),
        read: 0,
        swept: Swept::nothing(30, Moment::from_seconds(1_930_000_000)),
        unread: 0,
        is_blind: false,
    };
    let uses = Uses::of(&digests);
    let roots = Roots(vec!["/m".into(), "/real/m".into()]);
    let found: Vec<_> = uses
        .touches(&roots, "one.md")
        .iter()
        .map(|touched| {
            (
                touched.session,
                touched.touch.how.word(),
                &touched.touch.time[8..10],
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("s2", "read", "04"),
            ("s1", "edit", "02"),
            ("s1", "read", "01")
        ]
    );
    let wanted = Use {
        reads: 2,
        last_read: Some("2031-02-04T10:00:00.000Z".to_string()),
    };
    assert_eq!(uses.of_memory(&roots, "one.md"), wanted);
    assert_eq!(uses.of_memory(&roots, "two.md"), Use::default());
}
