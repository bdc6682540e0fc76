//! The History view: what lies in the trash, then every change, the newest first.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::history_view::HistoryRow;
use crate::base::time::Moment;
use crate::base::{display, text};
use crate::store::change::Author;
use crate::store::journal::Step;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{memory, words};
use crate::tui::widget::line;

/// Cells that the projects of a change take at most.
const PROJECT_CELLS: usize = 24;
/// Fewer tell nothing.
const LEAST_CELLS: usize = 6;
/// Cells of an age, with the space before it.
const AGE_CELLS: usize = 5;

/// Draws the view.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let rows = app.history.rows();
    let of = app.history.list;
    memory::list(app, of, rows.len(), area, buffer, theme, |at, cells| {
        row(app, rows[at], cells, theme)
    });
}

fn row(app: &App, row: HistoryRow, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let heading = |said: String| {
        let spans = vec![Span::styled(said, theme.style(Role::Strong))];
        line::row(spans, Vec::new(), cells)
    };
    let past = app.history.past();
    match row {
        HistoryRow::None(said) => line::row(vec![Span::styled(said, dim)], Vec::new(), cells),
        HistoryRow::Trash(count) => {
            let changes = words::counted(count, "change", "changes");
            heading(format!("in the trash, by {changes}"))
        }
        HistoryRow::Changes(count) => heading(words::counted(count, "change", "changes")),
        HistoryRow::Trashed(at) => {
            let manifest = &past.trash[at];
            let names: Vec<_> = manifest
                .items
                .iter()
                .filter_map(|item| item.path.file_name())
                .map(|name| display::line(&name.to_string_lossy()).into_owned())
                .collect();
            let left = vec![Span::raw(format!("  {}", names.join(", ")))];
            let items = manifest.items.iter().map(|item| &*item.path);
            let room = cells.saturating_sub(line::width(&left) + 1);
            let of = projects(app, items, room, dim);
            let right = vec![of, age(app, &manifest.time, dim)];
            line::row(left, right, cells)
        }
        HistoryRow::Change { at, undone } => {
            let entry = &past.changes[at];
            let title = display::line(&entry.title).into_owned();
            let role = if undone { Role::Dim } else { Role::Text };
            let mut left = vec![Span::styled(format!("  {title}"), theme.style(role))];
            if entry.author != Author::You {
                left.push(Span::styled(format!("  by {}", author(entry.author)), dim));
            }
            if undone {
                left.push(Span::styled("  taken back", theme.style(Role::Note)));
            }
            let places = entry.steps.iter().flat_map(Step::places);
            let room = cells.saturating_sub(line::width(&left) + 1);
            let of = projects(app, places, room, dim);
            let right = vec![of, age(app, &entry.time, dim)];
            line::row(left, right, cells)
        }
    }
}

/// The projects that files are of, where they are known, in the room that is left for them and an age.
fn projects<'a>(
    app: &App,
    paths: impl Iterator<Item = &'a Path>,
    room: usize,
    style: ratatui::style::Style,
) -> Span<'static> {
    let mut titles: Vec<String> = Vec::new();
    for path in paths {
        let mut shelves = app.tree.shelves().iter();
        let of = shelves.find(|state| path.starts_with(&state.shelf.folder));
        let title = of.map(|state| words::shelf(&state.shelf));
        titles.extend(title.filter(|title| !titles.contains(title)));
    }
    let room = room.saturating_sub(AGE_CELLS).min(PROJECT_CELLS);
    let said = match room {
        0..LEAST_CELLS => String::new(),
        room => text::cut_end(&titles.join(", "), room).into_owned(),
    };
    Span::styled(said, style)
}

fn age(app: &App, time: &str, style: ratatui::style::Style) -> Span<'static> {
    let age = Moment::parse(time).map_or_else(|| "–".to_string(), |time| time.age(app.now));
    Span::styled(format!(" {age:>4}"), style)
}

fn author(author: Author) -> &'static str {
    match author {
        Author::You => "you",
        Author::Fix => "a fix",
        Author::Agent => "the agent",
        Author::Extract => "extraction",
        Author::Dream => "a dream",
        Author::Import => "an import",
    }
}
