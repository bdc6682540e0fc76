use std::fs::{self, Permissions};

use super::*;

fn got(source: &Source) -> Result<Option<Key>, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(source.get())
}

fn key(text: &str) -> Key {
    Key::read(text).unwrap().unwrap()
}

fn variable(found: &str) -> Source {
    Source::Variable {
        name: "ANTHROPIC_API_KEY",
        found: Found(found.to_string()),
    }
}

fn command(text: &str) -> Source {
    Source::Command(text.to_string())
}

/// LL18: line ends around a key are no part of it; an empty one is none; one with a blank within is told.
#[test]
fn ll18_keys_are_trimmed_and_those_that_would_break_a_header_refused() {
    let wanted = key("demo-key-0000");
    assert_eq!(got(&variable("demo-key-0000\n")), Ok(Some(wanted.clone())));
    let printed = command("printf 'demo-key-0000\\r\\n'");
    assert_eq!(got(&printed), Ok(Some(wanted)));
    assert_eq!(got(&variable(" \n")), Ok(None));
    assert_eq!(got(&Source::None), Ok(None));
    for (source, part) in [
        (variable("demo key"), "ANTHROPIC_API_KEY holds a blank"),
        (variable("demo\nkey"), "ANTHROPIC_API_KEY holds a blank"),
        (variable("demö"), "ANTHROPIC_API_KEY holds a character"),
        (command("true"), "key_command printed nothing"),
        (
            command("echo geheim two"),
            "what key_command prints holds a blank",
        ),
    ] {
        let said = got(&source).unwrap_err().to_string();
        assert!(said.contains(part), "{said}");
        assert!(
            !said.contains("demo") && !said.contains("geheim two"),
            "{said}"
        );
    }
}

/// LL18: a command that fails shows what it says, without the key.
#[test]
fn ll18_a_failing_command_is_told_without_the_key() {
    let failing = command("echo geheim; echo 'vault: geheim is locked' >&2; exit 3");
    let Err(failure) = got(&failing) else {
        panic!("it failed");
    };
    let said = failure.to_string();
    assert_eq!(
        said,
        "key_command failed with exit code 3: vault: [key] is locked"
    );
    let killed = got(&command("kill -9 $$")).unwrap_err().to_string();
    assert_eq!(killed, "key_command failed with a signal");
}

#[test]
fn a_key_file_is_the_person_s_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let source = Source::File(path.clone());
    let said = || got(&source).unwrap_err().to_string();
    assert!(said().contains("can't be read"), "{}", said());
    fs::write(&path, "geheim\n").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    assert!(said().contains("(mode 640): run `chmod 600 "), "{}", said());
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(got(&source), Ok(Some(key("geheim"))));
    fs::write(&path, "\n").unwrap();
    assert!(said().ends_with("is empty"), "{}", said());
    let folder = Source::File(folder.path().to_path_buf());
    assert!(
        got(&folder)
            .unwrap_err()
            .to_string()
            .ends_with("is no file")
    );
}

#[test]
fn a_key_is_not_shown() {
    let key = key("geheim");
    let value = key.header("Bearer ");
    let source = variable("geheim");
    let shown = format!("{key:?} {value:?} {source:?} {source}");
    assert!(!shown.contains("geheim"), "{shown}");
    assert_eq!(key.hide("no geheim!"), "no [key]!");
    assert_eq!(value.to_str().unwrap(), "Bearer geheim");
}
