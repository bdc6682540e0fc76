//! The oracle: what the reference client was seen to do (newest version), and shelves on disk.

use std::fs;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::*;
use crate::agents::Layout;
use crate::health::{Code, Rules};
use crate::memory::file::State;

const CASES: &str = include_str!("../../../tests/fixtures/oracle/cases.json");
const NEWEST: &str = "2.1.332";

/// A file system below a temporary folder.
pub(super) struct World {
    root: tempfile::TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            root: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub(super) fn host(&self, path: &str) -> PathBuf {
        self.root.path().join(path.trim_start_matches('/'))
    }

    pub(super) fn folder(&self, path: &str) -> &Self {
        fs::create_dir_all(self.host(path)).expect("a folder");
        self
    }

    pub(super) fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let host = self.host(path);
        fs::create_dir_all(host.parent().expect("a parent")).expect("a folder");
        fs::write(host, bytes).expect("a file");
        self
    }

    pub(super) fn open(&self, cwd: &str, vars: &[(&str, &str)]) -> Claude {
        Claude::open(Setup {
            disk: Disk::below(self.root.path()).expect("a sysroot"),
            vars: vars
                .iter()
                .map(|(name, value)| ((*name).to_string(), (*value).to_string()))
                .collect(),
            home: "/home/u".into(),
            config_home: None,
            cwd: cwd.into(),
            now: Moment::from_seconds(1_790_000_000),
        })
        .expect("a store")
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value[key].as_str()
}

/// The disk as FINDINGS, "How the disk was laid out", tells it for `path_encoding`.
fn lay_out(world: &World, label: &str, cwd: &str) {
    match label {
        "symlink_cwd_pwdlogical" | "symlink_cwd_sub" => {
            world.folder("/srv/real/deep");
            std::os::unix::fs::symlink("/srv/real", world.host("/srv/link")).expect("a link");
        }
        "git_root" => {
            world.folder("/srv/repo/.git");
        }
        "worktree" | "worktree_sub" => {
            world
                .folder("/srv/wt/in")
                .file("/srv/wt/.git", "gitdir: /srv/repo/.git/worktrees/wt\n")
                .file("/srv/repo/.git/worktrees/wt/commondir", "../..\n")
                .file("/srv/repo/.git/worktrees/wt/gitdir", "/srv/wt/.git\n");
        }
        "nested_repo" => {
            world
                .folder("/srv/repo/.git")
                .folder("/srv/repo/inner/.git");
        }
        "worktree_of_bare" => {
            world
                .file("/srv/bw/.git", "gitdir: /srv/b.git/worktrees/bw\n")
                .file("/srv/b.git/worktrees/bw/commondir", "../..\n")
                .file("/srv/b.git/worktrees/bw/gitdir", "/srv/bw/.git\n");
        }
        "fake_git_dir" => {
            world.folder("/srv/fake/.git").folder("/srv/fake/sub");
        }
        "broken_gitfile" => {
            world
                .file("/srv/fk2/.git", "gitdir: /nowhere\n")
                .folder("/srv/fk2/sub");
        }
        "separate_gitdir" => {
            world
                .file("/srv/fk3/.git", "gitdir: /srv/gd\n")
                .file("/srv/gd/HEAD", "x")
                .folder("/srv/fk3/sub");
        }
        _ => {
            world.folder(cwd);
        }
    }
}

#[test]
fn every_observed_path_gives_the_observed_keys() {
    let cases: Value = serde_json::from_str(CASES).expect("the cases");
    let cases = cases["path_encoding"].as_array().expect("path cases");
    assert_eq!(cases.len(), 28);
    for case in cases {
        let (label, cwd) = (
            text(case, "label").expect("a label"),
            text(case, "cwd").expect("a cwd"),
        );
        let world = World::new();
        lay_out(&world, label, cwd);
        let place = world.open(cwd, &[]).place(Path::new(cwd));
        if let Some(recorded) = text(case, "cwd_recorded") {
            assert_eq!(place.path, Path::new(recorded), "{label}");
        }
        if let Some(key) = text(case, "dir_name") {
            assert_eq!(place.key, key, "{label}");
        }
        assert_eq!(
            Some(&*place.memory_key),
            text(case, "memory_dir_name"),
            "{label}"
        );
    }
}

#[test]
fn paths_that_are_not_normalised_give_the_observed_keys() {
    let cases: Value = serde_json::from_str(CASES).expect("the cases");
    let newest = cases["path_encoding_nfd_and_backslash"]
        .as_array()
        .expect("cases")
        .iter();
    for case in newest.filter(|case| case["version"] == NEWEST) {
        let cwd = text(case, "cwd").expect("a cwd");
        let world = World::new();
        world.folder(cwd);
        if case["label"] == "nfd_git" {
            world
                .folder(cwd.strip_suffix("/sub").expect("a sub-folder"))
                .folder(&cwd.replace("/sub", "/.git"));
        }
        let place = world.open(cwd, &[]).place(Path::new(cwd));
        for seen in case["dirs"].as_array().expect("folders") {
            assert!(
                seen == place.key.as_str() || seen == place.memory_key.as_str(),
                "{case}: {place:?}"
            );
        }
    }
}

#[test]
fn every_observed_index_is_kept_and_warned_of_as_observed() {
    let cases: Value = serde_json::from_str(CASES).expect("the cases");
    let cases = cases["index_truncation"].as_array().expect("index cases");
    assert_eq!(cases.len(), 34);
    for case in cases {
        let label = text(case, "label").expect("a label");
        let seen = &case["by_version"][NEWEST];
        let world = World::new();
        world.folder("/srv/proj");
        for (setting, file) in [
            ("user_settings", "/home/u/.claude/settings.json"),
            ("project_settings", "/srv/proj/.claude/settings.json"),
        ] {
            if !case[setting].is_null()
                && !case[setting]
                    .as_object()
                    .is_none_or(serde_json::Map::is_empty)
            {
                world.file(file, case[setting].to_string());
            }
        }
        let vars: Vec<(&str, &str)> = case["env"]
            .as_object()
            .map(|vars| {
                vars.iter()
                    .map(|(name, value)| (name.as_str(), value.as_str().expect("text")))
                    .collect()
            })
            .unwrap_or_default();
        let place = text(case, "index_path")
            .unwrap_or("/home/u/.claude/projects/-srv-proj/memory/MEMORY.md");
        match text(case, "input_file") {
            Some(input) => {
                let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("tests/fixtures/oracle")
                    .join(input);
                world.file(place, fs::read(fixture).expect("an input"));
            }
            None => {
                world.file(
                    "/home/u/.claude/projects/-srv-proj/memory/memory.md",
                    "- [A](a.md)\n",
                );
            }
        }
        let store = world.open("/srv/proj", &vars);
        let index = store.contents(&store.here()).index;
        let loaded = index.map(|index| index.loaded).unwrap_or_default();
        assert_eq!(
            !loaded.text.is_empty(),
            seen["index_injected"] == true,
            "{label}"
        );
        if let Some(sha) = text(seen, "kept_sha256") {
            let digest: String = Sha256::digest(&loaded.text)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(digest, sha, "{label}");
        }
        assert_eq!(loaded.warning.as_deref(), text(seen, "warning"), "{label}");
    }
}

#[test]
fn sanitising_is_as_observed() {
    let cases: Value = serde_json::from_str(CASES).expect("the cases");
    let seen = &cases["index_sanitising"][NEWEST]["index"];
    let load = |c: char| crate::memory::load::load(&format!("a{c}b")).text;
    let point = |name: &str| {
        let code = u32::from_str_radix(name.trim_start_matches("U+"), 16).expect("a code point");
        char::from_u32(code).expect("a character")
    };
    for (name, becomes) in seen["changed"].as_object().expect("points") {
        let between = if becomes == "'\\n'" { "\n" } else { "" };
        assert_eq!(load(point(name)), format!("a{between}b"), "{name}");
    }
    for name in seen["kept"].as_array().expect("points") {
        let c = point(name.as_str().expect("a name"));
        assert_eq!(load(c), format!("a{c}b"), "{name}");
    }
}

const MEMORY: &str = "---\nname: a\ndescription: d\ntype: user\n---\nbody\n";

#[test]
fn shelves_are_projects_and_agents_with_what_the_names_tell() {
    let world = World::new();
    let projects = "/home/u/.claude/projects";
    world
        .folder("/srv/repo/.git")
        .file(&format!("{projects}/-srv-repo/memory/a.md"), MEMORY)
        .file(&format!("{projects}/-srv-other/memory/b.md"), MEMORY)
        .file(
            &format!("{projects}/-srv-other/s.jsonl"),
            "{\"cwd\":\"/srv/other\"}\n",
        )
        .file(&format!("{projects}/-srv-unknown/memory/c.md"), MEMORY)
        .file(
            "/home/u/.claude/agent-memory/reviewer/MEMORY.md",
            "- [A](a.md)\n",
        )
        .file("/home/u/.claude/agent-memory/reviewer/a.md", MEMORY)
        .file("/srv/repo/.claude/agent-memory-local/tester/a.md", MEMORY);
    let store = world.open("/srv/repo", &[]);
    let mut seen = Vec::new();
    let read = store.shelves_in_order(
        |shelf, contents| {
            let surveyed = store.survey(shelf.clone());
            assert_eq!(surveyed, *shelf);
            assert_eq!(store.contents(shelf).entries, contents.entries);
            (
                shelf.key.clone(),
                shelf.path.clone(),
                shelf.memories,
                contents.entries.len(),
            )
        },
        |made| -> Result<(), ()> {
            seen.push(made);
            Ok(())
        },
    );
    assert_eq!(read, Ok(()));
    let path = |text: &str| Some(PathBuf::from(text));
    assert_eq!(
        seen,
        [
            ("-srv-other".to_string(), path("/srv/other"), 1, 1),
            ("-srv-repo".to_string(), path("/srv/repo"), 1, 1),
            ("-srv-unknown".to_string(), None, 1, 1),
            ("agent-memory/reviewer".to_string(), None, 1, 1),
            (".claude/agent-memory-local/tester".to_string(), None, 1, 1),
        ]
    );
    assert_eq!(store.here().key, "-srv-repo");
}

#[test]
fn ghosts_are_told_by_both_indexes_and_only_where_there_is_one() {
    let world = World::new();
    let memory = "/home/u/.claude/projects/-srv-p/memory";
    world
        .folder("/srv/p")
        .file(&format!("{memory}/a.md"), MEMORY)
        .file(&format!("{memory}/team/t.md"), MEMORY)
        .file(&format!("{memory}/team/u.md"), MEMORY);
    let states = || {
        let store = world.open("/srv/p", &[]);
        let mut found: Vec<_> = store
            .contents(&store.here())
            .entries
            .into_iter()
            .map(|entry| (entry.path.to_string(), entry.state))
            .collect();
        found.sort();
        found
            .into_iter()
            .map(|(_, state)| state)
            .collect::<Vec<_>>()
    };
    assert_eq!(states(), [State::Ok, State::Ok, State::Ok]);
    world.file(&format!("{memory}/MEMORY.md"), "- [T](team/t.md)\n");
    assert_eq!(states(), [State::Ghost, State::Ok, State::Ghost]);
    world.file(&format!("{memory}/team/MEMORY.md"), "- [U](u.md)\n");
    assert_eq!(states(), [State::Ghost, State::Ok, State::Ok]);
}

#[test]
fn the_tiny_layout_is_ordered_by_created() {
    let world = World::new();
    let memory = "/home/u/.claude/projects/-srv-p/memory";
    world.folder("/srv/p");
    for (name, day) in [
        ("a", "2026-01-02"),
        ("b", "2026-01-03"),
        ("c", "2026-01-01"),
    ] {
        world.file(
            &format!("{memory}/{name}.md"),
            format!("---\ncreated: {day}\ntype: user\n---\n"),
        );
    }
    let store = world.open("/srv/p", &[]);
    let contents = store.contents(&store.here());
    assert_eq!(contents.layout, Layout::Tiny);
    assert_eq!(
        contents
            .entries
            .iter()
            .map(|entry| &*entry.path)
            .collect::<Vec<_>>(),
        ["b.md", "a.md", "c.md"]
    );
}

#[test]
fn a_page_keeps_what_it_can_and_a_refusal_is_a_sentence() {
    let world = World::new();
    world.folder("/srv/p").file(
        "/srv/p/x.md",
        b"\xEF\xBB\xBF---\ntype: user\n---\nbo\xffdy\n",
    );
    let store = world.open("/srv/p", &[]);
    let page = store.page(Path::new("/srv/p"), "x.md").expect("a page");
    assert!(page.lossy && page.text.starts_with("---"));
    assert_eq!(page.front.get("type"), Some("user"));
    let refusal = store
        .page(Path::new("/srv"), "p")
        .expect_err("a folder is no page");
    assert!(refusal.starts_with("/srv/p can't be read"), "{refusal}");
}

#[test]
fn an_index_that_is_none_is_a_fault_not_a_wait() {
    let world = World::new();
    let index = "/home/u/.claude/projects/-srv-p/memory/MEMORY.md";
    world.folder("/srv/p").file(index, "- [A](a.md)\n");
    let file = fs::File::options()
        .write(true)
        .open(world.host(index))
        .expect("a file");
    file.set_len(1 << 30).expect("a sparse file");
    let store = world.open("/srv/p", &[]);
    let contents = store.contents(&store.here());
    assert!(contents.index.is_none());
    assert!(
        contents.faults[0].contains("1024 MiB large"),
        "{:?}",
        contents.faults
    );
}

#[test]
fn a_windows_path_is_taken_as_written() {
    let world = World::new();
    world.folder("/srv/p");
    let place = world.open("/srv/p", &[]).place(Path::new(r"E:\Nest_Box"));
    assert_eq!(
        (place.memory_key.as_str(), place.path.as_path()),
        ("E--Nest-Box", Path::new(r"E:\Nest_Box"))
    );
}

#[test]
fn a_working_directory_that_is_gone_is_a_sentence() {
    let world = World::new();
    let setup = Setup {
        disk: Disk::below(world.root.path()).expect("a sysroot"),
        vars: BTreeMap::new(),
        home: "/home/u".into(),
        config_home: None,
        cwd: "/srv/gone".into(),
        now: Moment::default(),
    };
    assert!(
        Claude::open(setup)
            .expect_err("no folder")
            .contains("--cwd")
    );
}

/// What goes elsewhere as a whole takes the claimed folder along that lies in it.
#[test]
fn a_folder_round_a_claimed_one_is_not_moved_either() {
    let world = World::new();
    world
        .folder("/srv/p/.git")
        .file("/home/u/notes/deep/a.md", "x")
        .file("/home/u/other/a.md", "x")
        .file(
            "/srv/p/.claude/settings.json",
            r#"{"autoMemoryDirectory": "/home/u/notes/deep"}"#,
        );
    let store = world.open("/srv/p", &[]);
    assert!(store.claim().is_some());
    let path = |path: &str| PathBuf::from(path);
    let go = |from: &str, to: &str| Op::Move {
        from: path(from),
        to: path(to),
    };
    let trash = |at: &str| Op::Trash { path: path(at) };
    let written = |at: &str| Op::Write {
        path: path(at),
        before: None,
        after: Vec::new(),
        age: crate::store::change::Age::Set,
    };
    let refused = |op: Op| {
        let set = ChangeSet::new("x", crate::store::change::Author::You).with(op, "x");
        store.refusal(&set).is_some()
    };
    for op in [
        trash("/home/u/notes"),
        trash("/home/u/notes/deep"),
        trash("/home/u/notes/deep/a.md"),
        go("/home/u/notes", "/home/u/elsewhere"),
        go("/home/u/other/a.md", "/home/u/notes/deep/b.md"),
        written("/home/u/notes/deep/b.md"),
    ] {
        assert!(refused(op.clone()), "{op:?}");
    }
    for op in [
        trash("/home/u/other"),
        go("/home/u/other/a.md", "/home/u/notes/b.md"),
        written("/home/u/notes/b.md"),
    ] {
        assert!(!refused(op.clone()), "{op:?}");
    }
}

#[test]
fn a_store_can_be_asked_at_another_moment() {
    let world = World::new();
    let folder = "/home/u/.claude/projects/-work/memory";
    world
        .folder("/work")
        .file(&format!("{folder}/MEMORY.md"), "# Memory\n")
        .file(
            &format!("{folder}/new.md"),
            "---\nname: new\ndescription: d\nmetadata:\n  type: user\n---\nbody\n",
        );
    let written = fs::metadata(world.host(&format!("{folder}/new.md")));
    let written = Moment::from(written.and_then(|it| it.modified()).expect("a time"));
    let store = world.open("/work", &[]).at(written);
    let ghost = |store: &Claude| {
        let found = store.examine(&store.here(), &Rules::default()).findings;
        let ghost = found.into_iter().find(|it| it.code == Code::Ghost);
        ghost.expect("a ghost")
    };
    assert_eq!(ghost(&store).fix, None, "it may be being written");
    let later = store.at(Moment::from_seconds(written.seconds + 120));
    assert_eq!(later.now().seconds, written.seconds + 120);
    assert!(ghost(&later).fix.is_some());
}
