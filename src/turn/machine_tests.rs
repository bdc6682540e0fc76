use super::*;
use crate::context::conversation::Entry;
use crate::context::ours::tests::session;
use crate::llm::answer::{Event, Start, Usage};
use crate::llm::failure::What;

const NOW: Moment = Moment {
    seconds: 1_000,
    nanos: 0,
};

fn chat() -> Chat {
    Chat::new("s", session())
}

/// An answer of texts and calls: `("call", id, name, input)`, `("text", text, "", "")`.
fn answer(parts: &[(&str, &str, &str, &str)], stop: Option<StopReason>) -> Answer {
    let mut answer = Answer::default();
    answer.take(&Event::Started {
        id: "m".into(),
        model: "demo-1".into(),
    });
    for (index, (kind, id, name, json)) in parts.iter().enumerate() {
        let text = (*id).to_string();
        match *kind {
            "text" => answer.take(&Event::Text { index, text }),
            "thought" => {
                answer.take(&Event::Thinking { index, text });
                answer.take(&Event::Signature {
                    index,
                    text: (*name).to_string(),
                });
            }
            _ => {
                let start = Start::Call {
                    id: text,
                    name: (*name).to_string(),
                };
                answer.take(&Event::Begun { index, start });
                answer.take(&Event::Input {
                    index,
                    json: (*json).to_string(),
                });
            }
        }
        answer.take(&Event::Ended { index });
    }
    answer.take(&Event::Usage(Usage::default()));
    if let Some(stop) = stop {
        answer.take(&Event::Stopped(stop));
    }
    answer
}

fn outcome(call: &Call, text: &str) -> Outcome {
    Outcome::done(call, text, "")
}

/// Each message of the request that would be sent, in short: `u: text`, `a: text | use id`, …
fn messages(chat: &Chat) -> Vec<String> {
    let request = chat.request(NOW);
    let all = request.messages.iter().skip(1).map(|message| {
        let blocks = message.blocks.iter().map(|block| match &block.content {
            Content::ToolUse { id, .. } => format!("use {id}"),
            Content::ToolResult {
                id,
                result,
                is_error,
            } => {
                format!(
                    "{} {id}: {}",
                    if *is_error { "error" } else { "result" },
                    result.shown()
                )
            }
            Content::Raw(value) => value["thinking"].as_str().unwrap_or("raw").to_string(),
            Content::Text(_) | Content::Reminder(_) => block.shown().into_owned(),
        });
        let blocks: Vec<String> = blocks.collect();
        format!("{}: {}", &message.role.word()[..1], blocks.join(" | "))
    });
    all.collect()
}

/// What the person says stands in the first message, behind the rules.
fn first(chat: &Chat) -> String {
    let request = chat.request(NOW);
    request.messages[0]
        .blocks
        .last()
        .unwrap()
        .shown()
        .into_owned()
}

#[test]
fn an_answer_without_calls_ends_the_turn() {
    let mut chat = chat();
    let (mut turn, step) = Turn::begin(&mut chat, "hello", NOW);
    assert_eq!(step, Step::Ask);
    assert_eq!(first(&chat), "hello");
    let step = turn.answered(
        &mut chat,
        &answer(&[("text", "hi", "", "")], Some(StopReason::EndTurn)),
        NOW,
    );
    assert_eq!(step, Step::Ended(End::Answered));
    assert_eq!(messages(&chat), ["a: hi"]);
}

#[test]
fn calls_are_run_all_at_once_and_their_results_go_back_in_their_order() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "look", NOW);
    let said = answer(
        &[
            ("thought", "hm", "sig", ""),
            ("text", "I look.", "", ""),
            ("call", "x", "Read", r#"{"a":1}"#),
            ("call", "y", "LS", ""),
        ],
        Some(StopReason::ToolUse),
    );
    let Step::Run(calls) = turn.answered(&mut chat, &said, NOW) else {
        panic!()
    };
    assert_eq!(
        calls.iter().map(|call| &*call.name).collect::<Vec<_>>(),
        ["Read", "LS"]
    );
    let mut second = outcome(&calls[1], "two");
    second.along = vec![vec![Piece::new(Kind::Nested, Origin::File, "a rule")]];
    let step = turn.ran(&mut chat, vec![second, outcome(&calls[0], "one")], NOW);
    assert_eq!(step, Step::Ask);
    assert_eq!(
        messages(&chat),
        [
            "a: hm | I look. | use x | use y",
            "u: result x: one | result y: two | <system-reminder>\na rule\n</system-reminder>"
        ]
    );
    let step = turn.answered(
        &mut chat,
        &answer(&[("text", "done", "", "")], Some(StopReason::EndTurn)),
        NOW,
    );
    assert_eq!(step, Step::Ended(End::Answered));
}

#[test]
fn a_call_that_nothing_is_told_of_counts_as_not_run() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "look", NOW);
    turn.answered(
        &mut chat,
        &answer(&[("call", "x", "LS", "{}")], Some(StopReason::ToolUse)),
        NOW,
    );
    turn.ran(&mut chat, Vec::new(), NOW);
    assert_eq!(messages(&chat), ["a: use x", "u: error x: not run"]);
}

#[test]
fn ids_that_were_used_before_or_that_a_provider_refuses_become_others() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "look", NOW);
    for _ in 0..2 {
        let twice = [
            ("call", "call 0", "LS", "{}"),
            ("call", "call 0", "LS", "{}"),
            ("call", "", "LS", "{}"),
        ];
        let Step::Run(calls) =
            turn.answered(&mut chat, &answer(&twice, Some(StopReason::ToolUse)), NOW)
        else {
            panic!()
        };
        let outcomes = calls.iter().map(|call| outcome(call, "ok")).collect();
        turn.ran(&mut chat, outcomes, NOW);
    }
    assert_eq!(
        messages(&chat),
        [
            "a: use call_0 | use call_0-2 | use call",
            "u: result call_0: ok | result call_0-2: ok | result call: ok",
            "a: use call_0-3 | use call_0-4 | use call-2",
            "u: result call_0-3: ok | result call_0-4: ok | result call-2: ok"
        ]
    );
}

/// LL12: a call that was cut is none, and a whole one beside it is not run unasked.
#[test]
fn ll12_of_an_answer_that_was_cut_no_call_is_run() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "write", NOW);
    let said = answer(
        &[
            ("text", "So:", "", ""),
            ("call", "x", "LS", "{}"),
            ("call", "y", "Write", r#"{"content":"ha"#),
        ],
        Some(StopReason::MaxTokens),
    );
    let step = turn.answered(&mut chat, &said, NOW);
    assert_eq!(
        step,
        Step::Ended(End::Cut {
            stop: StopReason::MaxTokens,
            not_run: 1
        })
    );
    assert_eq!(
        messages(&chat),
        [
            "a: So: | use x",
            "u: error x: not run: the answer that this call stands in was cut before its end; make the call again | \
             <system-reminder>\nYour answer was cut at its limit within a call of Write, which was not run. Make it \
             again, in smaller parts.\n</system-reminder>"
        ]
    );
}

#[test]
fn an_interruption_keeps_what_was_said_and_tells_the_model() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "tell", NOW);
    let came = answer(
        &[
            ("thought", "hm", "", ""),
            ("text", "Once upon", "", ""),
            ("call", "x", "LS", "{}"),
        ],
        None,
    );
    let step = turn.interrupted(&mut chat, &came, Vec::new(), NOW);
    assert_eq!(step, Step::Ended(End::Interrupted));
    let note = "<system-reminder>\nThe person interrupted you here.\n</system-reminder>";
    assert_eq!(messages(&chat), ["a: Once upon", &format!("u: {note}")]);
    // The next question goes behind the note.
    let (_, step) = Turn::begin(&mut chat, "go on", NOW);
    assert_eq!(step, Step::Ask);
    assert_eq!(
        messages(&chat),
        ["a: Once upon", &format!("u: {note} | go on")]
    );
}

#[test]
fn an_interruption_while_tools_run_keeps_their_results() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "look", NOW);
    let said = answer(
        &[("call", "x", "LS", "{}"), ("call", "y", "Grep", "{}")],
        Some(StopReason::ToolUse),
    );
    let Step::Run(calls) = turn.answered(&mut chat, &said, NOW) else {
        panic!()
    };
    turn.interrupted(
        &mut chat,
        &Answer::default(),
        vec![outcome(&calls[0], "one")],
        NOW,
    );
    assert_eq!(
        messages(&chat),
        [
            "a: use x | use y",
            "u: result x: one | error y: not run to its end: the person interrupted it | <system-reminder>\nThe \
             person interrupted you here.\n</system-reminder>"
        ]
    );
    assert_eq!(
        turn.ran(&mut chat, Vec::new(), NOW),
        Step::Ended(End::Interrupted)
    );
}

#[test]
fn a_failure_keeps_what_was_said_and_the_question_stays() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "tell", NOW);
    let failure = Failure::new(What::NoModel, "");
    let came = answer(&[("text", "Once", "", "")], None);
    let step = turn.broke(&mut chat, failure.clone(), &came, NOW);
    assert_eq!(step, Step::Ended(End::Failed(Box::new(failure.clone()))));
    assert_eq!(messages(&chat)[0], "a: Once");
    let (mut turn, _) = Turn::begin(&mut chat, "again", NOW);
    turn.broke(&mut chat, failure, &Answer::default(), NOW);
    assert!(messages(&chat)[1].ends_with("| again"));
}

#[test]
fn what_is_only_thought_is_not_sent_back() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "tell", NOW);
    let said = answer(&[("thought", "hm", "sig", "")], Some(StopReason::EndTurn));
    assert_eq!(
        turn.answered(&mut chat, &said, NOW),
        Step::Ended(End::Answered)
    );
    assert!(messages(&chat).is_empty());
}

#[test]
fn a_turn_has_an_end_however_often_the_model_asks() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "look", NOW);
    let mut asked = 1;
    loop {
        let said = answer(&[("call", "x", "LS", "{}")], Some(StopReason::ToolUse));
        match turn.answered(&mut chat, &said, NOW) {
            Step::Run(calls) => assert_eq!(
                turn.ran(&mut chat, vec![outcome(&calls[0], "ok")], NOW),
                Step::Ask
            ),
            Step::Ended(end) => {
                assert_eq!(end, End::TooLong);
                break;
            }
            Step::Ask => panic!(),
        }
        asked += 1;
    }
    assert_eq!(asked, TURN_REQUESTS);
    let last = chat.entries.last().unwrap();
    let Entry::Said { blocks, .. } = last else {
        panic!()
    };
    assert!(
        blocks[0]
            .shown()
            .starts_with("not run: this turn has had its 50 requests")
    );
}

#[test]
fn a_refusal_and_a_pause_are_told_apart() {
    let mut chat = chat();
    let (mut turn, _) = Turn::begin(&mut chat, "x", NOW);
    let pause = answer(&[("text", "wait", "", "")], Some(StopReason::PauseTurn));
    assert_eq!(turn.answered(&mut chat, &pause, NOW), Step::Ask);
    let no = answer(&[("text", "no", "", "")], Some(StopReason::Refusal));
    assert_eq!(
        turn.answered(&mut chat, &no, NOW),
        Step::Ended(End::Refused)
    );
}
