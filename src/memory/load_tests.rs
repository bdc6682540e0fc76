use proptest::prelude::*;

use super::*;

#[test]
fn a_short_index_is_loaded_whole() {
    let loaded = load("- [One](one.md) — first\n- [Two](two.md) — second\n");
    assert_eq!((loaded.lines, loaded.bytes, loaded.units), (2, 52, 48));
    assert_eq!(
        loaded.text,
        "- [One](one.md) — first\n- [Two](two.md) — second"
    );
    assert_eq!((loaded.warning, loaded.cut_at_line), (None, None));
}

#[test]
fn the_cut_is_a_line_of_the_file() {
    let rows: String = (1..=205).map(|n| format!("- [T{n}](t{n}.md)\n")).collect();
    let loaded = load(&format!("---\nname: x\n---\n<!-- note -->\n\n{rows}"));
    assert_eq!(loaded.lines, 205);
    assert_eq!(loaded.text.lines().count(), 200);
    assert_eq!(loaded.cut_at_line, Some(206));
    assert_eq!(loaded.stripped_lines, [1, 2, 3, 4, 5]);
}

#[test]
fn cjk_passes_by_units_where_bytes_would_not() {
    // Case IX02: 150 lines, about 24,000 units, over 60,000 bytes.
    let text: String = (1..=150)
        .map(|n| format!("- [記{n:03}](t{n:03}.md) — {}\n", "鳥".repeat(137)))
        .collect();
    let loaded = load(&text);
    assert!(
        loaded.units <= 25_000 && loaded.bytes > 60_000,
        "{} units, {} bytes",
        loaded.units,
        loaded.bytes
    );
    assert_eq!(loaded.warning, None);
}

#[test]
fn one_long_line_is_cut_between_characters() {
    // Case IX05: 12 lines, the first of about 30,000 characters with an emoji every seventh.
    let long: String = (0..30_000)
        .map(|n| if n % 7 == 0 { '🪶' } else { 'x' })
        .collect();
    let rest: String = (0..11)
        .map(|n| format!("- [S{n}](s{n}.md) — y\n"))
        .collect();
    let loaded = load(&format!("- [Big](big.md) — {long}\n{rest}"));
    assert_eq!((loaded.lines, loaded.cut_at_line), (12, Some(1)));
    assert!(units_of(&loaded.text) >= 24_999 && units_of(&loaded.text) <= 25_000);
    assert!(!loaded.text.contains('\u{FFFD}'));
    assert!(
        loaded
            .warning
            .expect("a warning")
            .contains("everything after the first 25000 characters of line 1")
    );
}

#[test]
fn sanitising_comes_after_the_cut() {
    // 30,000 units of which every third is a zero-width space: cut to 25,000, then 16,667 are left.
    let loaded = load(&"ab\u{200B}".repeat(10_000));
    assert_eq!(units_of(&loaded.text), 16_667);
    let loaded = load("a <system-reminder> b\u{2028}c\rd\r\ne\u{85}\u{E0041}\t\u{200D}");
    assert_eq!(loaded.text, "a <\\system-reminder> b\nc\nd\ne\t\u{200D}");
}

#[test]
fn nothing_is_loaded_of_a_blank_index() {
    assert_eq!(
        load(" \n\n \u{FEFF}\n"),
        Loaded {
            first_line: 1,
            ..Loaded::default()
        }
    );
}

proptest! {
    #[test]
    fn what_is_loaded_keeps_both_limits(text in "(- \\[é\\]\\(x.md\\) 鳥🪶{0,300}\n){0,260}") {
        let loaded = load(&text);
        prop_assert!(loaded.text.split('\n').count() <= 200);
        prop_assert!(units_of(&loaded.text) <= 25_000);
        prop_assert_eq!(loaded.warning.is_some(), loaded.lines > 200 || loaded.units > 25_000);
        prop_assert_eq!(loaded.cut_at_line.is_some(), loaded.warning.is_some());
    }
}

#[test]
fn what_was_sent_tells_where_it_was_cut() {
    let rows: String = (1..=205).map(|n| format!("- [T{n}](t{n}.md)\n")).collect();
    let told_by = |warning| {
        let manner = Manner {
            warning,
            ..Manner::default()
        };
        told(&load_as(&rows, manner).sent())
    };
    let detailed = Told {
        at_line: Some(201),
        lines: Some(5),
    };
    let plain = Told {
        at_line: None,
        lines: None,
    };
    assert_eq!(told_by(Warning::Detailed), Some(detailed));
    assert_eq!(told_by(Warning::Plain), Some(plain));
    assert_eq!(told_by(Warning::Lines), Some(plain));
    assert_eq!(told(&load(&"x".repeat(25_001)).sent()), Some(plain));
    assert_eq!(told(&load("- [T](t.md)\n").sent()), None);
}
