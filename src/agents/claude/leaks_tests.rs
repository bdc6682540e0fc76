use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::safety::secret::Allowed;
use crate::safety::secret::tests::planted;

struct World {
    _root: tempfile::TempDir,
    store: Claude,
    folder: PathBuf,
}

fn world() -> World {
    let root = tempfile::tempdir().unwrap();
    let real = root.path().canonicalize().unwrap();
    let (home, cwd) = (real.join("home"), real.join("proj"));
    for folder in [home.join(".claude"), cwd.clone(), real.join("trash")] {
        fs::create_dir_all(folder).unwrap();
    }
    let store = Claude::open(Setup {
        disk: Disk::system(),
        vars: BTreeMap::default(),
        home,
        config_home: None,
        cwd,
        now: Moment::default(),
    })
    .unwrap();
    let folder = store.here().folder;
    fs::create_dir_all(folder.join("team")).unwrap();
    World {
        _root: root,
        store,
        folder,
    }
}

/// A memory with a secret in its second line, and the secret.
fn leaky() -> (String, String) {
    let (_, text, value) = planted().remove(0);
    (format!("a fact\n{text}\n"), value)
}

impl World {
    fn write(&self, file: &str, before: Option<&str>, after: &str, author: Author) -> ChangeSet {
        let op = Op::Write {
            path: self.folder.join(file),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: after.as_bytes().to_vec(),
            age: Age::Set,
        };
        ChangeSet::new("a change", author).with(op, "its file")
    }

    fn moved(&self, from: PathBuf, to: &str) -> ChangeSet {
        let to = self.folder.join(to);
        ChangeSet::new("a move", Author::You).with(Op::Move { from, to }, "its file")
    }
}

#[test]
fn a_private_secret_is_asked_about_and_the_teams_is_refused() {
    let (world, (text, value)) = (world(), leaky());
    let private = world.write("a.md", None, &text, Author::You);
    assert_eq!(world.store.refusal(&private), None);
    let asked = world.store.leak_asked(&private).unwrap();
    assert!(
        asked.contains("a.md:2 would hold what looks like a credential (GitHub token, "),
        "{asked}"
    );
    assert!(!asked.contains(&value[..5]), "{asked}");
    for file in ["team/a.md", "team/MEMORY.md", "team/deep/a.md"] {
        let team = world.write(file, None, &text, Author::You);
        let said = world.store.refusal(&team).unwrap();
        assert!(
            said.contains("what is the team's goes to others: nothing was written"),
            "{said}"
        );
        assert!(!said.contains(&value[..5]), "{said}");
    }
    let plain = world.write("team/a.md", None, "a fact\n", Author::You);
    assert_eq!(
        (world.store.refusal(&plain), world.store.leak_asked(&plain)),
        (None, None)
    );
}

#[test]
fn what_a_file_holds_already_is_not_asked_about_again() {
    let (world, (text, _)) = (world(), leaky());
    let more = format!("{text}more\n");
    for file in ["a.md", "team/a.md"] {
        let set = world.write(file, Some(&text), &more, Author::You);
        assert_eq!(
            (world.store.refusal(&set), world.store.leak_asked(&set)),
            (None, None)
        );
    }
    let second = more.replace("see ", "see it as ");
    let set = world.write("a.md", Some("a fact\n"), &second, Author::You);
    assert!(world.store.leak_asked(&set).is_some());
    let transcript = world.write("a.jsonl", None, &text, Author::You);
    assert_eq!(world.store.leak_asked(&transcript), None);
}

#[test]
fn a_memory_that_is_given_to_the_team_is_looked_at() {
    let (world, (text, value)) = (world(), leaky());
    fs::write(world.folder.join("a.md"), &text).unwrap();
    let given = world.moved(world.folder.join("a.md"), "team/a.md");
    let said = world.store.refusal(&given).unwrap();
    assert!(said.contains("team/a.md:2 "), "{said}");
    let allowed = world.store.clone().letting_pass(Allowed::new([value]));
    assert_eq!(allowed.refusal(&given), None);
    // Out of the team's folder it was no secret any more.
    fs::rename(world.folder.join("a.md"), world.folder.join("team/a.md")).unwrap();
    let back = world.moved(world.folder.join("team/a.md"), "a.md");
    assert_eq!(
        (world.store.refusal(&back), world.store.leak_asked(&back)),
        (None, None)
    );
    // What was in the trash was there before.
    let trash = world.store.home().parent().unwrap().join("trash.md");
    fs::write(&trash, &text).unwrap();
    assert_eq!(world.store.refusal(&world.moved(trash, "team/b.md")), None);
}

#[test]
fn an_agent_writes_no_secret_and_no_mask_over_one() {
    let (world, (text, _)) = (world(), leaky());
    for author in [Author::Agent, Author::Extract, Author::Dream] {
        let set = world.write("a.md", None, &text, author);
        let said = world.store.refusal(&set).unwrap();
        assert!(said.contains("a memory is no place for it"), "{said}");
        let masked = secret::mask(&text, &Allowed::default()).into_owned();
        let over = world.write("a.md", Some(&text), &masked, author);
        let said = world.store.refusal(&over).unwrap();
        assert!(said.contains("shown masked"), "{said}");
        // A new memory may hold the mask: it tells that there is one, and not which.
        let new = world.write("b.md", None, &masked, author);
        assert_eq!(world.store.refusal(&new), None);
        let beside = world.write("a.md", Some(&text), &format!("{text}more\n"), author);
        assert_eq!(world.store.refusal(&beside), None);
    }
}
