//! The Ledger view: the requests that were sent, with their columns; and over them the one that is open, its
//! parts drawn as the preview's.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::Action;
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::overlay::Filtered;
use crate::app::preview_rows::PreviewRow;
use crate::app::request_view::RequestView;
use crate::base::number;
use crate::base::{display, text};
use crate::context::ledger::Entry;
use crate::context::preview::groups;
use crate::transcript::usage::Sum;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{filter, list, memory, preview, sessions, words};
use crate::tui::widget::line;

/// From these widths on all columns are shown, those without the end, and those that matter most.
const WIDE: usize = 92;
const NORMAL: usize = 66;
const MIDDLE: usize = 46;
/// Cells of a model's name, of the word for an end, of a project's name.
const MODEL: usize = 12;
const END: usize = 12;
const PROJECT: usize = 12;

/// Draws the view; gives back where the text cursor stands while its filter is typed.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let view = &app.ledger;
    if let Some(open) = &view.open {
        draw_open(app, open, area, buffer, theme);
        return None;
    }
    let rows = view.rows();
    let scroll = list::scroll(view.list, rows.len());
    let inside = memory::frame(app, scroll, area, buffer, theme);
    let typed = app.typed_filter(Filtered::Ledger);
    let cursor = filter::draw_foot(typed, view.filter(), &foot(app), area, buffer, theme);
    if inside.height == 0 {
        return cursor;
    }
    let cells = usize::from(inside.width.saturating_sub(list::SIDES));
    let head = head(app, cells, theme);
    buffer.set_line(inside.x + 1, inside.y, &head, inside.width);
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
        |at, cells| {
            let entry = view.entry(rows[at]);
            entry.map_or_else(Line::default, |one| row(app, one, cells, theme))
        },
    );
    if rows.is_empty() && view.read().is_some() {
        draw_empty(app, body, buffer, theme);
    }
    cursor
}

fn draw_empty(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let all = app
        .ledger
        .read()
        .is_some_and(|read| !read.entries.is_empty());
    let said = match (all, app.ledger.filter().is_empty()) {
        (true, false) => "No request holds these words; esc lists all again.".to_string(),
        (true, true) => format!(
            "Nothing was sent for this project; {} lists all projects.",
            app.key(Action::AllProjects)
        ),
        (false, _) => format!(
            "Nothing was sent to a model yet. Each request of our own chat is kept here: what you ask the agent ({}) or with `loci chat`, with all that went along.",
            app.key(Action::ShowAgent)
        ),
    };
    let runs = [(said, theme.style(Role::Dim))];
    let cells = usize::from(area.width.saturating_sub(list::SIDES));
    let lines = line::wrap(&runs, cells).into_iter().map(Line::from);
    for (line, y) in lines.zip(area.y + 1..area.bottom()) {
        buffer.set_line(area.x + 1, y, &line, area.width - 2);
    }
}

/// What is listed, and which is marked.
fn foot(app: &App) -> String {
    let view = &app.ledger;
    let Some(read) = view.read() else {
        return "reading …".to_string();
    };
    let which = match view.here_only {
        true => "this project",
        false => "all projects",
    };
    let marked = match view.marked() {
        Some(_) => " · 1 marked",
        None => "",
    };
    let faults = match read.faults.len() {
        0 => String::new(),
        many => format!(" · {} not read", words::counted(many, "line", "lines")),
    };
    format!("{which}{marked}{faults} · newest first")
}

fn head(app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let view = &app.ledger;
    let sum = view.sum();
    let (dollars, unpriced) = sum.known_dollars();
    let cost = match (sum.messages, unpriced) {
        (0, _) => String::new(),
        (messages, unpriced) if messages == unpriced => String::new(),
        (_, 0) => format!(" · ${dollars:.2}"),
        (_, _) => format!(" · ≥ ${dollars:.2}"),
    };
    let left = match view.read() {
        None => "reading what was sent …".to_string(),
        Some(_) => format!(
            "{}{cost}",
            words::counted(view.rows().len(), "request", "requests")
        ),
    };
    let right = if cells >= WIDE {
        format!("{:<END$}     in    out  hits  of all     cost   age", "end")
    } else if cells >= NORMAL {
        "    in    out   hits of all     cost  age".to_string()
    } else if cells >= MIDDLE {
        "    in    out  hits     cost   age".to_string()
    } else {
        "    in   age".to_string()
    };
    let left = text::cut_end(&left, cells.saturating_sub(text::width(&right) + 1)).into_owned();
    line::row(
        vec![Span::styled(left, dim)],
        vec![Span::styled(right, dim)],
        cells,
    )
}

fn row(app: &App, one: &Entry, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let is_marked = app
        .ledger
        .marked()
        .is_some_and(|marked| marked.id == one.id);
    let age = one.time.map_or("–".to_string(), |time| time.age(app.now));
    let usage = one.sum.as_ref().map(|sum| sum.usage);
    let short = |tokens: Option<u64>| tokens.map_or("–".to_string(), number::short);
    // All that the model read, from the cache or not.
    let read = usage.map(|it| {
        it.input
            .saturating_add(it.cache_read)
            .saturating_add(it.cache_creation)
    });
    let (input, output) = (short(read), short(usage.map(|it| it.output)));
    let shares = one.sum.as_ref().and_then(Sum::cache_shares);
    let percent = |share: Option<f64>| {
        share.map_or("–".to_string(), |it| format!("{}%", display::percent(it)))
    };
    let (hit, of_all) = (
        percent(shares.map(|it| it.0)),
        percent(shares.map(|it| it.1)),
    );
    let cost = one.sum.as_ref().and_then(Sum::dollars);
    let cost = cost.map_or("–".to_string(), |cost| format!("${cost:.4}"));
    let end = display::line(one.end()).into_owned();
    let right = if cells >= WIDE {
        let end = text::fit(&end, END);
        format!("{end}{input:>7}{output:>7}{hit:>6}{of_all:>8}{cost:>9}{age:>6}")
    } else if cells >= NORMAL {
        format!("{input:>6}{output:>7}{hit:>7}{of_all:>7}{cost:>9}{age:>5}")
    } else if cells >= MIDDLE {
        format!("{input:>6}{output:>7}{hit:>6}{cost:>9}{age:>6}")
    } else {
        format!("{input:>6}{age:>6}")
    };
    let fault = match one.ended.as_deref() {
        Some("no_answer" | "refusal" | "max_tokens") if cells < WIDE => format!(" · {end}"),
        _ => String::new(),
    };
    let model = display::line(one.model.strip_prefix("claude-").unwrap_or(&one.model)).into_owned();
    let project = match (&one.project, app.ledger.here_only) {
        (Some(key), false) => {
            let name = sessions::project_of(app, key);
            format!(" · {}", text::cut_middle(&name, PROJECT))
        }
        (None, _) | (_, true) => String::new(),
    };
    let miss = match &one.miss {
        Some(miss) if miss.word() != "first" => format!(" · missed: {}", miss.word()),
        Some(_) | None => String::new(),
    };
    let model = text::cut_middle(&model, MODEL).into_owned();
    let room = cells.saturating_sub(text::width(&right) + 1);
    let mark = match is_marked {
        true => Span::styled(theme.mark("●"), theme.style(Role::Accent)),
        false => Span::raw(" "),
    };
    let left = vec![
        mark,
        Span::raw(format!(" {:<7}", one.purpose.word())),
        Span::styled(fault, theme.style(Role::Error)),
        Span::styled(format!(" {model}{project}"), dim),
        Span::styled(miss, theme.style(Role::Warning)),
    ];
    line::row(line::cut(left, room), vec![Span::styled(right, dim)], cells)
}

/// Draws the request that is open.
fn draw_open(app: &App, open: &RequestView, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let rows = open.rows();
    // On a row that nothing can be done with no cursor is shown.
    let of = match open.row().is_some_and(PreviewRow::acts) {
        true => open.list,
        false => List {
            cursor: usize::MAX,
            ..open.list
        },
    };
    let groups = groups(open.parts());
    let folder = app.tree.current().map(|state| &state.shelf.folder);
    let shown = preview::Shown {
        parts: open.parts(),
        groups: &groups,
        tokens: open.entry().map_or(0, |entry| entry.tokens),
        near: folder.into_iter().collect(),
        home: &app.home,
    };
    memory::list(app, of, rows.len(), area, buffer, theme, |at, cells| {
        preview::row(&rows[at], Some(&shown), cells, theme)
    });
}
