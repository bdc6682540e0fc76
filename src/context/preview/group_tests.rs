use std::fs;
use std::path::Path;

use super::*;
use crate::context::preview::world_for_tests::{CWD, MEMORY, asked, usual, with};
use crate::context::preview::{Asked, Edited, Switches};

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

/// A file that an import misses is counted while it is being written.
#[test]
fn a_new_file_that_is_imported_already_is_counted() {
    let world = usual();
    world.write("/srv/p/CLAUDE.md", "Be brief.\n\n@missing.md\n");
    let edited = |text: &str| Asked {
        edited: Some(Edited {
            path: "/srv/p/missing.md".into(),
            bytes: text.as_bytes().to_vec(),
        }),
        ..asked()
    };
    let line =
        "\n\nContents of /srv/p/missing.md (project instructions, checked into the codebase):\n\n";
    let difference = world.preview(&edited("A sentence.\n")).difference.unwrap();
    let (before, after) = difference.tokens;
    assert_eq!(after - before, line.len().div_ceil(3) + 4);
    let difference = world.preview(&edited("")).difference.unwrap();
    assert_eq!(difference.tokens.0, difference.tokens.1);
}

/// A rule costs the same in a list of rules and in the request that has it.
#[test]
fn a_rule_costs_what_its_part_of_the_request_costs() {
    let world = usual();
    world.write("/home/u/.claude/CLAUDE.md", "Mine.\n");
    world.write("/srv/p/CLAUDE.md", "Be brief.\n\n@deep.md\n");
    world.write("/srv/p/deep.md", &"é".repeat(50));
    for index in [true, false] {
        if !index {
            fs::remove_file(world.host(&format!("{MEMORY}/MEMORY.md"))).unwrap();
        }
        let preview = world.preview(&with(Switches {
            read: vec!["sub/a.css".into()],
            ..Switches::default()
        }));
        let groups = groups(&preview.parts);
        let rules = world.store().rules_of(Path::new(CWD));
        let of = |path: &Path| {
            let group = groups.iter().find(|group| {
                let main = &preview.parts[group.main];
                main.path.as_deref() == Some(path) && matches!(main.kind, Kind::Rule | Kind::Nested)
            });
            group.unwrap().tokens(&preview.parts).known
        };
        assert_eq!(rules.files.len(), 4);
        for rule in &rules.files {
            assert_eq!(rule.tokens, of(&rule.path), "{}", rule.path.display());
        }
        let sent: usize = rules.files[..3].iter().map(|rule| of(&rule.path)).sum();
        assert_eq!(rules.tokens(), sent);
        let line = "Contents of /home/u/.claude/CLAUDE.md (user's private global instructions for all projects):\n\n";
        assert_eq!(rules.files[0].tokens, line.len().div_ceil(3) + 2);
    }
}
