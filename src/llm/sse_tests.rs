use proptest::prelude::*;

use super::*;

fn all(bytes: &[u8]) -> Vec<(String, String)> {
    pieces(&[bytes])
}

fn pieces(pieces: &[&[u8]]) -> Vec<(String, String)> {
    let mut parser = Parser::default();
    let mut messages = Vec::new();
    for piece in pieces {
        messages.extend(parser.push(piece).unwrap());
    }
    messages.extend(parser.finish());
    let pair = |message: Message| (message.event, message.data);
    messages.into_iter().map(pair).collect()
}

fn pair(event: &str, data: &str) -> (String, String) {
    (event.to_string(), data.to_string())
}

#[test]
fn fields_comments_and_endings_are_read_by_the_letter() {
    let text = "\u{feff}: a comment\r\nevent: a\r\ndata: 1\r\n\r\n:\n\ndata:2\n\ndata:  two blanks\nid: 7\nretry: 9\nodd\n\n\
                event: named, without data\n\ndata\n\ndata: x\rdata: y\r\r";
    assert_eq!(
        all(text.as_bytes()),
        [
            pair("a", "1"),
            pair("message", "2"),
            pair("message", " two blanks"),
            pair("message", ""),
            pair("message", "x\ny"),
        ]
    );
}

/// LL03: the lines of data of one event are joined by a line feed.
#[test]
fn ll03_several_lines_of_data_are_one_event() {
    let text = include_bytes!("../../tests/fixtures/LL03/multi.sse");
    let messages = all(text);
    assert_eq!(messages.len(), 1);
    let value: serde_json::Value = serde_json::from_str(&messages[0].1).unwrap();
    assert_eq!(value["delta"]["text"], "joined");
    assert_eq!(messages[0].1.lines().count(), 3);
}

#[test]
fn what_ends_within_a_line_is_no_event_and_what_lacks_its_blank_line_is() {
    assert_eq!(all(b"data: {\"a\":"), []);
    assert_eq!(all(b"data: 1\ndata: {\"a\":"), []);
    assert_eq!(all(b"data: [DONE]\n"), [pair("message", "[DONE]")]);
    assert_eq!(all(b""), []);
}

#[test]
fn bytes_that_are_no_utf_8_are_replaced_and_a_mark_within_stays() {
    assert_eq!(all(b"data: a\xffb\n\n"), [pair("message", "a\u{fffd}b")]);
    let text = "data: 1\n\ndata: \u{feff}2\n\n";
    assert_eq!(
        all(text.as_bytes()),
        [pair("message", "1"), pair("message", "\u{feff}2")]
    );
}

#[test]
fn an_event_without_end_is_refused() {
    let mut parser = Parser::default();
    let part = vec![b'x'; 1 << 20];
    let last = (0..20).map(|_| parser.push(&part)).last().unwrap();
    assert_eq!(last, Err(TooLarge));
    let mut parser = Parser::default();
    let line = [b"data: ".as_slice(), &part, b"\n"].concat();
    let results: Vec<bool> = (0..20).map(|_| parser.push(&line).is_err()).collect();
    assert!(results[19] && !results[3]);
}

proptest! {
    /// Cut at any places, the bytes give the same events.
    #[test]
    fn events_are_the_same_wherever_the_bytes_are_cut(
        lines in prop::collection::vec(
            prop_oneof![
                Just(String::new()),
                "data: ?[a-z鳥🪶é\u{feff}:]{0,6}",
                "event: ?[a-z]{0,3}",
                ":[ a-z]{0,4}",
                "[a-z]{0,4}",
            ],
            0..14,
        ),
        endings in prop::collection::vec(prop_oneof![Just("\n"), Just("\r\n"), Just("\r")], 14),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let text: String = lines.iter().zip(&endings).map(|(line, ending)| [line, *ending].concat()).collect();
        let bytes = text.as_bytes();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let cut: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        let whole = all(bytes);
        prop_assert_eq!(&pieces(&cut), &whole);
        prop_assert_eq!(&pieces(&single), &whole);
    }
}
