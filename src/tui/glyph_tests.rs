use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;
use crate::base::text;

#[test]
fn every_mark_is_one_cell_and_its_form_is_ascii() {
    for (at, (mark, form)) in FORMS.iter().enumerate() {
        assert_eq!(text::width(mark), 1, "{mark}");
        assert!(form.is_ascii() && (1..=2).contains(&form.len()), "{mark}");
        assert!(
            FORMS[..at].iter().all(|(before, _)| before != mark),
            "{mark} twice"
        );
    }
}

#[test]
fn a_files_own_text_stays_as_it_is() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
    buffer.set_string(0, 0, "…", Style::new());
    buffer.set_string(1, 0, "…①", Style::new().add_modifier(VERBATIM));
    to_ascii(&mut buffer);
    let symbols: Vec<_> = buffer.content.iter().map(Cell::symbol).collect();
    assert_eq!(symbols, ["~", "…", "①"]);
    assert!(buffer.content.iter().all(|cell| cell.modifier.is_empty()));
}

#[test]
fn a_mark_of_two_cells_is_chosen_where_it_is_drawn() {
    assert_eq!((form("✂", false), form("✂", true)), ("✂", ">8"));
    assert_eq!(form("a", true), "a");
}
