//! Bars that stand side by side, an eighth of a cell exact; where nothing is, nothing stands.

/// The eighths of a cell, from one on.
const EIGHTHS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// One bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bar {
    /// Nothing is there.
    Gap,
    /// Something is there, nobody knows how much.
    Unknown,
    Of(f64),
}

/// The lines of bars, the top one first: each bar `slot` cells, the last of them free where there are two
/// or more. The largest is as high as all lines; what is more than nothing is an eighth at least.
#[must_use]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a few lines"
)]
pub fn bars(bars: &[Bar], slot: usize, lines: usize) -> Vec<String> {
    let most = largest(bars);
    let eighths = |value: f64| match value > 0.0 && most > 0.0 {
        true => ((value / most * (lines * 8) as f64).round() as usize).max(1),
        false => 0,
    };
    let line = |below: usize| {
        let cells = bars.iter().map(|bar| {
            let cell = match bar {
                Bar::Unknown if below == 0 => "?",
                Bar::Gap | Bar::Unknown => " ",
                Bar::Of(value) => match eighths(*value).saturating_sub(below * 8) {
                    0 => " ",
                    part => EIGHTHS[part.min(8) - 1],
                },
            };
            let wide = slot.saturating_sub(1).max(1);
            cell.repeat(wide) + &" ".repeat(slot.saturating_sub(wide))
        });
        cells.collect()
    };
    (0..lines).rev().map(line).collect()
}

/// The largest of them; 0 where none is known.
#[must_use]
pub fn largest(bars: &[Bar]) -> f64 {
    let known = bars.iter().filter_map(|bar| match bar {
        Bar::Of(value) => Some(*value),
        Bar::Gap | Bar::Unknown => None,
    });
    known.fold(0.0, f64::max)
}

#[cfg(test)]
#[path = "bars_tests.rs"]
mod tests;
