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
    let cut = |world: &World| -> Vec<(String, String)> {
        let mut findings = world.findings();
        findings.retain(|one| one.code == Code::ManifestCut);
        let findings = findings.into_iter();
        findings.map(|one| (one.path, one.message)).collect()
    };
    assert_eq!(cut(&world), []);
    world.days_old("older.md", good("older"), 9);
    let said = |text: &str| [(String::new(), text.to_string())];
    assert_eq!(
        cut(&world),
        said(
            "1 memory is not among the newest 200 of 201, so no selector is told of it: older.md; remove or merge older ones"
        )
    );
    for name in ["newer", "newest", "last"] {
        world.days_old(&format!("{name}.md"), good(name), 0);
    }
    assert_eq!(
        cut(&world),
        said(
            "4 memories are not among the newest 200 of 204, so no selector is told of them: m98.md, m99.md, one.md and 1 more; remove or merge older ones"
        )
    );
}
