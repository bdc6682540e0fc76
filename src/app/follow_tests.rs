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
