use std::path::Path;

use super::*;

#[test]
fn keys_are_a_text_a_list_or_none() {
    let text = "a = \"x\"\n[tree]\ntrash = [\"x\", \"delete\"]\nquit = \"Q\"\nmark = []\n\
                new = 3\n\"mouse on/off\" = [3]\n[index]\n\"edit hook\" = \"c\"\n";
    let file = TomlFile::parse(Path::new("/c/keys.toml"), text).unwrap();
    let (wanted, faults) = read(&file);
    let told: Vec<_> = wanted
        .iter()
        .map(|one| {
            (
                &*one.scope,
                &*one.action,
                one.keys.join(" or "),
                one.at.line,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("tree", "trash", "x or delete".to_string(), Some(3)),
            ("tree", "quit", "Q".to_string(), Some(4)),
            ("tree", "mark", String::new(), Some(5)),
            ("index", "edit hook", "c".to_string(), Some(9)),
        ]
    );
    let lines: Vec<_> = faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [Some(1), Some(6), Some(7)]);
}
