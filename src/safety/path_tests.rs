use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;

use super::*;

/// What a rule is called, so that a table can say which one must refuse.
fn word(error: &PathError) -> &'static str {
    match error.why {
        Refusal::NoFile => "no file",
        Refusal::Nul => "nul",
        Refusal::Encoded => "encoded",
        Refusal::Unicode => "unicode",
        Refusal::Backslash => "backslash",
        Refusal::Absolute => "absolute",
        Refusal::Parent => "parent",
        Refusal::Drive => "drive",
        Refusal::LeadsOut(_) => "out",
        Refusal::Dangling => "dangling",
        Refusal::Loop => "loop",
        Refusal::NotRegular => "not regular",
        Refusal::Swapped => "swapped",
        Refusal::Failed(_) => "failed",
    }
}

/// A folder `memory` with a file, a folder and links of every kind; a secret beside it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let top = tempfile::tempdir().expect("a temporary folder");
    let root = fs::canonicalize(top.path()).expect("it is there");
    let folder = root.join("memory");
    fs::create_dir_all(folder.join("team/deep")).expect("folders");
    fs::write(folder.join("a.md"), "a").expect("a file");
    fs::write(folder.join("team/b.md"), "b").expect("a file");
    fs::write(root.join("secret"), "s").expect("a file");
    fs::create_dir(root.join("memory-2")).expect("a folder");
    fs::write(root.join("memory-2/x.md"), "x").expect("a file");
    for (to, name) in [
        ("nowhere.md", "dangling.md"),
        ("/nonexistent/x.md", "dangling-out.md"),
        ("loop-2.md", "loop-1.md"),
        ("loop-1.md", "loop-2.md"),
        ("self.md", "self.md"),
        ("../secret", "out.md"),
        ("..", "up"),
        ("/", "root"),
        ("../memory-2", "sibling"),
        ("/dev/null", "device.md"),
        ("a.md", "inner.md"),
        ("team", "inner"),
        ("up/secret", "through.md"),
        ("gone/deep", "hollow"),
        ("loop-1.md", "to-loop"),
    ] {
        symlink(to, folder.join(name)).expect("a link");
    }
    (top, folder)
}

const ATTACKS: &[(&str, &str)] = &[
    ("", "no file"),
    (".", "no file"),
    ("./", "no file"),
    ("team/", "no file"),
    ("team/.", "no file"),
    ("a\0.md", "nul"),
    ("\0", "nul"),
    ("../secret\0.md", "nul"),
    ("..", "parent"),
    ("../secret", "parent"),
    ("../../etc/passwd", "parent"),
    ("team/../../secret", "parent"),
    ("team/..", "parent"),
    ("./../secret", "parent"),
    ("team/../a.md", "parent"),
    ("x/../../../../../../etc/passwd", "parent"),
    ("../memory-2/x.md", "parent"),
    ("/etc/passwd", "absolute"),
    ("//server/share/x.md", "absolute"),
    ("/", "absolute"),
    ("///etc/passwd", "absolute"),
    ("..\\secret", "backslash"),
    ("team\\..\\..\\secret", "backslash"),
    ("\\\\server\\share\\x.md", "backslash"),
    ("\\\\?\\C:\\x.md", "backslash"),
    ("a\\b.md", "backslash"),
    ("C:\\x.md", "backslash"),
    ("C:/x.md", "drive"),
    ("c:x.md", "drive"),
    ("z:", "drive"),
    ("%2e%2e/secret", "encoded"),
    ("%2e%2e%2fsecret", "encoded"),
    ("..%2fsecret", "encoded"),
    ("%2E%2E%2Fsecret", "encoded"),
    (".%2e/secret", "encoded"),
    ("%2fetc%2fpasswd", "encoded"),
    ("%252e%252e%252fsecret", "encoded"),
    ("%252e%252e/secret", "encoded"),
    ("%25252e%25252e%25252fsecret", "encoded"),
    ("team%2fb.md", "encoded"),
    ("team%5c..%5csecret", "encoded"),
    ("a%00.md", "encoded"),
    ("a%2500.md", "encoded"),
    ("%c0%ae%c0%ae/secret", "encoded"),
    ("%c0%afetc", "encoded"),
    ("c%3a/x.md", "encoded"),
    ("%ef%bc%8e%ef%bc%8e/secret", "unicode"),
    ("\u{ff0e}\u{ff0e}/secret", "unicode"),
    ("\u{ff0e}\u{ff0e}\u{ff0f}secret", "unicode"),
    ("..\u{ff0f}secret", "unicode"),
    ("team\u{ff0f}b.md", "unicode"),
    ("\u{ff0f}etc\u{ff0f}passwd", "unicode"),
    ("a\u{ff3c}b.md", "unicode"),
    ("\u{2025}/secret", "unicode"),
    ("c\u{ff1a}/x.md", "unicode"),
    ("\u{2024}\u{2024}/secret", "unicode"),
    ("\u{fe52}\u{fe52}/secret", "unicode"),
    ("\u{ff43}\u{ff1a}x.md", "unicode"),
    ("dangling.md", "dangling"),
    ("dangling-out.md", "dangling"),
    ("hollow/x.md", "dangling"),
    ("loop-1.md", "loop"),
    ("self.md", "loop"),
    ("to-loop", "loop"),
    ("loop-2.md/x.md", "loop"),
    ("out.md", "out"),
    ("through.md", "out"),
    ("up/secret", "out"),
    ("up/new.md", "out"),
    ("up/memory/a.md", "out"),
    ("root/etc/passwd", "out"),
    ("sibling/x.md", "out"),
    ("sibling/new.md", "out"),
    ("device.md", "out"),
    ("inner/../../secret", "parent"),
    ("a.md/x.md", "not regular"),
    ("inner.md/x.md", "not regular"),
];

const HARMLESS: &[(&str, &str)] = &[
    ("a.md", "a.md"),
    ("team/b.md", "team/b.md"),
    ("./a.md", "a.md"),
    ("team//b.md", "team/b.md"),
    ("new.md", "new.md"),
    ("new/deep/er.md", "new/deep/er.md"),
    ("inner.md", "a.md"),
    ("inner/b.md", "team/b.md"),
    ("inner/new.md", "team/new.md"),
    ("...md", "...md"),
    ("..a.md", "..a.md"),
    ("a..md", "a..md"),
    ("a..", "a.."),
    (".hidden.md", ".hidden.md"),
    ("100%.md", "100%.md"),
    ("50%zz.md", "50%zz.md"),
    ("a%20b.md", "a%20b.md"),
    ("caf%C3%A9.md", "caf%C3%A9.md"),
    ("cafe\u{301}.md", "cafe\u{301}.md"),
    ("caf\u{e9}.md", "caf\u{e9}.md"),
    ("\u{fb01}le.md", "\u{fb01}le.md"),
    ("\u{ff21}.md", "\u{ff21}.md"),
    ("数据库/迁移.md", "数据库/迁移.md"),
    ("🚀 launch.md", "🚀 launch.md"),
    ("~/a.md", "~/a.md"),
    ("$HOME.md", "$HOME.md"),
    ("-rf.md", "-rf.md"),
    ("12:30 meeting.md", "12:30 meeting.md"),
    (" a .md", " a .md"),
    ("a\tb.md", "a\tb.md"),
    ("con.md", "con.md"),
    ("x (1).md", "x (1).md"),
];

#[test]
fn every_attack_is_refused_by_its_rule() {
    let (_top, folder) = place();
    let disk = Disk::system();
    assert!(ATTACKS.len() >= 60, "{}", ATTACKS.len());
    for (path, rule) in ATTACKS {
        let error = check(&disk, &folder, path).expect_err(path);
        assert_eq!(word(&error), *rule, "{path:?}: {error}");
    }
}

#[test]
fn an_odd_name_is_no_attack() {
    let (_top, folder) = place();
    let disk = Disk::system();
    assert!(HARMLESS.len() >= 20, "{}", HARMLESS.len());
    for (path, real) in HARMLESS {
        let inside = check(&disk, &folder, path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(inside.place(), folder.join(real), "{path}");
    }
}

/// Below a sysroot an absolute link leads to a place below it, and the rules are the same.
#[test]
fn the_same_holds_below_a_sysroot() {
    let (top, folder) = place();
    let disk = Disk::below(top.path()).expect("a sysroot");
    let inner = Path::new("/memory");
    for (path, rule) in ATTACKS {
        let error = check(&disk, inner, path).expect_err(path);
        // There is no /dev below it.
        let rule = if *path == "device.md" {
            "dangling"
        } else {
            *rule
        };
        assert_eq!(word(&error), rule, "{path:?}: {error}");
    }
    symlink("/memory/a.md", folder.join("absolute.md")).expect("a link");
    let inside = check(&disk, inner, "absolute.md").expect("it stays inside");
    assert_eq!(inside.place(), Path::new("/memory/a.md"));
    let mut text = String::new();
    inside
        .open(&disk)
        .expect("it opens")
        .read_to_string(&mut text)
        .expect("text");
    assert_eq!(text, "a");
}

#[test]
fn what_was_checked_is_what_is_opened() {
    let (_top, folder) = place();
    let disk = Disk::system();
    for (path, text) in [("a.md", "a"), ("inner.md", "a"), ("inner/b.md", "b")] {
        let inside = check(&disk, &folder, path).expect(path);
        let mut read = String::new();
        inside
            .open(&disk)
            .expect(path)
            .read_to_string(&mut read)
            .expect("text");
        assert_eq!(read, text, "{path}");
    }
    let missing = check(&disk, &folder, "new.md").expect("it may be made");
    assert_eq!(
        word(&missing.open(&disk).expect_err("nothing there")),
        "failed"
    );
    let place = check(&disk, &folder, "team/deep").expect("a name");
    assert_eq!(
        word(&place.open(&disk).expect_err("a folder")),
        "not regular"
    );
}

/// A component is swapped for a link between the check and the use: the use fails.
#[test]
fn a_component_that_becomes_a_link_after_the_check_is_not_followed() {
    let disk = Disk::system();
    // The file itself.
    let (_top, folder) = place();
    let inside = check(&disk, &folder, "team/b.md").expect("it is harmless");
    fs::remove_file(folder.join("team/b.md")).expect("it goes");
    symlink("../../secret", folder.join("team/b.md")).expect("a link");
    assert_eq!(word(&inside.open(&disk).expect_err("a link")), "swapped");
    // A folder above it.
    let (_top, folder) = place();
    let inside = check(&disk, &folder, "team/b.md").expect("it is harmless");
    fs::rename(folder.join("team"), folder.join("was")).expect("it goes");
    fs::create_dir(folder.join("../elsewhere")).expect("a folder");
    fs::write(folder.join("../elsewhere/b.md"), "evil").expect("a file");
    symlink("../elsewhere", folder.join("team")).expect("a link");
    assert_eq!(word(&inside.open(&disk).expect_err("a link")), "swapped");
    // A link that stayed inside when it was checked, and is turned since: what it led to then is opened.
    let (_top, folder) = place();
    let inside = check(&disk, &folder, "inner/b.md").expect("it is harmless");
    fs::remove_file(folder.join("inner")).expect("it goes");
    symlink("../memory-2", folder.join("inner")).expect("a link");
    let mut text = String::new();
    inside
        .open(&disk)
        .expect("it opens")
        .read_to_string(&mut text)
        .expect("text");
    assert_eq!(text, "b");
    // A pipe in the place of the file is not waited for.
    let (_top, folder) = place();
    let inside = check(&disk, &folder, "a.md").expect("it is harmless");
    fs::remove_file(folder.join("a.md")).expect("it goes");
    let pipe = folder.join("a.md");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).expect("a pipe");
    assert_eq!(
        word(&inside.open(&disk).expect_err("a pipe")),
        "not regular"
    );
}

/// A folder that is itself a link is the person's own choice.
#[test]
fn the_folder_may_be_a_link_or_not_exist() {
    let (_top, folder) = place();
    let disk = Disk::system();
    let link = folder.join("../link");
    symlink(&folder, &link).expect("a link");
    let inside = check(&disk, &link, "a.md").expect("it is inside");
    assert_eq!(inside.place(), folder.join("a.md"));
    let none = folder.join("../none");
    assert!(check(&disk, &none, "x/y.md").is_ok());
    assert_eq!(
        word(&check(&disk, &none, "../y.md").expect_err("upwards")),
        "parent"
    );
}

#[test]
fn a_refusal_is_a_sentence() {
    let (_top, folder) = place();
    let disk = Disk::system();
    let said = |path| check(&disk, &folder, path).expect_err(path).to_string();
    assert_eq!(said("../x"), "`../x` is refused: it leads upwards by `..`");
    assert!(said("out.md").ends_with("/secret"), "{}", said("out.md"));
}
