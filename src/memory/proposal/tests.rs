//! Proposals from files to files, through the store.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::base::fault::Faults;
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::scan;
use crate::store::Store;
use crate::store::change::{Age, ChangeSet, Op};

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

struct Bench {
    root: tempfile::TempDir,
    disk: Disk,
    folder: PathBuf,
    store: Store,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("memory");
        for (path, text) in files {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        fs::create_dir_all(&folder).expect("a folder");
        let store = Store::new(
            &root.path().join("state"),
            Path::new("/h"),
            None,
            Faults::none(),
        );
        Self {
            root,
            disk: Disk::system(),
            folder,
            store,
        }
    }

    fn propose(&self, make: impl FnOnce(&Folder<'_>) -> Result<ChangeSet>) -> Result<ChangeSet> {
        let memories = scan::heads(
            &self.disk,
            &self.folder,
            scan::list(&self.disk, &self.folder).memories,
        );
        make(&Folder {
            disk: &self.disk,
            path: &self.folder,
            memories: &memories,
        })
    }

    fn apply(&self, make: impl FnOnce(&Folder<'_>) -> Result<ChangeSet>) {
        let set = self.propose(make).expect("a change set");
        self.store.apply(&set, NOW).expect("applied");
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_else(|_| format!("no {name}"))
    }

    fn picture(&self) -> Vec<(String, String)> {
        let mut rows: Vec<_> = fs::read_dir(&self.folder)
            .expect("a listing")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .map(|name| (name.clone(), self.text(&name)))
            .collect();
        rows.sort();
        rows
    }
}

fn memory(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: d\nmetadata:\n  type: user\n---\n\n{body}\n")
}

#[test]
fn a_new_memory_has_the_clients_form_and_an_index_line() {
    let bench = Bench::new(&[]);
    let new = NewMemory {
        name: "Deploy Checklist",
        kind: MemoryType::Project,
        description: "Before: look at the queue",
        body: "The fact.\n\n**Why:** x",
        session: None,
        first: false,
    };
    bench.apply(|folder| create(folder, &new, NOW).map(|created| created.set));
    assert_eq!(
        bench.text("deploy-checklist.md"),
        "---\nname: deploy-checklist\ndescription: \"Before: look at the queue\"\nmetadata:\n  node_type: memory\n  \
         type: project\n  modified: 2026-09-21T14:13:20Z\n---\n\nThe fact.\n\n**Why:** x\n"
    );
    assert_eq!(
        bench.text("MEMORY.md"),
        "- [deploy-checklist](deploy-checklist.md) — Before: look at the queue\n"
    );
    assert!(matches!(
        bench.propose(|folder| create(folder, &new, NOW).map(|c| c.set)),
        Err(ProposalError::Taken { .. })
    ));
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), []);
}

#[test]
fn names_become_slugs_or_are_refused() {
    let slug = |name| create::slug(name).map_err(|error| error.to_string());
    assert_eq!(
        slug("DB_migration v1.2.md").as_deref(),
        Ok("db-migration-v1-2")
    );
    for bad in ["", "ключ", "a/b", "../x", "MEMORY", "---"] {
        assert!(slug(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_new_entry_below_the_cut_is_said() {
    let index: String = (0..205).map(|n| format!("- [T{n}](t{n}.md)\n")).collect();
    let bench = Bench::new(&[("MEMORY.md", &index)]);
    let new = NewMemory {
        name: "x",
        kind: MemoryType::User,
        description: "d",
        body: "",
        session: None,
        first: false,
    };
    let mut below = None;
    bench
        .propose(|folder| {
            let created = create(folder, &new, NOW)?;
            below = created.below_the_cut;
            Ok(created.set)
        })
        .expect("a change set");
    assert_eq!(below, Some(206));
}

#[test]
fn only_description_and_body_make_a_memory_young() {
    let bench = Bench::new(&[("a.md", &memory("a", "body"))]);
    let age = |edit_: Edit<'_>| {
        let set = bench
            .propose(|folder| edit(folder, "a.md", &edit_))
            .expect("a change set");
        set.changes
            .into_iter()
            .map(|change| match change.op {
                Op::Write { age, .. } => age,
                other => panic!("{other:?}"),
            })
            .next()
    };
    assert_eq!(
        age(Edit {
            set: vec![("type", "project")],
            ..Edit::default()
        }),
        Some(Age::Keep)
    );
    assert_eq!(
        age(Edit {
            set: vec![("description", "e")],
            ..Edit::default()
        }),
        Some(Age::Set)
    );
    assert_eq!(
        age(Edit {
            body: Some("new"),
            ..Edit::default()
        }),
        Some(Age::Set)
    );
    assert_eq!(
        age(Edit {
            set: vec![("type", "user")],
            ..Edit::default()
        }),
        None
    );
}

#[test]
fn editing_the_body_leaves_the_block_byte_for_byte() {
    // Cases FM25 and FM29.
    for fixture in [
        include_str!("../../../tests/fixtures/FM25/body-edit.md"),
        include_str!("../../../tests/fixtures/FM29/seq.md"),
    ] {
        let bench = Bench::new(&[("a.md", fixture)]);
        for body in ["One.\n", "Two."] {
            bench.apply(|folder| {
                edit(
                    folder,
                    "a.md",
                    &Edit {
                        body: Some(body),
                        ..Edit::default()
                    },
                )
            });
        }
        let block = crate::base::front_matter::read(fixture).body;
        assert_eq!(bench.text("a.md")[..block], fixture[..block]);
        assert!(bench.text("a.md").ends_with("Two.\n"));
    }
}

#[test]
fn a_bom_stays_and_bytes_that_are_no_text_are_refused() {
    // Case FM13.
    let fixture = include_str!("../../../tests/fixtures/FM13/bom.md");
    let bench = Bench::new(&[("a.md", fixture)]);
    bench.apply(|folder| {
        edit(
            folder,
            "a.md",
            &Edit {
                set: vec![("description", "e")],
                ..Edit::default()
            },
        )
    });
    assert!(
        bench.text("a.md").starts_with("\u{FEFF}---\n")
            && bench.text("a.md").contains("description: e\n")
    );
    fs::write(bench.folder.join("b.md"), b"---\nname: b\n---\n\xff").expect("a file");
    let refused = bench.propose(|folder| {
        edit(
            folder,
            "b.md",
            &Edit {
                set: vec![("name", "c")],
                ..Edit::default()
            },
        )
    });
    assert!(matches!(refused, Err(ProposalError::NotText { .. })));
}

#[test]
fn a_rename_takes_file_name_index_line_and_links_along() {
    let bench = Bench::new(&[
        ("old.md", &memory("old", "See [[other]].")),
        (
            "other.md",
            &memory(
                "other",
                "See [[old]], [[old|the old one]] and `[[old]]`, not [[older]].",
            ),
        ),
        (
            "MEMORY.md",
            "- [old](old.md) — see old.md\n- [Other](other.md)\n",
        ),
    ]);
    let before = bench.picture();
    bench.apply(|folder| rename(folder, "old.md", "New Name"));
    assert_eq!(bench.text("old.md"), "no old.md");
    assert!(
        bench
            .text("new-name.md")
            .starts_with("---\nname: new-name\n")
    );
    assert_eq!(
        bench.text("MEMORY.md"),
        "- [new-name](new-name.md) — see old.md\n- [Other](other.md)\n"
    );
    assert!(
        bench
            .text("other.md")
            .contains("See [[new-name]], [[new-name|the old one]] and `[[old]]`, not [[older]].")
    );
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), before);
    assert!(bench.root.path().exists());
}

#[test]
fn forgetting_takes_exactly_its_own_index_line() {
    // Case IX08.
    let fixture = include_str!("../../../tests/fixtures/IX08/MEMORY.md");
    let bench = Bench::new(&[
        ("MEMORY.md", fixture),
        ("api.md", &memory("api", "x")),
        ("rest-api.md", &memory("rest-api", "x")),
        ("auth.md", &memory("auth", "x")),
    ]);
    let before = bench.picture();
    bench.apply(|folder| remove(folder, &["api.md"]));
    assert_eq!(
        bench.text("MEMORY.md"),
        fixture.replace("- [API](api.md) — base url\n", "")
    );
    assert_eq!(bench.text("api.md"), "no api.md");
    let key = bench.store.trashed()[0].key.clone();
    bench.store.restore(&key, NOW).expect("restored");
    assert_eq!(bench.picture(), before);
}

#[test]
fn team_memories_leave_both_indexes() {
    let bench = Bench::new(&[
        ("MEMORY.md", "- [T](team/t.md)\n- [A](a.md)\n"),
        ("team/MEMORY.md", "- [T](t.md)\n"),
        ("team/t.md", &memory("t", "x")),
        ("a.md", &memory("a", "x")),
    ]);
    bench.apply(|folder| remove(folder, &["team/t.md"]));
    assert_eq!(
        (bench.text("MEMORY.md"), bench.text("team/MEMORY.md")),
        ("- [A](a.md)\n".to_string(), String::new())
    );
}

/// Bytes that are nothing, or made of the pieces that memories and indexes are made of.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"---\n",
        b"---\r\n",
        b"---",
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"name: a",
        b"name: 'a'  # b\n",
        b"description: \"x: y\"\n",
        b"description: x: y\n",
        b"type: user\n",
        b"metadata:\n",
        b"  type: project\n",
        b"tags: [a, b]\n",
        b"paths:\n- a\n",
        b"note: >\n  one\n  two\n",
        b"# c\n",
        b"Body.",
        b"- [A](a.md) \xe2\x80\x94 x\n",
        b"[[a]]",
        b"```\n",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\0",
        b"\xe2\x80",
        "\u{e9}\u{6570}".as_bytes(),
    ];
    let made = proptest::collection::vec(proptest::sample::select(pieces), 0..14);
    prop_oneof![
        1 => proptest::collection::vec(any::<u8>(), 0..64),
        4 => made.prop_map(|pieces| pieces.concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    /// What is read of a file, block and body, is all of it; what is edited without a difference is
    /// not written; bytes that are no text are refused, not mended.
    #[test]
    fn any_bytes_that_are_read_and_written_back_are_the_same(bytes in bytes()) {
        let path = PathBuf::from("/m/a.md");
        let Ok(source) = Source::new(path, bytes.clone()) else {
            prop_assert!(std::str::from_utf8(&bytes).is_err());
            return Ok(());
        };
        prop_assert_eq!(&source.bytes_of(&source.text), &bytes);
        let text = source.text.clone();
        let front = front_matter::read(&text);
        let block = front.block.clone().unwrap_or(0..0);
        prop_assert_eq!(block, 0..front.body);
        for field in &front.fields {
            // What stands under another key than `metadata` is no field of a memory.
            let Some(same) = front.get(&field.key) else { continue };
            if let Ok(after) = front_matter::edit::set(&text, &field.key, same) {
                prop_assert_eq!(&after, &text, "{} set to what it says", field.key);
            }
        }
        prop_assert_eq!(edit::with_body(&text, &text[front.body..]), text.as_str());
        prop_assert!(source.rewritten(&text, Age::Set).is_none());
    }
}

#[test]
fn an_index_that_leads_out_of_its_folder_is_not_written() {
    let bench = Bench::new(&[("a.md", &memory("a", "x"))]);
    let outside = bench.root.path().join("profile");
    fs::write(&outside, "- [a](a.md)\n").expect("a file");
    std::os::unix::fs::symlink(&outside, bench.folder.join("MEMORY.md")).expect("a link");
    for refused in [
        bench.propose(|folder| remove(folder, &["a.md"])),
        bench.propose(|folder| rename(folder, "a.md", "b")),
    ] {
        assert!(
            matches!(refused, Err(ProposalError::Outside { .. })),
            "{refused:?}"
        );
    }
    // A link to a place within is the person's own layout.
    fs::remove_file(bench.folder.join("MEMORY.md")).expect("a file");
    fs::write(bench.folder.join("index.txt"), "- [a](a.md)\n").expect("a file");
    std::os::unix::fs::symlink("index.txt", bench.folder.join("MEMORY.md")).expect("a link");
    bench.apply(|folder| remove(folder, &["a.md"]));
    assert_eq!(bench.text("index.txt"), "");
}

#[test]
fn a_link_gets_another_name_and_what_it_leads_to_keeps_its_own() {
    let linking = memory("b", "See [[a]] and [[link]].");
    let bench = Bench::new(&[("a.md", &memory("a", "x")), ("b.md", &linking)]);
    std::os::unix::fs::symlink("a.md", bench.folder.join("link.md")).expect("a link");
    bench.apply(|folder| rename(folder, "link.md", "other"));
    assert_eq!(bench.text("a.md"), memory("a", "x"));
    assert_eq!(bench.text("b.md"), memory("b", "See [[a]] and [[other]]."));
    assert!(
        bench.folder.join("other.md").is_symlink() && !bench.folder.join("link.md").is_symlink()
    );
}
