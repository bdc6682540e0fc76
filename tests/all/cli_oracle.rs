//! What the reference client was seen to do (its newest version), asked through the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cli_home::{Home, MEMORY, ran};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/oracle")
}

static CASES: LazyLock<Value> = LazyLock::new(|| {
    let text = fs::read_to_string(fixtures().join("cases.json")).unwrap();
    serde_json::from_str(&text).unwrap()
});

/// The version whose answers are asked for: the newest that was looked at.
const VERSION: &str = "2.1.332";

fn cases(name: &str) -> &'static [Value] {
    CASES[name].as_array().unwrap()
}

/// A repository as git lays it out.
fn repository(home: &Home, path: &str) {
    home.folder(&format!("{path}/objects"));
    home.folder(&format!("{path}/refs/heads"));
    home.write(&format!("{path}/HEAD"), "ref: refs/heads/main\n");
}

/// A linked worktree of the repository whose git folder is `git`.
fn worktree(home: &Home, git: &str, name: &str, path: &str) {
    let inner = format!("{git}/worktrees/{name}");
    home.write(&format!("{path}/.git"), format!("gitdir: {inner}\n"));
    home.write(&format!("{inner}/commondir"), "../..\n");
    home.write(&format!("{inner}/gitdir"), format!("{path}/.git\n"));
    home.write(&format!("{inner}/HEAD"), "ref: refs/heads/side\n");
}

/// The file system that the path cases were seen on.
fn world() -> Home {
    let home = Home::new();
    repository(&home, "/srv/repo/.git");
    repository(&home, "/srv/repo/inner/.git");
    worktree(&home, "/srv/repo/.git", "wt", "/srv/wt");
    home.folder("/srv/wt/in");
    repository(&home, "/srv/b.git");
    worktree(&home, "/srv/b.git", "bw", "/srv/bw");
    home.folder("/srv/fake/.git");
    home.folder("/srv/fake/sub");
    home.folder("/srv/fk2/sub");
    home.write("/srv/fk2/.git", "gitdir: /nowhere/at/all\n");
    repository(&home, "/srv/elsewhere.git");
    home.folder("/srv/fk3/sub");
    home.write("/srv/fk3/.git", "gitdir: /srv/elsewhere.git\n");
    home.folder("/srv/real/deep");
    home.folder("/srv/re\u{301}po/sub");
    repository(&home, "/srv/re\u{301}po/.git");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/srv/real", home.at("/srv/link")).unwrap();
    for case in cases("path_encoding") {
        let cwd = case["cwd"].as_str().unwrap();
        if !cwd.starts_with("/srv/link") {
            home.folder(cwd);
        }
    }
    home
}

fn key_of(home: &Home, path: &str) -> Value {
    home.json(&["key", path, "--json"])
}

#[test]
#[cfg(unix)]
fn every_path_case_gives_the_keys_that_were_seen() {
    let home = world();
    for case in cases("path_encoding") {
        let cwd = case["cwd"].as_str().unwrap();
        let found = key_of(&home, cwd);
        // With another config home no transcript folder was recorded.
        if !case["dir_name"].is_null() {
            assert_eq!(found["key"], case["dir_name"], "{case}");
        }
        assert_eq!(found["memory_key"], case["memory_dir_name"], "{case}");
    }
}

#[test]
#[cfg(unix)]
fn the_working_directory_gives_the_same_keys_as_the_path() {
    let home = world();
    for case in cases("path_encoding") {
        let cwd = case["cwd"].as_str().unwrap();
        let mut command = std::process::Command::new(crate::cli_home::LOCI);
        command.env_clear().env("HOME", "/home/u");
        command.arg("--sysroot").arg(home.root());
        let ran = crate::cli_home::ran(command.args(["--cwd", cwd, "key", "--json"]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json()["memory_key"], case["memory_dir_name"], "{case}");
    }
}

#[test]
#[cfg(unix)]
fn decomposed_letters_and_backslashes_are_not_normalised() {
    let home = world();
    for case in cases("path_encoding_nfd_and_backslash") {
        let cwd = case["cwd"].as_str().unwrap();
        home.folder(cwd);
        let found = key_of(&home, cwd);
        let seen: Vec<&str> = case["dirs"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(
            seen.contains(&found["key"].as_str().unwrap()),
            "{found} {case}"
        );
        assert!(
            seen.contains(&found["memory_key"].as_str().unwrap()),
            "{found} {case}"
        );
    }
}

/// PA19: paths of Windows that do not exist here are encoded, never looked up.
#[test]
fn windows_and_unc_paths_are_encoded_as_they_stand() {
    let home = Home::new();
    for (path, key) in [
        (r"E:\Nest_Box", "E--Nest-Box"),
        (r"E:\Nest-Box", "E--Nest-Box"),
        (r"E:\Nest.Box", "E--Nest-Box"),
        (r"\\files\team\nest", "--files-team-nest"),
        (
            r"\\wsl.localhost\Ubuntu\srv\demo",
            "--wsl-localhost-Ubuntu-srv-demo",
        ),
    ] {
        let found = key_of(&home, path);
        assert_eq!(
            found,
            json!({"path": path, "key": key, "memory_root": path, "memory_key": key})
        );
    }
}

/// The home of one index case: its index and its settings in place.
fn index_home(case: &Value) -> Home {
    let home = Home::new();
    let path = case["index_path"]
        .as_str()
        .map_or_else(|| format!("{MEMORY}/MEMORY.md"), str::to_string);
    let path = match case["label"].as_str().unwrap() {
        "lower_case" => format!("{MEMORY}/memory.md"),
        _ => path,
    };
    let text = match case["input_file"].as_str() {
        Some(file) => fs::read(fixtures().join(file)).unwrap(),
        None => b"- [A](a.md) \xe2\x80\x94 hook\n".to_vec(),
    };
    home.write(&path, text);
    for (settings, at) in [
        ("user_settings", "/home/u/.claude/settings.json"),
        ("project_settings", "/srv/proj/.claude/settings.json"),
    ] {
        if !case[settings].is_null() {
            home.write(at, case[settings].to_string());
        }
    }
    home
}

#[test]
fn every_index_case_gives_the_text_and_the_warning_that_were_seen() {
    for case in cases("index_truncation") {
        let home = index_home(case);
        let env: BTreeMap<String, String> =
            serde_json::from_value(case["env"].clone()).unwrap_or_default();
        let ran = ran(home.command(&["index", "--json"]).envs(env));
        assert_eq!(ran.code, Some(0), "{case}: {ran:?}");
        let found = ran.json();
        let text = found["loaded_text"].as_str().unwrap();
        let seen = &case["by_version"][VERSION];
        assert_eq!(found["warning"], seen["warning"], "{case}");
        if seen["index_injected"] == json!(false) {
            assert_eq!(text, "", "{case}");
            continue;
        }
        let sum: String = Sha256::digest(text.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(json!(sum), seen["kept_sha256"], "{case}: {text}");
        assert_eq!(found["loaded_lines"], seen["kept_lines"], "{case}");
        assert_eq!(json!(text.len()), seen["kept_bytes"], "{case}");
        if !seen["kept_utf16_units"].is_null() {
            assert_eq!(found["loaded_units"], seen["kept_utf16_units"], "{case}");
        }
        assert_eq!(
            found["cut_at_line"].is_null(),
            seen["warning"].is_null(),
            "{case}"
        );
    }
}

/// Which settings move memory differs from version to version: the index comes from where it was seen.
#[test]
fn every_version_has_the_index_of_the_place_where_it_was_seen() {
    let mut elsewhere = 0;
    for case in cases("index_truncation") {
        let home = index_home(case);
        for (version, seen) in case["by_version"].as_object().unwrap() {
            let env: BTreeMap<String, String> =
                serde_json::from_value(case["env"].clone()).unwrap_or_default();
            let observed = format!("--observed={version}");
            let ran = ran(home.command(&["preview", &observed, "--json"]).envs(env));
            assert_eq!(ran.code, Some(0), "{version} {case}: {ran:?}");
            let found = ran.json();
            let block = found["rules_block"].as_str().unwrap();
            let is_there = block.contains("/MEMORY.md (user's auto-memory");
            let label = &case["label"];
            assert_eq!(json!(is_there), seen["index_injected"], "{version} {label}");
            if let Some(header) = seen["header"].as_str() {
                assert!(block.contains(header), "{version} {label}: {block}");
            }
            let moved = case["index_path"]
                .as_str()
                .is_some_and(|path| !path.starts_with(MEMORY));
            let has_memory = !seen["memory_prompt_where"].is_null();
            if moved && has_memory && !is_there {
                elsewhere += 1;
                let said = format!("version {version} does not follow ");
                let notes = found["notes"].as_array().unwrap();
                let note = notes
                    .iter()
                    .find_map(|note| note.as_str()?.strip_prefix(&said));
                let note = note.unwrap_or_else(|| panic!("{version} {label}: {notes:?}"));
                assert!(
                    note.ends_with(&format!(": its memory is {MEMORY}")),
                    "{note}"
                );
            }
        }
    }
    assert_eq!(
        elsewhere, 3,
        "2.1.63 knows neither the setting nor the override"
    );
}

#[test]
fn memory_that_is_switched_off_says_by_what() {
    for case in cases("index_truncation") {
        let label = case["label"].as_str().unwrap();
        if !matches!(label, "env_disable1" | "projset_false") {
            continue;
        }
        let home = index_home(case);
        let env: BTreeMap<String, String> =
            serde_json::from_value(case["env"].clone()).unwrap_or_default();
        let ran = ran(home.command(&["index", "--json"]).envs(env));
        let found = ran.json();
        let off = found["off"].as_str().unwrap();
        assert!(!off.is_empty());
        assert!(!ran.err.is_empty(), "stderr says it too");
        assert_eq!(found["loaded_lines"], json!(0));
        assert_eq!(found["loaded_units"], json!(0));
        assert_eq!(found["entries"].as_array().unwrap().len(), 1);
    }
}

/// Each point that was tried, alone between two letters.
#[test]
fn every_sanitised_character_comes_out_as_it_was_seen() {
    let seen = &CASES["index_sanitising"][VERSION];
    let point = |name: &str| {
        let number = u32::from_str_radix(name.trim_start_matches("U+"), 16).unwrap();
        char::from_u32(number).unwrap()
    };
    let between = |name: &str, inner: &str| format!("{} a{inner}b\n", &name[2..]);
    let mut text = String::new();
    let mut expected = String::new();
    for (name, becomes) in seen["index"]["changed"].as_object().unwrap() {
        let becomes = match becomes.as_str().unwrap() {
            "'\\n'" => "\n",
            _ => "",
        };
        text += &between(name, &point(name).to_string());
        expected += &between(name, becomes);
    }
    for name in seen["index"]["kept"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        let line = between(name, &point(name).to_string());
        text += &line;
        expected += &line;
    }
    text += seen["claude_md"]["tail"].as_str().unwrap();
    expected += seen["index"]["tail"]
        .as_str()
        .unwrap()
        .trim_end_matches("\n</system-reminder>");
    let home = Home::new();
    home.memory("MEMORY.md", text);
    let found = home.json(&["index", "--json"]);
    assert_eq!(found["loaded_text"].as_str().unwrap(), expected);
}
