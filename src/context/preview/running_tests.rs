use std::path::{Path, PathBuf};

use crate::context::part::Kind;
use crate::context::preview::world_for_tests::{
    MEMORY, World, began_with, texts, transcript, usual, with,
};
use crate::context::preview::{Asked, Edited, Layout, Moment, Preview, Switches};
use crate::context::request::Role;

const RULE: &str = "/srv/p/CLAUDE.md";

fn edited(layout: Layout, file: &str) -> Asked {
    with(Switches {
        layout,
        prompt: Some("why?".to_string()),
        edited: Some(PathBuf::from(file)),
        ..Switches::default()
    })
}

/// The rule and the index as the newest session began with them; both say something else now.
fn world() -> World {
    let world = usual();
    let index = format!("{MEMORY}/MEMORY.md");
    let began = [
        ("Project", RULE, "Be long."),
        ("AutoMem", &index, "- [Old](old.md)"),
    ];
    transcript(&world, &[began_with(&began)]);
    world
}

fn has(preview: &Preview, said: &str) -> bool {
    preview.notes.iter().any(|note| note.contains(said))
}

#[test]
fn the_client_goes_on_with_what_the_session_began_with_and_ends_the_turn_with_a_note() {
    for (file, path) in [
        ("CLAUDE.md", RULE.to_string()),
        ("MEMORY.md", format!("{MEMORY}/MEMORY.md")),
    ] {
        let preview = world().preview(&edited(Layout::Observed(None), file));
        assert_eq!(texts(&preview, Kind::Rule), ["Be long."]);
        assert_eq!(texts(&preview, Kind::Index), ["- [Old](old.md)"]);
        assert!(preview.rules_block.contains("Be long."));
        let last = preview.request.messages.last().unwrap();
        assert_eq!((last.role, last.blocks.len()), (Role::System, 1));
        assert_eq!(
            last.blocks[0].shown(),
            format!(
                "Note: {path} changed on disk since you last read it.[not recorded]Here are the relevant changes \
                 (shown with line numbers):[not recorded]"
            )
        );
        assert!(last.blocks[0].mark.is_some());
        let before = &preview.request.messages[preview.request.messages.len() - 2];
        assert_eq!(before.blocks.last().unwrap().shown(), "why?");
        let notes = preview.parts.iter().filter(|part| part.kind == Kind::Note);
        let notes: Vec<_> = notes
            .map(|part| (part.tokens.is_some(), part.cached))
            .collect();
        assert_eq!(
            notes,
            [(true, false), (false, false), (true, false), (false, false)]
        );
        assert!(preview.at_least && preview.anchor.is_none());
        assert!(has(&preview, "stands as the newest session was sent it"));
        assert!(has(&preview, "in a form that was not recorded"));
    }
}

#[test]
fn an_index_that_the_session_does_not_have_is_not_cut() {
    let preview = world().preview(&edited(Layout::Observed(None), "MEMORY.md"));
    assert_eq!(preview.cut, None);
    let preview = world().preview(&edited(Layout::Observed(None), "CLAUDE.md"));
    assert!(preview.cut.is_some());
}

#[test]
fn our_own_note_names_the_lines_that_changed() {
    let preview = world().preview(&edited(Layout::Ours, "CLAUDE.md"));
    assert_eq!(texts(&preview, Kind::Rule), ["Be long."]);
    let note: String = texts(&preview, Kind::Note).concat();
    assert_eq!(
        note,
        "/srv/p/CLAUDE.md was changed since it was read. What changed (- as it was, + as it is now, with line \
         numbers):\n\n-1\tBe long.\n+1\tBe brief."
    );
    // The turn ends with it.
    let last = preview.request.messages.last().unwrap();
    assert!(
        last.blocks
            .last()
            .unwrap()
            .shown()
            .contains("+1\tBe brief.")
    );
    let index = world().preview(&edited(Layout::Ours, "MEMORY.md"));
    assert_eq!(texts(&index, Kind::Index), ["- [Old](old.md)"]);
    assert!(
        texts(&index, Kind::Note)
            .concat()
            .contains("-1\t- [Old](old.md)\n+1\t- [One]")
    );
}

#[test]
fn what_was_not_recorded_is_said_and_has_a_placeholder() {
    let world = usual();
    for layout in [Layout::Ours, Layout::Observed(None)] {
        let preview = world.preview(&edited(layout.clone(), "CLAUDE.md"));
        assert_eq!(texts(&preview, Kind::Rule), ["Be brief."]);
        assert!(texts(&preview, Kind::Note).contains(&"[not recorded]"));
        assert!(has(
            &preview,
            "what the session began with of /srv/p/CLAUDE.md is not recorded"
        ));
        assert!(preview.at_least);
    }
}

#[test]
fn an_edit_that_is_not_saved_is_held_against_the_disk() {
    let world = usual();
    let mut asked = edited(Layout::Ours, "CLAUDE.md");
    asked.edited = Some(Edited {
        path: PathBuf::from(RULE),
        bytes: b"Be brief.\nBe right.\n".to_vec(),
    });
    let preview = world.preview(&asked);
    assert_eq!(texts(&preview, Kind::Rule), ["Be brief."]);
    let note = texts(&preview, Kind::Note).concat();
    assert!(note.ends_with("\n+2\tBe right."), "{note}");
    asked.switches.layout = Layout::Observed(None);
    let preview = world.preview(&asked);
    assert_eq!(texts(&preview, Kind::Rule), ["Be brief."]);
    assert_eq!(texts(&preview, Kind::Note).len(), 4);
    // A memory is told of where it was read: its front matter is part of it.
    let one = Path::new(MEMORY).join("one.md");
    let mut asked = edited(Layout::Ours, one.to_str().unwrap());
    asked.edited = Some(Edited {
        path: one.clone(),
        bytes: b"---\nname: one\ndescription: d\ntype: user\n---\nOther.\n".to_vec(),
    });
    let preview = world.preview(&asked);
    let note = texts(&preview, Kind::Note).concat();
    assert!(note.ends_with("\n-6\tText of one.\n+6\tOther."), "{note}");
    assert!(has(&preview, "only where the session has read"));
}

#[test]
fn nothing_is_told_of_what_is_new_the_same_or_no_part_of_a_session() {
    let world = world();
    world.write("/srv/p/CLAUDE.local.md", "New.\n");
    world.write("/srv/p/notes.txt", "x\n");
    for (file, said) in [
        (
            "CLAUDE.local.md",
            "the session began without /srv/p/CLAUDE.local.md",
        ),
        ("notes.txt", "is no file that a session begins with"),
    ] {
        for layout in [Layout::Ours, Layout::Observed(None)] {
            let preview = world.preview(&edited(layout, file));
            assert_eq!(texts(&preview, Kind::Note), [""; 0], "{file}");
            assert!(has(&preview, said), "{file}: {:?}", preview.notes);
        }
    }
    world.write(RULE, "Be long.\n");
    let preview = world.preview(&edited(Layout::Ours, "CLAUDE.md"));
    assert_eq!(texts(&preview, Kind::Note), [""; 0]);
    assert!(has(&preview, "there is nothing to tell"));
}

#[test]
fn where_it_was_not_looked_at_nothing_is_made_up() {
    let world = usual();
    let of = |version: Option<&str>, model: Option<&str>, file: &str| {
        let mut asked = edited(Layout::Observed(version.map(str::to_string)), file);
        asked.switches.model = model.map(str::to_string);
        world.preview(&asked)
    };
    world.write("/srv/p/.claude/rules/a.md", "A.\n");
    for (preview, said) in [
        (of(Some("2.1.220"), None, "CLAUDE.md"), "version 2.1.220"),
        (
            of(None, Some("claude-opus-4-6"), "CLAUDE.md"),
            "tells claude-opus-4-6",
        ),
        (
            of(None, None, ".claude/rules/a.md"),
            "seen were CLAUDE.md and MEMORY.md",
        ),
    ] {
        assert_eq!(texts(&preview, Kind::Note), [""; 0], "{said}");
        assert!(has(&preview, said), "{said}: {:?}", preview.notes);
    }
}

#[test]
fn a_session_that_is_resumed_or_compacted_reads_it_anew() {
    for moment in [Moment::Resumed, Moment::Compacted] {
        for layout in [Layout::Ours, Layout::Observed(None)] {
            let mut asked = edited(layout, "CLAUDE.md");
            asked.switches.moment = moment;
            let preview = world().preview(&asked);
            assert_eq!(texts(&preview, Kind::Note), [""; 0]);
            assert!(has(&preview, "is read anew at this moment"));
            assert!(texts(&preview, Kind::Rule).contains(&"Be brief."));
        }
    }
}
