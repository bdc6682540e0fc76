use super::pages::edge;
use super::*;
use crate::app::fixture::session_page;
use crate::transcript::conversation;

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
    let begin = reading.held().expect("a page is held").start;
    assert_eq!(reading.step_hit(false), Step::Done);
    assert_eq!(text(&reading), "Try again now.");
    let before = reading.step_hit(false);
    assert_eq!(before, Step::Beyond(begin), "there is none before");
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

/// A reading of the last page of a transcript.
pub(super) fn reading_of(text: &str) -> SessionReading {
    let mut reading = SessionReading::new("/s.jsonl".into(), "s".to_string(), "/home/ada".into());
    reading.turn_to(60);
    assert!(reading.ask(1, &Ask::Last));
    let page = conversation::last(text.as_bytes(), text.len() as u64);
    reading.take(1, Ok(page.expect("in memory")));
    reading.settle(20);
    reading
}

/// It looks whether it has grown to this.
fn look(reading: &mut SessionReading, text: &str) -> bool {
    reading.doubt();
    let Some(ask @ Ask::Grown(_)) = reading.lacks() else {
        return false;
    };
    assert!(reading.ask(2, &ask));
    let Ask::Grown(page) = ask else { return false };
    let page = conversation::grown(text.as_bytes(), &page, text.len() as u64);
    reading.take(2, Ok(page.expect("in memory")));
    assert_eq!(reading.lacks(), None, "once");
    true
}

pub(super) fn said(number: usize, parent: Option<usize>, content: &str) -> String {
    let kind = if number.is_multiple_of(2) {
        "assistant"
    } else {
        "user"
    };
    let parent = parent.map_or("null".to_string(), |parent| format!("\"u{parent}\""));
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"u{number}\",\"parentUuid\":{parent},\"sessionId\":\"s\",\
         \"message\":{{\"id\":\"m{number}\",\"role\":\"{kind}\",\"content\":{content}}}}}\n"
    )
}

#[test]
fn what_is_appended_comes_below_the_cursor_which_stays_where_it_is() {
    let tool =
        "[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Read\",\"input\":{\"file_path\":\"/a\"}}]";
    let result = "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"of the file\"}]";
    let mut whole = said(1, None, "\"first\"") + &said(2, Some(1), tool);
    let mut reading = reading_of(&whole);
    reading.list.go(0, reading.rows().len());
    let at = text(&reading).to_string();
    let tools = |reading: &SessionReading| {
        let rows = reading
            .rows()
            .iter()
            .filter(|row| row.text.contains("Read"));
        rows.count()
    };
    let rows = reading.rows().len();
    // Nothing is read where nothing was appended.
    assert!(look(&mut reading, &whole));
    assert_eq!(reading.rows().len(), rows);
    // A result goes to its use, also where a line was half written when it was first seen.
    let more = said(3, Some(2), result);
    let half = whole.clone() + &more[..more.len() / 2];
    assert!(look(&mut reading, &half));
    assert_eq!(text(&reading), at);
    whole += &more;
    whole += &said(
        4,
        Some(3),
        "[{\"type\":\"text\",\"text\":\"the last word\"}]",
    );
    assert!(look(&mut reading, &whole));
    assert_eq!((text(&reading), tools(&reading)), (&*at, 1));
    let rows: Vec<&str> = reading.rows().iter().map(|row| &*row.text).collect();
    assert!(
        rows.last().is_some_and(|row| row.contains("the last word")),
        "{rows:?}"
    );
    assert!(
        !rows.iter().any(|row| row.contains("incomplete")),
        "{rows:?}"
    );
    // It is shorter: written anew, shown from its end.
    let anew = said(1, None, "\"another\"");
    assert!(look(&mut reading, &anew));
    let rows: Vec<&str> = reading.rows().iter().map(|row| &*row.text).collect();
    assert!(rows.iter().any(|row| row.contains("another")), "{rows:?}");
    assert!(
        !rows.iter().any(|row| row.contains("the last word")),
        "{rows:?}"
    );
}

#[test]
fn much_that_is_appended_comes_a_page_at_a_time() {
    let filler = format!("\"{}\"", "words ".repeat(1_000));
    let mut whole = said(1, None, "\"first\"");
    let mut reading = reading_of(&whole);
    for number in 1..400 {
        whole += &said(number * 2 + 1, Some(number * 2 - 1), &filler);
    }
    assert!(whole.len() > 2_000_000);
    reading.doubt();
    let Some(Ask::Grown(page)) = reading.lacks() else {
        panic!("it is looked at");
    };
    let grown = conversation::grown(whole.as_bytes(), &page, whole.len() as u64);
    let grown = grown.expect("in memory");
    assert_eq!((grown.range.clone(), grown.has_after()), (page.range, true));
    reading.ask(2, &Ask::Grown(Box::new(edge(&grown))));
    reading.take(2, Ok(grown));
    assert!(matches!(reading.lacks(), Some(Ask::After(_))));
}
