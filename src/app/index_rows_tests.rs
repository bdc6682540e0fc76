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

#[test]
fn a_line_is_added_for_the_only_ghost_wherever_the_cursor_is() {
    use crate::app::fixture::{app_on, press};
    use crate::app::message::{Effect, Order, Wanted};
    use crate::memory::file::State;
    use crate::memory::proposal::{IndexEdit, Wish};
    let added = |effects: Vec<Effect>| match effects.into_iter().next() {
        Some(Effect::Write(Order::Propose { wishes, .. })) => match &wishes[0].1 {
            Wanted::Wish(Wish::Index {
                edit: IndexEdit::Add { path },
                ..
            }) => path.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let mut one = app_on(120, 40, contents());
    press(&mut one, "2 g g");
    assert_eq!(one.ghost_here(), None, "the cursor is on no ghost");
    assert_eq!(added(press(&mut one, "+")), "release-freeze.md");

    let mut two = contents();
    two.entries[0].state = State::Ghost;
    let mut two = app_on(120, 40, two);
    press(&mut two, "2 g g +");
    match &two.notice {
        Some(crate::app::Notice::Word(said)) => {
            assert_eq!(said, "put the cursor on a ghost below the list");
        }
        other => panic!("{other:?}"),
    }
}
