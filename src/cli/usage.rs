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
    let head = format!(
        "{:>12} {:>12} {:>15} {:>15} {:>10} {:>8} {:>11}",
        "input", "output", "cache read", "written", "messages", "hits", "cost"
    );
    for (title, sums) in [("day (UTC)", &totals.by_day), ("model", &totals.by_model)] {
        let width = width(title, sums);
        let title = format!("{}  {head}", text::fit(title, width));
        output.line(&colour.paint(Style::Bold, &title))?;
        for (name, sum) in sums {
            output.line(&row(&shown(name), width, sum))?;
        }
        output.line(&colour.paint(Style::Bold, &row("all", width, &totals.all)))?;
        output.line("")?;
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

fn width(title: &str, sums: &BTreeMap<String, Sum>) -> usize {
    let widths = sums.keys().map(|name| text::width(&shown(name)));
    let widest = widths.max().unwrap_or(0).min(MOST_CELLS);
    widest.max(text::width(title))
}

fn row(name: &str, width: usize, sum: &Sum) -> String {
    let number = |tokens: u64| grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
    let usage = &sum.usage;
    let hits = sum.cache_shares().map_or("–".to_string(), |(_, hit)| {
        format!("{} %", display::percent(hit))
    });
    let cost = sum.dollars();
    let cost = cost.map_or("–".to_string(), dollars);
    format!(
        "{}  {:>12} {:>12} {:>15} {:>15} {:>10} {hits:>8} {cost:>11}",
        text::fit(name, width),
        number(usage.input),
        number(usage.output),
        number(usage.cache_read),
        number(usage.cache_creation),
        number(sum.messages),
    )
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
