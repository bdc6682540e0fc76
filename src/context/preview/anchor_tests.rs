use serde_json::{Value, json};

use crate::context::memory_prompt::Recall;
use crate::context::preview::world_for_tests::{
    MEMORY, World, asked, began_with, transcript, usual, with,
};
use crate::context::preview::{Layout, Moment, Preview, Switches};

fn index() -> String {
    format!("{MEMORY}/MEMORY.md")
}

/// A session that began with these rules, asked 3 tokens, and was counted.
fn session(rules: &str, usage: &Value) -> Vec<Value> {
    vec![
        json!({"type": "user", "version": "2.1.332", "message": {"role": "user", "content": "x".repeat(9)}}),
        began_with(&[
            ("Project", "/srv/p/CLAUDE.md", rules),
            ("AutoMem", &index(), "- [One](one.md) — first"),
        ]),
        json!({"type": "assistant", "version": "2.1.332", "isSidechain": true,
               "message": {"model": "claude-opus-5-5", "usage": {"input_tokens": 1}}}),
        json!({"type": "assistant", "version": "2.1.332",
               "message": {"model": "claude-opus-5-5", "usage": usage}}),
        json!({"type": "assistant", "version": "2.1.332",
               "message": {"model": "claude-opus-5-5", "usage": {"input_tokens": 99_000}}}),
    ]
}

fn counted() -> Value {
    json!({"input_tokens": 3, "cache_creation_input_tokens": 10_000, "cache_read_input_tokens": 5_000})
}

fn total(preview: &Preview) -> (usize, Option<usize>, bool) {
    (preview.tokens, preview.anchor, preview.at_least)
}

fn anchored(world: &World, switches: Switches) -> Option<usize> {
    world.preview(&with(switches)).anchor
}

#[test]
fn the_first_count_of_the_newest_session_is_the_anchor_and_what_has_changed_is_estimated() {
    let world = usual();
    transcript(&world, &session("Be brief.", &counted()));
    let preview = world.preview(&asked());
    // Without the question of then, 3 tokens.
    assert_eq!(total(&preview), (15_000, Some(15_003), false));
    assert!(!preview.exact);
    let said = "the total goes by the provider's count of the newest session's first request, 15,003 tokens";
    assert!(preview.notes.iter().any(|note| note.starts_with(said)));
    assert!(preview.of_tools().unwrap().contains("in the total"));
    // A question and a rule that has grown come on top.
    world.write(
        "/srv/p/CLAUDE.md",
        &format!("Be brief.{}\n", "y".repeat(300)),
    );
    let preview = world.preview(&with(Switches {
        prompt: Some("z".repeat(30)),
        ..Switches::default()
    }));
    assert_eq!(total(&preview), (15_000 + 100 + 10, Some(15_003), false));
}

#[test]
fn without_a_count_of_such_a_request_there_is_no_anchor() {
    let world = usual();
    transcript(&world, &session("Be brief.", &counted()));
    let usual = Switches::default();
    assert_eq!(anchored(&world, usual.clone()), Some(15_003));
    for other in [
        Switches {
            layout: Layout::Ours,
            ..usual.clone()
        },
        Switches {
            layout: Layout::Observed(Some("2.1.300".to_string())),
            ..usual.clone()
        },
        Switches {
            model: Some("claude-haiku-4-5".to_string()),
            ..usual.clone()
        },
        Switches {
            moment: Moment::Compacted,
            ..usual.clone()
        },
        Switches {
            moment: Moment::Resumed,
            ..usual.clone()
        },
        Switches {
            recall: Recall::Off,
            ..usual.clone()
        },
    ] {
        assert_eq!(anchored(&world, other.clone()), None, "{other:?}");
    }
    // Fewer than the files alone, none at all, and not known with which files.
    for usage in [json!({"input_tokens": 5}), json!({})] {
        let mut lines = session("Be brief.", &usage);
        lines.pop();
        transcript(&world, &lines);
        assert_eq!(anchored(&world, usual.clone()), None, "{usage}");
    }
    let mut lines = session("Be brief.", &counted());
    lines.remove(1);
    transcript(&world, &lines);
    assert_eq!(anchored(&world, usual), None);
}
