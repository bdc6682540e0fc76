use crate::health::fixture::{World, good, head, line};

const NONE: [&str; 0] = [];

#[test]
fn link_broken() {
    let world = World::one(format!("{}\nSee [[gone]] and [[gone]].\n", head("one")));
    assert_eq!(world.found(), ["link-broken warning one.md:9"]);
}

#[test]
fn a_link_may_name_a_memory_or_its_file_and_be_no_link_at_all() {
    let body = "[[one]] [[two words|shown]] [[two#part]] [[sub/two.md]]\n\
                `[[code]]` [[ -f x ]] [[1, 2], [3]] [[\"a\"]]\n\
                <!-- [[comment]] -->\n\n```sh\n[[fenced]]\n```\n[[open\n";
    let world = World::one(format!("{}\n{body}", head("one")));
    world.file(
        "sub/two.md",
        good("two").replace("name: two", "name: two words"),
    );
    world.file(
        "MEMORY.md",
        line("one") + &line("two").replace("two.md", "sub/two.md"),
    );
    let mut found = world.found();
    found.retain(|one| one.starts_with("link"));
    assert_eq!(found, NONE);
}
