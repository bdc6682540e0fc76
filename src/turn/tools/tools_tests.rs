use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::*;
use crate::turn::world_for_tests::{World, memory};

fn asked() -> World {
    World::new(Review::Review)
}

#[test]
fn the_list_of_tools_says_what_each_takes() {
    let tools = described();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "Read",
            "Grep",
            "Glob",
            "LS",
            "memory_search",
            "Write",
            "Edit",
            "Forget"
        ]
    );
    for tool in &tools {
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|doc| doc.len() > 40)
        );
        assert_eq!(tool["input_schema"]["type"], "object");
    }
    assert_eq!(described(), tools);
}

#[test]
fn a_file_is_read_with_the_numbers_of_its_lines() {
    let mut world = asked();
    let whole = world.given("Read", json!({"file_path": "src/main.rs"}));
    assert_eq!(whole, "1\tfn main() {\n2\t    start();\n3\t}");
    let part = world.given(
        "Read",
        json!({"file_path": "src/main.rs", "offset": 2, "limit": "1"}),
    );
    assert_eq!(
        part,
        "2\t    start();\n[1 more lines: read on with offset 3.]"
    );
    fs::write(world.project().join("odd"), b"a\xff\n").unwrap();
    let odd = world.given("Read", json!({"file_path": "odd"}));
    assert_eq!(
        odd,
        "1\ta\u{fffd}\n[Bytes of it are no UTF-8: each stands as a replacement character.]"
    );
    fs::write(world.project().join("empty"), "").unwrap();
    assert_eq!(
        world.given("Read", json!({"file_path": "empty"})),
        "[The file is empty.]"
    );
    let long = "x".repeat(5_000);
    fs::write(world.project().join("long"), &long).unwrap();
    assert_eq!(
        world.given("Read", json!({"file_path": "long"})),
        format!("1\t{} [the line goes on]", &long[..2_000])
    );
}

#[test]
fn a_memory_is_read_with_its_age_in_front_from_two_days_on() {
    let mut world = asked();
    let old = SystemTime::now() - Duration::from_hours(47 * 24 + 1);
    let index = fs::File::options()
        .append(true)
        .open(world.folder().join("MEMORY.md"))
        .unwrap();
    index.set_modified(old).unwrap();
    let path = world.at("MEMORY.md");
    let text = world.given("Read", json!({"file_path": path}));
    assert!(text.starts_with("[This memory is 47 days old."), "{text}");
    let path = world.at("a.md");
    assert!(
        world
            .given("Read", json!({"file_path": path}))
            .starts_with("1\t---\n")
    );
}

#[test]
fn the_read_of_a_file_brings_its_rules_along_once() {
    let mut world = asked();
    fs::write(world.project().join("src/CLAUDE.md"), "Rule of src.").unwrap();
    let first = world.run("Read", json!({"file_path": "src/main.rs"}));
    let texts: Vec<String> = first.along[0]
        .iter()
        .map(|piece| piece.shown().into_owned())
        .collect();
    let rule = world.project().join("src/CLAUDE.md");
    assert_eq!(
        texts,
        [
            format!("{}:\n\n", rule.display()),
            "Rule of src.".to_string()
        ]
    );
    assert!(
        world
            .run("Read", json!({"file_path": "src/main.rs"}))
            .along
            .is_empty()
    );
}

#[test]
fn files_are_found_by_their_names_and_their_lines() {
    let mut world = asked();
    let project = world.project();
    fs::write(project.join(".gitignore"), "target\n").unwrap();
    fs::create_dir(project.join("target")).unwrap();
    fs::write(project.join("target/x.rs"), "fn start() {}\n").unwrap();
    fs::write(project.join("src/lib.rs"), "pub fn start() {}\n").unwrap();
    let old = SystemTime::now() - Duration::from_secs(500);
    fs::File::open(project.join("src/main.rs"))
        .unwrap()
        .set_modified(old)
        .unwrap();
    let at = |name: &str| project.join(name).display().to_string();
    assert_eq!(
        world.given("Glob", json!({"pattern": "**/*.rs"})),
        format!("{}\n{}", at("src/lib.rs"), at("src/main.rs"))
    );
    assert_eq!(
        world.given("Glob", json!({"pattern": "*.rs"})),
        "[No file matches.]"
    );
    assert_eq!(
        world.given("Grep", json!({"pattern": r"start\(", "glob": "*.rs"})),
        format!(
            "{}:1:pub fn start() {{}}\n{}:2:    start();",
            at("src/lib.rs"),
            at("src/main.rs")
        )
    );
    assert_eq!(
        world.given(
            "Grep",
            json!({"pattern": "START", "ignore_case": true, "path": "src/lib.rs"})
        ),
        format!("{}:1:pub fn start() {{}}", at("src/lib.rs"))
    );
    assert_eq!(world.given("LS", json!({})), ".gitignore\nsrc/\ntarget/");
    assert!(
        world
            .refused("Grep", json!({"pattern": "("}))
            .starts_with("the expression can't be read")
    );
    assert!(
        world
            .refused("LS", json!({"path": "src/lib.rs"}))
            .ends_with("is no folder")
    );
}

#[test]
fn what_is_proposed_is_found_as_if_it_were_there() {
    let mut world = asked();
    let path = world.at("new-one.md");
    let text = memory("new-one", "The third thing", "Measure twice.");
    let said = world.given("Write", json!({"file_path": path, "content": text}));
    assert!(
        said.starts_with("Proposed: new-one.md written, with its line in the list of memories."),
        "{said}"
    );
    assert!(!world.folder().join("new-one.md").exists());
    let folder = world.at("");
    assert_eq!(
        world.given("LS", json!({"path": folder})),
        "MEMORY.md\na.md\nb.md\nnew-one.md"
    );
    assert!(
        world
            .given("Grep", json!({"pattern": "twice", "path": folder}))
            .ends_with(":Measure twice.")
    );
    assert!(
        world
            .given("Glob", json!({"pattern": "new*", "path": folder}))
            .ends_with("new-one.md")
    );
    let index = world.at("MEMORY.md");
    assert!(
        world
            .given("Read", json!({"file_path": index}))
            .ends_with("5\t- [new-one](new-one.md) — The third thing")
    );
    let read = world.given("Read", json!({"file_path": path}));
    assert!(
        read.contains("originSessionId: 5e55") && read.contains("node_type: memory"),
        "{read}"
    );
    let gone = world.at("a.md");
    world.given("Forget", json!({"file_path": gone}));
    assert_eq!(
        world.given("LS", json!({"path": folder})),
        "MEMORY.md\nb.md\nnew-one.md"
    );
    assert!(
        world
            .refused("Read", json!({"file_path": gone}))
            .contains("proposed to go")
    );
    assert!(world.folder().join("a.md").exists());
    assert_eq!(world.toolbox.overlay.pending.len(), 2);
}

#[test]
fn a_passage_is_replaced_where_it_stands_once() {
    let mut world = asked();
    let path = world.at("a.md");
    let edit =
        |old: &str, new: &str| json!({"file_path": path, "old_string": old, "new_string": new});
    assert!(
        world
            .refused("Edit", edit("Tabs; not", "x"))
            .contains("does not stand there so")
    );
    assert!(
        world
            .refused("Edit", edit("", "x"))
            .contains("old_string is empty")
    );
    assert!(world.refused("Edit", edit("s", "z")).contains("times"));
    world.given("Edit", edit("Tabs, not spaces.", "Spaces, not tabs."));
    assert!(
        world
            .refused("Edit", edit("Spaces, not tabs.", "Spaces, not tabs."))
            .contains("says that already")
    );
    let file = &world.toolbox.overlay.pending[0].files;
    assert_eq!(file.len(), 1);
    assert_eq!(
        file[0].after,
        Some(memory("a", "The first thing", "Spaces, not tabs."))
    );
}

#[test]
fn lines_that_end_in_crlf_keep_doing_so() {
    let mut world = asked();
    let text = memory("a", "The first thing", "One.\nTwo.\nThree.").replace('\n', "\r\n");
    fs::write(world.folder().join("a.md"), &text).unwrap();
    let path = world.at("a.md");
    world.given(
        "Edit",
        json!({"file_path": path, "old_string": "One.\nTwo.", "new_string": "One.\nAnd two."}),
    );
    let after = world.toolbox.overlay.pending[0].files[0].after.clone();
    assert_eq!(after, Some(text.replace("Two.", "And two.")));
}

#[test]
fn a_memory_is_only_overwritten_by_one_who_has_read_it_as_it_is() {
    let mut world = asked();
    let path = world.at("a.md");
    let new = json!({"file_path": path, "content": memory("a", "The first thing", "New.")});
    assert!(
        world
            .refused("Write", new.clone())
            .contains("read it whole")
    );
    world.given("Read", json!({"file_path": path, "limit": 3}));
    assert!(
        world
            .refused("Write", new.clone())
            .contains("read it whole")
    );
    world.given("Read", json!({"file_path": path}));
    fs::write(
        world.folder().join("a.md"),
        memory("a", "The first thing", "By somebody else."),
    )
    .unwrap();
    assert!(
        world
            .refused("Write", new.clone())
            .contains("was changed since you read it")
    );
    world.given("Read", json!({"file_path": path}));
    world.given("Write", new);
}

#[test]
fn without_a_review_it_is_written_at_once_and_can_be_undone() {
    let mut world = World::new(Review::Auto);
    let path = world.at("new-one.md");
    let text = memory("new-one", "The third thing", "Measure twice.");
    let said = world.given("Write", json!({"file_path": path, "content": text}));
    assert_eq!(
        said,
        "Done: new-one.md written, with its line in the list of memories."
    );
    let index = fs::read_to_string(world.folder().join("MEMORY.md")).unwrap();
    assert!(
        index.ends_with("- [new-one](new-one.md) — The third thing\n"),
        "{index}"
    );
    let history = world.toolbox.writer.history();
    assert_eq!(history[0].title, "new new-one");
    assert_eq!(history[0].session.as_deref(), Some("5e55"));
    let b = world.at("b.md");
    world.given(
        "Forget",
        json!({"file_path": b, "passage": "Never at night."}),
    );
    assert_eq!(
        fs::read_to_string(world.folder().join("b.md")).unwrap(),
        memory("b", "The second thing", "Ship on Fridays.")
    );
    world.given("Forget", json!({"file_path": b}));
    assert!(!world.folder().join("b.md").exists());
    world
        .toolbox
        .writer
        .undo(None, SystemTime::now().into())
        .unwrap();
    assert!(world.folder().join("b.md").exists());
}

#[test]
fn memories_are_found_by_words_with_what_is_proposed_and_nothing_from_outside() {
    let mut world = asked();
    let (folder, at) = (world.folder(), |world: &World, name: &str| world.at(name));
    let found = world.given(
        "memory_search",
        json!({"query": "when do we ship, at nights?"}),
    );
    let head = format!("1 memory of {}, the best first:\n", folder.display());
    let today: crate::base::time::Moment = SystemTime::now().into();
    let line = format!(
        "- [project] b.md (saved {}, 0 days ago): The second thing",
        today.date()
    );
    assert_eq!(found, format!("{head}{line}"));
    // What is proposed counts as written.
    let path = at(&world, "pigeons.md");
    let text = memory("pigeons", "Pigeons carry the releases", "They fly south.");
    world.given("Write", json!({"file_path": path, "content": text}));
    let found = world.given("memory_search", json!({"query": "pigeon"}));
    assert!(
        found.ends_with("\n- [project] pigeons.md: Pigeons carry the releases"),
        "{found}"
    );
    let path = at(&world, "b.md");
    world.given("Forget", json!({"file_path": path}));
    let none = world.given("memory_search", json!({"query": "ship nights"}));
    assert_eq!(
        none,
        format!("No memory of {} has anything of that.", folder.display())
    );
    // A link that leads out is not looked into.
    let outside = world.root.path().join("outside.md");
    fs::write(&outside, memory("zebra", "A zebra crossing", "Stripes.")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("zebra.md")).unwrap();
    let none = world.given("memory_search", json!({"query": "zebra stripes"}));
    assert!(!none.contains("crossing"), "{none}");
    let capped = world.given("memory_search", json!({"query": "thing", "limit": 1}));
    assert_eq!(capped.lines().count(), 2, "{capped}");
}
