use std::collections::VecDeque;
use std::fs;
use std::sync::Mutex;

use serde_json::{Value, json};

use super::*;
use crate::config::limits::RECALL_BYTES;
use crate::context::part::Origin;
use crate::llm::answer::{Answer, Event, StopReason};
use crate::llm::ask::Ask;
use crate::llm::failure::{Failure, What};
use crate::llm::listing::Listed;
use crate::llm::{Broken, Sink, Soon};

/// A model that says what it is told to.
#[derive(Default)]
pub struct Scripted {
    replies: Mutex<VecDeque<Result<String, What>>>,
    asks: Mutex<Vec<Ask>>,
}

impl Scripted {
    fn says(text: &str) -> Self {
        Self::all([Ok(text.to_string())])
    }

    fn all(replies: impl IntoIterator<Item = Result<String, What>>) -> Self {
        Self {
            replies: Mutex::new(replies.into_iter().collect()),
            asks: Mutex::default(),
        }
    }

    fn bodies(&self) -> Vec<Value> {
        let asks = self.asks.lock().unwrap();
        asks.iter()
            .map(|ask| serde_json::from_str(&ask.body).unwrap())
            .collect()
    }
}

impl Model for Scripted {
    fn stream<'a>(&'a self, ask: &'a Ask, _: &'a mut Sink<'a>) -> Soon<'a, Result<Answer, Broken>> {
        self.asks.lock().unwrap().push(ask.clone());
        let reply = self
            .replies
            .lock()
            .unwrap()
            .pop_front()
            .expect("a reply is left");
        Box::pin(async move {
            let text = reply.map_err(|what| Failure::new(what, "POST http://h"))?;
            let mut answer = Answer::default();
            for event in [
                Event::Text { index: 0, text },
                Event::Usage(Usage {
                    input: 90,
                    output: 7,
                    ..Usage::default()
                }),
                Event::Stopped(StopReason::EndTurn),
            ] {
                answer.take(&event);
            }
            Ok(answer)
        })
    }

    fn count<'a>(&'a self, _: &'a Ask) -> Soon<'a, Result<Option<u64>, Failure>> {
        Box::pin(async { Ok(None) })
    }

    fn list(&self) -> Soon<'_, Result<Vec<Listed>, Failure>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn window<'a>(&'a self, _: &'a str) -> Soon<'a, Result<Option<u64>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

struct World {
    folder: tempfile::TempDir,
    prompt: SelectorPrompt,
    allowed: Allowed,
    disk: Disk,
    entries: Vec<Entry>,
    breaker: Breaker,
    mode: Recall,
}

const QUESTION: &str = "how do we deploy the migration to production?";

impl World {
    fn new() -> Self {
        let world = Self {
            folder: tempfile::tempdir().unwrap(),
            prompt: SelectorPrompt::default(),
            disk: Disk::system(),
            entries: Vec::new(),
            breaker: Breaker::new("recall"),
            mode: Recall::Prefetch,
            allowed: Allowed::default(),
        };
        for (file, description) in [
            (
                "migration.md",
                "Take a snapshot before you deploy a migration to production",
            ),
            ("freeze.md", "No deploys on Fridays"),
            ("tone.md", "Answer in short sentences"),
            ("fonts.md", "The font licence forbids embedding"),
            ("rounding.md", "Invoices round half up per line"),
        ] {
            world.write(file, description, "body");
        }
        world
    }

    fn write(&self, file: &str, description: &str, body: &str) {
        let text =
            format!("---\nname: {file}\ndescription: {description}\ntype: project\n---\n{body}\n");
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    fn asked<'a>(&'a self, question: &'a str, tools: &'a [String]) -> Asked<'a> {
        Asked {
            disk: &self.disk,
            folder: self.folder.path(),
            mode: self.mode,
            question,
            entries: &self.entries,
            tools,
            now: Moment::from_seconds(4_000_000_000),
            prompt: &self.prompt,
            allowed: &self.allowed,
        }
    }

    fn ask(
        &self,
        model: Option<&Scripted>,
        breaker: &mut Breaker,
        question: &str,
    ) -> Result<Recalled, Gate> {
        let tools = ["Read".to_string(), "Grep".to_string()];
        let asked = self.asked(question, &tools);
        let selector = model.map(|model| Selector {
            model,
            name: Some("small-1"),
            breaker,
        });
        run(recall(&asked, selector))
    }

    fn by_model(&mut self, model: &Scripted) -> Recalled {
        let mut breaker = self.breaker.clone();
        let recalled = self.ask(Some(model), &mut breaker, QUESTION);
        self.breaker = breaker;
        recalled.unwrap()
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(future)
}

fn paths(recalled: &Recalled) -> Vec<&str> {
    recalled
        .picked
        .iter()
        .map(|one| one.path.as_str())
        .collect()
}

fn dropped(recalled: &Recalled) -> Vec<(&str, &str)> {
    let dropped = recalled.dropped.iter();
    dropped
        .map(|one| (one.path.as_str(), one.why.as_str()))
        .collect()
}

#[test]
fn each_gate_has_its_reason() {
    let mut world = World::new();
    let gate = |world: &World, question: &str| {
        world
            .ask(None, &mut Breaker::new("recall"), question)
            .unwrap_err()
    };
    assert_eq!(gate(&world, " \n"), Gate::NoQuestion);
    assert_eq!(gate(&world, "migration"), Gate::TooShort);
    assert_eq!(gate(&world, "补数吗"), Gate::TooShort);
    assert!(
        world
            .ask(None, &mut Breaker::new("recall"), "补数流程")
            .is_ok()
    );
    let text = Piece::new(Kind::Recalled, Origin::File, "x".repeat(RECALLED_BYTES));
    world.entries = vec![Entry::Attached {
        pieces: vec![text],
        time: Moment::default(),
    }];
    assert_eq!(gate(&world, QUESTION), Gate::BudgetUsed);
    world.mode = Recall::Index;
    assert_eq!(gate(&world, QUESTION), Gate::IndexMode);
    world.mode = Recall::Off;
    assert_eq!(gate(&world, QUESTION), Gate::Off);
}

#[test]
fn the_selector_is_asked_beside_the_conversation() {
    let mut world = World::new();
    let model = Scripted::says(r#"{"selected_memories": ["migration.md", "freeze.md"]}"#);
    let recalled = world.by_model(&model);
    assert_eq!(paths(&recalled), ["migration.md", "freeze.md"]);
    assert_eq!((recalled.by, recalled.candidates), (By::Model, 5));
    assert_eq!(
        recalled.usage.map(|usage| (usage.input, usage.output)),
        Some((90, 7))
    );
    assert_eq!(recalled.note, None);
    let body = &model.bodies()[0];
    assert_eq!(
        (&body["model"], &body["max_tokens"]),
        (&json!("small-1"), &json!(256))
    );
    let schema = &body["output_config"]["format"]["schema"];
    assert_eq!(schema["required"], json!(["selected_memories"]));
    assert!(body.get("tools").is_none());
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
    let text = body["messages"][0]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("Question:\nhow do we deploy"), "{text}");
    assert!(text.contains("with success: Read, Grep\n"), "{text}");
    assert!(
        text.contains("\n- [project] migration.md (saved "),
        "{text}"
    );
}

/// SE: what the selector is told leaves the machine too.
#[test]
fn secrets_are_masked_in_what_the_selector_is_told() {
    let mut world = World::new();
    let url = ["postgres://shop:", "Zx9Zx-n3st-Qw7", "@db/shop"].concat();
    world.write("db.md", &format!("The database is {url}"), "body");
    let model = Scripted::says(r#"{"selected_memories": []}"#);
    let question = format!("why does {url} refuse me?");
    let mut breaker = Breaker::new("recall");
    world.ask(Some(&model), &mut breaker, &question).unwrap();
    let sent = model.bodies()[0].to_string();
    assert!(sent.contains("postgres://shop:"), "{sent}");
    assert!(!sent.contains("Zx9Zx-n3st-Qw7"), "{sent}");
    // What a person lets pass goes as it is.
    let hits = crate::safety::secret::scan(&url, &Allowed::default());
    world.allowed = Allowed::new(hits.iter().map(|hit| hit.fingerprint(&url)));
    let model = Scripted::says(r#"{"selected_memories": []}"#);
    world.ask(Some(&model), &mut breaker, &question).unwrap();
    assert!(model.bodies()[0].to_string().contains("Zx9Zx-n3st-Qw7"));
}

#[test]
fn a_hostile_choice_injects_nothing() {
    let mut world = World::new();
    let outside = world.folder.path().parent().unwrap().join("secret.md");
    let hostile = json!({"selected_memories": [
        "../secret.md", outside, "MEMORY.md", "/etc/hostname", "./migration.md", "Migration.md", "", "migration.md\u{1b}[2J", 7
    ]});
    let recalled = world.by_model(&Scripted::says(&hostile.to_string()));
    assert_eq!(recalled.picked, []);
    assert_eq!(recalled.dropped.len(), 8);
    let whys: Vec<&str> = dropped(&recalled).iter().map(|(_, why)| *why).collect();
    assert_eq!(whys, ["no memory in the list has this name"; 8]);
}

#[test]
fn an_empty_choice_garbage_and_a_failure_are_three_things() {
    let mut world = World::new();
    let empty = world.by_model(&Scripted::says(r#"{"selected_memories": []}"#));
    assert_eq!(
        (empty.by, empty.picked.len(), empty.note),
        (By::Model, 0, None)
    );
    let garbage = world.by_model(&Scripted::says("I would take migration.md"));
    assert_eq!((garbage.by, garbage.picked.len()), (By::Model, 0));
    let said = garbage.note.unwrap();
    assert!(
        said.contains("can't be read: its answer holds no JSON"),
        "{said}"
    );
    assert!(!world.breaker.is_open());
    let failed = world.by_model(&Scripted::all([Err(What::Unreachable)]));
    assert_eq!(
        (failed.by, paths(&failed)),
        (By::Words, vec!["migration.md"])
    );
    let said = failed.note.unwrap();
    assert!(said.starts_with("the model did not choose: "), "{said}");
    assert!(failed.picked[0].score.is_some());
    assert!(
        failed.picked[0].why.starts_with("it has "),
        "{}",
        failed.picked[0].why
    );
}

#[test]
fn after_three_failures_words_choose_and_nobody_is_asked() {
    let mut world = World::new();
    let model = Scripted::all([Err(What::Cut), Err(What::Cut), Err(What::Cut)]);
    (0..3).for_each(|_| drop(world.by_model(&model)));
    let recalled = world.by_model(&model);
    assert_eq!(model.bodies().len(), 3);
    assert_eq!(
        (recalled.by, paths(&recalled)),
        (By::Words, vec!["migration.md"])
    );
    assert!(
        recalled
            .note
            .unwrap()
            .starts_with("recall has stopped after 3 failures")
    );
}

#[test]
fn what_the_conversation_holds_is_not_told_of_and_not_chosen_again() {
    let mut world = World::new();
    let first = world.by_model(&Scripted::says(
        r#"{"selected_memories": ["migration.md"]}"#,
    ));
    world.entries = first.entries(Moment::from_seconds(4_000_000_000));
    let model =
        Scripted::says(r#"{"selected_memories": ["migration.md", "freeze.md", "freeze.md"]}"#);
    let recalled = world.by_model(&model);
    let text = model.bodies()[0]["messages"][0]["content"][0]["text"].to_string();
    assert!(
        !text.contains("migration.md") && text.contains("freeze.md"),
        "{text}"
    );
    assert_eq!(
        (recalled.candidates, paths(&recalled)),
        (4, vec!["freeze.md"])
    );
    assert_eq!(
        dropped(&recalled),
        [
            ("migration.md", "it is in the conversation already"),
            ("migration.md", "no memory in the list has this name"),
            ("freeze.md", "it was named twice"),
        ]
    );
}

#[test]
fn at_most_five_and_only_what_the_session_has_room_for() {
    let mut world = World::new();
    let long = "x".repeat(RECALL_BYTES);
    let files: Vec<String> = (0..8).map(|at| format!("long-{at}.md")).collect();
    for file in &files {
        world.write(file, "long", &long);
    }
    let all = json!({"selected_memories": files}).to_string();
    let recalled = world.by_model(&Scripted::says(&all));
    assert_eq!(recalled.picked.len(), 5);
    assert_eq!(recalled.dropped.len(), 3);
    assert_eq!(recalled.dropped[0].why, "5 are recalled at most");
    let used = RECALLED_BYTES - 2 * RECALL_BYTES - 10;
    let text = Piece::new(Kind::Recalled, Origin::File, "x".repeat(used));
    world.entries = vec![Entry::Attached {
        pieces: vec![text],
        time: Moment::default(),
    }];
    let recalled = world.by_model(&Scripted::says(&all));
    assert_eq!(recalled.picked.len(), 2);
    assert_eq!(
        recalled.dropped[0].why,
        "the session's 61,440 bytes for memories are used up"
    );
}

#[test]
fn what_a_tool_has_read_meanwhile_is_dropped_when_it_is_put_in() {
    let mut world = World::new();
    let mut recalled = world.by_model(&Scripted::says(
        r#"{"selected_memories": ["migration.md", "freeze.md"]}"#,
    ));
    let other = recalled.clone();
    let entries = [Entry::Attached {
        pieces: other.picked[0].pieces.clone(),
        time: Moment::default(),
    }];
    recalled.settle(&entries, Moment::from_seconds(0));
    assert_eq!(paths(&recalled), ["freeze.md"]);
    assert_eq!(
        dropped(&recalled),
        [("migration.md", "it is in the conversation already")]
    );
}

#[test]
fn without_a_model_words_choose_and_it_is_said() {
    let world = World::new();
    let recalled = world
        .ask(None, &mut Breaker::new("recall"), QUESTION)
        .unwrap();
    assert_eq!(
        (recalled.by, paths(&recalled)),
        (By::Words, vec!["migration.md"])
    );
    assert_eq!(recalled.note.as_deref(), Some("no model is asked"));
    let nothing = world
        .ask(None, &mut Breaker::new("recall"), "thanks, that looks good")
        .unwrap();
    assert_eq!(nothing.picked, []);
    let said = by_words(&world.asked(QUESTION, &[]), "because").unwrap();
    assert_eq!(
        (paths(&said), said.note.as_deref()),
        (vec!["migration.md"], Some("because"))
    );
}
