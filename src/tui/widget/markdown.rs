//! Markdown as styled lines: what is laid out elsewhere, in the colours of a theme.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::markdown::{self, Ink};
use crate::app::painted::Painted;
use crate::tui::theme::Theme;

/// Renders `source` in lines of at most `cells` cells; its code in colours where it is painted.
#[must_use]
pub fn render(
    source: &str,
    painted: Option<&Painted>,
    cells: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let lines = markdown::lay_out(source, painted, cells).into_iter();
    let line = |runs: markdown::Runs| {
        let spans = runs
            .into_iter()
            .map(|(piece, ink)| Span::styled(piece, style(&ink, theme)));
        Line::from(spans.collect::<Vec<_>>())
    };
    lines.map(line).collect()
}

/// How an ink looks.
#[must_use]
pub fn style(ink: &Ink, theme: Theme) -> Style {
    let roles = ink.roles.iter();
    let style = roles.fold(Style::new(), |style, role| style.patch(theme.style(*role)));
    match ink.is_verbatim {
        true => theme.verbatim(style),
        false => style,
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
