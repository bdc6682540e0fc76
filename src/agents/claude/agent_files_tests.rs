use std::path::Path;

use super::super::tests::World;

fn file(name: &str, memory: &str) -> String {
    format!("---\nname: {name}\n{memory}---\nText.\n")
}

#[test]
fn those_with_a_name_and_a_memory_are_told_with_where_it_is_kept() {
    let world = World::new();
    let text = |path: &str, name: &str, memory: &str| {
        world.file(path, file(name, memory));
    };
    let (project, own) = ("/srv/p/.claude/agents", "/home/u/.claude/agents");
    text(&format!("{project}/a.md"), "zeta", "memory: project\n");
    text(&format!("{project}/b.md"), "both", "memory: local\n");
    text(&format!("{own}/b.md"), "both", "memory: user\n");
    text(&format!("{own}/c.md"), "alpha", "memory: user\n");
    // None of these is one.
    text(&format!("{own}/d.md"), "plain", "");
    text(&format!("{own}/e.md"), "odd", "memory: team\n");
    text(&format!("{own}/f.md"), "../../out", "memory: user\n");
    text(&format!("{own}/g.txt"), "text", "memory: user\n");
    world.file(&format!("{own}/h.md"), "---\nmemory: user\n---\nNo name.\n");
    world.folder(&format!("{own}/i.md"));
    let found = world.open("/srv/p", &[]).agent_files(Path::new("/srv/p"));
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.name.as_str(), one.scope(), one.folder.to_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("alpha", "user", "/home/u/.claude/agent-memory/alpha"),
            ("both", "local", "/srv/p/.claude/agent-memory-local/both"),
            ("zeta", "project", "/srv/p/.claude/agent-memory/zeta"),
        ]
    );
}
