use serde_json::json;

use super::*;
use crate::context::fixture_for_tests::{answer, asked, rule};
use crate::context::part;

pub fn session() -> Session {
    Session {
        params: Params {
            model: "claude-opus-5-5".to_string(),
            max_tokens: Some(32_000),
            tools: vec![json!({"name": "Read"}), json!({"name": "Edit"})],
            ..Params::default()
        },
        recall: Recall::Index,
        memory_prompt: MemoryPrompt::default(),
        memory_folder: "/m".into(),
        environment: "# Environment\n\nPlatform: linux".to_string(),
        environment_now: "Working directory: /srv/proj".to_string(),
        instructions: vec![
            Instruction {
                layer: Layer::User,
                ..rule("/home/u/.claude/CLAUDE.md", "Be brief.")
            },
            rule("/srv/proj/CLAUDE.md", "Use tabs."),
        ],
        index: Some(("/m/MEMORY.md".into(), "- [One](one.md) — first".to_string())),
        git_status: Some("On branch main".to_string()),
        date: "2026-11-30".to_string(),
        life: Life::FiveMinutes,
        allowed: crate::safety::secret::Allowed::default(),
    }
}

fn question(text: &str) -> Entry {
    Entry::Said {
        role: Role::User,
        blocks: vec![Block::text(asked(text))],
        time: Moment::from_seconds(0),
    }
}

fn built(session: &Session, entries: &[Entry]) -> Request {
    build(session, entries, &[], Moment::from_seconds(1))
}

#[test]
fn the_first_message_holds_the_rules_the_index_last_then_status_and_date() {
    let request = built(&session(), &[question("hi")]);
    assert_eq!(request.messages.len(), 1);
    let texts: Vec<_> = request.messages[0]
        .blocks
        .iter()
        .map(Block::shown)
        .collect();
    assert_eq!(
        texts[0],
        format!(
            "<system-reminder>\n{OPENING}\n\n\
             /home/u/.claude/CLAUDE.md (the person's own rules, for all projects):\n\nBe brief.\n\n\
             /srv/proj/CLAUDE.md (rules of the project):\n\nUse tabs.\n\n\
             /m/MEMORY.md (the list of memories):\n\n- [One](one.md) — first\n</system-reminder>"
        )
    );
    assert_eq!(
        texts[1],
        "<system-reminder>\nGit status when the session began:\n\nOn branch main\n</system-reminder>"
    );
    assert_eq!(
        texts[2],
        "<system-reminder>\nToday is 2026-11-30.\n</system-reminder>"
    );
    assert_eq!(texts[3], "hi");
}

#[test]
fn system_holds_rules_and_no_memory() {
    let request = built(&session(), &[question("hi")]);
    let kinds: Vec<Kind> = request.system.iter().map(Block::kind).collect();
    let environment = [Kind::Environment, Kind::Environment];
    assert_eq!(kinds[..3], [Kind::Identity, Kind::Tools, Kind::MemoryRules]);
    assert_eq!(kinds[3..], environment);
    let system: String = request.system.iter().map(Block::shown).collect();
    assert!(!system.contains("one.md") && !system.contains("Use tabs"));
    assert!(
        system.contains("may be emptied"),
        "what is cleared is told beforehand"
    );
    let marks: Vec<bool> = request
        .system
        .iter()
        .map(|block| block.mark.is_some())
        .collect();
    assert_eq!(marks, [false, false, false, true, true]);
    let marks: Vec<bool> = request.messages[0]
        .blocks
        .iter()
        .map(|block| block.mark.is_some())
        .collect();
    assert_eq!(marks, [true, false, false, true]);
}

#[test]
fn the_index_is_sent_in_its_mode_alone() {
    for (recall, there) in [
        (Recall::Index, true),
        (Recall::Prefetch, false),
        (Recall::Off, false),
    ] {
        let session = Session {
            recall,
            ..session()
        };
        let request = built(&session, &[question("hi")]);
        assert_eq!(request.body().contains("one.md"), there, "{recall:?}");
        let rules = request
            .system
            .iter()
            .any(|block| block.kind() == Kind::MemoryRules);
        assert_eq!(rules, recall != Recall::Off);
    }
}

#[test]
fn a_changed_index_changes_nothing_before_it() {
    let mut other = session();
    other.index = Some(("/m/MEMORY.md".into(), "- [Two](two.md)".to_string()));
    let before = built(&session(), &[question("hi")]);
    let after = built(&other, &[question("hi")]);
    let texts = |request: &Request| -> Vec<(Kind, String)> {
        part::parts(request, None)
            .into_iter()
            .map(|part| (part.kind, part.text))
            .collect()
    };
    let (before, after) = (texts(&before), texts(&after));
    let at = before
        .iter()
        .position(|(kind, _)| *kind == Kind::Index)
        .expect("an index");
    assert_eq!(before[..at], after[..at]);
    assert_ne!(before[at], after[at]);
    assert_eq!(before[at + 1..], after[at + 1..]);
}

#[test]
fn after_a_compaction_the_rules_stand_first_again() {
    let summary = Piece::new(Kind::Summary, Origin::Conversation, "S");
    let boundary = Entry::Boundary {
        summary,
        kept: 0,
        time: Moment::from_seconds(0),
    };
    let request = built(&session(), &[question("a"), boundary, question("b")]);
    let kinds: Vec<Kind> = request.messages[0].blocks.iter().map(Block::kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::Rule,
            Kind::GitStatus,
            Kind::Date,
            Kind::Summary,
            Kind::Prompt
        ]
    );
}

#[test]
fn a_note_tells_which_lines_changed() {
    let note = |before, after| -> Option<String> {
        let pieces = note_of_change(Path::new("/p/CLAUDE.md"), before, after)?;
        Some(
            pieces
                .iter()
                .map(|piece| piece.shown().into_owned())
                .collect(),
        )
    };
    assert_eq!(note("a\n", "a\n"), None);
    assert_eq!(
        note("a\nb\nc\n", "a\nB\nc\nd\n").expect("a note"),
        "/p/CLAUDE.md was changed since it was read. What changed (- as it was, + as it is now, with line \
         numbers):\n\n-2\tb\n+2\tB\n+4\td"
    );
}

#[test]
fn a_recalled_memory_is_sent_again_byte_for_byte() {
    let recalled = Entry::Attached {
        pieces: vec![Piece::new(
            Kind::Recalled,
            Origin::File,
            "saved 3 days ago: fact",
        )],
        time: Moment::from_seconds(0),
    };
    let mut entries = vec![question("q"), recalled];
    let first = built(&session(), &entries);
    entries.push(Entry::Said {
        role: Role::Assistant,
        blocks: vec![Block::text(answer("a"))],
        time: Moment::from_seconds(5),
    });
    entries.push(question("next"));
    let later = built(&session(), &entries);
    assert!(crate::context::fork::extends(&later, &first));
}
