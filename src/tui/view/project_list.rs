//! The Projects view: a head, every project folder in columns, and what is known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::layout::Pane;
use crate::app::overlay::Filtered;
use crate::app::projects_view::ProjectRow;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::config::client::Said;
use crate::config::limits::SESSION_SECONDS;
use crate::project::{Origin, Project};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{filter, list, memory, words};
use crate::tui::widget::line;

/// From this width on all columns are shown.
const WIDE: usize = 60;
/// Cells that tell a long path by both its ends.
const ENDS: usize = 16;
/// Days within which a session goes soon.
const SOON: i64 = 3;

/// Draws the view; gives back where the text cursor stands while its filter is typed.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let view = &app.projects;
    let rows = view.rows();
    let scroll = list::scroll(view.list, rows.len());
    let inside = memory::frame(app, scroll, area, buffer, theme);
    let typed = app.typed_filter(Filtered::Projects);
    let cursor = filter::draw_foot(typed, view.filter(), &listed(app), area, buffer, theme);
    if inside.height == 0 {
        return cursor;
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
    if view.read().is_some_and(|read| read.projects.is_empty()) {
        draw_empty(body, buffer, theme);
    }
    draw_detail(app, body.bottom(), inside, buffer, theme);
    cursor
}

fn draw_empty(area: Rect, buffer: &mut Buffer, theme: Theme) {
    let said = "The agent makes a project folder in its first session, and its memories lie there; an import makes one too.";
    let runs = [(said.to_string(), theme.style(Role::Dim))];
    let cells = usize::from(area.width.saturating_sub(list::SIDES));
    let lines = line::wrap(&runs, cells).into_iter().map(Line::from);
    for (line, y) in lines.zip(area.y + 1..area.bottom()) {
        buffer.set_line(area.x + 1, y, &line, area.width - 2);
    }
}

/// How many are listed and marked, and what they are sorted by.
fn listed(app: &App) -> String {
    let view = &app.projects;
    let Some(read) = view.read() else {
        return "reading …".to_string();
    };
    let all = read.projects.len();
    let (shown, by) = (view.rows().len(), view.sort().word());
    let count = match shown == all {
        true => String::new(),
        false => format!("{} of {} · ", grouped(shown), grouped(all)),
    };
    let marked = match (view.marked.len(), view.marked_unlisted()) {
        (0, _) => String::new(),
        (many, 0) => format!("{many} marked · "),
        (many, hidden) => format!("{many} marked, {hidden} not listed · "),
    };
    format!("{count}{marked}by {by}")
}

/// Pieces one after the other, as many as fit whole.
fn fitted(pieces: impl Iterator<Item = String>, room: usize) -> String {
    let mut said = String::new();
    for piece in pieces {
        if text::width(&said) + text::width(&piece) > room {
            break;
        }
        said += &piece;
    }
    said
}

fn head(app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let right = match cells >= WIDE {
        true => "mem  sess       size  used  left",
        false => "mem",
    };
    let view = &app.projects;
    let said = match view.read() {
        None => "reading every project folder …".to_string(),
        Some(read) if read.projects.is_empty() => "no project folder yet".to_string(),
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
            let busy = read.projects.iter();
            let busy = busy.filter(|one| one.at_work(SESSION_SECONDS, app.now).is_some());
            let busy = Some(busy.count()).filter(|many| *many > 0);
            let busy = busy.map(|many| format!(" · {many} at work"));
            let all = words::counted(read.projects.len(), "folder", "folders");
            let room = cells.saturating_sub(text::width(right) + 1);
            fitted(std::iter::once(all).chain(counts).chain(busy), room)
        }
    };
    let right = vec![Span::styled(right, dim)];
    line::row(vec![Span::styled(said, dim)], right, cells)
}

/// Hue of an origin.
fn hue(origin: Origin) -> Role {
    match origin {
        Origin::Live | Origin::Worktree => Role::Ok,
        Origin::Moved | Origin::Ambiguous => Role::Warning,
        Origin::Orphaned => Role::Error,
        Origin::Unknown => Role::Note,
    }
}

/// A row; `more`: a member of the same family stands below it.
fn row(app: &App, row: ProjectRow, more: bool, cells: usize, theme: Theme) -> Line<'static> {
    let view = &app.projects;
    let Some(one) = view.project(row) else {
        return Line::default();
    };
    // A mark stands beside the sign of the origin, which it does not hide.
    let mark = if view.marked.contains(&one.key) {
        "●"
    } else {
        " "
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
    let is_off = view.switch(one).is_some_and(is_off);
    let of = view.repository(one).filter(|_| !row.is_member);
    let of = of.and_then(|of| of.root.file_name()).map(|name| {
        let name = name.to_string_lossy();
        format!(" · of {}", display::line(&name))
    });
    let of = of.filter(|_| cells >= WIDE).unwrap_or_default();
    let place = one.path.as_deref();
    let place = place.map(|path| display::short_path(path, &app.home));
    let place = display::line(&place.unwrap_or_else(|| one.key.clone())).into_owned();
    let fixed = [&*numbers, &*left, &*word, branch, at_work].map(text::width);
    let room = cells.saturating_sub(fixed.iter().sum::<usize>() + 4);
    // Where it is narrow the path comes first; of a long one both ends are enough.
    let whole = text::width(&place);
    let of = fitting(&of, room.saturating_sub(whole.min(ENDS)));
    // That it is off is told in a short word where there is no room for more.
    let long = fitting(
        " · memory off",
        room.saturating_sub(whole + text::width(of)),
    );
    let off = match (is_off, cells >= WIDE && !long.is_empty()) {
        (false, _) => "",
        (true, true) => long,
        (true, false) => " · off",
    };
    let room = room.saturating_sub(text::width(of) + text::width(off));
    let place = text::cut_middle(&place, room).into_owned();
    line::row(
        vec![
            Span::styled(branch, dim),
            Span::styled(one.origin.glyph(), theme.style(hue(one.origin))),
            Span::styled(mark, theme.style(Role::Accent)),
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
        "{memories:>3}  {sessions:>4}  {:>9}  {used:>4}",
        display::size(one.census.bytes)
    );
    (columns, format!("  {left:>4}"), role)
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
