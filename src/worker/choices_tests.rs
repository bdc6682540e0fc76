use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::fault::Faults;

const NOW: i64 = 1_800_000_000;

/// A project with some files and a memory.
fn world() -> (tempfile::TempDir, Finding, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let real = root.path().canonicalize().unwrap();
    let project = real.join("srv/p");
    for file in [
        "src/main.rs",
        "src/mail.rs",
        "docs/my notes.md",
        ".hidden/main.rs",
        "target/main.rs",
    ] {
        let path = project.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::write(project.join(".gitignore"), "target\n").unwrap();
    let store = Claude::open(Setup {
        disk: Disk::system(),
        vars: BTreeMap::new(),
        home: real.join("home"),
        config_home: None,
        cwd: project.clone(),
        now: Moment::from_seconds(NOW),
    })
    .unwrap();
    let folder = store.here().folder;
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("mainframe.md"),
        "---\nname: mainframe\ndescription: How it is reached\n---\n\nBy tunnel.\n",
    )
    .unwrap();
    let writer = Store::new(&real.join("state"), store.home(), None, Faults::default());
    let finding = Finding {
        store,
        writer: Arc::new(writer),
        models: vec!["demo-1".to_string()],
        listed: None,
    };
    (root, finding, project)
}

fn find(finding: &mut Finding, cwd: &Path, of: Source, word: &str) -> Result<Vec<Choice>, String> {
    let asked = Asked {
        id: 1,
        cwd: cwd.to_path_buf(),
        of,
        word: word.to_string(),
        models: vec!["demo-2".to_string(), "demo-1".to_string()],
    };
    finding.find(&asked, Moment::from_seconds(NOW))
}

fn texts(found: Result<Vec<Choice>, String>) -> Vec<String> {
    found.unwrap().into_iter().map(|one| one.text).collect()
}

#[test]
fn files_and_memories_are_found_by_their_letters_and_what_is_ignored_is_not() {
    let (_root, mut finding, project) = world();
    let found = find(&mut finding, &project, Source::Files, "main").unwrap();
    let mut texts: Vec<&str> = found.iter().map(|one| &*one.text).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["mainframe.md", "src/main.rs"]);
    let memory = found.iter().find(|one| one.text == "mainframe.md").unwrap();
    assert!(
        memory.put.starts_with("~/.claude/projects/") && memory.put.ends_with("/mainframe.md"),
        "{}",
        memory.put
    );
    assert_eq!(memory.about, "memory · How it is reached");
    let notes = find(&mut finding, &project, Source::Files, "mynotes").unwrap();
    assert_eq!(notes[0].put, "`docs/my notes.md`");
}

#[test]
fn a_project_is_listed_anew_with_each_word_that_begins() {
    let (_root, mut finding, project) = world();
    let made = |finding: &mut Finding| texts(find(finding, &project, Source::Files, "made.rs"));
    find(&mut finding, &project, Source::Files, "m").unwrap();
    fs::write(project.join("src/made.rs"), "").unwrap();
    assert_eq!(made(&mut finding), Vec::<String>::new());
    find(&mut finding, &project, Source::Files, "m").unwrap();
    assert_eq!(made(&mut finding), ["src/made.rs"]);
}

#[test]
fn a_project_that_can_not_be_listed_is_said() {
    let (_root, mut finding, project) = world();
    fs::remove_dir_all(&project).unwrap();
    let said = find(&mut finding, &project, Source::Files, "m").unwrap_err();
    let expected = format!("the files of {} can't be listed: ", project.display());
    assert!(said.starts_with(&expected), "{said}");
}

#[test]
fn models_are_those_of_the_configuration_then_those_that_are_listed() {
    let (_root, mut finding, project) = world();
    let found = find(&mut finding, &project, Source::Models, "");
    assert_eq!(texts(found), ["demo-1", "demo-2"]);
    let found = find(&mut finding, &project, Source::Models, "2");
    assert_eq!(texts(found), ["demo-2"]);
}

#[test]
fn sessions_are_found_by_what_was_said_first() {
    let (_root, mut finding, project) = world();
    let key = finding.store.shelf_of(&project).key;
    let folder = begin::sessions(&finding.writer, &key);
    fs::create_dir_all(&folder).unwrap();
    for (id, said) in [
        ("11112222-a", "Why the freeze?"),
        ("33334444-b", "Deploy it"),
    ] {
        let line = serde_json::json!({
            "type": "user", "message": {"content": [{"type": "text", "text": said}]},
        });
        fs::write(folder.join(format!("{id}.jsonl")), format!("{line}\n")).unwrap();
    }
    let all = find(&mut finding, &project, Source::Sessions, "").unwrap();
    assert_eq!(all.len(), 2);
    let found = find(&mut finding, &project, Source::Sessions, "freeze").unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&*found[0].put, &*found[0].about),
        ("11112222", "Why the freeze?")
    );
}

#[test]
fn no_more_are_offered_than_a_person_goes_through() {
    let (_root, mut finding, project) = world();
    for number in 0..MOST + 20 {
        fs::write(project.join(format!("page-{number}.txt")), "").unwrap();
    }
    let found = find(&mut finding, &project, Source::Files, "p").unwrap();
    assert_eq!(found.len(), MOST);
}
