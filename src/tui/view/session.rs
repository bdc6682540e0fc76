//! A session that is read: a coloured bar at the left edge tells who speaks, tools are one dim line each;
//! and what was sent to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::session_reading::SessionReading;
use crate::app::session_rows::{Fold, Row, Tone, Who};
use crate::base::{display, text};
use crate::memory::search::marks;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{list, memory};
use crate::tui::widget::line;

/// From these widths on the head has the id too, and the time beside the place.
const WIDE: u16 = 72;
const NARROW: u16 = 48;

/// Draws what is open: what was sent, else the session.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    if let Some(proof) = &app.proof {
        let title = format!("what was sent · {}", proof.title);
        let rows = proof.rows();
        let of = (proof.list, rows.len());
        frame(app, of, (&title, ""), area, buffer, theme, |at, cells| {
            let row = &rows[at];
            let fold = Span::styled(mark(row.fold), theme.style(Role::Dim));
            let said = Span::styled(row.text.clone(), theme.style(role(row.tone)));
            Line::from(line::cut(vec![fold, said], cells))
        });
    } else if let Some(reading) = &app.session {
        let rows = reading.rows();
        let of = (reading.list, rows.len());
        let place = match (reading.is_reading(), reading.seeking, reading.percent()) {
            (_, Some(_), _) => "looking further …".to_string(),
            (true, None, _) => "reading …".to_string(),
            (false, None, Some(percent)) => format!("{percent}%"),
            (false, None, None) => String::new(),
        };
        let turn = app.turn_here().map(|turn| format!("turn {turn}"));
        let when = match (turn, reading.time()) {
            (Some(turn), Some(time)) if area.width >= WIDE => Some(format!("{turn} · {time}")),
            (Some(turn), None) => Some(turn),
            (_, time) => time,
        };
        let place = match (when, place.is_empty()) {
            (Some(time), false) if area.width >= NARROW => format!("{time} · {place}"),
            (Some(time), true) => time,
            (_, _) => place,
        };
        let title = match reading.path.file_stem() {
            Some(id) if area.width >= WIDE => {
                let id: String = id.to_string_lossy().chars().take(13).collect();
                format!("{} · {id}", reading.title)
            }
            Some(_) | None => reading.title.clone(),
        };
        let said = (&*title, &*place);
        frame(app, of, said, area, buffer, theme, |at, cells| {
            row(&rows[at], reading, cells, theme)
        });
    }
}

/// Draws the frame with a head, and the rows below it.
fn frame(
    app: &App,
    (of, length): (List, usize),
    (title, place): (&str, &str),
    area: Rect,
    buffer: &mut Buffer,
    theme: Theme,
    row: impl Fn(usize, usize) -> Line<'static>,
) {
    let inside = memory::frame(app, list::scroll(of, length), area, buffer, theme);
    if inside.height == 0 {
        return;
    }
    let cells = usize::from(inside.width.saturating_sub(list::SIDES));
    let title = display::line(title).into_owned();
    let title = text::cut_end(&title, cells.saturating_sub(text::width(place) + 2)).into_owned();
    let head = line::row(
        vec![Span::styled(title, theme.style(Role::Strong))],
        vec![Span::styled(place.to_string(), theme.style(Role::Dim))],
        cells,
    );
    buffer.set_line(inside.x + 1, inside.y, &head, inside.width);
    let body = Rect {
        y: inside.y + 1,
        height: inside.height - 1,
        ..inside
    };
    let focused = app.is_focused(Pane::Main);
    list::draw(of, length, focused, body, buffer, theme, row);
}

pub(super) fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Text,
        Tone::Dim => Role::Dim,
        Tone::Strong => Role::Strong,
        Tone::Note => Role::Note,
        Tone::Warning => Role::Warning,
        Tone::Error => Role::Error,
        Tone::Added => Role::Added,
        Tone::Removed => Role::Removed,
    }
}

fn mark(fold: Fold) -> &'static str {
    match fold {
        Fold::None => "",
        Fold::Closed => "▸ ",
        Fold::Open => "▾ ",
    }
}

fn row(row: &Row, reading: &SessionReading, cells: usize, theme: Theme) -> Line<'static> {
    let bar = match row.who {
        Who::Nobody => Span::raw("  "),
        Who::User => Span::styled("▌ ", theme.style(Role::TypeUser)),
        Who::Agent => Span::styled("│ ", theme.style(Role::Ok)),
        Who::Tool => Span::styled("│ ", theme.style(Role::Dim)),
    };
    let style = theme.style(role(row.tone));
    let fold = Span::styled(mark(row.fold), theme.style(Role::Dim));
    let mut spans = vec![bar, fold];
    let hits = reading
        .query
        .as_ref()
        .map(|(_, query)| marks(query, &row.text));
    let mut at = 0;
    for mark in hits.unwrap_or_default() {
        spans.push(Span::styled(row.text[at..mark.start].to_string(), style));
        let marked = row.text[mark.clone()].to_string();
        spans.push(Span::styled(marked, theme.style(Role::Match)));
        at = mark.end;
    }
    spans.push(Span::styled(row.text[at..].to_string(), style));
    Line::from(line::cut(spans, cells))
}
