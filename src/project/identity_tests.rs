use std::fs;

use super::*;

#[test]
fn a_remote_has_one_spelling_and_no_password() {
    for url in [
        "git@Example.org:team/shop.git",
        "https://example.org/team/shop",
        "https://user:password@example.org/team/shop.git/",
        "ssh://git@example.org/team/shop",
    ] {
        let config =
            format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n\tfetch = x\n");
        assert_eq!(
            remote(&config).as_deref(),
            Some("example.org/team/shop"),
            "{url}"
        );
    }
    let two = "[remote \"a\"]\nurl = /srv/a.git\n[remote \"origin\"]\nurl = /srv/b.git\n[branch \"x\"]\nurl = no\n";
    assert_eq!(remote(two).as_deref(), Some("/srv/b"));
    assert_eq!(
        remote("[remote \"a\"]\nurl = C:/x/y\n").as_deref(),
        Some("c/x/y")
    );
    assert_eq!(remote("[core]\nurl = x\n"), None);
    assert_eq!(remote("[remote \"origin\"]\nurl =\n"), None);
}

#[test]
fn a_project_is_known_by_its_repository_and_its_names() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let root = top.path();
    let hash = "0123456789012345678901234567890123456789";
    fs::create_dir_all(root.join(".git/logs")).expect("folders");
    fs::write(root.join(".git/config"), "[remote \"origin\"]\nurl = h:p\n").expect("a file");
    let zero = "0".repeat(40);
    fs::write(
        root.join(".git/logs/HEAD"),
        format!("{zero} {hash} t <t> 1 +0000\tx\n{hash} {zero} t <t> 2 +0000\ty\n"),
    )
    .expect("a file");
    for number in 0..60 {
        fs::write(root.join(format!("f{number:02}")), "").expect("a file");
    }
    let disk = Disk::system();
    let seen = Identity::look(&disk, root).expect("it is there");
    assert_eq!(seen.remote.as_deref(), Some("h/p"));
    assert_eq!(seen.first_commit.as_deref(), Some(hash));
    assert_eq!(seen.names.len(), 50);
    assert_eq!(seen.names[0], "f00");
    assert_eq!(Identity::look(&disk, &root.join("none")), None);
}

#[test]
fn what_is_kept_of_others_stays_and_nothing_new_is_no_write() {
    let one = Identity {
        path: "/a".into(),
        names: vec!["x".to_string()],
        ..Identity::default()
    };
    let two = Identity {
        path: "/b".into(),
        ..Identity::default()
    };
    let bytes = Identities::default()
        .with(vec![one.clone()])
        .expect("it is new");
    let kept = Identities::from_bytes(&bytes);
    assert_eq!(kept.of(Path::new("/a")), Some(&one));
    assert_eq!(kept.clone().with(vec![one.clone()]), None);
    let bytes = kept.with(vec![two.clone()]).expect("it is new");
    let text = String::from_utf8(bytes.clone()).expect("text");
    assert!(
        text.starts_with("{\"v\":1,\"projects\":[{\"path\":\"/a\""),
        "{text}"
    );
    let kept = Identities::from_bytes(&bytes);
    assert_eq!(
        (kept.of(Path::new("/a")), kept.of(Path::new("/b"))),
        (Some(&one), Some(&two))
    );
    assert_eq!(Identities::from_bytes(b"no json"), Identities::default());
}
