//! Text measured in terminal cells: widths, cutting with an ellipsis, padding, wrapping. The only
//! place that counts cells. It takes text as it is; foreign text goes through `base::display` first.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What stands for text that was cut away; one cell wide.
pub const ELLIPSIS: &str = "…";

/// Cells that `text` takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.graphemes(true).map(grapheme_width).sum()
    }
}

/// Cells that one grapheme takes: what it is said to take, two at most.
#[must_use]
pub fn grapheme_width(grapheme: &str) -> usize {
    if matches!(grapheme.as_bytes(), [b' '..=b'~']) {
        return 1;
    }
    UnicodeWidthStr::width(grapheme).min(2)
}

/// `text` in at most `cells` cells, its end cut away with an ellipsis.
#[must_use]
pub fn cut_end(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    let kept = head(text, cells - 1);
    Cow::Owned(format!("{kept}{ELLIPSIS}"))
}

/// `text` in at most `most` characters, its end cut away with an ellipsis.
#[must_use]
pub fn cut_chars(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_string(),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{kept}{ELLIPSIS}")
        }
    }
}

/// `text` in at most `cells` cells, its middle cut away, so that both ends can be read.
#[must_use]
pub fn cut_middle(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 5 {
        return cut_end(text, cells);
    }
    let tail_cells = (cells - 1) / 3;
    let front = head(text, cells - 1 - tail_cells);
    let back = tail(text, tail_cells);
    Cow::Owned(format!("{front}{ELLIPSIS}{back}"))
}

/// `text` cut or filled with spaces on its right to exactly `cells` cells.
#[must_use]
pub fn fit(text: &str, cells: usize) -> String {
    let cut = cut_end(text, cells);
    let fill = cells.saturating_sub(width(&cut));
    let mut out = cut.into_owned();
    out.extend(std::iter::repeat_n(' ', fill));
    out
}

/// The longest start of `text` that fits in `cells` cells.
#[must_use]
pub fn head(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme_width(grapheme);
        if used > cells {
            return &text[..at];
        }
    }
    text
}

/// The longest end of `text` that fits in `cells` cells.
#[must_use]
pub fn tail(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme_width(grapheme);
        if used > cells {
            return &text[at + grapheme.len()..];
        }
    }
    text
}

/// Byte ranges of the rows that one line of text is wrapped into: at spaces where there is one,
/// between wide characters, else inside the word. Spaces at a break are dropped. Never empty.
#[must_use]
pub fn wrap(text: &str, cells: usize) -> Vec<Range<usize>> {
    let cells = cells.max(2);
    if text.len() <= cells && text.is_ascii() {
        return std::iter::once(0..text.len()).collect();
    }
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return wrap_ascii(text, cells);
    }
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    let mut break_at: Option<(usize, usize)> = None; // where the row may end, where the next begins
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = grapheme_width(grapheme);
        if grapheme == " " {
            break_at = Some((at, at + 1));
        } else if wide == 2 && at > start && break_at.is_none_or(|(_, next)| next != at) {
            break_at = Some((at, at));
        }
        if used + wide > cells && grapheme != " " {
            let (end, next) = break_at.filter(|(end, _)| *end > start).unwrap_or((at, at));
            rows.push(start..start + text[start..end].trim_end_matches(' ').len());
            start = next;
            break_at = None;
            used = width(&text[start..at]);
        }
        used += wide;
    }
    rows.push(start..text.trim_end_matches(' ').len().max(start));
    rows
}

/// The same where each byte is a cell: a line may be megabytes long, and is wrapped at each key.
fn wrap_ascii(text: &str, cells: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut rows = Vec::with_capacity(text.len() / cells + 1);
    let mut start = 0;
    while start + cells < bytes.len() {
        // Spaces never begin a row by being too many: they hang over the end.
        let row = &bytes[start..];
        let Some(over) = row[cells..].iter().position(|byte| *byte != b' ') else {
            break;
        };
        let at = cells + over;
        let space = row[..at].iter().rposition(|byte| *byte == b' ');
        let (end, next) = match space.filter(|space| *space > 0) {
            Some(space) => (space, space + 1),
            None => (at, at),
        };
        rows.push(start..start + text[start..start + end].trim_end_matches(' ').len());
        start += next;
    }
    rows.push(start..text.trim_end_matches(' ').len().max(start));
    rows
}

/// Wraps text in pieces, each with something of its own, to `cells` cells; the parts of a piece keep it.
#[must_use]
pub fn wrap_runs<T: Clone>(runs: &[(String, T)], cells: usize) -> Vec<Vec<(String, T)>> {
    let whole: String = runs.iter().map(|(piece, _)| piece.as_str()).collect();
    let mut rows = Vec::new();
    // The run that a row begins in, and the byte where that run begins: rows come in order.
    let (mut first, mut begins) = (0, 0);
    for range in wrap(&whole, cells) {
        while first < runs.len() && begins + runs[first].0.len() <= range.start {
            begins += runs[first].0.len();
            first += 1;
        }
        let mut row = Vec::new();
        let mut at = begins;
        for (piece, own) in &runs[first..] {
            if at >= range.end {
                break;
            }
            let (start, end) = (range.start.max(at), range.end.min(at + piece.len()));
            if start < end {
                row.push((piece[start - at..end - at].to_string(), own.clone()));
            }
            at += piece.len();
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
