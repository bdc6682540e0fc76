//! The Usage view: the sums, the bars of the days, and the table below them.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action::Action;
use crate::app::layout::Pane;
use crate::app::usage_view::{self, Bars, By, Parts, UsageRow, UsageSort};
use crate::base::number::short;
use crate::base::time::{Moment, grouped};
use crate::base::{display, text};
use crate::transcript::usage::Sum;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{list, memory, sessions};
use crate::tui::widget::bars::{Bar, bars, largest};
use crate::tui::widget::line;

const DAY: i64 = 86_400;
/// From these widths on the table has all columns, and those that matter most.
const WIDE: usize = 72;
const MIDDLE: usize = 42;
/// Cells left of the bars, for what the highest stands for.
const SCALE: usize = 9;

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let view = &app.usage;
    let rows = view.rows();
    let scroll = list::scroll(view.list, rows.len());
    let inside = memory::frame(app, scroll, area, buffer, theme);
    if area.height > 0 && area.width > 2 {
        let dim = theme.style(Role::Dim);
        let foot = vec![Span::styled(format!(" {} ", foot(app)), dim)];
        let foot = Line::from(line::cut(foot, usize::from(area.width - 2)));
        buffer.set_line(area.x + 1, area.bottom() - 1, &foot, area.width - 2);
    }
    let cells = usize::from(inside.width.saturating_sub(list::SIDES));
    let parts = Parts::of(usize::from(inside.height));
    let mut lines = totals(app, parts.totals, cells, theme);
    lines.extend(chart(app, parts, cells, theme));
    lines.push(head(app, cells, theme));
    for (line, y) in lines.iter().zip(inside.top()..inside.bottom()) {
        buffer.set_line(inside.x + 1, y, line, inside.width.saturating_sub(2));
    }
    let above = u16::try_from(parts.above()).unwrap_or(u16::MAX);
    let above = above.min(inside.height);
    let body = Rect {
        y: inside.y + above,
        height: inside.height - above,
        ..inside
    };
    let focused = app.is_focused(Pane::Main);
    list::draw(
        view.list,
        rows.len(),
        focused,
        body,
        buffer,
        theme,
        |at, cells| row(app, &rows[at], cells, theme),
    );
    if rows.is_empty() && body.height > 0 && view.read().is_some() {
        let said = Span::styled(
            "No transcript says what a message used.",
            theme.style(Role::Dim),
        );
        buffer.set_span(body.x + 1, body.y, &said, body.width.saturating_sub(2));
    }
}

/// What the table is of, and since when it is complete.
fn foot(app: &App) -> String {
    let view = &app.usage;
    let Some(read) = view.read() else {
        return sessions::under_way(app).unwrap_or_else(|| "reading …".to_string());
    };
    let again = sessions::reading(app, Action::ShowUsage);
    let only = view.only().iter().map(|(by, name)| {
        let name = name_of(app, *by, name);
        format!("only {} · ", text::cut_middle(&name, 24))
    });
    let only: String = only.collect();
    let span = match view.span() {
        usage_view::Span::All => String::new(),
        span => format!("{} · ", span.word()),
    };
    let complete = match &read.since {
        Some(since) => format!("complete since {} (UTC)", display::line(since)),
        None => "not complete: something could not be read".to_string(),
    };
    format!("{again}{span}{only}{complete}")
}

fn totals(app: &App, lines: usize, cells: usize, theme: Theme) -> Vec<Line<'static>> {
    let (dim, strong) = (theme.style(Role::Dim), theme.style(Role::Strong));
    let sum = app.usage.all();
    let usage = &sum.usage;
    let answers = grouped(usize::try_from(sum.messages).unwrap_or(usize::MAX));
    let is_wide = cells >= WIDE;
    let mut first = vec![
        Span::styled(cost(sum), strong),
        Span::styled(" · ", dim),
        Span::styled(format!("{} tokens", short(sum.tokens())), strong),
        Span::styled(" · ", dim),
        Span::styled(format!("{answers} answers"), strong),
    ];
    if sum.messages > 0 && sum.dollars().is_none() {
        first.push(Span::styled(unpriced(app, is_wide), dim));
    }
    if app.usage.span() != usage_view::Span::All {
        // What the sums are of.
        let of = format!(" · {}", app.usage.span().word());
        first.push(Span::styled(of, dim));
    }
    let [input, output, read] = [usage.input, usage.output, usage.cache_read].map(short);
    let (minutes, hour) = (
        short(sum.cache_creation_5m()),
        short(usage.cache_creation_1h),
    );
    let second = match is_wide {
        true => format!(
            "in {input} · out {output} · cache read {read} · written: 5 min {minutes}, 1 h {hour}"
        ),
        false => {
            let written = short(usage.cache_creation);
            format!("in {input}  out {output}  read {read}  wrote {written}")
        }
    };
    let percent = |share: f64| format!("{}%", display::percent(share));
    let third = match (sum.cache_shares(), is_wide) {
        (None, _) => String::new(),
        (Some((narrow, all)), true) => format!(
            "cache hits: {} of read + in · {} of read + in + written",
            percent(narrow),
            percent(all)
        ),
        (Some((narrow, all)), false) => format!(
            "cache {} of read + in, {} of all",
            percent(narrow),
            percent(all)
        ),
    };
    let rest = [second, third].map(|said| vec![Span::styled(said, dim)]);
    let all = std::iter::once(first).chain(rest).take(lines);
    all.map(|spans| Line::from(line::cut(spans, cells)))
        .collect()
}

/// What a day has of what the bars show.
#[allow(clippy::cast_precision_loss, reason = "a bar is drawn, no sum is made")]
fn bar(sum: Option<&Sum>, of: Bars) -> Bar {
    let Some(sum) = sum else { return Bar::Gap };
    match of {
        Bars::Cost => sum.dollars().map_or(Bar::Unknown, Bar::Of),
        Bars::Tokens => Bar::Of(sum.tokens() as f64),
        Bars::Answers => Bar::Of(sum.messages as f64),
    }
}

/// The last days that fit, the scale at the left and dates below: each day as wide as all that are known
/// have room, at most three cells.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers that were counted"
)]
fn chart(app: &App, parts: Parts, cells: usize, theme: Theme) -> Vec<Line<'static>> {
    let dim = theme.style(Role::Dim);
    if parts.bars == 0 {
        return Vec::new();
    }
    let view = &app.usage;
    let room = cells.saturating_sub(SCALE);
    let today = app.now.seconds.div_euclid(DAY);
    let first = view.days().keys().next().copied().unwrap_or(today);
    let known = usize::try_from(today - first + 1).unwrap_or(1);
    let slot = (1..=3).rev().find(|slot| known * slot <= room).unwrap_or(1);
    let count = room / slot;
    let begin = today + 1 - i64::try_from(count).unwrap_or(0);
    let days = (begin..=today).map(|day| bar(view.days().get(&day), view.bars()));
    let days: Vec<Bar> = days.collect();
    let most = largest(&days);
    let most = match view.bars() {
        Bars::Cost if most > 0.0 => dollars(most),
        Bars::Cost => "–".to_string(),
        Bars::Tokens | Bars::Answers => short(most as u64),
    };
    // The cells of a day that the table was narrowed to.
    let day_of = |day: &str| Some(Moment::of_date(day)?.seconds.div_euclid(DAY));
    let chosen = view.chosen_day().and_then(day_of);
    let chosen = chosen.and_then(|day| usize::try_from(day - begin).ok());
    let chosen = chosen.map(|at| at * slot..(at + 1) * slot);
    let scale = |at: usize| match at {
        0 => most.clone(),
        at if at + 1 == parts.bars && most != "0" => "0".to_string(),
        _ => String::new(),
    };
    let drawn = bars(&days, slot, parts.bars).into_iter().enumerate();
    let mut lines: Vec<Line<'static>> = drawn
        .map(|(at, drawn)| {
            let scale = format!("{:>width$} ", scale(at), width = SCALE - 1);
            let mut line = vec![Span::styled(scale, dim)];
            line.extend(of_chosen(&drawn, chosen.clone(), theme));
            Line::from(line)
        })
        .collect();
    if parts.has_dates {
        let word = text::cut_end(view.bars().word(), SCALE - 1).into_owned();
        let dates = match (chosen, view.chosen_day()) {
            (Some(cells), Some(day)) => date_below(day, cells.start, count * slot),
            (_, _) => dates(begin, today, count * slot),
        };
        let line = format!("{:>width$} {dates}", word, width = SCALE - 1);
        lines.push(Line::from(Span::styled(line, dim)));
    }
    lines
}

/// A row of bars, where one day is chosen its cells apart from the others.
fn of_chosen(drawn: &str, chosen: Option<Range<usize>>, theme: Theme) -> Vec<Span<'static>> {
    let (bar, dim) = (theme.style(Role::Note), theme.style(Role::Dim));
    let Some(chosen) = chosen else {
        return vec![Span::styled(drawn.to_string(), bar)];
    };
    let cells: Vec<char> = drawn.chars().collect();
    let part = |range: Range<usize>| -> String {
        let range = range.start.min(cells.len())..range.end.min(cells.len());
        cells[range].iter().collect()
    };
    let after = part(chosen.end..cells.len());
    vec![
        Span::styled(part(0..chosen.start), dim),
        Span::styled(part(chosen), bar),
        Span::styled(after, dim),
    ]
}

/// The date of a day whose bar begins at `at`, with a mark below the bar.
fn date_below(day: &str, at: usize, cells: usize) -> String {
    let short = day.get(5..).unwrap_or(day);
    let width = text::width(short) + 2;
    let (before, said) = match at + width > cells {
        true => ((at + 1).saturating_sub(width), format!("{short} ▲")),
        false => (at, format!("▲ {short}")),
    };
    let after = cells.saturating_sub(before + width);
    format!("{}{said}{}", "─".repeat(before), "─".repeat(after))
}

/// The first and the last date, one between them where there is room, on a line.
fn dates(first: i64, last: i64, cells: usize) -> String {
    let date = |day: i64| Moment::from_seconds(day * DAY).date();
    let short = |day: i64| date(day).split_off(5);
    let (left, right) = (date(first), short(last));
    let middle = short(first + (last - first) / 2);
    let rest = cells.saturating_sub(left.len() + right.len());
    if rest < middle.len() + 12 {
        return format!("{left}{}{right}", "─".repeat(rest));
    }
    let before = (cells / 2).saturating_sub(left.len() + middle.len() / 2);
    let after = rest - before - middle.len();
    format!(
        "{left}{}{middle}{}{right}",
        "─".repeat(before),
        "─".repeat(after)
    )
}

fn head(app: &App, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let view = &app.usage;
    if view.read().is_none() {
        let said = "reading what the sessions cost …";
        return line::row(vec![Span::styled(said, dim)], Vec::new(), cells);
    }
    let left = match view.by() {
        By::Day => "day (UTC)",
        By::Project | By::Session | By::Model => view.by().word(),
    };
    let by = match (view.by(), view.sort()) {
        // Days stand in the order of the calendar.
        (By::Day, UsageSort::Name) => "newest",
        (_, UsageSort::Name) => "by name",
        (_, UsageSort::Cost) => "by cost",
    };
    let left = format!("{left} · {by}");
    let right = match cells {
        WIDE.. => format!(
            "{:>6} {:>6} {:>6} {:>7} {:>7} {:>6} {:>9}",
            "in", "out", "read", "written", "answers", "hits", "cost"
        ),
        MIDDLE.. => format!("{:>6} {:>7} {:>9}", "tokens", "answers", "cost"),
        _ => format!("{:>6} {:>9}", "tokens", "cost"),
    };
    line::row(
        vec![Span::styled(left, dim)],
        vec![Span::styled(right, dim)],
        cells,
    )
}

fn row(app: &App, row: &UsageRow, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let (sum, usage) = (&row.sum, &row.sum.usage);
    let (answers, tokens) = (short(sum.messages), short(sum.tokens()));
    let cost = cost(sum);
    let numbers = match cells {
        WIDE.. => {
            let hits = sum.cache_shares();
            let hits = hits.map_or("–".to_string(), |(_, all)| {
                format!("{}%", display::percent(all))
            });
            let [input, output, read, written] = [
                usage.input,
                usage.output,
                usage.cache_read,
                usage.cache_creation,
            ]
            .map(short);
            format!("{input:>6} {output:>6} {read:>6} {written:>7} {answers:>7} {hits:>6} ")
        }
        MIDDLE.. => format!("{tokens:>6} {answers:>7} "),
        _ => format!("{tokens:>6} "),
    };
    let cost = format!("{cost:>9}");
    let room = cells.saturating_sub(text::width(&numbers) + text::width(&cost) + 1);
    let name = name_of(app, app.usage.by(), &row.name);
    let name = match app.usage.by() {
        By::Project => text::cut_middle(&name, room).into_owned(),
        By::Day | By::Session | By::Model => text::cut_end(&name, room).into_owned(),
    };
    line::row(
        vec![Span::raw(name)],
        vec![Span::styled(numbers, dim), Span::raw(cost)],
        cells,
    )
}

/// What a row is called: a project by its path where that is known, a session by its title.
fn name_of(app: &App, by: By, name: &str) -> String {
    let shelf = app.tree.shelves().iter().map(|state| &state.shelf);
    let path = || {
        let mut own = shelf.filter(|shelf| shelf.key == name);
        own.find_map(|shelf| Some(display::short_path(shelf.path.as_deref()?, &app.home)))
    };
    let said = match by {
        By::Day | By::Model => name.to_string(),
        By::Session => app.usage.title(name).to_string(),
        By::Project => path().unwrap_or_else(|| name.to_string()),
    };
    match said.is_empty() {
        true => "–".to_string(),
        false => display::line(&said).into_owned(),
    }
}

/// The models of which no price is known, and where one is set.
fn unpriced(app: &App, is_wide: bool) -> String {
    let models = app.usage.unpriced();
    let first = models.first().map_or("", String::as_str);
    let first = text::cut_middle(&display::line(first), 24).into_owned();
    let more = match models.len() {
        0 | 1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    match is_wide {
        true => format!(" · no price for {first}{more}: [prices]"),
        false => " · [prices]".to_string(),
    }
}

/// What is known of a cost; `≥` where it is a part.
fn cost(sum: &Sum) -> String {
    match sum.known_dollars() {
        (known, 0) => dollars(known),
        (0.0, _) => "–".to_string(),
        (known, _) => format!("≥ {}", dollars(known)),
    }
}

/// Whole dollars, rounded.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is positive, and more dollars than that nobody has"
)]
fn whole(dollars: f64) -> usize {
    dollars.round() as usize
}

fn dollars(dollars: f64) -> String {
    match dollars {
        ..=0.0 => "$0".to_string(),
        0.0..0.005 => "< $0.01".to_string(),
        0.005..1_000.0 => format!("${dollars:.2}"),
        _ => format!("${}", grouped(whole(dollars))),
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
