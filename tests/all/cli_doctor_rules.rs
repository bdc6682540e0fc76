//! What `doctor` finds of standing rules: of the project of the folder, whatever project folders there
//! are, and how it is told.

use serde_json::{Value, json};

use crate::cli_home::Home;

/// A project with a rule above it, an import of nothing and a rule that always loads.
fn home() -> Home {
    let home = Home::new();
    home.write("/srv/CLAUDE.md", "of all projects\n");
    home.write("/srv/proj/CLAUDE.md", "Small commits.\n@docs/x.md\n");
    home.write(
        "/srv/proj/.claude/rules/cs.md",
        "---\npaths:\n- **/*.cs\n---\nC\n",
    );
    home
}

fn found(value: &Value) -> Vec<(&str, &str, Option<u64>)> {
    let findings = value["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap();
            (text("code"), text("path"), one["line"].as_u64())
        })
        .collect()
}

const ALL: [(&str, &str, Option<u64>); 3] = [
    ("import-missing", "/srv/proj/CLAUDE.md", Some(2)),
    ("glob-invalid", "/srv/proj/.claude/rules/cs.md", Some(2)),
    ("rule-foreign", "/srv/CLAUDE.md", None),
];

#[test]
fn rules_are_examined_with_the_project_of_the_folder() {
    let home = home();
    let ran = home.run(&["doctor", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    let value = ran.json();
    assert_eq!(found(&value), ALL);
    assert_eq!(
        value["findings"][0],
        json!({
            "code": "import-missing", "severity": "warning", "project": "-srv-proj",
            "path": "/srv/proj/CLAUDE.md", "line": 2,
            "message": "`@docs/x.md` is not there", "fix": null,
        })
    );
    // A sub-folder is of the same project once there is a repository, and sees its own files too.
    home.folder("/srv/proj/.git");
    home.write("/srv/proj/sub/CLAUDE.md", "@gone.md\n");
    let ran = home.run(&["doctor", "--json", "--cwd", "/srv/proj/sub"]);
    let value = ran.json();
    let paths: Vec<&str> = found(&value).iter().map(|one| one.1).collect();
    assert!(paths.contains(&"/srv/proj/sub/CLAUDE.md"), "{value:#}");
    assert!(paths.contains(&"/srv/CLAUDE.md"), "{value:#}");
}

#[test]
fn of_all_projects_only_that_of_the_folder_has_its_rules_looked_at() {
    let home = home();
    home.write("/srv/other/CLAUDE.md", "@gone.md\n");
    for key in ["-srv-proj", "-srv-other"] {
        let memory = format!("/home/u/.claude/projects/{key}/memory");
        home.folder(&memory);
    }
    let ran = home.run(&["doctor", "--all", "--json"]);
    let value = ran.json();
    let rules: Vec<_> = found(&value)
        .into_iter()
        .filter(|one| one.1.starts_with("/srv/"))
        .collect();
    assert_eq!(rules, ALL);
}

#[test]
fn they_are_told_with_their_whole_path_and_can_be_asked_for() {
    let home = home();
    let ran = home.run(&["doctor", "--code", "import-missing,rule-foreign"]);
    assert_eq!(
        ran.out,
        "proj  /srv/proj · 1 warning, 1 note\n  1 warning\n    ▲ import-missing  /srv/proj/CLAUDE.md:2\n      \
         `@docs/x.md` is not there\n  1 note\n    · rule-foreign  /srv/CLAUDE.md\n      \
         it lies above the project /srv/proj and is loaded in it all the same: move what is not meant for it, or name the file in claudeMdExcludes\n\n\
         1 warning, 1 note\n"
    );
}

#[test]
fn what_is_switched_off_has_no_findings() {
    let home = home();
    let mut command = home.command(&["doctor", "--json"]);
    command.env("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1");
    let output = command.output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["findings"], json!([]));
}

#[test]
fn a_rules_file_cannot_put_anything_raw_on_a_terminal() {
    let home = home();
    home.write("/srv/proj/CLAUDE.md", "@go\x1b]0;x\x07ne\u{202E}.md\n");
    let ran = home.run(&["doctor", "--color", "always"]);
    assert!(ran.out.contains("import-missing"), "{ran:?}");
    assert!(!ran.out.contains(['\x07', '\u{202E}']), "{ran:?}");
}
