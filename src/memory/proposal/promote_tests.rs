use super::*;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::proposal::{Demotion, Wish, wished};
use crate::memory::scan;

#[test]
fn one_sentence_is_a_line_and_more_is_a_section() {
    assert_eq!(as_rule("no-force-push", "Never push."), "- Never push.\n");
    assert_eq!(
        as_rule("no-force-push", "Never push.\n\n**Why:** lost work."),
        "## No force push\n\nNever push.\n\n**Why:** lost work.\n"
    );
    assert_eq!(as_rule("x", "# Its own\n\nText."), "# Its own\n\nText.\n");
    assert_eq!(as_rule("steps", "- one"), "## Steps\n\n- one\n");
}

#[test]
fn a_line_goes_on_a_list_and_stands_apart_from_anything_else() {
    assert_eq!(with("", "- a\n"), "- a\n");
    assert_eq!(with("# Rules\n\n- b", "- a\n"), "# Rules\n\n- b\n- a\n");
    assert_eq!(with("Text.\n\n\n", "- a\n"), "Text.\n\n- a\n");
    assert_eq!(
        with("- b\r\n", "## A\n\nx\n"),
        "- b\r\n\r\n## A\r\n\r\nx\r\n"
    );
}

/// What was looked at is what is done: a rules file that became a link in between is another place.
#[test]
fn a_rules_file_that_leads_elsewhere_since_the_look_is_refused() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| root.path().join(name);
    let memory = at("memory");
    std::fs::create_dir(&memory).expect("a folder");
    std::fs::write(memory.join("a.md"), "---\nname: a\n---\nText.\n").expect("a file");
    for name in ["CLAUDE.md", "other.md"] {
        std::fs::write(at(name), "# Rules\n\n## Part\n\n- Said.\n").expect("a file");
    }
    let disk = Disk::system();
    let memories = scan::heads(&disk, &memory, scan::list(&disk, &memory).memories);
    let folder = Folder {
        disk: &disk,
        path: &memory,
        memories: &memories,
    };
    let promote = Wish::Promote {
        path: "a.md".to_string(),
        cwd: PathBuf::new(),
        target: Target {
            to: at("CLAUDE.md"),
            title: "CLAUDE.md".to_string(),
            every_project: false,
            outside: None,
            seen: None,
        },
    };
    let demote = Wish::Demote(Demotion {
        rule: at("CLAUDE.md"),
        title: "CLAUDE.md".to_string(),
        lines: Some((3, 5)),
        seen: "## Part\n\n- Said.\n".to_string(),
        outside: None,
        seen_at: None,
        name: "part".to_string(),
        kind: MemoryType::User,
        notes: Vec::new(),
        first: None,
        cwd: PathBuf::new(),
    });
    let mut wishes = [promote, demote];
    let proposed = |wish: &Wish| wished(&folder, wish, Moment::default());
    for wish in &mut wishes {
        let shown = proposed(wish).expect("it is shown");
        wish.was_shown(&shown);
        assert!(proposed(wish).is_ok(), "nothing was changed");
    }
    std::fs::remove_file(at("CLAUDE.md")).expect("it goes");
    std::os::unix::fs::symlink(at("other.md"), at("CLAUDE.md")).expect("a link");
    for wish in &wishes {
        let refused = proposed(wish).expect_err("it leads elsewhere");
        assert_eq!(
            refused.to_string(),
            format!(
                "{} leads elsewhere by now: nothing was written; look at it again",
                at("CLAUDE.md").display()
            )
        );
    }
}
