use std::fs;

use super::*;

struct Case {
    _keep: tempfile::TempDir,
    disk: Disk,
}

fn case(files: &[(&str, &str)]) -> Case {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let host = root.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(host.parent().expect("a parent")).expect("a folder");
        fs::write(host, text).expect("a file");
    }
    let disk = Disk::below(root.path()).expect("a sysroot");
    Case { _keep: root, disk }
}

fn client(files: &[(&str, &str)], vars: &[(&str, &str)]) -> Client {
    let case = case(files);
    let vars = vars
        .iter()
        .map(|(name, value)| ((*name).to_string(), (*value).to_string()))
        .collect();
    Client::read(
        &case.disk,
        vars,
        Path::new("/home/u"),
        Path::new("/home/u/.claude"),
        Path::new("/srv/proj"),
    )
}

fn folder(client: &Client) -> PathBuf {
    match client.memory_place(Path::new("/home/u/.claude")) {
        MemoryPlace::Keyed { base, .. } => base,
        MemoryPlace::Fixed { folder, .. } => folder,
    }
}

const USER: &str = "/home/u/.claude/settings.json";
const PROJECT: &str = "/srv/proj/.claude/settings.json";
const LOCAL: &str = "/srv/proj/.claude/settings.local.json";

#[test]
fn memory_is_on_unless_a_layer_says_no() {
    assert_eq!(
        client(&[], &[]).memory_switch(),
        MemorySwitch { on: true, by: None }
    );
    let off = client(&[(PROJECT, r#"{"autoMemoryEnabled": false}"#)], &[]);
    assert_eq!(
        off.memory_switch().by.as_deref(),
        Some("autoMemoryEnabled in /srv/proj/.claude/settings.json")
    );
    assert!(!off.memory_switch().on);
}

#[test]
fn the_stronger_layer_decides() {
    let files = [
        (USER, r#"{"autoMemoryEnabled": false}"#),
        (LOCAL, r#"{"autoMemoryEnabled": true}"#),
    ];
    assert!(client(&files, &[]).memory_switch().on);
    let managed = [
        (MANAGED, r#"{"autoMemoryEnabled": false}"#),
        (LOCAL, r#"{"autoMemoryEnabled": true}"#),
    ];
    assert!(!client(&managed, &[]).memory_switch().on);
}

#[test]
fn variables_are_stronger_than_settings() {
    let files = [(USER, r#"{"autoMemoryEnabled": false}"#)];
    let on = |name, value| client(&files, &[(name, value)]).memory_switch().on;
    assert!(on("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0"));
    assert!(!on("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "maybe"));
    let off = |vars: &[(&str, &str)]| !client(&[], vars).memory_switch().on;
    assert!(off(&[("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")]));
    assert!(off(&[("CLAUDE_CODE_SIMPLE", "true")]));
    assert!(off(&[("CLAUDE_CODE_REMOTE", "1")]));
    assert!(!off(&[
        ("CLAUDE_CODE_REMOTE", "1"),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/srv/rem")
    ]));
}

#[test]
fn all_that_speaks_of_memory_is_told_the_strongest_first() {
    let files = [
        (USER, r#"{"autoMemoryEnabled": false}"#),
        (PROJECT, r#"{"autoMemoryEnabled": "yes"}"#),
        (LOCAL, r#"{"autoMemoryEnabled": true}"#),
        (MANAGED, r#"{"autoMemoryEnabled": true}"#),
    ];
    let said = client(&files, &[("CLAUDE_CODE_SIMPLE", "1")]).said_of_memory();
    let found: Vec<(bool, bool, Option<Source>)> = said
        .iter()
        .map(|said| (said.on, said.is_stronger_than_local(), said.source))
        .collect();
    assert_eq!(
        found,
        [
            (false, true, None),
            (true, true, Some(Source::Managed)),
            (true, false, Some(Source::Local)),
            (false, false, Some(Source::User)),
        ]
    );
    assert_eq!(said[0].by, "CLAUDE_CODE_SIMPLE=1 in the environment");
    assert_eq!(said[3].file.as_deref(), Some(Path::new(USER)));
}

#[test]
fn rules_switched_off_take_the_index_with_them() {
    assert_eq!(client(&[], &[]).index_off(), None);
    assert!(
        client(&[], &[("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")])
            .index_off()
            .is_some()
    );
}

#[test]
fn the_folder_is_moved_by_variable_then_setting_then_base() {
    let files = [(USER, r#"{"autoMemoryDirectory": "~/mymem"}"#)];
    assert_eq!(folder(&client(&files, &[])), Path::new("/home/u/mymem"));
    assert_eq!(
        folder(&client(
            &files,
            &[("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/srv/cow")]
        )),
        Path::new("/srv/cow")
    );
    assert_eq!(
        folder(&client(
            &[],
            &[("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/srv/rem")]
        )),
        Path::new("/srv/rem")
    );
    assert_eq!(folder(&client(&[], &[])), Path::new("/home/u/.claude"));
}

/// Observed: 2.1.63 knows neither the setting nor the override, 2.1.112 not the repository's setting.
#[test]
fn an_older_version_does_not_follow_all_that_moves_memory() {
    let (none, own) = (
        Moves {
            own_setting: false,
            project_setting: false,
            path_override: false,
        },
        Moves {
            project_setting: false,
            ..Moves::default()
        },
    );
    let folder = |files: &[(&str, &str)], vars: &[(&str, &str)], moves| {
        let place = client(files, vars).memory_place_as(Path::new("/home/u/.claude"), moves);
        match place {
            MemoryPlace::Keyed { base, .. } => base,
            MemoryPlace::Fixed { folder, .. } => folder,
        }
    };
    let user = (USER, r#"{"autoMemoryDirectory": "/srv/mine"}"#);
    let project = (PROJECT, r#"{"autoMemoryDirectory": "/srv/theirs"}"#);
    let home = Path::new("/home/u/.claude");
    let moved = [("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/srv/cow")];
    assert_eq!(folder(&[user, project], &moved, none), home);
    let remote = [("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/srv/rem")];
    assert_eq!(folder(&[user], &remote, none), Path::new("/srv/rem"));
    assert_eq!(folder(&[project], &[], own), home);
    assert_eq!(folder(&[user, project], &[], own), Path::new("/srv/mine"));
    assert_eq!(folder(&[user], &moved, own), Path::new("/srv/cow"));
}

#[test]
fn a_repository_only_claims_and_a_relative_path_is_ignored() {
    let claim = client(
        &[(PROJECT, r#"{"autoMemoryDirectory": "/srv/theirs"}"#)],
        &[],
    );
    let place = claim.memory_place(Path::new("/home/u/.claude"));
    assert!(
        matches!(place, MemoryPlace::Fixed { claimed: true, .. }),
        "{place:?}"
    );
    let relative = client(&[(PROJECT, r#"{"autoMemoryDirectory": "theirs"}"#)], &[]);
    assert_eq!(folder(&relative), Path::new("/home/u/.claude"));
    assert_eq!(relative.faults().len(), 1);
}

#[test]
fn settings_that_are_no_json_are_named_and_left_out() {
    let broken = client(&[(USER, "{\"autoMemoryEnabled\": fal")], &[]);
    assert!(broken.memory_switch().on);
    assert!(broken.faults()[0].contains("settings.json can't be read as JSON"));
}

#[test]
fn transcripts_are_kept_as_long_as_a_setting_says() {
    let days = |text: &str| client(&[(USER, text)], &[]).transcript_days();
    assert_eq!(days("{}"), 30);
    assert_eq!(days("{\"cleanupPeriodDays\": 90}"), 90);
    for many in ["1000000000", "100000000000000000000", "1e300"] {
        let text = format!("{{\"cleanupPeriodDays\": {many}}}");
        assert_eq!(days(&text), 36_500, "{many}");
    }
    assert_eq!(days("{\"cleanupPeriodDays\": \"90\"}"), 30);
}

#[test]
fn settings_of_megabytes_are_named_and_left_out() {
    let large = format!(
        "{{\"autoMemoryEnabled\": false, \"x\": \"{}\"}}",
        "x".repeat(2 << 20)
    );
    let client = client(&[(PROJECT, &large)], &[]);
    assert!(client.memory_switch().on);
    assert!(
        client.faults()[0].contains("MiB large"),
        "{:?}",
        client.faults()
    );
}
