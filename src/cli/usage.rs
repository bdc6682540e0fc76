//! `usage`: what all sessions of the store cost, by day, project, session and model. A transcript that
//! can't be read is named, and the rest is counted.

use std::io;

use serde::Serialize;

use crate::base::time::grouped;
use crate::base::{display, text};
use crate::cli::day_args::DayRange;
use crate::cli::failure::Stop;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::{usage_table, words};
use crate::config::prices::Prices;
use crate::transcript::days::Days;
use crate::transcript::digests::Digests;
use crate::transcript::usage::{Sum, Totals};

pub fn run(opened: &Opened, range: &DayRange, json: bool, output: &mut Output) -> Result<(), Stop> {
    let days = range.days()?;
    let digests = opened.digests_or_refuse(None)?;
    let prices = &opened.config.settings.prices;
    let totals = Totals::within(&digests, prices, &days);
    tracing::info!(read = digests.read, "transcripts read");
    match json {
        true => output.json(&UsageShape::new(&totals, &digests, &days))?,
        false => lines(&totals, &digests, &days, prices, output)?,
    }
    Ok(())
}

/// Tokens and messages. `cache_hit` and `cache_hit_of_all`: see [`Sum::cache_shares`]. `cost` is in USD, and
/// nothing where the price of a message is not known; `known_cost` is that of those whose price is, and
/// `unpriced` the number of the others.
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
    known_cost: f64,
    unpriced: u64,
}

impl SumShape {
    fn of(sum: &Sum) -> Self {
        let usage = &sum.usage;
        let shares = sum.cache_shares();
        let (known_cost, unpriced) = sum.known_dollars();
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
            known_cost,
            unpriced,
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
fn lines(
    totals: &Totals,
    digests: &Digests,
    days: &Days,
    prices: &Prices,
    output: &mut Output,
) -> io::Result<()> {
    let range = days.words();
    if totals.all.messages == 0 {
        let when = range.map_or(String::new(), |words| format!(" {words}"));
        let said = format!("no transcript of this store says what a message used{when}");
        return output.line(&said);
    }
    usage_table::lines(totals, output)?;
    let gone = match totals.gone {
        0 => String::new(),
        files => format!(" and {} that are gone", grouped(files)),
    };
    let of = match range {
        None => {
            let many = words::counted(digests.all.len(), "transcript", "transcripts");
            format!("of {many}{gone}")
        }
        Some(words) => {
            let sessions = words::counted(totals.by_session.len(), "session", "sessions");
            format!("{words}, of {sessions}")
        }
    };
    let of = format!("{of}; hits: read from the cache, of that and what was sent anew or written");
    prose(output, Style::Dim, &of)?;
    if let Some(line) = unpriced(totals, prices) {
        prose(output, Style::Dim, &line)?;
    }
    if totals.unread > 0 {
        let many = usize::try_from(totals.unread).unwrap_or(usize::MAX);
        let many = words::counted(many, "message says", "messages say");
        let line = format!(
            "{many} what was used in a way that can't be read whole: what can be is counted"
        );
        prose(output, Style::Warning, &line)?;
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
    prose(output, Style::Dim, &since)
}

/// Models that are named at most.
const NAMED: usize = 5;

/// The models of which no price is known, and where one is set.
fn unpriced(totals: &Totals, prices: &Prices) -> Option<String> {
    let models = totals.by_model.keys();
    let models: Vec<&str> = models
        .map(String::as_str)
        .filter(|model| prices.of(model).is_none())
        .collect();
    let named: Vec<String> = models
        .iter()
        .take(NAMED)
        .map(|model| shown(model))
        .collect();
    let more = match models.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    let names = named.join(", ");
    (!models.is_empty()).then(|| format!("no price for {names}{more}: set it in [prices]"))
}

/// A sentence, on several lines where the terminal is narrow.
fn prose(output: &mut Output, style: Style, text: &str) -> io::Result<()> {
    let colour = output.look.colour;
    for range in text::wrap(text, output.look.cells.unwrap_or(usize::MAX)) {
        output.line(&colour.paint(style, &text[range]))?;
    }
    Ok(())
}

/// A name in a cell.
pub fn shown(name: &str) -> String {
    match name {
        "" => "–".to_string(),
        name => display::line(name).into_owned(),
    }
}
