use super::*;
use crate::transcript::made_for_tests::Made;

const BOUNDARY_LINE: &str =
    "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"b\"}\n";
const TALK: &str =
    "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"of compact_boundary\"}}\n";

#[test]
fn the_last_boundary_is_found_from_the_end() {
    let plain = format!("{{\"type\":\"user\",\"x\":\"{}\"}}\n", "y".repeat(700));
    let made = Made::of(&[(&plain, 100_000), (BOUNDARY_LINE, 2), (&plain, 100)]);
    let begin = plain.len() as u64 * 100_000 + BOUNDARY_LINE.len() as u64;
    let found = last_boundary(&made, made.length()).unwrap();
    assert_eq!(found, Some(begin..begin + BOUNDARY_LINE.len() as u64 - 1));
    let most = 4 * READ_BYTES as u64;
    assert!(
        made.read.get() < most,
        "{} of {}",
        made.read.get(),
        made.length()
    );
    let found = last_boundary(&made, begin).unwrap();
    assert_eq!(
        found.map(|range| range.end),
        Some(begin - 1),
        "the one before"
    );
    assert_eq!(last_boundary(&made, 1_000).unwrap(), None);
}

#[test]
fn what_speaks_of_a_boundary_is_none() {
    let made = Made::of(&[(BOUNDARY_LINE, 1), (TALK, 200)]);
    let found = last_boundary(&made, made.length()).unwrap();
    assert_eq!(found, Some(0..BOUNDARY_LINE.len() as u64 - 1));
    let made = Made::of(&[(TALK, 200)]);
    assert_eq!(last_boundary(&made, made.length()).unwrap(), None);
    // One line that says it a hundred thousand times is looked at once.
    let made = Made::of(&[
        (BOUNDARY_LINE, 1),
        ("{\"type\":\"user\",\"x\":\"", 1),
        ("compact_boundary ", 100_000),
        ("\"}\n", 1),
    ]);
    let found = last_boundary(&made, made.length()).unwrap();
    assert_eq!(found, Some(0..BOUNDARY_LINE.len() as u64 - 1));
    assert!(made.read.get() < 4 * made.length(), "{}", made.read.get());
}

/// Wherever the pieces meet.
#[test]
fn a_boundary_on_the_edge_of_a_piece_is_found() {
    for pad in 0..BOUNDARY_LINE.len() {
        let behind = format!("{{\"x\":\"{}\"}}\n", "y".repeat(READ_BYTES - pad - 9));
        let text = [BOUNDARY_LINE, &behind].concat();
        let found = last_boundary(text.as_bytes(), text.len() as u64).unwrap();
        assert_eq!(found, Some(0..BOUNDARY_LINE.len() as u64 - 1), "{pad}");
    }
}

#[test]
fn lines_backwards_are_the_lines_forwards() {
    for lengths in [
        vec![0],
        vec![5, 0, 0, 3],
        vec![READ_BYTES - 1, 1, READ_BYTES, 0, 3 * READ_BYTES, 7],
    ] {
        let text: String = lengths
            .iter()
            .map(|length| "x".repeat(*length) + "\n")
            .collect();
        let mut forwards = Vec::new();
        let mut lines = Lines::new(text.as_bytes(), 0..text.len() as u64);
        while let Some(line) = lines.next_line().unwrap() {
            forwards.push(line.range);
        }
        let mut before = Backwards::new(text.as_bytes(), text.len() as u64);
        let mut found = Vec::new();
        while let Some(range) = before.line_before().unwrap() {
            found.push(range);
        }
        found.reverse();
        assert_eq!(found, forwards);
    }
    assert_eq!(Backwards::new(&b""[..], 0).line_before().unwrap(), None);
}

#[test]
fn lines_are_numbered_from_one() {
    let text = b"a\nbb\n\nc\n";
    assert_eq!(
        line_numbers(&text[..], &[0, 2, 5, 6]).unwrap(),
        [1, 2, 3, 4]
    );
    assert!(line_numbers(&text[..], &[]).unwrap().is_empty());
}
