//! Memories that change their place on the command line: into another project, to the team and back.

use std::fs;
use std::path::PathBuf;

use crate::cli_write_home::{Desk, picture, small};

/// The memory folder of another project, `other`, beside that of `desk`.
fn other(desk: &Desk) -> PathBuf {
    fs::create_dir_all(desk.root().join("other")).unwrap();
    let own = desk.memory();
    let key = own.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let key = key.strip_suffix("proj").unwrap().to_string() + "other";
    own.parent().unwrap().with_file_name(key).join("memory")
}

fn key_of(folder: &std::path::Path) -> String {
    let key = folder.parent().unwrap().file_name().unwrap();
    key.to_str().unwrap().to_string()
}

#[test]
fn mv_to_another_project_takes_the_line_along_and_undo_brings_all_back() {
    let desk = small();
    let there = other(&desk);
    let (before, old) = (desk.memories(), desk.memories()["alpha.md"].clone());
    let ran = desk.done(&["mv", "alpha", "--to", "../other"]);
    assert!(ran.out.starts_with("move alpha to other  "), "{ran:?}");
    assert!(
        ran.err
            .contains("beta.md links to it: that will lead nowhere"),
        "{ran:?}"
    );
    assert!(!desk.has("alpha.md"));
    assert_eq!(
        desk.read("MEMORY.md"),
        "# Memory\n- [beta](beta.md) — second\n- [gamma](gamma.md) — third\n"
    );
    let now = picture(&there);
    assert_eq!(
        now["alpha.md"], old,
        "bytes, mode and time are as they were"
    );
    let index = String::from_utf8(now["MEMORY.md"].0.clone()).unwrap();
    assert_eq!(index, "- [alpha](alpha.md) — first\n");
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
    assert!(picture(&there).is_empty());
}

#[test]
fn cp_copies_each_as_a_change_of_its_own_by_path_or_by_key() {
    let desk = small();
    let there = other(&desk);
    let before = desk.memories();
    let key = key_of(&there);
    desk.done(&["cp", "alpha", "--to", "../other"]);
    let titles: Vec<String> = desk
        .done(&["cp", "beta", "gamma.md", "--to", &key])
        .out
        .lines()
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split("  ").next().unwrap().to_string())
        .collect();
    // A walk along the key finds the folder that has it.
    assert_eq!(titles, ["copy beta to other", "copy gamma to other"]);
    assert_eq!(desk.memories(), before);
    let now = picture(&there);
    for name in ["alpha.md", "beta.md", "gamma.md"] {
        assert_eq!(now[name], before[name], "{name}");
    }
    desk.done(&["undo"]);
    let left = picture(&there);
    assert!(left.contains_key("beta.md") && !left.contains_key("gamma.md"));
}

#[test]
fn a_name_that_is_taken_is_refused_and_another_one_does() {
    let desk = small();
    let there = other(&desk);
    desk.done(&["cp", "alpha", "--to", "../other"]);
    let before = (desk.whole(), picture(&there));
    let said = desk.refused(&["cp", "alpha", "--to", "../other"], 2, "taken");
    assert!(
        said.ends_with("is already there: choose another name"),
        "{said}"
    );
    desk.refused(&["mv", "alpha", "--to", "../other"], 2, "taken");
    desk.refused(&["mv", "alpha", "a/b", "--to", "../other"], 2, "usage");
    desk.refused(&["mv", "alpha", "--to", "../nowhere"], 2, "not-found");
    desk.refused(&["mv", "alpha", "--to", "."], 2, "refused");
    desk.refused(
        &["cp", "alpha", "beta", "--to", "../other", "--name", "x"],
        2,
        "usage",
    );
    for arguments in [
        ["mv", "alpha"].as_slice(),
        &["mv", "alpha", "--team", "--private"],
        &["mv", "alpha", "--team", "--to", "../other"],
        &["mv", "alpha", "new", "--first"],
        &["cp", "alpha"],
    ] {
        assert_eq!(desk.run(arguments).code, Some(2), "{arguments:?}");
    }
    assert_eq!((desk.whole(), picture(&there)), before);
    let dry = desk.done(&["mv", "alpha", "delta", "--to", "../other", "--dry-run"]);
    assert!(dry.out.contains("+name: delta"), "{dry:?}");
    assert_eq!((desk.whole(), picture(&there)), before);
    desk.done(&["mv", "alpha", "delta", "--to", "../other"]);
    let now = picture(&there);
    assert!(now["delta.md"].0.starts_with(b"---\nname: delta\n"));
    assert_eq!(now["delta.md"].2, before.1["alpha.md"].2, "its time stays");
}

#[test]
fn a_line_below_the_cut_there_needs_a_yes() {
    let desk = small();
    let there = other(&desk);
    fs::create_dir_all(&there).unwrap();
    let full: String = (0..200)
        .map(|at| format!("- [n{at}](n{at}.md)\n"))
        .collect();
    fs::write(there.join("MEMORY.md"), &full).unwrap();
    let before = picture(&there);
    let to = ["mv", "alpha", "--to", "../other"];
    let said = desk.refused(&to, 2, "below-the-cut");
    assert!(
        said.starts_with("line 201 of the index is below the cut"),
        "{said}"
    );
    assert_eq!(picture(&there), before);
    let first = desk.done(&[to.as_slice(), &["--first"]].concat());
    assert_eq!(first.code, Some(0));
    let index = fs::read_to_string(there.join("MEMORY.md")).unwrap();
    assert_eq!(index, format!("- [alpha](alpha.md) — first\n{full}"));
    desk.done(&["undo"]);
    let yes = desk.done(&[to.as_slice(), &["--yes"]].concat());
    assert!(yes.err.contains("line 201"), "{yes:?}");
}

#[test]
fn mv_to_the_team_and_back_keeps_bytes_and_age() {
    let desk = small();
    let before = desk.memories();
    let old = before["alpha.md"].clone();
    let shared = desk.json(&["mv", "alpha", "--team"]);
    assert_eq!(shared["title"], "give alpha to the team");
    assert_eq!(desk.memories()["team/alpha.md"], old);
    assert!(
        desk.read("MEMORY.md")
            .contains("- [alpha](team/alpha.md) — first\n")
    );
    desk.assert_sound("shared");
    let said = desk.refused(&["mv", "alpha", "--team"], 2, "refused");
    assert_eq!(said, "team/alpha.md is the team's already");
    desk.done(&["mv", "alpha", "--private"]);
    assert_eq!(desk.memories(), before);
    desk.refused(&["mv", "alpha", "--private"], 2, "refused");
    desk.done(&["mv", "alpha", "delta", "--team"]);
    assert!(desk.read("team/delta.md").starts_with("---\nname: delta\n"));
    desk.assert_sound("shared under another name");
    for _ in 0..3 {
        desk.done(&["undo"]);
    }
    assert_eq!(desk.memories(), before);
}

/// A linked sub-folder is not entered: what went through it would count as gone.
#[test]
fn nothing_is_written_through_a_linked_sub_folder() {
    let desk = small();
    let there = other(&desk);
    let out = desk.root().join("out");
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&there).unwrap();
    desk.put("learnings/deep.md", "Deep.\n");
    desk.put("team/shared.md", "Shared.\n");
    let archive = desk.root().join("x.tar");
    let archive = archive.to_str().unwrap();
    desk.done(&["export", archive]);
    fs::remove_dir_all(desk.memory().join("team")).unwrap();
    let key = key_of(&there);
    for linked in [
        &desk.memory().join("team"),
        &there.join("team"),
        &there.join("learnings"),
    ] {
        std::os::unix::fs::symlink(&out, linked).unwrap();
    }
    let before = (desk.memories(), picture(&there), picture(&out));
    let own = key_of(&desk.memory());
    for (arguments, linked) in [
        (
            ["mv", "alpha", "--team"].as_slice(),
            desk.memory().join("team"),
        ),
        (&["mv", "deep", "--to", &key], there.join("learnings")),
        (&["cp", "deep", "--to", &key], there.join("learnings")),
        (&["merge", &own, &key, "--yes"], there.join("learnings")),
    ] {
        let said = desk.refused(arguments, 2, "refused");
        let expected = format!(
            "{} is a link to a folder, which is not entered: nothing is written through it; put the folder itself there",
            linked.display()
        );
        assert_eq!(said, expected, "{arguments:?}");
    }
    for to in [&key, &own] {
        let said = desk.refused(&["import", archive, "--to", to], 2, "refused");
        assert!(said.contains("it leads out of its folder"), "{said}");
    }
    // A name can't lead there.
    desk.refused(&["mv", "alpha", "team/x"], 2, "usage");
    let new = ["new", "team/x", "--type", "user", "--description", "d"];
    desk.refused(&new, 2, "usage");
    assert_eq!((desk.memories(), picture(&there), picture(&out)), before);
    fs::remove_file(there.join("learnings")).unwrap();
    desk.done(&["mv", "deep", "--to", &key]);
    assert!(there.join("learnings/deep.md").is_file());
    // One that stays in the folder is not entered either.
    desk.done(&["undo"]);
    let team = desk.memory().join("team");
    fs::remove_file(&team).unwrap();
    std::os::unix::fs::symlink("learnings", &team).unwrap();
    for arguments in [
        ["mv", "alpha", "--team"].as_slice(),
        &["import", archive, "--to", &own],
    ] {
        let said = desk.refused(arguments, 2, "refused");
        assert!(
            said.starts_with(&format!("{} is a link to a folder", team.display())),
            "{said}"
        );
    }
}

/// What a change made for itself goes with it: no empty project is left in the list.
#[test]
fn undo_leaves_no_folder_that_the_change_made() {
    let desk = small();
    let there = other(&desk);
    desk.done(&["mv", "alpha", "--team"]);
    assert!(desk.memory().join("team").is_dir());
    desk.done(&["undo"]);
    assert!(!desk.memory().join("team").exists());
    let listed = desk.json(&["projects"]);
    desk.done(&["mv", "alpha", "--to", "../other"]);
    assert!(there.is_dir());
    desk.done(&["undo"]);
    assert!(!there.parent().unwrap().exists());
    assert_eq!(desk.json(&["projects"])["projects"], listed["projects"]);
    desk.done(&["redo"]);
    assert!(there.join("alpha.md").is_file());
    desk.done(&["undo"]);
    // One that was there before stays, though it is empty.
    fs::create_dir_all(&there).unwrap();
    desk.done(&["mv", "alpha", "--to", "../other"]);
    desk.done(&["undo"]);
    assert!(there.is_dir());
    // What an import made goes too.
    let archive = desk.root().join("x.tar");
    let archive = archive.to_str().unwrap();
    desk.put("team/deep/shared.md", "Shared.\n");
    desk.done(&["export", archive]);
    fs::create_dir(desk.root().join("third")).unwrap();
    let projects = desk.root().join("home/.claude/projects");
    let count = || fs::read_dir(&projects).unwrap().count();
    let before = count();
    desk.done(&["import", archive, "--to", "../third"]);
    assert_eq!(count(), before + 1);
    desk.done(&["undo"]);
    assert_eq!(count(), before);
}

/// Joined to the working directory an empty path would be that.
#[test]
fn an_empty_argument_is_no_project() {
    let desk = small();
    let there = other(&desk);
    fs::create_dir_all(&there).unwrap();
    let (key, own) = (key_of(&there), key_of(&desk.memory()));
    let archive = desk.root().join("x.tar");
    let archive = archive.to_str().unwrap();
    desk.done(&["export", archive]);
    let before = (desk.memories(), picture(&there));
    for (arguments, what) in [
        (["mv", "alpha", "--to", ""].as_slice(), "--to"),
        (&["cp", "alpha", "--to", ""], "--to"),
        (&["import", archive, "--to", ""], "--to"),
        (&["merge", "", &key, "--yes"], "the project"),
        (&["merge", &own, "", "--yes"], "the project"),
        (&["prune", "", "--yes"], "the project"),
        (&["relink", "", "../other"], "the project"),
    ] {
        let said = desk.refused(arguments, 2, "usage");
        let expected = format!(
            "{what} is empty: name a project by its key or by its folder (`.` is the working directory)"
        );
        assert_eq!(said, expected, "{arguments:?}");
    }
    for arguments in [
        ["relink", &own, ""].as_slice(),
        &["prune", &key, "--of", "", "--yes"],
    ] {
        let said = desk.refused(arguments, 2, "usage");
        assert!(said.starts_with("a value is required for"), "{said}");
    }
    assert_eq!((desk.memories(), picture(&there)), before);
}

/// A project that is not there yet is made, and said; where hardly anybody has one, only with a yes.
#[test]
fn a_new_project_is_told_and_made_at_an_odd_place_only_when_that_is_said() {
    let desk = small();
    let there = other(&desk);
    let made = format!("no project there yet: it is made, {}", key_of(&there));
    let dry = desk.done(&["mv", "alpha", "--to", "../other", "--dry-run"]);
    assert!(dry.err.contains(&made), "{dry:?}");
    let ran = desk.done(&["mv", "alpha", "--to", "../other"]);
    assert!(ran.err.contains(&made), "{ran:?}");
    let ran = desk.done(&["mv", "beta", "--to", "../other"]);
    assert!(!ran.err.contains("no project there yet"), "{ran:?}");
    let before = desk.memories();
    let home = desk.root().join("home");
    let inner = home.join(".claude/projects");
    for (to, what) in [
        ("/", "the root of all folders"),
        (home.to_str().unwrap(), "the home folder"),
        (inner.to_str().unwrap(), "a folder of the client's own"),
    ] {
        for verb in ["mv", "cp"] {
            let said = desk.refused(&[verb, "gamma", "--to", to], 2, "confirm");
            let expected = format!(
                "{to} is {what}, and no project yet: nothing was written; --yes makes it one"
            );
            assert_eq!(said, expected);
        }
        assert_eq!(desk.memories(), before);
        desk.done(&["cp", "gamma", "--to", to, "--yes"]);
        // It is one now.
        desk.done(&["cp", "gamma", "--name", "delta", "--to", to]);
    }
}

/// An import makes its project as any other change does: told, and at an odd place only with a yes.
#[test]
fn a_new_project_of_an_import_is_told_too() {
    let desk = small();
    let there = other(&desk);
    let archive = desk.root().join("x.tar");
    let archive = archive.to_str().unwrap();
    desk.done(&["export", archive]);
    let made = format!("no project there yet: it is made, {}", key_of(&there));
    let asked = ["import", archive, "--to", "../other"];
    let dry = desk.done(&[&asked[..], &["--dry-run"]].concat());
    assert!(dry.err.contains(&made), "{dry:?}");
    assert!(!there.exists());
    let done = desk.json(&asked);
    assert_eq!(done["notes"], serde_json::json!([made]));
    // It is one now, and nothing more is written.
    assert_eq!(desk.json(&asked)["notes"], serde_json::json!([]));
    desk.done(&["undo"]);
    let home = desk.root().join("home");
    let home = home.to_str().unwrap();
    let said = desk.refused(&["import", archive, "--to", home], 2, "confirm");
    let expected = format!(
        "{home} is the home folder, and no project yet: nothing was written; --yes makes it one"
    );
    assert_eq!(said, expected);
    // The key of the archive's own project, on another desk.
    let fresh = Desk::new();
    let ran = fresh.done(&["import", archive]);
    let own = key_of(&desk.memory());
    let made = format!("no project there yet: it is made, {own}");
    assert!(ran.err.contains(&made), "{ran:?}");
}
