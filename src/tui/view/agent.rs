//! The agent's pane: what was said and done, a rule with its state and how full the window is, the question.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::Action;
use crate::app::agent::{AgentRow, State};
use crate::app::layout::Pane;
use crate::app::session_rows::{Fold, Who};
use crate::base::text;
use crate::base::time::grouped;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{edit, list, session};
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
    rule(app, rect(parts.rule), buffer, theme);
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
            format!(
                " {} ",
                app.keymap
                    .shown(Action::ShowAgent, crate::app::action::Scope::Tree)
            ),
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
        let nearly = talk.window.is_some_and(|window| tokens * 5 >= window * 4);
        (
            format!(" {about}{}{window} tokens", grouped(tokens)),
            nearly,
        )
    });
    let (full, nearly) = full.unwrap_or_default();
    let dashes = cells.saturating_sub(text::width(&state) + text::width(&full) + 3);
    let spans = vec![
        Span::styled("── ", theme.style(Role::Dim)),
        Span::styled(state, theme.style(Role::Note)),
        Span::styled("─".repeat(dashes), theme.style(Role::Dim)),
        Span::styled(
            full,
            theme.style(if nearly { Role::Warning } else { Role::Dim }),
        ),
    ];
    buffer.set_line(
        area.x + 1,
        area.y,
        &Line::from(line::cut(spans, cells)),
        area.width.saturating_sub(1),
    );
}
