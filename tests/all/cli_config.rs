//! `config path`, `check` and `print`, and what every other command makes of a faulty configuration.

use std::fs;

use serde_json::{Value, json};

use crate::cli_home::{Home, NOW, demo, keys, text_of};
use crate::cli_write_home::Desk;

const FOLDER: &str = "/home/u/.config/loci";

fn write(home: &Home, name: &str, text: &str) {
    home.write(&format!("{FOLDER}/{name}"), text);
}

#[test]
fn check_ends_with_0_without_faults() {
    let home = Home::new();
    let fine = format!("nothing is wrong in {FOLDER}\n");
    let ran = home.run(&["config", "check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), fine.as_str()));
    write(
        &home,
        "config.toml",
        "theme = \"mine\"\n[health]\nghost = \"off\"\n",
    );
    write(&home, "keys.toml", "[tree]\ntrash = \"x\"\n");
    write(&home, "themes/mine.toml", "base = \"dark\"\n");
    let ran = home.run(&["config", "check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), fine.as_str()));
    assert_eq!(
        home.json(&["config", "check", "--json"]),
        json!({"faults": []})
    );
}

#[test]
fn check_tells_the_faults_of_all_three_with_their_lines_and_ends_with_3() {
    let home = Home::new();
    write(&home, "config.toml", "mouse = false\nthem = \"dark\"\n");
    write(&home, "keys.toml", "[tree]\ntrsh = \"x\"\n");
    write(&home, "themes/mine.toml", "\naccent = \"reddish\"\n");
    let ran = home.run(&["config", "check"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(
        ran.out.lines().collect::<Vec<_>>(),
        [
            "/home/u/.config/loci/config.toml:2: them is no key of ours: `loci config print` lists them; it is left out",
            "/home/u/.config/loci/themes/mine.toml:2: accent must be \"#rrggbb\", \"default\" or a name such as \"cyan\" or \"bright-cyan\"; that of the base holds",
            "/home/u/.config/loci/keys.toml:2: there is no action \"trsh\": the help (?) lists their names; it is left out",
            "3 faults in /home/u/.config/loci",
        ]
    );
    let json = home.run(&["config", "check", "--json"]);
    assert_eq!(json.code, Some(3));
    let faults = json.json();
    let faults = faults["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 3);
    assert!(keys(&faults[0]).into_iter().eq(["file", "line", "message"]));
    assert_eq!(faults[2]["file"], format!("{FOLDER}/keys.toml"));
    assert_eq!(faults[2]["line"], 2);
}

#[test]
fn a_faulty_configuration_stops_no_command_and_is_said() {
    let home = Home::new();
    write(&home, "config.toml", "mouse = \n");
    let ran = home.run(&["ls"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err
            .starts_with("/home/u/.config/loci/config.toml:1: this is no TOML ("),
        "{ran:?}"
    );
    assert!(ran.err.contains("the defaults hold until it is mended\n"));
    home.write(&format!("{FOLDER}/config.toml"), b"mouse = \"\xff\"\n");
    let ran = home.run(&["config", "check", "--json"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.json()["faults"][0]["line"], Value::Null);
}

#[test]
fn print_gives_what_holds_as_a_file_that_says_the_same() {
    let home = Home::new();
    let default = home.run(&["config", "print"]);
    assert_eq!(default.code, Some(0), "{default:?}");
    assert!(
        default
            .err
            .starts_with("known, and not used yet: demo, extract_every")
    );
    write(
        &home,
        "config.toml",
        "editor = \"a \\\"b\\\" \\u0007\"\nmouse = false\n[keep]\ntrash_days = 3\n[health]\nghost = \"off\"\n",
    );
    let own = home.run(&["config", "print"]);
    assert_ne!(own.out, default.out);
    assert_eq!(home.run(&["config", "print", "--default"]).out, default.out);
    let json = home.json(&["config", "print", "--json"]);
    assert_eq!(json["editor"], "a \"b\" \u{7}");
    assert_eq!(json["mouse"], false);
    assert_eq!(json["keep"]["trash_days"], 3);
    assert_eq!(json["health"]["ghost"], "off");
    assert_eq!(json["theme"], "terminal");
    // What was printed is a configuration without faults that prints the same.
    write(&home, "config.toml", &own.out);
    let again = home.run(&["config", "print"]);
    assert_eq!((again.out, again.code), (own.out, Some(0)));
    assert_eq!(home.run(&["config", "check"]).code, Some(0));
}

#[test]
fn path_tells_each_place_and_whether_it_is_there() {
    let home = Home::new();
    write(&home, "keys.toml", "");
    let json = home.json(&["config", "path", "--json"]);
    let places = json["places"].as_array().unwrap();
    let place = |what: &str| {
        let mut found = places.iter().filter(|place| place["what"] == what);
        let only = found.next().expect(what);
        (only["path"].as_str().unwrap(), only["exists"] == true)
    };
    assert_eq!(
        place("settings"),
        ("/home/u/.config/loci/config.toml", false)
    );
    assert_eq!(place("keys"), ("/home/u/.config/loci/keys.toml", true));
    assert_eq!(place("themes"), ("/home/u/.config/loci/themes", false));
    for what in [
        "log", "reports", "lock", "journal", "blobs", "history", "trash", "drafts", "identity",
        "screen",
    ] {
        assert!(!place(what).1, "{what}");
    }
    let ran = home.run(&["config", "path"]);
    assert!(
        ran.out
            .contains("settings  /home/u/.config/loci/config.toml  (not there)\n")
    );
    assert!(
        ran.out
            .contains("keys      /home/u/.config/loci/keys.toml\n")
    );
}

#[test]
fn the_demo_has_a_configuration_of_its_own() {
    let ran = demo(&["config", "path", "--json"]);
    let json = ran.json();
    let path = json["places"][0]["path"].as_str().unwrap();
    assert!(path.contains("loci-demo"), "{path}");
}

/// The trash is kept as long as the settings say.
#[test]
fn trash_days_of_the_settings_hold() {
    for (days, left) in [(4, 0), (5, 1)] {
        let desk = Desk::new();
        for name in ["a", "b"] {
            desk.put(
                &format!("{name}.md"),
                text_of(name, "Some fact or other", "user"),
            );
        }
        let folder = desk.root().join("home/.config/loci");
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("config.toml"),
            format!("[keep]\ntrash_days = {days}\n"),
        )
        .unwrap();
        desk.run(&["rm", "a", "--now", &(NOW - 5 * 86_400).to_string()]);
        desk.run(&["rm", "b"]);
        let json = desk.run(&["trash", "--json"]).json();
        let kept = json["trash"].as_array().unwrap().len();
        assert_eq!(kept, left + 1, "{days} days: {json}");
    }
}
