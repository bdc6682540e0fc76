//! The Health view: findings by code, each with its place and a sentence that says what it costs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::{Action, Scope};
use crate::app::health_view::HealthRow;
use crate::base::display;
use crate::health::{Finding, Severity};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{memory, words};
use crate::tui::widget::line;

/// Draws the Health view of the current project.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let rows = app.health.rows();
    let of = app.health.list;
    memory::list(app, of, rows.len(), area, buffer, theme, |at, cells| {
        row(app, &rows[at], cells, theme)
    });
}

fn row(app: &App, row: &HealthRow, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    match row {
        HealthRow::None(said) => line::row(vec![Span::styled(*said, dim)], Vec::new(), cells),
        HealthRow::Code {
            code,
            severity,
            count,
            fixes,
        } => {
            let (mark, role) = mark(*severity);
            let left = vec![
                Span::styled(format!("{mark} "), theme.style(role)),
                Span::styled(code.word(), theme.style(Role::Strong)),
                Span::styled(format!("  {}", code.what()), dim),
            ];
            let fixes = match fixes {
                0 => String::new(),
                fixes => format!("{} · ", words::counted(*fixes, "fix", "fixes")),
            };
            line::row(
                left,
                vec![Span::styled(format!(" {fixes}{count}"), dim)],
                cells,
            )
        }
        HealthRow::Finding(at) => {
            let finding = &app.health.findings()[*at];
            let key = app.keymap.shown(Action::Fix, Scope::Health);
            let fix = match finding.fix {
                Some(_) => vec![Span::styled(format!(" {key} fixes it"), dim)],
                None => Vec::new(),
            };
            line::row(vec![Span::raw(format!("  {}", place(finding)))], fix, cells)
        }
        HealthRow::Sentence(_, said) => line::row(
            vec![Span::styled(format!("    {said}"), dim)],
            Vec::new(),
            cells,
        ),
    }
}

fn place(finding: &Finding) -> String {
    let path = display::line(&finding.path).into_owned();
    match finding.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    }
}

/// The mark of a severity.
#[must_use]
pub fn mark(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Error => ("✗", Role::Error),
        Severity::Warning => ("▲", Role::Warning),
        Severity::Note => ("·", Role::Note),
    }
}
