use super::fixture::{World, good};
use super::*;

#[test]
fn a_good_folder_has_no_findings() {
    let world = World::new();
    assert_eq!(world.found(), Vec::<String>::new());
}

#[test]
fn a_folder_that_is_not_there_has_none_and_words_are_read_back() {
    let disk = Disk::system();
    let place = Path::new("/nowhere/memory");
    let rules = Rules::default();
    let examined = examine(&disk, "k", place, &rules, Moment::default());
    assert!(examined.findings.is_empty() && examined.memories.is_empty());
    for code in Code::ALL {
        assert_eq!(Code::read(code.word()), Some(code));
    }
}

#[test]
fn findings_are_sorted_and_counted_and_the_configuration_sets_how_loud_they_are() {
    use crate::config::health::{Health, Level};
    let mut world = World::new();
    world.file("two.md", good("two"));
    world.file("MEMORY.md", "- [Gone](gone.md)\n# Empty\n");
    let found = [
        "dangling error MEMORY.md:1",
        "ghost warning one.md",
        "ghost warning two.md",
        "index-section-empty note MEMORY.md:2",
    ];
    assert_eq!(world.found(), found);
    let counts = Counts::of(&world.findings());
    assert_eq!((counts.errors, counts.warnings, counts.notes), (1, 2, 1));
    assert!(counts.is_bad());
    let mut health = Health::default();
    for (word, level) in [("ghost", Level::Off), ("dangling", Level::Note)] {
        health.levels.insert(word.to_string(), level);
    }
    world.rules = Rules::from(&health);
    let found = [
        "dangling note MEMORY.md:1",
        "index-section-empty note MEMORY.md:2",
    ];
    assert_eq!(world.found(), found);
    assert!(!Counts::of(&world.findings()).is_bad());
}

#[test]
fn what_one_code_finds_in_a_folder_is_bounded_and_the_last_says_how_many_more() {
    let links: String = (0..1_500).map(|n| format!("[[gone-{n}]]\n")).collect();
    let world = World::one(format!("{}{links}", fixture::head("one")));
    let mut findings = world.findings();
    findings.retain(|one| one.code == Code::LinkBroken);
    assert_eq!(findings.len(), 1_000);
    let last = &findings[999].message;
    assert!(last.ends_with("(and 500 more like it)"), "{last}");
}

#[test]
fn an_index_that_leads_out_is_said_and_read_but_not_written() {
    let world = World::new();
    let outside = world.root.path().join("outside.md");
    std::fs::write(&outside, "- [Gone](gone.md)\n- [One](one.md)\n").unwrap();
    world.remove("MEMORY.md");
    std::os::unix::fs::symlink(&outside, world.folder().join("MEMORY.md")).unwrap();
    let found = ["dangling error MEMORY.md:1", "unsafe-path error MEMORY.md"];
    assert_eq!(world.found(), found);
    assert_eq!(world.the(Code::Dangling).fix, None);
}

#[test]
fn an_index_that_cannot_be_read_makes_no_ghosts() {
    let world = World::new();
    world.remove("MEMORY.md");
    std::os::unix::fs::symlink("MEMORY.md", world.folder().join("MEMORY.md")).unwrap();
    assert_eq!(world.found(), ["unsafe-path error MEMORY.md"]);
}

/// What a hostile file costs grows with its bytes. A debug build reads each of these within some
/// seconds; a square would take hours.
#[test]
fn hostile_files_cost_what_their_bytes_cost() {
    const MANY: usize = 60_000;
    let before = std::time::Instant::now();
    let head = fixture::head("one");
    for text in [
        format!("{head}{}", "[[".repeat(MANY)),
        format!("{head}{}", "[[a]] ".repeat(MANY)),
        format!("{head}{}", "last week ".repeat(MANY)),
        format!("{head}{}", "last week\n`".repeat(MANY)),
        format!("{head}{}", "上周 ".repeat(MANY)),
        format!("{head}{}", "\u{200B}".repeat(MANY)),
        format!("{head}{}", "<!-- ".repeat(MANY)),
        format!("---\n{}---\nx\n", "a: b: c\n".repeat(MANY)),
        format!("---\n{}---\nx\n", "\ta: b\n".repeat(MANY)),
        format!("---\n{}", "type: user\n".repeat(MANY)),
    ] {
        let world = World::one(&text);
        assert!(!world.findings().is_empty(), "{}", &text[..200]);
    }
    for index in [
        "- [A](one.md) — x\n".repeat(MANY),
        "- [A](gone.md) — x\n".repeat(MANY),
        format!(
            "- [A](one.md) — {}\n{}",
            "x".repeat(MANY),
            "- [A](one.md) — y\n".repeat(MANY)
        ),
        format!("- [A](one.md)\n{}", "goes on\n".repeat(MANY)),
        "# a\n".repeat(MANY),
        "- [A](".repeat(MANY),
        "[[one]]".repeat(MANY),
        "| one.md ".repeat(MANY),
    ] {
        let world = World::index(&index);
        let found = world.findings().len();
        assert!(found <= 5_000, "{found}");
    }
    assert!(before.elapsed().as_secs() < 120, "{:?}", before.elapsed());
}
