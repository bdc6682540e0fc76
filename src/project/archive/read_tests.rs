use super::*;
use crate::base::disk::Disk;
use crate::project::archive::{Clash, Import, import, pack};
use crate::project::fold::Target;
use crate::project::{Origin, Project, census};
use crate::store::change::Op;

/// A project folder of some files, by their paths in it.
fn project(root: &std::path::Path, files: &[(&str, &str)]) -> Project {
    let folder = root.join("-k");
    let memory = folder.join("memory");
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    Project {
        key: "-k".to_string(),
        path: None,
        origin: Origin::Unknown,
        evidence: Vec::new(),
        candidates: Vec::new(),
        census: census(&Disk::system(), &folder, &memory),
        guests: Vec::new(),
        memory_key: "-k".to_string(),
        notes: Vec::new(),
        folder,
        memory,
    }
}

fn packed(files: &[(&str, &str)], gzip: bool) -> Vec<u8> {
    let top = tempfile::tempdir().expect("a temporary folder");
    let project = project(top.path(), files);
    let packed = pack(&Disk::system(), &[&project], false, gzip);
    packed.expect("it can be packed").bytes
}

const BOUNDS: Bounds = Bounds {
    bytes: 1_000,
    file_bytes: 600,
    manifest_bytes: 2_000,
    entries: 4,
};

#[track_caller]
fn refused(files: &[(&str, &str)], gzip: bool, word: &str) {
    let said = read(&*packed(files, gzip), &BOUNDS)
        .expect_err(word)
        .to_string();
    assert!(said.contains(word), "{said}");
}

/// What is within the bounds is read, and one more of anything is not.
#[test]
fn what_is_over_a_bound_is_refused() {
    let (half, more, large) = ("x".repeat(500), "x".repeat(501), "x".repeat(601));
    for gzip in [false, true] {
        let good = packed(&[("memory/a.md", &half), ("memory/b.md", &half)], gzip);
        let read = read(&*good, &BOUNDS).expect("it is within the bounds");
        assert_eq!(read.projects[0].files.len(), 2);
        refused(&[("memory/a.md", &large)], gzip, "601 bytes");
        let four = ["memory/a.md", "memory/b.md", "memory/c.md", "memory/d.md"];
        refused(&four.map(|name| (name, "x")), gzip, "over 4 entries");
        let tight = Bounds {
            manifest_bytes: 10,
            ..BOUNDS
        };
        let said = super::read(&*good, &tight)
            .expect_err("a large manifest")
            .to_string();
        assert!(said.contains("loci-archive.json"), "{said}");
        refused(
            &[("memory/a.md", &half), ("memory/b.md", &more)],
            gzip,
            "in all",
        );
    }
}

/// A key of any length: the names of a tar's header end at 100 bytes.
#[test]
fn long_names_come_back() {
    let name = format!("memory/{}/{}.md", "d".repeat(120), "n".repeat(120));
    let bytes = packed(&[(&name, "x")], true);
    let read = read(&*bytes, &Bounds::default()).expect("it can be read");
    assert_eq!(read.projects[0].files[0].path, name);
}

/// Names that differ only in case don't both go in: no import would take the archive.
#[test]
fn what_is_packed_can_be_read() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let project = project(top.path(), &[("memory/A.md", "1"), ("memory/a.md", "2")]);
    let both = project.census.memories.len() == 2;
    let packed = pack(&Disk::system(), &[&project], false, false).expect("it can be packed");
    // A disk that ignores case has one of them.
    assert_eq!(packed.left_out.len(), usize::from(both));
    assert!(read(&*packed.bytes, &Bounds::default()).is_ok());
}

fn imported(archive: &Archive, here: &Project) -> Import {
    let target = Target {
        folder: &here.folder,
        memory: &here.memory,
    };
    let project = &archive.projects[0];
    let made = import(&Disk::system(), project, target, Clash::Mine, "t");
    made.expect("it can be imported")
}

/// What a file is to hold.
fn written(made: &Import, name: &str) -> Option<String> {
    made.set.changes.iter().find_map(|change| match &change.op {
        Op::Write { path, after, .. } if path.ends_with(name) => {
            Some(String::from_utf8_lossy(after).into_owned())
        }
        _ => None,
    })
}

/// The second index of the team gets its own lines, and a line of the first that leads there counts too.
#[test]
fn the_index_of_the_team_gets_its_own_lines() {
    let bytes = packed(
        &[
            ("memory/MEMORY.md", "- [U](team/u.md) — by the first\n"),
            ("memory/team/MEMORY.md", "- [S](s.md) — ours\n"),
            ("memory/team/s.md", "s"),
            ("memory/team/u.md", "u"),
        ],
        false,
    );
    let archive = read(&*bytes, &Bounds::default()).expect("it can be read");
    let top = tempfile::tempdir().expect("a temporary folder");
    let here = project(
        top.path(),
        &[
            ("memory/MEMORY.md", "- [a](a.md) — mine\n"),
            ("memory/a.md", "a"),
            ("memory/team/MEMORY.md", "- [t](t.md) — theirs"),
            ("memory/team/t.md", "t"),
        ],
    );
    let made = imported(&archive, &here);
    assert_eq!(
        written(&made, "team/MEMORY.md").as_deref(),
        Some("- [t](t.md) — theirs\n- [S](s.md) — ours")
    );
    assert_eq!(
        written(&made, "-k/memory/MEMORY.md").as_deref(),
        Some("- [a](a.md) — mine\n- [U](team/u.md) — by the first\n")
    );
    assert_eq!((made.lines, made.notes.len()), (2, 0));
}

/// An index with a byte order mark and CRLF takes its lines in its own form.
#[test]
fn index_lines_take_the_form_of_the_index_that_is_there() {
    let text = |name: &str| format!("---\nname: {name}\ntype: user\n---\nx\n");
    let bytes = packed(
        &[
            (
                "memory/MEMORY.md",
                "- [B](b.md) — two\n- [Old](a.md) — one\n",
            ),
            ("memory/a.md", &text("a")),
            ("memory/b.md", &text("b")),
        ],
        false,
    );
    let archive = read(&*bytes, &Bounds::default()).expect("it can be read");
    let top = tempfile::tempdir().expect("a temporary folder");
    let here = project(
        top.path(),
        &[
            (
                "memory/MEMORY.md",
                "\u{FEFF}# User\r\n- [a](a.md) — mine\r\n\r\n# End\r\n",
            ),
            ("memory/a.md", &text("a")),
        ],
    );
    let made = imported(&archive, &here);
    assert_eq!((made.new.len(), made.same.len(), made.lines), (1, 1, 1));
    let index = written(&made, "memory/MEMORY.md");
    assert_eq!(
        index.as_deref(),
        Some("\u{FEFF}# User\r\n- [a](a.md) — mine\r\n- [B](b.md) — two\r\n\r\n# End\r\n")
    );
}
