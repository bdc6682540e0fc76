//! The tree: shelves, their groups and memories, one row each; counts and ages line up at the right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::agents::entry_title;
use crate::agents::order::Sort;
use crate::app::App;
use crate::app::action::{Action, Scope};
use crate::app::layout::Pane;
use crate::app::overlay::Filtered;
use crate::app::tree::{Group, ShelfState};
use crate::app::tree_rows::Row;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{filter, list, rule, words};
use crate::tui::widget::line;
use crate::tui::widget::pane::Frame;

/// Draws the tree; gives back where the text cursor stands while its filter is typed.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let focused = app.is_focused(Pane::Tree);
    let rows = app.tree.rows();
    let (foot, cursor) = foot(app, area, theme);
    let frame = Frame {
        title: title(app, focused, theme),
        foot,
        focused,
        scroll: Some(list::scroll(app.tree.list, rows.len())),
    };
    let inside = frame.draw(area, buffer, theme);
    list::draw(
        app.tree.list,
        rows.len(),
        focused,
        inside,
        buffer,
        theme,
        |at, cells| row(app, &rows[at], cells, theme),
    );
    if rows.is_empty() && inside.height > 0 {
        let room = usize::from(inside.width.saturating_sub(2));
        let said = "no memory holds these words";
        let said = text::cut_end(said, room);
        buffer.set_stringn(inside.x + 1, inside.y, said, room, theme.style(Role::Dim));
    }
    cursor
}

/// What narrows the tree, how much of it is listed, and what it is sorted by.
fn foot(app: &App, area: Rect, theme: Theme) -> (Line<'static>, Option<(u16, u16)>) {
    let mut by = format!("by {}", app.tree.sort().word());
    if !app.marked.is_empty() {
        by = format!("{} marked · {by}", grouped(app.marked.len()));
    }
    let rest = match app.tree.shown() {
        None => by,
        Some((shown, all)) => format!("{} of {} · {by}", grouped(shown), grouped(all)),
    };
    let typed = app.typed_filter(Filtered::Tree);
    filter::foot(typed, app.tree.filter(), &rest, area, theme)
}

fn title(app: &App, focused: bool, theme: Theme) -> Line<'static> {
    let name = theme.style(if focused { Role::Accent } else { Role::Text });
    let mut count = words::counted(app.tree.projects(), "project", "projects");
    if app.is_counting() {
        count.push_str(" · counting …");
    }
    let key = app.keymap.keys(Action::NextPane, Scope::Memory).next();
    let dim = theme.style(Role::Dim);
    Line::from(vec![
        Span::styled(format!(" {count} "), name),
        Span::styled(format!("{} ", key.unwrap_or_default()), dim),
    ])
}

fn row(app: &App, row: &Row, cells: usize, theme: Theme) -> Line<'static> {
    let shelf = row.shelf().and_then(|at| app.tree.shelves().get(at));
    let contents = shelf.and_then(|state| state.contents.as_ref());
    let dim = theme.style(Role::Dim);
    match row {
        Row::Empty { .. } => {
            let words = Span::styled("this folder: no memories yet", dim);
            line::row(vec![words], vec![Span::styled("0", dim)], cells)
        }
        Row::Heading => line::row(vec![Span::styled("agents", dim)], Vec::new(), cells),
        Row::Shelf(_) => {
            shelf.map_or_else(Line::default, |state| shelf_row(app, state, cells, theme))
        }
        Row::Group {
            group: Group::Rules,
            open,
            ..
        } => rule::group_row(app, shelf, fold_mark(*open, 2, theme), cells, theme),
        Row::Rule { .. } => rule::row(app, row, cells, theme),
        Row::Group {
            group, count, open, ..
        } => line::row(
            vec![fold_mark(*open, 2, theme), words::group(group, theme)],
            vec![Span::styled(grouped(*count), dim)],
            cells,
        ),
        Row::Memory { depth, .. } => memory_row(app, row, *depth, cells, theme),
        Row::Log { log, .. } => {
            let name = contents.and_then(|contents| contents.logs.get(*log));
            let name = name.map_or("", |path| path.strip_prefix("logs/").unwrap_or(path));
            named("", None, 4, name, Span::raw(""), cells, theme)
        }
        Row::Fault { fault, .. } => {
            let said = contents.and_then(|contents| contents.faults.get(*fault));
            let said = display::line(said.map_or("", String::as_str)).into_owned();
            let mark = Span::styled(format!("  ✗ {said}"), theme.style(Role::Error));
            line::row(vec![mark], Vec::new(), cells)
        }
        Row::Waiting { .. } => {
            line::row(vec![Span::styled("    reading …", dim)], Vec::new(), cells)
        }
    }
}

pub(super) fn fold_mark(open: bool, indent: usize, theme: Theme) -> Span<'static> {
    let mark = if open { "▾ " } else { "▸ " };
    Span::styled(
        format!("{}{mark}", " ".repeat(indent)),
        theme.style(Role::Dim),
    )
}

fn shelf_row(app: &App, state: &ShelfState, cells: usize, theme: Theme) -> Line<'static> {
    let count = match state.count() {
        Some(count) => grouped(count),
        None => "·".to_string(),
    };
    let role = match (app.tree.is_here(state), state.shelf.path.is_some()) {
        (true, _) => Role::Strong,
        (false, true) => Role::Text,
        // No path is known: the folder's name is all there is.
        (false, false) => Role::Dim,
    };
    let title = words::shelf(&state.shelf);
    let room = cells.saturating_sub(2 + 1 + count.len());
    let title = text::cut_middle(&title, room).into_owned();
    line::row(
        vec![
            fold_mark(state.open, 0, theme),
            Span::styled(title, theme.style(role)),
        ],
        vec![Span::styled(count, theme.style(Role::Dim))],
        cells,
    )
}

fn memory_row(app: &App, row: &Row, depth: u16, cells: usize, theme: Theme) -> Line<'static> {
    let Some((state, entry)) = app.tree.memory(row) else {
        return Line::default();
    };
    let contents = state.contents.as_ref();
    let below_cut = contents.is_some_and(|it| it.below_cut(&entry.path).is_some());
    // Ages and sizes fall away first when there is little room.
    let age = match (app.tree.sort(), entry.modified) {
        _ if cells < 24 => String::new(),
        (Sort::Size, _) => format!("{:>4}", grouped(usize::try_from(entry.bytes).unwrap_or(0))),
        (Sort::Age | Sort::Name, Some(modified)) => format!("{:>4}", modified.age(app.now)),
        (Sort::Age | Sort::Name, None) => "   –".to_string(),
    };
    let at = app.tree.file(row);
    let is_marked = at.as_ref().is_some_and(|at| app.marked.contains(at));
    let has_draft = at
        .as_ref()
        .is_some_and(|at| app.drafts.contains(&at.path()));
    let (mark, role) = match is_marked {
        true => ("●", Role::Accent),
        false => words::state_mark(entry.state).unwrap_or(match below_cut {
            true => (theme.mark("✂"), Role::Warning),
            false => (" ", Role::Text),
        }),
    };
    // A draft is told beside the state, which it does not hide.
    let draft = if has_draft { "✎" } else { "" };
    let age = format!("{draft}{age}");
    named(
        mark,
        Some(role),
        usize::from(depth) * 2,
        entry_title(entry),
        Span::styled(age, theme.style(Role::Dim)),
        cells,
        theme,
    )
}

/// A row with a mark, a name cut in the middle, and something at its end.
pub(super) fn named(
    mark: &str,
    role: Option<Role>,
    indent: usize,
    name: &str,
    right: Span<'static>,
    cells: usize,
    theme: Theme,
) -> Line<'static> {
    let mark = text::fit(mark, 2);
    let used = indent + 2 + text::width(&right.content) + 1;
    let name = display::line(name).into_owned();
    let name = text::cut_middle(&name, cells.saturating_sub(used)).into_owned();
    line::row(
        vec![
            Span::raw(" ".repeat(indent)),
            Span::styled(mark, theme.style(role.unwrap_or(Role::Text))),
            Span::raw(name),
        ],
        vec![right],
        cells,
    )
}
