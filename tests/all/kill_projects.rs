//! Deaths of what changes whole project folders: prune and what brings it back, relink, merge, split,
//! fold-in, forget, import. Whatever the write point, all of it is done or nothing.

use crate::cli_archive::clashing;
use crate::cli_forget::known;
use crate::cli_project_home::{folder, key, memory, orphan, transcript};
use crate::cli_split::{family, mixed};
use crate::cli_write_home::Desk;
use crate::death::{Scene, die_everywhere};

/// The key that the first change gets.
const FIRST: &str = "20260921-141320-1";

fn prune() -> Scene {
    let desk = Desk::new();
    let key = orphan(&desk, "gone");
    Scene::new(desk, &["prune", &key, "--yes", "--with-memories", &key])
}

/// Of a folder that two paths share, the sessions of the one that is gone.
fn prune_of() -> Scene {
    let desk = Desk::new();
    let key = orphan(&desk, "my-nest");
    transcript(
        &desk,
        &key,
        "alive",
        &[folder(&desk, "my_nest").as_path()],
        3,
    );
    Scene::new(desk, &["prune", &key, "--yes"])
}

/// The whole folder is renamed.
fn relink() -> Scene {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "new");
    Scene::new(desk, &["relink", &old, new.to_str().unwrap()])
}

/// It is merged into one that is there, and the old path is rewritten.
fn relink_into() -> Scene {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "new");
    memory(&desk, &key(&desk, &new), "beta", "Another.");
    let to = new.to_str().unwrap();
    Scene::new(
        desk,
        &["relink", &old, to, "--also", "transcripts", "--yes"],
    )
}

fn merge() -> Scene {
    let desk = Desk::new();
    let (from, into) = (orphan(&desk, "from"), orphan(&desk, "into"));
    memory(&desk, &from, "gamma", "Three.");
    memory(&desk, &into, "beta", "Another.");
    let session = "22222222-2222-4222-8222-222222222222";
    let own = crate::cli_project_home::projects(&desk).join(&into);
    let old = "11111111-1111-4111-8111-111111111111";
    std::fs::rename(own.join(old), own.join(session)).unwrap();
    let transcript = |id: &str| own.join(format!("{id}.jsonl"));
    std::fs::rename(transcript(old), transcript(session)).unwrap();
    Scene::new(desk, &["merge", &from, &into])
}

fn split() -> Scene {
    let desk = Desk::new();
    let (from, _, two) = mixed(&desk);
    memory(&desk, &key(&desk, &two), "of-two", "Another.");
    Scene::new(desk, &["split", &from])
}

fn fold_in() -> Scene {
    let desk = Desk::new();
    let main = family(&desk)[0].clone();
    Scene::new(desk, &["fold-in", &main])
}

fn forget() -> Scene {
    let desk = Desk::new();
    let key = known(&desk);
    Scene::new(desk, &["forget", &key, "--yes", "--with-memories", &key])
}

/// Into a project that is there.
fn import() -> Scene {
    let (desk, file) = clashing();
    let asked = ["import", &file, "--to", ".", "--on-conflict", "theirs"];
    Scene::new(desk, &asked)
}

/// A project that is not there yet, with its sessions.
fn import_new() -> Scene {
    let desk = Desk::new();
    let key = orphan(&desk, "one");
    let file = desk.root().join("x.tar");
    let file = file.to_str().unwrap();
    desk.done(&["export", file, &key, "--transcripts"]);
    let there = crate::cli_project_home::projects(&desk).join(&key);
    std::fs::remove_dir_all(there).unwrap();
    Scene::new(desk, &["import", file])
}

#[test]
fn a_death_at_any_write_point_of_a_change_of_projects_leaves_all_of_it_or_nothing() {
    die_everywhere(
        &[
            ("fold-in", &fold_in),
            ("forget", &forget),
            ("split", &split),
            ("merge", &merge),
            ("relink into another", &relink_into),
            ("import", &import),
            ("import of a new one", &import_new),
            ("prune of a path", &prune_of),
            ("prune", &prune),
            ("relink", &relink),
        ],
        9,
    );
}

#[test]
fn a_death_at_any_write_point_of_what_takes_it_back_leaves_all_of_it_or_nothing() {
    die_everywhere(
        &[
            ("undo of fold-in", &|| fold_in().then(&["undo"])),
            ("undo of forget", &|| forget().then(&["undo"])),
            ("undo of split", &|| split().then(&["undo"])),
            ("undo of merge", &|| merge().then(&["undo"])),
            ("undo of relink", &|| relink_into().then(&["undo"])),
            ("undo of import", &|| import().then(&["undo"])),
            ("restore of prune", &|| prune().then(&["restore", FIRST])),
            ("restore of a path", &|| {
                prune_of().then(&["restore", FIRST])
            }),
            ("undo of prune", &|| prune().then(&["undo"])),
        ],
        9,
    );
}
