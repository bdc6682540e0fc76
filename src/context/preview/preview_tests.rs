use std::fs;
use std::path::{Path, PathBuf};

use super::world_for_tests::{MEMORY, asked, texts, usual, with};
use super::*;
use crate::context::part::Kind;
use crate::context::request::Role;

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
                read: Some(PathBuf::from("sub/a.css")),
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
            for read in [None, Some(PathBuf::from("sub/a.css"))] {
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
        read: Some(PathBuf::from("sub/a.css")),
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
        read: None,
        ..asked.switches
    }));
    assert_eq!(before.waiting[0].patterns, ["*.css"]);
}

#[test]
fn a_file_that_is_not_there_is_said_and_not_made_up() {
    let asked = with(Switches {
        read: Some(PathBuf::from("sub/b.css")),
        ..Switches::default()
    });
    let preview = usual().preview(&asked);
    assert_eq!(
        preview.notes[1],
        "/srv/p/sub/b.css is not there: what it brings along is shown as if it could be read"
    );
    assert_eq!(texts(&preview, Kind::ToolResult), ["[not recorded]"]);
    assert_eq!(texts(&preview, Kind::Nested).len(), 2);
}

#[test]
fn after_a_compaction_what_waits_and_what_was_nested_is_lost() {
    let asked = with(Switches {
        moment: Moment::Compacted,
        read: Some(PathBuf::from("sub/a.css")),
        ..Switches::default()
    });
    let preview = usual().preview(&asked);
    let fates: Vec<_> = preview
        .fates
        .iter()
        .map(|one| {
            (
                one.what.word(),
                one.path.file_name().unwrap().to_str().unwrap(),
                one.fate,
            )
        })
        .collect();
    assert_eq!(
        fates[..4],
        [
            ("rule", "CLAUDE.md", Fate::Restored),
            ("rule", "css.md", Fate::Lost),
            ("nested", "CLAUDE.md", Fate::Lost),
            ("index", "MEMORY.md", Fate::Restored),
        ]
    );
    assert!(
        fates[4..]
            .iter()
            .all(|(what, _, fate)| *what == "memory" && *fate == Fate::InSummary)
    );
    assert_eq!(texts(&preview, Kind::Summary), ["[not recorded]"]);
    assert_eq!(texts(&preview, Kind::ReadResult).len(), 1);
    let read = with(Switches {
        read: Some(Path::new(MEMORY).join("one.md")),
        ..asked.switches
    });
    let preview = usual().preview(&read);
    let one = preview
        .fates
        .iter()
        .find(|one| one.path.ends_with("one.md"))
        .unwrap();
    assert_eq!(one.fate, Fate::Restored);
}

#[test]
fn after_a_compaction_a_nested_rule_with_paths_is_lost_and_one_that_was_never_loaded_waits() {
    let world = usual();
    world.write(
        "/srv/p/sub/.claude/rules/deep.md",
        "---\npaths: \"*.css\"\n---\nDeep.\n",
    );
    world.write("/srv/p/sub/CLAUDE.md", "Below, see @more.md\n");
    world.write("/srv/p/sub/more.md", "More.\n");
    let fates = |read: Option<&str>| {
        let preview = world.preview(&with(Switches {
            moment: Moment::Compacted,
            read: read.map(PathBuf::from),
            ..Switches::default()
        }));
        let rules = preview
            .fates
            .into_iter()
            .filter(|one| matches!(one.what, What::Rule | What::Nested));
        let told = rules.map(|one| {
            let name = one.path.file_name().unwrap().to_str().unwrap().to_string();
            format!("{} {name} {} {}", one.what.word(), one.fate.word(), one.why)
        });
        told.collect::<Vec<_>>()
    };
    let waits = "rule css.md waits not loaded before either: for a Read of *.css";
    let main = "rule CLAUDE.md restored read anew from disk";
    assert_eq!(fates(None), [main, waits]);
    let compacted = Switches {
        moment: Moment::Compacted,
        ..Switches::default()
    };
    assert_eq!(world.preview(&with(compacted)).waiting, []);
    assert_eq!(fates(Some("sub/other.txt"))[1], waits);
    assert_eq!(
        fates(Some("sub/a.css")),
        [
            main,
            "rule css.md lost until a file is read again that matches *.css",
            "nested CLAUDE.md lost until a file below its folder is read again",
            "nested more.md lost until a file that imports it is loaded again",
            "nested deep.md lost until a file is read again that matches *.css",
        ]
    );
}

#[test]
fn after_a_compaction_each_version_is_laid_out_as_it_was_observed_with_an_end_kept() {
    let world = usual();
    for version in versions() {
        let preview = world.preview(&with(Switches {
            layout: Layout::Observed(Some(version.to_string())),
            moment: Moment::Compacted,
            ..Switches::default()
        }));
        let at = |kinds: &[Kind]| {
            let messages = &preview.request.messages;
            messages.iter().position(|message| {
                let mut pieces = message.blocks.iter().flat_map(Block::pieces);
                pieces.any(|piece| kinds.contains(&piece.kind))
            })
        };
        let answers = at(&[Kind::Answer]);
        let places = (at(&[Kind::Summary]), answers, at(&[Kind::Rule]));
        let expected = match version {
            "2.1.332" | "2.1.300" => (Some(0), Some(2), Some(3)),
            "2.1.270" => (Some(0), Some(1), Some(2)),
            "2.0.77" => (Some(0), None, Some(0)),
            _ => (Some(0), Some(1), Some(0)),
        };
        assert_eq!(places, expected, "{version}");
        assert_eq!(texts(&preview, Kind::Prompt), [""; 0], "{version}");
        let has = |said: &str| preview.notes.iter().any(|note| note.contains(said));
        let is_new = places.2 != Some(0);
        assert_eq!(
            has("where none is kept, 2.1.332 was seen"),
            is_new,
            "{version}"
        );
        let has_empty = answers == Some(2);
        let empty = "messages[1] system is sent without blocks, as was observed";
        assert_eq!(has(empty), has_empty, "{version}");
    }
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

#[test]
fn what_was_never_recorded_is_unknown_and_what_was_once_is_an_estimate() {
    let world = usual();
    fs::create_dir_all(world.host("/srv/p/.git")).unwrap();
    let preview = world.preview(&asked());
    let part = |kind| preview.parts.iter().find(|part| part.kind == kind).unwrap();
    let git = part(Kind::GitStatus);
    assert_eq!((git.tokens, git.bytes, git.units), (None, None, None));
    let system = part(Kind::SystemPrompt);
    assert_eq!(
        (system.tokens, system.bytes, system.recorded),
        (Some(2_336), Some(7_008), false)
    );
    let groups = groups(&preview.parts);
    let figures = |kind| {
        let group = groups
            .iter()
            .find(|group| preview.parts[group.main].kind == kind);
        let group = group.unwrap();
        (
            group.tokens(&preview.parts).one(),
            group.bytes(&preview.parts).one(),
        )
    };
    assert_eq!(figures(Kind::GitStatus), ("?".to_string(), "?".to_string()));
    assert_eq!(
        figures(Kind::SystemPrompt),
        ("≈ 2,336".to_string(), "≈ 7,008".to_string())
    );
    let here: Amount = groups.iter().map(|group| group.bytes(&preview.parts)).sum();
    assert!(here.sum().starts_with("≥ "));
    let git = groups
        .iter()
        .filter(|group| preview.parts[group.main].kind == Kind::GitStatus);
    let git: Amount = git.map(|group| group.tokens(&preview.parts)).sum();
    assert_eq!(git.sum(), "?");
    assert!(preview.at_least && !preview.counts_tools());
}

#[test]
fn groups_are_all_parts_in_their_order() {
    let preview = usual().preview(&with(Switches {
        prompt: Some("why?".to_string()),
        ..Switches::default()
    }));
    let groups = groups(&preview.parts);
    let mut at = 0;
    for group in &groups {
        assert_eq!(group.parts.start, at);
        at = group.parts.end;
        assert!(group.parts.contains(&group.main));
    }
    assert_eq!(at, preview.parts.len());
    let tokens: usize = groups
        .iter()
        .map(|group| group.tokens(&preview.parts).known)
        .sum();
    assert_eq!(tokens, preview.tokens);
    let text: String = groups
        .iter()
        .map(|group| group.text(&preview.parts))
        .collect();
    assert!(text.contains(&preview.rules_block));
}
