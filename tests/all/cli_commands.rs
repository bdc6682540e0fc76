//! `key`, `completions`, `man`, help, and the flags that stand everywhere.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::cli_home::{Home, LOCI, project, ran};

#[test]
fn key_prints_both_keys() {
    let home = Home::new();
    home.folder("/srv/proj/.git");
    home.folder("/srv/proj/src");
    let expected = json!({
        "path": "/srv/proj/src", "key": "-srv-proj-src",
        "memory_root": "/srv/proj", "memory_key": "-srv-proj",
    });
    assert_eq!(home.json(&["key", "src", "--json"]), expected);
    assert_eq!(home.json(&["key", "/srv/proj/src", "--json"]), expected);
    let people = home.run(&["key", "src"]).out;
    assert!(people.contains("memory key   -srv-proj\n"), "{people}");
}

#[test]
fn global_flags_stand_before_and_after_the_subcommand() {
    let home = project();
    assert_eq!(
        home.run(&["--json", "ls"]).out,
        home.run(&["ls", "--json"]).out
    );
}

#[test]
fn the_config_home_comes_from_the_flag_else_from_the_variable() {
    let home = Home::new();
    home.write("/elsewhere/projects/-srv-proj/memory/a.md", "A.\n");
    home.write("/third/projects/-srv-proj/memory/b.md", "B.\n");
    let paths =
        |ran: &crate::cli_home::Ran| ran.json()["projects"][0]["memories"][0]["path"].clone();
    let mut command = home.command(&["ls", "--json"]);
    command.env("CLAUDE_CONFIG_DIR", "/elsewhere");
    assert_eq!(paths(&ran(&mut command)), "a.md");
    command.args(["--config-home", "/third"]);
    assert_eq!(paths(&ran(&mut command)), "b.md");
}

#[test]
fn completions_are_made_for_each_shell_and_bash_takes_its_own() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = ran(Command::new(LOCI).args(["completions", shell]));
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.out.contains("loci") && ran.out.contains("completions"),
            "{shell}"
        );
    }
    let script = tempfile::NamedTempFile::new().unwrap();
    let ran = ran(Command::new(LOCI).args(["completions", "bash"]));
    std::fs::write(script.path(), ran.out).unwrap();
    // A machine without bash has nothing to try it with.
    if let Ok(status) = Command::new("bash").arg("-n").arg(script.path()).status() {
        assert!(status.success());
    }
}

#[test]
fn the_manual_page_holds_every_subcommand() {
    let ran = ran(Command::new(LOCI).arg("man"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains(".TH loci 1"));
    for part in ["ls", "show", "search", "index", "key", "completions", "man"] {
        assert!(ran.out.contains(&format!(".TP\n\\fB{part}\\fR")), "{part}");
    }
    for line in ran.out.lines().filter(|line| line.starts_with('.')) {
        let known = [
            "ie", "el", "TH", "SH", "TP", "PP", "br", "nf", "fi", "RS", "RE", "IP",
        ];
        let name = line[1..].split(' ').next().unwrap();
        assert!(known.contains(&name), "{line}");
    }
}

#[test]
fn help_and_version_go_to_stdout() {
    for (arguments, expected) in [
        (["--help"].as_slice(), "Examples:"),
        (&["-h"], "Usage: loci"),
        (&["ls", "--help"], "--all"),
        (&["search", "--help"], "--limit"),
        (&["--version"], concat!("loci ", env!("CARGO_PKG_VERSION"))),
    ] {
        let ran = ran(Command::new(LOCI).args(arguments).stdin(Stdio::null()));
        assert_eq!(ran.code, Some(0), "{arguments:?}");
        assert!(ran.out.contains(expected), "{ran:?}");
        assert_eq!(ran.err, "");
    }
    let long = ran(Command::new(LOCI).arg("--help")).out;
    assert!(long.find("Examples:") < long.find("Usage:"), "{long}");
    assert!(
        !long.contains("--sysroot") && !long.contains("--now"),
        "{long}"
    );
}
