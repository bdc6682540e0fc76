//! The edit of a memory: its fields, a rule that tells what a save does to its age, its text. Only the
//! rows in view are laid out.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::editor::body::{self, Body};
use crate::app::editor::form::{FormField, Input};
use crate::app::editor::layout::EditLayout;
use crate::app::editor::{Editor, Spot};
use crate::app::layout::Area;
use crate::base::{display, text};
use crate::memory::file::MemoryType;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::popup;
use crate::tui::widget::{line, source};

/// Widest column of field names.
const LABEL_CELLS: usize = 24;

/// Draws an edit inside its pane; gives back where the cursor stands.
pub fn draw(
    app: &App,
    editor: &Editor,
    inside: Area,
    buffer: &mut Buffer,
    theme: Theme,
) -> (u16, u16) {
    let layout = EditLayout::of(editor, inside);
    let room = usize::from(inside.width);
    let most = LABEL_CELLS.min(room / 3);
    let widest = |label: fn(&FormField) -> &str| {
        let labels = editor.fields.iter().map(label);
        labels.map(text::width).max().unwrap_or(0)
    };
    // Where they would be cut, the keys alone say more than their beginnings.
    let label: fn(&FormField) -> &str = match widest(|field| &field.label) > most {
        true => |field| &field.key,
        false => |field| &field.label,
    };
    let label_cells = widest(label).min(most);
    let mut cursor = (layout.body.x, layout.body.y);
    let shown = editor.fields.iter().enumerate().skip(layout.first);
    for ((at, field), y) in shown.zip(layout.form.y..layout.form.y + layout.form.height) {
        let here = editor.spot == Spot::Field(at);
        let row = Area {
            y,
            height: 1,
            ..layout.form
        };
        let column = draw_field(field, here, (label(field), label_cells), row, buffer, theme);
        if here {
            cursor = (column, y);
        }
    }
    draw_rule(app, editor, layout.rule, buffer, theme);
    if let Some(at) = draw_body(&editor.body, layout.body, buffer, theme)
        && editor.spot == Spot::Body
    {
        cursor = at;
    }
    cursor
}

/// Draws a line of the form; gives back the column of the cursor.
fn draw_field(
    field: &FormField,
    here: bool,
    (label, label_cells): (&str, usize),
    row: Area,
    buffer: &mut Buffer,
    theme: Theme,
) -> u16 {
    let label = display::line(label).into_owned();
    let label = text::fit(&text::cut_middle(&label, label_cells), label_cells);
    let mark = if field.is_changed() { "✎" } else { " " };
    let role = if here { Role::Strong } else { Role::Dim };
    let spans = vec![
        Span::styled(label, theme.style(role)),
        Span::styled(format!(" {mark} "), theme.style(Role::Warning)),
    ];
    let used = u16::try_from(label_cells + 3).unwrap_or(0).min(row.width);
    buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
    let x = row.x + used;
    let room = row.width - used;
    let cells = usize::from(room.saturating_sub(1));
    let (shown, column, style) = match &field.input {
        Input::Text(typed) if here => {
            let (shown, column) = popup::window(typed, cells);
            (shown, column, theme.style(Role::Text))
        }
        Input::Text(typed) => {
            let shown = display::line(typed.text()).into_owned();
            let role = if field.key == "name" {
                Role::Strong
            } else {
                Role::Text
            };
            (
                text::cut_end(&shown, cells).into_owned(),
                0,
                theme.style(role),
            )
        }
        Input::Type(kind) => {
            let style = theme.of_type(&MemoryType::of_word(kind));
            let shown = display::line(kind);
            let shown = if here {
                format!("‹{shown}› ← → or a letter")
            } else {
                format!("‹{shown}›")
            };
            (shown, 1, style)
        }
        Input::Kept(value) => {
            let shown = display::line(value).into_owned();
            (
                text::cut_end(&shown, cells).into_owned(),
                0,
                theme.style(Role::Dim),
            )
        }
    };
    buffer.set_stringn(x, row.y, shown, usize::from(room), style);
    x + column.min(room.saturating_sub(1))
}

/// What this is, and what saving does to the age that the model is told.
fn draw_rule(app: &App, editor: &Editor, row: Area, buffer: &mut Buffer, theme: Theme) {
    if row.height == 0 {
        return;
    }
    let state = match (&editor.card, editor.is_new(), editor.is_changed()) {
        (Some(_), _, true) => "✎ changed by you, not written",
        (Some(_), _, false) => "as the agent proposes it",
        (None, true, _) => "✎ new, not saved",
        (None, false, true) => "✎ not saved",
        (None, false, false) => "as saved",
    };
    let age = editor.modified.map(|modified| modified.age(app.now));
    let age = match (age, editor.makes_young(), editor.keep_age) {
        (None, _, _) => String::new(),
        (Some(age), true, _) if age != "now" => format!(" · age {age} → now"),
        (Some(age), _, true) => format!(" · age {age} kept"),
        (Some(age), _, false) => format!(" · age {age}"),
    };
    let room = usize::from(row.width);
    let said = format!("── {state}{age} ");
    let said = text::cut_end(&said, room).into_owned();
    let rule = "─".repeat(room.saturating_sub(text::width(&said)));
    let spans = vec![
        Span::styled(
            said,
            theme.style(if editor.is_changed() {
                Role::Warning
            } else {
                Role::Dim
            }),
        ),
        Span::styled(rule, theme.style(Role::Dim)),
    ];
    buffer.set_line(row.x, row.y, &Line::from(line::cut(spans, room)), row.width);
}

/// Draws a text that is typed, with no form around it; gives back where its cursor stands.
pub(super) fn draw_plain(
    body: &Body,
    area: Area,
    buffer: &mut Buffer,
    theme: Theme,
) -> Option<(u16, u16)> {
    draw_body(body, area, buffer, theme)
}

/// Draws the rows of the text in view; gives back where its cursor stands.
fn draw_body(body: &Body, area: Area, buffer: &mut Buffer, theme: Theme) -> Option<(u16, u16)> {
    let (cursor_row, x) = body.place();
    let top = body.top();
    let mut cursor = None;
    let mut fence = source::is_in_fence(&body.lines()[..top.line.min(body.lines().len())]);
    let mut y = area.y;
    let end = area.y + area.height;
    for (at, raw) in body.lines().iter().enumerate().skip(top.line) {
        if y >= end {
            break;
        }
        let shown = body::shown(raw);
        let parts = body.parts(at);
        let skip = if at == top.line { top.part } else { 0 };
        let last = parts.len().min(skip + usize::from(end - y));
        let seen = match parts.get(skip..last) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.clone(),
            Some([]) | None => 0..0,
        };
        let (spans, from) = source::spans_of(&shown, seen, &mut fence, theme);
        for (part, range) in parts.iter().cloned().enumerate().skip(skip) {
            if y >= end {
                break;
            }
            let row = source::slice(&spans, range.start - from..range.end - from);
            buffer.set_line(area.x, y, &Line::from(row), area.width);
            if (at, part) == (cursor_row.line, cursor_row.part) {
                let column = u16::try_from(x)
                    .unwrap_or(0)
                    .min(area.width.saturating_sub(1));
                cursor = Some((area.x + column, y));
            }
            y += 1;
        }
    }
    cursor
}
