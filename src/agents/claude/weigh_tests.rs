//! What is told of a turn's cost, with and without a cut, and of what goes with a rule.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::store::change::{Age, Author};

const FOLDER: &str = "/home/u/.claude/projects/-srv-p/memory";

struct World(tempfile::TempDir);

impl World {
    fn with(files: &[(&str, &str)]) -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for path in ["/srv/p", "/home/u", FOLDER] {
            fs::create_dir_all(world.0.path().join(&path[1..])).unwrap();
        }
        for (path, text) in files {
            fs::write(world.0.path().join(&path[1..]), text).unwrap();
        }
        world
    }

    fn said(&self, set: &ChangeSet) -> Vec<String> {
        let store = Claude::open(Setup {
            disk: Disk::below(self.0.path()).unwrap(),
            vars: std::collections::BTreeMap::new(),
            home: PathBuf::from("/home/u"),
            config_home: None,
            cwd: PathBuf::from("/srv/p"),
            now: Moment::from_seconds(1_800_000_000),
        });
        let store = store.unwrap();
        store.weigh(Path::new("/srv/p"), Path::new(FOLDER), set)
    }
}

fn write(path: &str, before: Option<&str>, after: &str) -> Op {
    Op::Write {
        path: PathBuf::from(path),
        before: before.map(|text| text.as_bytes().to_vec()),
        after: after.as_bytes().to_vec(),
        age: Age::Keep,
    }
}

fn set(ops: impl IntoIterator<Item = Op>) -> ChangeSet {
    let set = ChangeSet::new("a change", Author::You);
    ops.into_iter().fold(set, |set, op| set.with(op, "why"))
}

fn index(before: &str, after: &str) -> Op {
    write(&format!("{FOLDER}/MEMORY.md"), Some(before), after)
}

#[test]
fn a_line_that_is_sent_is_saved_and_a_new_file_has_a_line_that_names_it() {
    let world = World::with(&[]);
    let lines = index("- [A](a.md) - twelve\n- [B](b.md)\n", "- [B](b.md)\n");
    let line =
        "Contents of /srv/p/CLAUDE.md (project instructions, checked into the codebase):\n\n";
    let costs = line.len().div_ceil(3) + 4;
    assert_eq!(
        world.said(&set([
            lines,
            write("/srv/p/CLAUDE.md", None, "twelve chars\n")
        ])),
        [format!(
            "tokens a turn: ≈ 11 → ≈ 4 of the index, ≈ {costs} more of rules"
        )]
    );
}

#[test]
fn a_rule_that_grows_costs_what_is_added() {
    let world = World::with(&[("/srv/p/CLAUDE.md", "abc\n")]);
    let grown = write("/srv/p/CLAUDE.md", Some("abc\n"), "abc\n- twelve chars\n");
    let lines = index("- [B](b.md)\n", "");
    assert_eq!(
        world.said(&set([lines, grown])),
        ["tokens a turn: ≈ 4 → ≈ 0 of the index, ≈ 5 more of rules"]
    );
}

#[test]
fn a_memory_without_a_line_leaves_the_index_as_it_is() {
    let line = format!("- [B](b.md) — {}\n", "x".repeat(3_000));
    let world = World::with(&[(&format!("{FOLDER}/MEMORY.md"), &line)]);
    let rule = write("/srv/p/CLAUDE.md", Some("abc\n"), "abc\n");
    let said = world.said(&set([rule]));
    assert!(
        said[0]
            .starts_with("tokens a turn: ≈ 1,005 of the index, unchanged: it has no line there, "),
        "{said:?}"
    );
}

#[test]
fn a_line_below_the_cut_saves_nothing_and_one_that_moves_up_may_cost() {
    let line = |at: usize| format!("- [Memory {at:03}](m{at:03}.md) - a hook\n");
    let long = |at: usize| match at {
        201 => format!("- [Memory {at:03}](m{at:03}.md) - {}\n", "h".repeat(300)),
        _ => line(at),
    };
    let all: String = (1..=230).map(line).collect();
    let without = |gone: usize, line: &dyn Fn(usize) -> String| -> String {
        (1..=230).filter(|at| *at != gone).map(line).collect()
    };
    let world = World::with(&[]);
    for gone in [221, 10] {
        let said = world.said(&set([index(&all, &without(gone, &line))]));
        assert!(
            said[0].contains("(a line below the cut is not sent)"),
            "{said:?}"
        );
    }
    let all: String = (1..=230).map(long).collect();
    let said = world.said(&set([index(&all, &without(10, &long))]));
    let why = "of the index (dearer: an entry from below the cut moves up), ";
    assert!(said[0].contains(why), "{said:?}");
}

/// What a file imports goes with it, and is in what is saved; in the memory an import does nothing.
#[test]
fn what_a_demoted_file_imports_goes_with_it() {
    let world = World::with(&[
        ("/srv/p/CLAUDE.md", "Be brief.\n\n@deep1.md\n\n@deep2.md\n"),
        ("/srv/p/deep1.md", "abc\n"),
        ("/srv/p/deep2.md", "abcdef\n"),
    ]);
    let memory = "---\nname: m\n---\n\nBe brief.\n\n@deep1.md\n\n@deep2.md\n";
    let goes = Op::Trash {
        path: PathBuf::from("/srv/p/CLAUDE.md"),
    };
    let said = world.said(&set([
        write(&format!("{FOLDER}/m.md"), None, memory),
        index("", "- [m](m.md)\n"),
        goes,
    ]));
    let line = |name: &str, lead: usize| {
        let line = format!(
            "Contents of /srv/p/{name} (project instructions, checked into the codebase):\n\n"
        );
        (line.len() + lead).div_ceil(3)
    };
    let (one, two) = (line("deep1.md", 2) + 1, line("deep2.md", 2) + 2);
    let saved = line("CLAUDE.md", 0) + 11 + one + two;
    assert_eq!(
        said,
        [
            format!("tokens a turn: ≈ 0 → ≈ 4 of the index, ≈ {saved} less of rules"),
            format!(
                "with it go deep1.md (≈ {one}), deep2.md (≈ {two}): nothing imports them any more, what they cost is in what is saved"
            ),
            "@deep1.md, @deep2.md: an import in a memory does nothing, it is text there"
                .to_string(),
        ]
    );
}

#[test]
fn a_rule_that_waits_is_told_as_one() {
    let head = "---\npaths: \"*.css\"\n---\n";
    let world = World::with(&[]);
    fs::create_dir_all(world.0.path().join("srv/p/.claude/rules")).unwrap();
    let path = "/srv/p/.claude/rules/css.md";
    fs::write(world.0.path().join(&path[1..]), format!("{head}abc\n")).unwrap();
    let grown = write(path, Some(""), &format!("{head}abcdef\n"));
    let said = world.said(&set([grown]));
    assert!(
        said[0].ends_with(", ≈ 1 more of rules once it is loaded"),
        "{said:?}"
    );
}
