//! What the Projects view does beyond pruning and relinking, on a real terminal: forget, split, fold in,
//! the other places of a relink, memory on and off, archives; and that one undo brings all of it back.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::edit::until;
use super::projects::{key, quit};
use super::store::{Place, memory, write};
use super::terminal::Terminal;
use crate::cli_write_home::picture;

const SESSIONS: [&str; 2] = [
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
];

/// A session of yesterday in a project's folder that ran in `cwd`.
fn session(place: &Place, project: &str, id: &str, cwd: &Path) {
    let file = place.kept(project).join(format!("{id}.jsonl"));
    write(
        &file,
        json!({"type": "user", "cwd": cwd}).to_string() + "\n",
    );
    let yesterday = SystemTime::now() - Duration::from_hours(24);
    let file = fs::File::options().write(true).open(file).unwrap();
    file.set_modified(yesterday).unwrap();
}

/// A project with one memory and one session.
fn project(place: &Place, name: &str) {
    place.memory(name, "one.md", memory("one", "user", "Text of one."));
    session(place, name, SESSIONS[0], &place.work(name));
}

/// The Projects view, with the cursor on the first of those that `words` leave.
fn opened(place: &Place, words: &str) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("5");
    terminal.wait_for("by origin");
    terminal.send(format!("&{words}\r"));
    terminal.wait_for(&format!("& {words} "));
    terminal
}

#[test]
fn a_project_is_forgotten_everywhere_and_comes_back() {
    let place = Place::new();
    project(&place, "shop");
    project(&place, "done");
    let (shop, done) = (place.work("shop"), place.work("done"));
    let line = |path: &Path| json!({"display": "x", "project": path}).to_string() + "\n";
    let history = place.home().join(".claude/history.jsonl");
    write(&history, [&*shop, &*done].map(line).concat());
    let entries = json!({"projects": {(done.to_str().unwrap()): {}, (shop.to_str().unwrap()): {}}});
    let claude_json = place.home().join(".claude.json");
    write(&claude_json, entries.to_string());
    let todos = place
        .home()
        .join(format!(".claude/todos/{}.json", SESSIONS[1]));
    session(&place, "done", SESSIONS[1], &done);
    write(&todos, "[]");
    let before = picture(&place.home());

    let terminal = opened(&place, "done");
    terminal.send("X");
    terminal.wait_for("memories that go to the trash (1): one.md");
    terminal.wait_for(&format!("todos/{}.json", SESSIONS[1]));
    terminal.wait_for("is there and would find");
    terminal.send("\r");
    terminal.wait_for("type forget to do it");
    assert_eq!(picture(&place.home()), before);
    terminal.send("forget\r");
    until("its folder is in the trash", || {
        !place
            .home()
            .join(".claude/projects")
            .join(key(&place, "done"))
            .exists()
    });
    terminal.wait_for("1 folder ");
    assert_eq!(fs::read_to_string(&history).unwrap(), line(&shop));
    let left = fs::read_to_string(&claude_json).unwrap();
    assert!(!left.contains(done.to_str().unwrap()), "{left}");
    assert!(left.contains(shop.to_str().unwrap()), "{left}");
    assert!(!todos.exists());
    terminal.send("u");
    terminal.wait_for("taken back");
    terminal.wait_for("2 folders");
    assert_eq!(picture(&place.home()), before);
    quit(terminal);
}

#[test]
fn the_memories_of_a_worktree_that_is_gone_are_folded_in() {
    let place = Place::new();
    project(&place, "shop");
    let root = place.work("shop");
    fs::create_dir_all(root.join(".git")).unwrap();
    let name = "shop/.claude/worktrees/fix";
    let tree = place.work(name);
    place.memory(name, "two.md", memory("two", "user", "Text of two."));
    session(&place, name, SESSIONS[1], &tree);
    fs::remove_dir(tree).unwrap();
    let before = picture(&place.home());
    let kept = place
        .home()
        .join(".claude/projects")
        .join(key(&place, "shop"));

    let terminal = opened(&place, "fix");
    terminal.wait_for("· of shop");
    terminal.wait_for("a worktree of");
    terminal.send("F");
    terminal.wait_for("enter does it");
    terminal.wait_for("memory/two.md to");
    terminal.send("\r");
    until("they are the repository's", || {
        kept.join("memory/two.md").is_file()
    });
    terminal.wait_for("1 folder ");
    terminal.send("u");
    terminal.wait_for("taken back");
    terminal.wait_for("2 folders");
    assert_eq!(picture(&place.home()), before);
    quit(terminal);
}

#[test]
fn the_sessions_of_another_path_go_to_its_folder() {
    let place = Place::new();
    project(&place, "shop");
    let other = place.work("other");
    session(&place, "shop", SESSIONS[1], &other);
    let before = picture(&place.home());
    let moved = place
        .home()
        .join(".claude/projects")
        .join(key(&place, "other"))
        .join(format!("{}.jsonl", SESSIONS[1]));

    let terminal = opened(&place, "shop");
    terminal.send("S");
    terminal.wait_for("sessions that move (1): 20");
    terminal.send("\r");
    until("it is where its path is", || moved.is_file());
    terminal.wait_for("2 folders");
    terminal.send("S");
    terminal.wait_for("there is nothing to split");
    terminal.send("\x1bu");
    terminal.wait_for("taken back");
    until("it is back", || !moved.exists());
    terminal.wait_for("1 folder ");
    assert_eq!(picture(&place.home()), before);
    quit(terminal);
}

#[test]
fn the_other_places_of_the_old_path_are_rewritten_when_they_are_taken_along() {
    let place = Place::new();
    project(&place, "shop");
    project(&place, "old");
    let (old, new) = (place.work("old"), place.root_of("work/moved"));
    fs::rename(&old, &new).unwrap();
    let line = |path: &Path| json!({"display": "x", "project": path}).to_string() + "\n";
    let history = place.home().join(".claude/history.jsonl");
    write(&history, line(&old));
    let before = picture(&place.home());
    let transcript = place
        .home()
        .join(".claude/projects")
        .join(key(&place, "moved"))
        .join(format!("{}.jsonl", SESSIONS[0]));

    let terminal = opened(&place, "old");
    terminal.send("r");
    terminal.wait_for("the path of its folder");
    terminal.send(format!("{}\r", new.display()));
    terminal.wait_for("rewrites it there");
    terminal.send("a");
    terminal.wait_for("leaves it there");
    terminal.wait_for("history.jsonl · 1 place");
    assert_eq!(picture(&place.home()), before);
    terminal.send("\r");
    until("it has the key of its place", || transcript.is_file());
    terminal.wait_gone("leaves it there");
    terminal.send(super::terminal::ESC);
    terminal.wait_for("2 folders");
    assert_eq!(fs::read_to_string(&history).unwrap(), line(&new));
    let text = fs::read_to_string(&transcript).unwrap();
    assert!(text.contains(new.to_str().unwrap()), "{text}");
    terminal.send("u");
    until("it is as it was", || !transcript.exists());
    terminal.wait_for("taken back");
    assert_eq!(picture(&place.home()), before);
    quit(terminal);
}

#[test]
fn memory_is_switched_off_in_the_project_s_own_settings_and_on_again_by_undo() {
    let place = Place::new();
    project(&place, "shop");
    let settings = place.work("shop").join(".claude/settings.local.json");
    let terminal = opened(&place, "shop");
    terminal.wait_for("memory on · nothing says otherwise");
    terminal.send("m");
    terminal.wait_for("\"autoMemoryEnabled\": false");
    assert!(!settings.exists());
    terminal.send("\r");
    terminal.wait_for("memory off by autoMemoryEnabled");
    let text = fs::read_to_string(&settings).unwrap();
    assert!(text.contains("\"autoMemoryEnabled\": false"), "{text}");
    terminal.send("u");
    terminal.wait_for("memory on · nothing says otherwise");
    assert!(!settings.exists());
    quit(terminal);
}

#[test]
fn a_project_goes_into_an_archive_and_comes_from_it() {
    let place = Place::new();
    project(&place, "shop");
    let archive = place.root_of("shop.tgz");
    let one = place.kept("shop").join("memory/one.md");
    let text = fs::read_to_string(&one).unwrap();
    let terminal = opened(&place, "shop");
    let export = || {
        terminal.send("e");
        terminal.wait_for("memories and sessions");
        terminal.send("\r");
        terminal.wait_for("to which file?");
        // What stands there is cleared first.
        terminal.send("\x03");
        terminal.send(format!("{}\r", archive.display()));
    };
    export();
    terminal.wait_for("holds 1 project, 1 file");
    let bytes = fs::read(&archive).unwrap();
    // What is there is written over only when that is chosen.
    write(&archive, "mine");
    export();
    terminal.wait_for("is there already");
    assert_eq!(fs::read(&archive).unwrap(), b"mine");
    terminal.send("j\r");
    until("it is written over", || {
        fs::read(&archive).unwrap() == bytes
    });
    terminal.wait_for("holds 1 project, 1 file");

    fs::remove_file(&one).unwrap();
    terminal.send("i");
    terminal.wait_for("import from which archive?");
    terminal.send(format!("{}\r", archive.display()));
    terminal.wait_for("shop · 1 memory");
    terminal.send("\r");
    terminal.wait_for("1 new, 0 there already");
    terminal.send("\r");
    until("it is back", || {
        fs::read_to_string(&one).is_ok_and(|now| now == text)
    });
    terminal.wait_gone("there already");
    terminal.send("u");
    until("it is gone again", || !one.exists());
    quit(terminal);
}
