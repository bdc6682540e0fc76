//! A real repository that gets another name, on a real terminal: what the screen has kept of it tells
//! where it is, and it is mended there.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::repository::{LIB, Shop};

use super::edit::until;
use super::store::{Place, memory, write};
use super::terminal::{Exit, Terminal};

/// A repository with a submodule in it and a worktree beside it, each with a session of yesterday.
fn place() -> (Place, Shop) {
    let place = Place::new();
    let shop = Shop::make(&place.root_of("work"));
    let lib = format!("shop/{LIB}");
    for project in ["shop", "shop-fix", &*lib] {
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
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    place.memory(&lib, "two.md", memory("two", "user", "Text of two."));
    (place, shop)
}

/// Whether it is kept what a folder is known by.
fn is_kept(place: &Place, folder: &Path) -> bool {
    let homes = fs::read_dir(place.root_of("state/homes"));
    let home = homes.into_iter().flatten().flatten().next();
    let file = home.map(|home| home.path().join("identity.json"));
    let text = file.and_then(|file| fs::read_to_string(file).ok());
    let path = serde_json::to_string(folder).unwrap();
    text.is_some_and(|text| text.contains(&format!("{{\"path\":{path},")))
}

#[track_caller]
fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_renamed_repository_is_known_by_what_the_screen_saw_and_relinked_with_what_lies_in_it() {
    let (place, shop) = place();
    let lib = shop.main.join(LIB);
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    assert!(!is_kept(&place, &shop.main));
    terminal.send("5");
    terminal.wait_for("3 folders");
    until("the projects are kept", || is_kept(&place, &lib));
    assert!(is_kept(&place, &shop.main) && is_kept(&place, &shop.beside));
    quit(terminal);

    let new = shop.renamed("store");
    let projects = place.root_of("home/.claude/projects");
    let at = |path: &Path| projects.join(key(path)).join("memory");
    let terminal = place.open("shop-fix").start();
    terminal.wait_for("this worktree has parted from its repository");
    terminal.send("5");
    terminal.wait_for("3 folders · 2 moved");
    // The first row is one of the two; each is relinked to the place that is proposed first.
    for left in ["1 moved", ""] {
        terminal.send("ggr");
        terminal.wait_for("where is ");
        terminal.send("\r");
        terminal.wait_for("enter does it");
        terminal.send("\r");
        terminal.wait_gone("enter does it");
        match left {
            "" => terminal.wait_gone(" moved"),
            left => terminal.wait_for(left),
        }
    }
    assert!(at(&new).join("one.md").is_file());
    assert!(at(&new.join(LIB)).join("two.md").is_file());
    assert!(!at(&shop.main).exists() && !at(&lib).exists());
    // What has just been mended is known by its new place.
    until("its new place is kept", || is_kept(&place, &new));
    terminal.send("uu");
    until("both are as they were", || {
        at(&shop.main).join("one.md").is_file() && at(&lib).join("two.md").is_file()
    });
    assert!(!at(&new).exists() && !at(&new.join(LIB)).exists());
    quit(terminal);
}

/// As after any change on the command line.
#[test]
fn a_change_on_the_screen_keeps_what_its_project_is_known_by() {
    let (place, shop) = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    assert!(!is_kept(&place, &shop.main));
    terminal.send("jjd");
    terminal.wait_for("trash");
    terminal.send("\r");
    let one = place.kept("shop").join("memory/one.md");
    until("it is in the trash", || !one.exists());
    until("its project is kept", || is_kept(&place, &shop.main));
    // No other was touched.
    assert!(!is_kept(&place, &shop.main.join(LIB)));
    quit(terminal);
}

fn key(path: &Path) -> String {
    let path = path.to_string_lossy().into_owned();
    path.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
