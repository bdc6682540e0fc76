//! The line at the bottom: what was just said, what can follow a begun chord, and the keys that work
//! now, the most useful first; from the right they give way to a narrow screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::{App, Notice, action};
use crate::base::display;
use crate::tui::theme::{Role, Theme};
use crate::tui::widget::line;

/// Draws the footer.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let cells = usize::from(area.width.saturating_sub(2));
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

fn hints(app: &App, spans: &mut Vec<Span<'static>>, cells: usize, theme: Theme) {
    let scope = app.scope();
    for entry in action::footer(scope) {
        if !app.can(entry.action) {
            continue;
        }
        let Some(key) = app.keymap.keys(entry.action, scope).next() else {
            continue;
        };
        let mut more = spans.clone();
        hint(&key, entry.name, &mut more, theme);
        if line::width(&more) > cells + 2 {
            return;
        }
        *spans = more;
    }
}

fn hint(key: &str, name: &str, spans: &mut Vec<Span<'static>>, theme: Theme) {
    spans.push(Span::styled(key.to_string(), theme.style(Role::Strong)));
    spans.push(Span::styled(format!(" {name}  "), theme.style(Role::Dim)));
}
