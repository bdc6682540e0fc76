use std::fs;

use super::*;
use crate::project::Census;

fn project(path: &str, origin: Origin, at: Option<(&str, bool)>) -> Project {
    let candidate = |(path, likely): (&str, bool)| Candidate {
        path: PathBuf::from(path),
        score: 40,
        why: "the same first commit".to_string(),
        likely,
    };
    Project {
        key: path.replace('/', "-"),
        folder: PathBuf::new(),
        memory: PathBuf::new(),
        path: Some(PathBuf::from(path)),
        origin,
        evidence: Vec::new(),
        candidates: at.map(candidate).into_iter().collect(),
        census: Census::default(),
        guests: Vec::new(),
        memory_key: String::new(),
        notes: Vec::new(),
    }
}

#[test]
fn what_lay_in_a_project_that_moved_has_moved_with_it() {
    let top = tempfile::tempdir().expect("a temporary folder");
    for folder in [
        "srv/new/sub",
        "srv/new/src",
        "srv/new/lib",
        "srv/inner/deep",
    ] {
        fs::create_dir_all(top.path().join(folder)).expect("a folder");
    }
    let disk = Disk::below(top.path()).expect("a sysroot");
    let mut all = [
        project("/srv/old", Origin::Moved, Some(("/srv/new", true))),
        project("/srv/old/sub", Origin::Orphaned, None),
        // Another place that was found by its name alone comes after.
        project("/srv/old/src", Origin::Orphaned, Some(("/srv/src", false))),
        project("/srv/old/gone", Origin::Orphaned, None),
        project("/srv/older", Origin::Orphaned, None),
        // This one went another way before.
        project("/srv/old/mod", Origin::Moved, Some(("/srv/inner", true))),
        project("/srv/old/mod/deep", Origin::Orphaned, None),
        // A clone is like it.
        project("/srv/old/lib", Origin::Moved, Some(("/srv/clone", true))),
        project("/srv/new/lib", Origin::Live, None),
    ];
    moved_along(&disk, &mut all);
    let is = |at: usize, origin: Origin, paths: &[&str]| {
        let found: Vec<&Path> = all[at].candidates.iter().map(|one| &*one.path).collect();
        let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
        assert_eq!((all[at].origin, found), (origin, paths), "{at}");
    };
    is(1, Origin::Moved, &["/srv/new/sub"]);
    is(2, Origin::Moved, &["/srv/new/src", "/srv/src"]);
    is(3, Origin::Orphaned, &[]);
    is(4, Origin::Orphaned, &[]);
    is(5, Origin::Moved, &["/srv/inner"]);
    is(6, Origin::Moved, &["/srv/inner/deep"]);
    is(7, Origin::Moved, &["/srv/new/lib", "/srv/clone"]);
    is(8, Origin::Live, &[]);
    let why = "/srv/old has moved with all in it: the same first commit";
    assert_eq!(all[1].candidates[0].why, why);
}
