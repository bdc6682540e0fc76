use std::cell::Cell;
use std::fs;

use super::*;

const NEVER: Stop<'static> = &|| false;

struct World {
    top: tempfile::TempDir,
    disk: Disk,
    taken: HashSet<PathBuf>,
}

impl World {
    fn new(paths: &[&str]) -> Self {
        let top = tempfile::tempdir().expect("a temporary folder");
        for path in paths {
            let at = top.path().join(&path[1..]);
            match path.strip_suffix('/') {
                Some(_) => fs::create_dir_all(at).expect("a folder"),
                None => {
                    fs::create_dir_all(at.parent().expect("a folder")).expect("a folder");
                    fs::write(at, "").expect("a file");
                }
            }
        }
        let disk = Disk::below(top.path()).expect("a sysroot");
        let taken = HashSet::new();
        Self { top, disk, taken }
    }

    fn repository(&self, path: &str, remote: &str, commit: char) {
        let git = self.top.path().join(&path[1..]).join(".git");
        fs::create_dir_all(git.join("logs")).expect("folders");
        fs::write(
            git.join("config"),
            format!("[remote \"origin\"]\nurl = {remote}\n"),
        )
        .expect("a file");
        let hash = commit.to_string().repeat(40);
        fs::write(
            git.join("logs/HEAD"),
            format!("{} {hash} x\n", "0".repeat(40)),
        )
        .expect("a file");
    }

    fn kept(&self, path: &str) -> Identity {
        Identity::look(&self.disk, Path::new(path)).expect("it is there")
    }

    fn sought(
        &self,
        path: &str,
        kept: Option<&Identity>,
        cited: &[&str],
        known: &[&str],
    ) -> Sought {
        self.stopped(path, kept, cited, known, NEVER)
    }

    fn stopped(
        &self,
        path: &str,
        kept: Option<&Identity>,
        cited: &[&str],
        known: &[&str],
        stop: Stop<'_>,
    ) -> Sought {
        let known: Vec<PathBuf> = known.iter().map(PathBuf::from).collect();
        let field = Field {
            disk: &self.disk,
            home: Path::new("/home/u"),
            known: &known,
            taken: &self.taken,
            barred: Path::new("/home/u/.claude"),
        };
        let cited: Vec<String> = cited.iter().map(ToString::to_string).collect();
        let lost = Lost {
            path: Path::new(path),
            identity: kept,
            cited: Box::new(move || cited.clone()),
        };
        seek(&field, &[lost], stop)
    }
}

fn found(sought: &Sought) -> Vec<(&str, bool)> {
    sought.candidates[0]
        .iter()
        .map(|one| (one.path.to_str().expect("text"), one.likely))
        .collect()
}

/// A renamed folder is known by what was kept while it was live, and only by that.
#[test]
fn pa11_a_renamed_folder_is_known_by_its_git_remote() {
    let world = World::new(&["/srv/demo/newnest/", "/srv/demo/other/"]);
    world.repository("/srv/demo/newnest", "git@h:t/nest.git", 'a');
    world.repository("/srv/demo/other", "git@h:t/other.git", 'b');
    let kept = Identity {
        path: "/srv/demo/oldnest".into(),
        remote: Some("h/t/nest".to_string()),
        ..Identity::default()
    };
    let sought = world.sought("/srv/demo/oldnest", Some(&kept), &[], &[]);
    assert_eq!(found(&sought), [("/srv/demo/newnest", true)]);
    assert_eq!(sought.candidates[0][0].why, "the same git remote");
    assert_eq!(
        found(&world.sought("/srv/demo/oldnest", None, &[], &[])),
        []
    );
}

#[test]
fn the_first_commit_counts_more_than_the_remote_and_a_clone_in_use_is_not_likely() {
    let mut world = World::new(&["/srv/clone/", "/srv/moved/"]);
    world.repository("/srv/clone", "h:p", 'a');
    world.repository("/srv/moved", "h:p", 'b');
    let kept = Identity {
        path: "/srv/old".into(),
        ..world.kept("/srv/moved")
    };
    world.taken.insert("/srv/clone".into());
    let sought = world.sought("/srv/old", Some(&kept), &[], &[]);
    assert_eq!(
        found(&sought),
        [("/srv/moved", true), ("/srv/clone", false)]
    );
    assert!(
        sought.candidates[0][1]
            .why
            .ends_with("it has a project folder of its own")
    );
}

/// All worktrees of a repository have its first commit and its files: one that is gone has not moved to
/// another, nor to the repository, and the repository not to one of them.
#[test]
fn a_worktree_and_its_repository_are_not_one_another() {
    let world = World::new(&["/srv/main/", "/srv/wt/", "/srv/apart/moved/"]);
    world.repository("/srv/main", "h:p", 'a');
    let tree = |name: &str, path: &str| {
        let own = world.top.path().join("srv/main/.git/worktrees").join(name);
        fs::create_dir_all(&own).expect("a folder");
        fs::write(own.join("gitdir"), format!("{path}/.git\n")).expect("a file");
        fs::write(own.join("commondir"), "../..\n").expect("a file");
        let pointer = format!("gitdir: /srv/main/.git/worktrees/{name}\n");
        let file = world.top.path().join(&path[1..]).join(".git");
        fs::write(file, pointer).expect("a file");
    };
    tree("wt", "/srv/wt");
    tree("moved", "/srv/apart/moved");
    let main = world.kept("/srv/main");
    let worktree = world.kept("/srv/wt");
    assert_eq!((main.worktree, worktree.worktree), (false, true));
    assert_eq!(worktree.first_commit, main.first_commit);
    let at = |path: &str, kept: &Identity| Identity {
        path: path.into(),
        ..kept.clone()
    };
    // The repository, under another name.
    let sought = world.sought("/srv/old", Some(&at("/srv/old", &main)), &[], &[]);
    assert_eq!(found(&sought), [("/srv/main", true)]);
    // A worktree: likely only where its name stays.
    let gone = at("/srv/gone", &worktree);
    let sought = world.sought("/srv/gone", Some(&gone), &[], &[]);
    let all = [("/srv/apart/moved", false), ("/srv/wt", false)];
    assert_eq!(found(&sought), all);
    let moved = at("/srv/moved", &worktree);
    let sought = world.sought("/srv/moved", Some(&moved), &[], &[]);
    let all = [("/srv/apart/moved", true), ("/srv/wt", false)];
    assert_eq!(found(&sought), all);
}

#[test]
fn without_git_the_name_and_the_cited_files_speak() {
    let world = World::new(&[
        "/home/u/code/shop/src/pay.rs",
        "/home/u/code/shop/Cargo.toml",
        "/home/u/old/shop/README.md",
        "/home/u/x/y/shop/src/pay.rs",
    ]);
    let cited = ["src/pay.rs", "Cargo.toml", "docs/gone.md"];
    let sought = world.sought("/home/u/work/shop", None, &cited, &[]);
    assert_eq!(
        found(&sought),
        [
            ("/home/u/code/shop", true),
            ("/home/u/x/y/shop", false),
            ("/home/u/old/shop", false)
        ]
    );
    assert_eq!(
        sought.candidates[0][0].why,
        "the same name, 2 of 3 files that its memories cite"
    );
}

#[test]
fn a_folder_is_known_by_the_names_in_it() {
    let files = ["a", "b", "c", "d", "e"].map(|name| format!("/srv/new/{name}"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let world = World::new(&files);
    let kept = Identity {
        path: "/srv/old".into(),
        names: ["a", "b", "c", "d", "z"].map(str::to_string).to_vec(),
        ..Identity::default()
    };
    let sought = world.sought("/srv/old", Some(&kept), &[], &[]);
    assert_eq!(found(&sought), [("/srv/new", true)]);
    let other = Identity {
        names: ["a", "b", "x", "y", "z"].map(str::to_string).to_vec(),
        ..kept
    };
    assert_eq!(found(&world.sought("/srv/old", Some(&other), &[], &[])), []);
}

/// Where is looked: below the ancestors up to the home, beside known working directories, three deep;
/// not in hidden folders, what tools filled, the config home, and repositories.
#[test]
fn the_search_is_bounded() {
    let world = World::new(&[
        "/home/u/a/b/shop/",
        "/home/u/a/b/c/shop/",
        "/home/u/.x/shop/",
        "/home/u/node_modules/shop/",
        "/home/u/repo/.git/",
        "/home/u/repo/shop/",
        "/elsewhere/shop/",
        "/far/p/",
        "/far/shop/",
    ]);
    let sought = world.sought("/home/u/work/shop", None, &[], &["/far/p"]);
    assert_eq!(
        found(&sought),
        [("/far/shop", false), ("/home/u/a/b/shop", false)]
    );
    assert!(!sought.cut);
    // Outside the home it is looked up to below the root.
    let sought = world.sought("/far/q/shop", None, &[], &[]);
    assert_eq!(found(&sought), [("/far/shop", false)]);
}

#[test]
fn it_ends_when_it_is_told_to_and_says_so() {
    let folders: Vec<String> = (0..100).map(|number| format!("/srv/f{number}/")).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let world = World::new(&folders);
    let left = std::sync::atomic::AtomicUsize::new(10);
    let stop = || left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0;
    let sought = world.stopped("/srv/old", None, &[], &[], &stop);
    assert!(sought.cut);
    assert_eq!(sought.listed, 10);
}

/// Memories are read for what they cite only where a folder's name fits, and once.
#[test]
fn what_is_cited_is_asked_for_once_and_late() {
    let world = World::new(&["/srv/a/shop/", "/srv/b/shop/", "/srv/c/"]);
    let asked = Cell::new(0);
    let field = Field {
        disk: &world.disk,
        home: Path::new("/home/u"),
        known: &[],
        taken: &world.taken,
        barred: Path::new("/none"),
    };
    let lost = |path| Lost {
        path: Path::new(path),
        identity: None,
        cited: Box::new(|| {
            asked.set(asked.get() + 1);
            Vec::new()
        }),
    };
    let sought = seek(&field, &[lost("/srv/x/shop"), lost("/srv/x/other")], NEVER);
    assert_eq!(
        (sought.candidates[0].len(), sought.candidates[1].len()),
        (2, 0)
    );
    assert_eq!(asked.get(), 1);
}
