use crate::health::fixture::{NOW, World, good};

const NONE: [&str; 0] = [];

fn aged(text: &str, days: i64) -> Vec<String> {
    let world = World::new();
    world.days_old("one.md", text, days);
    world.found()
}

#[test]
fn stale() {
    let text = good("one");
    assert_eq!(aged(&text, 30), NONE);
    assert_eq!(aged(&text, 31), ["stale note one.md"]);
    let project = text.replace("feedback", "project");
    assert_eq!(aged(&project, 14), NONE);
    assert_eq!(aged(&project, 15), ["stale note one.md"]);
}

#[test]
fn the_newest_of_the_field_and_the_file_counts_but_not_what_is_still_to_come() {
    let said = |time: &str| good("one").replace("  type", &format!("  modified: {time}\n  type"));
    assert_eq!(aged(&said(&NOW.rfc3339()), 90), NONE);
    assert_eq!(aged(&said("2099-01-01"), 90), ["stale note one.md"]);
    assert_eq!(aged(&said("2001-01-01"), 3), NONE);
}

#[test]
fn the_tiny_layout_goes_by_created_and_by_the_date_as_it_is_written() {
    let world = World::new();
    world.remove("MEMORY.md");
    let created =
        |date: &str| good("one").replace("metadata", &format!("created: {date}\nmetadata"));
    // NOW is 2026-09-21.
    world.file("one.md", created("2026-08-22"));
    assert_eq!(world.found(), NONE);
    world.file("one.md", created("2026-08-21"));
    assert_eq!(world.found(), ["stale note one.md"]);
}
