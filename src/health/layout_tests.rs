use crate::health::Code;
use crate::health::fixture::{World, good};

#[test]
fn manifest_cut() {
    let world = World::new();
    world.remove("MEMORY.md");
    for number in 0..199 {
        let name = format!("m{number}");
        world.days_old(&format!("{name}.md"), good(&name), 1);
    }
    let cut = |world: &World| -> Vec<String> {
        let mut findings = world.findings();
        findings.retain(|one| one.code == Code::ManifestCut);
        findings.into_iter().map(|one| one.path).collect()
    };
    assert_eq!(cut(&world), Vec::<String>::new());
    world.days_old("older.md", good("older"), 9);
    assert_eq!(cut(&world), ["older.md"]);
    world.days_old("newer.md", good("newer"), 0);
    assert_eq!(cut(&world), ["older.md", "one.md"]);
}
