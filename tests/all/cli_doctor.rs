//! `doctor`: what it lists and how, what it mends, what is left, and by which code it ends.

use serde_json::{Value, json};

use crate::cli_home::{Home, MEMORY, demo, keys, text_of};
use crate::cli_write_home::{Desk, Picture, picture};

/// A memory that nothing is wrong with.
fn good(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: What is to be known of {name} at work\nmetadata:\n  type: feedback\n---\n\nThe fact.\n"
    )
}

fn line(name: &str) -> String {
    format!("- [About {name}]({name}.md) — what is to be known of {name}\n")
}

/// A home whose memories are not old when the tests look at them.
fn home() -> Home {
    let home = Home::new();
    home.memory("one.md", good("one"));
    home.memory("MEMORY.md", line("one"));
    home
}

fn codes(value: &Value) -> Vec<(&str, &str)> {
    let findings = value["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|one| (one["code"].as_str().unwrap(), one["path"].as_str().unwrap()))
        .collect()
}

#[test]
fn nothing_found_ends_with_0() {
    let home = home();
    let ran = home.run(&["doctor"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "nothing found\n"),
        "{ran:?}"
    );
    let expected = json!({"findings": [], "counts": {"error": 0, "warning": 0, "note": 0}});
    assert_eq!(home.json(&["doctor", "--json"]), expected);
    let empty = Home::new();
    assert_eq!(empty.json(&["doctor", "--json"]), expected);
    assert_eq!(empty.json(&["doctor", "--all", "--json"]), expected);
}

#[test]
fn a_finding_has_its_shape_and_ends_with_1() {
    let home = home();
    home.memory("MEMORY.md", line("one") + "- [Gone](gone.md)\n");
    let ran = home.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(
        ran.json(),
        json!({
            "findings": [{
                "code": "dangling", "severity": "error", "project": "-srv-proj",
                "path": "projects/-srv-proj/memory/MEMORY.md", "line": 2,
                "message": "the entry \"Gone\" leads to gone.md, which is gone: the model opens it and finds nothing",
                "fix": "take the index line out",
            }],
            "counts": {"error": 1, "warning": 0, "note": 0},
        })
    );
    let ran = home.run(&["doctor"]);
    assert_eq!(
        ran.out,
        "proj  /srv/proj · 1 error\n  1 error\n    ✗ dangling  MEMORY.md:2\n      \
         the entry \"Gone\" leads to gone.md, which is gone: the model opens it and finds nothing\n      \
         fix: take the index line out\n\n\
         1 error; `loci doctor --fix` mends 1 of them, each with its own undo\n"
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
}

#[test]
fn only_the_codes_that_are_asked_for_are_listed_and_mended() {
    let desk = sick();
    let all = desk.run(&["doctor", "--json"]).json();
    let ghosts: Vec<_> = codes(&all)
        .into_iter()
        .filter(|(code, _)| *code == "ghost")
        .collect();
    assert!(
        !ghosts.is_empty() && ghosts.len() < codes(&all).len(),
        "{all}"
    );
    let asked = desk.run(&["doctor", "--code", "ghost", "--json"]).json();
    assert_eq!(codes(&asked), ghosts);
    let fixed = desk
        .run(&["doctor", "--code", "ghost", "--fix", "--json"])
        .json();
    assert_eq!(fixed["fixed"].as_array().unwrap().len(), ghosts.len());
    assert_eq!(codes(&fixed), []);
    let left = desk.run(&["doctor", "--json"]).json();
    assert!(
        codes(&left).iter().all(|(code, _)| *code != "ghost"),
        "{left}"
    );
    assert!(!codes(&left).is_empty(), "the others are left");
    assert_eq!(desk.run(&["doctor", "--code", "haunted"]).code, Some(2));
}

#[test]
fn notes_alone_end_with_0_and_a_path_outside_of_the_config_home_is_absolute() {
    let home = home();
    home.write("/srv/proj/.claude/agent-memory/tester/a.md", good("a"));
    let json = home.json(&["doctor", "--all", "--json"]);
    let path = "/srv/proj/.claude/agent-memory/tester/MEMORY.md";
    assert_eq!(codes(&json), [("index-missing", path)]);
    assert_eq!(keys(&json["findings"][0]).len(), 7);
    let none: [(&str, &str); 0] = [];
    assert_eq!(codes(&home.json(&["doctor", "--json"])), none);
}

#[test]
fn our_configuration_sets_the_measures_and_a_fault_in_it_is_said() {
    let home = home();
    home.memory("two.md", good("two"));
    let config = "/home/u/.config/loci/config.toml";
    home.write(config, "[health]\nghost = \"note\"\n");
    let ran = home.run(&["doctor", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(ran.json()["findings"][0]["severity"], "note");
    home.write(
        config,
        "[health]\nghost = \"off\"\nstale_days = \"x\"\nodd = \"off\"\n",
    );
    let ran = home.run(&["doctor", "--json"]);
    assert!(codes(&ran.json()).is_empty());
    assert_eq!(
        ran.err,
        format!(
            "{config}:3: stale_days must be a whole number from 0 on; 30 holds\n\
             {config}:4: [health] odd: no finding has this code; `loci doctor --help` lists them\n"
        )
    );
}

#[test]
fn help_lists_every_code() {
    let ran = home().run(&["doctor", "--help"]);
    for code in loci::health::Code::ALL {
        assert!(
            ran.out.contains(&format!("  {} ", code.word())),
            "{}",
            code.word()
        );
    }
}

#[test]
fn what_files_say_reaches_no_terminal_raw() {
    let home = home();
    home.memory(
        "MEMORY.md",
        line("one") + "- [\x1bc\u{202E}](gone\x07.md)\n",
    );
    let ran = home.run(&["doctor", "--color", "always"]);
    assert!(!ran.out.contains(['\x07', '\u{202E}']), "{ran:?}");
    assert!(
        !ran.out.contains("\x1bc") && ran.out.contains("␛c"),
        "{ran:?}"
    );
}

fn picture_of(desk: &Desk) -> Picture {
    picture(&desk.memory())
}

/// A desk with faults of three kinds that can be mended and one that can't.
fn sick() -> Desk {
    let desk = Desk::new();
    desk.put("one.md", good("one").replace("metadata:\n  type", "type"));
    desk.put("two.md", good("two").replace("What is", "Note: what is"));
    let index = "# Index\n- [Gone](gone.md) — x\n- [Away](away.md) — y\n";
    desk.put(
        "MEMORY.md",
        format!("{index}{}- [Again](one.md)\n", line("one")),
    );
    desk.put(
        "three.md",
        text_of("three", "What is to be known of three", "opinion"),
    );
    desk
}

#[test]
fn a_dry_run_shows_every_fix_and_writes_nothing() {
    let desk = sick();
    let before = desk.whole();
    let ran = desk.run(&["doctor", "--fix", "--dry-run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.err, "a dry run: nothing was written\n");
    for shown in [
        "-- [Gone](gone.md) — x\n",
        "-type: feedback\n+metadata:\n+  type: feedback\n",
    ] {
        assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
    }
    assert!(ran.out.contains("of them would be fixed"), "{}", ran.out);
    assert_eq!(desk.whole(), before);
}

#[test]
fn fixing_leaves_what_is_a_guess_and_each_fix_is_one_undo() {
    let desk = sick();
    let memory = picture_of(&desk);
    let ran = desk.run(&["doctor", "--fix", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let json = ran.json();
    let left: Vec<&str> = codes(&json).into_iter().map(|(code, _)| code).collect();
    assert_eq!(left, ["type-unknown", "stale", "stale", "stale"]);
    let fixed = json["fixed"].as_array().unwrap();
    let titles: Vec<&str> = fixed
        .iter()
        .map(|one| one["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        titles,
        [
            "fix frontmatter-broken: two.md",
            "fix type-place: one.md",
            "fix type-place: three.md",
            "fix dangling: MEMORY.md",
            "fix dangling: MEMORY.md",
            "fix ghost: three.md",
            "fix ghost: two.md",
            "fix duplicate-pointer: MEMORY.md",
        ]
    );
    let history = desk.json(&["history"]);
    assert_eq!(history["history"].as_array().unwrap().len(), fixed.len());
    assert_eq!(history["history"][0]["author"], "fix");
    for _ in fixed {
        desk.done(&["undo"]);
    }
    assert_eq!(
        picture_of(&desk),
        memory,
        "every byte and every age is back"
    );
}

#[test]
fn a_folder_that_is_only_claimed_is_looked_at_and_not_mended() {
    let desk = Desk::new();
    let claimed = desk.root().join("home/elsewhere");
    std::fs::create_dir_all(&claimed).unwrap();
    std::fs::write(claimed.join("MEMORY.md"), "- [Gone](gone.md)\n").unwrap();
    let settings = desk.root().join("proj/.claude");
    std::fs::create_dir_all(&settings).unwrap();
    let text = "{\"autoMemoryDirectory\":\"~/elsewhere\"}";
    std::fs::write(settings.join("settings.json"), text).unwrap();
    let ran = desk.run(&["doctor", "--fix"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("left as it is: "), "{ran:?}");
    let index = std::fs::read_to_string(claimed.join("MEMORY.md")).unwrap();
    assert_eq!(index, "- [Gone](gone.md)\n");
}

#[test]
fn a_sysroot_is_looked_at_and_not_mended() {
    let home = home();
    home.memory("MEMORY.md", "- [Gone](gone.md)\n");
    let ran = home.run(&["doctor", "--fix"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(home.at(MEMORY).join("MEMORY.md").exists());
}

#[test]
fn the_demo_is_mended_but_for_what_a_person_must_say() {
    let ran = demo(&["doctor", "--all", "--fix", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let json = ran.json();
    let left = json["findings"].as_array().unwrap();
    assert!(
        left.iter().all(|finding| finding["fix"].is_null()),
        "{left:#?}"
    );
    assert_eq!(json["fixed"].as_array().unwrap().len(), 12);
    assert_eq!(left.len(), 51 - 12 + 15, "nothing new has come");
}

/// Fifty memories as people and agents write them, in two languages.
#[test]
fn a_clean_corpus_has_no_error_and_no_warning() {
    let home = Home::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/clean");
    let mut memories = 0;
    for (project, folder) in [("-srv-proj", "english"), ("-srv-other", "chinese")] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            memories += usize::from(name != "MEMORY.md");
            let path = format!("/home/u/.claude/projects/{project}/memory/{name}");
            let text = std::fs::read_to_string(entry.path()).unwrap();
            // The session that it comes from is there still.
            if let Some((_, from)) = text.split_once("originSessionId: ") {
                let session = from.lines().next().unwrap();
                let path = format!("/home/u/.claude/projects/{project}/{session}.jsonl");
                home.write(&path, "");
            }
            home.write(&path, text);
        }
    }
    assert_eq!(memories, 50);
    let ran = home.run(&["doctor", "--all", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(
        ran.json()["counts"],
        json!({"error": 0, "warning": 0, "note": 0}),
        "{ran:?}"
    );
}
