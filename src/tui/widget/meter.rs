//! A number against its limit: figures and a bar, warning from 80 %, error past the limit.

use ratatui::text::Span;

use crate::base::time::grouped;
use crate::tui::theme::{Role, Theme};

/// Spans of a meter: `lines 187/200 ▓▓▓▓▓▓▓░`.
#[must_use]
pub fn meter(
    name: &str,
    used: usize,
    limit: usize,
    cells: usize,
    theme: Theme,
) -> Vec<Span<'static>> {
    let role = role(used, limit);
    let filled = if used >= limit {
        cells
    } else {
        (used * cells).div_ceil(limit.max(1))
    };
    let bar = match cells {
        0 => String::new(),
        _ => format!(" {}{}", "▓".repeat(filled), "░".repeat(cells - filled)),
    };
    vec![
        Span::styled(format!("{name} "), theme.style(Role::Dim)),
        Span::styled(
            format!("{}/{}", grouped(used), grouped(limit)),
            theme.style(role),
        ),
        Span::styled(bar, theme.style(role)),
    ]
}

/// What a number against its limit is to be shown as.
#[must_use]
pub fn role(used: usize, limit: usize) -> Role {
    if used > limit {
        Role::Error
    } else if used * 5 >= limit * 4 {
        Role::Warning
    } else {
        Role::Ok
    }
}

#[cfg(test)]
#[path = "meter_tests.rs"]
mod tests;
