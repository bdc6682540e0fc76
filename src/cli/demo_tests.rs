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

#[test]
fn two_weeks_have_messages_of_several_models_and_each_has_a_price() {
    use crate::base::disk::Disk;
    use crate::config::prices::Prices;
    use crate::transcript::digests::{Asked, digests};
    use crate::transcript::usage::Totals;
    let folder = tempfile::tempdir().unwrap();
    let demo = seed(folder.path(), NOW).unwrap();
    let config = demo.home.join(".config/loci");
    let (prices, faults) = Prices::read(&Disk::system(), &config).ok().unwrap();
    assert!(faults.is_empty());
    let read = digests(&Asked {
        disk: &Disk::system(),
        projects: &demo.config_home.join("projects"),
        keep: None,
        is_dry: false,
        keys: None,
        keep_days: 30,
        now: NOW,
        course: None,
    });
    let totals = Totals::of(&read, &prices);
    let billed = totals.by_day.iter().filter(|(_, sum)| sum.messages > 0);
    assert!(
        (12..=14).contains(&billed.count()),
        "{:?}",
        totals.by_day.keys()
    );
    let models: Vec<&str> = totals.by_model.keys().map(String::as_str).collect();
    assert_eq!(
        models,
        ["claude-haiku-4-5", "claude-opus-4-6", "claude-sonnet-4-6"]
    );
    let dollars = totals.all.dollars().expect("each model has a price");
    assert!((1.0..10.0).contains(&dollars), "{dollars}");
    let text = fs::read_to_string(config.join("config.toml")).unwrap();
    assert!(text.contains("Sample figures"), "{text}");
}
