use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::config::client::Client;

struct World {
    dir: tempfile::TempDir,
    disk: Disk,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path.trim_start_matches('/'));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let disk = Disk::below(dir.path()).unwrap();
        Self { dir, disk }
    }

    fn client(&self, vars: &[(&str, &str)]) -> Client {
        assert!(self.dir.path().is_dir());
        let vars: BTreeMap<String, String> = vars
            .iter()
            .map(|(name, value)| ((*name).to_string(), (*value).to_string()))
            .collect();
        Client::read(
            &self.disk,
            vars,
            Path::new("/home/u"),
            Path::new("/home/u/.claude"),
            Path::new("/srv/p"),
        )
    }
}

#[test]
fn excludes_of_all_layers_count_and_name_their_file() {
    let world = World::new(&[
        (
            "/home/u/.claude/settings.json",
            r#"{"claudeMdExcludes":["/srv/CLAUDE.md"]}"#,
        ),
        (
            "/srv/p/.claude/settings.local.json",
            r#"{"claudeMdExcludes":["**/a.md"]}"#,
        ),
    ]);
    let client = world.client(&[]);
    let found: Vec<(String, String, Source)> = client
        .excludes()
        .into_iter()
        .map(|one| (one.pattern, one.setting.display().to_string(), one.source))
        .collect();
    let own = |a: &str, b: &str, source| (a.to_string(), b.to_string(), source);
    assert_eq!(
        found,
        [
            own(
                "**/a.md",
                "/srv/p/.claude/settings.local.json",
                Source::Local
            ),
            own(
                "/srv/CLAUDE.md",
                "/home/u/.claude/settings.json",
                Source::User
            ),
        ]
    );
    assert!(client.faults().is_empty());
}

#[test]
fn what_is_no_list_of_texts_is_named_and_its_texts_count() {
    let world = World::new(&[(
        "/home/u/.claude/settings.json",
        r#"{"claudeMdExcludes":["a",1]}"#,
    )]);
    let client = world.client(&[]);
    assert_eq!(client.excludes().len(), 1);
    assert_eq!(
        client.faults(),
        [
            "claudeMdExcludes in /home/u/.claude/settings.json is not a list of texts: what is none of them is ignored"
        ]
    );
}

#[test]
fn two_variables_take_all_out() {
    let world = World::new(&[]);
    let off = |name: &str, value: &str| world.client(&[(name, value)]).standing_off();
    assert_eq!(
        off("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1").as_deref(),
        Some("CLAUDE_CODE_DISABLE_CLAUDE_MDS is set in the environment")
    );
    assert!(off("CLAUDE_CODE_SIMPLE", "true").is_some());
    assert_eq!(off("CLAUDE_CODE_SIMPLE", "0"), None);
}

#[test]
fn an_approval_is_that_of_exactly_this_folder() {
    let world = World::new(&[(
        "/home/u/.claude.json",
        r#"{"projects":{"/srv/p":{"hasClaudeMdExternalIncludesApproved":true,"x":[1]},"/srv/q":{}}}"#,
    )]);
    let of = |cwd: &str| {
        external_imports_approved(
            &world.disk,
            Path::new("/home/u/.claude.json"),
            Path::new(cwd),
        )
    };
    assert!(of("/srv/p"));
    assert!(!of("/srv/q"));
    assert!(!of("/srv/p/sub"));
    let gone = Path::new("/home/u/none.json");
    assert!(!external_imports_approved(
        &world.disk,
        gone,
        Path::new("/srv/p")
    ));
}
