//! What may stand where something is typed to the agent: a short list above the question.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use crate::app::App;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::widget::line;

/// Cells of the first column at most, where what stands behind it has room too.
const FIRST: usize = 28;

/// Draws it over the end of what was said, if anything is offered.
pub fn draw(app: &App, buffer: &mut Buffer, theme: Theme) {
    let Some(completing) = app.agent.completing() else {
        return;
    };
    let area = app.choices_area();
    let area = Rect::new(area.x, area.y, area.width, area.height);
    Clear.render(area, buffer);
    buffer.set_style(area, theme.style(Role::Text));
    let choices = &completing.choices;
    if let Some(said) = completing.said.as_ref().filter(|_| choices.is_empty()) {
        let said = text::cut_end(&display::line(said), usize::from(area.width)).into_owned();
        buffer.set_string(area.x, area.y, said, theme.style(Role::Warning));
        return;
    }
    let widest = choices.iter().map(|one| text::width(&one.text)).max();
    let first = widest.unwrap_or(0).min(FIRST);
    list::draw(
        completing.list,
        choices.len(),
        true,
        area,
        buffer,
        theme,
        |at, cells| {
            let one = &choices[at];
            let head = display::line(&one.text);
            let head = match one.about.is_empty() {
                true => text::cut_middle(&head, cells).into_owned(),
                false => text::fit(&text::cut_middle(&head, first), first),
            };
            let about = display::line(&one.about).into_owned();
            let spans = vec![
                Span::styled(head, theme.style(Role::Text)),
                Span::styled(format!("  {about}"), theme.style(Role::Dim)),
            ];
            Line::from(line::cut(spans, cells))
        },
    );
}
