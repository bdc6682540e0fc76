//! What is shown and what is refused before anything is written: dry runs, colour, foreign text, the
//! sysroot, the demo, a folder that is only claimed.

use serde_json::Value;

use crate::cli_home::{Home, ran};
use crate::cli_write_home::{Desk, NEW, small, text_of};

#[test]
fn a_dry_run_of_anything_writes_nothing_and_shows_what_would_be() {
    let desk = small();
    let trashed = desk.json(&["rm", "gamma"])["key"].clone();
    let restore = ["restore", trashed.as_str().unwrap()];
    let before = desk.whole();
    for (command, shown) in [
        (NEW.as_slice(), "+++ "),
        (
            &["edit", "alpha", "--set", "type=project"],
            "-type: user\n+type: project\n",
        ),
        (&["edit", "alpha", "--body", "Uno."], "-One.\n+Uno.\n"),
        (&["mv", "alpha", "omega"], "move "),
        (&["rm", "alpha", "beta"], "trash "),
        (&restore, "move "),
        (&["undo"], "move "),
    ] {
        let ran = desk.done(&[command, &["--dry-run"]].concat());
        assert!(ran.out.contains(shown), "{command:?}: {ran:?}");
        assert!(ran.err.contains("a dry run"), "{ran:?}");
        let ran = desk.done(&[&["--dry-run", "--json"], command].concat());
        for line in ran.out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            assert_eq!(object["key"], Value::Null);
            assert_eq!(object["dry_run"], true);
        }
        assert_eq!(desk.whole(), before, "{command:?}");
    }
    let desk = Desk::new();
    let before = desk.whole();
    desk.done(&[NEW.as_slice(), &["--dry-run"]].concat());
    assert_eq!(desk.whole(), before, "not even a folder of ours");
    assert!(!desk.root().join("state").exists() && !desk.root().join("home/.claude").exists());
}

#[test]
fn a_diff_has_colour_only_where_the_stream_has() {
    let desk = small();
    let edit = ["edit", "alpha", "--set", "type=project", "--dry-run"];
    assert!(!desk.done(&edit).out.contains('\u{1b}'));
    let ran = desk.done(&[edit.as_slice(), &["--color", "always"]].concat());
    assert!(
        ran.out.contains("\u{1b}[31m-type: user\u{1b}[0m"),
        "{ran:?}"
    );
    assert!(
        ran.out.contains("\u{1b}[32m+type: project\u{1b}[0m"),
        "{ran:?}"
    );
}

#[test]
fn foreign_text_in_a_diff_and_in_titles_is_made_safe() {
    let desk = small();
    desk.put(
        "odd\u{1b}[2J.md",
        "---\nname: o\u{202e}dd\n---\nb\u{1b}]0;t\u{7}\n",
    );
    for command in [
        ["edit", "odd\u{1b}[2J.md", "--set", "type=user", "--dry-run"].as_slice(),
        &["edit", "odd\u{1b}[2J.md", "--set", "type=user"],
        &["rm", "odd\u{1b}[2J.md"],
        &["trash"],
        &["history"],
    ] {
        let ran = desk.done(command);
        let hostile = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ran.out.contains(hostile), "{command:?}: {ran:?}");
        assert!(!ran.err.contains(hostile), "{command:?}: {ran:?}");
    }
}

#[test]
fn below_a_sysroot_nothing_is_written() {
    let home = Home::new();
    home.memory("alpha.md", text_of("alpha", "user", "x"));
    for command in [
        NEW.as_slice(),
        &["edit", "alpha", "--set", "type=project"],
        &["mv", "alpha", "b"],
        &["rm", "alpha"],
        &["undo"],
        &["redo"],
        &["restore", "x"],
        &["trash", "--empty", "--yes"],
    ] {
        let ran = home.run(&[command, &["--json"]].concat());
        assert_eq!(ran.code, Some(2), "{command:?}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], "sysroot");
    }
    assert_eq!(
        home.json(&["history", "--json"])["history"],
        serde_json::json!([])
    );
    assert_eq!(
        home.json(&["trash", "--json"])["trash"],
        serde_json::json!([])
    );
    assert!(!home.root().join("state").exists());
}

#[test]
fn with_the_demo_all_of_it_lies_in_the_demos_folder() {
    let desk = Desk::new();
    let temporary = desk.root().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = desk.command(&[
        "--demo",
        "--yes",
        "new",
        "x",
        "--type",
        "user",
        "--description",
        "d",
    ]);
    command
        .env("TMPDIR", &temporary)
        .env("LOCI_TRASH", desk.root().join("trash"));
    let ran = ran(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(desk.whole().is_empty(), "{:?}", desk.whole().keys());
}

/// A repository's settings may claim a folder; nothing is written there (spec 8).
#[test]
fn a_folder_that_only_the_repository_claims_is_not_written() {
    let desk = Desk::new();
    let claimed = desk.root().join("home/elsewhere");
    std::fs::create_dir_all(&claimed).unwrap();
    std::fs::write(claimed.join("alpha.md"), text_of("alpha", "user", "x")).unwrap();
    let settings = desk.root().join("proj/.claude");
    std::fs::create_dir_all(&settings).unwrap();
    let text = "{\"autoMemoryDirectory\":\"~/elsewhere\"}";
    std::fs::write(settings.join("settings.json"), text).unwrap();
    let before = desk.whole();
    for command in [
        NEW.as_slice(),
        &["edit", "alpha", "--set", "type=project"],
        &["mv", "alpha", "b"],
        &["rm", "alpha"],
        &["rm", "alpha", "--dry-run"],
    ] {
        let sentence = desk.refused(command, 2, "claimed");
        assert!(
            sentence.contains("autoMemoryDirectory in ") && sentence.contains("settings.json"),
            "{sentence}"
        );
    }
    assert_eq!(desk.whole(), before);
    // The same folder in the person's own settings is theirs.
    std::fs::rename(
        settings.join("settings.json"),
        settings.join("settings.local.json"),
    )
    .unwrap();
    desk.done(&["edit", "alpha", "--set", "type=project"]);
}

#[test]
fn history_of_a_key_shows_what_the_change_did() {
    let desk = small();
    let edited = desk.json(&["edit", "alpha", "--body", "Uno."]);
    let key = edited["key"].as_str().unwrap();
    let trashed = desk.json(&["rm", "gamma"]);
    let before = desk.whole();
    let ran = desk.done(&["history", key]);
    let (head, diff) = ran.out.split_once('\n').unwrap();
    assert!(
        head.starts_with(key) && head.ends_with("edit alpha"),
        "{ran:?}"
    );
    assert!(diff.contains("\n-One.\n+Uno.\n"), "{ran:?}");
    let shown = desk.json(&["history", trashed["key"].as_str().unwrap()]);
    assert_eq!(shown["title"], "trash gamma");
    let diff = shown["diff"].as_str().unwrap();
    assert!(diff.contains("\n-- [gamma](gamma.md) — third\n"), "{diff}");
    assert!(
        diff.ends_with("/memory/gamma.md\n") && diff.contains("\ntrash /"),
        "{diff}"
    );
    desk.refused(&["history", "no-such-key"], 2, "not-found");
    assert_eq!(desk.whole(), before);
    let blob = desk.state().join("blobs");
    for file in std::fs::read_dir(blob).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    let ran = desk.done(&["history", key]);
    assert!(
        ran.out
            .contains("the bytes that this change needs are lost"),
        "{ran:?}"
    );
}
