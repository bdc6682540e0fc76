//! Standing rules in the terminal: edited and taken back like memories; what another program writes
//! appears by itself; what is found of them stands in the Health view.

use std::fs;
use std::path::PathBuf;

use super::store::{Place, memory, write};
use super::terminal::{Exit, Terminal};

const RULES: &str = "# Shop rules\n\nRead @docs/a.md first.\n";
const CTRL_S: &str = "\x13";

fn place() -> Place {
    let place = Place::new();
    place.memory(
        "shop",
        "one.md",
        "---\nname: one\ntype: project\n---\nA fact.\n",
    );
    place.memory("shop", "MEMORY.md", "- [One](one.md) — a fact\n");
    write(&place.work("shop").join("CLAUDE.md"), RULES);
    write(&place.work("shop").join("docs/a.md"), "Imported text.\n");
    place
}

fn file(place: &Place) -> PathBuf {
    place.work("shop").join("CLAUDE.md")
}

fn text(place: &Place) -> String {
    fs::read_to_string(file(place)).unwrap()
}

/// The cursor on the project's CLAUDE.md.
fn on_rules(place: &Place) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.wait_for("Rules");
    terminal.send("j\r");
    terminal.wait_for("docs/a.md");
    terminal.send("j");
    terminal.wait_for("Shop rules");
    terminal
}

fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_rule_is_edited_saved_and_taken_back() {
    let place = place();
    let terminal = on_rules(&place);
    terminal.send("e");
    terminal.wait_for("as saved");
    terminal.send("New ");
    terminal.wait_for("not saved");
    assert_eq!(text(&place), RULES, "nothing is written before a save");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: edit CLAUDE.md");
    assert_eq!(text(&place), format!("New {RULES}"));
    terminal.send("\x1b");
    terminal.wait_gone("as saved");
    terminal.send("u");
    terminal.wait_for("taken back: edit CLAUDE.md");
    assert_eq!(text(&place), RULES);
    terminal.send("\x1b");
    quit(terminal);
}

#[test]
fn what_another_program_writes_appears() {
    let place = place();
    let terminal = on_rules(&place);
    write(
        &file(&place),
        "# Written elsewhere\n\nRead @docs/b.md too.\n",
    );
    terminal.wait_for("Written elsewhere");
    terminal.wait_for("docs/b.md");
    write(&place.work("shop").join("CLAUDE.local.md"), "Mine.\n");
    terminal.wait_for("CLAUDE.local.md");
    write(&place.work("shop").join(".claude/rules/x.md"), "Late.\n");
    terminal.wait_for("rules/x.md");
    quit(terminal);
}

#[test]
fn a_new_rule_is_begun_by_its_name() {
    let place = place();
    let terminal = on_rules(&place);
    terminal.send("n");
    terminal.wait_for("a new rules file");
    terminal.send("jj\r");
    terminal.wait_for("a rules file in .claude/rules/");
    terminal.send("sql\r");
    terminal.wait_for("new, not saved");
    terminal.send("Twice.");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: new sql.md");
    let made = place.work("shop").join(".claude/rules/sql.md");
    assert_eq!(fs::read_to_string(&made).unwrap(), "Twice.");
    terminal.send("\x1b");
    terminal.wait_for("rules/sql.md");
    terminal.send("u");
    terminal.wait_for("taken back: new sql.md");
    assert!(!made.exists());
    terminal.send("\x1b");
    quit(terminal);
}

#[test]
fn findings_of_the_rules_stand_in_the_health_view_and_say_where_to_mend_them() {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    write(
        &place.work("shop").join("CLAUDE.md"),
        "Small commits.\n@docs/gone.md\n",
    );
    let mut terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("3");
    terminal.wait_for("import-missing");
    terminal.wait_for("`@docs/gone.md` is not there");
    terminal.send("j\r");
    terminal.wait_for("after compaction");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

/// A rule and a memory alike: what is typed stays, the file stays as the other program left it.
#[test]
fn a_save_over_bytes_that_are_no_utf8_is_refused_and_the_draft_is_kept() {
    for rule in [true, false] {
        let place = place();
        let path = match rule {
            true => file(&place),
            false => place.kept("shop").join("memory/one.md"),
        };
        let terminal = on_rules(&place);
        if !rule {
            terminal.send("G");
            terminal.wait_for("A fact.");
        }
        terminal.send("e");
        terminal.wait_for("as saved");
        if !rule {
            terminal.send("\t\t\t\t");
        }
        terminal.send("New ");
        terminal.wait_for("not saved");
        let theirs = [&fs::read(&path).unwrap()[..], b"\n\xFF\xFE\n"].concat();
        fs::write(&path, &theirs).unwrap();
        terminal.send(CTRL_S);
        terminal.wait_for("no UTF-8 now");
        terminal.wait_for("not saved");
        assert_eq!(fs::read(&path).unwrap(), theirs);
        terminal.send("\x1b");
        terminal.wait_for("the draft is kept");
        quit(terminal);
        assert_eq!(fs::read(&path).unwrap(), theirs);
    }
}

/// A person with dotfiles: it is asked once, and the link stays a link.
#[test]
fn a_rule_that_leads_out_of_the_project_is_asked_for_and_written_where_it_leads() {
    let place = place();
    let real = place.home().join("dotfiles/CLAUDE.md");
    fs::create_dir_all(real.parent().unwrap()).unwrap();
    fs::rename(file(&place), &real).unwrap();
    std::os::unix::fs::symlink(&real, file(&place)).unwrap();
    write(&real.with_file_name("docs/a.md"), "Imported text.\n");
    let terminal = on_rules(&place);
    terminal.send("e");
    terminal.wait_for("leads out of its folder");
    terminal.wait_for("dotfiles/CLAUDE.md");
    terminal.send("\r");
    terminal.wait_for("as saved");
    terminal.send("New ");
    terminal.wait_for("not saved");
    terminal.send(CTRL_S);
    terminal.wait_for("saved: edit CLAUDE.md");
    assert_eq!(fs::read_to_string(&real).unwrap(), format!("New {RULES}"));
    assert!(fs::symlink_metadata(file(&place)).unwrap().is_symlink());
    terminal.send("\x1b");
    terminal.wait_gone("as saved");
    quit(terminal);
}

#[test]
fn what_a_promoted_memory_costs_a_turn_is_told_before_it_is_confirmed() {
    let place = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.wait_for("Rules");
    terminal.send("/A fact\r");
    terminal.wait_gone("find · ");
    terminal.wait_for("A fact.");
    terminal.send("P");
    terminal.wait_for("CLAUDE.md · project");
    terminal.send("\r");
    terminal.wait_for("tokens a turn: ≈ 8 → ≈ 0 of the index, ≈ 4 more of rules");
    terminal.wait_for("+- A fact.");
    assert_eq!(text(&place), RULES, "nothing is written before a yes");
    terminal.send("\x1b");
    terminal.wait_gone("tokens a turn");
    quit(terminal);
}
