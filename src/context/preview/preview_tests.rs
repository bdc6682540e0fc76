use std::path::PathBuf;

use super::world_for_tests::{MEMORY, asked, usual, with};
use super::*;

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
