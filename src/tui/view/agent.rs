//! The agent's pane: what was said and done, a rule with its state and how full the window is, the question.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::{Action, Scope};
use crate::app::agent::{AgentRow, State};
use crate::app::layout::Pane;
use crate::app::session_rows::{Fold, Who};
use crate::base::text;
use crate::base::time::grouped;
use crate::context::pressure::{Pressure, Thresholds};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{choices, edit, list, session};
use crate::tui::widget::pane::{self, Frame};
use crate::tui::widget::{line, markdown};

/// Draws it; gives back where the text cursor stands, if the question has it.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let focused = app.is_focused(Pane::Agent);
    let agent = &app.agent;
    let length = agent.rows().len();
    let frame = Frame {
        title: title(
            app,
            focused,
            usize::from(area.width.saturating_sub(2)),
            theme,
        ),
        foot: Line::default(),
        focused,
        scroll: None,
    };
    frame.draw(area, buffer, theme);
    let parts = app.agent_parts();
    let said = rect(parts.said);
    let scroll = list::scroll(agent.list, length);
    pane::scrollbar(scroll, area.right() - 1, said, buffer, theme);
    if length == 0 {
        empty(said, buffer, theme);
    } else {
        let here = focused && !agent.is_typing;
        list::draw(
            agent.list,
            length,
            here,
            said,
            buffer,
            theme,
            |at, cells| row(&agent.rows()[at], cells, theme),
        );
    }
    stopped(app, rect(parts.stopped), buffer, theme);
    choices::draw(app, buffer, theme);
    rule(app, rect(parts.rule), buffer, theme);
    gauge(app, rect(parts.gauge), buffer, theme);
    let question = parts.question;
    let mark = if focused && agent.is_typing {
        Role::Accent
    } else {
        Role::Dim
    };
    buffer.set_string(
        question.x.saturating_sub(2),
        question.y,
        ">",
        theme.style(mark),
    );
    let cursor = edit::draw_plain(&agent.input, question, buffer, theme);
    cursor.filter(|_| focused && agent.is_typing)
}

fn rect(area: crate::app::layout::Area) -> Rect {
    Rect::new(area.x, area.y, area.width, area.height)
}

fn title(app: &App, focused: bool, cells: usize, theme: Theme) -> Line<'static> {
    let name = theme.style(if focused { Role::Accent } else { Role::Text });
    let waiting = match app.agent.talk.waiting().count() {
        0 => String::new(),
        many => format!(" · {many} ✎"),
    };
    let model = match app.agent.talk.model.as_str() {
        "" => String::new(),
        model => format!(" · {}", crate::base::display::line(model)),
    };
    let spans = vec![
        Span::styled(" Agent", name),
        Span::styled(waiting, theme.style(Role::Warning)),
        Span::styled(model, theme.style(Role::Dim)),
        Span::styled(
            format!(" {} ", app.keymap.shown(Action::ShowAgent, Scope::Tree)),
            theme.style(Role::Dim),
        ),
    ];
    Line::from(line::cut(spans, cells))
}

/// What belongs here, where nothing was said yet.
fn empty(area: Rect, buffer: &mut Buffer, theme: Theme) {
    let said = [
        "Ask about this project and its memories.",
        "",
        "It reads below the project and the memory folder, nowhere else, and runs no commands. What it would write \
         into the memory it proposes; you decide.",
        "",
        "/resume takes the last conversation up again, /help lists what else can be typed.",
    ];
    let cells = usize::from(area.width.saturating_sub(2)).max(1);
    let rows = said.iter().flat_map(|said| {
        let said = crate::base::display::line(said).into_owned();
        text::wrap(&said, cells)
            .into_iter()
            .map(|range| said[range].to_string())
            .collect::<Vec<_>>()
    });
    for (row, y) in rows.zip(area.top()..area.bottom()) {
        buffer.set_stringn(area.x + 1, y, row, cells, theme.style(Role::Dim));
    }
}

fn row(row: &AgentRow, cells: usize, theme: Theme) -> Line<'static> {
    let bar = match row.who {
        Who::Nobody => Span::raw(""),
        Who::User => Span::styled("▌ ", theme.style(Role::TypeUser)),
        Who::Agent => Span::styled("│ ", theme.style(Role::Ok)),
        Who::Tool => Span::styled("│ ", theme.style(Role::Dim)),
    };
    let fold = match row.fold {
        Fold::None => "",
        Fold::Closed => "▸ ",
        Fold::Open => "▾ ",
    };
    let mut spans = vec![bar, Span::styled(fold, theme.style(Role::Dim))];
    if row.inks.is_empty() {
        let style = theme.style(session::role(row.tone));
        spans.push(Span::styled(row.text.clone(), style));
    }
    let mut rest = row.text.as_str();
    for (bytes, ink) in &row.inks {
        let (piece, behind) = rest.split_at(*bytes);
        spans.push(Span::styled(piece.to_string(), markdown::style(ink, theme)));
        rest = behind;
    }
    Line::from(line::cut(spans, cells))
}

/// What it does, and how full the window is.
fn rule(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let talk = &app.agent.talk;
    let state = match &talk.state {
        State::Idle => String::new(),
        State::Asking => "asking … ".to_string(),
        State::Thinking => "thinking … ".to_string(),
        State::Answering => "answering … ".to_string(),
        State::Running(tool) => format!("{} … ", crate::base::display::line(tool)),
    };
    let cells = usize::from(area.width.saturating_sub(2));
    let full = talk.tokens.map(|(tokens, exact)| {
        let about = if exact { "" } else { "≈ " };
        let window = talk
            .window
            .map_or(String::new(), |window| format!(" / {}", grouped(window)));
        let reached = talk.window.map_or(Pressure::None, |window| {
            Thresholds::of(window).reached(tokens)
        });
        (
            format!(" {about}{}{window} tokens", grouped(tokens)),
            of_pressure(reached),
        )
    });
    let (full, role) = full.unwrap_or((String::new(), Role::Dim));
    let dashes = cells.saturating_sub(text::width(&state) + text::width(&full) + 3);
    let spans = vec![
        Span::styled("── ", theme.style(Role::Dim)),
        Span::styled(state, theme.style(Role::Note)),
        Span::styled("─".repeat(dashes), theme.style(Role::Dim)),
        Span::styled(full, theme.style(role)),
    ];
    buffer.set_line(
        area.x + 1,
        area.y,
        &Line::from(line::cut(spans, cells)),
        area.width.saturating_sub(1),
    );
}

fn of_pressure(reached: Pressure) -> Role {
    match reached {
        Pressure::None => Role::Dim,
        Pressure::Warn | Pressure::Compact => Role::Warning,
        Pressure::Block => Role::Error,
    }
}

/// The window as a bar with its thresholds marked, which of them is passed, and until when what was sent is
/// warm: as a time of day, so that nothing has to be drawn again when nothing happens.
fn gauge(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let talk = &app.agent.talk;
    let (Some((tokens, _)), Some(window)) = (talk.tokens, talk.window) else {
        return;
    };
    if area.height == 0 {
        return;
    }
    let cells = usize::from(area.width.saturating_sub(2));
    let thresholds = Thresholds::of(window);
    let reached = thresholds.reached(tokens);
    let mut said: Vec<(String, Role)> = match reached {
        Pressure::None => Vec::new(),
        Pressure::Warn => vec![("▲ past w(arn)".to_string(), Role::Warning)],
        Pressure::Compact => vec![("▲ past c(ompact)".to_string(), Role::Warning)],
        Pressure::Block => vec![("✗ past b(lock)".to_string(), Role::Error)],
    };
    if let Some(until) = talk.warmth.until() {
        let word = match until > app.now {
            true => "warm to",
            false => "cold since",
        };
        said.push((format!("{word} {} UTC", until.time_of_day()), Role::Dim));
    }
    // What says most comes first; a bar of so many cells is left in any case.
    let room = cells.saturating_sub(LEAST_BAR);
    let mut spans = Vec::new();
    let mut taken = 0;
    for (word, role) in said {
        let wide = text::width(&word) + 1;
        if taken + wide <= room {
            taken += wide;
            spans.push(Span::raw(" "));
            spans.push(Span::styled(word, theme.style(role)));
        }
    }
    let mut whole = bar(&thresholds, tokens, cells - taken, theme);
    whole.extend(spans);
    buffer.set_line(area.x + 1, area.y, &Line::from(whole), area.width);
}

/// Cells of the gauge's bar at least.
const LEAST_BAR: usize = 12;

/// The bar: `▓▓▓▓░░░░░░░░w░c░b░`.
fn bar(thresholds: &Thresholds, tokens: usize, cells: usize, theme: Theme) -> Vec<Span<'static>> {
    let at = |tokens: usize| tokens.saturating_mul(cells) / thresholds.window.max(1);
    // Each mark has a cell of its own, however close they lie.
    let block = at(thresholds.block).min(cells.saturating_sub(1));
    let compact = at(thresholds.compact).min(block.saturating_sub(1));
    let warn = at(thresholds.warn).min(compact.saturating_sub(1));
    let filled = at(tokens);
    let role = of_pressure(thresholds.reached(tokens));
    let cell = |cell: usize| match cell {
        cell if cell == block => Span::styled("b", theme.style(Role::Strong)),
        cell if cell == compact => Span::styled("c", theme.style(Role::Strong)),
        cell if cell == warn => Span::styled("w", theme.style(Role::Strong)),
        cell if cell < filled => Span::styled("▓", theme.style(role)),
        _ => Span::styled("░", theme.style(Role::Dim)),
    };
    (0..cells).map(cell).collect()
}

/// That recall by the model has stopped, why, and what makes it go on.
fn stopped(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let Some(why) = app.agent.talk.stopped.as_ref().filter(|_| area.height > 0) else {
        return;
    };
    let key = app.keymap.shown(Action::ResetRecall, Scope::Agent);
    let cells = usize::from(area.width.saturating_sub(2));
    let mut said = format!("▲ recall stopped · {key} resets it");
    // A few letters of the reason say nothing: it stands whole in what was said.
    if text::width(&said) + 20 <= cells {
        let _ = write!(said, " · {}", crate::base::display::line(why));
    }
    let spans = vec![Span::styled(said, theme.style(Role::Warning))];
    let line = Line::from(line::cut(spans, cells));
    buffer.set_line(area.x + 1, area.y, &line, area.width);
}
