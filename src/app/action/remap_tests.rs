use std::fmt::Write as _;
use std::path::Path;

use super::*;
use crate::app::action::{HelpLine, Lookup, UNBOUND};
use crate::config::file::TomlFile;
use crate::config::keys;

fn with(text: &str) -> (Keymap, Vec<String>) {
    let file = TomlFile::parse(Path::new("keys.toml"), text).unwrap();
    let (wanted, faults) = keys::read(&file);
    assert_eq!(faults, []);
    let (keymap, faults) = Keymap::with(&wanted);
    (keymap, faults.iter().map(ToString::to_string).collect())
}

fn means(keymap: &Keymap, scope: Scope, chord: &str) -> Lookup {
    keymap.lookup(scope, &Key::parse_chord(chord).unwrap())
}

fn keys_of(keymap: &Keymap, action: Action, scope: Scope) -> Vec<String> {
    keymap.keys(action, scope).collect()
}

#[test]
fn what_is_asked_for_takes_the_place_of_the_default_in_its_scope() {
    let (keymap, faults) = with("[tree]\ntrash = [\"x\", \"delete\"]\nquit = \"Q\"\n");
    assert_eq!(faults, Vec::<String>::new());
    let trash = Lookup::Action(Action::Trash);
    assert_eq!(means(&keymap, Scope::Tree, "x"), trash);
    assert_eq!(means(&keymap, Scope::Tree, "delete"), trash);
    assert_eq!(means(&keymap, Scope::Tree, "d"), Lookup::Nothing);
    assert_eq!(means(&keymap, Scope::Memory, "d"), trash);
    assert_eq!(
        means(&keymap, Scope::Tree, "Q"),
        Lookup::Action(Action::Quit)
    );
    assert_eq!(means(&keymap, Scope::Tree, "q"), Lookup::Nothing);
}

#[test]
fn everywhere_means_all_scopes_and_one_scope_is_stronger() {
    let (keymap, faults) =
        with("[index]\nquit = \"Z\"\n[everywhere]\nquit = \"Q\"\nback = \"x\"\n");
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(
        means(&keymap, Scope::Tree, "Q"),
        Lookup::Action(Action::Quit)
    );
    assert_eq!(means(&keymap, Scope::Index, "Q"), Lookup::Nothing);
    assert_eq!(
        means(&keymap, Scope::Index, "Z"),
        Lookup::Action(Action::Quit)
    );
    assert_eq!(
        means(&keymap, Scope::Tree, "x"),
        Lookup::Action(Action::Back)
    );
    // What is typed stays typed: there the default key holds.
    assert_eq!(means(&keymap, Scope::Finder, "x"), Lookup::Nothing);
    assert_eq!(keys_of(&keymap, Action::Back, Scope::Finder), ["esc"]);
}

#[test]
fn what_is_asked_for_pushes_a_default_away_chords_too() {
    let (keymap, faults) = with("[tree]\n\"$EDITOR\" = \"e\"\nnew = \"g\"\n");
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(
        means(&keymap, Scope::Tree, "e"),
        Lookup::Action(Action::EditOutside)
    );
    assert_eq!(keymap.shown(Action::Edit, Scope::Tree), UNBOUND);
    assert_eq!(keymap.shown(Action::Edit, Scope::Memory), "e");
    assert_eq!(
        means(&keymap, Scope::Tree, "g"),
        Lookup::Action(Action::New)
    );
    assert_eq!(keys_of(&keymap, Action::Top, Scope::Tree), ["home"]);
}

#[test]
fn an_action_can_be_unbound_and_the_help_says_so() {
    let (keymap, faults) = with("[everywhere]\nmark = []\n");
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(means(&keymap, Scope::Tree, "space"), Lookup::Nothing);
    let lines = keymap.help_lines();
    let of_mark: Vec<&HelpLine> = lines
        .iter()
        .filter(|line| line.entry.action == Action::Mark)
        .collect();
    assert_eq!(of_mark.len(), 1);
    assert_eq!(
        (
            of_mark[0].written_keys().as_str(),
            of_mark[0].places().as_str()
        ),
        (UNBOUND, "tree, projects")
    );
}

#[test]
fn what_cant_be_had_is_told_with_its_line_and_the_rest_holds() {
    let (keymap, faults) = with(
        "[tree]\ntrsh = \"x\"\ntrash = [\"x\", \"contrl-x\"]\nnew = \"x\"\nrename = \"F99\"\n\"fix all\" = \"y\"\n\
         cancel = \"x\"\nmark = \"ctrl-c\"\n[tee]\nquit = \"Q\"\n[finder]\nup = \"k\"\n[text]\nsave = [\"enter\", \"alt-s\"]\n",
    );
    assert_eq!(
        faults,
        [
            "keys.toml:2: there is no action \"trsh\": the help (?) lists their names; it is left out",
            "keys.toml:3: \"contrl-x\" is no key; keys are written x, X, ctrl-x, alt-x, enter, space, pgdn, F5, or g g; it is left out",
            "keys.toml:4: \"x\" is taken by trash (line 3) in the tree: take another; it is left out",
            "keys.toml:5: \"F99\" is no key; keys are written x, X, ctrl-x, alt-x, enter, space, pgdn, F5, or g g; it is left out",
            "keys.toml:6: fix all does not work in [tree], but in health; it is left out",
            "keys.toml:7: cancel keeps ctrl-c, so that there is always a way out",
            "keys.toml:8: ctrl-c always cancels: take another; it is left out",
            "keys.toml:10: there is no scope [tee]; there are everywhere, tree, memory, index, preview, health, history, form, text, help, palette, finder, review, change, line, choice, conflict, project, projects, sessions, session, usage, ledger, request, agent, question, completion, filter",
            "keys.toml:12: \"k\" is typed into the finder: take one with ctrl- or alt-, or F1 to F24; it is left out",
            "keys.toml:14: \"enter\" is typed into the text: take one with ctrl- or alt-, or F1 to F24; it is left out",
        ]
    );
    assert_eq!(
        means(&keymap, Scope::Tree, "x"),
        Lookup::Action(Action::Trash)
    );
    assert_eq!(keys_of(&keymap, Action::Rename, Scope::Tree), ["r"]);
    assert_eq!(keys_of(&keymap, Action::Mark, Scope::Tree), ["space"]);
    assert_eq!(
        keys_of(&keymap, Action::Up, Scope::Finder),
        ["up", "ctrl-p"]
    );
    assert_eq!(keys_of(&keymap, Action::Save, Scope::Body), ["alt-s"]);
}

/// Whatever is asked for, no keymap has two meanings for a key or a command that is typed.
#[test]
fn no_wish_makes_typing_a_command_or_a_key_ambiguous() {
    let keys = [
        "x",
        "g",
        "g g",
        "enter",
        "alt-x",
        "ctrl-c",
        "backspace",
        "F3",
    ];
    for (at, entry) in TABLE.iter().enumerate() {
        let other = TABLE[(at + 7) % TABLE.len()].name;
        let list = keys.map(|key| format!("{key:?}")).join(", ");
        let mut text = String::new();
        for scope in ["everywhere"]
            .into_iter()
            .chain(Scope::ALL.map(Scope::word))
        {
            let name = entry.name;
            let _ = write!(
                text,
                "[{scope}]
{name:?} = [{list}]
{other:?} = [{list}]
"
            );
        }
        let (keymap, _) = with(&text);
        let all: Vec<_> = Scope::ALL
            .into_iter()
            .flat_map(|scope| keymap.of_scope(scope))
            .collect();
        for (at, one) in all.iter().enumerate() {
            assert!(
                !one.scope.is_field() || !one.chord[0].is_typing(),
                "{one:?}"
            );
            let mut rest = all[at + 1..].iter();
            let clash = rest.find(|other| one.clashes(other) && one.action != other.action);
            assert_eq!(clash, None, "{one:?}");
        }
        let cancel = means(&keymap, Scope::Tree, "ctrl-c");
        assert_eq!(cancel, Lookup::Action(Action::Cancel));
    }
}
