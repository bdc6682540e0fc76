use std::path::Path;

use super::*;
use crate::config::file::TomlFile;
use crate::config::settings::Settings;

fn read(text: &str) -> (Model, Vec<String>) {
    let file = TomlFile::parse(Path::new("c"), text).unwrap();
    let (settings, faults) = Settings::from(&file, |_| false, |_| true);
    let faults = faults.iter().map(ToString::to_string).collect();
    (settings.model, faults)
}

#[test]
fn each_key_is_taken_and_printed_as_it_was() {
    let text = "[model]\nprovider = \"openai\"\nmain = \"big\"\nsmall = \"s\"\ndream = \"d\"\n\
                base_url = \"HTTP://localhost:1/v1\"\nkey_command = \"pass \\\"x\\\"\"\nwindow = 8192\n";
    let (model, faults) = read(text);
    assert_eq!(faults, Vec::<String>::new());
    let some = |text: &str| Some(text.to_string());
    let wanted = Model {
        provider: Some(Protocol::OpenAi),
        main: some("big"),
        small: some("s"),
        dream: some("d"),
        base_url: some("HTTP://localhost:1/v1"),
        key_command: some("pass \"x\""),
        key_file: None,
        window: Some(8192),
    };
    assert_eq!(model, wanted);
    assert_eq!(read(&model.to_toml()), (wanted, Vec::new()));
    assert_eq!(
        read(&Model::default().to_toml()),
        (Model::default(), Vec::new())
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_left_out() {
    let text = "[model]\nprovider = \"other\"\nmain = 3\nbase_url = \"localhost:1\"\nwindow = -1\nkey = \"x\"\n\
                key_file = \"k\"\nkey_command = \"c\"\n";
    let (model, faults) = read(text);
    assert_eq!(
        faults,
        [
            "c:2: provider must be \"anthropic\" or \"openai\" (any server that speaks chat completions); it is left out",
            "c:3: main must be a text in quotes; its default holds",
            "c:4: base_url must begin with http:// or https://; it is left out",
            "c:5: window must be a whole number of tokens, 0 where the provider is to be asked; 0 holds",
            "c:6: [model] key: no key stands in this file; say with key_command or key_file where it is; it is left out",
            "c:8: key_command and key_file are both set; key_command holds",
        ]
    );
    let keys = (model.key_command.as_deref(), model.key_file.as_deref());
    assert_eq!(keys, (Some("c"), Some("k")));
    let (_, faults) = read("model = 3\n");
    assert_eq!(
        faults,
        ["c:1: model must be a table, [model]; its defaults hold"]
    );
}
