//! Memories that change their place on the screen: into another project, to the team, under a name that
//! has to be mended first; and back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::{Place, memory};
use super::terminal::{Exit, Terminal};

/// Two projects; each has a memory `one`.
fn place() -> Place {
    let place = Place::new();
    for project in ["shop", "zoo"] {
        place.transcript(project, place.work(project).to_str().expect("plain names"));
    }
    for (project, name) in [("shop", "one"), ("shop", "two"), ("zoo", "one")] {
        let file = format!("{name}.md");
        place.memory(
            project,
            &file,
            memory(name, "project", &format!("In {project}.")),
        );
        place.set_age(project, &file, 100 * 86_400);
    }
    place.memory(
        "shop",
        "MEMORY.md",
        "- [one](one.md) — first\n* [two](two.md): second\n",
    );
    place.memory("zoo", "MEMORY.md", "- [one](one.md) — of the zoo\n");
    place
}

type Picture = BTreeMap<PathBuf, (String, SystemTime)>;

fn picture(place: &Place) -> Picture {
    fn walk(folder: &Path, found: &mut Picture) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let time = fs::metadata(&path).and_then(|data| data.modified());
            found.insert(path, (text, time.expect("a time")));
        }
    }
    let mut found = Picture::new();
    for project in ["shop", "zoo"] {
        walk(&place.kept(project).join("memory"), &mut found);
    }
    found
}

fn file(place: &Place, project: &str, file: &str) -> PathBuf {
    place.kept(project).join("memory").join(file)
}

/// The screen with the cursor on a memory of the shop, all projects counted.
fn on(place: &Place, name: &str) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("zoo");
    terminal.send("&");
    terminal.wait_for("enter do it");
    terminal.send(name);
    terminal.wait_for("1 of 2");
    terminal.send("\r");
    terminal.wait_for(&format!("about {name}"));
    terminal
}

#[track_caller]
fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_memory_is_moved_to_the_project_that_is_typed_and_undo_brings_it_back() {
    let place = place();
    let before = picture(&place);
    let terminal = on(&place, "two");
    terminal.send("m");
    terminal.wait_for("move two.md to");
    terminal.send("zo\r");
    terminal.wait_for("enter does it");
    assert_eq!(
        picture(&place),
        before,
        "nothing is written before the look"
    );
    terminal.send("\r");
    terminal.wait_for("move two to zoo");
    let now = picture(&place);
    let old = &before[&file(&place, "shop", "two.md")];
    assert_eq!(now.get(&file(&place, "zoo", "two.md")), Some(old));
    assert_eq!(now.get(&file(&place, "shop", "two.md")), None);
    let index = |project| now[&file(&place, project, "MEMORY.md")].0.clone();
    assert_eq!(index("shop"), "- [one](one.md) — first\n");
    assert_eq!(
        index("zoo"),
        "- [one](one.md) — of the zoo\n* [two](two.md): second\n"
    );
    terminal.send("u");
    terminal.wait_for("taken back");
    assert_eq!(picture(&place), before);
    quit(terminal);
}

#[test]
fn a_name_that_is_taken_there_is_asked_for_again() {
    let place = place();
    let before = picture(&place);
    let terminal = on(&place, "one");
    terminal.send("c");
    terminal.wait_for("copy one.md to");
    terminal.send("\r");
    terminal.wait_for("is already there: choose another name");
    terminal.send("\r");
    terminal.wait_for("another name for one");
    terminal.send("-of-the-shop\r");
    terminal.wait_for("enter does it");
    terminal.send("\r");
    terminal.wait_for("copy one to zoo");
    let now = picture(&place);
    let (text, time) = &now[&file(&place, "zoo", "one-of-the-shop.md")];
    assert!(text.starts_with("---\nname: one-of-the-shop\n"), "{text}");
    assert_eq!(*time, before[&file(&place, "shop", "one.md")].1);
    terminal.send("u");
    terminal.wait_for("taken back");
    assert_eq!(picture(&place), before);
    quit(terminal);
}

#[test]
fn a_memory_goes_to_the_team_and_back() {
    let place = place();
    let before = picture(&place);
    let terminal = on(&place, "two");
    terminal.send("T");
    terminal.wait_for("to the team: two.md");
    terminal.send("\r");
    terminal.wait_for("give two to the team");
    let now = picture(&place);
    let old = &before[&file(&place, "shop", "two.md")];
    assert_eq!(now.get(&file(&place, "shop", "team/two.md")), Some(old));
    let index = &now[&file(&place, "shop", "MEMORY.md")].0;
    assert_eq!(
        index,
        "- [one](one.md) — first\n* [two](team/two.md): second\n"
    );
    terminal.send("4");
    terminal.wait_for("1 change");
    terminal.send("j\r");
    terminal.wait_for("+* [two](team/two.md): second");
    terminal.wait_for("U takes it back");
    terminal.send("U");
    terminal.wait_for("taken back: give two");
    assert_eq!(picture(&place), before);
    terminal.send("\x1b");
    terminal.wait_for("& filter");
    quit(terminal);
}

#[test]
fn a_wrong_name_stays_to_be_mended() {
    let place = place();
    let terminal = on(&place, "two");
    terminal.send("r");
    terminal.wait_for("rename two");
    terminal.send("/x\r");
    terminal.wait_for("a name holds no slash");
    terminal.wait_for("two/x");
    terminal.send("\x7f\x7f\x7f\x7f\x7fone\r");
    terminal.wait_for("one.md is already there");
    assert!(file(&place, "shop", "two.md").exists());
    terminal.send("-more\r");
    terminal.wait_for("u undoes it");
    assert!(file(&place, "shop", "one-more.md").exists());
    quit(terminal);
}
