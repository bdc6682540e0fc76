use proptest::prelude::*;

use super::*;

#[test]
fn widths_are_in_cells() {
    assert_eq!(width("abc"), 3);
    assert_eq!(width("数据库"), 6);
    assert_eq!(width("cafe\u{301}"), 4);
    assert_eq!(width("👨\u{200D}👩\u{200D}👧"), 2);
    assert_eq!(width("🇩🇪"), 2);
}

#[test]
fn cutting_keeps_whole_graphemes() {
    assert_eq!(cut_end("abcdef", 4), "abc…");
    assert_eq!(cut_end("数据库迁移", 6), "数据…");
    assert_eq!(
        cut_middle("db-migration-needs-backup", 16),
        "db-migrati…ackup"
    );
    assert_eq!(cut_end("abc", 0), "");
    assert_eq!(fit("数据", 5), "数据 ");
}

#[test]
fn wrapping_breaks_at_spaces_and_between_wide_characters() {
    let rows = |text: &str, cells| {
        wrap(text, cells)
            .into_iter()
            .map(|r| text[r].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        rows("take a snapshot by hand", 10),
        ["take a", "snapshot", "by hand"]
    );
    assert_eq!(
        rows("数据库迁移前手工快照", 6),
        ["数据库", "迁移前", "手工快", "照"]
    );
    assert_eq!(rows("abcdefghijkl", 5), ["abcde", "fghij", "kl"]);
    assert_eq!(rows("", 5), [""]);
}

proptest! {
    #[test]
    fn what_is_cut_fits(text in "\\PC{0,40}", cells in 0usize..30) {
        prop_assert!(width(&cut_end(&text, cells)) <= cells);
        prop_assert!(width(&cut_middle(&text, cells)) <= cells);
        prop_assert_eq!(width(&fit(&text, cells)), cells);
    }

    #[test]
    fn rows_fit_and_lose_only_spaces(text in "[a-z数 😀]{0,60}", cells in 2usize..20) {
        let rows = wrap(&text, cells);
        prop_assert!(rows.iter().all(|row| width(&text[row.clone()]) <= cells));
        let joined: String = rows.iter().map(|row| &text[row.clone()]).collect();
        prop_assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
    }

    /// The short way of plain text and the way of all others make the same rows.
    #[test]
    fn plain_text_is_wrapped_as_any_other(text in "[a-c ]{0,60}", cells in 2usize..20) {
        let rows = |text: &str| -> Vec<String> {
            let rows = wrap(text, cells).into_iter();
            rows.map(|row| text[row].replace('é', "a")).collect()
        };
        // What fits is left as it is.
        prop_assume!(text.len() > cells);
        let plain = format!("{text}a");
        prop_assert_eq!(rows(&plain), rows(&plain.replace('a', "é")));
        let spaces = format!("a{text} ");
        prop_assert_eq!(rows(&spaces), rows(&spaces.replace('a', "é")));
    }
}
