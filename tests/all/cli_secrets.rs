//! Secrets in memories and rules: found with their place and no more than their first characters, masked
//! in our own request, let pass by name. No line here may match a rule: values are put together when a
//! test runs.

use std::fs;
use std::path::Path;

use loci::safety::secret::{Allowed, scan};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cli_home::{Home, MEMORY, project};

fn digest(seed: &str) -> String {
    let digest = Sha256::digest(seed.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn memory(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: what this one is about\nmetadata:\n  type: reference\n---\n{body}"
    )
}

/// A home whose project has one memory, `name`, with this body from line 7 on.
fn home(name: &str, body: &str) -> Home {
    let home = project();
    home.write(&format!("{MEMORY}/{name}.md"), memory(name, body));
    home
}

/// `path:line` of each secret that is found, and the whole output.
fn found(home: &Home) -> (Vec<String>, String) {
    let ran = home.run(&["doctor", "--json"]);
    let json = ran.json();
    let all = json["findings"].as_array().unwrap().iter();
    let secrets = all.filter(|one| one["code"] == "secret").map(|one| {
        assert_eq!(one["severity"], "error");
        let path = one["path"].as_str().unwrap();
        let path = path.rsplit_once("memory/").map_or(path, |(_, path)| path);
        format!("{path}:{}", one["line"])
    });
    let plain = home.run(&["doctor"]);
    (secrets.collect(), ran.out + &plain.out + &plain.err)
}

fn assert_hidden(text: &str, value: &str) {
    let kept = &value[..value.len().min(5)];
    assert!(!text.contains(kept), "{kept} is in {text}");
}

#[test]
fn se01_hashes_are_none_and_a_private_key_is_one() {
    let key = digest("d");
    let body = format!(
        "image sha256:{}\ncommit {}\nhttps://scan.example/tx/0x{}\nprivate key: {key}\n",
        digest("a"),
        &digest("b")[..40],
        digest("c")
    );
    let (found, out) = found(&home("hashes", &body));
    assert_eq!(found, ["hashes.md:10"]);
    assert_hidden(&out, &key);
}

#[test]
fn se02_an_id_is_one_only_where_its_name_says_so() {
    let id = ["3f2b8c1e-", "5d47-4a90-8e6f-", "0123456789ab"].concat();
    let body = format!("NEST_API_TOKEN={id}\nticket {id} closed\n[[session {id}]]\n");
    let (found, out) = found(&home("uuid", &body));
    assert_eq!(found, ["uuid.md:7"]);
    assert!(!out.contains(&format!("({}", &id[..5])), "{out}");
}

/// The lines of the case, and what must be seen of none.
fn leaks() -> (String, [&'static str; 5]) {
    let dashes = "-".repeat(5);
    let mut lines = vec![
        ["db is postgres", "://svc:", "n3st", "Pw9!", "@db.example/x"].concat(),
        ["Authorization: Bea", "rer ", &"Zx9".repeat(12)].concat(),
        ["xo", "xb-", "1234567890-", "abcdefGHIJKL"].concat(),
        ["AK", "IA", "QWERTYUIOPASDFGH"].concat(),
        [&dashes, "BEGIN PRIVATE", " KEY", &dashes].concat(),
    ];
    lines.extend(std::iter::repeat_n(format!("MIIdemo{}", "A".repeat(50)), 3));
    lines.push([&dashes, "END PRIVATE", " KEY", &dashes].concat());
    (
        lines.join("\n") + "\n",
        ["n3st", "Zx9Zx", "xoxb-", "AKIAQ", "MIId"],
    )
}

/// That an extraction saves none of them comes with extraction.
#[test]
fn se05_each_is_told_with_file_and_line_and_a_block_of_lines_is_one() {
    let (body, values) = leaks();
    let home = home("leaks", &body);
    let (found, out) = found(&home);
    let lines = ["7", "8", "9", "10", "11"].map(|line| format!("leaks.md:{line}"));
    assert_eq!(found, lines);
    for value in values {
        assert!(!out.contains(value), "{value} is in {out}");
    }
    home.write("/srv/proj/CLAUDE.md", &body);
    home.write(
        &format!("{MEMORY}/MEMORY.md"),
        format!("- [Leaks](leaks.md) — all of them\n\n{body}"),
    );
    let read = format!("{MEMORY}/leaks.md");
    for asked in [
        &["preview", "--ours", "--request", "--read", &read][..],
        &["preview", "--ours", "--json", "--read", &read],
        &["preview", "--ours", "--request", "--prompt", &body],
    ] {
        let ran = home.run(asked);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for value in values {
            assert!(!ran.out.contains(value), "{value} is in {}", ran.out);
        }
        assert!(ran.out.contains("[masked:private-key]"));
    }
}

#[test]
fn se06_one_value_is_one_finding_and_never_in_our_request() {
    let head = ["eyJhbGciOiJIUzI1", "NiIsInR5cCI6IkpXVCJ9"].concat();
    let token = [
        &head,
        ["eyJzdWIiOi", "JoZXJvbiJ9"].concat().as_str(),
        &"Qz".repeat(21),
    ]
    .join(".");
    let home = home("jwt", &format!("token = \"{token}\"\n"));
    let (found, out) = found(&home);
    assert_eq!(found, ["jwt.md:7"]);
    assert!(out.contains("(web token, eyJh…)"), "{out}");
    assert_hidden(&out, &token);
    let ran = home.run(&["preview", "--ours", "--request", "--prompt", &token]);
    assert_hidden(&ran.out, &token);
    assert!(ran.out.contains("eyJh[masked:web-token]"));
    for log in ["/home/u/.local/state/loci/log", "/home/u/.config/loci"] {
        assert!(!holds(&home.at(log), &token[..8]), "{log}");
    }
}

/// Whether a file below a folder holds a text.
fn holds(folder: &Path, text: &str) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .flatten()
        .map(|entry| entry.path())
        .any(|path| match path.is_dir() {
            true => holds(&path, text),
            false => fs::read_to_string(&path).is_ok_and(|all| all.contains(text)),
        })
}

#[test]
fn the_preview_says_what_is_masked_with_its_file_and_line() {
    let home = project();
    let (body, _) = leaks();
    home.write(
        "/srv/proj/CLAUDE.md",
        format!("<!--\nnote\n-->\n\nRules\n{body}"),
    );
    home.write(
        &format!("{MEMORY}/MEMORY.md"),
        format!(
            "---\na: b\n---\n\n# Index\n{}\n",
            body.lines().nth(3).unwrap()
        ),
    );
    let preview = home.json(&["preview", "--ours", "--json"]);
    let notes = preview["notes"].to_string();
    assert!(
        notes.contains("5 secrets are masked in the request, the first in /srv/proj/CLAUDE.md:6: password in an address"),
        "{notes}"
    );
    assert!(
        notes.contains(&format!(
            "1 secret is masked in the request in {MEMORY}/MEMORY.md:6: AWS access key"
        )),
        "{notes}"
    );
    let parts = preview["parts"].as_array().unwrap().iter();
    let masked: Vec<&Value> = parts
        .filter(|part| part["masked"] != Value::Array(Vec::new()))
        .map(|part| &part["masked"])
        .collect();
    assert_eq!(masked.len(), 2);
    assert_eq!(masked[0][0]["kind"], "password in an address");
    let ran = home.run(&["preview", "--ours"]);
    assert!(ran.err.contains("5 secrets are masked"), "{ran:?}");
}

#[test]
fn a_value_is_let_pass_by_what_the_finding_says_and_as_it_is() {
    let value = ["AK", "IA", "QWERTYUIOPASDFGH"].concat();
    let home = home("keys", &format!("an id: {value}\n"));
    home.write("/srv/proj/CLAUDE.md", format!("Use {value}.\n"));
    let (before, out) = found(&home);
    assert_eq!(before, ["/srv/proj/CLAUDE.md:1", "keys.md:7"]);
    let at = out.find("sha256:").unwrap();
    for name in [&out[at..at + 23], &value] {
        home.write(
            "/home/u/.config/loci/config.toml",
            format!("[secrets]\nallow = [\"{name}\"]\n"),
        );
        assert_eq!(found(&home).0, Vec::<String>::new(), "{name}");
        let ran = home.run(&["preview", "--ours", "--request"]);
        assert!(ran.out.contains(&value));
        let printed = home.json(&["config", "print", "--json"]);
        assert_eq!(printed["secrets"]["allow"][0], name);
    }
}

#[test]
fn our_own_sources_hold_nothing_that_looks_like_a_secret() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut looked_at = 0;
    for name in [
        "src",
        "tests",
        "assets",
        "screenshots",
        "README.md",
        "Cargo.toml",
    ] {
        look(&root.join(name), &mut looked_at);
    }
    assert!(looked_at > 500, "{looked_at} files");
}

fn look(path: &Path, looked_at: &mut usize) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            look(&entry.unwrap().path(), looked_at);
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        *looked_at += 1;
        let hits = scan(&text, &Allowed::default());
        let said = hits
            .iter()
            .map(|hit| format!("{}:{}", path.display(), hit.line));
        assert_eq!(hits, [], "{:?}", said.collect::<Vec<_>>());
    }
}
