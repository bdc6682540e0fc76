use proptest::prelude::*;

use super::*;
use crate::context::ours::tests::session;
use crate::llm::answer::{Event, StopReason};
use crate::turn::overlay::FileChange;

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn header() -> Header {
    Header {
        session: "5e55".into(),
        cwd: "/srv/proj".into(),
        branch: Some("main".into()),
    }
}

fn text(role: Role, text: &str) -> Entry {
    let kind = match role {
        Role::Assistant => Kind::Answer,
        Role::User | Role::System => Kind::Prompt,
    };
    let blocks = vec![Block::text(Piece::new(kind, Origin::Conversation, text))];
    Entry::Said {
        role,
        blocks,
        time: NOW,
    }
}

fn lines(record: &mut Record, items: &[Item<'_>]) -> String {
    items.iter().map(|item| record.line(*item, NOW)).collect()
}

#[test]
fn kinds_are_written_by_the_words_that_everything_else_has_for_them() {
    for kind in [
        Kind::Wrapper,
        Kind::ToolResult,
        Kind::MemoryRules,
        Kind::GitStatus,
        Kind::Recalled,
    ] {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
    }
}

#[test]
fn each_message_follows_the_one_before_it_as_the_format_wants() {
    let mut record = Record::new(header());
    let (session, user) = (session(), text(Role::User, "hi"));
    let assistant = text(Role::Assistant, "hello");
    let mut answer = Answer::default();
    answer.take(&Event::Started {
        id: "msg_1".into(),
        model: "demo-1".into(),
    });
    answer.take(&Event::Usage(Usage {
        input: 3,
        output: 5,
        cache_read: 100,
        cache_creation: 20,
        cache_creation_1h: 0,
    }));
    answer.take(&Event::Stopped(StopReason::EndTurn));
    let all = lines(
        &mut record,
        &[
            Item::Begun(&session),
            Item::Entry(&user),
            Item::Answer {
                entry: &assistant,
                answer: &answer,
                items: 9,
            },
        ],
    );
    let all: Vec<Value> = all
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(all[0]["type"], "loci-session");
    assert_eq!(all[1]["parentUuid"], Value::Null);
    assert_eq!(
        all[1]["message"],
        json!({"role": "user", "content": [{"type": "text", "text": "hi"}]})
    );
    assert_eq!(all[2]["parentUuid"], all[1]["uuid"]);
    assert_eq!(all[2]["message"]["usage"]["cache_read_input_tokens"], 100);
    for key in [
        "sessionId",
        "timestamp",
        "cwd",
        "gitBranch",
        "version",
        "isSidechain",
    ] {
        assert!(!all[2][key].is_null(), "{key}");
    }
    let read = read(
        &lines(
            &mut Record::new(header()),
            &[
                Item::Begun(&session),
                Item::Entry(&user),
                Item::Answer {
                    entry: &assistant,
                    answer: &answer,
                    items: 9,
                },
            ],
        )
        .into_bytes(),
    )
    .unwrap();
    assert_eq!(read.chat.session, session);
    assert_eq!(read.chat.entries, [user, assistant]);
    assert_eq!(
        read.chat.anchor,
        Some(Anchor {
            tokens: 123,
            items: 9
        })
    );
}

#[test]
fn an_answer_that_was_coming_when_the_program_died_is_kept_as_far_as_it_had_come() {
    let mut record = Record::new(header());
    let (session, user) = (session(), text(Role::User, "tell"));
    let mut bytes = lines(
        &mut record,
        &[
            Item::Begun(&session),
            Item::Entry(&user),
            Item::Partial("Once "),
            Item::Partial("upon"),
        ],
    );
    let before = read(bytes.as_bytes()).unwrap();
    assert_eq!(before.chat.entries[1], text(Role::Assistant, "Once upon"));
    assert!(matches!(before.chat.entries[2], Entry::Attached { .. }));
    // Whole, it stands for its parts.
    bytes.push_str(&record.line(Item::Entry(&text(Role::Assistant, "Once upon a time")), NOW));
    assert_eq!(
        read(bytes.as_bytes()).unwrap().chat.entries,
        [user, text(Role::Assistant, "Once upon a time")]
    );
}

#[test]
fn what_is_not_decided_on_waits() {
    let proposal = |id: &str| Proposal {
        id: id.into(),
        title: "edit a".into(),
        files: vec![FileChange {
            path: "/m/a.md".into(),
            before: Some("A".into()),
            after: None,
            keeps_age: true,
        }],
        by: crate::store::change::Author::Agent,
    };
    let mut record = Record::new(header());
    let (session, one, two) = (session(), proposal("1"), proposal("2"));
    let bytes = lines(
        &mut record,
        &[
            Item::Begun(&session),
            Item::Proposed(&one),
            Item::Proposed(&two),
            Item::Decided {
                id: "1",
                decision: Decision::Rejected,
            },
        ],
    );
    assert_eq!(read(bytes.as_bytes()).unwrap().overlay.pending, [two]);
}

#[test]
fn lines_that_are_cut_or_not_known_take_nothing_along() {
    let mut record = Record::new(header());
    let (session, user) = (session(), text(Role::User, "hi"));
    let mut bytes = lines(&mut record, &[Item::Begun(&session)]).into_bytes();
    bytes.extend(b"{\"type\":\"progress\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n\xff\xfe\n\n");
    bytes.extend(record.line(Item::Entry(&user), NOW).bytes());
    bytes.extend(b"{\"type\":\"user\",\"timest");
    let read = read(&bytes).unwrap();
    assert_eq!(read.chat.entries, [user]);
    assert_eq!(read.unread, [3, 6]);
    assert_eq!(super::read(b"{}\n"), None);
    // Goes on where it ended.
    let mut on = Record::resumed(header(), &read);
    let next: Value =
        serde_json::from_str(&on.line(Item::Entry(&text(Role::Assistant, "x")), NOW)).unwrap();
    assert_eq!(next["parentUuid"].as_str(), read.last.as_deref());
    assert_ne!(next["uuid"].as_str(), read.last.as_deref());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,20}",
        Just("\u{0}\n\"\\🪶".to_string()),
        Just("</system-reminder>".to_string())
    ]
}

fn any_piece() -> impl Strategy<Value = Piece> {
    let path = prop_oneof![Just(None), Just(Some(PathBuf::from("/m/a.md")))];
    (any_text(), path).prop_map(|(text, path)| Piece {
        path,
        ..Piece::new(Kind::Recalled, Origin::File, text)
    })
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let block = prop_oneof![
        any_text().prop_map(|text| Block::text(Piece::new(
            Kind::Answer,
            Origin::Conversation,
            text
        ))),
        any_text().prop_map(|id| Block::new(Content::ToolUse {
            id,
            name: "Read".into(),
            input: json!({"b": 1, "a": [null]})
        })),
        (any_text(), any_piece(), any::<bool>()).prop_map(|(id, result, is_error)| Block::new(
            Content::ToolResult {
                id,
                result,
                is_error
            }
        )),
        Just(Block::new(Content::Raw(
            json!({"type": "thinking", "thinking": "x", "signature": "s"})
        ))),
    ];
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    prop_oneof![
        6 => (role, prop::collection::vec(block, 1..4)).prop_map(|(role, blocks)| Entry::Said { role, blocks, time: NOW }),
        3 => prop::collection::vec(any_piece(), 1..3).prop_map(|pieces| Entry::Attached { pieces, time: NOW }),
        1 => (any_piece(), 0..4_usize).prop_map(|(summary, kept)| Entry::Boundary { summary, kept, time: NOW }),
    ]
}

proptest! {
    /// Read back, a conversation is what it was: the requests are the same, byte for byte.
    #[test]
    fn a_conversation_is_read_back_as_it_was(entries in prop::collection::vec(any_entry(), 0..12)) {
        let session = session();
        let mut record = Record::new(header());
        let mut bytes = record.line(Item::Begun(&session), NOW);
        for entry in &entries {
            bytes.push_str(&record.line(Item::Entry(entry), NOW));
        }
        let read = read(bytes.as_bytes()).unwrap();
        prop_assert_eq!(&read.chat.entries, &entries);
        prop_assert!(read.unread.is_empty());
        let chat = Chat { entries, ..Chat::new("5e55", session) };
        prop_assert_eq!(read.chat.request(NOW).body(), chat.request(NOW).body());
    }
}
