use super::*;
use crate::app::markdown::DEEPEST;
use crate::app::painted::Tone;
use crate::base::text;
use crate::tui::theme::Role;

const THEME: Theme = Theme::terminal(true);

fn plain(source: &str, cells: usize) -> String {
    let lines: Vec<_> = render(source, None, cells, THEME)
        .iter()
        .map(ToString::to_string)
        .collect();
    lines.join("\n")
}

#[test]
fn blocks_are_parted_by_one_line() {
    assert_eq!(
        plain("# Title\ntext\n\n\nmore\n\n---\n\nend", 20),
        "Title\n\ntext\n\nmore\n\n────────────────────\n\nend"
    );
}

#[test]
fn lists_hang_and_nest() {
    assert_eq!(
        plain("- one two three\n- b\n  1. x\n  2. y\n\nend", 11),
        "• one two\n  three\n• b\n  1. x\n  2. y\n\nend"
    );
    assert_eq!(
        plain("- [x] done\n- [ ] open", 20),
        "• [x] done\n• [ ] open"
    );
    assert_eq!(plain("- a\n\n- b", 20), "• a\n• b");
}

#[test]
fn quotes_bear_a_bar_on_every_line() {
    assert_eq!(plain("> one two\n>\n> three", 10), "▎ one two\n▎ \n▎ three");
}

#[test]
fn code_stays_as_it_is() {
    assert_eq!(
        plain("```sh\nif x;\n\tthen\n```", 40),
        "  if x;\n      then"
    );
}

#[test]
fn tables_are_text() {
    assert_eq!(
        plain("| a | b |\n|---|---|\n| 1 | two |", 40),
        "a │ b\n──┼────\n1 │ two"
    );
}

#[test]
fn links_say_where_they_lead_and_wiki_links_are_marked() {
    assert_eq!(plain("[a](b.md) <https://x.y>", 60), "a (b.md) https://x.y");
    let lines = render("see [[other note]] now", None, 60, THEME);
    let linked: String = lines[0]
        .spans
        .iter()
        .filter(|span| span.style == THEME.style(Role::Link))
        .map(|span| span.content.as_ref())
        .collect();
    assert_eq!(linked, "[[other note]]");
    assert_eq!(lines[0].to_string(), "see [[other note]] now");
}

#[test]
fn hidden_characters_are_shown() {
    let out = plain("a\u{202E}b \u{1b}[31m\u{E0041}\n\n`\u{200B}`", 60);
    assert!(!out.contains(['\u{202E}', '\u{1b}', '\u{E0041}', '\u{200B}']));
    assert!(out.contains("<U+202E>") && out.contains('␛'));
}

#[test]
fn no_line_is_wider_than_it_may_be() {
    let source = "# 漢字漢字漢字漢字漢字漢字\n\n- a very long item with averyveryverylongwordinit\n  - deeper\n\n> quote of some length\n\n| a | b |\n|---|---|\n| long long long | long long long |";
    for cells in [16, 20, 33] {
        for line in render(source, None, cells, THEME) {
            assert!(text::width(&line.to_string()) <= cells, "{line}");
        }
    }
}

#[test]
fn what_is_nested_without_end_is_drawn_as_deep_as_it_can_be_seen() {
    let deep = format!("{}x\n\nend\n", "> ".repeat(20_000));
    let lines = render(&deep, None, 80, THEME);
    assert!(lines.iter().all(|line| line.spans.len() <= DEEPEST + 1));
    assert_eq!(
        lines.last().map(ToString::to_string).as_deref(),
        Some("end")
    );
}

#[test]
fn one_long_paragraph_keeps_every_character() {
    for piece in ["[", "**a *b ", "[[a]] ", "word\n"] {
        let source = piece.repeat(20_000);
        let shown: usize = render(&source, None, 30, THEME)
            .iter()
            .map(Line::width)
            .sum();
        assert!(shown >= 20_000, "{piece}: {shown}");
    }
}

#[test]
fn painted_code_says_the_same_in_its_colours_and_hides_nothing() {
    let source = "A\n\n```sh\nls \u{202E}x\n```\n\n    indented\n\n```\nplain\n```\n";
    let painted = vec![
        Some(vec![vec![
            (Tone::Name, "ls".to_string()),
            (Tone::Plain, " \u{202E}x".to_string()),
        ]]),
        None,
        None,
    ];
    let lines = render(source, Some(&painted), 40, THEME);
    let unpainted = render(source, None, 40, THEME);
    let text = |lines: &[Line<'_>]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(text(&lines), text(&unpainted));
    let named = &lines[2].spans[1];
    assert_eq!(
        (&*named.content, named.style),
        ("ls", THEME.style(Role::Named))
    );
    assert_eq!(lines[4].spans, unpainted[4].spans);
    assert_eq!(lines[6].spans, unpainted[6].spans);
}
