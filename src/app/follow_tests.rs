use crate::app::App;
use crate::app::fixture::{app, press};
use crate::app::overlay::Overlay;

/// The memory under the cursor.
fn at(app: &App) -> String {
    let file = app.tree.row().and_then(|row| app.tree.file(row));
    file.map(|at| at.file).unwrap_or_default()
}

fn open_backup() -> App {
    let mut app = app(120, 40);
    while at(&app) != "db-migration-needs-backup.md" {
        press(&mut app, "j");
    }
    press(&mut app, "enter");
    app
}

#[test]
fn links_are_followed_both_ways_and_back() {
    let mut app = open_backup();
    let links = app.links_here();
    assert_eq!(links.to, ["release-freeze.md", "team/deploy.md"]);
    assert_eq!(links.from, ["learnings/retry.md"]);
    press(&mut app, "enter");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    let offered: Vec<&str> = choice.answers.iter().map(|(said, _)| &**said).collect();
    assert_eq!(
        offered,
        ["→ release-freeze", "→ team/deploy", "← learnings/retry"]
    );
    press(&mut app, "down enter");
    assert_eq!(at(&app), "team/deploy.md");
    // The only link of that one leads back.
    press(&mut app, "enter");
    assert_eq!(at(&app), "db-migration-needs-backup.md");
    press(&mut app, "backspace");
    assert_eq!(at(&app), "team/deploy.md");
    press(&mut app, "backspace");
    assert_eq!(at(&app), "db-migration-needs-backup.md");
    press(&mut app, "backspace");
    assert!(format!("{:?}", app.notice).contains("no link was followed"));
}

#[test]
fn what_has_no_links_says_so_and_the_footer_offers_none() {
    use crate::app::action::Action;
    let mut app = open_backup();
    assert!(app.can(Action::Follow));
    assert!(!app.can(Action::GoBack));
    press(&mut app, "esc");
    while at(&app) != "odd.md" {
        press(&mut app, "j");
    }
    press(&mut app, "enter enter");
    assert!(format!("{:?}", app.notice).contains("no memory is linked"));
    assert!(!app.can(Action::Follow));
}

#[test]
fn what_is_linked_both_ways_is_offered_once() {
    use crate::memory::backlinks::Links;
    let mut app = open_backup();
    let link = |from: &str, to: &str| (Box::from(from), Box::from(to));
    let backup = "db-migration-needs-backup.md";
    let pairs = [
        link(backup, "odd.md"),
        link("odd.md", backup),
        link("family.md", backup),
    ];
    let mut newer = app.tree.current().expect("a project").clone();
    newer.stamp += 1;
    assert!(app.links.wants(&newer, 9_999));
    app.links.take(9_999, Links::from_iter(pairs));
    press(&mut app, "enter");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    let offered: Vec<&str> = choice.answers.iter().map(|(said, _)| &**said).collect();
    assert_eq!(offered, ["↔ odd", "← family"]);
}
