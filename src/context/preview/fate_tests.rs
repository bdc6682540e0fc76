use std::path::{Path, PathBuf};

use super::*;
use crate::context::part::Kind;
use crate::context::preview::world_for_tests::{MEMORY, texts, usual, with};
use crate::context::preview::{Moment, Switches, versions};
use crate::context::request::Block;

#[test]
fn after_a_compaction_what_waits_and_what_was_nested_is_lost() {
    let asked = with(Switches {
        moment: Moment::Compacted,
        read: vec![PathBuf::from("sub/a.css")],
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
        read: vec![Path::new(MEMORY).join("one.md")],
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
            read: read.map(PathBuf::from).into_iter().collect(),
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
