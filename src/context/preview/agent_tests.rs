use std::path::PathBuf;

use crate::context::part::{Kind, Place};
use crate::context::preview::world_for_tests::{World, texts, usual, with};
use crate::context::preview::{
    Around, Asked, Layout, Preview, PreviewError, Switches, Transcripts, build,
};

fn world() -> World {
    let world = usual();
    for (path, text) in [
        (
            "/srv/p/.claude/agents/tester.md",
            "---\nname: tester\nmemory: local\n---\nTest.\n",
        ),
        (
            "/home/u/.claude/agents/reviewer.md",
            "---\nname: reviewer\nmemory: user\n---\nReview.\n",
        ),
        (
            "/home/u/.claude/agents/plain.md",
            "---\nname: plain\n---\nNo memory.\n",
        ),
        (
            "/home/u/.claude/agent-memory/reviewer/a.md",
            "---\nname: a\ndescription: d\ntype: user\n---\nA.\n",
        ),
        (
            "/home/u/.claude/agent-memory/reviewer/b.md",
            "---\nname: b\ndescription: d\ntype: user\n---\nB.\n",
        ),
        (
            "/home/u/.claude/agent-memory/reviewer/MEMORY.md",
            "- [A](a.md)\n",
        ),
    ] {
        world.write(path, text);
    }
    world
}

fn of(name: &str) -> Asked {
    with(Switches {
        agent: Some(name.to_string()),
        ..Switches::default()
    })
}

fn has(preview: &Preview, said: &str) -> bool {
    preview.notes.iter().any(|note| note.contains(said))
}

#[test]
fn the_index_of_its_own_memory_stands_in_system_and_the_rules_are_those_of_the_project() {
    let preview = world().preview(&of("reviewer"));
    assert_eq!(preview.request.system.len(), 1);
    assert_eq!(
        preview.request.system[0].shown(),
        "[not recorded]# Persistent Agent Memory[not recorded]## MEMORY.md\n\n- [A](a.md)"
    );
    let part = |kind| preview.parts.iter().find(|part| part.kind == kind).unwrap();
    let index = part(Kind::AgentIndex);
    assert_eq!(index.place, Place::System { block: 0 });
    assert_eq!(
        index.path,
        Some(PathBuf::from(
            "/home/u/.claude/agent-memory/reviewer/MEMORY.md"
        ))
    );
    assert_eq!(part(Kind::SystemPrompt).tokens, None);
    assert_eq!(texts(&preview, Kind::Rule), ["Be brief."]);
    assert_eq!(texts(&preview, Kind::Index), ["- [One](one.md) — first"]);
    let main = usual().preview(&with(Switches::default()));
    assert_eq!(preview.rules_block, main.rules_block);
    assert_eq!(texts(&preview, Kind::Prompt), ["[not recorded]"]);
    assert!(preview.at_least);
    let agent = preview.agent.as_ref().unwrap();
    assert_eq!(
        (agent.file.scope(), &*agent.file.name),
        ("user", "reviewer")
    );
    assert_eq!(agent.cut.as_ref().unwrap().ghosts, ["b.md"]);
    // The project's own cut is another.
    assert_eq!(preview.cut.unwrap().ghosts, ["two.md"]);
    assert_eq!(preview.cut_at_start, None);
}

#[test]
fn its_index_is_cut_as_any_other() {
    let world = world();
    let lines: String = (0..205)
        .map(|at| format!("- [E{at}](e{at}.md)\n"))
        .collect();
    world.write(
        "/home/u/.claude/agent-memory/reviewer/MEMORY.md",
        &format!("{lines}- [A](a.md)\n"),
    );
    let preview = world.preview(&of("reviewer"));
    let cut = preview.agent.as_ref().unwrap().cut.as_ref().unwrap();
    assert_eq!((cut.at_line, cut.below.len()), (Some(201), 6));
    let text = texts(&preview, Kind::AgentIndex)[0];
    assert!(text.contains("> WARNING: MEMORY.md is 206 lines"), "{text}");
    assert_eq!(preview.parts[cut.part.unwrap()].kind, Kind::AgentIndex);
}

#[test]
fn without_an_index_what_stands_there_is_not_known() {
    let preview = world().preview(&of("tester"));
    assert_eq!(texts(&preview, Kind::AgentIndex), ["[not recorded]"]);
    assert!(has(
        &preview,
        "/srv/p/.claude/agent-memory-local/tester holds no MEMORY.md yet"
    ));
}

#[test]
fn those_with_a_memory_are_offered_and_another_is_refused() {
    let world = world();
    let preview = world.preview(&with(Switches::default()));
    let names: Vec<_> = preview.agents.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["reviewer", "tester"]);
    assert_eq!(preview.agent, None);
    assert_eq!(usual().preview(&with(Switches::default())).agents, []);
    let asked = |world: &World| {
        let mut transcripts = Transcripts::default();
        let around = Around::default();
        build(&world.store(), &mut transcripts, &around, &of("plain")).unwrap_err()
    };
    assert_eq!(
        asked(&world).to_string(),
        "no sub-agent with a memory is called \"plain\" here: name one of reviewer, tester"
    );
    assert!(matches!(asked(&usual()), PreviewError::UnknownAgent { held, .. } if held.is_empty()));
}

#[test]
fn a_version_that_was_not_looked_at_says_by_which_it_is_laid_out() {
    let mut asked = of("reviewer");
    asked.switches.layout = Layout::Observed(Some("2.1.270".to_string()));
    let preview = world().preview(&asked);
    assert!(has(
        &preview,
        "sub-agents of version 2.1.270 were not looked at: laid out as by 2.1.332"
    ));
}
