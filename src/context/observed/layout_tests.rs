use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::*;
use crate::context::fixture_for_tests::{CASES, answer, asked, result as gave, rule, used};
use crate::context::observed::data::{self, Version, version};
use crate::context::observed::fill::{call, result};

static NOTHING: LazyLock<Recorded> = LazyLock::new(Recorded::default);

const INDEX: &str = "/home/u/.claude/projects/-srv-proj/memory/MEMORY.md";

/// What the cases were recorded with: a project rule and an index of one line.
fn given<'a>(
    version: &'a Version,
    model: &'a str,
    rules: &'a [Instruction],
    stage: Stage<'a>,
) -> Given<'a> {
    Given {
        version,
        model,
        recorded: &NOTHING,
        instructions: rules,
        index: Some((Path::new(INDEX), "- [One](one.md) — first")),
        date: "2026-11-30",
        git: false,
        memory_prompt_moved: false,
        memory_off: false,
        edited: None,
        stage,
        prompt: None,
    }
}

fn held(name: &str) -> &'static Version {
    let (version, own) = version(name).expect("a version");
    assert!(own, "{name} is held");
    version
}

/// A row of a recorded layout: message, block, role, kind, whether a mark stands on it.
type Row = (usize, usize, String, String, bool);

fn recorded_rows(case: &Value) -> Vec<Row> {
    let rows = case["messages"].as_array().expect("messages");
    let text = |row: &Value, key: &str| row[key].as_str().expect("a text").to_string();
    let number = |row: &Value, key: &str| {
        let number = row[key].as_u64().expect("a number");
        usize::try_from(number).expect("small")
    };
    rows.iter()
        .map(|row| {
            let mark = !row["cache_control"].is_null();
            (
                number(row, "message"),
                number(row, "block"),
                text(row, "role"),
                text(row, "kind"),
                mark,
            )
        })
        .collect()
}

/// The words of the recording, which knew a block by how it begins.
fn word(block: &Block) -> &'static str {
    match block.kind() {
        Kind::Rule | Kind::Index => "instructions",
        Kind::Changed => "instructions_delta",
        Kind::Attribution => "attribution",
        // An announcement that was recorded as one begins with the environment.
        Kind::Environment | Kind::Announcements => "environment",
        Kind::Skills => "skills",
        Kind::Date => "date",
        Kind::Summary => "summary",
        Kind::Command => "command",
        Kind::ReadCall => "read_call",
        Kind::ReadResult => "read_result",
        Kind::ToolUse => "tool_use",
        Kind::ToolResult => "tool_result",
        _ => "text",
    }
}

fn rows(request: &Request) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, message) in request.messages.iter().enumerate() {
        for (number, block) in message.blocks.iter().enumerate() {
            let role = message.role.word().to_string();
            let kind = word(block).to_string();
            rows.push((at, number, role, kind, block.mark.is_some()));
        }
    }
    rows
}

fn check(name: &str, case: &str, request: &Request) {
    let seen = &CASES["request_layout"][name][case];
    assert_eq!(rows(request), recorded_rows(seen), "{name} {case}");
    if let Some(system) = seen["system"].as_array() {
        let lengths: Vec<Value> = system.iter().map(|block| block["len"].clone()).collect();
        let marks: Vec<Value> = system
            .iter()
            .map(|block| block["cache_control"].clone())
            .collect();
        let value: Value = serde_json::from_str(&request.body()).expect("JSON");
        let ours: Vec<Value> = value["system"]
            .as_array()
            .expect("system")
            .iter()
            .map(|block| block.get("cache_control").cloned().unwrap_or(Value::Null))
            .collect();
        assert_eq!(ours, marks, "{name} {case}");
        let parts = crate::context::part::parts(request, None);
        let units: Vec<Value> = parts[..lengths.len()]
            .iter()
            .map(|part| json!(part.units))
            .collect();
        // The system prompt of 2.1.220 was 17 longer in the first session that was recorded.
        if (name, case) != ("2.1.220", "first_request")
            && (name, case) != ("2.1.220", "compact_request")
        {
            assert_eq!(units, lengths, "{name} {case}");
        }
    }
}

fn model(name: &str, case: &str) -> &'static str {
    CASES["request_layout"][name][case]["model"]
        .as_str()
        .expect("a model")
}

const VERSIONS: [&str; 6] = [
    "2.1.332", "2.1.300", "2.1.270", "2.1.220", "2.1.112", "2.1.63",
];

#[test]
fn the_first_request_of_every_version_and_model() {
    let rules = [rule("/srv/proj/CLAUDE.md", "PROJ rule")];
    for name in VERSIONS {
        let mut given = given(
            held(name),
            model(name, "first_request"),
            &rules,
            Stage::First,
        );
        given.prompt = Some("first prompt");
        check(name, "first_request", &build(&given));
    }
    for case in [
        "haiku5",
        "opus46",
        "opus5",
        "sonnet46",
        "sonnet5",
        "unknown_model",
        "exclude_dynamic",
    ] {
        let case = format!("flag_{case}");
        let mut given = given(
            held("2.1.332"),
            model("2.1.332", &case),
            &rules,
            Stage::First,
        );
        given.prompt = Some("hi");
        given.memory_prompt_moved = case == "flag_exclude_dynamic";
        check("2.1.332", &case, &build(&given));
    }
}

/// The conversation of the recordings, up to the first answer.
fn conversation() -> Vec<Message> {
    let both = Message::new(Role::Assistant, vec![used("2", "Bash"), used("3", "Read")]);
    let results = Message::new(Role::User, vec![gave("2", "hi"), gave("3", "fact")]);
    vec![
        Message::new(
            Role::Assistant,
            vec![Block::text(answer("I read")), used("1", "Read")],
        ),
        Message::new(Role::User, vec![gave("1", "alpha")]),
        both,
        results,
        Message::new(Role::Assistant, vec![used("4", "Write")]),
        Message::new(Role::User, vec![gave("4", "done")]),
        Message::new(Role::Assistant, vec![Block::text(answer("answer one"))]),
    ]
}

#[test]
fn the_request_for_a_summary_of_every_version() {
    let rules = [rule("/srv/proj/CLAUDE.md", "PROJ rule")];
    for name in VERSIONS {
        let mut said = conversation();
        let answered = matches!(name, "2.1.332" | "2.1.112" | "2.1.63");
        if answered {
            said.push(Message::new(
                Role::User,
                vec![Block::text(asked("second prompt"))],
            ));
            said.push(Message::new(
                Role::Assistant,
                vec![Block::text(answer("answer two"))],
            ));
        }
        if name == "2.1.63" {
            // It called its tools one by one.
            said[2].blocks.truncate(1);
            said[3].blocks.truncate(1);
        }
        let stage = Stage::Summary {
            first_prompt: "first prompt",
            conversation: &said,
        };
        let mut given = given(held(name), model(name, "compact_request"), &rules, stage);
        given.prompt = (!answered).then_some("second prompt");
        check(name, "compact_request", &build(&given));
    }
}

#[test]
fn the_request_after_a_compaction_of_every_version() {
    let rules = [rule("/srv/proj/CLAUDE.md", "PROJ rule")];
    let tail = [Message::new(
        Role::Assistant,
        vec![Block::text(answer("answer two"))],
    )];
    let restored = ["two.md", "one.md", "a.txt"].map(|name| Restored {
        path: Path::new("/srv/proj").join(name),
        text: "1\talpha\n2\tbeta\n3\t".to_string(),
    });
    for name in VERSIONS {
        let stage = Stage::Compacted {
            summary: "This session is being continued",
            tail: &tail,
            restored: &restored,
            commands: &["<caveat>", "<command>", "<stdout>"],
            resumed: true,
        };
        let mut given = given(
            held(name),
            model(name, "after_compact_resume"),
            &rules,
            stage,
        );
        given.prompt = Some("third prompt");
        check(name, "after_compact_resume", &build(&given));
    }
}

#[test]
fn a_session_that_was_not_left_is_not_told_to_continue() {
    let rules = [rule("/srv/proj/CLAUDE.md", "PROJ rule")];
    let tail = [Message::new(
        Role::Assistant,
        vec![Block::text(answer("answer two"))],
    )];
    let kinds = |resumed| {
        let stage = Stage::Compacted {
            summary: "S",
            tail: &tail,
            restored: &[],
            commands: &[],
            resumed,
        };
        let mut given = given(held("2.1.220"), "claude-opus-5", &rules, stage);
        given.prompt = Some("third prompt");
        let request = build(&given);
        let blocks = request.messages.iter().flat_map(|one| &one.blocks);
        blocks
            .map(|block| block.shown().into_owned())
            .skip(2)
            .collect::<Vec<_>>()
    };
    let skills = "[4554 characters, not recorded]";
    assert_eq!(kinds(false), ["answer two", "third prompt", skills]);
    assert_eq!(
        kinds(true),
        [
            "answer two",
            "Continue from where you left off.",
            "No response requested.",
            "third prompt",
            skills
        ]
    );
}

#[test]
fn without_a_tail_the_instructions_stand_in_the_first_message_again() {
    let rules = [rule("/srv/proj/CLAUDE.md", "PROJ rule")];
    let stage = Stage::Compacted {
        summary: "S",
        tail: &[],
        restored: &[],
        commands: &[],
        resumed: false,
    };
    let mut given = given(held("2.1.332"), "claude-opus-5-5", &rules, stage);
    given.prompt = Some("go on");
    let kinds: Vec<&str> = build(&given).messages[0].blocks.iter().map(word).collect();
    assert_eq!(kinds, ["instructions", "attribution", "summary", "text"]);
}

#[test]
fn a_resumed_session_keeps_its_snapshot_and_appends_what_changed() {
    let old = [rule("/srv/proj/CLAUDE.md", "PROJ v1")];
    let user = Instruction {
        layer: crate::instructions::Layer::User,
        ..rule("/home/u/.claude/CLAUDE.md", "USER new")
    };
    let now = [user, rule("/srv/proj/CLAUDE.md", "PROJ v2")];
    let said = [Message::new(
        Role::Assistant,
        vec![Block::text(answer("a1"))],
    )];
    for name in &VERSIONS[..5] {
        let version = held(name);
        let labels = &version.wrapper.labels;
        let at_start = block::sent(labels, &old, Some((Path::new(INDEX), "- index v1")));
        let stage = Stage::Later {
            first_prompt: "first",
            conversation: &said,
            at_start: Some(&at_start),
            resumed: true,
        };
        let mut given = given(
            version,
            model(name, "resume_with_changed_files"),
            &now,
            stage,
        );
        given.index = Some((Path::new(INDEX), "- index v2\n- more"));
        given.prompt = Some("second");
        let request = build(&given);
        check(name, "resume_with_changed_files", &request);
        let all = request.body();
        let keeps = version.changed.is_some();
        assert_eq!(all.contains("PROJ v1"), keeps, "{name}: the old copy");
        assert!(
            all.contains("PROJ v2") && all.contains("- index v2"),
            "{name}: the new one"
        );
    }
}

/// The exact texts of 2.1.332, as a transcript holds them.
#[test]
fn both_blocks_of_a_resumed_session_are_the_ones_that_were_rendered() {
    let lines = crate::context::fixture_for_tests::transcript("instructions_changed_2.1.332.jsonl");
    let rendered: Vec<String> = lines
        .iter()
        .filter(|line| line["attachment"]["type"] == "instructions")
        .map(|line| {
            line["rendered"][0]["content"]
                .as_str()
                .expect("a text")
                .to_string()
        })
        .collect();
    let version = held("2.1.332");
    let user = Instruction {
        layer: crate::instructions::Layer::User,
        ..rule("/home/u/.claude/CLAUDE.md", "USER new")
    };
    let old = [rule("/srv/proj/CLAUDE.md", "PROJ v1")];
    let now = [user, rule("/srv/proj/CLAUDE.md", "PROJ v2")];
    let labels = &version.wrapper.labels;
    let at_start = block::sent(labels, &old, Some((Path::new(INDEX), "- index v1")));
    let stage = Stage::Later {
        first_prompt: "first",
        conversation: &[],
        at_start: Some(&at_start),
        resumed: true,
    };
    let mut given = given(version, "claude-opus-5-5", &now, stage);
    given.index = Some((Path::new(INDEX), "- index v2\n- more"));
    given.prompt = Some("second");
    let request = build(&given);
    assert_eq!(request.messages[0].blocks[0].shown(), rendered[0]);
    let last = request.messages.last().expect("a message");
    assert_eq!(last.blocks[0].shown(), rendered[1]);
}

#[test]
fn a_restored_read_is_as_long_as_it_was_seen() {
    let call = call(Path::new("/srv/proj/a.txt"));
    assert_eq!(
        format!("<system-reminder>\n{}\n</system-reminder>", call.shown()).len(),
        115
    );
    let read = Restored {
        path: "/srv/proj/a.txt".into(),
        text: "1\talpha\n2\tbeta\n3\t".to_string(),
    };
    assert_eq!(
        format!(
            "<system-reminder>\n{}\n</system-reminder>",
            result(&read).shown()
        ),
        "<system-reminder>\nResult of calling the Read tool:\n1\talpha\n2\tbeta\n3\t\n</system-reminder>"
    );
}

#[test]
fn nothing_is_made_up_where_a_text_was_not_recorded() {
    let mut given = given(held("2.1.332"), "claude-opus-5-5", &[], Stage::First);
    given.prompt = Some("hi");
    for part in crate::context::part::parts(&build(&given), None) {
        let known = matches!(
            part.kind,
            Kind::Index | Kind::Prompt | Kind::Date | Kind::Wrapper
        );
        assert_eq!(part.recorded, known, "{part:?}");
        if !part.recorded {
            assert!(part.text.ends_with("not recorded]"), "{part:?}");
        }
    }
}

#[test]
fn a_transcript_gives_the_texts_that_we_do_not_hold() {
    let recorded = Recorded {
        texts: BTreeMap::from([(Slot::Skills, "the skills".to_string())]),
        system_prompt: vec!["# Harness".to_string(), "# Memory\nrules".to_string()],
        ..Recorded::default()
    };
    let mut given = given(held("2.1.332"), "claude-opus-5-5", &[], Stage::First);
    given.recorded = &recorded;
    let request = build(&given);
    assert_eq!(request.system[2].shown(), "# Harness\n\n# Memory\nrules");
    assert_eq!(request.system[2].pieces()[2].kind, Kind::MemoryRules);
    let body = request.body();
    assert!(body.contains("the skills") && !body.contains("6275 characters"));
}

#[test]
fn without_instructions_and_index_there_is_no_block() {
    for version in data::versions() {
        let mut given = given(version, "claude-opus-5-5", &[], Stage::First);
        given.index = None;
        given.prompt = Some("hi");
        assert_eq!(rules_block(&given), "", "{}", version.name);
        assert!(
            !build(&given).body().contains("Codebase and user"),
            "{}",
            version.name
        );
    }
}
