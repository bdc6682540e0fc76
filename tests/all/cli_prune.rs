//! `prune` on the real disk: what is refused, what is listed before, what goes, and how it comes back.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde_json::json;

use crate::cli_project_home::{
    folder, key, last_change, listed, memory, orphan, pictured, projects, transcript,
};
use crate::cli_write_home::Desk;

#[test]
fn what_goes_is_listed_and_nothing_goes_unasked() {
    let desk = Desk::new();
    let key = orphan(&desk, "gone");
    fs::write(projects(&desk).join(&key).join("notes.txt"), "x").unwrap();
    let before = pictured(&desk);
    for arguments in [
        ["prune", &key].as_slice(),
        &["prune", &key, "--yes"],
        &["prune", &key, "--with-memories", &key],
        &["prune", &key, "--yes", "--with-memories", "-other"],
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        for line in [
            "  memory   alpha.md\n",
            "  memory   beta.md\n",
            "  session  11111111-1111-4111-8111-111111111111\n",
            "  other    notes.txt\n",
        ] {
            assert!(ran.out.contains(line), "{ran:?}");
        }
        assert!(
            ran.out
                .contains(&format!("{} is gone", desk.root().join("gone").display())),
            "{ran:?}"
        );
    }
    let said = desk.refused(&["prune", &key, "--yes"], 2, "confirm");
    assert!(
        said.ends_with(&format!(
            "--yes --with-memories {key} does it (2 memories go too)"
        )),
        "{said}"
    );
    let dry = desk.done(&["prune", &key, "--dry-run"]);
    assert!(
        dry.out.contains("alpha.md") && dry.out.contains("trash "),
        "{dry:?}"
    );
    assert_eq!(pictured(&desk), before);
    assert_eq!(desk.json(&["history"]), json!({"history": []}));
}

/// All comes back, byte for byte, with mode and time, by restore and by undo.
#[test]
fn a_pruned_folder_comes_back_as_it_was() {
    let desk = Desk::new();
    let key = orphan(&desk, "gone");
    let other = folder(&desk, "live");
    transcript(&desk, &self::key(&desk, &other), "s", &[&other], 3);
    let before = pictured(&desk);
    let times = |desk: &Desk| {
        fs::metadata(projects(desk).join(&key))
            .unwrap()
            .mtime_nsec()
    };
    let time = times(&desk);
    for back in ["restore", "undo"] {
        let done = desk.json(&["prune", &key, "--yes", "--with-memories", &key]);
        assert_eq!(done["memories"], json!(["alpha.md", "beta.md"]));
        assert_eq!(done["whole"], true);
        assert_eq!(done["change"]["changes"][0]["op"], "trash");
        assert!(!projects(&desk).join(&key).exists());
        assert_eq!(
            desk.json(&["trash"])["trash"][0]["items"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        let change = last_change(&desk);
        desk.done(&[back, &change]);
        assert_eq!(pictured(&desk), before, "{back}");
        assert_eq!(times(&desk), time);
    }
}

/// A folder without memories needs no second word, and may be named by its path.
#[test]
fn a_folder_without_memories_goes_by_yes_alone() {
    let desk = Desk::new();
    let path = desk.root().join("gone");
    let key = key(&desk, &path);
    transcript(&desk, &key, "s", &[&path], 3);
    let ran = desk.done(&["prune", path.to_str().unwrap(), "--yes"]);
    assert!(ran.out.contains(&format!("prune {key}")), "{ran:?}");
    assert!(pictured(&desk).is_empty());
}

#[test]
fn what_is_there_or_can_t_be_looked_at_is_not_pruned() {
    let desk = Desk::new();
    let live = folder(&desk, "live");
    let live_key = key(&desk, &live);
    transcript(&desk, &live_key, "s", &[&live], 3);
    transcript(&desk, "W--nest", "s", &[Path::new("W:\\nest")], 3);
    let (one, _) = (folder(&desk, "a-b"), folder(&desk, "a/b"));
    let maybe = key(&desk, &one);
    memory(&desk, &maybe, "a", "x");
    let before = pictured(&desk);
    for (key, code, words) in [
        (&*live_key, "refused", "which is there: it is not pruned"),
        ("W--nest", "refused", "can't be told here"),
        (&maybe, "ambiguous", "may be about"),
        ("-no-such", "not-found", "`loci projects` lists them"),
    ] {
        let said = desk.refused(&["prune", key, "--yes", "--with-memories", key], 2, code);
        assert!(said.contains(words), "{said}");
    }
    // One of several that is refused leaves the others too.
    let gone = orphan(&desk, "gone");
    let both = pictured(&desk);
    desk.refused(
        &["prune", &gone, &live_key, "--yes", "--with-memories", &gone],
        2,
        "refused",
    );
    assert_eq!(pictured(&desk), both);
    assert!(both.len() > before.len());
}

/// Where not all folders that could have the key can be looked at, one of them may share its memory.
#[test]
fn what_could_not_be_looked_at_to_the_end_is_not_pruned() {
    let desk = Desk::new();
    let deep = folder(&desk, &"a".repeat(210));
    for number in 0..2_100 {
        fs::create_dir(deep.join(number.to_string())).unwrap();
    }
    let gone = deep.join("gone");
    let key = key(&desk, &gone);
    transcript(&desk, &key, "s", &[&gone], 3);
    assert_eq!(listed(&desk, &key)["origin"], "orphaned");
    let said = desk.refused(&["prune", &key, "--yes"], 2, "refused");
    assert!(said.contains("too many folders"), "{said}");
}

/// With no evidence at all and nothing that it could be about, a folder may go.
#[test]
fn a_folder_without_any_evidence_may_go() {
    let desk = Desk::new();
    memory(&desk, "-nowhere-at-all", "a", "x");
    assert_eq!(listed(&desk, "-nowhere-at-all")["origin"], "unknown");
    desk.done(&[
        "prune",
        "-nowhere-at-all",
        "--yes",
        "--with-memories",
        "-nowhere-at-all",
    ]);
    assert!(pictured(&desk).is_empty());
}

/// One of two paths is gone: only its sessions are offered, the memory that both share stays.
#[test]
fn pa18_only_the_sessions_of_the_path_that_is_gone_go() {
    let desk = Desk::new();
    let (gone, alive) = (desk.root().join("my-nest"), folder(&desk, "my_nest"));
    let key = key(&desk, &gone);
    let first = transcript(&desk, &key, "gone", &[&gone], 3);
    let beside = projects(&desk).join(&key).join("gone/tool-results");
    fs::create_dir_all(&beside).unwrap();
    fs::write(beside.join("x.txt"), "x").unwrap();
    let second = transcript(&desk, &key, "alive", &[&alive], 3);
    let kept = memory(&desk, &key, "a", "x");
    let before = pictured(&desk);
    let ran = desk.run(&["prune", &key]);
    assert!(
        ran.out.contains("some of its sessions") && ran.out.contains("session  gone"),
        "{ran:?}"
    );
    assert!(
        !ran.out.contains("alive\n") && !ran.out.contains("memory   "),
        "{ran:?}"
    );
    let done = desk.json(&["prune", &key, "--yes"]);
    assert_eq!(
        (&done["sessions"], &done["whole"]),
        (&json!(["gone"]), &json!(false))
    );
    assert!(!first.exists() && !beside.exists());
    assert!(second.exists() && kept.exists());
    desk.done(&["undo"]);
    assert_eq!(pictured(&desk), before);
}

/// The same where no transcript names the folder that is there: it would find this memory by its key.
#[test]
fn pa18_a_folder_that_no_evidence_names_shares_the_memory_too() {
    let desk = Desk::new();
    let gone = desk.root().join("my-nest");
    folder(&desk, "my_nest");
    let key = key(&desk, &gone);
    let first = transcript(&desk, &key, "gone", &[&gone], 3);
    let kept = memory(&desk, &key, "a", "x");
    desk.done(&["prune", &key, "--yes"]);
    assert!(!first.exists() && kept.exists());
}

/// Each of two paths that are gone is asked about.
#[test]
fn pa03_pruning_a_shared_folder_asks_about_each_path() {
    let desk = Desk::new();
    let paths = ["my_nest", "my-nest"].map(|name| desk.root().join(name));
    let key = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(["a", "b"]) {
        transcript(&desk, &key, id, &[path], 3);
    }
    memory(&desk, &key, "m", "x");
    let said = desk.refused(
        &["prune", &key, "--yes", "--with-memories", &key],
        2,
        "ambiguous",
    );
    for path in &paths {
        assert!(said.contains(path.to_str().unwrap()), "{said}");
    }
    let [one, other] = paths.each_ref().map(|path| path.to_str().unwrap());
    let said = desk.refused(
        &["prune", &key, "--of", "/elsewhere", "--yes"],
        2,
        "refused",
    );
    assert!(said.contains("is not about /elsewhere"), "{said}");
    let done = desk.json(&["prune", &key, "--of", one, "--yes"]);
    assert_eq!(
        (&done["sessions"], &done["memories"]),
        (&json!(["a"]), &json!([]))
    );
    desk.done(&["undo"]);
    let both = [
        "prune",
        &key,
        "--of",
        one,
        "--of",
        other,
        "--yes",
        "--with-memories",
        &key,
    ];
    assert_eq!(desk.json(&both)["whole"], true);
    assert!(pictured(&desk).is_empty());
}

/// The memories of a project folder that lies inside go along, by name.
#[test]
fn pa12_memories_of_a_nested_project_are_listed_too() {
    let desk = Desk::new();
    let key = orphan(&desk, "new");
    memory(&desk, &format!("{key}/{key}"), "inner", "x");
    let said = desk.run(&["prune", &key]);
    assert!(
        said.out
            .contains(&format!("  memory   {key}/memory/inner.md\n")),
        "{said:?}"
    );
}

#[test]
fn a_sysroot_is_only_read() {
    let home = crate::cli_home::Home::new();
    home.write("/home/u/.claude/projects/-x/s.jsonl", "{\"cwd\":\"/x\"}\n");
    let ran = home.run(&["prune", "-x", "--yes", "--json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.json()["error"]["code"], "sysroot");
    assert_eq!(
        home.json(&["projects", "--json"])["projects"][0]["origin"],
        "orphaned"
    );
}

/// Of a folder that another one shares only some sessions go: the line says so, and the list says which
/// path is gone.
#[test]
fn what_is_asked_of_some_sessions_names_them() {
    let desk = Desk::new();
    let (gone, alive) = (desk.root().join("my-nest"), folder(&desk, "my_nest"));
    let key = key(&desk, &gone);
    transcript(&desk, &key, "gone", &[&gone], 3);
    transcript(&desk, &key, "alive", &[&alive], 3);
    memory(&desk, &key, "a", "x");
    let asked = format!("1 session of {key} would go to the trash: --yes does it");
    for arguments in [
        ["prune", &key].as_slice(),
        &["prune", &key, "--of", gone.to_str().unwrap()],
        &["prune", gone.to_str().unwrap()],
    ] {
        let said = desk.refused(arguments, 2, "confirm");
        assert!(said.ends_with(&asked), "{said}");
    }
    let note = format!("shared by 2 folders, of which {} is gone", gone.display());
    assert_eq!(listed(&desk, &key)["notes"], json!([note]));
}

/// The line can be copied: it holds all that must be said, also what was said already.
#[test]
fn the_hint_names_each_folder_that_must_be_named() {
    let desk = Desk::new();
    let (one, other) = (orphan(&desk, "one"), orphan(&desk, "other"));
    let arguments = ["prune", &one, &other, "--yes", "--with-memories", &one];
    let said = desk.refused(&arguments, 2, "confirm");
    assert!(
        said.ends_with(&format!(
            "--yes --with-memories {one} --with-memories {other} does it (4 memories go too)"
        )),
        "{said}"
    );
    let help = desk.done(&["prune", "--help"]).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("of a folder whose memories go with it; may be given more than once"),
        "{help}"
    );
}
