//! The finder: what is typed, the hits below it, and beside or below them the chosen memory round
//! its hit. Of each line only what is in view is made.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::agents::ShelfHit;
use crate::app::App;
use crate::app::finder::{Finder, Row, Seen};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::memory::search::{self, Place};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::view::popup::{INPUT_ROWS, Popup};
use crate::tui::widget::line;
use crate::tui::widget::pane::{self, Scroll};

/// From this width on there is a preview, and from this one it stands beside the hits.
const PREVIEW: u16 = 80;
const BESIDE: u16 = 110;
/// From this height on there is room for a preview below.
const HIGH: u16 = 18;

/// The box and what is in it.
struct Parts {
    popup: Popup,
    preview: Option<Rect>,
}

/// The finder's box and the rows in it.
#[must_use]
pub fn place(screen: Rect) -> Popup {
    parts(screen).popup
}

fn parts(screen: Rect) -> Parts {
    let rows = usize::from(screen.height);
    let mut popup = Popup::place(screen, INPUT_ROWS, rows, 160, 0);
    let rows = popup.rows;
    let preview = if screen.width >= BESIDE {
        let width = rows.width / 2;
        popup.rows.width = rows.width - width - 1;
        Some(Rect {
            x: popup.rows.right() + 1,
            width,
            ..rows
        })
    } else if screen.width >= PREVIEW && screen.height >= HIGH {
        let height = rows.height / 2;
        popup.rows.height = rows.height - height - 1;
        Some(Rect {
            y: popup.rows.bottom() + 1,
            height,
            ..rows
        })
    } else {
        None
    };
    Parts { popup, preview }
}

/// Draws the finder over the screen; the cursor's place is given back.
pub fn draw(
    app: &App,
    finder: &Finder,
    screen: Rect,
    buffer: &mut Buffer,
    theme: Theme,
) -> (u16, u16) {
    let Parts { popup, preview } = parts(screen);
    let length = finder.length();
    let scroll = list::scroll(finder.list, length);
    // Beside a preview the scrollbar stands on the line between the two.
    let beside = preview.is_some_and(|area| area.y == popup.rows.y);
    let frame_scroll = Scroll {
        length: if beside { 0 } else { length },
        ..scroll
    };
    let cursor = popup.draw_typed(
        &title(finder),
        frame_scroll,
        &finder.input,
        "type to find in all projects",
        buffer,
        theme,
    );
    list::draw(
        finder.list,
        length,
        true,
        popup.rows,
        buffer,
        theme,
        |at, cells| match finder.row(at) {
            Row::Rule => rule(cells, theme),
            Row::Hit(at) => row(&finder.found.hits[at], app, cells, theme),
        },
    );
    if length == 0 && !finder.query.is_empty() && !finder.searching {
        super::palette::draw_nothing(popup, buffer, theme);
    }
    if let Some(area) = preview {
        draw_edge(popup, area, buffer, theme);
        if beside {
            pane::scrollbar(scroll, popup.rows.right(), popup.rows, buffer, theme);
        }
        if let Some(seen) = &finder.seen {
            draw_preview(finder, seen, area, buffer, theme);
        }
    }
    cursor
}

/// How many hits there are, and whether more may come.
fn title(finder: &Finder) -> String {
    let found = &finder.found;
    let more = if finder.searching { " …" } else { "" };
    match (finder.query.is_empty(), found.fuzzy) {
        (true, _) => format!("find{more}"),
        (false, 0) => format!("find · {}{more}", grouped(found.exact)),
        (false, fuzzy) => {
            format!(
                "find · {} · {} similar{more}",
                grouped(found.exact),
                grouped(fuzzy)
            )
        }
    }
}

fn rule(cells: usize, theme: Theme) -> Line<'static> {
    let word = "── similar ";
    let rest = cells.saturating_sub(text::width(word));
    Line::styled(
        format!("{word}{}", "─".repeat(rest)),
        theme.style(Role::Dim),
    )
}

/// Name and what was found left, project and type right.
fn row(found_hit: &ShelfHit, app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let hit = &found_hit.hit;
    let shelf = app.tree.shelf(&found_hit.shelf.folder);
    let shelf = shelf.map_or(&*found_hit.shelf, |state| &state.shelf);
    let project = display::line(&shelf.title()).into_owned();
    let project = text::cut_end(&project, cells / 4).into_owned();
    let kind = hit.kind.word().unwrap_or("–");
    let kind = text::cut_end(&display::line(kind), 9).into_owned();
    let right = vec![
        Span::styled(format!("{project} "), theme.style(Role::Dim)),
        Span::styled(kind, theme.of_type(&hit.kind)),
    ];
    let room = cells.saturating_sub(line::width(&right) + 1);
    let plain = theme.style(Role::Text);
    let mut left = match hit.place {
        Place::Name | Place::Path => marked(&hit.text, &hit.marks, plain, theme),
        Place::Description | Place::Heading | Place::Body => {
            let name = hit.name.as_deref().unwrap_or(&hit.path);
            let name = display::line(name).into_owned();
            vec![Span::styled(
                text::cut_end(&name, room / 2).into_owned(),
                plain,
            )]
        }
    };
    left.push(Span::raw("  "));
    let dim = theme.style(Role::Dim);
    match hit.place {
        Place::Name | Place::Path => {
            let said = hit.description.as_deref().unwrap_or_default();
            left.push(Span::styled(display::line(said).into_owned(), dim));
        }
        Place::Description | Place::Heading | Place::Body => {
            left.extend(marked(&hit.text, &hit.marks, dim, theme));
        }
    }
    line::row(left, right, cells)
}

/// Foreign text, made safe, its marked parts drawn as matches.
fn marked(
    text: &str,
    marks: &[std::ops::Range<usize>],
    base: Style,
    theme: Theme,
) -> Vec<Span<'static>> {
    display::marked(text, marks)
        .into_iter()
        .map(|(part, is_match)| match is_match {
            true => Span::styled(part, theme.style(Role::Match)),
            false => Span::styled(part, base),
        })
        .collect()
}

/// The line between hits and preview.
fn draw_edge(popup: Popup, preview: Rect, buffer: &mut Buffer, theme: Theme) {
    let dim = theme.style(Role::Dim);
    if preview.y == popup.rows.y {
        for y in preview.top()..preview.bottom() {
            buffer.set_string(popup.rows.right(), y, "│", dim);
        }
    } else {
        let rule = "─".repeat(usize::from(preview.width));
        buffer.set_string(preview.x, popup.rows.bottom(), rule, dim);
    }
}

fn draw_preview(finder: &Finder, seen: &Seen, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let cells = usize::from(area.width.saturating_sub(2));
    let rows = preview(finder, seen, cells, usize::from(area.height), theme);
    for (line, y) in rows.iter().zip(area.top()..area.bottom()) {
        buffer.set_line(area.x + 1, y, line, area.width.saturating_sub(2));
    }
}

/// Rows of the preview: the hit's line in the upper part, its number marked.
fn preview(
    finder: &Finder,
    seen: &Seen,
    cells: usize,
    height: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let excerpt = match &seen.excerpt {
        Ok(excerpt) => excerpt,
        Err(said) => {
            let runs = vec![(
                format!("✗ {}", display::line(said)),
                theme.style(Role::Error),
            )];
            let rows = line::wrap(&runs, cells).into_iter();
            return rows.map(Line::from).collect();
        }
    };
    let first = seen.hit.saturating_sub(height / 3).max(excerpt.first);
    let digits = (first + height).to_string().len();
    let mut rows = Vec::new();
    for (number, text) in (excerpt.first..)
        .zip(&excerpt.lines)
        .skip(first - excerpt.first)
    {
        if rows.len() >= height {
            break;
        }
        let role = if number == seen.hit {
            Role::Strong
        } else {
            Role::Dim
        };
        let parts = display::marked(text, &search::marks(&finder.query, text)).into_iter();
        let runs: Vec<_> = parts
            .map(|(part, hit)| {
                (
                    part,
                    theme.verbatim(theme.style(if hit { Role::Match } else { Role::Text })),
                )
            })
            .collect();
        let wrapped = line::wrap(&runs, cells.saturating_sub(digits + 1));
        for (at, spans) in wrapped.into_iter().enumerate() {
            let shown = if at == 0 {
                number.to_string()
            } else {
                String::new()
            };
            let mut row = vec![Span::styled(
                format!("{shown:>digits$} "),
                theme.style(role),
            )];
            row.extend(spans);
            rows.push(Line::from(row));
        }
    }
    rows
}
