//! The Projects view: a head, every project folder in columns, and what is known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::layout::Pane;
use crate::app::projects_view::ProjectRow;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::config::client::Said;
use crate::config::limits::SESSION_SECONDS;
use crate::project::{Origin, Project};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{list, memory, words};
use crate::tui::widget::line;

/// From this width on all columns are shown.
const WIDE: usize = 60;
/// Cells that tell a long path by both its ends.
const ENDS: usize = 16;
/// Days within which a session goes soon.
const SOON: i64 = 3;

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
        |at, cells| {
            let below = rows.get(at + 1).is_some_and(|next| next.is_member);
            row(app, rows[at], below, cells, theme)
        },
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
            let busy = read.projects.iter();
            let busy = busy.filter(|one| one.at_work(SESSION_SECONDS, app.now).is_some());
            let busy = match busy.count() {
                many if many > 0 && cells >= WIDE => format!(" · {many} at work"),
                _ => String::new(),
            };
            let marked = match view.marked.len() {
                0 => String::new(),
                many => format!(" · {many} marked"),
            };
            let all = words::counted(read.projects.len(), "folder", "folders");
            format!(
                "{all}{counts}{busy}{shown}{marked} · by {}",
                view.sort().word()
            )
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

/// A row; `more`: a member of the same family stands below it.
fn row(app: &App, row: ProjectRow, more: bool, cells: usize, theme: Theme) -> Line<'static> {
    let view = &app.projects;
    let Some(one) = view.project(row) else {
        return Line::default();
    };
    let is_marked = view.marked.contains(&one.key);
    let (glyph, role) = match is_marked {
        true => ("●", Role::Accent),
        false => mark(one.origin),
    };
    let branch = match (row.is_member, more) {
        (false, _) => "",
        (true, true) => "├ ",
        (true, false) => "└ ",
    };
    let dim = theme.style(Role::Dim);
    let (numbers, left, soon) = numbers(app, one, cells);
    let word = match cells >= WIDE {
        true => format!("{:<10}", one.origin.word()),
        false => String::new(),
    };
    let at_work = match one.at_work(SESSION_SECONDS, app.now) {
        Some(_) => " · at work",
        None => "",
    };
    let is_off = |said: &[Said]| said.first().is_some_and(|first| !first.on);
    let off = match view.switch(one).is_some_and(is_off) && cells >= WIDE {
        true => " · memory off",
        false => "",
    };
    let of = view.repository(one).filter(|_| !row.is_member);
    let of = of.and_then(|of| of.root.file_name()).map(|name| {
        let name = name.to_string_lossy();
        format!(" · of {}", display::line(&name))
    });
    let of = of.filter(|_| cells >= WIDE).unwrap_or_default();
    let place = one
        .path
        .as_deref()
        .map(|path| path.to_string_lossy().into_owned());
    let place = display::line(&place.unwrap_or_else(|| one.key.clone())).into_owned();
    let fixed = [&*numbers, &*left, &*word, branch, at_work].map(text::width);
    let room = cells.saturating_sub(fixed.iter().sum::<usize>() + 4);
    // Where it is narrow the path comes first; of a long one both ends are enough.
    let whole = text::width(&place);
    let of = fitting(&of, room.saturating_sub(whole.min(ENDS)));
    let off = fitting(off, room.saturating_sub(whole + text::width(of)));
    let room = room.saturating_sub(text::width(of) + text::width(off));
    let place = text::cut_middle(&place, room).into_owned();
    line::row(
        vec![
            Span::styled(branch, dim),
            Span::styled(format!("{glyph} "), theme.style(role)),
            Span::styled(word, dim),
            Span::raw(place),
            Span::styled(of.to_string(), dim),
            Span::styled(off, dim),
            Span::styled(at_work, theme.style(Role::Warning)),
        ],
        vec![
            Span::styled(numbers, dim),
            Span::styled(left, theme.style(soon)),
        ],
        cells,
    )
}

/// A text, or none of it where there is no room for all.
fn fitting(text: &str, room: usize) -> &str {
    if text::width(text) <= room { text } else { "" }
}

/// The columns at the right, and how long the newest session is kept: told apart where that is soon.
fn numbers(app: &App, one: &Project, cells: usize) -> (String, String, Role) {
    let memories = grouped(one.census.memories.len());
    if cells < WIDE {
        return (format!("{memories:>3}"), String::new(), Role::Dim);
    }
    let sessions = grouped(one.census.sessions.len());
    let used = one
        .last_used()
        .map_or("–".to_string(), |at| at.age(app.now));
    let keep = app.projects.read().map_or(0, |read| read.keep_days);
    let left = one.days_left(keep, app.now);
    let role = match left {
        Some(0..=SOON) => Role::Warning,
        Some(_) | None => Role::Dim,
    };
    let left = left.map_or("–".to_string(), |days| format!("{days}d"));
    let columns = format!(
        "{memories:>3}  {sessions:>4}  {:>7}  {used:>4}",
        size(one.census.bytes)
    );
    (columns, format!("  {left:>4}"), role)
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
