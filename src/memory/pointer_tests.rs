use proptest::prelude::*;

use super::*;
use crate::base::markdown::marks;

fn pointers(text: &str, files: &[&str]) -> Vec<Pointer> {
    read(text, &marks(text), &Targets::new(files.iter().copied()))
}

fn states(text: &str, files: &[&str]) -> Vec<(String, PointerState)> {
    pointers(text, files)
        .into_iter()
        .map(|pointer| (pointer.target, pointer.state))
        .collect()
}

fn expect(rows: &[(&str, PointerState)]) -> Vec<(String, PointerState)> {
    rows.iter()
        .map(|(target, state)| ((*target).to_string(), *state))
        .collect()
}

#[test]
fn a_hook_can_mention_further_memories_and_what_else_it_likes() {
    let text = "- [two](a.md) and [three](b.md), see [docs](../docs/x.md) and [gone](c.md)\n";
    let files = ["a.md", "b.md"];
    let targets = Targets::new(files.iter().copied());
    let marks = crate::base::markdown::marks(text);
    let found = read(text, &marks, &targets);
    let seen: Vec<_> = found
        .iter()
        .map(|pointer| (pointer.place, pointer.target.as_str(), pointer.state))
        .collect();
    assert_eq!(
        seen,
        [
            (Place::Item, "a.md", PointerState::Ok),
            (Place::Hook, "b.md", PointerState::Ok)
        ]
    );
    assert_eq!(pointed_at(text, &marks, &targets), files);
}

#[test]
fn an_entry_is_title_target_hook() {
    let found = pointers(
        "# Memory\n\n- [DB — backup](db.md) — take one first\n",
        &["db.md"],
    );
    let pointer = &found[0];
    assert_eq!(
        (found.len(), pointer.line, pointer.place),
        (1, 3, Place::Item)
    );
    assert_eq!(
        (&*pointer.title, &*pointer.target, &*pointer.hook),
        ("DB — backup", "db.md", "take one first")
    );
}

#[test]
fn bullets_numbers_nesting_and_any_dash_are_read() {
    let text = "* [A](a.md) – x\n+ [B](b.md) - x\n1. [C](c.md): x\n   - [D](d.md) x\n2) **[E](e.md)** — x\n- [ ] [F](f.md)\n";
    let files = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"];
    let found = pointers(text, &files);
    assert_eq!(
        found
            .iter()
            .map(|p| p.resolved.as_deref())
            .collect::<Vec<_>>(),
        files.map(Some)
    );
    assert_eq!(
        found.iter().map(|p| p.hook.as_str()).collect::<Vec<_>>(),
        ["x", "x", "x", "x", "x", ""]
    );
}

#[test]
fn targets_of_every_form_are_found() {
    let text = "- [A](my notes.md)\n- [B](a(1).md)\n- [C](<b c.md>)\n- [D](./team/d.md)\n- [E](e.md \"Title\")\n- [[wiki]] — w\n";
    let files = [
        "my notes.md",
        "a(1).md",
        "b c.md",
        "team/d.md",
        "e.md",
        "wiki.md",
    ];
    assert_eq!(
        pointers(text, &files)
            .iter()
            .map(|p| p.resolved.as_deref())
            .collect::<Vec<_>>(),
        files.map(Some).to_vec()
    );
}

#[test]
fn code_and_comments_hold_no_pointers() {
    // Case IX07.
    let text = include_str!("../../tests/fixtures/IX07/MEMORY.md");
    assert_eq!(
        states(text, &["hidden.md", "real.md"]),
        expect(&[("real.md", PointerState::Ok)])
    );
}

#[test]
fn table_rows_are_read_in_both_directions() {
    // Case IX06.
    let text = include_str!("../../tests/fixtures/IX06/MEMORY.md");
    let found = pointers(text, &["kestrel.md"]);
    assert_eq!(found[0].place, Place::Cell);
    assert_eq!(
        states(text, &["kestrel.md"]),
        expect(&[
            ("kestrel.md", PointerState::Ok),
            ("gone.md", PointerState::Dangling)
        ])
    );
}

#[test]
fn encoded_targets_are_decoded_but_a_literal_name_wins() {
    // Case IX11.
    let text = include_str!("../../tests/fixtures/IX11/MEMORY.md");
    let found = pointers(text, &["résumé#v2.md", "100%25.md", "100%.md"]);
    let resolved: Vec<_> = found.iter().map(|p| p.resolved.as_deref()).collect();
    assert_eq!(resolved, [Some("résumé#v2.md"), Some("100%25.md")]);
}

#[test]
fn anchors_and_dots_lead_to_one_file_and_an_open_bracket_is_malformed() {
    // Case IX13.
    let text = include_str!("../../tests/fixtures/IX13/MEMORY.md");
    assert_eq!(
        states(text, &["t.md", "u.md"]),
        expect(&[
            ("t.md#part-two", PointerState::Ok),
            ("<u.md#x", PointerState::Malformed),
            ("./t.md", PointerState::Duplicate),
            ("sub/../t.md", PointerState::Duplicate),
        ])
    );
}

#[test]
fn what_leaves_the_folder_is_unsafe_and_case_is_told() {
    assert_eq!(
        states(
            "- [A](../x.md)\n- [B](/etc/passwd)\n- [C](%2e%2e/x.md)\n- [D](API.md)\n- [E]()\n",
            &["api.md"]
        ),
        expect(&[
            ("../x.md", PointerState::Unsafe),
            ("/etc/passwd", PointerState::Unsafe),
            ("%2e%2e/x.md", PointerState::Unsafe),
            ("API.md", PointerState::Case),
            ("", PointerState::Malformed),
        ])
    );
}

#[test]
fn the_web_is_no_pointer_but_a_mention_in_a_hook_or_a_sentence_is() {
    let text = "- [Site](https://example.org) — x\n- [A](a.md) — see [B](b.md)\n\nWe keep [C](c.md) by hand.\n";
    let found = pointers(text, &["a.md", "b.md", "c.md"]);
    assert_eq!(
        found
            .iter()
            .map(|p| (&*p.target, p.place))
            .collect::<Vec<_>>(),
        [
            ("a.md", Place::Item),
            ("b.md", Place::Hook),
            ("c.md", Place::Sentence)
        ]
    );
}

#[test]
fn a_line_of_thousands_of_links_costs_no_square() {
    let text = format!("{}\n- [A](a.md)\n", "[[a]] ".repeat(20_000));
    let found = pointers(&text, &["a.md"]);
    assert_eq!(
        found.len(),
        65,
        "a bounded number of one line, and the next line whole"
    );
    assert!(
        found
            .iter()
            .map(|pointer| pointer.hook.len())
            .sum::<usize>()
            < text.len()
    );
    for odd in ["[", "[[a", "![[", "[a](", "<![CDATA[", "[a](<"] {
        assert!(
            pointers(&odd.repeat(50_000), &["a.md"]).len() <= 64,
            "{odd}"
        );
    }
}

#[test]
fn every_link_of_a_sentence_leads_to_its_file() {
    let found = pointers("See [A](a.md) and [B](b.md).\n", &["a.md", "b.md"]);
    let hooks: Vec<_> = found.iter().map(|pointer| pointer.hook.as_str()).collect();
    assert_eq!(hooks, ["and", "."]);
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "([-*|1.] ?)?[\\[\\]()<>a.md#%`é|\\\\ \n]{0,80}") {
        for pointer in pointers(&text, &["a.md"]) {
            prop_assert!(pointer.line <= text.split('\n').count());
        }
    }
}
