use super::*;

#[test]
fn what_is_set_holds_and_the_rest_is_as_usual() {
    let text = "theme = \"dark\"\n[health]\nstale_days = 90\nstale = \"off\"\nghost = \"error\"\n";
    let (health, faults) = Health::parse(text);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!((health.stale_days, health.stale_project_days), (90, 14));
    assert_eq!(health.levels["stale"], Level::Off);
    assert_eq!(health.levels["ghost"], Level::Error);
}

#[test]
fn a_fault_is_a_sentence_and_leaves_the_default() {
    let text = "[health]\nstale_days = -1\nghost = \"loud\"\nghost_grace_seconds = 5\n";
    let (health, faults) = Health::parse(text);
    assert_eq!((health.stale_days, health.ghost_grace_seconds), (30, 5));
    assert_eq!(
        faults,
        [
            "[health] ghost must be \"off\", \"note\", \"warning\" or \"error\"",
            "[health] stale_days must be a whole number from 0 on",
        ]
    );
    let (health, faults) = Health::parse("a = 1\n[health\n");
    assert_eq!(health, Health::default());
    assert!(faults[0].starts_with("line 2 is no TOML ("), "{faults:?}");
    assert_eq!(Health::parse("health = 1").1.len(), 1);
}

#[test]
fn without_a_file_the_defaults_hold_and_nothing_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::system();
    let read = |name: &str| Health::read(&disk, &folder.path().join(name));
    assert_eq!(read("none"), (Health::default(), Vec::new()));
    std::fs::create_dir_all(folder.path().join("odd/config.toml")).unwrap();
    let (health, faults) = read("odd");
    assert_eq!(health, Health::default());
    assert!(
        faults[0].ends_with("(is a folder): the defaults hold"),
        "{faults:?}"
    );
}
