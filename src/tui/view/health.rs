//! The Health view: findings by code, each with its place and a sentence that says what it costs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::{Action, Scope};
use crate::app::health_sweep::Progress;
use crate::app::health_view::HealthRow;
use crate::app::overlay::Filtered;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::health::{Finding, Severity};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{filter, memory, words};
use crate::tui::widget::line;

/// Draws the Health view; gives back where the text cursor stands while its filter is typed.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let rows = app.health.rows();
    let of = app.health.list;
    memory::list(app, of, rows.len(), area, buffer, theme, |at, cells| {
        row(app, &rows[at], cells, theme)
    });
    let typed = app.typed_filter(Filtered::Health);
    filter::draw_foot(typed, app.health.filter(), &shown(app), area, buffer, theme)
}

/// What is shown: of which projects, how many findings, and how far the look is.
fn shown(app: &App) -> String {
    let (listed, all) = app.health.shown();
    let count = match listed == all {
        true => words::counted(all, "finding", "findings"),
        false => format!("{} of {}", grouped(listed), grouped(all)),
    };
    let Some(sweep) = app.health.sweep() else {
        return format!("this project · {count}");
    };
    let (done, of) = (grouped(sweep.done), grouped(sweep.of));
    match sweep.progress {
        Progress::Running => format!("all projects · {count} · {done}/{of} …"),
        // Sub-agents have folders too.
        Progress::Stopped => format!("stopped: {done} of {of} folders · {count}"),
        Progress::Done => format!("all projects · {count}"),
    }
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
            let mut left = vec![Span::raw("  ")];
            let shelf = app.health.sweep().and_then(|sweep| sweep.shelf(finding));
            if let Some(shelf) = shelf {
                let title = words::shelf(shelf);
                let title = text::cut_middle(&title, (cells / 3).min(28));
                left.push(Span::styled(format!("{title} · "), dim));
            }
            left.push(Span::raw(place(finding)));
            line::row(left, fix, cells)
        }
        HealthRow::More(code, more) => {
            let more = grouped(*more);
            let said = format!("  … {more} more; a filter of {} lists more", code.word());
            line::row(vec![Span::styled(said, dim)], Vec::new(), cells)
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
        _ if path.is_empty() => "its sessions".to_string(),
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
