//! One file as lines: its state, its fields and what is wrong with them, then the body rendered, or
//! the whole file as it is with its line numbers.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::follow::LinksHere;
use crate::app::painted::Painted;
use crate::app::reading::Shown;
use crate::base::front_matter::Field;
use crate::base::time::{Moment, grouped};
use crate::base::{display, text};
use crate::memory::file::{Page, State};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::rule::RuleHead;
use crate::tui::view::words;
use crate::tui::widget::{line, markdown};

/// Of a longer text only so many bytes are laid out: a frame must not wait for a file of megabytes.
const MOST_BYTES: usize = 256 * 1024;
/// Widest column of field names.
const KEY_CELLS: usize = 24;

/// The lines of a file at a width.
#[must_use]
pub fn lines(
    shown: &Shown,
    raw: bool,
    painted: Option<&Painted>,
    (links, rule, below_cut): (&LinksHere, Option<&RuleHead>, Option<usize>),
    now: Moment,
    cells: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let page = match &shown.page {
        Ok(page) => page,
        Err(_) if rule.is_some_and(RuleHead::is_missing) => {
            let mut lines = Vec::new();
            if let Some(rule) = rule {
                rule.push(cells, theme, &mut lines);
            }
            return lines;
        }
        Err(said) => {
            let said = format!("✗ {}", display::line(said));
            let runs = vec![(said, theme.style(Role::Error))];
            return line::wrap(&runs, cells)
                .into_iter()
                .map(Line::from)
                .collect();
        }
    };
    let mut lines = head(shown, page, below_cut, now, cells, theme);
    if let Some(rule) = rule {
        rule.push(cells, theme, &mut lines);
    }
    if raw {
        lines.push(Line::default());
        let (text, rest) = start(&page.text);
        push_raw(text, cells, theme, &mut lines);
        push_rest(rest, theme, &mut lines);
        return lines;
    }
    push_fields(page, cells, theme, &mut lines);
    push_links(links, cells, theme, &mut lines);
    lines.push(Line::styled("─".repeat(cells), theme.style(Role::Dim)));
    let body = page.text.get(page.front.body..).unwrap_or_default();
    let (body, rest) = start(body);
    if body.trim().is_empty() {
        lines.push(Line::styled("the body is empty", theme.style(Role::Dim)));
    }
    lines.extend(markdown::render(body, painted, cells, theme));
    push_rest(rest, theme, &mut lines);
    lines
}

/// The part that is laid out and the number of bytes that are not.
fn start(text: &str) -> (&str, usize) {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], text.len() - end)
}

fn push_rest(rest: usize, theme: Theme, lines: &mut Vec<Line<'static>>) {
    if rest > 0 {
        let said = format!("▲ {} bytes more are not shown", grouped(rest));
        lines.push(Line::styled(said, theme.style(Role::Warning)));
    }
}

fn head(
    shown: &Shown,
    page: &Page,
    below_cut: Option<usize>,
    now: Moment,
    cells: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let dim = theme.style(Role::Dim);
    let mut runs = Vec::new();
    if let Some(entry) = &shown.entry {
        let state = words::state(entry.state, theme);
        let below = below_cut.map(words::below_cut);
        // That it is well would say the opposite.
        if below.is_none() || entry.state != State::Ok {
            runs.push((state.content.into_owned(), state.style));
            runs.push((" · ".to_string(), dim));
        }
        if let Some(said) = below {
            runs.push((said, theme.style(Role::Warning)));
            runs.push((" · ".to_string(), dim));
        }
    }
    let size = usize::try_from(page.bytes).unwrap_or(usize::MAX);
    let facts = format!("{} old · {} bytes", page.modified.age(now), grouped(size));
    runs.push((facts.replace("now old", "just written"), dim));
    let mut lines: Vec<_> = line::wrap(&runs, cells)
        .into_iter()
        .map(Line::from)
        .collect();
    let path = page.path.to_string_lossy();
    let path = text::cut_middle(&display::line(&path), cells).into_owned();
    lines.push(Line::styled(path, dim));
    if page.lossy {
        lines.push(Line::styled(
            "✗ not UTF-8: � stands for each byte that is no text",
            theme.style(Role::Error),
        ));
    }
    lines
}

fn push_fields(page: &Page, cells: usize, theme: Theme, lines: &mut Vec<Line<'static>>) {
    if !page.front.fields.is_empty() || !page.front.faults.is_empty() {
        lines.push(Line::default());
    }
    let most = KEY_CELLS.min(cells / 3);
    let widest = |label: fn(&Field<'_>) -> String| {
        let labels = page.front.fields.iter().map(label);
        labels.map(|label| text::width(&label)).max().unwrap_or(0)
    };
    // Where they would be cut, the keys alone say more than their beginnings.
    let label = if widest(label) > most {
        short_label
    } else {
        label
    };
    let key_cells = widest(label).min(most);
    for field in &page.front.fields {
        push_field(field, &label(field), key_cells, cells, theme, lines);
    }
    for fault in &page.front.faults {
        let said = format!("▲ {}", display::line(&fault.sentence()));
        let runs = vec![(said, theme.style(Role::Warning))];
        lines.extend(line::wrap(&runs, cells).into_iter().map(Line::from));
    }
}

/// What the memory links to and is linked from, in the columns of the fields.
fn push_links(links: &LinksHere, cells: usize, theme: Theme, lines: &mut Vec<Line<'static>>) {
    for (mark, said, files) in [
        ("→", "links to", &links.to),
        ("←", "linked from", &links.from),
    ] {
        if files.is_empty() {
            continue;
        }
        let mut runs = Vec::new();
        for (at, file) in files.iter().enumerate() {
            if at > 0 {
                runs.push((" · ".to_string(), theme.style(Role::Dim)));
            }
            let name = file.strip_suffix(".md").unwrap_or(file);
            let name = display::line(name).into_owned();
            runs.push((name, theme.style(Role::Link)));
        }
        let head = format!("{mark} {said:<11}  ");
        let head_cells = text::width(&head);
        let rows = line::wrap(&runs, cells.saturating_sub(head_cells));
        for (at, row) in rows.into_iter().enumerate() {
            let head = if at == 0 {
                head.clone()
            } else {
                " ".repeat(head_cells)
            };
            let mut spans = vec![Span::styled(head, theme.style(Role::Dim))];
            spans.extend(row);
            lines.push(Line::from(spans));
        }
    }
}

fn label(field: &Field<'_>) -> String {
    match &field.under {
        Some(under) => display::line(&format!("{under}.{}", field.key)).into_owned(),
        None => display::line(&field.key).into_owned(),
    }
}

fn short_label(field: &Field<'_>) -> String {
    display::line(&field.key).into_owned()
}

fn push_field(
    field: &Field<'_>,
    label: &str,
    key_cells: usize,
    cells: usize,
    theme: Theme,
    lines: &mut Vec<Line<'static>>,
) {
    let value = display::line(&display::untab(&field.value)).into_owned();
    let (value, style) = match &*field.key {
        "type" => (format!("‹{value}›"), type_style(&field.value, theme)),
        "name" => (value, theme.style(Role::Strong)),
        _ => (value, theme.verbatim(theme.style(Role::Text))),
    };
    let room = cells.saturating_sub(key_cells + 2);
    for (at, row) in line::wrap(&[(value, style)], room).into_iter().enumerate() {
        let key = if at == 0 { label } else { "" };
        let key = format!(
            "{}  ",
            text::fit(&text::cut_middle(key, key_cells), key_cells)
        );
        let mut spans = vec![Span::styled(key, theme.style(Role::Dim))];
        spans.extend(row);
        lines.push(Line::from(spans));
    }
}

fn type_style(written: &str, theme: Theme) -> ratatui::style::Style {
    theme.style(match written {
        "user" => Role::TypeUser,
        "feedback" => Role::TypeFeedback,
        "project" => Role::TypeProject,
        "reference" => Role::TypeReference,
        _ => Role::Warning,
    })
}

fn push_raw(source: &str, cells: usize, theme: Theme, lines: &mut Vec<Line<'static>>) {
    let count = source.lines().count();
    let digits = count.to_string().len().max(2);
    let room = cells.saturating_sub(digits + 2);
    for (at, raw) in source.lines().enumerate() {
        let safe = display::line(raw);
        for (row, range) in text::wrap(&safe, room).into_iter().enumerate() {
            let number = if row == 0 {
                format!("{:>digits$}  ", at + 1)
            } else {
                " ".repeat(digits + 2)
            };
            lines.push(Line::from(vec![
                Span::styled(number, theme.style(Role::Dim)),
                Span::styled(safe[range].to_string(), theme.verbatim(Style::new())),
            ]));
        }
    }
}
