use proptest::prelude::*;

use super::*;

fn merged(base: &str, mine: &str, theirs: &str) -> Option<String> {
    let clean = three_way(base.as_bytes(), mine.as_bytes(), theirs.as_bytes()).clean()?;
    Some(String::from_utf8(clean).expect("text"))
}

#[test]
fn changes_to_different_lines_are_merged() {
    assert_eq!(
        merged("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n").as_deref(),
        Some("A\nb\nC\n")
    );
    assert_eq!(
        merged("a\nb\n", "A\nb\n", "a\nB\n").as_deref(),
        Some("A\nB\n")
    );
    assert_eq!(
        merged("a\nb\nc\n", "b\nc\n", "a\nb\nc\nd\n").as_deref(),
        Some("b\nc\nd\n")
    );
}

#[test]
fn a_line_that_one_side_inserts_beside_a_changed_one_stays() {
    assert_eq!(
        merged("a\nb\n", "a\nnew\nb\n", "a\nB\n").as_deref(),
        Some("a\nnew\nB\n")
    );
}

#[test]
fn the_same_change_on_both_sides_counts_once() {
    assert_eq!(
        merged("a\nb\n", "a\nc\n", "a\nc\n").as_deref(),
        Some("a\nc\n")
    );
}

#[test]
fn the_same_line_changed_differently_is_open() {
    let three = three_way(b"a\nb\nc\n", b"a\nmine\nc\n", b"a\ntheirs\nc\n");
    assert_eq!(three.clean(), None);
    assert_eq!(
        three.hunks[1],
        Hunk::Open {
            base: b"b\n".to_vec(),
            mine: b"mine\n".to_vec(),
            theirs: b"theirs\n".to_vec()
        }
    );
    assert_eq!(merged("a\n", "a\nx\n", "a\ny\n"), None);
}

#[test]
fn a_stale_list_does_not_overwrite_a_file_that_grew() {
    // Case CO04: the index had one line; it grew to 60 with headings while the one entry was renamed.
    let base = "- [One](one.md) — old\n";
    let grown: String = std::iter::once("# Memory\n\n".to_string())
        .chain((0..57).map(|n| format!("- [T{n}](t{n}.md)\n")))
        .collect();
    let theirs = format!("{base}{grown}");
    let result = merged(base, "- [First](one.md) — old\n", &theirs).expect("different lines");
    assert_eq!(result, format!("- [First](one.md) — old\n{grown}"));
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec("[abc]", 0..8)
        .prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect())
}

proptest! {
    #[test]
    fn one_sided_changes_win_and_sides_are_equal(base in text(), mine in text(), theirs in text()) {
        prop_assert_eq!(merged(&base, &mine, &base), Some(mine.clone()));
        prop_assert_eq!(merged(&base, &base, &theirs), Some(theirs.clone()));
        prop_assert_eq!(merged(&base, &mine, &mine), Some(mine.clone()));
        prop_assert_eq!(merged(&base, &mine, &theirs).is_some(), merged(&base, &theirs, &mine).is_some());
    }

    #[test]
    fn both_sides_are_whole_in_the_hunks(base in text(), mine in text(), theirs in text()) {
        let three = three_way(base.as_bytes(), mine.as_bytes(), theirs.as_bytes());
        if three.hunks.iter().all(|hunk| matches!(hunk, Hunk::Open { .. })) {
            let side = |pick: fn(&Hunk) -> Vec<u8>| three.hunks.iter().flat_map(pick).collect::<Vec<u8>>();
            prop_assert_eq!(side(|hunk| match hunk { Hunk::Open { mine, .. } => mine.clone(), Hunk::Settled(_) => vec![] }), mine.into_bytes());
            prop_assert_eq!(side(|hunk| match hunk { Hunk::Open { theirs, .. } => theirs.clone(), Hunk::Settled(_) => vec![] }), theirs.into_bytes());
        }
    }
}
