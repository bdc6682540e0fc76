use super::*;
use crate::health::fixture::{World, head};
use crate::safety::secret::Allowed;
use crate::safety::secret::tests::planted;

const NONE: [&str; 0] = [];

#[test]
fn secret() {
    let (kind, text, value) = planted().remove(0);
    let world = World::one(format!("{}\nfact\n{text}\n", head("one")));
    assert_eq!(world.found(), ["secret error one.md:10"]);
    let message = world.the(Code::Secret).message;
    assert!(
        message.starts_with(&format!(
            "it looks like a credential ({}, {}…): ",
            kind.name(),
            &value[..4]
        )),
        "{message}"
    );
    assert!(!message.contains(&value[..5]), "{message}");
}

#[test]
fn a_secret_is_found_in_an_index_and_in_a_log_as_well() {
    let (_, text, _) = planted().remove(0);
    let world = World::index(format!("- [One](one.md)\n\n{text}\n"));
    let found = world.found();
    assert!(
        found.contains(&"secret error MEMORY.md:3".to_string()),
        "{found:?}"
    );
    let world = World::new();
    world.file("logs/2026/09/2026-09-20.md", format!("said\n{text}\n"));
    assert_eq!(world.found(), ["secret error logs/2026/09/2026-09-20.md:2"]);
}

#[test]
fn what_is_let_pass_by_the_fingerprint_that_is_told_is_no_finding() {
    let (_, text, _) = planted().remove(0);
    let mut world = World::one(format!("{}\nfact\n{text}\n", head("one")));
    let message = world.the(Code::Secret).message;
    let fingerprint = message.split('"').nth(1).unwrap().to_string();
    assert!(fingerprint.starts_with("sha256:"));
    world.rules.allowed = Allowed::new([fingerprint]);
    assert_eq!(world.found(), NONE);
}
