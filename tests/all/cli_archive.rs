//! `export` and `import` on the real disk: what goes in and what does not, that it comes back with its
//! bytes and times, what becomes of what is there, and that one undo takes it back.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli_home::ran;
use crate::cli_project_home::{folder, key, memory, orphan, projects, set_age, transcript};
use crate::cli_write_home::{Desk, Picture, picture, small, text_of};

/// The names in a tar, in order.
fn names(bytes: &[u8]) -> Vec<String> {
    let mut archive = tar::Archive::new(bytes);
    let entries = archive.entries().unwrap();
    entries
        .map(|entry| entry.unwrap().path().unwrap().display().to_string())
        .collect()
}

fn manifest(bytes: &[u8]) -> Value {
    let mut archive = tar::Archive::new(bytes);
    let mut first = archive.entries().unwrap().next().unwrap().unwrap();
    assert_eq!(first.path().unwrap(), Path::new("loci-archive.json"));
    let mut text = String::new();
    first.read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The key of the desk's project.
fn own_key(desk: &Desk) -> String {
    key(desk, &desk.root().join("proj"))
}

/// A project with a file of every kind, and a second desk to take it to.
fn full() -> (Desk, Desk) {
    let desk = small();
    desk.put("team/shared.md", text_of("shared", "project", "Ours."));
    desk.put("team/MEMORY.md", "- [shared](shared.md) — ours\n");
    desk.put("logs/2026/08/2026-08-01.md", "- did a thing\n");
    desk.put(
        "learnings/ask-first.md",
        text_of("ask-first", "feedback", "Ask."),
    );
    let id = "11111111-1111-4111-8111-111111111111";
    let proj = desk.root().join("proj");
    transcript(&desk, &own_key(&desk), id, &[&proj], 5);
    let agents = projects(&desk)
        .join(own_key(&desk))
        .join(id)
        .join("subagents");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("agent-x.jsonl"), "{}\n").unwrap();
    (desk, Desk::new())
}

fn at(desk: &Desk, name: &str) -> String {
    desk.root().join(name).to_str().unwrap().to_string()
}

#[test]
fn an_archive_is_a_plain_tar_with_its_manifest_first_and_no_transcripts_unasked() {
    let (desk, _) = full();
    let file = at(&desk, "x.tar");
    let done = desk.json(&["export", &file]);
    let bytes = fs::read(&file).unwrap();
    let own = own_key(&desk);
    let inside = |path: &str| format!("projects/{own}/memory/{path}");
    let expected = [
        "MEMORY.md",
        "alpha.md",
        "beta.md",
        "gamma.md",
        "learnings/ask-first.md",
        "logs/2026/08/2026-08-01.md",
        "team/MEMORY.md",
        "team/shared.md",
    ];
    let mut all = vec!["loci-archive.json".to_string()];
    all.extend(expected.map(inside));
    assert_eq!(names(&bytes), all);
    assert_eq!(done["projects"][0]["memories"], 5);
    assert_eq!(done["projects"][0]["transcripts"], 0);
    assert_eq!(done["left_out"], json!([]));
    let manifest = manifest(&bytes);
    assert_eq!(manifest["format"], "loci-archive");
    assert_eq!(manifest["version"], 1);
    let project = &manifest["projects"][0];
    assert_eq!(project["key"], json!(own));
    assert_eq!(project["path"], json!(desk.root().join("proj")));
    assert_eq!(project["files"][1]["path"], "memory/alpha.md");
    assert_eq!(
        project["files"][1]["modified"],
        "2026-08-05T14:13:20.123456789Z"
    );
    desk.json(&["export", &at(&desk, "y.tar"), "--transcripts"]);
    let with = names(&fs::read(at(&desk, "y.tar")).unwrap());
    let id = "11111111-1111-4111-8111-111111111111";
    for name in [
        format!("{id}.jsonl"),
        format!("{id}/subagents/agent-x.jsonl"),
    ] {
        assert!(with.contains(&format!("projects/{own}/{name}")), "{with:?}");
    }
}

/// Other tools read it, and the same files give the same bytes.
#[test]
fn other_tools_unpack_it_and_the_same_files_give_the_same_bytes() {
    let (desk, _) = full();
    for name in ["one.tgz", "two.tgz", "plain.tar"] {
        desk.done(&["export", &at(&desk, name)]);
    }
    let read = |name: &str| fs::read(at(&desk, name)).unwrap();
    assert_eq!(read("one.tgz"), read("two.tgz"));
    let streamed = desk.command(&["export", "-"]).output().unwrap();
    assert_eq!(streamed.stdout, read("plain.tar"));
    let out = folder(&desk, "out");
    let mut unpack = std::process::Command::new("tar");
    unpack.args(["-xzf", &at(&desk, "one.tgz"), "-C", out.to_str().unwrap()]);
    // A machine without tar has nothing to try it with.
    if let Ok(status) = unpack.status() {
        assert!(status.success());
        let unpacked = out
            .join("projects")
            .join(own_key(&desk))
            .join("memory/alpha.md");
        assert_eq!(
            fs::read(unpacked).unwrap(),
            desk.read("alpha.md").as_bytes()
        );
    }
}

/// Into an empty store, all of it comes back as it was: bytes, modes, times, the index.
#[test]
fn what_was_exported_comes_back_byte_for_byte_and_as_old() {
    let (desk, other) = full();
    let file = at(&desk, "x.tgz");
    desk.done(&["export", &file, "--transcripts"]);
    let own = own_key(&desk);
    let before = picture(&other.root().join("home"));
    let done = other.json(&["import", &file]);
    assert_eq!(done["new"].as_array().unwrap().len(), 10);
    let place = |desk: &Desk| picture(&projects(desk).join(&own));
    assert_eq!(place(&other), place(&desk));
    let history = other.json(&["history"]);
    assert_eq!(history["history"][0]["author"], "import");
    // Once more there is nothing to do.
    let again = other.json(&["import", &file]);
    assert_eq!(again["same"].as_array().unwrap().len(), 10);
    assert_eq!(again["change"]["key"], Value::Null);
    other.done(&["undo"]);
    assert_eq!(picture(&other.root().join("home")), before);
    other.done(&["redo"]);
    assert_eq!(place(&other), place(&desk));
}

/// An archive of `alpha` (another text), `beta` (the same) and `delta` (new), and where it goes.
pub fn clashing() -> (Desk, String) {
    let source = small();
    source.put("alpha.md", text_of("alpha", "user", "Theirs."));
    source.put("delta.md", text_of("delta", "project", "Four."));
    fs::remove_file(source.memory().join("gamma.md")).unwrap();
    source.put(
        "MEMORY.md",
        "# Theirs\n- [A](alpha.md) — first\n- [beta](beta.md) — second\n- [Delta](delta.md) — fourth\n",
    );
    let desk = small();
    let file = at(&desk, "x.tar");
    source.done(&["export", &file]);
    (desk, file)
}

fn into(desk: &Desk, file: &str, more: &[&str]) -> Value {
    desk.json(&[&["import", file, "--to", "."], more].concat())
}

/// Times and bytes of all but some files.
fn but(picture: Picture, names: &[&str]) -> Picture {
    let other = |(name, _): &(String, _)| !names.contains(&name.as_str());
    picture.into_iter().filter(other).collect()
}

#[test]
fn what_is_there_stays_and_new_memories_get_their_index_lines() {
    let (desk, file) = clashing();
    let before = desk.memories();
    let shown = desk.done(&["import", &file, "--to", ".", "--dry-run"]);
    assert!(
        shown.out.contains("+- [Delta](delta.md) — fourth"),
        "{}",
        shown.out
    );
    assert_eq!(desk.memories(), before);
    let done = into(&desk, &file, &[]);
    assert_eq!(done["new"], json!(["memory/delta.md"]));
    assert_eq!(done["same"], json!(["memory/beta.md"]));
    assert_eq!(
        done["conflicts"],
        json!([{"path": "memory/alpha.md", "taken_as": null}])
    );
    assert_eq!(done["index_lines"], 1);
    let changed = ["MEMORY.md", "delta.md"];
    assert_eq!(
        but(desk.memories(), &changed),
        but(before.clone(), &changed)
    );
    assert_eq!(
        desk.read("MEMORY.md"),
        "# Memory\n- [alpha](alpha.md) — first\n- [beta](beta.md) — second\n- [gamma](gamma.md) — third\n- [Delta](delta.md) — fourth\n"
    );
    // Its age is that of then, and the index keeps its own.
    let (old, new) = (&before["MEMORY.md"], &desk.memories()["delta.md"]);
    assert_eq!((new.2, new.3), (old.2, old.3));
    desk.assert_sound("after the import");
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
}

#[test]
fn both_are_kept_where_that_is_asked_for_once() {
    let (desk, file) = clashing();
    let before = desk.memories();
    let done = into(&desk, &file, &["--on-conflict", "beside"]);
    assert_eq!(
        done["conflicts"],
        json!([{"path": "memory/alpha.md", "taken_as": "memory/alpha-imported.md"}])
    );
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "user", "One."));
    assert_eq!(
        desk.read("alpha-imported.md"),
        text_of("alpha", "user", "Theirs.")
    );
    assert!(
        desk.read("MEMORY.md")
            .contains("- [A](alpha-imported.md) — first\n")
    );
    desk.assert_sound("after the import");
    let again = into(&desk, &file, &["--on-conflict", "beside"]);
    assert_eq!(
        (&again["conflicts"], &again["change"]["key"]),
        (&json!([]), &Value::Null)
    );
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
}

#[test]
fn the_archives_takes_the_place_of_mine_where_that_is_asked_for() {
    let (desk, file) = clashing();
    let before = desk.memories();
    let done = into(&desk, &file, &["--on-conflict", "theirs"]);
    assert_eq!(done["conflicts"][0]["taken_as"], "memory/alpha.md");
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "user", "Theirs."));
    desk.assert_sound("after the import");
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
}

/// Two projects of one archive are two changes; to a place goes one.
#[test]
fn all_projects_are_a_change_each_and_one_may_go_elsewhere() {
    let desk = Desk::new();
    let (one, two) = (orphan(&desk, "one"), orphan(&desk, "two"));
    let file = at(&desk, "x.tgz");
    let exported = desk.json(&["export", &file, "--all"]);
    assert_eq!(exported["projects"].as_array().unwrap().len(), 2);
    let other = Desk::new();
    let ran = other.done(&["import", &file, "--json"]);
    assert_eq!(ran.out.lines().count(), 2);
    assert_eq!(
        other.json(&["history"])["history"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let target = folder(&other, "here");
    let to = target.to_str().unwrap();
    other.refused(&["import", &file, "--to", to], 2, "ambiguous");
    other.refused(&["import", &file, "--only", "-nowhere"], 2, "not-found");
    other.refused(
        &["import", &file, "--only", &two, "--to", "nowhere"],
        2,
        "not-found",
    );
    let done = other.json(&["import", &file, "--only", &two, "--to", to]);
    assert_eq!(done["key"], json!(key(&other, &target)));
    let into = projects(&other).join(key(&other, &target)).join("memory");
    assert_eq!(
        picture(&into),
        picture(&projects(&desk).join(&two).join("memory"))
    );
    // A key that is there is a place too.
    memory(&other, &one, "mine", "Mine.");
    let done = other.json(&["import", &file, "--only", &two, "--to", &one]);
    assert_eq!(done["key"], json!(one));
    assert_eq!(done["same"].as_array().unwrap().len(), 2);
}

/// What is no plain file of the project is left out and said; nothing outside gets in.
#[test]
fn links_and_hidden_files_are_left_out_and_said() {
    let desk = small();
    fs::write(desk.root().join("secret.md"), "outside").unwrap();
    symlink(desk.root().join("secret.md"), desk.memory().join("out.md")).unwrap();
    symlink("alpha.md", desk.memory().join("inner.md")).unwrap();
    symlink(desk.root(), desk.memory().join("up")).unwrap();
    desk.put(".hidden/x.md", "x");
    desk.put(".consolidate-lock", "1");
    let file = at(&desk, "x.tar");
    let done = desk.json(&["export", &file]);
    let left = done["left_out"].as_array().unwrap();
    let mut left: Vec<&str> = left
        .iter()
        .map(|one| one["path"].as_str().unwrap())
        .collect();
    left.sort_unstable();
    let expected = [".consolidate-lock", ".hidden", "inner.md", "out.md", "up"];
    assert_eq!(left, expected.map(|name| format!("memory/{name}")));
    let bytes = fs::read(&file).unwrap();
    assert_eq!(names(&bytes).len(), 5);
    assert!(!bytes.windows(7).any(|part| part == b"outside"));
    let said = desk.done(&["export", &at(&desk, "y.tar")]).err;
    assert!(said.contains("out.md is a link to"), "{said}");
    // A memory folder that is a link is not followed either.
    let linked = desk.root().join("home/.claude/projects/-linked");
    fs::create_dir(&linked).unwrap();
    symlink(desk.memory(), linked.join("memory")).unwrap();
    let done = desk.json(&["export", &at(&desk, "z.tar"), "-linked"]);
    assert_eq!(done["projects"][0]["files"], 0);
    assert_eq!(done["left_out"][0]["path"], "memory");
}

#[test]
fn an_archive_comes_from_a_pipe_as_well() {
    let (desk, other) = full();
    let file = at(&desk, "x.tgz");
    desk.done(&["export", &file]);
    let mut command = other.command(&["import", "-", "--json"]);
    command.stdin(fs::File::open(&file).unwrap());
    let ran = ran(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["new"].as_array().unwrap().len(), 8);
}

/// A memory that the archive's index does not name gets no line by guess; that is said.
#[test]
fn a_ghost_of_the_archive_is_named() {
    let source = small();
    source.put("lost.md", text_of("lost", "user", "Lost."));
    let desk = Desk::new();
    let file = at(&desk, "x.tar");
    source.done(&["export", &file]);
    let done = into(&desk, &file, &[]);
    let notes = done["notes"].to_string();
    assert!(notes.contains("lost.md: no line"), "{notes}");
    desk.json(&["doctor", "--fix"]);
    desk.assert_sound("mended");
}

/// New index lines below the cut are written only on a yes.
#[test]
fn lines_below_the_cut_are_asked_about() {
    let source = small();
    let file = at(&source, "x.tar");
    source.done(&["export", &file]);
    let desk = Desk::new();
    let line = |number: usize| format!("- [m{number}](m{number}.md) — {number}\n");
    let index: String = (0..200).map(line).collect();
    for number in 0..200 {
        desk.put(
            &format!("m{number}.md"),
            text_of(&format!("m{number}"), "user", "x"),
        );
    }
    desk.put("MEMORY.md", index);
    let before = desk.memories();
    desk.refused(&["import", &file, "--to", "."], 2, "below-the-cut");
    assert_eq!(desk.memories(), before);
    into(&desk, &file, &["--yes"]);
    assert!(
        desk.read("MEMORY.md")
            .ends_with("- [gamma](gamma.md) — third\n")
    );
}

/// Two sessions of one name: which is the longer is not ours to say.
#[test]
fn a_transcript_that_is_there_is_never_replaced() {
    let (desk, other) = full();
    let file = at(&desk, "x.tar");
    desk.done(&["export", &file, "--transcripts"]);
    let id = "11111111-1111-4111-8111-111111111111";
    let mine: PathBuf = transcript(&other, &own_key(&desk), id, &[Path::new("/mine")], 3);
    set_age(&mine, 3);
    let before = fs::read(&mine).unwrap();
    let done = other.json(&["import", &file, "--on-conflict", "theirs"]);
    assert_eq!(
        done["conflicts"],
        json!([{"path": format!("{id}.jsonl"), "taken_as": null}])
    );
    assert_eq!(fs::read(&mine).unwrap(), before);
}

/// A project that is left out is no success.
#[test]
fn a_project_that_is_left_out_ends_with_one() {
    let desk = Desk::new();
    for key in ["-x-Api", "-x-api"] {
        crate::cli_project_home::memory(&desk, key, "a", "x");
    }
    let file = at(&desk, "all.tar");
    let ran = desk.run(&["export", &file, "--all"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("left out: -x-api differs only in case"),
        "{ran:?}"
    );
    assert!(Path::new(&file).exists());
    desk.done(&["export", &at(&desk, "one.tar"), "-x-api"]);
}
