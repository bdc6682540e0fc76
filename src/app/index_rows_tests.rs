use super::*;
use crate::app::fixture::{contents, index, long_contents};

#[test]
fn the_cut_stands_before_the_first_line_that_is_not_loaded() {
    let contents = long_contents();
    let rows = build(&contents, 60);
    let at = rows
        .iter()
        .position(|row| matches!(row, IndexRow::Cut { .. }))
        .unwrap();
    assert_eq!(rows[at], IndexRow::Cut { entries: 12 });
    assert_eq!(
        rows[at - 1],
        IndexRow::Line {
            which: Which::Own,
            line: 200,
            fate: Fate::Loaded
        }
    );
    assert!(matches!(&rows[at + 1], IndexRow::Warning(text) if text.starts_with("> WARNING")));
    assert!(rows.contains(&IndexRow::Line {
        which: Which::Own,
        line: 201,
        fate: Fate::BelowCut
    }));
}

#[test]
fn comments_are_marked_and_the_team_has_a_heading() {
    let rows = build(&contents(), 60);
    assert!(rows.contains(&IndexRow::Line {
        which: Which::Own,
        line: 1,
        fate: Fate::Stripped
    }));
    let heading = rows.iter().position(|row| *row == IndexRow::Heading);
    assert!(heading.is_some());
}

#[test]
fn bytes_past_the_number_of_the_limit_are_no_units() {
    let text = format!("- [x](x.md) {}\n", "é".repeat(12_600));
    let contents = Contents {
        index: Some(index(&text, &[])),
        ..Contents::default()
    };
    assert!(build(&contents, 60).contains(&IndexRow::Disagree(Which::Own)));
}

#[test]
fn without_an_index_there_is_one_sentence() {
    let rows = build(&Contents::default(), 100);
    assert!(matches!(rows[..], [IndexRow::None(_)]));
}

#[test]
fn an_index_that_cannot_be_read_is_not_said_to_be_missing() {
    let contents = Contents {
        index_fault: Some("MEMORY.md can't be read: permission denied".to_string()),
        ..Contents::default()
    };
    let rows = build(&contents, 100);
    assert!(matches!(&rows[..], [IndexRow::None(said)] if said.contains("permission denied")));
}
