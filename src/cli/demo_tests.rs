use super::*;

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn texts(dir: &Dir) -> Vec<String> {
    let mut found: Vec<String> = dir
        .files()
        .filter(|file| file.path().extension().is_some_and(|end| end == "md"))
        .map(|file| file.path().to_string_lossy().replace('\\', "/"))
        .collect();
    found.extend(dir.dirs().flat_map(texts));
    found
}

#[test]
fn every_text_has_an_age_and_every_age_a_text() {
    let ages = ASSETS
        .get_file("ages.tsv")
        .unwrap()
        .contents_utf8()
        .unwrap();
    let mut aged: Vec<String> = ages
        .lines()
        .map(|line| line.split_once('\t').unwrap().0.to_string())
        .collect();
    let mut there = texts(&ASSETS);
    aged.sort();
    there.sort();
    assert_eq!(aged, there);
}

#[test]
fn no_placeholder_is_left_and_ages_are_relative_to_now() {
    let folder = tempfile::tempdir().unwrap();
    let demo = seed(folder.path(), NOW).unwrap();
    let memory = demo
        .config_home
        .join("projects")
        .join(key::encode(&demo.cwd.to_string_lossy()))
        .join("memory");
    let path = memory.join("check-360px-before-done.md");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("{{"), "{text}");
    let modified = Moment::from(fs::metadata(&path).unwrap().modified().unwrap());
    assert_eq!(modified.days_before(NOW), 47);
    assert!(text.contains(&modified.rfc3339()), "{text}");
}

#[test]
fn the_release_notes_push_the_newest_entries_over_the_line_limit() {
    let folder = tempfile::tempdir().unwrap();
    let demo = seed(folder.path(), NOW).unwrap();
    let index = demo
        .config_home
        .join("projects")
        .join(key::encode(&demo.cwd.to_string_lossy()))
        .join("memory/MEMORY.md");
    let text = fs::read_to_string(index).unwrap();
    let last = text.lines().last().unwrap();
    assert!(last.contains("Two clocks"), "{last}");
    assert!(text.trim().lines().count() > 200);
    let loaded: Vec<&str> = text.lines().take(200).collect();
    assert!(
        loaded.join("\n").encode_utf16().count() < 25_000,
        "the lines bind, not the units"
    );
    assert!(text.trim().encode_utf16().count() > 25_000, "both are over");
}

#[test]
fn a_seed_needs_a_folder_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    assert!(seed(&folder.path().join("missing"), NOW).is_err());
}
