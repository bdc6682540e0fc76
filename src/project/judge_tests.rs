use std::fs;

use super::*;

/// A file system below a sysroot with these folders.
struct World {
    top: tempfile::TempDir,
    disk: Disk,
    known: Known,
}

impl World {
    fn new(folders: &[&str]) -> Self {
        let top = tempfile::tempdir().expect("a temporary folder");
        for folder in folders {
            fs::create_dir_all(top.path().join(&folder[1..])).expect("a folder");
        }
        let disk = Disk::below(top.path()).expect("a sysroot");
        Self {
            top,
            disk,
            known: Known::default(),
        }
    }

    fn told(mut self, path: &str, source: Source) -> Self {
        self.known.add(path, source, Path::new("/home/u/file"));
        self
    }

    /// What transcripts that name these paths come to.
    fn judge(&self, key: &str, cwds: &[&str]) -> Verdict {
        let claims = cwds.iter().map(|cwd| Claim {
            path: PathBuf::from(cwd),
            source: Source::Transcript,
            standing: lookup(&self.disk, Path::new(cwd)),
            sessions: vec![(*cwd).to_string()],
            file: None,
            exact: key::is_of(key, cwd),
        });
        judge(
            &self.disk,
            key,
            claims.collect(),
            &self.known,
            &Places::new(),
        )
    }
}

fn path(verdict: &Verdict) -> Option<&str> {
    verdict.path.as_deref().and_then(Path::to_str)
}

fn sources(verdict: &Verdict) -> Vec<&str> {
    verdict
        .evidence
        .iter()
        .map(|claim| claim.source.word())
        .collect()
}

/// A dash in a folder's name is no separator: the transcript decides, and without one nothing is
/// guessed.
#[test]
fn pa02_a_dash_is_never_taken_for_a_separator() {
    let world = World::new(&["/srv/demo/sea-eagle", "/srv/demo/sea/eagle"]);
    let key = "-srv-demo-sea-eagle";
    let verdict = world.judge(key, &["/srv/demo/sea-eagle"]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Live, Some("/srv/demo/sea-eagle"))
    );
    let verdict = world.judge(key, &[]);
    assert_eq!((verdict.origin, path(&verdict)), (Origin::Unknown, None));
    let candidates: Vec<&Path> = verdict.candidates.iter().map(|one| &*one.path).collect();
    assert_eq!(
        candidates,
        [
            Path::new("/srv/demo/sea/eagle"),
            Path::new("/srv/demo/sea-eagle")
        ]
    );
    let told = World::new(&["/srv/demo/sea-eagle", "/srv/demo/sea/eagle"])
        .told("/srv/demo/sea/eagle", Source::History);
    let verdict = told.judge(key, &[]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Live, Some("/srv/demo/sea/eagle"))
    );
    assert_eq!(sources(&verdict), ["history.jsonl"]);
}

#[test]
fn the_order_of_the_evidence() {
    let key = "-srv-a-b";
    let world = || World::new(&["/srv/a-b"]);
    let verdict = world().judge(key, &[]);
    assert_eq!(
        (verdict.origin, sources(&verdict)),
        (Origin::Live, vec!["walk"])
    );
    let verdict = world().told("/srv/a-b", Source::ClaudeJson).judge(key, &[]);
    assert_eq!(sources(&verdict), [".claude.json"]);
    let both = world()
        .told("/srv/a-b", Source::ClaudeJson)
        .told("/srv/a-b", Source::History);
    assert_eq!(
        sources(&both.judge(key, &[])),
        ["history.jsonl", ".claude.json"]
    );
    assert_eq!(sources(&both.judge(key, &["/srv/a-b"])), ["transcript"]);
    // Another key's path says nothing.
    let other = World::new(&[]).told("/srv/other", Source::History);
    assert_eq!(other.judge(key, &[]).origin, Origin::Unknown);
}

#[test]
fn pa03_a_key_of_two_paths_that_are_there_is_ambiguous() {
    let (key, both) = (
        "-srv-demo-my-nest",
        ["/srv/demo/my_nest", "/srv/demo/my-nest"],
    );
    let verdict = World::new(&both).judge(key, &both);
    assert_eq!((verdict.origin, path(&verdict)), (Origin::Ambiguous, None));
    assert_eq!(verdict.evidence.len(), 2);
    let verdict = World::new(&both[..1]).judge(key, &both);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Live, Some(both[0]))
    );
    assert_eq!(
        verdict.evidence.len(),
        2,
        "the one that is gone is still said"
    );
    let verdict = World::new(&[]).judge(key, &both);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Orphaned, Some(both[0]))
    );
}

/// Two names of one folder are one path.
#[test]
fn a_link_to_the_same_folder_is_no_second_path() {
    let world = World::new(&["/srv/my_nest"]);
    std::os::unix::fs::symlink("/srv/my_nest", world.top.path().join("srv/my-nest"))
        .expect("a link");
    let verdict = world.judge("-srv-my-nest", &["/srv/my-nest", "/srv/my_nest"]);
    assert_eq!(verdict.origin, Origin::Live);
}

/// What is gone may be only one of those that share the key: a path that is told elsewhere and is
/// there counts.
#[test]
fn a_path_that_is_there_saves_its_folder_from_being_an_orphan() {
    let world = World::new(&["/srv/my-nest"]).told("/srv/my-nest", Source::ClaudeJson);
    let verdict = world.judge("-srv-my-nest", &["/srv/my_nest"]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Live, Some("/srv/my-nest"))
    );
    assert_eq!(verdict.evidence.len(), 2);
}

#[test]
fn pa09_a_path_of_windows_is_not_called_gone() {
    let world = World::new(&[]);
    for path in [
        "W:\\nest",
        "\\\\files\\team\\nest",
        "\\\\wsl.localhost\\Ubuntu\\srv\\demo",
    ] {
        let verdict = world.judge(&key::encode(path), &[path]);
        assert_eq!(verdict.origin, Origin::Unknown, "{path}");
        assert_eq!(verdict.path.as_deref(), Some(Path::new(path)));
    }
}

/// After a project folder was given the key of the new place its transcripts still name the old one.
#[test]
fn a_folder_with_the_key_counts_more_than_a_path_without() {
    let world = World::new(&["/srv/new"]);
    let verdict = world.judge("-srv-new", &["/srv/old"]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Live, Some("/srv/new"))
    );
    assert_eq!(sources(&verdict), ["walk"]);
    // Where nothing has the key, what the transcripts name is all there is.
    let verdict = World::new(&[]).judge("-srv-new", &["/srv/old"]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Orphaned, Some("/srv/old"))
    );
}

#[test]
fn pa14_a_worktree_is_no_orphan_and_names_its_repository() {
    let world = World::new(&["/srv/main/.git/worktrees/wt", "/srv/wt", "/srv/main/sub"]);
    let at = |path: &str| world.top.path().join(path);
    fs::write(at("srv/wt/.git"), "gitdir: /srv/main/.git/worktrees/wt\n").expect("a file");
    let own = at("srv/main/.git/worktrees/wt");
    fs::write(own.join("commondir"), "../..\n").expect("a file");
    fs::write(own.join("gitdir"), "/srv/wt/.git\n").expect("a file");
    let verdict = world.judge("-srv-wt", &["/srv/wt"]);
    assert_eq!(
        (verdict.origin, path(&verdict)),
        (Origin::Worktree, Some("/srv/wt"))
    );
    assert_eq!(verdict.memory_root.as_deref(), Some(Path::new("/srv/main")));
    assert_eq!(
        world.judge("-srv-main", &["/srv/main"]).origin,
        Origin::Live
    );
    // A folder in the repository has its memory there too.
    assert_eq!(
        world.judge("-srv-main-sub", &["/srv/main/sub"]).origin,
        Origin::Worktree
    );
}

#[test]
fn a_file_is_no_project_and_what_can_t_be_looked_at_is_not_gone() {
    let world = World::new(&["/srv"]);
    fs::write(world.top.path().join("srv/file"), "").expect("a file");
    assert_eq!(lookup(&world.disk, Path::new("/srv/file")), Standing::Gone);
    assert_eq!(
        lookup(&world.disk, Path::new("/srv/file/x")),
        Standing::Gone
    );
    assert!(matches!(
        lookup(&world.disk, Path::new("srv")),
        Standing::Unseen(_)
    ));
    let long = format!("/srv/{}", "x".repeat(300));
    assert!(matches!(
        lookup(&world.disk, Path::new(&long)),
        Standing::Unseen(_)
    ));
    let verdict = world.judge(&key::encode(&long), &[&long]);
    assert_eq!(verdict.origin, Origin::Unknown);
}

/// What a walk has not seen may be there: a path that is gone is not called an orphan by then.
#[test]
fn a_walk_that_was_cut_proves_nothing() {
    let deep = format!("/srv/{}", "a".repeat(210));
    let world = World::new(&[&deep]);
    for number in 0..2_100 {
        let at = world.top.path().join(format!("{}/{number}", &deep[1..]));
        fs::create_dir(at).expect("a folder");
    }
    let key = key::encode(&format!("{deep}/gone"));
    let verdict = world.judge(&key, &["/srv/elsewhere"]);
    assert_eq!((verdict.origin, verdict.cut), (Origin::Unknown, true));
    let verdict = world.judge(&key, &[&format!("{deep}/gone")]);
    assert_eq!(verdict.origin, Origin::Orphaned, "the transcript names it");
}
