use std::path::PathBuf;

use super::world_for_tests::{MEMORY, asked, began_with, transcript, usual, with};
use super::*;
use crate::context::part::Kind;

#[test]
fn the_block_of_the_newest_version_is_exact() {
    let preview = usual().preview(&asked());
    assert_eq!(
        preview.rules_block,
        "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these \
         instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them \
         exactly as written.\n\nContents of /srv/p/CLAUDE.md (project instructions, checked into the \
         codebase):\n\nBe brief.\n\nContents of /home/u/.claude/projects/-srv-p/memory/MEMORY.md (user's \
         auto-memory, persists across conversations):\n\n- [One](one.md) — first\n</system-reminder>"
    );
    let shown = preview.observed.unwrap();
    assert_eq!((shown.version.as_str(), shown.guessed), ("2.1.332", true));
    assert_eq!(preview.compacts, Some(AutoCompact::At(967_000)));
}

#[test]
fn the_same_files_and_switches_give_the_same_bytes() {
    let world = usual();
    for layout in [Layout::Ours, Layout::Observed(None)] {
        for moment in [Moment::New, Moment::Resumed, Moment::Compacted] {
            let asked = with(Switches {
                layout: layout.clone(),
                moment,
                prompt: Some("why?".to_string()),
                read: vec![PathBuf::from("sub/a.css")],
                ..Switches::default()
            });
            assert_eq!(world.preview(&asked), world.preview(&asked));
        }
    }
}

#[test]
fn the_parts_of_a_request_are_its_blocks_and_no_text_is_empty() {
    let world = usual();
    for version in versions() {
        for moment in [Moment::New, Moment::Resumed, Moment::Compacted] {
            for read in [Vec::new(), vec![PathBuf::from("sub/a.css")]] {
                let asked = with(Switches {
                    layout: Layout::Observed(Some(version.to_string())),
                    moment,
                    read,
                    ..Switches::default()
                });
                let preview = world.preview(&asked);
                let parts: String = preview
                    .parts
                    .iter()
                    .map(|part| part.text.as_str())
                    .collect();
                let blocks = preview.request.blocks();
                let blocks: String = blocks
                    .map(|block| match block.pieces() {
                        [] => block.unmarked(),
                        _ => block.shown().into_owned(),
                    })
                    .collect();
                assert_eq!(parts, blocks, "{version} {moment:?}");
                let blank = preview
                    .request
                    .blocks()
                    .any(|block| !block.pieces().is_empty() && block.shown().trim().is_empty());
                assert!(!blank, "{version} {moment:?}");
            }
        }
    }
}

#[test]
fn a_version_that_is_named_is_shown_or_refused_with_those_that_are_held() {
    let world = usual();
    let of = |version: &str| {
        with(Switches {
            layout: Layout::Observed(Some(version.to_string())),
            ..Switches::default()
        })
    };
    let preview = world.preview(&of("2.1.112"));
    assert!(preview.rules_block.contains("# claudeMd"));
    assert!(!preview.observed.unwrap().guessed);
    let refused = build(
        &world.store(),
        &mut Transcripts::default(),
        &Around::default(),
        &of("9.9.9"),
    );
    assert_eq!(
        refused.unwrap_err().to_string(),
        "version \"9.9.9\" of the client was not looked at: name one of 2.1.332, 2.1.300, 2.1.270, \
         2.1.220, 2.1.112, 2.1.63, 2.0.77"
    );
}

#[test]
fn what_the_index_hides_is_named() {
    let world = usual();
    let lines: String = (1..=205)
        .map(|at| format!("- [E{at}](e{at}.md) — hook\n"))
        .collect();
    world.write(
        &format!("{MEMORY}/MEMORY.md"),
        &format!("{lines}- [One](one.md) — first\n"),
    );
    let cut = world.preview(&asked()).cut.unwrap();
    assert_eq!((cut.lines, cut.at_line), (206, Some(201)));
    assert_eq!(cut.below.len(), 6);
    assert_eq!(cut.below[5].path.as_deref(), Some("one.md"));
    assert_eq!(cut.ghosts, ["two.md"]);
}

#[test]
fn the_window_of_our_own_chat_is_that_of_our_configuration() {
    let world = usual();
    let build = |layout: Layout, model: Option<&str>, window: Option<u64>| {
        let around = Around {
            ours: Params {
                model: "qwen-7b".to_string(),
                ..Params::default()
            },
            window,
            ..Around::default()
        };
        let asked = with(Switches {
            layout,
            model: model.map(str::to_string),
            ..Switches::default()
        });
        let built = super::build(&world.store(), &mut Transcripts::default(), &around, &asked);
        let built = built.unwrap();
        let said = built.notes.iter().find(|note| note.contains("window of"));
        (built.window, said.cloned())
    };
    assert_eq!(build(Layout::Ours, None, Some(8_192)), (8_192, None));
    let said = |model: &str| {
        Some(format!(
            "the window of {model} is not known: 1,000,000 tokens are taken; say it as `window` in [model] of config.toml"
        ))
    };
    assert_eq!(
        build(Layout::Ours, None, None),
        (1_000_000, said("qwen-7b"))
    );
    // It is that of the model that is set up, and of no other.
    assert_eq!(
        build(Layout::Ours, Some("other"), Some(8_192)),
        (1_000_000, said("other"))
    );
    let (window, said) = build(Layout::Observed(None), Some("qwen-7b"), Some(8_192));
    assert_eq!(window, 1_000_000);
    assert!(said.unwrap().contains("of the client was seen to take"));
}

#[test]
fn what_stands_around_a_file_that_comes_with_a_read_is_as_new_as_it() {
    for layout in [Layout::Ours, Layout::Observed(None)] {
        let preview = usual().preview(&with(Switches {
            layout: layout.clone(),
            read: vec![PathBuf::from("sub/a.css")],
            ..Switches::default()
        }));
        let at = |kind: Kind| {
            let found = preview.parts.iter().position(|part| part.kind == kind);
            found.unwrap()
        };
        let nested = preview.parts[at(Kind::Nested)].place;
        let around = preview.parts.iter().filter(|part| part.place == nested);
        let around: Vec<bool> = around.map(|part| part.cached).collect();
        assert!(around.len() > 1 && !around.contains(&true), "{layout:?}");
        let rule = preview.parts[at(Kind::Rule)].place;
        let standing = preview.parts.iter().filter(|part| part.place == rule);
        assert!(standing.clone().count() > 2 && standing.clone().all(|part| part.cached));
    }
}

#[test]
fn a_file_that_was_edited_and_is_not_there_is_told_unless_the_session_held_it() {
    let world = usual();
    let asked = with(Switches {
        edited: Some(PathBuf::from("gone.md")),
        ..Switches::default()
    });
    let preview = world.preview(&asked);
    let gone = PathBuf::from("/srv/p/gone.md");
    assert_eq!(preview.unread, [(gone, Unread::Missing)]);
    let note = "/srv/p/gone.md is not there: nothing of it is told";
    assert!(preview.notes.iter().any(|one| one == note));
    let held = began_with(&[("Project", "/srv/p/gone.md", "Held.\n")]);
    transcript(&world, &[held]);
    assert_eq!(world.preview(&asked).unread, []);
}
