//! Reading in the terminal: links are followed, what is broken is mended, what is true is verified.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::bytes::{Token, numbers, tokens};
use super::edit::until;
use super::store::Place;
use super::terminal::{Exit, Terminal};

const LINE: &str = "\n\n**Why:** it was so.\n\n**How to apply:** so.\n";

fn memory(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: what {name} says\nmetadata:\n  type: project\n---\n\n{body}{LINE}"
    )
}

fn place() -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "Text of one, see [[two]]."));
    place.memory("shop", "two.md", memory("two", "Text of two."));
    place.memory(
        "shop",
        "open.md",
        "---\nname: open\ndescription: never closed\ntype: user\n\nThe fact.\n",
    );
    place.memory(
        "shop",
        "MEMORY.md",
        "- [One](one.md) — what one says\n- [Two](two.md) — what two says\n- [Open](open.md) — never closed\n",
    );
    place
}

fn file(place: &Place, name: &str) -> PathBuf {
    place.kept("shop").join("memory").join(name)
}

/// A memory shown, its pane with the focus.
fn reading(place: &Place, text: &str) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    terminal.send("/");
    terminal.wait_for("type to find in all projects");
    terminal.send(format!("{text}\r"));
    terminal.wait_gone("find ·");
    terminal.wait_for("›Memory");
    terminal.wait_for(" bytes");
    terminal
}

#[track_caller]
fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_link_is_followed_and_leads_back() {
    let place = place();
    let terminal = reading(&place, "Text of one");
    terminal.wait_for("→ links to     two");
    terminal.send("\r");
    terminal.wait_for("Text of two.");
    terminal.wait_for("← linked from  one");
    terminal.send("\x7f");
    terminal.wait_for("Text of one,");
    // A link that comes to be is shown by itself.
    let two = file(&place, "two.md");
    fs::write(&two, memory("two", "Text of two, now with [[one]].")).unwrap();
    terminal.wait_for("← linked from  two");
    quit(terminal);
}

#[test]
fn what_never_closes_is_mended_from_its_view() {
    let place = place();
    let terminal = reading(&place, "The fact");
    terminal.wait_for("f fix");
    terminal.send("f");
    terminal.wait_for("mend open.md");
    terminal.wait_for("enter does it");
    terminal.send("\r");
    let path = file(&place, "open.md");
    until("it is mended", || {
        fs::read_to_string(&path).unwrap()
            == "---\nname: open\ndescription: never closed\ntype: user\n---\n\nThe fact.\n"
    });
    quit(terminal);
}

#[test]
fn verified_makes_young_and_undo_old_again() {
    let place = place();
    let path = file(&place, "one.md");
    let old = SystemTime::now() - Duration::from_hours(40 * 24);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let age = || {
        fs::metadata(&path)
            .unwrap()
            .modified()
            .unwrap()
            .elapsed()
            .unwrap_or_default()
    };
    let days = |days: u64| Duration::from_hours(days * 24);
    let terminal = reading(&place, "Text of one");
    terminal.wait_for("40d old");
    terminal.send("V");
    terminal.wait_for("verify one · u undoes it");
    assert!(age() < days(1));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        memory("one", "Text of one, see [[two]].")
    );
    terminal.send("u");
    terminal.wait_for("taken back");
    assert!(age() > days(39));
    quit(terminal);
}

/// Which cells of the screen are links at the end, as rows of text with their address: the cells of
/// ASCII texts, which is all that this store shows.
fn links(raw: &[u8]) -> Vec<(String, String)> {
    let mut cells: BTreeMap<(u32, u32), (char, String)> = BTreeMap::new();
    let (mut row, mut column) = (1, 1);
    let mut url = String::new();
    for token in tokens(raw).0 {
        match token {
            Token::Csi {
                params, end: 'H', ..
            } => {
                let at = numbers(&params);
                (row, column) = (at[0].max(1), at.get(1).copied().unwrap_or(1).max(1));
            }
            Token::Csi { end: 'J', .. } => cells.clear(),
            Token::Osc(body) => {
                if let Some(link) = body.strip_prefix("8;;") {
                    url = link.to_string();
                }
            }
            Token::Text(text) => {
                for c in text.chars() {
                    cells.insert((row, column), (c, url.clone()));
                    column += 1;
                }
            }
            _ => {}
        }
    }
    let mut found: Vec<(String, String)> = Vec::new();
    let mut last = (0, 0);
    for ((row, column), (c, url)) in cells.into_iter().filter(|(_, (_, url))| !url.is_empty()) {
        match found.last_mut() {
            Some((text, link)) if last == (row, column - 1) && *link == url => text.push(c),
            _ => found.push((c.to_string(), url)),
        }
        last = (row, column);
    }
    found
}

#[test]
fn web_addresses_are_links_where_the_terminal_takes_them() {
    let place = place();
    let url = "https://example.org/deploy?step=2";
    let filler = "Filler.\n\n".repeat(40);
    let body =
        format!("Text of web, see {url}.\n\n{filler}The [page](https://example.org/b) at the end.");
    place.memory("shop", "web.md", memory("web", &body));
    for takes in ["1", "0"] {
        let terminal = place.open("shop").env("FORCE_HYPERLINK", takes).start();
        terminal.wait_ready("shop");
        terminal.send("/");
        terminal.wait_for("type to find in all projects");
        terminal.send("Text of web\r");
        terminal.wait_gone("find ·");
        terminal.wait_for(url);
        terminal.settle();
        let now = links(&terminal.raw());
        if takes == "0" {
            assert_eq!(now, []);
            assert!(!String::from_utf8_lossy(&terminal.raw()).contains("\x1b]8;"));
            quit(terminal);
            continue;
        }
        assert_eq!(now, [(url.to_string(), url.to_string())]);
        // One row down, the cells that it leaves are none any more.
        terminal.send("j");
        terminal.settle();
        assert_eq!(links(&terminal.raw()), [(url.to_string(), url.to_string())]);
        terminal.send("G");
        terminal.wait_for("at the end");
        let end = "https://example.org/b".to_string();
        let at_end = [(end.clone(), end)];
        until("the links of the end", || links(&terminal.raw()) == at_end);
        // What lies on top of it is no link.
        terminal.send("?");
        terminal.wait_for("type to filter");
        until("no links", || links(&terminal.raw()).is_empty());
        terminal.send("\x1b");
        until("the links of the end", || links(&terminal.raw()) == at_end);
        quit(terminal);
    }
}
