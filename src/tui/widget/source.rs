//! Markdown as it is written, coloured line by line: marks stay where they are, headings, code and
//! what only marks up stand out. Spaces at the end of a line are shown.

use std::ops::Range;

use ratatui::text::Span;

use crate::tui::theme::{Role, Theme};

/// A run of a line and its role; runs cover the line from its start.
type Run = (Range<usize>, Role);

/// Whether the line after these stands in fenced code.
#[must_use]
pub fn is_in_fence(lines: &[String]) -> bool {
    lines.iter().filter(|line| opens_fence(line)).count() % 2 == 1
}

fn opens_fence(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("```") || text.starts_with("~~~")
}

/// A line as spans; `fence` goes along from line to line.
#[must_use]
pub fn spans(line: &str, fence: &mut bool, theme: Theme) -> Vec<Span<'static>> {
    spans_of(line, 0..line.len(), fence, theme).0
}

/// Bytes on either side of what is seen of a line within which marks are looked for.
const AROUND: usize = 2_000;

/// The spans of at least the part of a line between two bytes of it, and the byte at which they begin.
/// In a very long line only what stands near that part is looked at.
#[must_use]
pub fn spans_of(
    line: &str,
    seen: Range<usize>,
    fence: &mut bool,
    theme: Theme,
) -> (Vec<Span<'static>>, usize) {
    let was_in = *fence;
    if opens_fence(line) {
        *fence = !*fence;
    }
    let from = line.floor_char_boundary(seen.start.saturating_sub(AROUND));
    let to = line.ceil_char_boundary(seen.end.saturating_add(AROUND).min(line.len()));
    let runs = if was_in || *fence {
        vec![(from..to, Role::Code)]
    } else {
        prose(line, from..to)
    };
    let mut spans: Vec<Span<'static>> = Vec::new();
    let end = line.trim_end_matches(' ').len();
    for (range, role) in runs {
        let style = theme.verbatim(theme.style(role));
        let text = &line[range.start..range.end.min(end).max(range.start)];
        if !text.is_empty() {
            spans.push(Span::styled(text.to_string(), style));
        }
    }
    if end.max(from) < to {
        let dots = "·".repeat(to - end.max(from));
        spans.push(Span::styled(dots, theme.style(Role::Dim)));
    }
    (spans, from)
}

/// The runs of a part of a line.
fn prose(line: &str, part: Range<usize>) -> Vec<Run> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let hashes = text.len() - text.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && text[hashes..].starts_with(' ') {
        return vec![(part, Role::Strong)];
    }
    if text.starts_with('>') {
        return vec![(part, Role::Dim)];
    }
    let bullet = ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark));
    let mut runs = Vec::new();
    let behind = if bullet { indent + 2 } else { 0 };
    let start = behind.clamp(part.start, part.end);
    if start > part.start {
        runs.push((part.start..start, Role::Accent));
    }
    inline(&line[..part.end], start, &mut runs);
    runs
}

/// Code, bold text and links of a line from a byte on.
fn inline(line: &str, start: usize, runs: &mut Vec<Run>) {
    const MARKS: [(&str, &str, Role); 3] = [
        ("`", "`", Role::Code),
        ("**", "**", Role::Strong),
        ("[[", "]]", Role::Link),
    ];
    let mut plain = start;
    let mut at = start;
    while at < line.len() {
        let found = MARKS.iter().find_map(|(open, close, role)| {
            let inner = line[at..].strip_prefix(open)?;
            let end = inner.find(close)?;
            Some((at + open.len() + end + close.len(), *role))
        });
        match found {
            Some((end, role)) => {
                runs.push((plain..at, Role::Text));
                runs.push((at..end, role));
                (plain, at) = (end, end);
            }
            None => at += line[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    runs.push((plain..line.len(), Role::Text));
}

/// The part of a line's spans between two bytes of it. Dots for spaces count as the spaces.
#[must_use]
pub fn slice(spans: &[Span<'static>], range: Range<usize>) -> Vec<Span<'static>> {
    let mut start = 0;
    let mut out = Vec::new();
    for span in spans {
        let dots = span.content.starts_with('·') && span.content.chars().all(|c| c == '·');
        let length = if dots {
            span.content.chars().count()
        } else {
            span.content.len()
        };
        let from = range.start.clamp(start, start + length) - start;
        let to = range.end.clamp(start, start + length) - start;
        if from < to {
            let text = if dots {
                "·".repeat(to - from)
            } else {
                span.content[from..to].to_string()
            };
            out.push(Span::styled(text, span.style));
        }
        start += length;
    }
    out
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
