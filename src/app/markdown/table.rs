//! A table as text: columns as wide as they need, shrunk from the widest where the row does not fit.

use crate::base::text;

/// Width of what parts two columns.
const GAP: usize = 3;
const NARROWEST: usize = 3;

/// Rows as text, each column padded to one width, at most `cells` wide where that is possible.
#[must_use]
pub fn lay_out(rows: &[Vec<String>], cells: usize) -> Vec<String> {
    let widths = widths(rows, cells);
    rows.iter()
        .map(|row| {
            let columns: Vec<_> = widths
                .iter()
                .enumerate()
                .map(|(at, width)| text::fit(row.get(at).map_or("", String::as_str), *width))
                .collect();
            columns.join(" │ ").trim_end().to_string()
        })
        .collect()
}

/// Widths of the columns.
#[must_use]
pub fn widths(rows: &[Vec<String>], cells: usize) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..columns)
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| text::width(cell)).max().unwrap_or(0)
        })
        .collect();
    let gaps = GAP * columns.saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > cells {
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            Some(_) | None => break,
        }
    }
    widths
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
