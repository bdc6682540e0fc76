use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::context::preview::world_for_tests::{CWD, World, usual};

/// A session of a model, with the day of its last line and that of its file.
fn session(world: &World, name: &str, model: &str, said: &str, modified: u64) {
    let path = format!("/home/u/.claude/projects/-srv-p/{name}.jsonl");
    let line = format!(
        "{{\"type\":\"assistant\",\"timestamp\":\"{said}T00:00:00Z\",\"version\":\"2.1.332\",\"message\":{{\"model\":\"{model}\"}}}}\n"
    );
    world.write(&path, &line);
    let file = File::options().write(true).open(world.host(&path)).unwrap();
    let time = UNIX_EPOCH + Duration::from_secs(modified * 86_400);
    file.set_modified(time).unwrap();
}

#[test]
fn the_newest_is_the_one_that_was_used_last_not_the_one_whose_file_is_youngest() {
    let world = usual();
    let mut transcripts = Transcripts::default();
    let mut model = || {
        let recorded = transcripts.newest(&world.store(), Path::new(CWD));
        recorded.model
    };
    assert_eq!(model(), None);
    session(&world, "a", "claude-opus-5-5", "2026-02-02", 20_000);
    session(&world, "b", "claude-haiku-5-5", "2026-01-01", 20_100);
    assert_eq!(model().as_deref(), Some("claude-opus-5-5"));
    // What has changed since is looked at again.
    session(&world, "b", "claude-haiku-5-5", "2026-03-03", 20_101);
    assert_eq!(model().as_deref(), Some("claude-haiku-5-5"));
}
