//! Numbers in few cells.

use crate::base::time::grouped;

/// A number in at most six cells: `9,999`, `12.3k`, `456k`, `7.89M`.
#[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
#[must_use]
pub fn short(number: u64) -> String {
    if number < 10_000 {
        return grouped(usize::try_from(number).unwrap_or(usize::MAX));
    }
    let mut value = number as f64 / 1e3;
    let mut units = ["k", "M", "G", "T", "P", "E"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    while value >= 999.5
        && let Some(next) = units.next()
    {
        (value, unit) = (value / 1e3, next);
    }
    match value {
        ..9.995 => format!("{value:.2}{unit}"),
        9.995..99.95 => format!("{value:.1}{unit}"),
        _ => format!("{value:.0}{unit}"),
    }
}
