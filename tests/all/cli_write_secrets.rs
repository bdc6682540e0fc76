//! Secrets that a command would write: asked for a memory of one's own, refused for the team's, and what
//! was there before comes back.

use std::fs;

use crate::cli_write_home::{Desk, small, text_of};

fn value() -> String {
    ["AK", "IA", "QWERTYUIOPASDFGH"].concat()
}

fn new(body: &str) -> [&str; 8] {
    [
        "new",
        "keys",
        "--type",
        "reference",
        "--description",
        "where the keys of the store are",
        "--body",
        body,
    ]
}

/// Whether the beginning of the value that a sentence may show is all that it shows.
fn assert_hidden(said: &str) {
    assert!(!said.contains(&value()[..5]), "{said}");
}

#[test]
fn a_secret_is_written_only_with_yes() {
    let (desk, body) = (small(), format!("an id: {}", value()));
    let before = desk.memories();
    let said = desk.refused(&new(&body), 2, "secret");
    assert!(
        said.contains("keys.md:10 would hold what looks like a credential (AWS access key, AKIA…): each session that reads it sends it to the provider. Nothing was written; --yes writes it all the same"),
        "{said}"
    );
    assert_hidden(&said);
    let said = desk.refused(&["edit", "alpha", "--body", &body], 2, "secret");
    assert_hidden(&said);
    let dry = desk.done(&[&new(&body)[..], &["--dry-run"]].concat());
    assert!(
        dry.err.contains("would hold what looks like a credential"),
        "{dry:?}"
    );
    assert_eq!(desk.memories(), before);
    let ran = desk.done(&[&new(&body)[..], &["--yes"]].concat());
    assert!(
        ran.err.contains("would hold what looks like a credential"),
        "{ran:?}"
    );
    assert!(desk.read("keys.md").contains(&value()));
    // What it holds already is not asked about again.
    desk.done(&["edit", "keys", "--set", "description=what opens the store"]);
    desk.done(&["mv", "keys", "keyring"]);
    assert!(desk.read("keyring.md").contains(&value()));
}

#[test]
fn the_team_is_given_no_secret_but_one_that_is_let_pass() {
    let desk = small();
    desk.put("alpha.md", text_of("alpha", "reference", &value()));
    let before = desk.memories();
    for more in [&[][..], &["--yes"], &["--dry-run"]] {
        let said = desk.refused(
            &[&["mv", "alpha", "--team"][..], more].concat(),
            2,
            "secret",
        );
        assert!(
            said.contains("team/alpha.md:6 would hold")
                && said.contains("what is the team's goes to others: nothing was written"),
            "{said}"
        );
        assert_hidden(&said);
    }
    assert_eq!(desk.memories(), before);
    let config = desk.root().join("home/.config/loci");
    fs::create_dir_all(&config).unwrap();
    let allow = format!("[secrets]\nallow = [\"{}\"]\n", value());
    fs::write(config.join("config.toml"), allow).unwrap();
    desk.done(&["mv", "alpha", "--team"]);
    assert!(desk.has("team/alpha.md"));
}

#[test]
fn what_was_there_before_comes_back_unasked() {
    let desk = leaky();
    for name in ["alpha", "shared"] {
        let removed = desk.json(&["rm", name]);
        desk.done(&["restore", removed["key"].as_str().unwrap()]);
        desk.done(&["rm", name]);
        desk.done(&["undo"]);
    }
    desk.done(&["edit", "alpha", "--body", "no id any more"]);
    desk.done(&["undo"]);
    assert!(desk.read("alpha.md").contains(&value()));
    assert!(desk.read("team/shared.md").contains(&value()));
}

/// A memory of one's own and one of the team's that hold one.
fn leaky() -> Desk {
    let desk = small();
    desk.put("alpha.md", text_of("alpha", "reference", &value()));
    desk.put("team/shared.md", text_of("shared", "reference", &value()));
    desk
}
