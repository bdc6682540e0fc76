//! `usage`: what all sessions of the store cost, by day, project, session and model. A transcript that
//! can't be read is named, and the rest is counted.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::base::time::grouped;
use crate::base::{display, text};
use crate::cli::day_args::DayRange;
use crate::cli::failure::Stop;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::transcript::days::Days;
use crate::transcript::digests::Digests;
use crate::transcript::usage::{Sum, Totals};

pub fn run(opened: &Opened, range: &DayRange, json: bool, output: &mut Output) -> Result<(), Stop> {
    let days = range.days()?;
    let digests = opened.digests_or_refuse(None)?;
    let totals = Totals::within(&digests, &opened.config.settings.prices, &days);
    tracing::info!(read = digests.read, "transcripts read");
    match json {
        true => output.json(&UsageShape::new(&totals, &digests, &days))?,
        false => lines(&totals, &digests, &days, output)?,
    }
    Ok(())
}

/// Tokens and messages. `cache_hit` and `cache_hit_of_all`: see [`Sum::cache_shares`]. `cost` is in USD, and
/// nothing where the price of a message is not known.
#[derive(Serialize)]
struct SumShape {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
    cache_creation_5m: u64,
    cache_creation_1h: u64,
    messages: u64,
    cache_hit: Option<f64>,
    cache_hit_of_all: Option<f64>,
    cost: Option<f64>,
}

impl SumShape {
    fn of(sum: &Sum) -> Self {
        let usage = &sum.usage;
        let shares = sum.cache_shares();
        Self {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_creation: usage.cache_creation,
            cache_creation_5m: sum.cache_creation_5m(),
            cache_creation_1h: usage.cache_creation_1h,
            messages: sum.messages,
            cache_hit: shares.map(|(hit, _)| hit),
            cache_hit_of_all: shares.map(|(_, hit)| hit),
            cost: sum.dollars(),
        }
    }
}

#[derive(Serialize)]
struct RowShape<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(flatten)]
    sum: SumShape,
}

impl RowShape<'_> {
    fn of(sum: &Sum) -> Self {
        Self {
            day: None,
            session: None,
            project: None,
            model: None,
            sum: SumShape::of(sum),
        }
    }
}

#[derive(Serialize)]
struct UsageShape<'a> {
    /// The first day (UTC) of which all is known: older transcripts may have been cleaned up unseen. Nothing
    /// where something could not be read.
    complete_since: Option<&'a str>,
    /// Folders and transcripts that could not be read.
    not_counted: usize,
    /// Messages that say what they used in a way that can't be read whole, of all days.
    unreadable_usage: u64,
    /// The days (UTC) that were asked for; nothing where no end was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'a str>,
    totals: SumShape,
    by_day: Vec<RowShape<'a>>,
    by_project: Vec<RowShape<'a>>,
    by_session: Vec<RowShape<'a>>,
    by_model: Vec<RowShape<'a>>,
}

impl<'a> UsageShape<'a> {
    fn new(totals: &'a Totals, digests: &'a Digests, days: &'a Days) -> Self {
        let day = |(day, sum): (&'a String, &Sum)| RowShape {
            day: Some(day),
            ..RowShape::of(sum)
        };
        let project = |(project, sum): (&'a String, &Sum)| RowShape {
            project: Some(project),
            ..RowShape::of(sum)
        };
        let model = |(model, sum): (&'a String, &Sum)| RowShape {
            model: Some(model),
            ..RowShape::of(sum)
        };
        let session = |((project, session), sum): (&'a (String, String), &Sum)| RowShape {
            project: Some(project),
            session: Some(session),
            ..RowShape::of(sum)
        };
        Self {
            complete_since: digests.complete_since(),
            not_counted: digests.faults.len(),
            unreadable_usage: totals.unread,
            since: days.since.as_deref(),
            until: days.until.as_deref(),
            totals: SumShape::of(&totals.all),
            by_day: totals.by_day.iter().map(day).collect(),
            by_project: totals.by_project.iter().map(project).collect(),
            by_session: totals.by_session.iter().map(session).collect(),
            by_model: totals.by_model.iter().map(model).collect(),
        }
    }
}

/// Sums by day and by model; scripts get the rest too.
fn lines(totals: &Totals, digests: &Digests, days: &Days, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let range = days.words();
    if totals.all.messages == 0 {
        let when = range.map_or(String::new(), |words| format!(" {words}"));
        let said = format!("no transcript of this store says what a message used{when}");
        return output.line(&said);
    }
    for (title, sums) in [("day (UTC)", &totals.by_day), ("model", &totals.by_model)] {
        for (at, line) in table(title, sums, &totals.all, output.look.cells)
            .iter()
            .enumerate()
        {
            let is_sum = at == 0 || at == sums.len() + 1;
            let style = if is_sum { Style::Bold } else { Style::Text };
            output.line(&colour.paint(style, line))?;
        }
        output.line("")?;
    }
    if let Some(said) = unpriced(totals) {
        output.line(&colour.paint(Style::Dim, &said))?;
    }
    let gone = match totals.gone {
        0 => String::new(),
        files => format!(" and {} that are gone", grouped(files)),
    };
    let of = match range {
        None => format!("of {} transcripts{gone}", grouped(digests.all.len())),
        Some(words) => {
            let sessions = words::counted(totals.by_session.len(), "session", "sessions");
            format!("{words}, of {sessions}")
        }
    };
    let of = format!("{of}; hits: read from the cache, of that and what was sent anew or written");
    output.line(&colour.paint(Style::Dim, &of))?;
    if totals.unread > 0 {
        let many = usize::try_from(totals.unread).unwrap_or(usize::MAX);
        let many = words::counted(many, "message says", "messages say");
        let line = format!(
            "{many} what was used in a way that can't be read whole: what can be is counted"
        );
        output.line(&colour.paint(Style::Warning, &line))?;
    }
    let since = match digests.complete_since() {
        Some(since) => format!(
            "complete since {since} (UTC): what is older may have been cleaned up before it was counted"
        ),
        None => {
            let (many, were) = (digests.faults.len(), "could not be read and is not counted");
            let many = words::counted(many, "folder or transcript", "folders or transcripts");
            format!("not complete: {many} {were}")
        }
    };
    output.line(&colour.paint(Style::Dim, &since))
}

/// Cells of a name at most: a longer one is cut.
const MOST_CELLS: usize = 40;

fn shown(name: &str) -> String {
    match name {
        "" => "–".to_string(),
        name => display::line(name).into_owned(),
    }
}

/// A table with its head and its sum, as wide as what it holds; with fewer columns where the terminal has no
/// room for all.
fn table(
    title: &str,
    sums: &BTreeMap<String, Sum>,
    all: &Sum,
    cells: Option<usize>,
) -> Vec<String> {
    let of = |columns: &[Column]| {
        let heads = columns.iter().map(|column| column.head().to_string());
        let mut rows = vec![(title.to_string(), heads.collect::<Vec<_>>())];
        let named = sums.iter().map(|(name, sum)| (shown(name), sum));
        for (name, sum) in named.chain([("all".to_string(), all)]) {
            let name = text::cut_middle(&name, MOST_CELLS).into_owned();
            rows.push((name, columns.iter().map(|column| column.of(sum)).collect()));
        }
        aligned(&rows)
    };
    let whole = of(&Column::ALL);
    match cells {
        Some(cells) if whole.iter().any(|line| text::width(line) > cells) => of(&Column::FEW),
        Some(_) | None => whole,
    }
}

/// A name and its numbers.
type Row = (String, Vec<String>);

/// The names to the left, the numbers to the right, two cells between them.
fn aligned(rows: &[Row]) -> Vec<String> {
    let name = rows.iter().map(|(name, _)| text::width(name)).max();
    let columns = rows.first().map_or(0, |(_, numbers)| numbers.len());
    let mut widths = vec![0; columns];
    for (_, numbers) in rows {
        for (width, cell) in widths.iter_mut().zip(numbers) {
            *width = text::width(cell).max(*width);
        }
    }
    let line = |(said, numbers): &Row| {
        let numbers = numbers.iter().zip(&widths);
        let numbers = numbers.map(|(cell, width)| {
            let before = " ".repeat(width - text::width(cell));
            format!("  {before}{cell}")
        });
        let said = text::fit(said, name.unwrap_or(0));
        format!("{said}{}", numbers.collect::<String>())
    };
    rows.iter().map(line).collect()
}

/// A column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Input,
    Output,
    CacheRead,
    Written,
    Tokens,
    Answers,
    Hits,
    Cost,
}

impl Column {
    const ALL: [Self; 7] = [
        Self::Input,
        Self::Output,
        Self::CacheRead,
        Self::Written,
        Self::Answers,
        Self::Hits,
        Self::Cost,
    ];
    const FEW: [Self; 4] = [Self::Tokens, Self::Answers, Self::Hits, Self::Cost];

    fn head(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::CacheRead => "cache read",
            Self::Written => "written",
            Self::Tokens => "tokens",
            Self::Answers => "answers",
            Self::Hits => "hits",
            Self::Cost => "cost",
        }
    }

    fn of(self, sum: &Sum) -> String {
        let number = |number: u64| grouped(usize::try_from(number).unwrap_or(usize::MAX));
        let usage = &sum.usage;
        match self {
            Self::Input => number(usage.input),
            Self::Output => number(usage.output),
            Self::CacheRead => number(usage.cache_read),
            Self::Written => number(usage.cache_creation),
            Self::Tokens => number(sum.tokens()),
            Self::Answers => number(sum.messages),
            Self::Hits => sum.cache_shares().map_or("–".to_string(), |(_, hit)| {
                format!("{} %", display::percent(hit))
            }),
            Self::Cost => match sum.known_dollars() {
                (known, 0) => dollars(known),
                (0.0, _) => "–".to_string(),
                (known, _) => format!("≥ {}", dollars(known)),
            },
        }
    }
}

/// The models of which no price is known: their answers are not in a cost.
fn unpriced(totals: &Totals) -> Option<String> {
    let models = totals.by_model.iter();
    let models = models.filter(|(_, sum)| sum.known_dollars().1 > 0);
    let names: Vec<String> = models.map(|(name, _)| shown(name)).collect();
    let (first, rest) = names.split_first()?;
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "no price is known for {first}{more}: [prices] of the configuration sets one"
    ))
}

/// `$3,376.02`.
fn dollars(dollars: f64) -> String {
    let text = format!("{dollars:.2}");
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    match whole.parse() {
        Ok(whole) => format!("${}.{cents}", grouped(whole)),
        Err(_) => format!("${text}"),
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
