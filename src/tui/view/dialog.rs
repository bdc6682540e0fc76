//! What asks a person something: a change as a diff, a line to type, a choice, a conflict hunk by hunk.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::Action;
use crate::app::conflict::{Merge, MergeLine, Side};
use crate::app::dialog::{Choice, PastChange, Prompt, Review, Task};
use crate::app::diff_text::DiffText;
use crate::app::list::List;
use crate::app::look::Themes;
use crate::app::overlay::Overlay;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::view::popup::{INPUT_ROWS, Popup};
use crate::tui::widget::line;
use crate::tui::widget::pane::Scroll;

const WIDEST: u16 = 110;
/// Cells before the lines of a side in a conflict.
const MERGE_INDENT: usize = 3;
/// A choice of a few short answers.
const NARROW: u16 = 72;

/// The box of a question; `None` for what has its own.
#[must_use]
pub fn place(overlay: &Overlay, screen: Rect) -> Option<Popup> {
    let cells = |widest| usize::from(Popup::width(screen, widest).saturating_sub(4));
    let rows = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    match overlay {
        Overlay::Help(_)
        | Overlay::Palette(_)
        | Overlay::Finder(_)
        | Overlay::Projects(_)
        | Overlay::Filter(_) => None,
        Overlay::Review(review) => {
            let head = rows(warnings(&review.warnings, cells(WIDEST)).len());
            Some(Popup::place(screen, head, review.diff.length(), WIDEST, 2))
        }
        Overlay::Past(past) => Some(Popup::place(screen, 0, past.diff.length(), WIDEST, 2)),
        Overlay::Prompt(prompt) => {
            let said = prompt.said.as_slice();
            let said = warnings(said, cells(WIDEST)).len();
            Some(Popup::place(screen, INPUT_ROWS, said.max(1), WIDEST, 0))
        }
        Overlay::Choice(choice) => {
            let head = rows(sentences(&choice.lines, cells(NARROW)).len() + 1);
            Some(Popup::place(screen, head, choice.answers.len(), NARROW, 0))
        }
        Overlay::Themes(themes) => Some(Popup::place(screen, 0, themes.names.len(), 44, 2)),
        Overlay::Merge(merge) => Some(Popup::place(screen, 0, merge.length(), WIDEST, 2)),
    }
}

/// Draws a question over the screen; gives back where the text cursor stands, if there is one.
pub fn draw(
    app: &App,
    overlay: &Overlay,
    screen: Rect,
    buffer: &mut Buffer,
    theme: Theme,
) -> Option<(u16, u16)> {
    let popup = place(overlay, screen)?;
    match overlay {
        Overlay::Help(_)
        | Overlay::Palette(_)
        | Overlay::Finder(_)
        | Overlay::Projects(_)
        | Overlay::Filter(_) => {}
        Overlay::Review(review) => draw_review(app, review, popup, buffer, theme),
        Overlay::Past(past) => draw_past(app, past, popup, buffer, theme),
        Overlay::Prompt(prompt) => return Some(draw_prompt(app, prompt, popup, buffer, theme)),
        Overlay::Choice(choice) => draw_choice(choice, popup, buffer, theme),
        Overlay::Themes(themes) => draw_themes(app, themes, popup, buffer, theme),
        Overlay::Merge(merge) => draw_merge(app, merge, popup, buffer, theme),
    }
    None
}

fn sentences(said: &[String], cells: usize) -> Vec<String> {
    said.iter()
        .flat_map(|said| {
            let safe = display::line(said).into_owned();
            text::wrap(&safe, cells)
                .into_iter()
                .map(|range| safe[range].to_string())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// What a person must know first, with its mark: each sentence wrapped, its further rows indented.
fn warnings(said: &[String], cells: usize) -> Vec<String> {
    said.iter()
        .flat_map(|said| {
            let rows = sentences(std::slice::from_ref(said), cells.saturating_sub(2));
            let marked = rows.into_iter().enumerate().map(|(at, row)| match at {
                0 => format!("▲ {row}"),
                _ => format!("  {row}"),
            });
            marked.collect::<Vec<_>>()
        })
        .collect()
}

fn draw_review(app: &App, review: &Review, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let scroll = list::scroll(review.list, review.diff.length());
    popup.draw(&display::line(&review.title), scroll, buffer, theme);
    let cells = usize::from(popup.head.width.saturating_sub(2));
    for (row, said) in popup.head.rows().zip(warnings(&review.warnings, cells)) {
        buffer.set_stringn(row.x + 1, row.y, said, cells, theme.style(Role::Warning));
    }
    draw_diff(&review.diff, review.list, popup, buffer, theme);
    let (yes, no) = (app.key(Action::Confirm), app.key(Action::Back));
    let word = match &review.task {
        Task::Carry(wishes) => app.word_for(wishes),
        Task::Apply(_) | Task::SaveCard => None,
    };
    let said = match word {
        Some(word) => {
            format!("memories go too: {yes}, then type {word} to do it · {no} leaves all as it is")
        }
        None => format!("{yes} does it · {no} leaves all as it is"),
    };
    draw_note(&said, popup.note, buffer, theme);
}

fn draw_past(app: &App, past: &PastChange, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let scroll = list::scroll(past.list, past.diff.length());
    popup.draw(&display::line(&past.title), scroll, buffer, theme);
    draw_diff(&past.diff, past.list, popup, buffer, theme);
    let (back, undo) = (app.key(Action::Back), app.key(Action::UndoThis));
    let said = match (&past.key, past.undone) {
        (None, _) => format!("{back} closes"),
        (Some(_), true) => format!("it is taken back already · {back} closes"),
        (Some(_), false) => format!("{undo} takes it back · {back} closes"),
    };
    draw_note(&said, popup.note, buffer, theme);
}

/// The rows of a diff that are in view.
fn draw_diff(diff: &DiffText, of: List, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let cells = usize::from(popup.rows.width.saturating_sub(2));
    let shown = diff.rows().iter().skip(of.offset);
    for (row, shown) in popup.rows.rows().zip(shown) {
        let style = theme.verbatim(theme.style(diff_role(&diff.lines()[shown.line])));
        buffer.set_stringn(row.x + 1, row.y, &shown.text, cells, style);
    }
}

/// Wraps the diff that a question shows to the width of its box.
pub fn fit(overlay: &mut Overlay, screen: Rect) {
    let cells = usize::from(Popup::width(screen, WIDEST).saturating_sub(4));
    match overlay {
        Overlay::Review(review) => review.diff.fit(cells, &mut review.list),
        Overlay::Past(past) => past.diff.fit(cells, &mut past.list),
        Overlay::Merge(merge) => merge.fit(cells.saturating_sub(MERGE_INDENT)),
        Overlay::Help(_)
        | Overlay::Palette(_)
        | Overlay::Finder(_)
        | Overlay::Projects(_)
        | Overlay::Filter(_)
        | Overlay::Prompt(_)
        | Overlay::Choice(_)
        | Overlay::Themes(_) => {}
    }
}

fn diff_role(raw: &str) -> Role {
    match raw.as_bytes() {
        [b'+', ..] => Role::Added,
        [b'-', ..] => Role::Removed,
        [b'@', ..] => Role::Dim,
        [b' ', ..] | [] => Role::Text,
        _ => Role::Strong,
    }
}

fn draw_note(said: &str, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let width = usize::from(area.width);
    let mut rows = area.rows();
    let dim = theme.style(Role::Dim);
    if let Some(rule) = rows.next() {
        buffer.set_stringn(rule.x, rule.y, "─".repeat(width), width, dim);
    }
    if let Some(row) = rows.next() {
        let room = width.saturating_sub(2);
        let said = text::cut_end(said, room);
        buffer.set_stringn(row.x + 1, row.y, said, room, dim);
    }
}

fn draw_prompt(
    app: &App,
    prompt: &Prompt,
    popup: Popup,
    buffer: &mut Buffer,
    theme: Theme,
) -> (u16, u16) {
    let scroll = Scroll {
        offset: 0,
        length: 0,
    };
    let title = display::line(&prompt.title);
    let cursor = popup.draw_typed(&title, scroll, &prompt.field, prompt.hint, buffer, theme);
    let room = usize::from(popup.rows.width.saturating_sub(2));
    if let Some(said) = &prompt.said {
        let warning = theme.style(Role::Warning);
        let said = warnings(std::slice::from_ref(said), room);
        for (row, said) in popup.rows.rows().zip(said) {
            buffer.set_stringn(row.x + 1, row.y, said, room, warning);
        }
        return cursor;
    }
    let said = app.what_if(prompt);
    let (yes, no) = (app.key(Action::Confirm), app.key(Action::Back));
    // While nothing is typed the hint stands where that will be.
    let hint = match prompt.field.text().is_empty() || prompt.hint.is_empty() {
        true => String::new(),
        false => format!("{} · ", prompt.hint),
    };
    let said = said.unwrap_or_else(|| format!("{hint}{yes} does it · {no} leaves it"));
    let said = text::cut_end(&said, room);
    buffer.set_stringn(
        popup.rows.x + 1,
        popup.rows.y,
        said,
        room,
        theme.style(Role::Dim),
    );
    cursor
}

fn draw_choice(choice: &Choice, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let scroll = list::scroll(choice.list, choice.answers.len());
    popup.draw(&display::line(&choice.title), scroll, buffer, theme);
    let cells = usize::from(popup.head.width.saturating_sub(2));
    for (row, said) in popup.head.rows().zip(sentences(&choice.lines, cells)) {
        buffer.set_stringn(row.x + 1, row.y, said, cells, theme.style(Role::Text));
    }
    draw_rows(
        choice.list,
        choice.answers.len(),
        popup,
        buffer,
        theme,
        |at, cells| {
            let label = Span::raw(display::line(&choice.answers[at].0).into_owned());
            line::row(vec![label], Vec::new(), cells)
        },
    );
}

fn draw_themes(app: &App, themes: &Themes, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let length = themes.names.len();
    let scroll = list::scroll(themes.list, length);
    popup.draw("theme", scroll, buffer, theme);
    draw_rows(themes.list, length, popup, buffer, theme, |at, cells| {
        let name = &themes.names[at];
        let mark = if *name == themes.kept { "✓ " } else { "  " };
        let left = vec![
            Span::styled(mark, theme.style(Role::Ok)),
            Span::raw(display::line(name).into_owned()),
        ];
        line::row(left, Vec::new(), cells)
    });
    let (yes, no) = (app.key(Action::Confirm), app.key(Action::Back));
    let said = format!("{yes} keeps it · {no} leaves it as it was");
    draw_note(&said, popup.note, buffer, theme);
}

fn draw_rows(
    of: List,
    length: usize,
    popup: Popup,
    buffer: &mut Buffer,
    theme: Theme,
    row: impl Fn(usize, usize) -> Line<'static>,
) {
    list::draw(of, length, true, popup.rows, buffer, theme, row);
}

fn draw_merge(app: &App, merge: &Merge, popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let scroll = list::scroll(merge.list, merge.length());
    let name = display::line(&merge.at.file).into_owned();
    let title = format!("{name} was changed by somebody else in the same lines");
    popup.draw(&title, scroll, buffer, theme);
    let length = merge.length();
    draw_rows(merge.list, length, popup, buffer, theme, |at, _| {
        let (said, style) = merge_row(app, merge, at, theme);
        Line::styled(said, style)
    });
    let in_view = (merge.list.offset..length).zip(popup.rows.rows());
    for (at, area) in in_view {
        let hunk = merge.row(at).and_then(|(_, line)| line.hunk());
        if hunk.is_some() && hunk == merge.chosen() {
            buffer.set_stringn(area.x, area.y, "▌", 1, theme.style(Role::Accent));
        }
    }
    let left = merge.sides.iter().filter(|side| side.is_none()).count();
    let back = app.key(Action::Back);
    let said = if left == 0 {
        let yes = app.key(Action::Confirm);
        format!("{yes} saves what is marked ✓ · {back} goes back to the edit")
    } else {
        let (mine, theirs) = (app.key(Action::TakeMine), app.key(Action::TakeTheirs));
        let (both, before) = (app.key(Action::TakeBoth), app.key(Action::TakeBase));
        format!(
            "{mine} mine · {theirs} theirs · {both} both · {before} before · {left} to choose · {back} goes back"
        )
    };
    draw_note(&said, popup.note, buffer, theme);
}

/// A row of a conflict: what both agree on, whose lines come next and whether they are taken, or one
/// of them.
fn merge_row(app: &App, merge: &Merge, at: usize, theme: Theme) -> (String, Style) {
    let Some((text, line)) = merge.row(at) else {
        return (String::new(), Style::new());
    };
    let (hunk, side) = match line {
        MergeLine::Agreed => return (text.to_string(), theme.style(Role::Dim)),
        MergeLine::Head { hunk, side } | MergeLine::Line { hunk, side } => (hunk, side),
    };
    let (name, action, role) = match side {
        Side::Theirs => ("theirs", Action::TakeTheirs, Role::Removed),
        Side::Base => ("before", Action::TakeBase, Role::Dim),
        Side::Mine | Side::Both => ("mine", Action::TakeMine, Role::Added),
    };
    if matches!(line, MergeLine::Line { .. }) {
        return (
            format!("{:MERGE_INDENT$}{text}", ""),
            theme.verbatim(theme.style(role)),
        );
    }
    let chosen = merge.sides[hunk];
    let both = chosen == Some(Side::Both) && side != Side::Base;
    let mark = if both || chosen == Some(side) {
        "✓"
    } else {
        " "
    };
    let key = app.key(action);
    (format!("{mark} {name} ({key})"), theme.style(Role::Strong))
}
