use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time::Moment;

fn store(root: &Path) -> Claude {
    for file in [
        "srv/p/src/main.rs",
        "srv/p/src/mail.rs",
        "srv/p/scripts/x",
        "srv/p/.hidden",
        "srv/p/日本/a",
        "home/u/notes.tar",
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    Claude::open(Setup {
        disk: Disk::below(root).unwrap(),
        vars: BTreeMap::new(),
        home: PathBuf::from("/home/u"),
        config_home: None,
        cwd: PathBuf::from("/srv/p"),
        now: Moment::from_seconds(1_800_000_000),
    })
    .unwrap()
}

#[test]
fn a_path_is_completed_as_far_as_all_that_begins_so_is_alike() {
    let root = tempfile::tempdir().unwrap();
    let store = store(root.path());
    let of = |typed: &str| {
        let done = complete(&store, typed, None).unwrap();
        (done.text, done.names)
    };
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
    assert_eq!(of("sr"), ("src/".to_string(), names(&[])));
    assert_eq!(of("s"), ("s".to_string(), names(&["scripts/", "src/"])));
    assert_eq!(
        of("src/m"),
        ("src/mai".to_string(), names(&["mail.rs", "main.rs"]))
    );
    assert_eq!(of("src/main"), ("src/main.rs".to_string(), names(&[])));
    assert_eq!(of("~/n"), ("~/notes.tar".to_string(), names(&[])));
    assert_eq!(of("/srv/p/日"), ("/srv/p/日本/".to_string(), names(&[])));
    assert_eq!(of(".h"), (".hidden".to_string(), names(&[])));
    assert_eq!(of("").1, names(&["scripts/", "src/", "日本/"]));
}

#[test]
fn another_folder_may_be_where_it_begins_and_what_is_not_there_is_said() {
    let root = tempfile::tempdir().unwrap();
    let store = store(root.path());
    let below = complete(&store, "ma", Some(Path::new("/srv/p/src"))).unwrap();
    assert_eq!(below.text, "mai");
    assert_eq!(
        complete(&store, "x", None).unwrap_err(),
        "nothing in /srv/p begins with \"x\""
    );
    let said = complete(&store, "gone/x", None).unwrap_err();
    assert!(said.starts_with("/srv/p/gone can't be listed: "), "{said}");
}
