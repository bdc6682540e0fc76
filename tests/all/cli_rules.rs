//! The standing rules on the command line: listed as they are sent; a memory that becomes one of them,
//! and one of them that becomes a memory, each one change.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli_home::Home;
use crate::cli_write_home::Desk;

const RULES: &str = "# Shop\n\n- Build: `just check`\n\n## Tests\n\n- A flaky test must never be run again.\n\n## Words\n\n- A cart is a cart.\n";

fn home() -> Home {
    let home = Home::new();
    home.write("/home/u/.claude/CLAUDE.md", "- Name: Ada\n");
    home.write("/srv/CLAUDE.md", "From above.\n");
    home.write("/srv/proj/CLAUDE.md", "Read @docs/a.md and @docs/gone.md\n");
    home.write("/srv/proj/docs/a.md", "Imported.\n");
    home.write("/srv/proj/CLAUDE.local.md", "<!-- nothing -->\n");
    home.write(
        "/srv/proj/.claude/rules/sql.md",
        "---\npaths: [\"**/*.sql\"]\n---\nTwice.\n",
    );
    home
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put(
        "MEMORY.md",
        "# Memory\n- [no-force](no-force.md) — never force-push\n- [other](other.md) — other\n",
    );
    desk.put(
        "no-force.md",
        "---\nname: no-force\ndescription: never force-push\ntype: feedback\n---\n\nNever force-push to main.\n",
    );
    desk.put(
        "other.md",
        "---\nname: other\ndescription: other\ntype: project\n---\n\nSee [[no-force]].\n\nTwo paragraphs.\n",
    );
    fs::write(rules_of(&desk), RULES).unwrap();
    desk
}

fn rules_of(desk: &Desk) -> PathBuf {
    desk.root().join("proj/CLAUDE.md")
}

fn rules(desk: &Desk) -> String {
    fs::read_to_string(rules_of(desk)).unwrap()
}

#[test]
fn rules_are_listed_in_the_order_in_which_they_are_sent() {
    let read = home().json(&["rules", "--json"]);
    let rows: Vec<Value> = read["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            json!([
                it["path"],
                it["layer"],
                it["role"],
                it["state"],
                it["bytes"]
            ])
        })
        .collect();
    let proj = |path: &str| format!("/srv/proj/{path}");
    assert_eq!(
        json!(rows),
        json!([
            ["/home/u/.claude/CLAUDE.md", "user", "main", "sent", 11],
            ["/srv/CLAUDE.md", "project", "main", "sent", 11],
            [proj("CLAUDE.md"), "project", "main", "sent", 33],
            [proj("docs/gone.md"), "project", null, "left-out", 0],
            [proj("docs/a.md"), "project", "import", "sent", 9],
            [proj(".claude/rules/sql.md"), "project", "rule", "waits", 6],
            [proj("CLAUDE.local.md"), "local", null, "left-out", 0],
        ])
    );
    assert_eq!((&read["bytes"], &read["tokens"]), (&json!(64), &json!(139)));
    let of = |at: usize, key: &str| read["rules"][at][key].clone();
    assert_eq!(of(3, "why"), "is not there");
    assert_eq!(
        of(3, "named_in"),
        json!({"path": proj("CLAUDE.md"), "line": 1})
    );
    assert_eq!(of(4, "imported_by"), proj("CLAUDE.md"));
    assert_eq!(of(5, "patterns"), json!(["**/*.sql"]));
    assert_eq!(of(5, "survives_compaction"), false);
    assert_eq!(of(6, "why"), "has no text");
}

#[test]
fn rules_for_people_are_marked() {
    let ran = home().run(&["rules"]);
    assert_eq!(
        ran.out,
        "✓ user         ≈36  ~/.claude/CLAUDE.md\n\
         ✓ project      ≈31  /srv/CLAUDE.md\n\
         ✓ project      ≈40  CLAUDE.md\n\
         ⊘ project             docs/gone.md  is not there (/srv/proj/CLAUDE.md:1)\n\
         ✓ project      ≈32    docs/a.md\n\
         · project      ≈30  .claude/rules/sql.md  once a file is read that matches **/*.sql\n\
         ▲ local             CLAUDE.local.md  has no text\n\
         4 files are sent with every request: 64 B, ≈ 139 tokens with the line that names each\n"
    );
    let none = Home::new().run(&["rules"]);
    assert_eq!(
        none.out,
        "no rules: neither a CLAUDE.md nor a rules folder is read here\n"
    );
}

#[test]
fn what_only_looks_like_an_import_is_named_with_the_reason() {
    let home = Home::new();
    home.write(
        "/srv/proj/CLAUDE.md",
        "Ask @rook or tern@example.invalid\n`@docs/a.md`\n@gone.md @../out.md\n",
    );
    home.write("/srv/out.md", "Out.\n");
    let ran = home.run(&["rules"]);
    assert!(
        ran.out.contains(
            "· @rook is taken for a mention: no such file is there (CLAUDE.md:1)\n\
             · tern@example.invalid is a word, like a mail address: an import has white space before its @ (CLAUDE.md:1)\n\
             · @docs/a.md stands in code, where nothing is an import (CLAUDE.md:2)\n"
        ),
        "{}",
        ran.out
    );
    for said in [
        "gone.md  is not there (/srv/proj/CLAUDE.md:3)\n",
        "out.md  lies outside the working directory: it is loaded once you have approved that in the client (/srv/proj/CLAUDE.md:3)\n",
    ] {
        assert!(ran.out.contains(said), "{}", ran.out);
    }
    let named = |read: &Value| read["not_imports"].clone();
    let of_rules = named(&home.json(&["rules", "--json"]));
    assert_eq!(
        of_rules[0],
        json!({
            "path": "/srv/proj/CLAUDE.md",
            "line": 1,
            "written": "@rook",
            "why": "is taken for a mention: no such file is there",
        })
    );
    assert_eq!(of_rules.as_array().unwrap().len(), 3);
    assert_eq!(named(&home.json(&["preview", "--json"])), of_rules);
    let ran = home.run(&["preview"]);
    let said = "\nnot imports\n  @rook is taken for a mention: no such file is there (/srv/proj/CLAUDE.md:1)\n";
    assert!(ran.out.contains(said), "{}", ran.out);
}

#[test]
fn a_memory_of_one_sentence_becomes_a_line_and_one_undo_takes_it_back() {
    let desk = desk();
    let before = desk.memories();
    let ran = desk.done(&["promote", "no-force", "--to", "project"]);
    assert!(
        ran.out.starts_with("promote no-force to CLAUDE.md  "),
        "{ran:?}"
    );
    assert_eq!(
        rules(&desk),
        format!("{RULES}- Never force-push to main.\n")
    );
    assert!(!desk.has("no-force.md"));
    assert_eq!(
        desk.read("MEMORY.md"),
        "# Memory\n- [other](other.md) — other\n"
    );
    for said in [
        "tokens a turn: ≈ 27 → ≈ 12 of the index, ≈ 10 more of rules\n",
        "comes back by itself",
        "other.md links to it: that will lead nowhere",
    ] {
        assert!(ran.err.contains(said), "{said}: {ran:?}");
    }
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
    assert_eq!(rules(&desk), RULES);
}

#[test]
fn a_longer_memory_becomes_a_section_of_a_file_that_is_begun() {
    let desk = desk();
    let ran = desk.done(&["promote", "other", "--to", "user"]);
    let said = "[[no-force]]: in ~/.claude/CLAUDE.md a link between memories means nothing, nobody follows it\n";
    assert!(ran.err.contains(said), "{ran:?}");
    let user = desk.root().join("home/.claude/CLAUDE.md");
    assert_eq!(
        fs::read_to_string(&user).unwrap(),
        "## Other\n\nSee [[no-force]].\n\nTwo paragraphs.\n"
    );
    desk.done(&["undo"]);
    assert!(!user.exists());
    let ran = desk.done(&["promote", "other", "--to", ".claude/rules/words.md"]);
    assert!(!ran.err.contains("every project pays"), "{ran:?}");
    assert!(desk.root().join("proj/.claude/rules/words.md").is_file());
}

#[test]
fn a_memory_without_an_index_line_leaves_the_index_as_it_is() {
    let desk = desk();
    desk.put("MEMORY.md", "- [other](other.md) — other\n");
    let ran = desk.done(&["promote", "no-force", "--to", "project"]);
    let said =
        "tokens a turn: ≈ 9 of the index, unchanged: it has no line there, ≈ 10 more of rules\n";
    assert!(ran.err.contains(said), "{ran:?}");
    assert!(!ran.err.contains("means nothing"), "{ran:?}");
}

/// What is saved is told with what drops out of the request with a file, and what it is then.
#[test]
fn a_file_that_imports_takes_its_imports_with_it() {
    let desk = desk();
    fs::write(rules_of(&desk), "Be brief.\n\n@deep1.md\n").unwrap();
    fs::write(desk.root().join("proj/deep1.md"), "Deep.\n").unwrap();
    let tokens = || {
        let listed = desk.done(&["rules", "--json"]);
        let listed: Value = serde_json::from_str(&listed.out).unwrap();
        listed["tokens"].as_u64().unwrap()
    };
    let before = tokens();
    let ran = desk.done(&["demote", "project", "--name", "x", "--type", "user"]);
    let saved = before - tokens();
    assert!(saved > 40, "the line that names each counts: {saved}");
    for said in [
        format!("≈ {saved} less of rules\n"),
        "with it go deep1.md (≈ ".to_string(),
        "@deep1.md: an import in a memory does nothing, it is text there\n".to_string(),
    ] {
        assert!(ran.err.contains(&said), "{said}: {ran:?}");
    }
}

#[test]
fn a_dry_run_promotes_nothing() {
    let desk = desk();
    let before = desk.memories();
    let ran = desk.done(&["promote", "no-force", "--to", "local", "--dry-run"]);
    assert!(ran.out.contains("+- Never force-push to main."), "{ran:?}");
    assert!(
        ran.err.contains("a dry run: nothing was written"),
        "{ran:?}"
    );
    assert_eq!(desk.memories(), before);
    assert!(!desk.root().join("proj/CLAUDE.local.md").exists());
}

#[test]
fn a_memory_goes_into_rules_alone() {
    let desk = desk();
    let before = desk.memories();
    for to in ["README.md", "nothing", "../CLAUDE.md"] {
        let ran = desk.run(&["promote", "no-force", "--to", to]);
        assert_eq!(ran.code, Some(2), "{to}: {ran:?}");
        assert!(
            ran.err.contains("is no rules file that is read here"),
            "{ran:?}"
        );
    }
    assert_eq!(desk.memories(), before);
}

#[test]
fn a_section_becomes_a_memory_and_one_undo_takes_it_back() {
    let desk = desk();
    let before = desk.memories();
    let ran = desk.done(&[
        "demote",
        "CLAUDE.md#tests",
        "--name",
        "Flaky tests",
        "--type",
        "feedback",
    ]);
    assert!(
        ran.out.starts_with("demote flaky-tests from CLAUDE.md  "),
        "{ran:?}"
    );
    assert_eq!(
        rules(&desk),
        "# Shop\n\n- Build: `just check`\n\n## Words\n\n- A cart is a cart.\n"
    );
    assert!(
        desk.read("flaky-tests.md")
            .ends_with("---\n\n## Tests\n\n- A flaky test must never be run again.\n")
    );
    assert!(desk.read("MEMORY.md").ends_with(
        "- [flaky-tests](flaky-tests.md) — Tests: A flaky test must never be run again.\n"
    ));
    assert!(ran.err.contains("it says must, never or always"), "{ran:?}");
    assert!(ran.err.contains(" less of rules"), "{ran:?}");
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
    assert_eq!(rules(&desk), RULES);
}

#[test]
fn a_whole_file_goes_to_the_trash_and_lines_are_named_by_number() {
    let desk = desk();
    let words = [
        "--name",
        "shop",
        "--type",
        "project",
        "--description",
        "the shop",
    ];
    let whole = [&["demote", "project"][..], &words].concat();
    desk.done(&whole);
    assert!(!rules_of(&desk).exists());
    assert!(
        desk.read("MEMORY.md")
            .ends_with("- [shop](shop.md) — the shop\n")
    );
    desk.done(&["undo"]);
    let line = [&["demote", "project#3"][..], &words].concat();
    desk.done(&line);
    assert!(
        desk.read("shop.md")
            .ends_with("---\n\nBuild: `just check`\n")
    );
    assert_eq!(rules(&desk), RULES.replace("- Build: `just check`\n\n", ""));
}

#[test]
fn a_part_that_is_not_there_is_refused_with_those_that_are() {
    let desk = desk();
    for (part, said) in [
        (
            "project#Deep",
            "has no heading `Deep`; it has: Shop · Tests · Words",
        ),
        ("project#90-91", "it has not so many lines"),
        ("project#3-2", "the last line is before the first"),
        ("local", "is no rules file that is read here"),
    ] {
        let ran = desk.run(&["demote", part, "--name", "x", "--type", "user"]);
        assert_eq!(ran.code, Some(2), "{part}: {ran:?}");
        assert!(ran.err.contains(said), "{part}: {ran:?}");
    }
    assert_eq!(rules(&desk), RULES);
}

#[test]
fn the_front_matter_of_a_rule_is_no_part_and_a_link_is_written_where_it_leads() {
    let desk = desk();
    let real = desk.root().join("dotfiles.md");
    fs::rename(rules_of(&desk), &real).unwrap();
    symlink(&real, rules_of(&desk)).unwrap();
    desk.done(&["promote", "no-force", "--to", "project", "--yes"]);
    assert!(fs::symlink_metadata(rules_of(&desk)).unwrap().is_symlink());
    assert!(
        fs::read_to_string(&real)
            .unwrap()
            .ends_with("- Never force-push to main.\n")
    );
    let folder = desk.root().join("proj/.claude/rules");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.md"), "---\npaths: \"*.sql\"\n---\nOne.\n").unwrap();
    let argument = ".claude/rules/a.md#2-4";
    let ran = desk.run(&["demote", argument, "--name", "x", "--type", "user"]);
    assert!(
        ran.err.contains("these lines are of its front matter"),
        "{ran:?}"
    );
}

#[test]
fn a_line_below_the_cut_needs_a_word() {
    let desk = desk();
    let long: String = (0..210).map(|at| format!("- line {at}\n")).collect();
    desk.put("MEMORY.md", long);
    let words = ["demote", "project#Tests", "--name", "x", "--type", "user"];
    let ran = desk.run(&words);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("below the cut"), "{ran:?}");
    assert_eq!(rules(&desk), RULES);
    let refused = "without --dry-run this is refused: --first puts its line at the head of its list, --yes below the cut";
    for (more, is_refused) in [(&[][..], true), (&["--yes"], false)] {
        let dry = desk.done(&[&words[..], &["--dry-run"], more].concat());
        assert_eq!(dry.err.contains(refused), is_refused, "{more:?}: {dry:?}");
        assert_eq!(rules(&desk), RULES);
    }
    desk.done(&[&words[..], &["--yes"]].concat());
    assert!(desk.has("x.md"));
}

/// A rules file that is the memory by a link, or as an import: its text would go to the trash with it.
#[test]
fn a_memory_is_not_promoted_to_itself() {
    let desk = desk();
    let memory = desk.memory().join("no-force.md");
    fs::remove_file(rules_of(&desk)).unwrap();
    symlink(&memory, rules_of(&desk)).unwrap();
    let before = desk.memories();
    for more in [&[][..], &["--yes"]] {
        let words = [&["promote", "no-force", "--to", "project"][..], more].concat();
        let sentence = desk.refused(&words, 2, "refused");
        assert!(
            sentence.contains("CLAUDE.md is that same memory, "),
            "{sentence}"
        );
    }
    fs::remove_file(rules_of(&desk)).unwrap();
    fs::create_dir_all(desk.root().join("home/.claude")).unwrap();
    let user = desk.root().join("home/.claude/CLAUDE.md");
    fs::write(user, format!("@{}\n", memory.display())).unwrap();
    let to = memory.to_str().unwrap();
    let sentence = desk.refused(&["promote", "no-force", "--to", to], 2, "refused");
    assert!(sentence.contains("is that same memory, "), "{sentence}");
    assert_eq!(desk.memories(), before);
}

/// Written where it leads only when that is asked for; a link inside the project is nothing to ask.
#[test]
fn a_rules_file_that_leads_out_of_its_folder_is_asked_for() {
    let desk = desk();
    let real = desk.root().join("outside.md");
    fs::rename(rules_of(&desk), &real).unwrap();
    symlink(&real, rules_of(&desk)).unwrap();
    let before = desk.memories();
    let promote = ["promote", "no-force", "--to", "project"];
    let part = [
        "demote",
        "project#Tests",
        "--name",
        "tests",
        "--type",
        "user",
    ];
    for words in [&promote[..], &part] {
        let sentence = desk.refused(words, 2, "outside");
        let said = format!(
            "CLAUDE.md leads out of its folder, to {}: --yes writes it there",
            real.display()
        );
        assert!(sentence.ends_with(&said), "{sentence}");
        assert_eq!(fs::read_to_string(&real).unwrap(), RULES);
        assert_eq!(desk.memories(), before);
        let dry = desk.done(&[words, &["--dry-run"]].concat());
        let said = format!(
            "CLAUDE.md leads out of its folder: it is {} that changes",
            real.display()
        );
        assert!(dry.err.contains(&said), "{dry:?}");
        let said = format!("leads out of its folder, to {}: --yes", real.display());
        assert!(dry.err.contains("without --dry-run this is refused: "));
        assert!(dry.err.contains(&said), "{dry:?}");
        let asked = desk.done(&[words, &["--dry-run", "--yes"]].concat());
        assert!(!asked.err.contains("is refused"), "{asked:?}");
        desk.done(&[words, &["--yes"]].concat());
        assert_ne!(fs::read_to_string(&real).unwrap(), RULES);
        desk.done(&["undo"]);
        assert_eq!(fs::read_to_string(&real).unwrap(), RULES);
    }
    // All of it: the link goes, and nothing out there changes.
    let ran = desk.done(&["demote", "project", "--name", "shop", "--type", "user"]);
    let said = format!(
        "CLAUDE.md is a link: the link goes, {} stays",
        real.display()
    );
    assert!(ran.err.contains(&said), "{ran:?}");
    assert_eq!(fs::read_to_string(&real).unwrap(), RULES);
    assert!(fs::symlink_metadata(rules_of(&desk)).is_err());
    desk.done(&["undo"]);
    fs::remove_file(rules_of(&desk)).unwrap();
    let inside = desk.root().join("proj/AGENTS.md");
    fs::rename(&real, &inside).unwrap();
    symlink("AGENTS.md", rules_of(&desk)).unwrap();
    desk.done(&promote);
    assert_ne!(fs::read_to_string(&inside).unwrap(), RULES);
}

/// A link to a file or a folder that is not there: what and where is said, and what to do.
#[test]
fn a_rules_file_behind_a_dangling_link_is_refused_with_a_sentence() {
    let desk = desk();
    let gone = desk.root().join("gone");
    let proj = desk.root().join("proj");
    fs::remove_file(rules_of(&desk)).unwrap();
    fs::create_dir_all(proj.join(".claude")).unwrap();
    let before = desk.memories();
    for (link, to) in [
        ("CLAUDE.md", "project"),
        (".claude/rules", ".claude/rules/new.md"),
    ] {
        let link = proj.join(link);
        symlink(&gone, &link).unwrap();
        for more in [&[][..], &["--yes"], &["--dry-run"]] {
            let promote = [&["promote", "no-force", "--to", to][..], more].concat();
            let sentence = desk.refused(&promote, 2, "refused");
            let said = format!(
                "{} is a link that leads nowhere (to {}): nothing was written; make what it leads to, or take the link away",
                link.display(),
                gone.display()
            );
            assert!(sentence.ends_with(&said), "{sentence}");
        }
        assert!(!gone.exists());
        assert_eq!(desk.memories(), before);
        fs::remove_file(link).unwrap();
    }
}

/// A folder that is a link takes along what is begun in it; a config home that is one is the person's.
#[test]
fn a_linked_folder_leads_out_and_a_linked_config_home_does_not() {
    let desk = desk();
    let (proj, shared) = (desk.root().join("proj"), desk.root().join("shared"));
    fs::create_dir_all(shared.join(".git")).unwrap();
    fs::create_dir_all(proj.join(".claude")).unwrap();
    symlink(&shared, proj.join(".claude/rules")).unwrap();
    fs::write(shared.join("a.md"), "One.\n").unwrap();
    for to in [".claude/rules/new.md", ".claude/rules/a.md"] {
        let sentence = desk.refused(&["promote", "no-force", "--to", to], 2, "outside");
        let name = to.rsplit('/').next().unwrap();
        let said = format!("to {}: --yes", shared.join(name).display());
        assert!(sentence.contains(&said), "{sentence}");
    }
    let words = ["--name", "x", "--type", "user"];
    let whole = [&["demote", ".claude/rules/a.md"][..], &words].concat();
    desk.refused(&whole, 2, "outside");
    assert!(!shared.join("new.md").exists() && shared.join("a.md").exists());
    let (home, dotfiles) = (
        desk.root().join("home/.claude"),
        desk.root().join("dotfiles"),
    );
    fs::rename(&home, &dotfiles).unwrap();
    symlink(&dotfiles, &home).unwrap();
    desk.done(&["promote", "no-force", "--to", "user"]);
    assert_eq!(
        fs::read_to_string(dotfiles.join("CLAUDE.md")).unwrap(),
        "- Never force-push to main.\n"
    );
}

/// Of a sub-directory of a repository the whole of it is the project.
#[test]
fn a_link_inside_the_repository_stays_inside() {
    let desk = desk();
    let sub = desk.root().join("proj/sub");
    fs::create_dir_all(desk.root().join("proj/.git")).unwrap();
    fs::create_dir_all(&sub).unwrap();
    symlink("../CLAUDE.md", sub.join("CLAUDE.local.md")).unwrap();
    let cwd = sub.to_str().unwrap();
    let memory = desk.memory().join("no-force.md");
    let memory = memory.to_str().unwrap();
    desk.done(&["--cwd", cwd, "promote", memory, "--to", "local"]);
    assert!(rules(&desk).ends_with("- Never force-push to main.\n"));
}
