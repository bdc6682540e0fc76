//! Marks what a search hit in lines that are laid out already.

use ratatui::text::{Line, Span};

use crate::memory::search::{self, Query};
use crate::tui::theme::{Role, Theme};

/// The rows that hold a word of the query. With `shown`, the matches in them are drawn as such.
pub fn mark(lines: &mut [Line<'static>], query: &Query, shown: bool, theme: Theme) -> Vec<usize> {
    let mut rows = Vec::new();
    for (row, line) in lines.iter_mut().enumerate() {
        let whole: String = line.spans.iter().map(|span| &*span.content).collect();
        let marks = search::marks(query, &whole);
        if marks.is_empty() {
            continue;
        }
        rows.push(row);
        if shown {
            let spans = std::mem::take(&mut line.spans);
            line.spans = restyled(spans, &marks, theme);
        }
    }
    rows
}

fn restyled(
    spans: Vec<Span<'static>>,
    marks: &[std::ops::Range<usize>],
    theme: Theme,
) -> Vec<Span<'static>> {
    let mut out = Vec::new();
    let mut begin = 0;
    for span in spans {
        let end = begin + span.content.len();
        let mut at = begin;
        for mark in marks {
            let (start, stop) = (mark.start.clamp(at, end), mark.end.clamp(at, end));
            if start == stop {
                continue;
            }
            for (range, hit) in [(at..start, false), (start..stop, true)] {
                let part = &span.content[range.start - begin..range.end - begin];
                let style = match hit {
                    true => span.style.patch(theme.style(Role::Match)),
                    false => span.style,
                };
                if !part.is_empty() {
                    out.push(Span::styled(part.to_string(), style));
                }
            }
            at = stop;
        }
        out.push(Span::styled(
            span.content[at - begin..].to_string(),
            span.style,
        ));
        begin = end;
    }
    out
}
