//! Project folders on a real terminal: pruned, relinked and brought back, with the tree beside them.

use std::fs;
use std::time::{Duration, SystemTime};

use super::edit::until;
use super::store::{Place, memory, write};
use super::terminal::{ESC, Exit, Terminal};

/// Two projects; the folder of one is gone. Sessions ended yesterday.
fn place() -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    place.memory("old", "three.md", memory("three", "user", "Text of three."));
    for project in ["shop", "old"] {
        let cwd = place.work(project);
        let line = format!("{{\"type\":\"user\",\"cwd\":\"{}\"}}\n", cwd.display());
        let file = place
            .kept(project)
            .join("11111111-1111-4111-8111-111111111111.jsonl");
        write(&file, line);
        let yesterday = SystemTime::now() - Duration::from_hours(24);
        let file = fs::File::options().write(true).open(file).unwrap();
        file.set_modified(yesterday).unwrap();
    }
    fs::rename(place.work("old"), place.root_of("work/moved")).unwrap();
    place
}

/// The project that is gone, under the cursor of the Projects view.
fn opened(place: &Place) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("5");
    terminal.wait_for("orphaned");
    terminal.wait_for("by origin");
    terminal
}

#[track_caller]
pub fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_project_goes_when_the_word_is_typed_and_comes_back_to_view_and_tree() {
    let place = place();
    let folder = place
        .root_of("home/.claude/projects")
        .join(key(&place, "old"));
    let terminal = opened(&place);
    terminal.send("d");
    terminal.wait_for("memories that go to the trash (1): three.md");
    // Told from where all of them lie, not without its slashes.
    terminal.wait_for(&format!("trash {}", key(&place, "old")));
    terminal.send("\r");
    terminal.wait_for("type prune to do it");
    terminal.send("no\r");
    terminal.wait_for("no is not prune: nothing is done yet");
    assert!(folder.is_dir());
    // A look that was left asks for no word of what is looked at next.
    terminal.send(ESC);
    terminal.wait_gone("nothing is done yet");
    terminal.send("d");
    terminal.wait_for("enter, then type prune to do it");
    terminal.send(ESC);
    terminal.wait_gone("then type prune");
    terminal.send("d");
    terminal.wait_for("enter, then type prune to do it");
    terminal.send("\rprune\r");
    until("it is in the trash", || !folder.exists());
    terminal.wait_for("1 folder ");
    terminal.wait_for("1 project ");
    terminal.send("u");
    until("it is back", || folder.join("memory/three.md").is_file());
    terminal.wait_for("2 folders");
    terminal.wait_for("2 projects");
    quit(terminal);
}

#[test]
fn a_project_that_moved_is_relinked_to_what_is_typed_and_undo_takes_it_back() {
    let place = place();
    let projects = place.root_of("home/.claude/projects");
    let (old, new) = (
        projects.join(key(&place, "old")),
        projects.join(key(&place, "moved")),
    );
    let terminal = opened(&place);
    terminal.send("r");
    terminal.wait_for("where is old now?");
    if terminal.find("another folder").is_some() {
        terminal.send("G\r");
        terminal.wait_for("the path of its folder");
    }
    // What does not do stays where it was typed.
    terminal.send("/nowhere\r");
    terminal.wait_for("/nowhere is no folder");
    terminal.send("\x15");
    terminal.wait_gone("/nowhere is no folder");
    terminal.send(format!("{}\r", place.root_of("work/moved").display()));
    terminal.wait_for("enter does it");
    terminal.send("\r");
    until("it has the key of its place", || {
        new.join("memory/three.md").is_file()
    });
    assert!(!old.exists());
    terminal.wait_gone("orphaned");
    terminal.send("u");
    until("it is as it was", || old.join("memory/three.md").is_file());
    assert!(!new.exists(), "nothing is left of it");
    quit(terminal);
}

/// What nobody was shown does not go: neither unasked nor when the word is typed for what was shown.
#[test]
fn a_memory_that_comes_after_the_review_is_not_taken_along() {
    let place = place();
    let folder = place
        .root_of("home/.claude/projects")
        .join(key(&place, "old"));
    let late = |name: &str| {
        write(
            &folder.join("memory").join(name),
            memory("late", "user", "New."),
        );
    };
    let three = folder.join("memory/three.md");
    let kept = fs::read(&three).unwrap();
    fs::remove_dir_all(folder.join("memory")).unwrap();
    let terminal = opened(&place);
    for (at, what) in ["d", "X"].into_iter().enumerate() {
        terminal.send(what);
        terminal.wait_for("enter does it");
        let name = format!("late{at}.md");
        late(&name);
        terminal.send("\r");
        terminal.wait_for(&format!("not listed before: {name}"));
        assert!(folder.join("memory").join(&name).is_file());
        fs::remove_file(folder.join("memory").join(&name)).unwrap();
    }
    write(&three, String::from_utf8(kept).unwrap());
    terminal.send("d");
    terminal.wait_for("then type prune to do it");
    terminal.send("\r");
    terminal.wait_for("type prune to do it");
    terminal.send("prun");
    late("more.md");
    terminal.send("e\r");
    terminal.wait_for("not listed before: more.md");
    assert!(three.is_file());
    quit(terminal);
}

#[test]
fn what_comes_and_goes_outside_is_listed_in_view_and_tree_by_itself() {
    let place = place();
    let terminal = opened(&place);
    terminal.wait_for("2 folders");
    terminal.wait_for("2 projects");
    let projects = place.root_of("home/.claude/projects");
    let folder = projects.join(key(&place, "old"));
    let away = place.root_of("away");
    fs::rename(&folder, &away).unwrap();
    terminal.wait_for("1 folder ");
    terminal.wait_for("1 project ");
    terminal.wait_gone("orphaned");
    fs::rename(&away, &folder).unwrap();
    terminal.wait_for("2 folders");
    terminal.wait_for("2 projects");
    quit(terminal);
}

/// The key of a project's folder.
pub fn key(place: &Place, project: &str) -> String {
    let path = place.root_of("work").join(project);
    let path = path.to_string_lossy().into_owned();
    path.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
