use std::fs;

use super::*;
use crate::context::preview::Switches;
use crate::context::preview::world_for_tests::{asked, usual, with};

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
