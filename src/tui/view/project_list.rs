//! The Projects view: a head, every project folder in columns, and what is known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::layout::Pane;
use crate::app::projects_view::ProjectRow;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::project::{Origin, Project};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{list, memory, words};
use crate::tui::widget::line;

/// From this width on all columns are shown.
const WIDE: usize = 60;

/// Draws the view.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let view = &app.projects;
    let rows = view.rows();
    let scroll = list::scroll(view.list, rows.len());
    let inside = memory::frame(app, scroll, area, buffer, theme);
    if inside.height == 0 {
        return;
    }
    let cells = usize::from(inside.width.saturating_sub(list::SIDES));
    let head = Rect {
        height: 1,
        ..inside
    };
    buffer.set_line(
        head.x + 1,
        head.y,
        &self::head(app, cells, theme),
        head.width,
    );
    let height = u16::try_from(view.height()).unwrap_or(u16::MAX);
    let body = Rect {
        y: inside.y + 1,
        height: height.min(inside.height - 1),
        ..inside
    };
    let focused = app.is_focused(Pane::Main);
    list::draw(
        view.list,
        rows.len(),
        focused,
        body,
        buffer,
        theme,
        |at, cells| row(app, rows[at], cells, theme),
    );
    draw_detail(app, body.bottom(), inside, buffer, theme);
}

fn head(app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let view = &app.projects;
    let said = match view.read() {
        None => "reading every project folder …".to_string(),
        Some(read) if read.projects.is_empty() => {
            "no project folder yet: the agent makes one in its first session".to_string()
        }
        Some(read) => {
            let origins = [
                Origin::Moved,
                Origin::Orphaned,
                Origin::Ambiguous,
                Origin::Unknown,
            ];
            let counts = origins.into_iter().filter_map(|origin| {
                let count = view.count(origin);
                (count > 0).then(|| format!(" · {count} {}", origin.word()))
            });
            let counts: String = counts.collect();
            let shown = match view.filter().trim() {
                "" => String::new(),
                words => format!(" · & {}: {}", display::line(words), view.rows().len()),
            };
            let marked = match view.marked.len() {
                0 => String::new(),
                many => format!(" · {many} marked"),
            };
            let all = words::counted(read.projects.len(), "folder", "folders");
            format!("{all}{counts}{shown}{marked} · by {}", view.sort().word())
        }
    };
    let right = match cells >= WIDE {
        true => vec![Span::styled("mem  sess     size  used  left", dim)],
        false => vec![Span::styled("mem", dim)],
    };
    line::row(vec![Span::styled(said, dim)], right, cells)
}

/// Glyph and hue of an origin.
fn mark(origin: Origin) -> (&'static str, Role) {
    match origin {
        Origin::Live => ("✓", Role::Ok),
        Origin::Worktree => ("⇄", Role::Ok),
        Origin::Moved => ("→", Role::Warning),
        Origin::Orphaned => ("✗", Role::Error),
        Origin::Ambiguous => ("▲", Role::Warning),
        Origin::Unknown => ("·", Role::Note),
    }
}

fn row(app: &App, row: ProjectRow, cells: usize, theme: Theme) -> Line<'static> {
    let Some(one) = app.projects.project(row) else {
        return Line::default();
    };
    let is_marked = app.projects.marked.contains(&one.key);
    let (glyph, role) = match is_marked {
        true => ("●", Role::Accent),
        false => mark(one.origin),
    };
    let indent = if row.is_member { "  " } else { "" };
    let dim = theme.style(Role::Dim);
    let numbers = numbers(app, one, cells);
    let word = match cells >= WIDE {
        true => format!("{:<10}", one.origin.word()),
        false => String::new(),
    };
    let place = one
        .path
        .as_deref()
        .map(|path| path.to_string_lossy().into_owned());
    let place = display::line(&place.unwrap_or_else(|| one.key.clone())).into_owned();
    let used = text::width(&numbers) + text::width(&word) + indent.len() + 4;
    let place = text::cut_middle(&place, cells.saturating_sub(used)).into_owned();
    line::row(
        vec![
            Span::styled(format!("{indent}{glyph} "), theme.style(role)),
            Span::styled(word, dim),
            Span::raw(place),
        ],
        vec![Span::styled(numbers, dim)],
        cells,
    )
}

fn numbers(app: &App, one: &Project, cells: usize) -> String {
    let memories = grouped(one.census.memories.len());
    if cells < WIDE {
        return format!("{memories:>3}");
    }
    let sessions = grouped(one.census.sessions.len());
    let used = one
        .last_used()
        .map_or("–".to_string(), |at| at.age(app.now));
    let keep = app.projects.read().map_or(0, |read| read.keep_days);
    let left = one.days_left(keep, app.now);
    let left = left.map_or("–".to_string(), |days| format!("{days}d"));
    format!(
        "{memories:>3}  {sessions:>4}  {:>7}  {used:>4}  {left:>4}",
        size(one.census.bytes)
    )
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KB", bytes / 1_024),
        1_048_576..1_073_741_824 => format!("{} MB", bytes / 1_048_576),
        _ => format!("{} GB", bytes / 1_073_741_824),
    }
}

fn draw_detail(app: &App, y: u16, inside: Rect, buffer: &mut Buffer, theme: Theme) {
    let detail = app.projects.detail();
    if detail.is_empty() || y >= inside.bottom() {
        return;
    }
    let dim = theme.style(Role::Dim);
    let rule = "─".repeat(usize::from(inside.width));
    buffer.set_stringn(inside.x, y, rule, usize::from(inside.width), dim);
    let room = usize::from(inside.width.saturating_sub(list::SIDES));
    for (at, (said, y)) in detail.iter().zip(y + 1..inside.bottom()).enumerate() {
        let role = if at == 0 { Role::Strong } else { Role::Text };
        buffer.set_stringn(inside.x + 1, y, said, room, theme.style(role));
    }
}
