//! A project folder that is not the one of its path's own key, such as one that differs in case: what is
//! said of it, which way it goes, and what is asked before the wrong one.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli_project_home::{folder, key, listed, memory, pictured, projects, transcript};
use crate::cli_write_home::Desk;

/// Two folders that differ in case, the sessions of both in one path: the key that is not that path's,
/// the one that is, and the path.
fn twins(desk: &Desk) -> (String, String, PathBuf) {
    let path = folder(desk, "work/Api");
    let own = key(desk, &path);
    let stray = own.replace("-Api", "-api");
    for (key, id) in [(&own, "of-own"), (&stray, "of-stray")] {
        transcript(desk, key, id, &[&path], 3);
    }
    memory(desk, &own, "a", "One.");
    memory(desk, &stray, "b", "Two.");
    (stray, own, path)
}

fn notes(desk: &Desk, key: &str) -> String {
    listed(desk, key)["notes"].to_string()
}

#[test]
fn the_folder_that_is_not_its_path_s_says_where_it_belongs() {
    let desk = Desk::new();
    let (stray, own, _) = twins(&desk);
    let cure = format!("`loci merge {stray} {own}`");
    assert!(notes(&desk, &stray).contains(&cure));
    assert!(!notes(&desk, &own).contains("loci merge"));
    let out = desk.run(&["doctor", "--all"]).out;
    assert_eq!(out.matches(&cure).count(), 2, "{out}");
    assert!(!out.contains(&format!("loci merge {own}")), "{out}");
}

#[test]
fn only_the_folder_that_its_path_reads_is_asked_about() {
    let desk = Desk::new();
    let (stray, own, path) = twins(&desk);
    let before = pictured(&desk);
    let said = desk.refused(&["merge", &own, &stray], 2, "confirm");
    assert!(said.contains("would find no memories any more"), "{said}");
    assert!(
        said.contains(&format!(
            "`loci merge {stray} {own}` is the other way round"
        )),
        "{said}"
    );
    let done = desk.json(&["merge", &stray, &own]);
    let reasons = done["change"].to_string();
    assert!(
        reasons.contains("to the sessions of the other") && !reasons.contains("key of its place"),
        "{reasons}"
    );
    let project = listed(&desk, &own);
    assert_eq!(
        (&project["memories"], &project["path"], &project["notes"]),
        (&json!(2), &json!(path), &json!([]))
    );
    desk.done(&["undo"]);
    assert_eq!(pictured(&desk), before);
}

/// Where the path has no folder of its own yet it is relinked to it.
#[test]
fn without_a_folder_of_its_own_it_is_relinked() {
    let desk = Desk::new();
    let (stray, own, path) = twins(&desk);
    std::fs::remove_dir_all(projects(&desk).join(&own)).unwrap();
    let cure = format!("loci relink {stray} {}", path.display());
    assert!(notes(&desk, &stray).contains(&cure));
    let out = desk.run(&["doctor", "--all"]).out;
    assert!(out.contains("misplaced") && out.contains(&cure), "{out}");
    desk.done(&["relink", &stray, path.to_str().unwrap()]);
    assert!(!projects(&desk).join(&stray).exists());
    let project = listed(&desk, &own);
    assert_eq!(
        (&project["memories"], &project["notes"]),
        (&json!(1), &json!([]))
    );
}

/// Two paths that are both there are two projects, whatever their names are like.
#[test]
fn folders_that_are_each_their_own_path_s_are_no_twins() {
    let desk = Desk::new();
    for name in ["work/Api", "work/api"] {
        let path = folder(&desk, name);
        transcript(&desk, &key(&desk, &path), "s", &[&path], 3);
    }
    let found: Value = desk.json(&["doctor", "--all"]);
    assert!(!found.to_string().contains("key-case"), "{found}");
    let list = desk.done(&["projects"]).out;
    assert!(!list.contains("differs only in case"), "{list}");
}
