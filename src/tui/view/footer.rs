//! The line at the bottom: what was just said, what can follow a begun chord, and the keys that work
//! now, the most useful first; from the right they give way to a narrow screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::action::Action;
use crate::app::{App, Notice, action};
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::popup;
use crate::tui::widget::line;

/// Rows that an error takes at most.
const MOST_ROWS: usize = 4;

/// Draws the footer. An error that is longer than it takes rows of the panes above: what helps stands
/// at its end.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let cells = usize::from(area.width.saturating_sub(2));
    let rows = error_rows(app, cells);
    if rows.len() > 1 {
        draw_error(&rows, area, buffer, theme);
        return;
    }
    let mut spans = Vec::new();
    if app.pending.is_empty() {
        said(app, &mut spans, cells, theme);
        hints(app, &mut spans, cells, theme);
    } else {
        begun(app, &mut spans, theme);
    }
    // The space behind the last one is none to be cut.
    if let Some(last) = spans.last_mut() {
        last.content = last.content.trim_end().to_string().into();
    }
    let line = Line::from(line::cut(spans, cells));
    buffer.set_line(area.x + 1, area.y, &line, area.width.saturating_sub(2));
}

/// The rows of an error, wrapped; none where nothing went wrong or a chord has begun.
fn error_rows(app: &App, cells: usize) -> Vec<String> {
    match &app.notice {
        Some(Notice::Error(said)) if app.pending.is_empty() => {
            let safe = format!("✗ {}", display::line(said));
            let rows = text::wrap(&safe, cells.max(10)).into_iter();
            rows.map(|row| safe[row].to_string()).collect()
        }
        Some(Notice::Error(_) | Notice::Word(_)) | None => Vec::new(),
    }
}

fn draw_error(rows: &[String], area: Rect, buffer: &mut Buffer, theme: Theme) {
    let shown = rows.len().min(MOST_ROWS).min(usize::from(area.y) + 1);
    let height = u16::try_from(shown).unwrap_or(1);
    let box_of_it = Rect {
        y: area.y + 1 - height,
        height,
        ..area
    };
    popup::clear(box_of_it, buffer);
    let cells = area.width.saturating_sub(2);
    for (at, (row, y)) in rows
        .iter()
        .zip(box_of_it.top()..box_of_it.bottom())
        .enumerate()
    {
        let is_cut = at + 1 == shown && rows.len() > shown;
        let end = if is_cut { text::ELLIPSIS } else { "" };
        let row = text::cut_end(&format!("{row}{end}"), usize::from(cells)).into_owned();
        buffer.set_stringn(
            area.x + 1,
            y,
            row,
            usize::from(cells),
            theme.style(Role::Error),
        );
    }
}

fn begun(app: &App, spans: &mut Vec<Span<'static>>, theme: Theme) {
    let keys: Vec<_> = app.pending.iter().map(ToString::to_string).collect();
    spans.push(Span::styled(
        format!("{} …  ", keys.join(" ")),
        theme.style(Role::Strong),
    ));
    for (rest, what) in app.keymap.continuations(app.scope(), &app.pending) {
        hint(&rest, action::entry(what).name, spans, theme);
    }
    hint("esc", "cancel", spans, theme);
}

fn said(app: &App, spans: &mut Vec<Span<'static>>, cells: usize, theme: Theme) {
    let (text, role) = match &app.notice {
        None => return,
        Some(Notice::Word(text)) => (format!("· {}", display::line(text)), Role::Note),
        Some(Notice::Error(text)) => (format!("✗ {}", display::line(text)), Role::Error),
    };
    spans.push(Span::styled(text, theme.style(role)));
    *spans = line::cut(std::mem::take(spans), cells);
    spans.push(Span::raw("   "));
}

/// The keys that work now. Where not all have room, the last one that is shown leads to the rest.
fn hints(app: &App, spans: &mut Vec<Span<'static>>, cells: usize, theme: Theme) {
    let scope = app.scope();
    let mut working = action::footer(scope);
    working.retain(|entry| app.can(entry.action));
    if app.rule_here().is_some() {
        rule_first(&mut working);
    }
    let working = working.into_iter();
    let keys: Vec<(String, &action::Entry)> = working
        .filter_map(|entry| Some((app.keymap.keys(entry.action, scope).next()?, entry)))
        .collect();
    let mut all = spans.clone();
    for (key, entry) in &keys {
        hint(key, app.name_now(entry), &mut all, theme);
    }
    if line::width(&all) <= cells + 2 {
        *spans = all;
        return;
    }
    let mut rest = Vec::new();
    if let Some((key, _)) = keys.iter().find(|(_, entry)| entry.action == Action::Help) {
        hint(key, "more", &mut rest, theme);
    }
    let room = (cells + 2).saturating_sub(line::width(&rest));
    for (key, entry) in keys
        .iter()
        .filter(|(_, entry)| entry.action != Action::Help)
    {
        let mut more = spans.clone();
        hint(key, app.name_now(entry), &mut more, theme);
        if line::width(&more) > room {
            break;
        }
        *spans = more;
    }
    if line::width(spans) <= room {
        spans.extend(rest);
    }
}

/// What is done with a rule alone goes before what is the same everywhere.
fn rule_first(working: &mut [&action::Entry]) {
    working.sort_by_key(|entry| match entry.action {
        Action::Demote => Some(4),
        _ => entry.rank,
    });
}

fn hint(key: &str, name: &str, spans: &mut Vec<Span<'static>>, theme: Theme) {
    spans.push(Span::styled(key.to_string(), theme.style(Role::Strong)));
    spans.push(Span::styled(format!(" {name}  "), theme.style(Role::Dim)));
}
