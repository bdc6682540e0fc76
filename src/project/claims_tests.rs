use std::fs;

use super::super::{Standing, census};
use super::*;

/// A project folder with these transcripts: paths below it and the directories they name.
fn claimed(key: &str, transcripts: &[(&str, &[&str])]) -> (Vec<Claim>, usize) {
    let top = tempfile::tempdir().expect("a temporary folder");
    let folder = top.path().join(key);
    for (name, cwds) in transcripts {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        let lines: String = cwds
            .iter()
            .map(|cwd| format!("{}\n", serde_json::json!({ "cwd": cwd })))
            .collect();
        fs::write(file, lines).expect("a transcript");
    }
    let disk = Disk::system();
    let census = census(&disk, &folder, &folder.join("memory"));
    claims(&disk, key, &census)
}

fn paths(claims: &[Claim]) -> Vec<(&str, usize, bool)> {
    let row = |claim: &'_ Claim| (claim.sessions.len(), claim.exact);
    claims
        .iter()
        .map(|claim| {
            (
                claim.path.to_str().expect("text"),
                row(claim).0,
                row(claim).1,
            )
        })
        .collect()
}

/// The drive's letter alternates line by line, and the session ends in a folder below: one project.
#[test]
fn pa09_a_drive_letter_that_alternates_is_one_project() {
    let cwds: &[&str] = &["w:\\nest", "W:\\nest", "W:\\nest\\sub", "w:\\nest"];
    let sub: &[&str] = &["W:\\nest", "W:\\nest\\sub"];
    let (claims, _) = claimed("w--nest", &[("a.jsonl", cwds), ("b.jsonl", sub)]);
    assert_eq!(paths(&claims), [("W:\\nest", 2, true)]);
    assert_eq!(claims[0].standing, Standing::Foreign);
    // On a path of this system case matters.
    let (claims, _) = claimed(
        "-srv-Nest",
        &[("a.jsonl", &["/srv/nest"]), ("b.jsonl", &["/srv/Nest"])],
    );
    assert_eq!(
        paths(&claims),
        [("/srv/Nest", 1, true), ("/srv/nest", 1, false)]
    );
}

#[test]
fn pa03_two_paths_of_one_key_are_both_claimed() {
    let (claims, _) = claimed(
        "-srv-demo-my-nest",
        &[
            ("a.jsonl", &["/srv/demo/my_nest"]),
            ("b.jsonl", &["/srv/demo/my-nest"]),
        ],
    );
    assert_eq!(
        paths(&claims),
        [
            ("/srv/demo/my_nest", 1, true),
            ("/srv/demo/my-nest", 1, true)
        ]
    );
    assert_eq!(claims[0].sessions, ["a"]);
    assert_eq!(claims[1].sessions, ["b"]);
}

/// Each session says which of the paths it belongs to.
#[test]
fn pa17_sessions_of_unrelated_projects_are_told_apart() {
    let (claims, _) = claimed(
        "-srv-demo--",
        &[
            ("1.jsonl", &["/srv/demo/鳥"]),
            ("2.jsonl", &["/srv/demo/魚"]),
            ("3.jsonl", &["/srv/demo/-"]),
            ("4.jsonl", &["/srv/demo/魚", "/srv/demo/魚/sub"]),
        ],
    );
    assert_eq!(
        paths(&claims),
        [
            ("/srv/demo/魚", 2, true),
            ("/srv/demo/鳥", 1, true),
            ("/srv/demo/-", 1, true)
        ]
    );
    assert_eq!(claims[0].sessions, ["2", "4"]);
}

#[test]
fn a_session_belongs_where_its_key_says_not_where_it_went() {
    let (claims, _) = claimed(
        "-srv-a",
        &[
            ("1.jsonl", &["/srv/a", "/srv/b"]),
            ("2.jsonl", &["/srv/b", "/srv/a"]),
        ],
    );
    assert_eq!(paths(&claims), [("/srv/a", 2, true)]);
}

#[test]
fn sub_agents_are_asked_only_where_the_others_say_nothing() {
    let silent: &[&str] = &[];
    let both: &[(&str, &[&str])] = &[
        ("1.jsonl", &["/srv/a"]),
        ("1/subagents/agent-x.jsonl", &["/srv/other"]),
    ];
    assert_eq!(paths(&claimed("-srv-a", both).0), [("/srv/a", 1, true)]);
    let alone: &[(&str, &[&str])] = &[
        ("1.jsonl", silent),
        ("1/subagents/agent-x.jsonl", &["/srv/a"]),
        ("1/subagents/agent-y.jsonl", &["/srv/a"]),
    ];
    let (claims, _) = claimed("-srv-a", alone);
    assert_eq!(paths(&claims), [("/srv/a", 1, true)]);
    assert_eq!(claims[0].source, Source::Subagent);
}

/// A folder of a long path is known by its first 200 characters, whatever version named it.
#[test]
fn the_end_of_a_long_key_does_not_matter() {
    let path = format!("/srv/{}", "x".repeat(230));
    let key = format!("{}-0some1", &key::encode(&path)[..200]);
    let cwds: &[&str] = &[&path];
    assert_eq!(
        paths(&claimed(&key, &[("a.jsonl", cwds)]).0),
        [(&*path, 1, true)]
    );
}

/// Of 40 transcripts of 200 KB each a sixteenth of their bytes at most is read, 16 KiB of each.
#[test]
fn at_most_sixteen_kib_of_each_transcript_are_read() {
    let line = vec!["/srv/a"; 12_000];
    let names: Vec<String> = (0..40).map(|number| format!("{number}.jsonl")).collect();
    let transcripts: Vec<(&str, &[&str])> = names.iter().map(|name| (&**name, &line[..])).collect();
    let (claims, read) = claimed("-srv-a", &transcripts);
    assert_eq!(paths(&claims), [("/srv/a", 40, true)]);
    assert_eq!(read, 40 * 8 * 1024);
}
