//! A real repository with worktrees and a submodule, whose folder gets another name: what is said of
//! each of its projects, and that all is mended and nothing lost.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli_project_home::{key, listed, memory, pictured, projects, transcript};
use crate::cli_write_home::{Desk, Picture, text_of};
use crate::repository::{IDEA, LIB, SRC, Shop, git, repository};

/// A repository with memories and sessions at all its places; the last change was made in it.
fn shop(desk: &Desk) -> Shop {
    let shop = Shop::make(&desk.root().join("work"));
    let main = &shop.main;
    let inside = [SRC, IDEA, LIB].map(|path| main.join(path));
    let all = [main, &shop.beside].into_iter().chain(&inside);
    for (number, path) in all.enumerate() {
        let id = format!("{number}0000000-0000-4000-8000-000000000000");
        transcript(desk, &key(desk, path), &id, &[path], 3);
    }
    memory(desk, &key(desk, main), "alpha", "One.");
    memory(desk, &key(desk, &inside[2]), "beta", "Two.");
    let edit = ["edit", "alpha", "--set", "type=user", "--cwd"];
    desk.done(&[&edit[..], &[main.to_str().unwrap()]].concat());
    shop
}

/// The folder whose memory a path shares.
fn memory_root(desk: &Desk, path: &Path) -> Value {
    desk.json(&["key", path.to_str().unwrap()])["memory_root"].clone()
}

fn is(project: &Value, origin: &str, memory_key: &str) {
    assert_eq!(
        (&project["origin"], &project["memory_key"]),
        (&json!(origin), &json!(memory_key)),
        "{project}"
    );
}

#[test]
fn each_place_of_a_repository_has_the_memory_that_was_observed() {
    let desk = Desk::new();
    let shop = shop(&desk);
    let main = &shop.main;
    let own = key(&desk, main);
    for path in [&main.join(SRC), &main.join(IDEA), &shop.beside] {
        assert_eq!(memory_root(&desk, path), json!(main));
        is(&listed(&desk, &key(&desk, path)), "worktree", &own);
    }
    let lib = main.join(LIB);
    assert_eq!(memory_root(&desk, &lib), json!(lib));
    is(&listed(&desk, &key(&desk, &lib)), "live", &key(&desk, &lib));
    is(&listed(&desk, &own), "live", &own);
    let shown = desk.json(&["ls", "--cwd", shop.beside.to_str().unwrap()]);
    assert_eq!(shown["projects"][0]["memories"][0]["path"], "alpha.md");
}

#[test]
fn a_renamed_repository_is_shown_as_moved_with_all_in_it_and_mended() {
    let desk = Desk::new();
    let shop = shop(&desk);
    let old = &shop.main;
    let new = shop.renamed("store");
    let before = pictured(&desk);
    // The repository itself, by what git says of it.
    let project = listed(&desk, &key(&desk, old));
    is(&project, "moved", &key(&desk, old));
    assert_eq!(project["path"], json!(old));
    let claim = &project["evidence"][0];
    assert_eq!(
        (&claim["path"], &claim["by"], &claim["standing"]),
        (&json!(old), &json!("transcript"), &json!("gone"))
    );
    let best = &project["candidates"][0];
    assert_eq!(best["path"], json!(new));
    let why = best["why"].as_str().unwrap();
    assert!(why.contains("the same first commit"), "{why}");
    // What lies in it has moved along.
    for inner in [SRC, IDEA, LIB] {
        let project = listed(&desk, &key(&desk, &old.join(inner)));
        is(&project, "moved", &key(&desk, &old.join(inner)));
        let best = &project["candidates"][0];
        assert_eq!(best["path"], json!(new.join(inner)));
        let why = best["why"].as_str().unwrap();
        let along = format!("{} has moved with all in it", old.display());
        assert!(why.starts_with(&along), "{why}");
    }
    // A worktree beside it is where it was, and has parted from it.
    let beside = key(&desk, &shop.beside);
    let project = listed(&desk, &beside);
    is(&project, "live", &beside);
    let said = format!(
        "this worktree has parted from its repository: its .git leads to {}, which is gone; until `git worktree repair` its memory is its own",
        old.join(".git/worktrees/shop-fix").display()
    );
    assert_eq!(project["notes"], json!([said]));
    let ran = desk.done(&["ls", "--cwd", shop.beside.to_str().unwrap()]);
    assert!(ran.err.contains(&said), "{ran:?}");
    let ran = desk.run(&["doctor", "--all", "--json"]);
    let findings = ran.json()["findings"].clone();
    let findings = findings.as_array().unwrap().iter();
    assert_eq!(findings.filter(|one| one["code"] == "moved").count(), 4);
    assert_eq!(pictured(&desk), before);
    // All is mended, in any order.
    for inner in [LIB, "", IDEA, SRC] {
        let [from, to] = [old, &new].map(|root| match inner {
            "" => root.clone(),
            inner => root.join(inner),
        });
        desk.done(&["relink", &key(&desk, &from), to.to_str().unwrap()]);
        assert!(!projects(&desk).join(key(&desk, &from)).exists());
    }
    let (own, lib) = (key(&desk, &new), key(&desk, &new.join(LIB)));
    assert_eq!(pictured(&desk), renamed(&before, &key(&desk, old), &own));
    is(&listed(&desk, &own), "live", &own);
    is(&listed(&desk, &lib), "live", &lib);
    is(
        &listed(&desk, &key(&desk, &new.join(SRC))),
        "worktree",
        &own,
    );
    git(
        &new,
        &["worktree", "repair", shop.beside.to_str().unwrap(), IDEA],
    );
    for path in [&new.join(IDEA), &shop.beside] {
        let project = listed(&desk, &key(&desk, path));
        is(&project, "worktree", &own);
        assert_eq!(project["notes"], json!(["memory: shared from store"]));
    }
    let shown = desk.json(&["ls", "--cwd", shop.beside.to_str().unwrap()]);
    assert_eq!(shown["projects"][0]["memories"][0]["path"], "alpha.md");
    for _ in 0..4 {
        desk.done(&["undo"]);
    }
    assert_eq!(pictured(&desk), before);
}

/// The same files under the keys of another path.
fn renamed(before: &Picture, old: &str, new: &str) -> Picture {
    let beside = format!("{old}-fix/");
    let name = |path: &String| match path.starts_with(&beside) {
        true => path.clone(),
        false => path.replacen(old, new, 1),
    };
    let files = before.iter();
    files
        .map(|(path, file)| (name(path), file.clone()))
        .collect()
}

/// Where a project is likely to be now.
fn likely(project: &Value) -> Vec<&Value> {
    let candidates = project["candidates"].as_array().unwrap().iter();
    let likely = candidates.filter(|one| one["likely"] == true);
    likely.map(|one| &one["path"]).collect()
}

/// Git's own repair may come first: the worktree, which has the same commits, is not taken for the
/// repository.
#[test]
fn a_repaired_worktree_is_not_taken_for_its_repository() {
    let desk = Desk::new();
    let shop = shop(&desk);
    let beside = key(&desk, &shop.beside);
    fs::remove_dir_all(projects(&desk).join(&beside)).unwrap();
    let new = shop.renamed("zz-store");
    git(
        &new,
        &["worktree", "repair", shop.beside.to_str().unwrap(), IDEA],
    );
    let project = listed(&desk, &key(&desk, &shop.main));
    is(&project, "moved", &key(&desk, &shop.main));
    assert_eq!(likely(&project), [&json!(new)]);
}

/// A change from elsewhere keeps what the project that it touched is known by, as one from within.
#[test]
fn a_change_from_another_folder_keeps_what_the_project_is_known_by() {
    let desk = Desk::new();
    let path = desk.root().join("work/shop");
    repository(&path);
    let own = key(&desk, &path);
    transcript(&desk, &own, "s", &[&path], 3);
    memory(&desk, &own, "alpha", "One.");
    desk.put("beta.md", text_of("beta", "user", "Two."));
    desk.done(&["cp", "beta", "--to", &own, "--dry-run"]);
    assert!(!desk.state().join("identity.json").exists());
    desk.done(&["cp", "beta", "--to", &own]);
    let new = path.with_file_name("store");
    fs::rename(&path, &new).unwrap();
    let project = listed(&desk, &own);
    is(&project, "moved", &own);
    assert_eq!(likely(&project), [&json!(new)]);
}

/// A worktree that git removed has not moved to its repository: it is gone, and its memories can be
/// folded in.
#[test]
fn a_removed_worktree_is_gone_and_its_memories_are_folded_in() {
    let desk = Desk::new();
    let shop = shop(&desk);
    let gone = shop.main.join(IDEA);
    let gone_key = key(&desk, &gone);
    memory(&desk, &gone_key, "gamma", "Three.");
    // It is known while it is there, with all the others.
    let other = desk.root().join("other");
    transcript(&desk, &key(&desk, &other), "s", &[&other], 3);
    desk.done(&["prune", other.to_str().unwrap(), "--yes"]);
    git(&shop.main, &["worktree", "remove", IDEA]);
    let project = listed(&desk, &gone_key);
    is(&project, "orphaned", &gone_key);
    assert_eq!(likely(&project), [&Value::Null; 0]);
    let own = key(&desk, &shop.main);
    desk.done(&["fold-in", &own]);
    assert!(projects(&desk).join(&own).join("memory/gamma.md").exists());
    assert!(!projects(&desk).join(&gone_key).exists());
}
