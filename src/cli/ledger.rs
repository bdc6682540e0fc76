//! `ledger`: the requests that loci itself sent to models; one of them with its texts; what changed from one
//! to another. What can't be read of it is told, and the rest is listed.

use serde::Serialize;

use crate::base::fault::Faults;
use crate::base::time::{Moment, grouped};
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::config::prices::Prices;
use crate::context::ledger::{Entry, Keep, Ledger, LedgerError, Listed};
use crate::context::part::Part;
use crate::engine::begin::LEDGER;
use crate::transcript::usage::Sum;

/// What is asked of the ledger.
#[derive(Debug, Clone, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LedgerAsked {
    #[command(subcommand)]
    pub about: Option<LedgerAbout>,
    /// Only those for the project of the working directory
    #[arg(long)]
    pub here: bool,
    /// So many at most, the newest; 0: all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
}

/// What is asked about requests.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum LedgerAbout {
    /// Show a request part by part, each with its exact text, and what came back
    Show {
        /// The id of a request, or its beginning or end
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Show what changed from one request to another, and where the cached prefix ends
    Diff {
        /// The id of a request, or its beginning or end
        #[arg(value_name = "ID")]
        id: String,
        /// That of a later one [default: ID itself, after the one before it of its session]
        #[arg(value_name = "LATER")]
        later: Option<String>,
    },
}

pub fn run(
    opened: &Opened,
    asked: &LedgerAsked,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let folder = opened.writer.own_file(LEDGER);
    let ledger = Ledger::new(folder, Keep::default(), Faults::default());
    let prices = &opened.config.settings.prices;
    let listed = ledger.list(prices);
    for fault in &listed.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    match &asked.about {
        None => {
            let here = asked.here.then(|| opened.store.here().key);
            list(&listed, here.as_deref(), asked.limit, json, output)
        }
        Some(LedgerAbout::Show { id }) => {
            show(&ledger, prices, &named(&listed, id)?.id, json, output)
        }
        Some(LedgerAbout::Diff { id, later }) => {
            let first = named(&listed, id)?;
            let (before, after) = match later {
                Some(later) => (first.id.clone(), named(&listed, later)?.id.clone()),
                None => {
                    let before = first.before.clone();
                    let before = before.ok_or_else(|| {
                        let said = format!(
                            "{} is the first of its session: name a later request too",
                            first.id
                        );
                        Failure::usage("no-request-before", said)
                    })?;
                    (before, first.id.clone())
                }
            };
            diff(&ledger, prices, &before, &after, json, output)
        }
    }
}

/// The request that is meant: with this id, else the only one whose id begins or ends so.
fn named<'a>(listed: &'a Listed, id: &str) -> Result<&'a Entry, Failure> {
    let all = &listed.entries;
    if let Some(own) = all.iter().find(|one| one.id == id) {
        return Ok(own);
    }
    let meant = |one: &&Entry| one.id.starts_with(id) || one.id.ends_with(id);
    let found: Vec<&Entry> = all.iter().filter(meant).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Failure::usage(
            "no-request",
            format!("no request of the ledger is called {id}: `loci ledger` lists them"),
        )),
        [one, two, ..] => Err(Failure::usage(
            "several-requests",
            format!(
                "{} requests begin or end with {id}: {}, {} …; give more of its id",
                grouped(found.len()),
                one.id,
                two.id
            ),
        )),
    }
}

/// A request in short. Tokens of `usage` are the provider's, `tokens` is estimated; `cost` is in USD. Nothing
/// where it is not known.
#[derive(Serialize)]
struct EntryShape<'a> {
    id: &'a str,
    time: Option<String>,
    purpose: &'a str,
    session: &'a str,
    project: Option<&'a str>,
    model: &'a str,
    parts: usize,
    tokens: usize,
    usage: Option<UsageShape>,
    cost: Option<f64>,
    ended: Option<&'a str>,
    cache_miss: Option<MissShape>,
    before: Option<&'a str>,
}

/// `cache_hit`, `cache_hit_of_all`: as `loci usage` has them.
#[derive(Serialize)]
struct UsageShape {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
    cache_creation_1h: u64,
    cache_hit: Option<f64>,
    cache_hit_of_all: Option<f64>,
}

#[derive(Serialize)]
struct MissShape {
    why: &'static str,
    said: String,
}

impl<'a> EntryShape<'a> {
    fn of(one: &'a Entry) -> Self {
        let usage = one.sum.as_ref().map(|sum| {
            let (usage, shares) = (&sum.usage, sum.cache_shares());
            UsageShape {
                input: usage.input,
                output: usage.output,
                cache_read: usage.cache_read,
                cache_creation: usage.cache_creation,
                cache_creation_1h: usage.cache_creation_1h,
                cache_hit: shares.map(|(hit, _)| hit),
                cache_hit_of_all: shares.map(|(_, hit)| hit),
            }
        });
        Self {
            id: &one.id,
            time: one.time.map(Moment::rfc3339),
            purpose: one.purpose.word(),
            session: &one.session,
            project: one.project.as_deref(),
            model: &one.model,
            parts: one.parts,
            tokens: one.tokens,
            usage,
            cost: one.sum.as_ref().and_then(Sum::dollars),
            ended: one.ended.as_deref(),
            cache_miss: one.miss.as_ref().map(|miss| MissShape {
                why: miss.word(),
                said: miss.sentence(),
            }),
            before: one.before.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct ListShape<'a> {
    requests: Vec<EntryShape<'a>>,
    /// All that there are, with those that are not listed here.
    all: usize,
}

fn list(
    listed: &Listed,
    here: Option<&str>,
    limit: usize,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let meant = |one: &&Entry| here.is_none() || one.project.as_deref() == here;
    let all: Vec<&Entry> = listed.entries.iter().filter(meant).collect();
    let most = if limit == 0 { all.len() } else { limit };
    let shown = &all[..all.len().min(most)];
    if json {
        let shape = ListShape {
            requests: shown.iter().map(|one| EntryShape::of(one)).collect(),
            all: all.len(),
        };
        return Ok(output.json(&shape)?);
    }
    if all.is_empty() {
        let said = "nothing was sent to a model yet: each request of `loci chat`, or of the agent on the screen, is kept here";
        return Ok(output.line(said)?);
    }
    let colour = output.look.colour;
    let head = format!(
        "{:<20} {:<8} {:<20} {:>9} {:>8} {:>7} {:>7} {:>9}  {:<12} id",
        "time (UTC)", "purpose", "model", "in", "out", "hits", "of all", "cost", "end"
    );
    output.line(&colour.paint(Style::Bold, &head))?;
    let number = |tokens: u64| grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
    for one in shown {
        let time = one.time.map_or("–".to_string(), Moment::rfc3339);
        let usage = one.sum.as_ref().map(|sum| sum.usage);
        let read = usage.map(|it| it.input + it.cache_read + it.cache_creation);
        let tokens = |it: Option<u64>| it.map_or("–".to_string(), number);
        let shares = one.sum.as_ref().and_then(Sum::cache_shares);
        let percent = |share: Option<f64>| {
            share.map_or("–".to_string(), |it| {
                format!("{} %", display::percent(it))
            })
        };
        let cost = one.sum.as_ref().and_then(Sum::dollars);
        let cost = cost.map_or("–".to_string(), |cost| format!("${cost:.4}"));
        let model = text::fit(&display::line(&one.model), 20);
        let end = text::fit(&display::line(one.end()), 12);
        output.line(&format!(
            "{} {:<8} {model} {:>9} {:>8} {:>7} {:>7} {cost:>9}  {end} {}",
            text::fit(&time, 20),
            one.purpose.word(),
            tokens(read),
            tokens(usage.map(|it| it.output)),
            percent(shares.map(|it| it.0)),
            percent(shares.map(|it| it.1)),
            display::line(&one.id)
        ))?;
    }
    if shown.len() < all.len() {
        let more = grouped(all.len() - shown.len());
        output.line(&colour.paint(Style::Dim, &format!("{more} older ones: -n 0 lists all")))?;
    }
    Ok(())
}

/// One part of a request, or of what came back.
#[derive(Serialize)]
struct PartShape<'a> {
    kind: &'a str,
    path: Option<String>,
    label: Option<&'a str>,
    place: Option<&'a str>,
    tokens: Option<usize>,
    cached: bool,
    /// Nothing where the ledger has it no more.
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct ShowShape<'a> {
    #[serde(flatten)]
    entry: EntryShape<'a>,
    request: Vec<PartShape<'a>>,
    answer: Vec<PartShape<'a>>,
}

fn part_shape<'a>(part: &'a Part, place: Option<&'a str>) -> PartShape<'a> {
    PartShape {
        kind: part.kind.word(),
        path: part.path.as_ref().map(|path| path.display().to_string()),
        label: part.label.as_deref(),
        place,
        tokens: part.tokens,
        cached: part.cached,
        text: part.recorded.then_some(&*part.text),
    }
}

fn show(
    ledger: &Ledger,
    prices: &Prices,
    id: &str,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let opened = ledger.open(id).map_err(|error| failed(&error))?;
    let entry = opened.entry(prices);
    if json {
        let lines = opened.line.parts.iter();
        let sent = opened.parts.iter().zip(lines);
        let shape = ShowShape {
            entry: EntryShape::of(&entry),
            request: sent
                .map(|(part, line)| part_shape(part, line.place.as_deref()))
                .collect(),
            answer: opened
                .answer
                .iter()
                .map(|it| part_shape(it, None))
                .collect(),
        };
        return Ok(output.json(&shape)?);
    }
    let colour = output.look.colour;
    output.line(&colour.paint(Style::Bold, &summary(&entry)))?;
    if let Some(miss) = &entry.miss {
        output.line(&display::line(&format!(
            "cache missed: {}",
            miss.sentence()
        )))?;
    }
    let sent = opened.parts.iter().zip(&opened.line.parts);
    let sent = sent.map(|(part, line)| (part, line.place.as_deref().unwrap_or("sent")));
    let came = opened.answer.iter().map(|part| (part, "what came back"));
    for (part, place) in sent.chain(came) {
        let about = part.path.as_ref().map(|path| path.display().to_string());
        let about = about.or(part.label.clone()).unwrap_or_default();
        let head = format!(
            "{place} · {} {about} · ≈ {} tokens{}",
            part.kind.word().replace('_', " "),
            grouped(part.tokens.unwrap_or(0)),
            if part.cached { " · cached" } else { "" }
        );
        output.line("")?;
        output.line(&colour.paint(Style::Bold, &display::line(&head)))?;
        for line in part.text.lines() {
            output.line(&display::line(&display::untab(line)))?;
        }
    }
    Ok(())
}

fn summary(entry: &Entry) -> String {
    let time = entry.time.map_or("–".to_string(), Moment::rfc3339);
    let said = format!(
        "{} · {} · {time} · {}",
        entry.purpose.word(),
        entry.model,
        entry.end()
    );
    display::line(&said).into_owned()
}

#[derive(Serialize)]
struct DiffShape<'a> {
    before: EntryShape<'a>,
    after: EntryShape<'a>,
    /// Parts that both begin with, and their tokens, estimated: there the cached prefix ends.
    shared_parts: usize,
    shared_tokens: usize,
    first: Option<&'a str>,
    besides: &'a [String],
    diff: &'a str,
}

fn diff(
    ledger: &Ledger,
    prices: &Prices,
    before: &str,
    after: &str,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let (a, b, found) = ledger
        .compare(before, after)
        .map_err(|error| failed(&error))?;
    let (before, after) = (a.entry(prices), b.entry(prices));
    if json {
        let shape = DiffShape {
            before: EntryShape::of(&before),
            after: EntryShape::of(&after),
            shared_parts: found.shared,
            shared_tokens: found.shared_tokens,
            first: found.first.as_deref(),
            besides: &found.besides,
            diff: &found.diff,
        };
        return Ok(output.json(&shape)?);
    }
    output.line(&format!("- {}", summary(&before)))?;
    output.line(&format!("+ {}", summary(&after)))?;
    for said in found.sentences() {
        output.line(&display::line(&said))?;
    }
    for line in found.diff.lines() {
        output.line(&display::line(&display::untab(line)))?;
    }
    Ok(())
}

fn failed(error: &LedgerError) -> Failure {
    Failure::usage("no-request", error.to_string())
}
