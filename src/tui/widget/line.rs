//! Lines of styled text: what stands left and right on a row, and wrapping that keeps styles.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::base::text;

/// Cells that spans take.
#[must_use]
pub fn width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| text::width(&span.content)).sum()
}

/// Spans cut to `cells` cells, with an ellipsis where something is cut away.
#[must_use]
pub fn cut(spans: Vec<Span<'static>>, cells: usize) -> Vec<Span<'static>> {
    if width(&spans) <= cells {
        return spans;
    }
    let mut left = cells;
    let mut out = Vec::new();
    for span in spans {
        let wide = text::width(&span.content);
        // One cell is kept for the ellipsis of whatever comes after.
        if wide < left {
            left -= wide;
            out.push(span);
            continue;
        }
        let kept = text::head(&span.content, left.saturating_sub(1));
        if left > 0 {
            out.push(Span::styled(
                format!("{kept}{}", text::ELLIPSIS),
                span.style,
            ));
        }
        break;
    }
    out
}

/// A row of exactly `cells` cells: `left`, cut where it must be, and `right` at the end.
#[must_use]
pub fn row(left: Vec<Span<'static>>, right: Vec<Span<'static>>, cells: usize) -> Line<'static> {
    let right_wide = width(&right);
    let (right, right_wide) = if right_wide + 8 > cells {
        (Vec::new(), 0)
    } else {
        (right, right_wide)
    };
    let gap = usize::from(right_wide > 0);
    let mut spans = cut(left, cells - right_wide - gap);
    let fill = cells - right_wide - width(&spans);
    spans.push(Span::raw(" ".repeat(fill)));
    spans.extend(right);
    Line::from(spans)
}

/// Text in pieces of one style each.
pub type Runs = Vec<(String, Style)>;

/// Wraps runs to `cells` cells; each row keeps its styles.
#[must_use]
pub fn wrap(runs: &[(String, Style)], cells: usize) -> Vec<Vec<Span<'static>>> {
    let rows = text::wrap_runs(runs, cells).into_iter();
    rows.map(|row| {
        let spans = row
            .into_iter()
            .map(|(piece, style)| Span::styled(piece, style));
        spans.collect()
    })
    .collect()
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
