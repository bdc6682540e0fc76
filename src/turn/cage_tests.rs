use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn world() -> (tempfile::TempDir, PathBuf, Cage) {
    let root = tempfile::tempdir().unwrap();
    let real = root.path().canonicalize().unwrap();
    for folder in ["home/mem/sub", "proj/src", "proj-other", "out"] {
        fs::create_dir_all(real.join(folder)).unwrap();
    }
    for file in [
        "home/mem/a.md",
        "proj/src/main.rs",
        "proj-other/x",
        "out/secret",
    ] {
        fs::write(real.join(file), "x").unwrap();
    }
    let cage = Cage::new(
        &Disk::system(),
        &real.join("home"),
        &real.join("proj/src"),
        &real.join("proj"),
        Some(&real.join("home/mem")),
    );
    (root, real, cage)
}

#[test]
fn what_lies_below_the_project_or_the_memory_folder_is_read() {
    let (_root, real, cage) = world();
    for (typed, path, in_memory) in [
        ("main.rs", "proj/src/main.rs", false),
        ("./../src/main.rs", "proj/src/main.rs", false),
        ("~/mem/a.md", "home/mem/a.md", true),
        ("nowhere.rs", "proj/src/nowhere.rs", false),
    ] {
        let spot = cage.readable(typed).unwrap();
        assert_eq!(
            (spot.path(), spot.in_memory()),
            (&*real.join(path), in_memory),
            "{typed}"
        );
        assert_eq!(spot.real(&Disk::system()), real.join(path));
    }
    let root = cage.readable("..").unwrap();
    assert_eq!(
        root,
        Spot::Root {
            path: real.join("proj"),
            in_memory: false
        }
    );
}

#[test]
fn what_lies_elsewhere_is_refused_with_the_reason() {
    let (_root, real, cage) = world();
    symlink(real.join("out/secret"), real.join("proj/link")).unwrap();
    symlink(real.join("out"), real.join("home/mem/folder")).unwrap();
    symlink("nowhere", real.join("proj/dangling")).unwrap();
    symlink("loop", real.join("proj/loop")).unwrap();
    let outside = "only what lies below the project";
    for (typed, why) in [
        ("", "no path"),
        ("a\0b", "NUL"),
        ("/etc/passwd", outside),
        ("../../out/secret", outside),
        ("../../proj-other/x", outside),
        ("~/../out/secret", outside),
        ("../link", "leads out of its folder"),
        ("~/mem/folder/secret", "leads out of its folder"),
        ("../dangling", "leads nowhere"),
        ("../loop", "circle"),
        ("main.rs/x", "no regular file"),
    ] {
        let said = cage.readable(typed).unwrap_err();
        assert!(said.contains(why), "{typed}: {said}");
    }
}

#[test]
fn only_the_memory_folder_is_written() {
    let (_root, real, cage) = world();
    symlink(real.join("out"), real.join("home/mem/folder")).unwrap();
    let (inside, path) = cage
        .writable(&real.join("home/mem/sub/new.md").display().to_string())
        .unwrap();
    assert_eq!(
        (inside.place(), &*path),
        (real.join("home/mem/sub/new.md"), "sub/new.md")
    );
    for (typed, why) in [
        ("main.rs", "only what lies below the memory folder"),
        ("~/mem/../out/x.md", "upwards"),
        ("~/mem/%2e%2e/x.md", "percent-decoded"),
        ("~/mem/．．/x.md", "Unicode"),
        ("~/mem/a\\b.md", "backslash"),
        ("~/mem/folder/x.md", "leads out of its folder"),
        ("~/mem/", "no file"),
        ("a\0.md", "NUL"),
    ] {
        let said = cage.writable(typed).unwrap_err();
        assert!(said.contains(why), "{typed}: {said}");
    }
    let without = Cage::new(&Disk::system(), &real, &real, &real, None);
    assert!(
        without
            .writable("x.md")
            .unwrap_err()
            .starts_with("there is no memory folder")
    );
}
