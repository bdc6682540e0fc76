use super::super::tests::{reading_of, said};
use super::*;
use crate::memory::search::Query;

fn used(id: &str, name: &str) -> String {
    format!(
        "[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"{name}\",\"input\":{{\"pattern\":\"sum\"}}}}]"
    )
}

fn result(id: &str, text: &str) -> String {
    let text = text.replace('\n', "\\n");
    format!("[{{\"type\":\"tool_result\",\"tool_use_id\":\"{id}\",\"content\":\"{text}\"}}]")
}

/// Two tools at once, the hit in the result of the first; then an answer.
fn transcript() -> String {
    said(1, None, "\"where is the sum?\"")
        + &said(2, Some(1), &used("g", "Grep"))
        + &said(4, Some(2), &used("b", "Bash"))
        + &said(
            3,
            Some(2),
            &result("g", "cart.ts:9: 1\ntotal.ts:41: 2\ntotal.ts:57: 3"),
        )
        + &said(5, Some(4), &result("b", "nothing"))
        + &said(
            6,
            Some(5),
            "[{\"type\":\"text\",\"text\":\"the last word\"}]",
        )
}

fn look_for(reading: &mut SessionReading, words: &str) {
    reading.query = Some((words.to_string(), Query::new(words)));
}

fn text(reading: &SessionReading) -> &str {
    &reading.rows()[reading.list.cursor].text
}

#[test]
fn a_hit_in_a_result_unfolds_its_tool_and_the_cursor_goes_to_the_line() {
    let whole = transcript();
    let at = whole
        .find("total.ts")
        .and_then(|at| whole[..at].rfind('\n'));
    let at = at.map(|at| at as u64 + 1).expect("it is there");
    let mut reading = reading_of(&whole);
    assert_eq!(text(&reading), "the last word");
    look_for(&mut reading, "total.ts:41");
    // It opens at its end, and nothing follows there: the file is asked, and says so.
    assert_eq!(reading.step_hit(true), Step::Beyond(whole.len() as u64));
    assert!(reading.go_to_hit(at, true));
    assert_eq!(text(&reading), "total.ts:41: 2");
    // With everything unfolded too, and from a place behind it.
    reading.toggle_all();
    reading.toggle_all();
    reading.list.go(usize::MAX, reading.rows().len());
    assert!(reading.go_to_hit(at, true));
    assert_eq!(text(&reading), "total.ts:41: 2");
    assert!(!reading.go_to_hit(1 << 30, true), "it is not held");
}

#[test]
fn hits_of_one_result_are_stepped_through_forth_and_back() {
    let mut reading = reading_of(&transcript());
    look_for(&mut reading, "total.ts");
    reading.list.go(0, reading.rows().len());
    let end = transcript().len() as u64;
    assert_eq!(reading.step_hit(true), Step::Done);
    assert_eq!(text(&reading), "total.ts:41: 2");
    assert_eq!(reading.step_hit(true), Step::Done);
    assert_eq!(text(&reading), "total.ts:57: 3");
    assert_eq!(reading.step_hit(true), Step::Beyond(end));
    // Back from the end it is the last line that comes first, also where it had been folded.
    reading.toggle();
    reading.list.go(usize::MAX, reading.rows().len());
    assert_eq!(reading.step_hit(false), Step::Done);
    assert_eq!(text(&reading), "total.ts:57: 3");
    assert_eq!(reading.step_hit(false), Step::Done);
    assert_eq!(text(&reading), "total.ts:41: 2");
    assert_eq!(reading.step_hit(false), Step::Beyond(0));
    // Words of which one stands elsewhere only are no hit.
    look_for(&mut reading, "total.ts word");
    assert_eq!(reading.step_hit(true), Step::Beyond(end));
}

#[test]
fn a_hit_in_what_is_not_held_of_a_text_is_read_and_gone_to() {
    let long = "filler\n".repeat(10_000) + "the needle\n" + &"filler\n".repeat(100);
    let whole = said(1, None, "\"look\"")
        + &said(2, Some(1), &used("g", "Grep"))
        + &said(3, Some(2), &result("g", &long))
        + &said(4, Some(3), "[{\"type\":\"text\",\"text\":\"the end\"}]");
    let at = whole
        .find("tool_result")
        .and_then(|at| whole[..at].rfind('\n'));
    let at = at.map(|at| at as u64 + 1).expect("it is there");
    let mut reading = reading_of(&whole);
    reading.list.go(0, reading.rows().len());
    look_for(&mut reading, "needle");
    assert_eq!(reading.step_hit(true), Step::Beyond(at));
    assert!(reading.go_to_hit(at, true));
    let texts = reading.lacks_texts();
    assert_eq!(texts.len(), 1);
    reading.await_texts(7);
    assert_eq!(reading.lacks_texts(), [], "once");
    // Of a text of more rows than are laid out the cursor stays with its tool.
    let text_of = "x\n".repeat(50) + "the needle";
    reading
        .take_texts(7, Ok(vec![text_of]))
        .expect("it is taken");
    assert_eq!(text(&reading), "the needle");
}
