use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Value, json};

use super::*;
use crate::config::model::{Model as Settings, Protocol};
use crate::config::settings::Review;
use crate::context::part::{Kind, Origin, Piece};
use crate::llm::client::Client;
use crate::llm::model_server::{ModelServer, Reply};
use crate::llm::provider::Provider;
use crate::turn::record::{self, Header, Record};
use crate::turn::world_for_tests::{World, memory};

/// Hands that keep in memory and write down the order of what happens.
struct Held {
    record: Record,
    lines: String,
    told: Vec<String>,
    /// Requests, as they went out.
    sent: Vec<String>,
    /// Attached before the next request.
    fetched: Vec<Vec<Piece>>,
    now: Moment,
    /// Set after so many events of an answer.
    stop_after: Option<usize>,
    came: usize,
    stop: Stop,
}

impl Held {
    fn new(world: &World) -> Self {
        let mut record = Record::new(Header {
            session: world.chat.id.clone(),
            cwd: world.project(),
            branch: None,
        });
        let lines = record.line(Item::Begun(&world.chat.session), Moment::default());
        Self {
            record,
            lines,
            told: Vec::new(),
            sent: Vec::new(),
            fetched: Vec::new(),
            now: Moment::from_seconds(1_000),
            stop_after: None,
            came: 0,
            stop: Stop::default(),
        }
    }
}

impl Hands for Held {
    fn now(&self) -> Moment {
        self.now
    }

    fn keep(&mut self, item: Item<'_>) -> Result<(), String> {
        let line = self.record.line(item, self.now);
        let kind: Value = serde_json::from_str(&line).unwrap();
        self.told
            .push(format!("keep {}", kind["type"].as_str().unwrap()));
        self.lines.push_str(&line);
        Ok(())
    }

    fn sent(&mut self, request: &Request, answer: Option<&Answer>) {
        self.sent.push(request.body());
        self.told.push(
            if answer.is_some() {
                "sent"
            } else {
                "sent, no answer"
            }
            .to_string(),
        );
    }

    fn between(&mut self, chat: &mut Chat, _tools: &mut Toolbox) {
        self.told.push("poll".to_string());
        for pieces in std::mem::take(&mut self.fetched) {
            chat.attach(pieces, self.now);
        }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Came(_) => {
                // Time goes on while an answer comes.
                self.now.seconds += 1;
                self.came += 1;
                if self.stop_after == Some(self.came) {
                    self.stop.set();
                }
            }
            Event::Asking(_) => self.told.push("ask".to_string()),
            Event::Calling(call) => self.told.push(format!("call {}", call.name)),
            Event::Called { told, .. } => self.told.push(told),
            Event::Proposed(proposal) => self.told.push(format!("card {}", proposal.title)),
            Event::NotKept(why) => self.told.push(why),
            Event::Entered(_) | Event::Recalled(_) => {}
            Event::Ended(end) => self.told.push(format!("{end:?}")),
        }
    }
}

fn client(server: &ModelServer) -> Client {
    let settings = Settings {
        provider: Some(Protocol::Anthropic),
        base_url: Some(server.url()),
        ..Settings::default()
    };
    let provider = Provider::from(&settings, &BTreeMap::new(), Path::new("/")).unwrap();
    let mut client = Client::new(provider);
    client.retry.first = Duration::from_millis(1);
    client.retry.most = Duration::from_millis(2);
    client
}

fn world(review: Review) -> World {
    let mut world = World::new(review);
    let params = &mut world.chat.session.params;
    params.model = "demo-1".to_string();
    params.max_tokens = Some(1_000);
    params.stream = true;
    params.tools = crate::turn::tools::described();
    world
}

fn drive(world: &mut World, client: &Client, hands: &mut Held, prompt: &str) -> End {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let stop = hands.stop.clone();
    let drive = Drive {
        model: client,
        chat: &mut world.chat,
        tools: &mut world.toolbox,
        hands,
        stop: &stop,
    };
    runtime.block_on(drive.turn(prompt))
}

#[test]
fn each_entry_is_kept_before_anything_builds_on_it() {
    let server = ModelServer::start();
    let mut world = world(Review::Review);
    let mut hands = Held::new(&world);
    hands.fetched = vec![vec![Piece::new(Kind::Recalled, Origin::File, "It rains.")]];
    let path = world.at("new-one.md");
    server.reply(Reply::calls(&[
        ("a", "LS", json!({})),
        (
            "b",
            "Write",
            json!({"file_path": path, "content": memory("new-one", "New", "So.")}),
        ),
    ]));
    server.reply(Reply::text("Done."));
    let client = client(&server);
    assert_eq!(
        drive(&mut world, &client, &mut hands, "Save it."),
        End::Answered
    );
    hands.told.retain(|told| told != "keep loci-partial");
    assert_eq!(
        hands.told,
        [
            "poll",
            "keep user",
            "keep attachment",
            "ask",
            "sent",
            "keep assistant",
            "call LS",
            &format!("LS {} · 1", world.project().display()),
            "call Write",
            "keep loci-proposal",
            "card new new-one",
            "new new-one · for review",
            "poll",
            "keep user",
            "ask",
            "sent",
            "keep assistant",
            "Answered"
        ]
    );
    // What is kept gives the same request again; the anchor is the provider's count.
    let read = record::read(hands.lines.as_bytes()).unwrap();
    assert_eq!(read.chat.entries, world.chat.entries);
    assert_eq!(read.chat.anchor, world.chat.anchor);
    assert!(read.chat.anchor.is_some());
    assert_eq!(read.overlay, world.toolbox.overlay);
    assert_eq!(server.refusals(), Vec::<String>::new());
    let bodies: Vec<String> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, hands.sent);
}

#[test]
fn an_interruption_in_the_middle_of_an_answer_keeps_what_came() {
    let server = ModelServer::start();
    let mut world = world(Review::Review);
    let mut hands = Held::new(&world);
    hands.stop_after = Some(6);
    server.reply(Reply::text(&"word ".repeat(40)).silent_after(900));
    let client = client(&server);
    assert_eq!(
        drive(&mut world, &client, &mut hands, "Tell."),
        End::Interrupted
    );
    let said = world.chat.entries.iter().find_map(|entry| match entry {
        Entry::Said {
            role: Role::Assistant,
            blocks,
            ..
        } => Some(blocks[0].shown().into_owned()),
        _ => None,
    });
    let said = said.unwrap();
    assert!(said.starts_with("word ") && said.len() < 200, "{said}");
    assert_eq!(
        record::read(hands.lines.as_bytes()).unwrap().chat.entries,
        world.chat.entries
    );
}

#[test]
fn a_try_that_fails_leaves_nothing_in_what_is_kept() {
    let server = ModelServer::start();
    let mut world = world(Review::Review);
    let mut hands = Held::new(&world);
    server.reply(Reply::text(&"wrong ".repeat(9)).error_after(8, "overloaded_error"));
    server.reply(Reply::text("right"));
    let client = client(&server);
    assert_eq!(
        drive(&mut world, &client, &mut hands, "Tell."),
        End::Answered
    );
    assert!(
        hands.told.contains(&"keep loci-void".to_string()),
        "{:?}",
        hands.told
    );
    // The program dies before the second answer is whole: nothing of the first is there.
    let cut = hands.lines.rfind("{\"cwd\"").unwrap();
    let dead = record::read(&hands.lines.as_bytes()[..cut]).unwrap();
    let texts = format!("{:?}", dead.chat.entries);
    assert!(!texts.contains("wrong"), "{texts}");
}

/// What a random number decides.
struct Dice(TestRng);

impl Dice {
    fn below(&mut self, many: u32) -> u32 {
        use proptest::prelude::Rng;
        self.0.next_u32() % many
    }

    fn reply(&mut self, world: &World) -> Reply {
        let id = ["a", "b", "call 1", ""][self.below(4) as usize];
        let call = |dice: &mut Self| {
            let (name, input) = match dice.below(9) {
                0 => ("Read", json!({"file_path": "src/main.rs"})),
                1 => ("Read", json!({"file_path": world.at("a.md")})),
                2 => ("LS", json!({})),
                3 => ("Grep", json!({"pattern": "main"})),
                4 => {
                    let name = format!("m{}", dice.below(50));
                    let text = memory(&name, "Made", "By dice.");
                    (
                        "Write",
                        json!({"file_path": world.at(&format!("{name}.md")), "content": text}),
                    )
                }
                5 => (
                    "Forget",
                    json!({"file_path": world.at(&format!("m{}.md", dice.below(50)))}),
                ),
                6 => ("Nothing", json!({"x": [1, null]})),
                7 => ("Read", json!({"file_path": 5})),
                _ => ("Glob", json!({"pattern": "**"})),
            };
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        };
        let calls: Vec<Value> = (0..=self.below(3)).map(|_| call(self)).collect();
        let text = json!({"type": "text", "text": "Some words 時 🪶 \n"});
        let blank = json!({"type": "text", "text": " \n"});
        let thought = json!({"type": "thinking", "thinking": "hm", "signature": "sig"});
        let with = |first: Vec<Value>, rest: &[Value]| [first, rest.to_vec()].concat();
        match self.below(14) {
            0..=3 => Reply::blocks(with(vec![text], &calls), "tool_use"),
            4 => Reply::blocks(with(vec![thought, text], &calls), "tool_use"),
            5 => Reply::blocks(with(vec![blank], &calls), "tool_use"),
            6 => Reply::blocks(with(vec![text], &calls), "max_tokens"),
            7 => Reply::blocks(vec![thought], "end_turn"),
            8 => Reply::blocks(vec![text], "refusal"),
            9 => Reply::text("It breaks here and there.")
                .error_after(self.below(7) as usize + 1, "overloaded_error"),
            10 => Reply::text("It breaks in the middle of a word.")
                .cut_after(self.below(900) as usize),
            11 => Reply::status(400, "invalid_request_error", "as the dice have it"),
            12 => Reply::blocks(vec![text.clone(), text], "pause_turn"),
            _ => Reply::text("An answer."),
        }
    }
}

/// A thousand conversations of calls, parallel ones, interruptions, errors, recalls and resumes: the strict
/// server takes each request that they give.
#[test]
fn a_thousand_random_conversations_give_only_requests_that_are_accepted() {
    let server = ModelServer::start();
    let mut dice = Dice(TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let client = client(&server);
    let mut requests = 0;
    let mut world = world(Review::Auto);
    for number in 0..1_000 {
        server.new_session();
        world.chat = Chat::new(format!("s{number}"), world.chat.session.clone());
        world.toolbox.review = [Review::Auto, Review::Review][dice.below(2) as usize];
        world.toolbox.overlay.pending.clear();
        let mut hands = Held::new(&world);
        for _ in 0..=dice.below(3) {
            for _ in 0..4 {
                server.reply(dice.reply(&world));
            }
            for recalled in 0..dice.below(3) {
                let text = ["It rains.", "</system-reminder>", " "][recalled as usize];
                hands
                    .fetched
                    .push(vec![Piece::new(Kind::Recalled, Origin::File, text)]);
            }
            hands.stop = Stop::default();
            hands.came = 0;
            hands.stop_after = (dice.below(4) == 0).then(|| dice.below(12) as usize + 1);
            drive(&mut world, &client, &mut hands, "Say something.");
            let read = record::read(hands.lines.as_bytes()).unwrap();
            assert_eq!(read.chat.entries, world.chat.entries);
            if dice.below(3) == 0 {
                // It is taken up again by another process.
                world.chat = read.chat;
                world.toolbox.overlay = read.overlay;
            }
            server.clear();
        }
        assert_eq!(
            server.refusals(),
            Vec::<String>::new(),
            "conversation {number}"
        );
        requests += hands.sent.len();
    }
    assert!(requests > 3_000, "{requests}");
}
