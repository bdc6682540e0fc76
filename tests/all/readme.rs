//! README's list of keys is the table of actions, its list of findings the table of codes, that of what can be
//! typed to the agent the table of commands.
//! `LOCI_UPDATE_README=1 cargo test readme -- --test-threads=1` writes them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use loci::app::action::Keymap;
use loci::app::agent::commands::COMMANDS;
use loci::health::Code;

fn keys() -> String {
    let mut out =
        String::from("\n| keys | where | action | what it does |\n| --- | --- | --- | --- |\n");
    for line in Keymap::default().help_lines() {
        let keys: Vec<String> = line.keys.iter().map(|key| format!("`{key}`")).collect();
        let (keys, places) = (keys.join(" "), line.places());
        let row = [&keys, &places, line.entry.name, line.entry.doc].join(" | ");
        out.push_str(&["| ", &row, " |\n"].concat());
    }
    out.push('\n');
    out
}

fn codes() -> String {
    let mut out = String::from("\n| code | severity | what |\n| --- | --- | --- |\n");
    for code in Code::ALL {
        let (word, severity) = (code.word(), code.severity().word());
        writeln!(out, "| `{word}` | {severity} | {} |", code.what()).unwrap();
    }
    out.push('\n');
    out
}

fn commands() -> String {
    let mut out = String::from("\n| typed | what it does |\n| --- | --- |\n");
    for command in &COMMANDS {
        writeln!(out, "| `{}` | {} |", command.usage(), command.doc).unwrap();
    }
    out.push('\n');
    out
}

/// The list between `<!-- name -->` and `<!-- /name -->` is this one.
fn check(name: &str, table: &str) {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).expect("README.md");
    let (before, rest) = text.split_once(&begin).expect("the list begins");
    let (list, after) = rest.split_once(&end).expect("the list ends");
    if std::env::var_os("LOCI_UPDATE_README").is_some() {
        let text = format!("{before}{begin}{table}{end}{after}");
        fs::write(&path, text).expect("README.md");
        return;
    }
    assert_eq!(list, table);
}

#[test]
fn the_list_of_keys_is_the_table_of_actions() {
    check("keys", &keys());
}

#[test]
fn the_list_of_commands_is_the_table_of_commands() {
    check("commands", &commands());
}

#[test]
fn the_list_of_findings_is_the_table_of_codes() {
    check("codes", &codes());
}
