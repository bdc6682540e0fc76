use std::path::PathBuf;

use super::*;
use crate::context::part::Kind;
use crate::context::preview::world_for_tests::{MEMORY, asked, texts, usual, with};
use crate::context::preview::{Around, Difference, Edited, Switches, build};
use crate::context::request::Role;

#[test]
fn version_and_model_come_from_the_newest_transcript() {
    let world = usual();
    world.write(
        "/home/u/.claude/projects/-srv-p/s.jsonl",
        "{\"type\":\"user\",\"version\":\"2.1.225\"}\n{\"type\":\"assistant\",\"version\":\"2.1.225\",\"message\":{\"model\":\"claude-sonnet-4-6\"}}\nbroken\n",
    );
    let preview = world.preview(&asked());
    assert_eq!(preview.observed.unwrap().version, "2.1.220");
    assert_eq!(preview.model, "claude-sonnet-4-6");
    assert_eq!(preview.window, 200_000);
    assert_eq!(
        preview.notes[0],
        "the newest transcript is of version 2.1.225, which was not looked at: laid out as by 2.1.220"
    );
}

#[test]
fn what_the_read_of_a_file_brings_along_follows_its_result() {
    let asked = with(Switches {
        read: vec![PathBuf::from("sub/a.css")],
        ..Switches::default()
    });
    let preview = usual().preview(&asked);
    let last = preview
        .request
        .messages
        .iter()
        .rfind(|message| message.role == Role::User);
    let blocks: Vec<_> = last
        .unwrap()
        .blocks
        .iter()
        .map(|block| block.shown())
        .collect();
    assert_eq!(
        blocks,
        [
            "1\ta {}\n2\t",
            "<system-reminder>\nContents of /srv/p/sub/CLAUDE.md:\n\nBelow.\n\n</system-reminder>",
            "<system-reminder>\nContents of /srv/p/.claude/rules/css.md:\n\nNo !important.\n\n</system-reminder>",
        ]
    );
    assert_eq!(preview.waiting, []);
    let nested = preview
        .parts
        .iter()
        .filter(|part| part.kind == Kind::Nested);
    let labels: Vec<_> = nested.map(|part| part.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("matches *.css")]);
    let before = usual().preview(&with(Switches {
        read: Vec::new(),
        ..asked.switches
    }));
    assert_eq!(before.waiting[0].patterns, ["*.css"]);
}

/// Where only one has the rules of its folder to bring along.
#[test]
fn files_are_read_in_their_order_and_each_rule_comes_once() {
    let world = usual();
    world.write("/srv/p/sub/b.css", "b {}\n");
    let read = |files: &[&str]| {
        let asked = with(Switches {
            read: files.iter().map(PathBuf::from).collect(),
            ..Switches::default()
        });
        world.preview(&asked)
    };
    for files in [["sub/b.css", "sub/a.css"], ["sub/a.css", "sub/b.css"]] {
        let preview = read(&files);
        let wanted = files.map(|file| match file {
            "sub/a.css" => "1\ta {}\n2\t",
            _ => "1\tb {}\n2\t",
        });
        assert_eq!(texts(&preview, Kind::ToolResult), wanted);
        assert_eq!(texts(&preview, Kind::Nested), ["Below.", "No !important."]);
        let kinds: Vec<_> = preview.parts.iter().map(|part| part.kind).collect();
        let at = |kind| kinds.iter().position(|one| *one == kind);
        let second = kinds.iter().rposition(|one| *one == Kind::ToolUse);
        assert!(at(Kind::ToolUse) < at(Kind::Nested) && at(Kind::Nested) < second);
        let body = preview.request.body();
        assert_eq!(body.matches("\"toolu_preview\"").count(), 2);
        assert_eq!(body.matches("\"toolu_preview_2\"").count(), 2);
    }
    let twice = read(&["sub/a.css", "./sub/a.css"]);
    assert_eq!(twice, {
        let mut once = read(&["sub/a.css"]);
        once.asked = twice.asked.clone();
        once.notes.insert(
            1,
            "/srv/p/sub/a.css is named twice: it is read once".to_string(),
        );
        once
    });
}

#[test]
fn a_file_that_is_not_there_is_said_and_not_made_up() {
    let asked = with(Switches {
        read: vec![PathBuf::from("sub/b.css")],
        ..Switches::default()
    });
    let preview = usual().preview(&asked);
    assert_eq!(
        preview.notes[1],
        "/srv/p/sub/b.css is not there: what it brings along is shown as if it could be read"
    );
    assert_eq!(texts(&preview, Kind::ToolResult), ["[not recorded]"]);
    assert_eq!(texts(&preview, Kind::Nested).len(), 2);
    let path = PathBuf::from("/srv/p/sub/b.css");
    assert_eq!(preview.unread, [(path, Unread::Missing)]);
}

#[test]
fn without_the_index_there_is_none_and_memory_rules_follow_the_mode() {
    for recall in [Recall::Prefetch, Recall::Off] {
        let asked = with(Switches {
            layout: Layout::Ours,
            recall,
            ..Switches::default()
        });
        let preview = usual().preview(&asked);
        assert_eq!(texts(&preview, Kind::Index), [""; 0]);
        assert_eq!(
            texts(&preview, Kind::MemoryRules).len(),
            usize::from(recall == Recall::Prefetch)
        );
    }
}

#[test]
fn an_edit_that_is_not_saved_shows_what_it_will_cost() {
    let world = usual();
    let edit = |path: &str, text: &str| Asked {
        edited: Some(Edited {
            path: PathBuf::from(path),
            bytes: text.as_bytes().to_vec(),
        }),
        ..asked()
    };
    let rule = world.preview(&edit(
        "/srv/p/CLAUDE.md",
        "Be brief, and be right, always.\n",
    ));
    assert!(rule.rules_block.contains("Be brief, and be right, always."));
    let Difference { tokens, as_read } = rule.difference.unwrap();
    // 9 and 31 characters, 3 a token.
    assert_eq!((tokens.1 - tokens.0, as_read), (11 - 3, None));
    let index = world.preview(&edit(&format!("{MEMORY}/MEMORY.md"), "- [One](one.md)\n"));
    assert!(
        index
            .rules_block
            .ends_with("- [One](one.md)\n</system-reminder>")
    );
    // A rules file that is not there yet, also in a folder that is not.
    for path in [
        "/srv/p/.claude/rules/new.md",
        "/srv/p/.claude/rules/web/new.md",
        "/home/u/.claude/rules/new.md",
        "/srv/p/CLAUDE.local.md",
    ] {
        let new = world.preview(&edit(path, "Write tests first, always.\n"));
        let Difference { tokens, .. } = new.difference.unwrap();
        assert!(tokens.1 >= tokens.0 + 9, "{path}: {tokens:?}");
        assert!(new.rules_block.contains(path), "{path}");
    }
    let waits = "---\npaths: \"*.rs\"\n---\nNo unwrap.\n";
    let waits = world.preview(&edit("/srv/p/.claude/rules/new.md", waits));
    assert_eq!(waits.waiting.len(), 2);
    let memory = world.preview(&edit(&format!("{MEMORY}/one.md"), "Text of one, longer."));
    let difference = memory.difference.unwrap();
    assert_eq!(difference.tokens.0, difference.tokens.1);
    // "1\tText of one, longer." are 22 characters.
    assert_eq!(difference.as_read.unwrap().1, 8);
}

/// What is read of a folder that was added, with the variable or without.
fn added(layout: Layout, is_set: bool) -> (Vec<String>, Vec<String>) {
    let mut world = usual();
    for name in ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"] {
        world.write(&format!("/srv/lib/{name}"), &format!("Of {name}.\n"));
    }
    if is_set {
        world.vars.insert(ADDED_VAR.to_string(), "1".to_string());
    }
    let preview = world.preview(&with(Switches {
        layout,
        added: vec![PathBuf::from("../lib")],
        ..Switches::default()
    }));
    let rules = texts(&preview, Kind::Rule).into_iter().map(str::to_string);
    (rules.collect(), preview.notes)
}

#[test]
fn of_a_folder_that_was_added_the_main_file_is_read_where_the_variable_says_so() {
    let observed = |version: &str| Layout::Observed(Some(version.to_string()));
    let (rules, notes) = added(observed("2.1.332"), true);
    assert_eq!(rules, ["Be brief.", "Of CLAUDE.md.", "Of CLAUDE.local.md."]);
    assert!(
        notes
            .iter()
            .any(|note| note.contains("their place among the other rules was not recorded"))
    );
    let (rules, _) = added(observed("2.1.63"), true);
    assert_eq!(rules.len(), 2, "{rules:?}");
    for (layout, is_set, said) in [
        (
            Layout::Observed(None),
            false,
            "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD is not set to 1",
        ),
        (Layout::Ours, true, "our own chat adds no folders"),
    ] {
        let (rules, notes) = added(layout, is_set);
        assert_eq!(rules, ["Be brief."], "{said}");
        assert!(notes.iter().any(|note| note.contains(said)), "{notes:?}");
    }
}

#[test]
fn a_folder_that_was_added_and_is_not_there_is_refused() {
    let asked = with(Switches {
        added: vec![PathBuf::from("/srv/none")],
        ..Switches::default()
    });
    let built = build(
        &usual().store(),
        &mut Transcripts::default(),
        &Around::default(),
        &asked,
    );
    assert_eq!(
        built.unwrap_err().to_string(),
        "/srv/none is no folder: name one that is there"
    );
}
