//! How long a request takes to build once its files are read: 200 memories in the index, 60 KB of rules, a
//! conversation of some turns. Reports times, judges nothing.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use loci::base::time::Moment;
use loci::context::conversation::Entry;
use loci::context::memory_prompt::{MemoryPrompt, Recall};
use loci::context::observed::{self, Given, Recorded, Stage};
use loci::context::ours::{self, Session};
use loci::context::part::{self, Kind, Origin, Piece};
use loci::context::request::{Block, Life, Params, Role};
use loci::context::tokens;
use loci::instructions::{Instruction, Layer, Role as Of};
use loci::memory::load;

const ROUNDS: usize = 200;

fn main() {
    let raw: String = (1..=200)
        .map(|n| {
            format!(
                "- [Memory {n}](memory-{n:03}.md) — why one would open number {n}, in some words\n"
            )
        })
        .collect();
    let rules: Vec<Instruction> = (0..6)
        .map(|n| Instruction {
            path: format!("/srv/proj/.claude/rules/rule-{n}.md").into(),
            layer: Layer::Project,
            role: Of::Rule,
            text: "Always say what was done and why, in one sentence, before anything else.\n"
                .repeat(137),
            imported_by: None,
        })
        .collect();
    let bytes: usize = rules.iter().map(|rule| rule.text.len()).sum();
    println!("{bytes} bytes of rules, an index of {} bytes", raw.len());

    report("index loaded", || load::load(black_box(&raw)));
    let index = load::load(&raw).sent();
    let recorded = Recorded::default();
    let given = Given {
        memory_off: false,
        edited: None,
        version: observed::newest(),
        model: "claude-opus-5-5",
        recorded: &recorded,
        instructions: &rules,
        index: Some((Path::new("/m/MEMORY.md"), &index)),
        date: "2031-02-28",
        git: true,
        memory_prompt_moved: false,
        stage: Stage::First,
        prompt: Some("What was decided about retries?"),
    };
    report("observed: request", || observed::build(black_box(&given)));
    report("observed: request, parts, tokens, body", || {
        let request = observed::build(black_box(&given));
        let parts = part::parts(&request, None);
        (tokens::total(&request, None), parts, request.body())
    });

    let session = session(rules.clone(), index.clone());
    let conversation = conversation();
    let now = Moment::from_seconds(1_000);
    report("ours: request", || {
        ours::build(black_box(&session), &conversation, &[], now)
    });
    report("ours: request, parts, tokens, body", || {
        let request = ours::build(black_box(&session), &conversation, &[], now);
        let parts = part::parts(&request, None);
        (tokens::total(&request, None), parts, request.body())
    });
    report("ours: all, index loaded too", || {
        let session = Session {
            index: Some(("/m/MEMORY.md".into(), load::load(black_box(&raw)).sent())),
            ..session.clone()
        };
        let request = ours::build(&session, &conversation, &[], now);
        (part::parts(&request, None), request.body())
    });
}

fn session(instructions: Vec<Instruction>, index: String) -> Session {
    Session {
        params: Params::default(),
        recall: Recall::Index,
        memory_prompt: MemoryPrompt::default(),
        memory_folder: "/m".into(),
        environment: "Platform: linux".to_string(),
        environment_now: "Working directory: /srv/proj".to_string(),
        instructions,
        index: Some(("/m/MEMORY.md".into(), index)),
        git_status: Some("On branch main".to_string()),
        date: "2031-02-28".to_string(),
        life: Life::FiveMinutes,
        allowed: loci::safety::secret::Allowed::default(),
    }
}

fn conversation() -> Vec<Entry> {
    let said = |role, kind, text: String, at| Entry::Said {
        role,
        blocks: vec![Block::text(Piece::new(kind, Origin::Conversation, text))],
        time: Moment::from_seconds(at),
    };
    (0..20)
        .flat_map(|turn| {
            [
                said(Role::User, Kind::Prompt, format!("question {turn}"), turn),
                said(Role::Assistant, Kind::Answer, "answer ".repeat(100), turn),
            ]
        })
        .chain([said(Role::User, Kind::Prompt, "and now?".to_string(), 30)])
        .collect()
}

/// The best, the middle and the worst of some rounds.
fn report<T>(name: &str, mut work: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<42} best {:7.3} ms · middle {:7.3} ms · worst {:7.3} ms",
        ms(times[0]),
        ms(times[ROUNDS / 2]),
        ms(times[ROUNDS - 1]),
    );
}
