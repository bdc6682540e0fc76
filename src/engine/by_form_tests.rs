use std::fs;

use super::*;
use crate::config::settings::Review;
use crate::engine::review::{self, Wish};
use crate::turn::world_for_tests::{World, memory};

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn remembered(world: &World, said: &str) -> Proposal {
    remember(&world.toolbox, said, NOW).unwrap()
}

fn text_of(proposal: &Proposal) -> String {
    proposal.files[0].after.clone().unwrap()
}

fn index(world: &World) -> String {
    fs::read_to_string(world.folder().join("MEMORY.md")).unwrap()
}

fn put(world: &World, name: &str, description: &str, body: &str) {
    let path = world.folder().join(format!("{name}.md"));
    fs::write(path, memory(name, description, body)).unwrap();
}

/// The proposal is put before the person, who accepts it.
fn accept(world: &mut World, proposal: Proposal) {
    let id = proposal.id.clone();
    world.toolbox.overlay.pending.push(proposal);
    review::decide(&mut world.toolbox, &mut world.chat, &id, &Wish::Accept, NOW).unwrap();
}

#[test]
fn a_text_becomes_a_memory_with_its_line() {
    let mut world = World::new(Review::Review);
    let proposal = remembered(
        &world,
        "feedback: Don't mock the database in tests, ever again",
    );
    assert_eq!(proposal.title, "new dont-mock-the-database-in-tests");
    assert_eq!(
        text_of(&proposal),
        "---\nname: dont-mock-the-database-in-tests\ndescription: Don't mock the database in tests, ever again\n\
         metadata:\n  node_type: memory\n  type: feedback\n  modified: 2026-09-21T14:13:20Z\n---\n\nDon't mock the \
         database in tests, ever again\n"
    );
    let before = world.picture();
    assert!(proposal.is_own());
    assert_eq!(
        before,
        world.picture(),
        "nothing is written before it is accepted"
    );
    accept(&mut world, proposal);
    assert!(
        index(&world).ends_with(
            "- [dont-mock-the-database-in-tests](dont-mock-the-database-in-tests.md) — Don't mock the database in \
             tests, ever again\n"
        ),
        "{}",
        index(&world)
    );
    let history = world.toolbox.writer.history();
    assert_eq!(history[0].author, Author::You);
}

#[test]
fn the_first_line_is_what_it_is_found_by_and_the_rest_its_text() {
    let world = World::new(Review::Review);
    let proposal = remembered(&world, "Where the logs are\n\nIn /var/log/shop, by day.\n");
    let text = text_of(&proposal);
    assert!(text.contains("description: Where the logs are\n") && text.contains("type: project\n"));
    assert!(
        text.ends_with("---\n\nIn /var/log/shop, by day.\n"),
        "{text}"
    );
}

#[test]
fn a_name_is_free_and_one_without_latin_letters_is_of_its_day() {
    let mut world = World::new(Review::Review);
    let proposal = remembered(&world, "a");
    assert_eq!(proposal.title, "new a-2");
    let day = remembered(&world, "本番は金曜日に出さない");
    assert_eq!(day.title, "new note-2026-09-21");
    // One that waits has its name too.
    world.toolbox.overlay.pending.push(day);
    let second = remembered(&world, "時間");
    assert_eq!(second.title, "new note-2026-09-21-2");
    assert!(
        remember(&world.toolbox, " user: ", NOW)
            .unwrap_err()
            .contains("/remember TEXT")
    );
}

#[test]
fn a_memory_that_is_named_goes_with_its_line() {
    let mut world = World::new(Review::Review);
    for said in ["a", "A.md", "a.md"] {
        let Forgotten::Proposed(proposal) = forget(&world.toolbox, said, NOW).unwrap() else {
            panic!("{said} names one");
        };
        assert_eq!(proposal.title, "forget a");
    }
    let Forgotten::Proposed(proposal) = forget(&world.toolbox, "a", NOW).unwrap() else {
        panic!("it names one");
    };
    accept(&mut world, proposal);
    assert!(!world.folder().join("a.md").exists());
    assert_eq!(
        index(&world),
        "# Memories\n\n- [b](b.md) — The second thing\n"
    );
    let trashed = world.toolbox.writer.history();
    assert_eq!(trashed[0].title, "forget a");
}

#[test]
fn a_line_goes_alone_and_the_last_takes_its_memory_along() {
    let mut world = World::new(Review::Review);
    let Forgotten::Proposed(proposal) = forget(&world.toolbox, "- Never at night.", NOW).unwrap()
    else {
        panic!("the line stands in one");
    };
    assert_eq!(proposal.title, "edit b");
    accept(&mut world, proposal);
    let text = fs::read_to_string(world.folder().join("b.md")).unwrap();
    assert!(text.ends_with("---\n\nShip on Fridays.\n"), "{text}");
    let Forgotten::Proposed(rest) = forget(&world.toolbox, "Ship on Fridays.", NOW).unwrap() else {
        panic!("the line stands in one");
    };
    assert_eq!(rest.title, "forget b");
}

#[test]
fn words_of_several_are_told_and_of_one_propose_it() {
    let world = World::new(Review::Review);
    put(
        &world,
        "deploy-one",
        "How the shop is deployed",
        "With a snapshot first.",
    );
    put(
        &world,
        "deploy-two",
        "How the gateway is deployed",
        "Without downtime.",
    );
    match forget(&world.toolbox, "deployed how", NOW).unwrap() {
        Forgotten::Several(all) => {
            let mut paths: Vec<&str> = all.iter().map(|one| &*one.path).collect();
            paths.sort_unstable();
            assert_eq!(paths, ["deploy-one.md", "deploy-two.md"]);
        }
        Forgotten::Proposed(one) => panic!("{one:?}"),
    }
    match forget(&world.toolbox, "gateway downtime", NOW).unwrap() {
        Forgotten::Proposed(one) => assert_eq!(one.title, "forget deploy-two"),
        Forgotten::Several(all) => panic!("{all:?}"),
    }
    let none = forget(&world.toolbox, "zebra crossing", NOW).unwrap_err();
    assert!(
        none.contains("no memory of this project is called \"zebra crossing\""),
        "{none}"
    );
}
