use serde_json::json;

use crate::config::settings::Review;
use crate::turn::world_for_tests::{World, memory};

#[test]
fn a_line_of_the_index_may_change_but_not_lose_its_memory() {
    let mut world = World::new(Review::Review);
    let index = world.at("MEMORY.md");
    let edit =
        |old: &str, new: &str| json!({"file_path": index, "old_string": old, "new_string": new});
    world.given("Edit", edit("The first thing", "Tabs or spaces"));
    let why = world.refused("Edit", edit("- [b](b.md) — The second thing\n", ""));
    assert!(
        why.starts_with("b.md would be left without a line"),
        "{why}"
    );
    let why = world.refused("Edit", edit("[b](b.md)", "[b](c.md)"));
    assert!(why.contains("without a line"), "{why}");
    let why = world.refused(
        "Edit",
        edit("# Memories\n", "# Memories\n- [c](c.md) — not there\n"),
    );
    assert!(why.contains("line 2 would lead to c.md"), "{why}");
    // The memory that was written before has its line, which may be changed.
    let path = world.at("c.md");
    world.given(
        "Write",
        json!({"file_path": path, "content": memory("c", "The third", "Say.")}),
    );
    world.given("Edit", edit("— The third", "— The third, in short"));
    let last = &world.toolbox.overlay.pending.last().unwrap().files[0];
    assert_eq!(
        last.after.as_deref(),
        Some(
            "# Memories\n\n- [a](a.md) — Tabs or spaces\n- [b](b.md) — The second thing\n- [c](c.md) — The third, in short\n"
        )
    );
}

#[test]
fn an_index_that_would_be_cut_is_refused() {
    let mut world = World::new(Review::Review);
    let index = world.at("MEMORY.md");
    let long = "word ".repeat(6_000);
    let why = world.refused(
        "Edit",
        json!({"file_path": index, "old_string": "The second thing", "new_string": long}),
    );
    assert!(why.starts_with("the list would be cut at line 4"), "{why}");
}

#[test]
fn a_memory_of_a_sub_folder_and_of_the_team_has_its_line_in_its_own_index() {
    let mut world = World::new(Review::Review);
    std::fs::create_dir(world.folder().join("team")).unwrap();
    std::fs::write(world.folder().join("team/MEMORY.md"), "- [x](x.md) — X\n").unwrap();
    std::fs::write(world.folder().join("team/x.md"), memory("x", "X", "X.")).unwrap();
    let path = world.at("team/y.md");
    world.given(
        "Write",
        json!({"file_path": path, "content": memory("y", "Why", "Y.")}),
    );
    let files = &world.toolbox.overlay.pending[0].files;
    assert!(files[1].path.ends_with("team/MEMORY.md"));
    assert_eq!(
        files[1].after.as_deref(),
        Some("- [x](x.md) — X\n- [y](y.md) — Why\n")
    );
    let path = world.at("team/x.md");
    world.given("Forget", json!({"file_path": path}));
    let files = &world.toolbox.overlay.pending[1].files;
    assert_eq!(files[0].after.as_deref(), Some("- [y](y.md) — Why\n"));
    assert_eq!(files[1].after, None);
}
