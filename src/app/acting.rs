//! A list in which the cursor stands on rows that something can be done with; the rest scrolls by.

use std::ops::Range;

use crate::app::list::List;
use crate::app::preview_rows::PreviewRow;

/// Moves by so many rows, to a row that something can be done with; where none is near the view is scrolled, so
/// that all can be read. `false`: it was at that end already.
pub fn step(list: &mut List, rows: &[PreviewRow], height: usize, by: isize) -> bool {
    let length = rows.len();
    let before = *list;
    let target = before.cursor.saturating_add_signed(by);
    let target = target.min(length.saturating_sub(1));
    let reach = by.unsigned_abs().max(height);
    let found = match by < 0 {
        true => nearest(rows, 0..before.cursor, target),
        false => nearest(rows, before.cursor + 1..length, target),
    };
    let is_end = target == 0 || target + 1 == length;
    match found.filter(|at| at.abs_diff(before.cursor) <= reach) {
        Some(at) => list.cursor = at,
        None => {
            list.scroll(by, length, height);
        }
    }
    // A jump to an end shows that end.
    if is_end && by.unsigned_abs() > 1 {
        list.scroll(by, length, height);
    }
    land(list, rows, height);
    list.settle(length, height);
    *list != before
}

/// From a row that nothing can be done with to the nearest in view that something can.
pub fn land(list: &mut List, rows: &[PreviewRow], height: usize) {
    if rows.get(list.cursor).is_some_and(PreviewRow::acts) {
        return;
    }
    let steady = list.steady(rows.len(), height);
    if let Some(at) = nearest(rows, steady, list.cursor) {
        list.cursor = at;
    }
}

/// The row of these that something can be done with and that is the nearest to another.
fn nearest(all: &[PreviewRow], rows: Range<usize>, to: usize) -> Option<usize> {
    let acts = rows.filter(|at| all.get(*at).is_some_and(PreviewRow::acts));
    acts.min_by_key(|at| at.abs_diff(to))
}
