//! The line at the top: which project, how much it holds, how full its index is, and what is unusual.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::base::display;
use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::words;
use crate::tui::widget::{line, meter};

/// What moves while something is being done.
const SIGN: [&str; 6] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

/// A part of the line.
struct Part {
    /// What matters least, the highest, gives way first where it is narrow; 0 never does.
    rank: u8,
    spans: Vec<Span<'static>>,
    /// Cells that it wants at least: what is longer is cut where it is narrow.
    least: usize,
}

/// Of a notice: its beginning says what it is about.
const NOTICE_CELLS: usize = 36;
/// Of a project's name: what stands right of it stays.
const TITLE_CELLS: usize = 16;

impl Part {
    fn wants(&self) -> usize {
        line::width(&self.spans).min(self.least)
    }
}

/// Draws the header.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let cells = usize::from(area.width.saturating_sub(2));
    let mut parts = parts(app, theme);
    let wants = |parts: &[Part]| -> usize { parts.iter().map(|part| part.wants() + 3).sum() };
    while wants(&parts) > cells + 3 {
        let least = (0..parts.len()).max_by_key(|at| parts[*at].rank);
        match least.filter(|at| parts[*at].rank > 0) {
            Some(least) => drop(parts.remove(least)),
            None => break,
        }
    }
    let mut spare = (cells + 3).saturating_sub(wants(&parts));
    for part in &mut parts {
        let given = line::width(&part.spans).min(part.wants() + spare);
        spare -= given - part.wants().min(given);
        part.spans = line::cut(std::mem::take(&mut part.spans), given);
    }
    let line = Line::from(line::cut(joined(&parts, theme), cells));
    buffer.set_line(area.x + 1, area.y, &line, area.width.saturating_sub(2));
}

/// The parts side by side.
fn joined(parts: &[Part], theme: Theme) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(" · ", theme.style(Role::Dim)));
        }
        spans.extend(part.spans.iter().cloned());
    }
    spans
}

fn parts(app: &App, theme: Theme) -> Vec<Part> {
    let dim = theme.style(Role::Dim);
    let mut parts = Vec::new();
    let mut part = |rank, least, spans| parts.push(Part { rank, spans, least });
    let whole = usize::MAX;
    part(
        2,
        whole,
        vec![Span::styled("loci", theme.style(Role::Strong))],
    );
    if let Some(state) = app.tree.current() {
        let title = words::shelf(&state.shelf);
        part(
            0,
            TITLE_CELLS,
            vec![Span::styled(title, theme.style(Role::Strong))],
        );
        if app.demo {
            part(
                3,
                whole,
                vec![Span::styled("demo", theme.style(Role::Note))],
            );
        }
        if let Some(count) = state.count() {
            let count = words::counted(count, "memory", "memories");
            part(6, whole, vec![Span::raw(count)]);
        }
        let index = state.contents.as_ref().and_then(|it| it.index.as_ref());
        // That memory is off is among the store's notices.
        if let Some(index) = index.filter(|index| index.off.is_none()) {
            let (lines, units) = (index.loaded.lines, index.loaded.units);
            let units_word = format!("{}/{} u", grouped(units), grouped(INDEX_UNITS));
            let lines_word = format!("{}/{INDEX_LINES} lines", grouped(lines));
            let reading = |number, most, word| {
                let rank = if number > most { 0 } else { 5 };
                (
                    rank,
                    Span::styled(word, theme.style(meter::role(number, most))),
                )
            };
            let (rank, word) = reading(units, INDEX_UNITS, units_word);
            part(rank, whole, vec![Span::styled("index ", dim), word]);
            let (rank, word) = reading(lines, INDEX_LINES, lines_word);
            part(rank, whole, vec![word]);
        }
    }
    let folder = app.tree.current().map(|state| &state.shelf.folder);
    let edited = app.editor.as_ref().zip(folder);
    let difference = edited.and_then(|(_, folder)| app.preview.of(folder)?.difference);
    if let Some(difference) = difference {
        let (before, after) = difference.as_read.unwrap_or(difference.tokens);
        let (sign, by) = match after >= before {
            true => ("+", after - before),
            false => ("−", before - after),
        };
        let when = if difference.as_read.is_some() {
            " when read"
        } else {
            ""
        };
        // Of the whole request, which has more parts than can be counted.
        let about = match difference.as_read {
            Some(_) => "≈",
            None => "≥",
        };
        let said = format!("{about} {} t ({sign}{}){when}", grouped(after), grouped(by));
        part(4, whole, vec![Span::styled(said, theme.style(Role::Note))]);
    }
    if let Some(working) = app.working {
        let sign = match app.look.motion {
            true => SIGN[working.beats % SIGN.len()],
            false => "…",
        };
        let passed = match working.seconds {
            0 => String::new(),
            seconds => format!(" {seconds} s"),
        };
        let said = format!("{sign} working{passed}");
        part(1, whole, vec![Span::styled(said, theme.style(Role::Note))]);
    }
    if !app.mouse {
        part(7, whole, vec![Span::styled("mouse off", dim)]);
    }
    for notice in &app.store_notices {
        let said = format!("▲ {}", display::line(notice));
        part(
            0,
            NOTICE_CELLS,
            vec![Span::styled(said, theme.style(Role::Warning))],
        );
    }
    parts
}
