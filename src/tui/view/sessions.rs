//! The Sessions view: the list with its columns, or the hits of a search; and over it the session that is
//! read, or what was sent to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::Action;
use crate::app::layout::Pane;
use crate::app::overlay::Filtered;
use crate::app::sessions_view::{Rescued, Session, SessionRow};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::memory::search::marks;
use crate::transcript::sessions::Kind;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{filter, list, memory, session, words};
use crate::tui::widget::line;

/// From this width on all columns are shown, and from that the project of each.
const WIDE: usize = 60;
/// Days within which a session goes soon.
const SOON: i64 = 3;
/// Cells of the bar of a reading.
const BAR: usize = 10;
/// Cells of a model's name.
const MODEL: usize = 12;

/// Draws the view; gives back where the text cursor stands while its filter is typed.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    if app.proof.is_some() || app.session.is_some() {
        session::draw(app, area, buffer, theme);
        return None;
    }
    let view = &app.sessions;
    let rows = view.rows();
    let inside = memory::frame(
        app,
        list::scroll(view.list, rows.len()),
        area,
        buffer,
        theme,
    );
    let typed = app.typed_filter(Filtered::Sessions);
    let cursor = filter::draw_foot(typed, view.filter(), &listed(app), area, buffer, theme);
    if inside.height == 0 {
        return cursor;
    }
    let cells = usize::from(inside.width.saturating_sub(list::SIDES));
    buffer.set_line(
        inside.x + 1,
        inside.y,
        &head(app, cells, theme),
        inside.width,
    );
    let body = Rect {
        y: inside.y + 1,
        height: inside.height - 1,
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
    if rows.is_empty() && view.read().is_some() {
        draw_empty(app, body, buffer, theme);
    }
    cursor
}

fn draw_empty(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let said = match (&app.sessions.search, app.sessions.filter().is_empty()) {
        (Some(search), _) if search.is_running => return,
        (Some(_), _) => {
            "No session that is listed holds these words; esc lists the sessions again."
        }
        (None, false) => "No session holds these words; esc lists all again.",
        (None, true) if app.sessions.all => {
            "The agent writes a transcript of each session; none is there yet."
        }
        (None, true) => {
            "This project has no session that is still there; A lists those of all projects."
        }
    };
    let runs = [(said.to_string(), theme.style(Role::Dim))];
    let cells = usize::from(area.width.saturating_sub(list::SIDES));
    let lines = line::wrap(&runs, cells).into_iter().map(Line::from);
    for (line, y) in lines.zip(area.y + 1..area.bottom()) {
        buffer.set_line(area.x + 1, y, &line, area.width - 2);
    }
}

/// How many are listed, and what they are sorted by.
fn listed(app: &App) -> String {
    let view = &app.sessions;
    if view.read().is_none() {
        return under_way(app).unwrap_or_else(|| "reading …".to_string());
    }
    if let Some(search) = &view.search {
        let percent = (search.read * 100)
            .checked_div(search.of.max(1))
            .unwrap_or(100);
        let running = if search.is_running {
            format!(" · {percent}% · esc stops")
        } else {
            String::new()
        };
        let shown = view.rows().len();
        let more = if search.count > shown {
            format!(" · {} shown", grouped(shown))
        } else {
            String::new()
        };
        let hits = words::counted(search.count, "hit", "hits");
        return format!("{hits}{more}{running}");
    }
    let which = if view.all { "all projects · " } else { "" };
    let again = reading(app, Action::ShowSessions);
    let programs = match view.unlisted() {
        0 => String::new(),
        many => format!("{many} sdk not listed · "),
    };
    format!("{which}{again}{programs}by {}", view.sort().word())
}

/// How far a reading is that takes a while, or that the last one was stopped: what a foot begins with.
pub(super) fn reading(app: &App, on: Action) -> String {
    let view = &app.sessions;
    match (under_way(app), view.is_reading(), view.unread()) {
        (Some(way), _, _) => format!("{way} · "),
        // Most is read before anybody sees it.
        (None, true, _) if app.working.is_some() => "reading … · ".to_string(),
        (None, true, _) | (None, false, 0) => String::new(),
        (None, false, many) => {
            let key = app.key(on);
            format!("stopped: {} not read, {key} reads on · ", grouped(many))
        }
    }
}

/// A bar of how far a reading is, how long it takes still, and the key that stops it.
pub(super) fn under_way(app: &App) -> Option<String> {
    let way = app.sessions.way()?;
    let percent = way.percent();
    let filled = usize::try_from(percent).unwrap_or(100) * BAR / 100;
    let bar = "▓".repeat(filled) + &"░".repeat(BAR - filled);
    let left = match way.left {
        None => String::new(),
        Some(seconds @ ..60) => format!(" · about {seconds} s left"),
        Some(seconds) => format!(" · about {} min left", seconds.div_ceil(60)),
    };
    let key = app.key(Action::Back);
    // What stops it is never cut off.
    let is_narrow = app.pane_area(Pane::Main).inside().width < 42;
    Some(match is_narrow {
        true => format!("{percent}% read · {key} stops{left}"),
        false => format!("reading {bar} {percent}% · {key} stops{left}"),
    })
}

fn head(app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let view = &app.sessions;
    let heads = view
        .rows()
        .iter()
        .filter(|row| matches!(row, SessionRow::Session(_)));
    let (left, right) = match (view.read(), &view.search) {
        (None, _) => ("reading what the sessions say …".to_string(), String::new()),
        (Some(_), Some(search)) => (format!("“{}”", display::line(&search.words)), String::new()),
        (Some(_), None) => {
            let right = match cells >= WIDE {
                true => format!("{:<MODEL$}  msgs      size  used  left", "model"),
                false => "used  left".to_string(),
            };
            (words::counted(heads.count(), "session", "sessions"), right)
        }
    };
    let left = text::cut_end(&left, cells.saturating_sub(text::width(&right) + 1)).into_owned();
    line::row(
        vec![Span::styled(left, dim)],
        vec![Span::styled(right, dim)],
        cells,
    )
}

fn row(app: &App, row: SessionRow, cells: usize, theme: Theme) -> Line<'static> {
    match row {
        SessionRow::Session(at) => app.sessions.session(at).map_or_else(Line::default, |one| {
            session_row(app, one, false, cells, theme)
        }),
        SessionRow::Agent(at) => app.sessions.session(at).map_or_else(Line::default, |one| {
            session_row(app, one, true, cells, theme)
        }),
        SessionRow::Hit { hit, session } => hit_row(app, hit, session, cells, theme),
    }
}

fn session_row(
    app: &App,
    one: &Session,
    is_agent: bool,
    cells: usize,
    theme: Theme,
) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let agents = app.sessions.agents(one);
    let fold = match (agents, app.sessions.is_unfolded(one)) {
        _ if is_agent => "  └ ",
        (0, _) => "  ",
        (_, true) => "▾ ",
        (_, false) => "▸ ",
    };
    let kind = match one.kind {
        Kind::Session | Kind::Subagent => "",
        Kind::Fork => " · fork",
        Kind::Program => " · sdk",
    };
    let rescued = match one.rescued {
        // That it stays stands where its days would.
        Rescued::No | Rescued::Only => "",
        Rescued::Also => " · kept",
    };
    let agents = match agents {
        0 => String::new(),
        1 => " · 1 agent".to_string(),
        many => format!(" · {many} agents"),
    };
    let project = match app.sessions.all {
        true => format!(" · {}", project_of(app, &one.key)),
        false => String::new(),
    };
    let used = one.last.map_or("–".to_string(), |last| last.age(app.now));
    let left = match (one.rescued, one.days_left) {
        (Rescued::Only, _) => "kept".to_string(),
        (_, Some(days)) => format!("{days}d"),
        (_, None) => "–".to_string(),
    };
    let soon = match one.days_left {
        Some(0..=SOON) => Role::Warning,
        Some(_) | None => Role::Dim,
    };
    let numbers = match cells >= WIDE {
        true => {
            let model = one.model.as_deref().unwrap_or("–");
            let model = display::line(model.strip_prefix("claude-").unwrap_or(model)).into_owned();
            format!(
                "{}  {:>4}  {:>8}  {used:>4}",
                text::fit(&model, MODEL),
                grouped(usize::try_from(one.messages).unwrap_or(usize::MAX)),
                display::size(one.bytes)
            )
        }
        false => format!("{used:>4}"),
    };
    let left = format!("  {left:>4}");
    let about = format!("{rescued}{kind}{agents}{project}");
    let fixed = text::width(&numbers) + text::width(&left) + text::width(fold) + 1;
    let room = cells.saturating_sub(fixed);
    let title = display::line(one.name()).into_owned();
    // What it is about gives way before its title.
    let about = text::cut_end(
        &about,
        room.saturating_sub(text::width(&title).min(room / 2 + 8)),
    )
    .into_owned();
    let title = text::cut_end(&title, room.saturating_sub(text::width(&about))).into_owned();
    line::row(
        vec![
            Span::styled(fold, dim),
            Span::raw(title),
            Span::styled(about, dim),
        ],
        vec![
            Span::styled(numbers, dim),
            Span::styled(left, theme.style(soon)),
        ],
        cells,
    )
}

/// A project's folder by its own name, where its path is known.
pub(super) fn project_of(app: &App, key: &str) -> String {
    let shelves = app.tree.shelves().iter().map(|state| &state.shelf);
    let mut own = shelves.filter(|shelf| shelf.key == key);
    let name = own.find_map(|shelf| {
        let name = shelf.path.as_deref()?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    });
    display::line(name.as_deref().unwrap_or(key)).into_owned()
}

fn hit_row(app: &App, hit: usize, session: usize, cells: usize, theme: Theme) -> Line<'static> {
    let view = &app.sessions;
    let (Some(search), Some(one)) = (&view.search, view.session(session)) else {
        return Line::default();
    };
    let Some((_, found)) = search.hits.get(hit) else {
        return Line::default();
    };
    let dim = theme.style(Role::Dim);
    let name = display::line(one.name()).into_owned();
    let name = text::cut_end(&name, (cells / 4).max(10)).into_owned();
    let age = one.last.map_or(String::new(), |last| last.age(app.now));
    let room = cells.saturating_sub(text::width(&name) + text::width(&age) + 4);
    let safe = display::line(&display::untab(&found.text)).into_owned();
    let safe = text::cut_end(&safe, room).into_owned();
    let mut left = vec![Span::styled(format!("{name}  "), dim)];
    let mut at = 0;
    for mark in marks(&search.query, &safe) {
        left.push(Span::raw(safe[at..mark.start].to_string()));
        let marked = safe[mark.clone()].to_string();
        left.push(Span::styled(marked, theme.style(Role::Strong)));
        at = mark.end;
    }
    left.push(Span::raw(safe[at..].to_string()));
    line::row(left, vec![Span::styled(age, dim)], cells)
}
