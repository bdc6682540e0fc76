//! The History view: what lies in the trash, then every change, the newest first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::history_view::HistoryRow;
use crate::base::display;
use crate::base::time::Moment;
use crate::store::change::Author;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{memory, words};
use crate::tui::widget::line;

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
            line::row(left, vec![age(app, &manifest.time, dim)], cells)
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
            line::row(left, vec![age(app, &entry.time, dim)], cells)
        }
    }
}

fn age(app: &App, time: &str, style: ratatui::style::Style) -> Span<'static> {
    let age = Moment::parse(time).map_or_else(|| "–".to_string(), |time| time.age(app.now));
    Span::styled(format!("{age:>4}"), style)
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
