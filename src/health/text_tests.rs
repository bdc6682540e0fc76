use crate::health::Code;
use crate::health::fixture::{World, head};

const NONE: [&str; 0] = [];

#[test]
fn not_text() {
    let bytes = |bytes: &[u8]| [head("one").as_bytes(), b"\nfact\n", bytes].concat();
    let world = World::one(bytes(b"caf\xe9\n"));
    assert_eq!(world.found(), ["not-text error one.md:10"]);
    assert!(
        world
            .the(Code::NotText)
            .message
            .starts_with("byte 0xe9 on line 10")
    );
    assert_eq!(World::one(bytes("café\n".as_bytes())).found(), NONE);
    let world = World::new();
    world.file("logs/2026/09/2026-09-20.md", b"\xff");
    assert_eq!(
        world.found(),
        ["not-text error logs/2026/09/2026-09-20.md:1"]
    );
    let world = World::index(b"- [One](one.md) \xff\n");
    assert_eq!(world.found(), ["not-text error MEMORY.md:1"]);
}

#[test]
fn invisible_text() {
    let with = |text: &str| World::one(format!("{}\nfact\n{text}\n", head("one")));
    for hidden in ["\u{202E}", "a\u{200B}b", "\u{E0041}\u{E0042}", "a\x1b[2Jb"] {
        assert_eq!(
            with(hidden).found(),
            ["invisible-text note one.md:10"],
            "{hidden:?}"
        );
    }
    for plain in ["👩\u{200D}💻", "a\tb", "ü 数", "\u{FEFF}"] {
        let expected = if plain == "\u{FEFF}" {
            vec!["invisible-text note one.md:10"]
        } else {
            vec![]
        };
        assert_eq!(with(plain).found(), expected, "{plain:?}");
    }
    // A BOM at the start is none.
    assert_eq!(
        World::one(format!("\u{FEFF}{}\nfact\n", head("one"))).found(),
        NONE
    );
    let world = World::index("- [One\u{2066}](one.md)\n");
    assert_eq!(world.found(), ["invisible-text note MEMORY.md:1"]);
}

#[test]
fn unsafe_path() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let folder = world.folder();
    std::fs::write(world.root.path().join("secret.md"), "x").unwrap();
    symlink("../secret.md", folder.join("out.md")).unwrap();
    symlink("loop.md", folder.join("loop.md")).unwrap();
    symlink("nowhere.md", folder.join("dangling.md")).unwrap();
    symlink("one.md", folder.join("inside.md")).unwrap();
    symlink("/", folder.join("root")).unwrap();
    symlink("/", folder.join("sub.md")).unwrap();
    let mut found = world.found();
    found.retain(|one| one.starts_with("unsafe"));
    assert_eq!(
        found,
        [
            "unsafe-path error dangling.md",
            "unsafe-path error loop.md",
            "unsafe-path error out.md",
            "unsafe-path error root",
            "unsafe-path error sub.md",
        ]
    );
    let world = World::index("- [One](one.md)\n- [Out](../../x.md) — what is to be known\n");
    assert_eq!(world.found(), ["unsafe-path error MEMORY.md:2"]);
}
