use super::*;

const ANSWER: &str = "# Title\n\nA *first* paragraph that is long enough to be wrapped.\nIt goes on.\n\n- one\n- two\n\n  \
    still two\n  1. deeper\n\n> a quote\nthat is lazy\n\n```rust\nfn main() {\n\n}\n```\n\n| a | b |\n|---|---|\n| 1 | 漢字 |\n\n\
    x\na | b\n--|--\n\n---\n\n    indented\n\n    code\n\nSetext\n======\n\n<div>\n\nlast [[link]] 🦀 **bold**\n";

fn text_of(lines: &[Runs]) -> Vec<String> {
    let line = |line: &Runs| line.iter().map(|(piece, _)| piece.as_str()).collect();
    lines.iter().map(line).collect()
}

/// What stands when a text came in pieces of so many characters, the blocks that were laid out for it, and
/// the lines that were made.
fn in_pieces(text: &str, piece: usize, cells: usize) -> (Vec<Runs>, usize, usize) {
    let mut growing = Growing::default();
    let (mut lines, mut blocks, mut made) = (Vec::new(), 0, 0);
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    let ends = ends.into_iter().step_by(piece).chain([text.len()]);
    for end in ends {
        let grown = growing.grow(&text[..end], cells);
        lines.truncate(grown.keep);
        blocks += grown.blocks;
        made += grown.lines.len();
        lines.extend(grown.lines);
    }
    (lines, blocks, made)
}

#[test]
fn what_came_in_pieces_stands_as_what_came_at_once() {
    for cells in [12, 30, 80] {
        let whole = lay_out(ANSWER, None, cells);
        for piece in [1, 2, 7, 50, 1_000] {
            let (lines, _, _) = in_pieces(ANSWER, piece, cells);
            assert_eq!(lines, whole, "{piece} characters, {cells} cells");
        }
    }
}

#[test]
fn what_a_longer_answer_costs_grows_with_what_is_new() {
    let paragraph = "Some words of an answer.\n\n";
    let of = |count: usize| {
        let text = paragraph.repeat(count);
        let (lines, blocks, made) = in_pieces(&text, 5, 40);
        assert_eq!(lines.len(), count * 2 - 1);
        (blocks, made)
    };
    let (blocks, made) = of(100);
    // The last block of each piece, and those that begin in it.
    assert!(blocks <= 3 * 100 * paragraph.len() / 5, "{blocks}");
    let (more_blocks, more_made) = of(1_000);
    assert!(more_blocks <= blocks * 11, "{blocks} {more_blocks}");
    assert!(more_made <= made * 11, "{made} {more_made}");
}

#[test]
fn a_text_without_blocks_takes_no_line() {
    let mut growing = Growing::default();
    for text in ["", "\n", "\n\n", "\n\n  "] {
        assert!(growing.grow(text, 40).lines.is_empty());
    }
    let grown = growing.grow("\n\n  now", 40);
    assert_eq!(
        (grown.keep, text_of(&grown.lines)),
        (0, vec!["now".to_string()])
    );
}
