use std::time::Duration;

use serde_json::json;

use super::*;
use crate::app::painted::Tone as Paint;
use crate::app::session_rows::{Fold, Tone};
use crate::base::time::Moment;
use crate::config::theme::Role;
use crate::context::conversation::Entry;
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Role as Speaker};
use crate::context::tokens::Total;
use crate::engine::drive::Event;
use crate::engine::review::Decided;
use crate::llm::answer;
use crate::llm::failure::{Failure, What};
use crate::store::change::Author;
use crate::turn::call::Call;
use crate::turn::machine::End;
use crate::turn::overlay::{FileChange, Proposal};
use crate::turn::record::Decision;

fn said(role: Speaker, blocks: Vec<Block>) -> Event {
    Event::Entered(Entry::Said {
        role,
        blocks,
        time: Moment::default(),
    })
}

fn text(text: &str) -> Block {
    Block::text(Piece::new(Kind::Answer, Origin::Conversation, text))
}

fn came(text: &str) -> Event {
    Event::Came(answer::Event::Text {
        index: 0,
        text: text.to_string(),
    })
}

fn call(id: &str) -> Block {
    Block::new(Content::ToolUse {
        id: id.into(),
        name: "Read".into(),
        input: json!({"file_path": "/srv/proj/src/main.rs"}),
    })
}

fn result(id: &str, said: &str, is_error: bool) -> Block {
    let result = Piece::new(Kind::ToolResult, Origin::Conversation, said);
    Block::new(Content::ToolResult {
        id: id.into(),
        result,
        is_error,
    })
}

fn proposal() -> Proposal {
    Proposal {
        id: "c1".into(),
        title: "new two".into(),
        files: vec![FileChange {
            path: "/m/two.md".into(),
            before: None,
            after: Some("It is so.\n".into()),
            keeps_age: false,
        }],
        by: Author::Agent,
    }
}

fn shown(pane: &mut AgentPane) -> Vec<String> {
    pane.settle(30, 20);
    pane.rows().iter().map(|row| row.text.clone()).collect()
}

fn with(events: Vec<Event>) -> AgentPane {
    let mut pane = AgentPane::default();
    for event in events {
        pane.talk.take(event);
    }
    pane
}

#[test]
fn what_comes_is_shown_as_it_comes_and_stands_once_when_it_is_whole() {
    let mut pane = with(vec![
        said(
            Speaker::User,
            vec![Block::text(Piece::new(
                Kind::Prompt,
                Origin::Conversation,
                "Is it?",
            ))],
        ),
        Event::Asking(Total {
            tokens: 1_234,
            exact: false,
        }),
        came("It "),
        came("is"),
    ]);
    assert_eq!(pane.talk.state, State::Answering);
    assert_eq!(shown(&mut pane), ["Is it?", "It is"]);
    pane.talk.take(came(" so.\n- Really."));
    assert_eq!(shown(&mut pane), ["Is it?", "It is so.", "", "• Really."]);
    pane.talk
        .take(said(Speaker::Assistant, vec![text("It is so.\n- Really.")]));
    pane.talk.take(Event::Ended(End::Answered));
    assert_eq!(shown(&mut pane), ["Is it?", "It is so.", "", "• Really."]);
    assert_eq!(
        (pane.talk.state.clone(), pane.talk.tokens),
        (State::Idle, Some((1_234, false)))
    );
}

#[test]
fn a_try_that_failed_leaves_a_word_and_none_of_its_text() {
    let mut pane = with(vec![
        Event::Asking(Total {
            tokens: 1,
            exact: false,
        }),
        came("wrong"),
        Event::Came(answer::Event::Again {
            why: Failure::new(What::NoModel, ""),
            wait: Duration::from_millis(1_500),
            attempt: 2,
        }),
        came("right"),
    ]);
    let rows = shown(&mut pane).join(" ");
    assert!(
        rows.contains("asked again in 1.5 s, try 2")
            && rows.ends_with("right")
            && !rows.contains("wrong"),
        "{rows}"
    );
}

#[test]
fn a_call_is_one_line_that_unfolds_to_what_came_of_it() {
    let mut pane = with(vec![
        said(Speaker::Assistant, vec![call("a"), call("b")]),
        Event::Calling(Call {
            id: "a".into(),
            name: "Read".into(),
            input: json!({}),
        }),
    ]);
    assert_eq!(pane.talk.state, State::Running("Read".into()));
    assert_eq!(
        shown(&mut pane),
        ["Read src/main.rs …", "Read src/main.rs …"]
    );
    pane.talk.take(said(
        Speaker::User,
        vec![
            result("a", "1\tone\n2\ttwo", false),
            result("b", "no", true),
        ],
    ));
    assert_eq!(
        shown(&mut pane),
        ["Read src/main.rs · 2 lines", "Read src/main.rs · refused"]
    );
    assert_eq!(pane.rows()[0].fold, Fold::Closed);
    pane.go(0);
    assert_eq!(pane.target(), Some(&Target::Fold(0)));
    pane.toggle(0);
    assert_eq!(shown(&mut pane)[1..3], ["1   one", "2   two"]);
    pane.toggle(0);
    assert_eq!(shown(&mut pane).len(), 2);
}

#[test]
fn a_card_shows_its_diff_until_it_is_decided_on() {
    let mut pane = with(vec![Event::Proposed(proposal())]);
    let rows = shown(&mut pane);
    assert_eq!(rows[0], "╭ ✎ for review · new two ─────");
    assert_eq!(rows[1..rows.len() - 1], ["│ two.md", "│ +It is so."]);
    assert!(
        pane.rows()
            .iter()
            .all(|row| crate::base::text::width(&row.text) <= 30)
    );
    assert_eq!(pane.rows()[2].tone, Tone::Added);
    assert_eq!(pane.talk.waiting().count(), 1);
    pane.go(2);
    assert_eq!(pane.target(), Some(&Target::Card("c1".into())));
    pane.talk.decided(&Decided {
        all: vec![(proposal(), Decision::Rejected)],
        key: None,
        notices: vec!["merged".into()],
    });
    let rows = shown(&mut pane);
    assert!(rows[0].starts_with("╭ ✗ rejected · new two"));
    assert_eq!(rows[2], "merged");
    assert_eq!(pane.talk.waiting().count(), 0);
}

#[test]
fn what_a_session_holds_is_shown_as_when_it_was_said() {
    let events = || {
        vec![
            said(
                Speaker::User,
                vec![Block::text(Piece::new(
                    Kind::Prompt,
                    Origin::Conversation,
                    "Is it?",
                ))],
            ),
            Event::Entered(Entry::Attached {
                pieces: vec![
                    Piece::new(Kind::Recalled, Origin::File, "It rains.")
                        .of(std::path::Path::new("/m/rain.md")),
                ],
                time: Moment::default(),
            }),
            said(Speaker::Assistant, vec![text("Yes.")]),
        ]
    };
    let mut live = with(events());
    let entries: Vec<Entry> = events()
        .into_iter()
        .filter_map(|event| match event {
            Event::Entered(entry) => Some(entry),
            _ => None,
        })
        .collect();
    let mut restored = AgentPane::default();
    restored.talk.restore(&entries, &[proposal()]);
    let rows = shown(&mut restored);
    assert_eq!(rows[..3], ["Is it?", "↺ rain", "Yes."]);
    assert_eq!(rows[..3], shown(&mut live)[..]);
    assert!(rows[3].contains("for review"));
}

#[test]
fn text_from_a_model_reaches_no_terminal_raw() {
    let mut pane = with(vec![said(
        Speaker::Assistant,
        vec![text("\u{1b}[2J\u{202e}bad\u{7}")],
    )]);
    let rows = shown(&mut pane).join("");
    assert!(
        !rows.chars().any(char::is_control) && !rows.contains('\u{202e}'),
        "{rows:?}"
    );
}

#[test]
fn the_last_row_stays_in_view_unless_a_person_went_up() {
    let mut pane = with(vec![said(
        Speaker::Assistant,
        vec![text(&"- line\n".repeat(50))],
    )]);
    pane.settle(30, 10);
    assert_eq!((pane.list.cursor, pane.list.offset), (49, 40));
    pane.step(-20);
    pane.talk.take(came("more"));
    pane.settle(30, 10);
    assert_eq!(pane.list.cursor, 29);
    pane.step(isize::MAX);
    pane.talk.take(came("\n- and more"));
    pane.settle(30, 10);
    assert_eq!(pane.list.cursor, 52);
}

#[test]
fn earlier_questions_come_back() {
    let mut pane = AgentPane::default();
    for question in ["one", "two"] {
        pane.input.paste(question);
        assert_eq!(pane.take_question(), question);
    }
    assert!(pane.recall_question(true) && pane.input.text() == "two");
    assert!(pane.recall_question(true) && pane.input.text() == "one");
    assert!(!pane.recall_question(true));
    assert!(pane.recall_question(false) && pane.input.text() == "two");
    assert!(pane.recall_question(false) && pane.input.text().is_empty());
}

#[test]
fn an_answer_is_laid_out_as_markdown_while_it_comes_as_when_it_is_whole() {
    let answer = "# What is so\n\nIt is **so**, see `one.md`:\n\n- 漢字 🦀 and words that are wrapped\n- two\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let mut pane = AgentPane::default();
    let mut pieces = answer;
    while let Some((at, _)) = pieces.char_indices().nth(3) {
        pane.talk.take(came(&pieces[..at]));
        pieces = &pieces[at..];
        pane.settle(30, 20);
    }
    pane.talk.take(came(pieces));
    let coming = shown(&mut pane);
    assert_eq!(
        coming,
        [
            "What is so",
            "",
            "It is so, see one.md:",
            "",
            "• 漢字 🦀 and words that are",
            "  wrapped",
            "• two",
            "",
            "  fn main() {}",
            "",
            "a │ b",
            "──┼──",
            "1 │ 2",
        ]
    );
    assert!(
        pane.rows()
            .iter()
            .all(|row| crate::base::text::width(&row.text) <= 28)
    );
    let ink = |pane: &AgentPane, row: usize, piece: usize| pane.rows()[row].inks[piece].1.clone();
    assert_eq!(ink(&pane, 0, 0).roles, [Role::Title]);
    assert_eq!(ink(&pane, 2, 1).roles, [Role::Strong]);
    pane.talk.take(said(Speaker::Assistant, vec![text(answer)]));
    pane.talk.take(Event::Ended(End::Answered));
    assert_eq!(shown(&mut pane), coming);
}

#[test]
fn code_is_painted_once_its_answer_is_whole_and_only_in_its_conversation() {
    let code = "```rust\nfn main() {}\n```";
    let mut pane = with(vec![
        said(Speaker::Assistant, vec![text("No code.")]),
        came(code),
    ]);
    assert_eq!(pane.to_paint(), []);
    pane.talk.take(said(Speaker::Assistant, vec![text(code)]));
    assert_eq!(pane.to_paint(), [(1, code.to_string())]);
    assert_eq!(pane.to_paint(), []);
    pane.is_painting(7, 1);
    pane.settle(30, 20);
    let painted = || vec![Some(vec![vec![(Paint::Keyword, "fn".to_string())]])];
    assert_eq!(pane.take_painted(8, painted()), Some(painted()));
    assert_eq!(pane.take_painted(7, painted()), None);
    assert_eq!(shown(&mut pane), ["No code.", "  fn"]);
    assert_eq!(pane.rows()[1].inks[1].1.roles, [Role::Keyword]);
    pane.is_painting(9, 1);
    pane.clear();
    assert_eq!(pane.take_painted(9, painted()), Some(painted()));
}

#[test]
fn a_question_of_any_size_is_folded_and_unfolds() {
    let asked = |text: &str| {
        let prompt = Piece::new(Kind::Prompt, Origin::Conversation, text);
        with(vec![said(Speaker::User, vec![Block::text(prompt)])])
    };
    let mut pane = asked(&"line\n".repeat(20));
    assert_eq!(shown(&mut pane).len(), 20);
    let mut pane = asked(&"line\n".repeat(5_000));
    let rows = shown(&mut pane);
    assert_eq!((rows.len(), rows[20].as_str()), (21, "… 4,979 lines more"));
    assert_eq!(pane.rows()[20].fold, Fold::Closed);
    pane.go(20);
    assert_eq!(pane.target(), Some(&Target::Fold(0)));
    pane.toggle(0);
    let rows = shown(&mut pane);
    assert_eq!(
        (rows.len(), rows[1_000].as_str()),
        (1_001, "… 3,999 lines more")
    );
    // One line of it is as good.
    let mut pane = asked(&"漢".repeat(400_000));
    let rows = shown(&mut pane);
    assert_eq!((rows.len(), rows[20].as_str()), (21, "… more of the line"));
}
