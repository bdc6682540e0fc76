//! Editing in the terminal: what is typed gets into the file by a save and by nothing else, survives a
//! kill as a draft, and meets what others wrote without losing either.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;

use super::store::Place;
use super::terminal::{Exit, Terminal};

const MEMORY: &str = "---\nname: one\ndescription: the first\nmetadata:\n  type: project\n  owner: ada\n---\n\nFirst line.\nSecond line.\nThird line.\n";

const CTRL_S: &str = "\x13";
const DOWN: &str = "\x1b[B";
const SHIFT_TAB: &str = "\x1b[Z";

fn place() -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", MEMORY);
    place.memory("shop", "MEMORY.md", "- [One](one.md) — the first\n");
    place
}

fn file(place: &Place) -> PathBuf {
    place.kept("shop").join("memory/one.md")
}

fn text(place: &Place) -> String {
    fs::read_to_string(file(place)).unwrap()
}

/// The memory opened, the cursor at the start of its text.
fn editing(place: &Place) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("jj");
    terminal.wait_for("First line.");
    terminal.send("e");
    terminal.wait_for("as saved");
    terminal
}

/// Leaves the edit, which a save goes on with.
#[track_caller]
fn leave(terminal: &Terminal) {
    terminal.wait_for("as saved");
    terminal.send("\x1b");
    terminal.wait_gone("as saved");
}

#[track_caller]
fn quit(mut terminal: Terminal) {
    terminal.send("\x1b");
    terminal.wait_for("project");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_save_changes_what_was_typed_and_undo_takes_it_back() {
    let place = place();
    let terminal = editing(&place);
    terminal.send("New. ");
    terminal.wait_for("not saved");
    assert_eq!(text(&place), MEMORY, "nothing is written before a save");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: ");
    assert_eq!(text(&place), MEMORY.replace("First", "New. First"));
    leave(&terminal);
    terminal.send("u");
    terminal.wait_for("taken back");
    assert_eq!(text(&place), MEMORY);
    terminal.send("\x12");
    terminal.wait_for("done again: edit one");
    assert_eq!(text(&place), MEMORY.replace("First", "New. First"));
    terminal.send("u");
    terminal.wait_for("taken back: edit one");
    assert_eq!(text(&place), MEMORY);
    quit(terminal);
}

/// What is typed behind a save is not lost, however quickly it comes; each save is one undo.
#[test]
fn typing_goes_on_over_saves() {
    let place = place();
    let terminal = editing(&place);
    let burst: String = (1..=20).map(|at| format!("s{at} {CTRL_S}")).collect();
    terminal.send(&burst);
    terminal.send("end");
    terminal.wait_for("endFirst line.");
    let typed: String = (1..=20).map(|at| format!("s{at} ")).collect();
    let saved = MEMORY.replace("First", &format!("{typed}First"));
    until("the last save is through", || text(&place) == saved);
    terminal.send(CTRL_S);
    let whole = MEMORY.replace("First", &format!("{typed}endFirst"));
    until("all is saved", || text(&place) == whole);
    leave(&terminal);
    terminal.send("u");
    until("the last is taken back", || text(&place) == saved);
    quit(terminal);
}

/// Two windows on one memory: a save of one leaves the draft of the other alone.
#[test]
fn a_save_lets_only_its_own_draft_go() {
    let place = place();
    let one = editing(&place);
    let mut other = editing(&place);
    one.send("One. ");
    one.wait_for("One. First");
    let kept = |words: &str| drafts(&place).iter().any(|text| text.contains(words));
    until("the one's draft is kept", || kept("One."));
    other.send("Other. ");
    until("the other's draft is kept", || kept("Other."));
    one.send(CTRL_S);
    one.wait_for("as saved");
    until("the one's draft is let go", || !kept("One."));
    other.signal(Signal::KILL);
    other.wait_exit();
    assert!(kept("Other."), "what the other typed is still there");
    quit(one);
}

#[test]
fn the_type_is_chosen_and_nothing_else_changes() {
    let place = place();
    let terminal = editing(&place);
    terminal.send(SHIFT_TAB);
    terminal.send("r\r");
    terminal.wait_for("saved: ");
    assert_eq!(
        text(&place),
        MEMORY.replace("type: project", "type: reference")
    );
    quit(terminal);
}

#[test]
fn what_was_typed_survives_a_kill_and_is_offered() {
    let place = place();
    let mut terminal = editing(&place);
    terminal.send("Never lost. ");
    terminal.wait_for("Never lost.");
    let drafts = || walk(&place.root_of("state"), "drafts");
    until("a draft is kept", || !drafts().is_empty());
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.wait_exit(), Exit::Signal(9));
    assert_eq!(text(&place), MEMORY);
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.wait_for("✎");
    terminal.send("jje");
    terminal.wait_for("a draft of one.md");
    terminal.send("\r");
    terminal.wait_for("Never lost.");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: ");
    assert_eq!(text(&place), MEMORY.replace("First", "Never lost. First"));
    until("the draft is gone", || drafts().is_empty());
    quit(terminal);
}

/// TERM ends the program in the middle of typing: all of it is in the draft.
#[test]
fn a_signal_keeps_what_was_typed() {
    let place = place();
    let mut terminal = editing(&place);
    terminal.send("To the last letter");
    terminal.wait_for("To the last letter");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait_exit(), Exit::Signal(15));
    let drafts = walk(&place.root_of("state"), "drafts");
    assert!(
        fs::read_to_string(&drafts[0])
            .unwrap()
            .contains("To the last letter")
    );
}

#[test]
fn another_change_elsewhere_is_merged_and_said() {
    let place = place();
    let terminal = editing(&place);
    terminal.send("Mine. ");
    fs::write(file(&place), MEMORY.replace("Third", "Their third")).unwrap();
    terminal.send(CTRL_S);
    terminal.wait_for("merged");
    let both = MEMORY
        .replace("Third", "Their third")
        .replace("First", "Mine. First");
    assert_eq!(text(&place), both);
    quit(terminal);
}

#[test]
fn another_change_of_the_same_line_is_chosen_from() {
    let place = place();
    let terminal = editing(&place);
    terminal.send("Mine. ");
    let theirs = MEMORY.replace("First", "Theirs. First");
    fs::write(file(&place), &theirs).unwrap();
    terminal.send(CTRL_S);
    terminal.wait_for("changed by somebody else");
    assert_eq!(text(&place), theirs, "nothing is overwritten unseen");
    terminal.send("\r");
    terminal.wait_for("undecided");
    terminal.send("b\r");
    terminal.wait_for("saved: ");
    let both = MEMORY.replace("First line.\n", "Theirs. First line.\nMine. First line.\n");
    assert_eq!(text(&place), both);
    quit(terminal);
}

#[test]
fn a_new_memory_gets_its_index_line_and_the_trash_takes_both() {
    let place = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("n");
    terminal.wait_for("new, not saved");
    terminal.send("two words\tsecond of them");
    terminal.send([DOWN, DOWN, "The fact.", CTRL_S].concat());
    terminal.wait_for("saved: ");
    let folder = place.kept("shop").join("memory");
    let index = || fs::read_to_string(folder.join("MEMORY.md")).unwrap();
    assert!(
        index().contains("(two-words.md) — second of them"),
        "{}",
        index()
    );
    let made = fs::read_to_string(folder.join("two-words.md")).unwrap();
    assert!(made.contains("The fact."), "{made}");
    leave(&terminal);
    terminal.wait_for("just written");
    terminal.send("d");
    terminal.wait_for("enter does it");
    assert!(folder.join("two-words.md").exists());
    terminal.send("\r");
    terminal.wait_for("trash two-words ·");
    assert!(!folder.join("two-words.md").exists() && !index().contains("two-words"));
    terminal.send("u");
    terminal.wait_for("taken back");
    assert!(folder.join("two-words.md").exists() && index().contains("two-words"));
    quit(terminal);
}

#[test]
fn tu19_a_paste_is_text_and_never_a_command() {
    let place = place();
    let terminal = editing(&place);
    terminal.send("\x1b[200~q\nd\ny\n\x1b[201~");
    terminal.wait_for("not saved");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: ");
    assert_eq!(text(&place), MEMORY.replace("First", "q\nd\ny\nFirst"));
    terminal.wait_for("as saved");
    // Case TU19: a line break pasted into a field stays out of the value.
    terminal.send(SHIFT_TAB);
    terminal.send(SHIFT_TAB);
    terminal.send("\x1b[200~ab\r\ncd\r\x1b[201~");
    terminal.send("\r");
    until("the field is saved", || {
        text(&place).contains("description: the firstab cd\n")
    });
    quit(terminal);
}

#[test]
fn health_mends_what_it_finds_after_a_look() {
    let place = place();
    place.memory(
        "shop",
        "MEMORY.md",
        "- [One](one.md) — the first\n- [Gone](gone.md) — was here\n",
    );
    let read = || fs::read_to_string(place.kept("shop").join("memory/MEMORY.md")).unwrap();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("3");
    terminal.wait_for("dangling");
    terminal.send("jf");
    terminal.wait_for("enter does it");
    assert!(read().contains("gone.md"));
    terminal.send("\r");
    terminal.wait_gone("MEMORY.md:2");
    assert_eq!(read(), "- [One](one.md) — the first\n");
    quit(terminal);
}

#[test]
fn the_trash_gives_back_and_the_history_takes_back_any_change() {
    let place = place();
    let folder = place.kept("shop").join("memory");
    let index = || fs::read_to_string(folder.join("MEMORY.md")).unwrap();
    let before = index();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("jjd");
    terminal.wait_for("enter does it");
    terminal.send("\r");
    terminal.wait_for("trash one ·");
    assert!(!folder.join("one.md").exists());
    terminal.send("4");
    terminal.wait_for("in the trash, by 1 change");
    terminal.send("j\r");
    terminal.wait_for("brought back from the trash");
    assert_eq!(
        terminal.find("trash · u undoes"),
        None,
        "u takes back another"
    );
    terminal.wait_gone("in the trash");
    assert!(folder.join("one.md").exists());
    assert_eq!(index(), before);
    quit(terminal);
}

/// What a person types is never taken for commands because the file went away, and a link that came
/// up in its place is not written through.
#[test]
fn a_file_that_goes_away_keeps_its_edit_and_a_link_is_refused() {
    let place = place();
    let terminal = editing(&place);
    terminal.send("Kept ");
    terminal.wait_for("Kept First");
    fs::remove_file(file(&place)).unwrap();
    terminal.wait_for("0 memories");
    terminal.send("use u juq");
    terminal.wait_for("Kept use u juqFirst");
    let outside = place.root_of("outside.md");
    fs::write(&outside, MEMORY).unwrap();
    std::os::unix::fs::symlink(&outside, file(&place)).unwrap();
    terminal.send(CTRL_S);
    terminal.wait_for("is a link to");
    assert_eq!(fs::read_to_string(&outside).unwrap(), MEMORY);
    fs::remove_file(file(&place)).unwrap();
    fs::write(file(&place), MEMORY).unwrap();
    terminal.send("\x1b");
    terminal.send(CTRL_S);
    terminal.settle();
    quit(terminal);
}

/// The person's editor works on a copy; what it leaves is one change that undo takes back, and what
/// was typed meanwhile was its own.
#[test]
fn a_persons_own_editor_has_the_terminal_and_is_taken_as_one_change() {
    let place = place();
    let script = place.root_of("editor.sh");
    fs::write(
        &script,
        "echo EDITING; read line; printf '%s\\n' \"$line\" >> \"$2\"; exit $1\n",
    )
    .unwrap();
    let editor = |code: u8| format!("sh '{}' {code}", script.display());
    let terminal = place.open("shop").env("EDITOR", editor(0)).start();
    terminal.wait_ready("shop");
    terminal.send("jj");
    terminal.wait_for("First line.");
    terminal.send("E");
    terminal.wait_for("EDITING");
    terminal.send("qdqd\n");
    terminal.wait_for("undoes it");
    assert_eq!(text(&place), format!("{MEMORY}qdqd\n"));
    terminal.send("u");
    terminal.wait_for("taken back");
    assert_eq!(text(&place), MEMORY);
    quit(terminal);
    let terminal = place.open("shop").env("EDITOR", editor(3)).start();
    terminal.wait_ready("shop");
    terminal.send("jjE");
    terminal.wait_for("EDITING");
    terminal.send("lost?\n");
    terminal.wait_for("what it left lies in");
    assert_eq!(text(&place), MEMORY);
    terminal.send("\x1b");
    quit(terminal);
}

#[test]
fn a_copy_goes_through_the_terminal_and_says_so() {
    let place = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("jj");
    terminal.wait_for("First line.");
    terminal.send("y");
    terminal.wait_for("OSC 52");
    terminal.send("Y");
    terminal.wait_for("the text went");
    // base64 of "First line.\nSecond line.\nThird line."
    let copied = "\x1b]52;c;Rmlyc3QgbGluZS4KU2Vjb25kIGxpbmUuClRoaXJkIGxpbmUu";
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(raw.contains(copied) && raw.matches("\x1b]52;c;").count() == 2);
    quit(terminal);
}

/// Waits for what does not show on the screen.
#[track_caller]
pub fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..4_000 {
        if holds() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("waited for {what}, but it did not come");
}

/// The files below a folder of this name, somewhere below `root`.
fn walk(root: &std::path::Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if folder.ends_with(name) && path.extension().is_some_and(|end| end == "json") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn the_index_is_reordered_and_its_hooks_edited_in_its_view() {
    let place = place();
    place.memory("shop", "two.md", MEMORY.replace("one", "two"));
    place.memory("shop", "three.md", MEMORY.replace("one", "three"));
    let index = "# Index\n- [One](one.md) — the first\n- [Two](two.md) — the second\n";
    place.memory("shop", "MEMORY.md", index);
    let read = || fs::read_to_string(place.kept("shop").join("memory/MEMORY.md")).unwrap();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("2");
    terminal.wait_for("no line points at 1 memory");
    terminal.send("jjjjJ");
    terminal.wait_for("move One down");
    assert_eq!(
        read(),
        "# Index\n- [Two](two.md) — the second\n- [One](one.md) — the first\n"
    );
    // The cursor went along with its entry.
    terminal.send("e");
    terminal.wait_for("all is loaded");
    terminal.send(" of all\r");
    terminal.wait_for("edit the hook of One");
    assert!(
        read().ends_with("- [One](one.md) — the first of all\n"),
        "{}",
        read()
    );
    terminal.send("G+");
    terminal.wait_for("add three to the index");
    assert!(
        read().ends_with("- [three](three.md) — the first\n"),
        "{}",
        read()
    );
    terminal.send("uuu");
    terminal.wait_for("taken back: move One down");
    assert_eq!(read(), index);
    quit(terminal);
}

#[test]
fn what_is_marked_goes_together_and_comes_back_one_by_one() {
    let place = place();
    place.memory("shop", "two.md", MEMORY.replace("one", "two"));
    let index = "- [One](one.md) — the first\n- [Two](two.md) — the second\n";
    place.memory("shop", "MEMORY.md", index);
    let folder = place.kept("shop").join("memory");
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("jj  ");
    terminal.wait_for("2 marked");
    terminal.send("d");
    terminal.wait_for("enter does it");
    terminal.send("\r");
    terminal.wait_for("2 changes");
    assert!(!folder.join("one.md").exists() && !folder.join("two.md").exists());
    assert_eq!(fs::read_to_string(folder.join("MEMORY.md")).unwrap(), "");
    terminal.send("uu");
    let is_there = |name| folder.join(name).exists();
    until("both are back", || is_there("one.md") && is_there("two.md"));
    terminal.wait_for("taken back");
    let is_whole = || fs::read_to_string(folder.join("MEMORY.md")).unwrap() == index;
    until("the index is as it was", is_whole);
    quit(terminal);
}

#[test]
fn two_windows_on_one_memory_keep_both_drafts() {
    let place = place();
    let [mut first, mut second] = [editing(&place), editing(&place)];
    first.send("Mine. ");
    until("my draft is kept", || drafts(&place).len() == 1);
    second.send("Theirs. ");
    until("both are kept", || drafts(&place).len() == 2);
    first.send("More. ");
    until("mine goes on beside theirs", || {
        let drafts = drafts(&place);
        drafts.len() == 2
            && drafts.iter().any(|text| text.contains("Mine. More. First"))
            && drafts.iter().any(|text| text.contains("Theirs. First"))
    });
    for terminal in [&mut first, &mut second] {
        terminal.signal(Signal::KILL);
        terminal.wait_exit();
    }
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    // The file goes too: what was typed can be reached all the same.
    fs::remove_file(file(&place)).unwrap();
    terminal.wait_gone("› one");
    terminal.send("gd");
    terminal.wait_for("typed and never saved");
    terminal.send("\r");
    terminal.wait_for("its file is gone");
    terminal.wait_for("discard all 2");
    terminal.send("\r");
    terminal.wait_for("write one.md anew");
    terminal.send("\r");
    until("it is there again, as typed", || {
        fs::read_to_string(file(&place)).is_ok_and(|text| text.contains(". First line."))
    });
    until("its draft is gone, the other is not", || {
        drafts(&place).len() == 1
    });
    quit(terminal);
}

fn drafts(place: &Place) -> Vec<String> {
    let files = walk(&place.root_of("state"), "drafts").into_iter();
    files
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect()
}
