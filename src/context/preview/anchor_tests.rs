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

/// A new file comes with the line that names it: with a count and without one the same change makes the
/// same difference.
#[test]
fn the_same_change_makes_the_same_difference_with_a_count_and_without() {
    let rule = "/srv/p/.claude/rules/z.md";
    let world = usual();
    let plain = world.preview(&asked()).tokens;
    world.write(rule, &"r".repeat(66));
    let more = world.preview(&asked()).tokens - plain;
    let line =
        format!("\n\nContents of {rule} (project instructions, checked into the codebase):\n\n");
    assert_eq!(more, 22 + line.len().div_ceil(3));
    let world = usual();
    transcript(&world, &session("Be brief.", &counted()));
    world.write(rule, &"r".repeat(66));
    let preview = world.preview(&asked());
    assert_eq!(total(&preview), (15_000 + more, Some(15_003), false));
    // What a Read brings along, too, with the text around it.
    let read = || Switches {
        read: vec!["sub/a.css".into()],
        ..Switches::default()
    };
    let anchored = world.preview(&with(read())).tokens - preview.tokens;
    let world = usual();
    assert_eq!(world.preview(&with(read())).tokens - plain, anchored);
}

/// What would be less than the known parts is no total, and that is said.
#[test]
fn a_count_that_is_less_than_the_known_parts_is_not_used() {
    let world = usual();
    transcript(&world, &session("Be brief.", &json!({"input_tokens": 100})));
    let preview = world.preview(&asked());
    let parts: usize = preview.parts.iter().filter_map(|part| part.tokens).sum();
    assert_eq!(total(&preview), (parts, None, true));
    let said = format!(
        "the provider's count of the newest session's first request, 100 tokens, is not used: it would make the total 97 tokens, fewer than the {} of its known parts",
        crate::base::time::grouped(parts)
    );
    assert!(preview.notes.contains(&said), "{:?}", preview.notes);
}

#[test]
fn without_a_count_of_such_a_request_there_is_no_anchor() {
    let world = usual();
    transcript(&world, &session("Be brief.", &counted()));
    let usual = Switches::default();
    assert_eq!(anchored(&world, usual.clone()), Some(15_003));
    for (other, why) in [
        (
            Switches {
                layout: Layout::Ours,
                ..usual.clone()
            },
            "it is of another client than our own chat",
        ),
        (
            Switches {
                layout: Layout::Observed(Some("2.1.300".to_string())),
                ..usual.clone()
            },
            "it is of version 2.1.332",
        ),
        (
            Switches {
                model: Some("claude-haiku-4-5".to_string()),
                ..usual.clone()
            },
            "it is of the model claude-opus-5-5",
        ),
        (
            Switches {
                moment: Moment::Compacted,
                ..usual.clone()
            },
            "it is of a new session",
        ),
        (
            Switches {
                moment: Moment::Resumed,
                ..usual.clone()
            },
            "it is of a new session",
        ),
        (
            Switches {
                recall: Recall::Off,
                ..usual.clone()
            },
            "it is of a request with memory",
        ),
    ] {
        let preview = world.preview(&with(other.clone()));
        assert_eq!(preview.anchor, None, "{other:?}");
        let said = format!(
            "the provider's count of the newest session's first request, 15,003 tokens, is not used: {why}"
        );
        assert!(preview.notes.contains(&said), "{:?}", preview.notes);
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
