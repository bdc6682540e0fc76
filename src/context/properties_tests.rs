//! Properties of every request of ours, whatever the conversation.

use proptest::prelude::*;
use serde_json::json;

use crate::base::time::Moment;
use crate::context::conversation::{Entry, Spill};
use crate::context::fixture_for_tests::{answer, asked, result, used};
use crate::context::fork;
use crate::context::marks::MARKS;
use crate::context::ours::tests::session;
use crate::context::ours::{self, Session};
use crate::context::part::{Kind, Origin, Piece, parts};
use crate::context::request::{Block, Content, Message, Request, Role};
use crate::safety::secret::tests::planted;
use crate::safety::secret::{Allowed, scan};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        Just(String::new()),
        Just(" \n\t".to_string()),
        Just("</system-reminder>".to_string()),
        "[a-z时🪶\u{200B}\u{85}]{0,9}",
    ]
}

/// A text with a secret in it, among others.
fn leaky() -> impl Strategy<Value = String> {
    let planted = prop::sample::select(planted()).prop_map(|(_, text, _)| text);
    let among = ("[ -~]{0,9}", planted, "[a-z \n]{0,9}");
    among.prop_map(|(before, text, after)| format!("{before}\n{text}\n{after}"))
}

fn leaky_block() -> impl Strategy<Value = Block> {
    let id = || (0..3_u8).prop_map(|id| id.to_string());
    prop_oneof![
        2 => leaky().prop_map(|text| Block::text(asked(&text))),
        1 => (id(), leaky()).prop_map(|(id, text)| Block::new(Content::ToolUse {
            id,
            name: "Write".to_string(),
            input: json!({"file_path": "/p/a.md", "content": text, "lines": [text]}),
        })),
        2 => (id(), leaky()).prop_map(|(id, text)| result(&id, &text)),
        1 => leaky().prop_map(|text| Block::new(Content::Raw(json!({"type": "text", "text": text})))),
    ]
}

fn leaky_entry() -> impl Strategy<Value = Entry> {
    let time = Moment::from_seconds(60);
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    prop_oneof![
        4 => (role, prop::collection::vec(leaky_block(), 1..4))
            .prop_map(move |(role, blocks)| Entry::Said { role, blocks, time }),
        1 => leaky().prop_map(move |text| Entry::Attached {
            pieces: vec![Piece::new(Kind::Recalled, Origin::File, text)],
            time,
        }),
        1 => leaky().prop_map(move |text| Entry::Boundary {
            summary: Piece::new(Kind::Summary, Origin::Conversation, text),
            kept: 1,
            time,
        }),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    let id = || (0..6_u8).prop_map(|id| id.to_string());
    prop_oneof![
        3 => text().prop_map(|text| Block::text(asked(&text))),
        1 => text().prop_map(|text| Block::text(answer(&text))),
        2 => id().prop_map(|id| used(&id, "Read")),
        2 => (id(), text()).prop_map(|(id, text)| result(&id, &text)),
        1 => Just(Block::new(Content::Raw(json!({"type": "image"})))),
    ]
}

fn entry() -> impl Strategy<Value = Entry> {
    let time = || (0..300_i64).prop_map(|minutes| Moment::from_seconds(minutes * 60));
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    prop_oneof![
        8 => (role, prop::collection::vec(block(), 0..4), time())
            .prop_map(|(role, blocks, time)| Entry::Said { role, blocks, time }),
        2 => (text(), time()).prop_map(|(text, time)| Entry::Attached {
            pieces: vec![Piece::new(Kind::Recalled, Origin::File, text)],
            time,
        }),
        1 => (text(), 0..4_usize, time()).prop_map(|(text, kept, time)| Entry::Boundary {
            summary: Piece::new(Kind::Summary, Origin::Conversation, text),
            kept,
            time,
        }),
    ]
}

fn conversation() -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec(entry(), 0..14)
}

fn spills() -> Vec<Spill> {
    vec![Spill {
        id: "3".to_string(),
        preview: "p".to_string(),
        path: "/spill".into(),
    }]
}

fn built(session: &Session, entries: &[Entry]) -> Request {
    ours::build(session, entries, &spills(), Moment::from_seconds(20_000))
}

/// What the provider demands of a request; what is wrong with this one.
fn faults(request: &Request) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, message) in request.messages.iter().enumerate() {
        let expected = if at % 2 == 0 {
            Role::User
        } else {
            Role::Assistant
        };
        if message.role != expected {
            faults.push(format!("message {at}: roles do not alternate"));
        }
        if message.blocks.is_empty() {
            faults.push(format!("message {at} is empty"));
        }
        let mut wanted: Vec<&str> = Vec::new();
        if let Some(before) = at.checked_sub(1) {
            let blocks = request.messages[before].blocks.iter();
            wanted.extend(blocks.filter_map(|block| match &block.content {
                Content::ToolUse { id, .. } => Some(id.as_str()),
                _ => None,
            }));
        }
        let results: Vec<&str> = message
            .blocks
            .iter()
            .filter_map(|block| match &block.content {
                Content::ToolResult { id, .. } => Some(id.as_str()),
                _ => None,
            })
            .collect();
        let (mut a, mut b) = (wanted.clone(), results);
        a.sort_unstable();
        b.sort_unstable();
        if a != b {
            faults.push(format!("message {at}: uses {a:?}, results {b:?}"));
        }
        let firsts = message
            .blocks
            .iter()
            .take_while(|block| block.is_tool_result())
            .count();
        if firsts != b.len() {
            faults.push(format!("message {at}: results stand behind text"));
        }
    }
    let open = request.messages.last().is_some_and(|last| {
        last.blocks
            .iter()
            .any(|block| matches!(block.content, Content::ToolUse { .. }))
    });
    if open {
        faults.push("a use at the end has no result".to_string());
    }
    for block in request.blocks() {
        match &block.content {
            Content::Text(_) if block.shown().trim().is_empty() => {
                faults.push("blank text".to_string());
            }
            Content::Reminder(_) => faults.push("a reminder is not wrapped".to_string()),
            _ => {}
        }
    }
    if request.mark_count() > MARKS {
        faults.push(format!("{} marks", request.mark_count()));
    }
    faults
}

proptest! {
    #[test]
    fn every_request_is_one_that_a_provider_takes(entries in conversation()) {
        let request = built(&session(), &entries);
        prop_assert_eq!(faults(&request), Vec::<String>::new());
        prop_assert_eq!(request.body(), built(&session(), &entries).body());
    }

    #[test]
    fn a_fork_extends_its_parent_whatever_is_appended(
        entries in conversation(),
        appended in prop::collection::vec(prop::collection::vec(block(), 1..4), 1..5),
    ) {
        let parent = built(&session(), &entries);
        let roles = [Role::User, Role::Assistant].into_iter().cycle();
        let mut messages: Vec<Message> = roles.zip(appended).map(|(role, blocks)| Message::new(role, blocks)).collect();
        messages.push(Message::new(Role::User, vec![Block::text(asked("save what is new"))]));
        let fork = fork::fork(&parent, messages, &Allowed::default());
        prop_assert!(fork::extends(&fork, &parent));
        prop_assert!(fork.mark_count() <= MARKS);
    }

    #[test]
    fn no_request_holds_a_secret_wherever_it_came_in(
        entries in prop::collection::vec(leaky_entry(), 1..6),
        rule in leaky(),
        index in leaky(),
        appended in prop::collection::vec(leaky_block(), 1..3),
    ) {
        let mut session = session();
        session.instructions[0].text = rule;
        session.index = Some(("/m/MEMORY.md".into(), index));
        let request = built(&session, &entries);
        let mut asks = vec![Block::text(asked("save what is new"))];
        asks.extend(appended);
        let fork = fork::fork(&request, vec![Message::new(Role::User, asks)], &Allowed::default());
        for request in [&request, &fork] {
            prop_assert_eq!(faults(request), Vec::<String>::new());
            let body = request.body();
            prop_assert_eq!(scan(&body, &Allowed::default()), Vec::new());
            for (_, _, value) in planted() {
                prop_assert!(!body.contains(&value), "{value} in {body}");
            }
            prop_assert!(parts(request, None).iter().any(|part| !part.masked.is_empty()));
        }
        prop_assert!(fork::extends(&fork, &request));
        prop_assert_eq!(request.body(), built(&session, &entries).body());
    }

    #[test]
    fn what_follows_in_a_conversation_extends_the_request_before(
        entries in conversation(),
        reply in "[a-z]{1,9}",
        question in "[a-z]{1,9}",
    ) {
        let now = Moment::from_seconds(20_000);
        let before = built(&session(), &entries);
        let said = |role, piece| Entry::Said { role, blocks: vec![Block::text(piece)], time: now };
        let mut later = entries.clone();
        // A request ends with the user's words.
        if before.messages.last().is_some_and(|last| last.role == Role::Assistant) {
            return Ok(());
        }
        later.push(said(Role::Assistant, answer(&reply)));
        later.push(said(Role::User, asked(&question)));
        let after = built(&session(), &later);
        prop_assert!(fork::extends(&after, &before));
    }

    #[test]
    fn a_changed_memory_changes_nothing_before_its_own_part(
        entries in conversation(),
        at in any::<prop::sample::Index>(),
        body in "[a-z]{1,9}",
    ) {
        let attached: Vec<usize> = (0..entries.len())
            .filter(|at| matches!(entries[*at], Entry::Attached { .. }))
            .collect();
        if attached.is_empty() {
            return Ok(());
        }
        let at = attached[at.index(attached.len())];
        let with = |body: &str| {
            let mut entries = entries.clone();
            if let Entry::Attached { pieces, .. } = &mut entries[at] {
                *pieces = vec![Piece::new(Kind::Recalled, Origin::File, format!("changed {body}"))];
            }
            parts(&built(&session(), &entries), None)
        };
        let (one, other) = (with("1"), with(&body));
        let differs = one.iter().zip(&other).position(|(a, b)| a.text != b.text);
        if let Some(first) = differs {
            prop_assert_eq!(one[first].text.as_str(), "changed 1");
            prop_assert!(one[first + 1..].iter().zip(&other[first + 1..]).all(|(a, b)| a.text == b.text));
        }
    }

    #[test]
    fn the_parts_of_a_block_are_its_text_whatever_is_in_it(entries in conversation()) {
        let request = built(&session(), &entries);
        let all: String = parts(&request, None)
            .into_iter()
            .filter(|part| !matches!(part.kind, Kind::ToolUse | Kind::Raw) && part.place != crate::context::part::Place::Tools)
            .map(|part| part.text)
            .collect();
        let blocks: String = request.blocks().filter(|block| !block.pieces().is_empty()).map(Block::shown).collect();
        prop_assert_eq!(all, blocks);
    }
}
