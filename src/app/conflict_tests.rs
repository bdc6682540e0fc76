use super::*;
use crate::store::merge::three_way;

fn at() -> FileAt {
    FileAt {
        folder: "/p".into(),
        file: "a.md".to_string(),
    }
}

/// A hunk of `mine` and `theirs`, a line both have, and a second hunk.
fn conflict(mine: &str) -> Merge {
    let mine = format!("{mine}\n--\nmy\n");
    let of = three_way(b"a\n--\nc\n", mine.as_bytes(), b"theirs\n--\nyour\n");
    Merge::new(at(), of)
}

fn shown(merge: &Merge) -> Vec<String> {
    let rows = (0..merge.length()).filter_map(|at| merge.row(at));
    rows.map(|(text, _)| text.to_string()).collect()
}

#[test]
fn a_long_line_is_there_whole_in_as_many_rows_as_it_takes() {
    let long = "one two three four five six seven eight nine ten";
    let mut merge = conflict(long);
    merge.fit(20);
    let rows = shown(&merge);
    let of_mine = (0..merge.length()).filter(|at| {
        let line = merge.row(*at).map(|(_, line)| line);
        let side = Side::Mine;
        line == Some(MergeLine::Line { hunk: 0, side })
    });
    let said: Vec<_> = of_mine.map(|at| rows[at].trim().to_string()).collect();
    assert_eq!(said.join(" "), long);
    assert!(said.len() > 2, "{said:?}");
}

#[test]
fn the_hunk_under_the_cursor_is_chosen_and_between_two_the_next() {
    let mut merge = conflict("mine");
    merge.fit(40);
    assert_eq!(merge.chosen(), Some(0));
    let between = (0..merge.length())
        .position(|at| merge.row(at).map(|(_, line)| line) == Some(MergeLine::Agreed))
        .expect("a line that both have");
    merge.list.cursor = between;
    assert_eq!(merge.chosen(), Some(1));
    merge.list.cursor = merge.length() - 1;
    assert_eq!(merge.chosen(), Some(1));
}

#[test]
fn a_choice_goes_on_to_the_next_undecided_and_back_to_the_first() {
    let mut merge = conflict("mine");
    merge.fit(40);
    merge.list.cursor = merge.length() - 1;
    merge.choose(Side::Both);
    assert_eq!(merge.chosen(), Some(0));
    assert_eq!(merge.result(), None);
    merge.choose(Side::Theirs);
    let result = merge.result().expect("all is decided");
    assert_eq!(String::from_utf8_lossy(&result), "theirs\n--\nyour\nmy\n");
}

#[test]
fn another_width_leaves_the_cursor_on_its_line() {
    let mut merge = conflict("one two three four five six seven eight nine ten");
    merge.fit(60);
    let line = |merge: &Merge| merge.row(merge.list.cursor).map(|(_, line)| line);
    merge.choose(Side::Mine);
    let before = line(&merge);
    assert_eq!(before.and_then(MergeLine::hunk), Some(1));
    merge.fit(12);
    assert_eq!(line(&merge), before);
}
