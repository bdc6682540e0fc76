use super::*;
use crate::app::fixture::session_page;

fn reading() -> SessionReading {
    let mut reading = SessionReading::new("/s.jsonl".into(), "s".to_string(), "/home/ada".into());
    reading.turn_to(60);
    assert!(reading.ask(1, &Ask::Last));
    reading.take(1, Ok(session_page(&Ask::Last)));
    reading.settle(20);
    reading
}

fn text(reading: &SessionReading) -> &str {
    &reading.rows()[reading.list.cursor].text
}

#[test]
fn it_opens_at_its_end_and_earlier_pages_come_above_the_cursor() {
    let mut reading = reading();
    assert_eq!(
        text(&reading),
        "It went through in 4 minutes; the snapshot is kept."
    );
    let rows = reading.rows().len();
    let ask = reading.lacks().expect("the part before the boundary");
    assert!(matches!(ask, Ask::Before(_)));
    assert!(reading.ask(2, &ask));
    assert_eq!(reading.lacks(), None, "one at a time");
    reading.take(2, Ok(session_page(&ask)));
    assert_eq!(
        text(&reading),
        "It went through in 4 minutes; the snapshot is kept."
    );
    assert!(reading.rows().len() > rows);
    assert_eq!(reading.lacks(), None, "all is held");
}

#[test]
fn a_page_that_is_not_awaited_is_dropped_and_a_fault_is_told() {
    let mut reading = reading();
    let rows = reading.rows().len();
    reading.take(9, Ok(session_page(&Ask::First)));
    assert_eq!(reading.rows().len(), rows);
    reading.ask(3, &Ask::First);
    reading.take(3, Err("gone".to_string()));
    assert_eq!(reading.fault.as_deref(), Some("gone"));
    assert_eq!(reading.lacks(), None, "it is not asked for again and again");
}

#[test]
fn a_turn_is_gone_to_also_where_it_is_folded_away() {
    let mut reading = reading();
    let page = session_page(&Ask::First);
    let branch = page
        .items
        .iter()
        .find(|item| item.side == crate::transcript::conversation::Side::Branch);
    let at = branch.expect("one was taken back").at;
    reading.ask(2, &Ask::Around(at));
    reading.take(2, Ok(session_page(&Ask::First)));
    assert_eq!(text(&reading), "Never mind.");
}

#[test]
fn hits_are_stepped_through_among_what_is_held() {
    let mut reading = reading();
    reading.query = Some(("again".to_string(), Query::new("again")));
    assert!(reading.step_hit(false));
    assert_eq!(text(&reading), "Try again now.");
    assert!(!reading.step_hit(false), "there is none before");
}

#[test]
fn what_is_unfolded_is_folded_from_any_of_its_rows() {
    let mut reading = reading();
    let summary = reading
        .rows()
        .iter()
        .position(|row| row.text.starts_with("summary"));
    reading.list.cursor = summary.unwrap();
    let rows = reading.rows().len();
    assert!(reading.toggle().0);
    assert_eq!(reading.rows().len(), rows + 1);
    reading.list.cursor += 1;
    assert!(reading.toggle().0);
    assert_eq!(reading.rows().len(), rows);
    reading.list.cursor = reading.rows().len() - 1;
    assert!(!reading.toggle().0, "an answer does not fold");
}
