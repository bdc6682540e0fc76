//! The named cases of fields, index and deletion, through the binary: what must be different
//! afterwards, and that nothing else is.

use std::fs;
use std::os::unix::fs::symlink;

use crate::cli_write_home::{Apart, Desk, text_of};

/// A desk with one memory and its index line.
fn with(name: &str, text: &str) -> Desk {
    let desk = Desk::new();
    desk.put("MEMORY.md", format!("- [x]({name}.md) — x\n"));
    desk.put(&format!("{name}.md"), text);
    desk
}

/// Edits the memory and expects exactly one piece of its text to be another.
#[track_caller]
fn edited(text: &str, arguments: &[&str], old: &str, new: &str) {
    assert_eq!(text.matches(old).count(), 1, "the case names one place");
    let desk = with("m", text);
    desk.done(&[&["edit", "m.md"], arguments].concat());
    assert_eq!(desk.read("m.md"), text.replace(old, new));
    desk.done(&["undo"]);
    assert_eq!(desk.read("m.md"), text);
}

#[test]
fn fm04_quotes_that_were_not_edited_stay() {
    edited(
        "---\nname: \"build-box\"\nnote: 'it''s the old one'\ndescription: plain words\ntype: user\n---\nx\n",
        &["--set", "description=plainer words"],
        "plain words",
        "plainer words",
    );
}

#[test]
fn fm05_dates_stay_plain_dates() {
    edited(
        "---\nname: dates\ndescription: d\ntype: user\ncreated: 2031-02-28\nlast_read: 2031-03-01\n---\nx\n",
        &["--set", "name=dates-two"],
        "name: dates\n",
        "name: dates-two\n",
    );
}

#[test]
fn fm07_a_new_key_goes_last_and_the_others_keep_their_order() {
    edited(
        "---\ntype: user\nzeta: 1\nname: order\nalpha: 2\ndescription: d\n---\nx\n",
        &["--set", "last_read=2031-03-04"],
        "description: d\n",
        "description: d\nlast_read: 2031-03-04\n",
    );
}

#[test]
fn fm08_a_long_value_stays_one_line() {
    let words: Vec<String> = (0..34).map(|number| format!("word{number:02}")).collect();
    let words = words.join(" ");
    edited(
        &format!("---\nname: long\ndescription: {words} old\ntype: user\n---\nx\n"),
        &["--set", &format!("description={words} new")],
        " old\n",
        " new\n",
    );
}

#[test]
fn fm11_a_key_that_stands_twice_is_not_edited() {
    let text = "---\nname: dupkey\ntype: user\ndescription: d\ntype: project\n---\nThe body must not disappear.\n";
    let desk = with("dupkey", text);
    let sentence = desk.refused(&["edit", "dupkey", "--set", "type=feedback"], 2, "refused");
    assert!(sentence.contains("lines 3 and 5"), "{sentence}");
    assert_eq!(desk.read("dupkey.md"), text);
    desk.done(&["edit", "dupkey", "--set", "description=e"]);
    assert_eq!(
        desk.read("dupkey.md"),
        text.replace("description: d", "description: e")
    );
}

#[test]
fn fm13_and_fm30_a_bom_and_both_kinds_of_line_breaks_stay() {
    edited(
        "\u{feff}---\nname: bom\ndescription: saved by a Windows editor\ntype: user\n---\nx\n",
        &["--set", "type=project"],
        "type: user",
        "type: project",
    );
    edited(
        "\u{feff}---\r\nname: both\r\ndescription: d\r\ntype: user\r\n---\r\nline one\nline two\n",
        &["--set", "type=feedback"],
        "type: user\r\n",
        "type: feedback\r\n",
    );
}

#[test]
fn fm15_and_fm17_a_block_that_is_none_is_not_edited() {
    for (text, said) in [
        (
            "<!-- exported -->\n\n---\nname: m\ndescription: d\ntype: user\n---\nx\n",
            "line 3",
        ),
        (
            "---\nname: m\ndescription: d\n--\n\nThis paragraph must survive.\n",
            "never closed",
        ),
    ] {
        let desk = with("m", text);
        let sentence = desk.refused(&["edit", "m.md", "--set", "type=user"], 2, "refused");
        assert!(sentence.contains(said), "{sentence}");
        assert_eq!(desk.read("m.md"), text);
    }
}

#[test]
fn fm18_only_a_line_of_three_dashes_closes_the_block() {
    edited(
        "---\nname: fence\n---draft: yes\ndescription: d\ntype: user\n--- \nbody\n----\n",
        &["--set", "description=e"],
        "description: d",
        "description: e",
    );
}

#[test]
fn fm23_aliases_are_not_expanded() {
    let level = |level: usize| {
        let items = vec![format!("*k{}", level - 1); 9].join(",");
        format!("k{level}: &k{level} [{items}]\n")
    };
    let levels: String = (1..9).map(level).collect();
    let head = "---\nname: bomb\ntype: user\ndescription: d\nk0: &k0 [x,x,x,x,x,x,x,x,x]\n";
    let text = format!("{head}{levels}---\nx\n");
    edited(
        &text,
        &["--set", "description=e"],
        "description: d\n",
        "description: e\n",
    );
}

#[test]
fn fm25_and_fm29_an_edit_of_the_body_leaves_the_block_alone() {
    edited(
        "---\nname: body-edit\ntags: [a, b]\ndescription: d\ntype: user\n---\n\nOld word here.\n",
        &["--body", "New word here."],
        "Old",
        "New",
    );
    let text = "---\nname: seq\npaths:\n  - src/a/**\n  - src/b/**\n  - src/c/**\ndescription: d\ntype: user\n---\n# Head\nText\n";
    let desk = with("seq", text);
    for body in ["# Head\nOne\n", "# Head\nTwo\n"] {
        desk.done(&["edit", "seq", "--body", body]);
        assert_eq!(desk.read("seq.md"), text.replace("# Head\nText\n", body));
    }
}

#[test]
fn fm26_fm27_and_fm31_comments_and_odd_values_stay() {
    edited(
        "---\nname: blank-comment\n\n# do not remove\n\ndescription: d\ntype: user\n---\nx\n",
        &["--set", "description=e"],
        "description: d",
        "description: e",
    );
    edited(
        "---\nname: yes\ncountry: no\nswitch: on\nversion: 1.10\noctal: 010\ndescription: d\ntype: user\n---\nx\n",
        &["--set", "description=e"],
        "description: d",
        "description: e",
    );
    edited(
        "---\nname: parked\n#type: project\ntype: user\ndescription: d\n---\nx\n",
        &["--set", "last_read=2031-03-04"],
        "description: d\n",
        "description: d\nlast_read: 2031-03-04\n",
    );
}

#[test]
fn ix01_a_line_below_the_cut_is_asked_for() {
    let desk = Desk::new();
    let index: String = (1..=205)
        .map(|number| format!("- [T{number:03}](t{number:03}.md) — hook {number}\n"))
        .collect();
    desk.put("MEMORY.md", &index);
    let before = desk.whole();
    let new = ["new", "late", "--type", "user", "--description", "d"];
    let sentence = desk.refused(&new, 2, "below-the-cut");
    assert!(
        sentence.contains("line 206") && sentence.contains("--yes"),
        "{sentence}"
    );
    let after = desk.whole();
    assert_eq!(before, after, "nothing is written");
    // Higher up, where it is seen.
    assert!(sentence.contains("--first"), "{sentence}");
    let dry = desk.json(&[new.as_slice(), &["--first", "--dry-run"]].concat());
    let diff = dry["changes"][1]["diff"].as_str().unwrap();
    assert!(
        diff.contains("@@ -1,3 +1,4 @@\n+- [late](late.md) — d\n - [T001]"),
        "{diff}"
    );
    let written = desk.json(&[new.as_slice(), &["--yes"]].concat());
    assert!(
        written["notices"][0].as_str().unwrap().contains("206"),
        "{written}"
    );
    assert!(
        desk.read("MEMORY.md")
            .ends_with("(t205.md) — hook 205\n- [late](late.md) — d\n")
    );
}

#[test]
fn ix08_exactly_the_line_that_points_there_goes_and_comes_back() {
    let desk = Desk::new();
    let index = "- [API](api.md) — base url\n- [REST](rest-api.md) — verbs\n- [Auth](auth.md) — read after api.md\n";
    desk.put("MEMORY.md", index);
    for name in ["api", "rest-api", "auth"] {
        desk.put(&format!("{name}.md"), text_of(name, "reference", "x"));
    }
    let before = desk.memories();
    desk.done(&["rm", "api.md"]);
    assert!(!desk.has("api.md"));
    assert_eq!(
        desk.read("MEMORY.md"),
        index.replace("- [API](api.md) — base url\n", "")
    );
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before, "bytes, modes and times");
}

#[test]
fn ix09_a_ghost_is_left_alone_by_every_command() {
    let desk = Desk::new();
    desk.put("MEMORY.md", "- [Old](old.md) — o\n");
    desk.put("old.md", text_of("old", "user", "o"));
    desk.put("fresh.md", text_of("fresh", "user", "x"));
    desk.done(&["new", "other", "--type", "user", "--description", "d"]);
    desk.done(&["mv", "old", "older"]);
    desk.done(&["rm", "older"]);
    desk.done(&["trash", "--empty", "--yes"]);
    assert_eq!(desk.read("fresh.md"), text_of("fresh", "user", "x"));
}

#[test]
fn co04_an_index_that_grew_is_spliced_not_written_anew() {
    let desk = Desk::new();
    desk.put("MEMORY.md", "- [One](one.md) — o\n");
    desk.put("one.md", text_of("one", "user", "o"));
    let grown: String = (0..58)
        .map(|n| format!("- [G{n}](g{n}.md) — g\n"))
        .collect();
    let grown = format!("# Head\n- [One](one.md) — o\n{grown}");
    desk.put("MEMORY.md", &grown);
    desk.done(&["mv", "one", "uno"]);
    assert_eq!(
        desk.read("MEMORY.md"),
        grown.replace("(one.md)", "(uno.md)")
    );
}

#[test]
fn de02_a_link_that_leads_nowhere_is_trashed_and_comes_back() {
    let desk = Desk::new();
    desk.put("MEMORY.md", "");
    symlink("nowhere", desk.memory().join("dead.md")).unwrap();
    let before = desk.memories();
    desk.done(&["rm", "dead.md"]);
    assert!(!desk.has("dead.md"));
    let key = desk.json(&["trash"])["trash"][0]["key"].clone();
    desk.done(&["restore", key.as_str().unwrap()]);
    assert_eq!(desk.memories(), before);
}

#[test]
fn de12_nothing_is_written_through_a_link_that_leads_nowhere() {
    let desk = Desk::new();
    let target = desk.root().join("nonexistent/dir/a.md");
    desk.put("MEMORY.md", "- [A](a.md) — a\n");
    symlink(&target, desk.memory().join("a.md")).unwrap();
    let before = desk.memories();
    for command in [
        ["edit", "a.md", "--set", "type=user"].as_slice(),
        &["edit", "a.md", "--body", "x"],
        &["mv", "a.md", "b"],
    ] {
        let sentence = desk.refused(command, 2, "refused");
        assert!(sentence.contains("a.md"), "{sentence}");
    }
    desk.refused(
        &["new", "a", "--type", "user", "--description", "d"],
        2,
        "taken",
    );
    assert_eq!(desk.memories(), before);
    assert!(!desk.root().join("nonexistent").exists());
}

/// A link out of the folder: what it leads to is no memory of this project, and is not written.
#[test]
fn a_link_out_of_the_folder_is_not_written_through() {
    let desk = Desk::new();
    desk.put("MEMORY.md", "- [A](a.md) — a\n");
    let outside = desk.root().join("proj/notes.md");
    fs::write(&outside, text_of("a", "user", "x")).unwrap();
    symlink(&outside, desk.memory().join("a.md")).unwrap();
    desk.refused(&["edit", "a.md", "--set", "type=project"], 2, "refused");
    assert_eq!(
        fs::read_to_string(&outside).unwrap(),
        text_of("a", "user", "x")
    );
}

/// DE03 on real file systems where this machine has two, DE10 by the error alone.
#[test]
fn de03_and_de10_the_trash_may_lie_on_another_file_system() {
    let mut desks = vec![(Desk::new(), true)];
    match Desk::new().apart(Apart::Trash) {
        Some(desk) => desks.push((desk, false)),
        None => println!("skipped: there is no second file system here"),
    }
    for (desk, injected) in desks {
        desk.put("MEMORY.md", "- [a](a.md) — a\n");
        desk.put("a.md", text_of("a", "user", "x"));
        let before = desk.memories();
        let run = |arguments: &[&str]| {
            let mut command = desk.command(arguments);
            if injected {
                command.env("LOCI_TEST_FAIL", "rename:18");
            }
            let ran = crate::cli_home::ran(&mut command);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
            ran
        };
        run(&["rm", "a"]);
        assert!(!desk.has("a.md"));
        let key = run(&["trash", "--json"]).json()["trash"][0]["key"].clone();
        run(&["restore", key.as_str().unwrap()]);
        assert_eq!(desk.memories(), before, "bytes, mode and time");
    }
}

/// Whatever part of the copy fails, the source stays.
#[test]
fn de03_a_copy_that_fails_leaves_the_source() {
    let desk = Desk::new();
    desk.put("MEMORY.md", "- [a](a.md) — a\n");
    desk.put("a.md", text_of("a", "user", "x"));
    let before = desk.memories();
    let mut command = desk.command(&["rm", "a"]);
    command.env("LOCI_TEST_FAIL", "rename:18,remove:30");
    let ran = crate::cli_home::ran(&mut command);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    desk.run(&["trash", "--empty"]);
    let after = desk.memories();
    assert!(after == before || !desk.has("a.md"), "{after:#?}");
    if !desk.has("a.md") {
        assert_eq!(desk.trashed().len(), 1, "it is in the trash, whole");
    }
}
