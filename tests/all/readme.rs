//! README's list of keys is the table of actions. `LOCI_UPDATE_README=1 cargo test readme` writes it.

use std::fs;
use std::path::Path;

use loci::app::action;

const BEGIN: &str = "<!-- keys -->\n";
const END: &str = "<!-- /keys -->";

fn table() -> String {
    let mut out =
        String::from("\n| keys | where | action | what it does |\n| --- | --- | --- | --- |\n");
    for line in action::help_lines() {
        let keys: Vec<String> = line.keys.iter().map(|key| format!("`{key}`")).collect();
        let (keys, places) = (keys.join(" "), line.places());
        let row = [&keys, &places, line.entry.name, line.entry.doc].join(" | ");
        out.push_str(&["| ", &row, " |\n"].concat());
    }
    out.push('\n');
    out
}

#[test]
fn the_list_of_keys_is_the_table_of_actions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).expect("README.md");
    let (before, rest) = text.split_once(BEGIN).expect("the list begins");
    let (list, after) = rest.split_once(END).expect("the list ends");
    if std::env::var_os("LOCI_UPDATE_README").is_some() {
        let text = format!("{before}{BEGIN}{}{END}{after}", table());
        fs::write(&path, text).expect("README.md");
        return;
    }
    assert_eq!(list, table());
}
