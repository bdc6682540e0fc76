//! Project folders on a real terminal: pruned, relinked and brought back, with the tree beside them.

use std::fs;
use std::time::{Duration, SystemTime};

use super::edit::until;
use super::store::{Place, memory, write};
use super::terminal::{Exit, Terminal};

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
fn a_project_goes_when_its_name_is_typed_and_comes_back_to_view_and_tree() {
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
    terminal.wait_for("type old to do it");
    terminal.send("no\r");
    terminal.wait_for("nothing was done");
    assert!(folder.is_dir());
    // A look that was left asks for no word of what is looked at next.
    terminal.send("d");
    terminal.wait_for("enter does it");
    terminal.send("\x1b");
    terminal.wait_gone("enter does it");
    terminal.send("d");
    terminal.wait_for("enter does it");
    terminal.send("\rold\r");
    until("it is in the trash", || !folder.exists());
    terminal.wait_for("1 folder ·");
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
        terminal.wait_for("the whole path of its folder");
    }
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

/// What nobody was shown does not go: neither unasked nor when the name is typed for what was shown.
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
    terminal.wait_for("enter does it");
    terminal.send("\r");
    terminal.wait_for("type old to do it");
    terminal.send("ol");
    late("more.md");
    terminal.send("d\r");
    terminal.wait_for("not listed before: more.md");
    assert!(three.is_file());
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
