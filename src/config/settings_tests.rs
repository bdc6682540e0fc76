use std::path::Path;

use super::*;
use crate::config::recall::Recall;

fn read(text: &str) -> (Settings, Vec<String>) {
    let file = match TomlFile::parse(Path::new("/c/config.toml"), text) {
        Ok(file) => file,
        Err(fault) => return (Settings::default(), vec![fault.to_string()]),
    };
    let codes = |code: &str| ["stale", "ghost"].contains(&code);
    let themes = |name: &str| ["terminal", "dark", "mine"].contains(&name);
    let (settings, faults) = Settings::from(&file, codes, themes);
    (settings, faults.iter().map(ToString::to_string).collect())
}

#[test]
fn what_is_set_holds_and_the_rest_is_as_usual() {
    let text = "theme = \"dark\"\nmouse = false\nmotion = false\nglyphs = \"ascii\"\neditor = \"code --wait\"\nrecall = \"prefetch\"\nrecall_wait_ms = 300\nrecall_ranker_first = true\n\
                [health]\nstale_days = 90\nstale = \"off\"\nghost = \"error\"\n\
                [keep]\ntrash_days = 7\n";
    let (settings, faults) = read(text);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(settings.theme, "dark");
    assert!(!settings.mouse && !settings.motion);
    assert_eq!(settings.glyphs, Glyphs::Ascii);
    assert_eq!(settings.editor, "code --wait");
    assert_eq!(
        settings.recall,
        Recalling {
            mode: Recall::Prefetch,
            wait_ms: 300,
            ranker_first: Some(true),
        }
    );
    let health = &settings.health;
    assert_eq!((health.stale_days, health.stale_project_days), (90, 14));
    assert_eq!(health.levels["stale"], Level::Off);
    assert_eq!(health.levels["ghost"], Level::Error);
    assert_eq!(
        settings.keep,
        Keep {
            trash_days: 7,
            trash_bytes: 1 << 30,
            ..Keep::default()
        }
    );
}

#[test]
fn a_fault_has_its_line_and_leaves_the_default() {
    let text = "mouse = \"no\"\nthem = 1\ntheme = \"mien\"\nglyphs = \"emoji\"\neditor = 3\n\
                [health]\nstale_days = -1\nghost = \"loud\"\nstael = \"off\"\nghost_grace_seconds = 5\n\
                [keep]\ntrash_bytes = 1.5\ntrsh = 1\n\
                [secrets]\nallow = [\"a b\", 3, \"sha256:12\"]\nalow = 1\n";
    let (settings, faults) = read(text);
    let mut expected = Settings::default();
    expected.health.ghost_grace_seconds = 5;
    expected.secrets.allow = vec!["a b".to_string()];
    assert_eq!(settings, expected);
    assert_eq!(
        faults,
        [
            "/c/config.toml:1: mouse must be true or false; its default holds",
            "/c/config.toml:2: them is no key of ours: `loci config print` lists them; it is left out",
            "/c/config.toml:3: there is no theme \"mien\": `loci config path` says where own ones lie; \"terminal\" holds",
            "/c/config.toml:4: glyphs must be \"unicode\" or \"ascii\"; \"unicode\" holds",
            "/c/config.toml:5: editor must be a text in quotes; its default holds",
            "/c/config.toml:7: stale_days must be a whole number from 0 on; 30 holds",
            "/c/config.toml:8: ghost must be \"off\", \"note\", \"warning\" or \"error\"; it is as loud as usual",
            "/c/config.toml:9: [health] stael: no finding has this code; `loci doctor --help` lists them",
            "/c/config.toml:12: trash_bytes must be a whole number from 0 on; 1073741824 holds",
            "/c/config.toml:13: [keep] trsh is no key of ours: `loci config print` lists them; it is left out",
            "/c/config.toml:15: allow holds one that is no text in quotes; it is left out",
            "/c/config.toml:16: [secrets] alow is no key of ours: `loci config print` lists them; it is left out",
        ]
    );
    assert_eq!(
        read("[secrets]\nallow = \"x\"").1,
        ["/c/config.toml:2: allow must be a list of texts; nothing is let pass"]
    );
    let of_no_value =
        "[secrets]\nallow = [\"sha256:BA7816BF8F01CFEA\", \"sha256:ba7816bf8f01cfea\"]";
    let (settings, faults) = read(of_no_value);
    assert_eq!(settings.secrets.allow, ["sha256:ba7816bf8f01cfea"]);
    assert_eq!(
        faults,
        [
            "/c/config.toml:2: allow holds a fingerprint that no value has: after sha256: come 16 of 0-9 and a-f; it is left out"
        ]
    );
    assert_eq!(
        read("health = 1").1,
        ["/c/config.toml:1: health must be a table, [health]; its defaults hold"]
    );
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    let (settings, faults) = read("mouse = false\n[health\n");
    assert_eq!(settings, Settings::default());
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].starts_with("/c/config.toml:2: this is no TOML ("),
        "{faults:?}"
    );
}

#[test]
fn keys_of_parts_to_come_are_known() {
    let text = "demo = true\nextract_every = 2\n\
                [limits]\nindex_lines = 3\n[dream]\nhour = 3\n";
    assert_eq!(read(text), (Settings::default(), Vec::new()));
}

#[test]
fn what_is_printed_says_the_same() {
    let mut settings = Settings {
        theme: "mine".to_string(),
        mouse: false,
        motion: false,
        glyphs: Glyphs::Ascii,
        editor: "\"my editor\" \\ --wait".to_string(),
        keep: Keep {
            trash_days: 0,
            trash_bytes: u64::from(u32::MAX) * 9,
            ledger_days: 3,
            ledger_bytes: 4,
        },
        review: Review::Auto,
        ..Settings::default()
    };
    settings.health.stale_days = 3;
    settings.secrets.allow = vec![
        "sha256:ba7816bf8f01cfea".to_string(),
        "\"it\" \\".to_string(),
    ];
    settings
        .health
        .levels
        .insert("ghost".to_string(), Level::Note);
    for settings in [Settings::default(), settings] {
        assert_eq!(read(&settings.to_toml()), (settings, Vec::new()));
    }
}

#[test]
fn a_faulty_setting_of_recall_is_told_and_its_default_holds() {
    let (settings, faults) =
        read("recall = \"always\"\nrecall_wait_ms = -1\nrecall_ranker_first = 1\nrecall_all = 1\n");
    assert_eq!(settings.recall, Recalling::default());
    assert_eq!(
        faults,
        [
            "/c/config.toml:1: recall must be \"index\", \"prefetch\" or \"off\"; \"index\" holds",
            "/c/config.toml:2: recall_wait_ms must be a whole number from 0 on; 0 holds",
            "/c/config.toml:3: recall_ranker_first must be true or false; its default holds",
            "/c/config.toml:4: recall_all is no key of ours: `loci config print` lists them; it is left out",
        ]
    );
}
