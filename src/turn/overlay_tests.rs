use std::fs;

use super::*;

struct World {
    root: tempfile::TempDir,
    overlay: Overlay,
}

impl World {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            overlay: Overlay::default(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn text(&self, name: &str) -> Option<String> {
        self.overlay
            .text(&Disk::system(), &self.path(name))
            .unwrap()
    }

    /// Proposes that files become these texts, from what they read as now.
    fn propose(&mut self, id: &str, files: &[(&str, Option<&str>)]) {
        let files = files.iter().map(|(name, after)| FileChange {
            path: self.path(name),
            before: self.text(name),
            after: after.map(str::to_string),
            keeps_age: false,
        });
        let files = files.collect();
        self.overlay.pending.push(Proposal {
            id: id.to_string(),
            title: id.to_string(),
            files,
            by: Author::Agent,
        });
    }

    fn alone(&self, id: &str) -> Option<Vec<(Option<String>, Option<String>)>> {
        let alone = self.overlay.alone(id, &Disk::system())?;
        Some(
            alone
                .files
                .into_iter()
                .map(|file| (file.before, file.after))
                .collect(),
        )
    }
}

#[allow(clippy::unnecessary_wraps, reason = "texts to compare with")]
fn some(text: &str) -> Option<String> {
    Some(text.to_string())
}

#[test]
fn what_is_proposed_reads_back_as_if_it_were_written() {
    let mut world = World::new();
    world.put("a.md", "one\ntwo\nthree\n");
    world.propose(
        "1",
        &[
            ("a.md", Some("one\nTWO\nthree\n")),
            ("new.md", Some("new\n")),
        ],
    );
    world.propose("2", &[("new.md", None)]);
    assert_eq!(world.text("a.md"), some("one\nTWO\nthree\n"));
    assert_eq!(world.text("new.md"), None);
    assert_eq!(
        fs::read_to_string(world.path("a.md")).unwrap(),
        "one\ntwo\nthree\n"
    );
    // What others write meanwhile on other lines is seen too.
    world.put("a.md", "one\ntwo\nthree\nfour\n");
    assert_eq!(world.text("a.md"), some("one\nTWO\nthree\nfour\n"));
}

#[test]
fn a_proposal_is_accepted_without_those_before_it() {
    let mut world = World::new();
    world.put("MEMORY.md", "- [a](a.md) — A\n");
    world.propose(
        "b",
        &[
            ("b.md", Some("B\n")),
            ("MEMORY.md", Some("- [a](a.md) — A\n- [b](b.md) — B\n")),
        ],
    );
    world.propose(
        "c",
        &[
            ("c.md", Some("C\n")),
            (
                "MEMORY.md",
                Some("- [a](a.md) — A\n- [b](b.md) — B\n- [c](c.md) — C\n"),
            ),
        ],
    );
    world.propose("d", &[("b.md", Some("BB\n"))]);
    let index = "- [a](a.md) — A\n- [c](c.md) — C\n";
    assert_eq!(
        world.alone("c"),
        Some(vec![
            (None, some("C\n")),
            (some("- [a](a.md) — A\n"), some(index))
        ])
    );
    // What builds on another one waits for it.
    assert_eq!(world.alone("d"), None);
    assert_eq!(world.alone("e"), None);
}

#[test]
fn what_is_rejected_takes_along_only_what_builds_on_it() {
    let mut world = World::new();
    world.propose(
        "b",
        &[
            ("b.md", Some("B\n")),
            ("MEMORY.md", Some("- [b](b.md) — B\n")),
        ],
    );
    world.propose(
        "c",
        &[
            ("c.md", Some("C\n")),
            ("MEMORY.md", Some("- [b](b.md) — B\n- [c](c.md) — C\n")),
        ],
    );
    world.propose("d", &[("b.md", Some("BB\n"))]);
    let gone = world.overlay.reject("b", &Disk::system());
    assert_eq!(gone.iter().map(|it| &*it.id).collect::<Vec<_>>(), ["d"]);
    assert_eq!(world.text("b.md"), None);
    assert_eq!(world.text("c.md"), some("C\n"));
    assert_eq!(world.text("MEMORY.md"), some("- [c](c.md) — C\n"));
    assert_eq!(world.overlay.reject("b", &Disk::system()), []);
}

#[test]
fn a_proposal_is_a_change_set_of_the_agent_with_its_session() {
    let mut world = World::new();
    world.put("a.md", "A\n");
    world.put("b.md", "B\n");
    world.propose("1", &[("a.md", Some("AA\n")), ("b.md", None)]);
    let set = world.overlay.pending[0].change_set("5e55");
    assert_eq!(
        (set.author, set.session.as_deref()),
        (Author::Agent, Some("5e55"))
    );
    assert_eq!(
        set.changes[0].op,
        Op::Write {
            path: world.path("a.md"),
            before: Some(b"A\n".to_vec()),
            after: b"AA\n".to_vec(),
            age: Age::Set
        }
    );
    assert_eq!(
        set.changes[1].op,
        Op::Trash {
            path: world.path("b.md")
        }
    );
    // Kept in a session and read back it is the same.
    let kept = serde_json::to_string(&world.overlay.pending[0]).unwrap();
    assert_eq!(
        serde_json::from_str::<Proposal>(&kept).unwrap(),
        world.overlay.pending[0]
    );
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let world = World::new();
    fs::write(world.path("a.md"), b"\xff").unwrap();
    let error = world
        .overlay
        .text(&Disk::system(), &world.path("a.md"))
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}
