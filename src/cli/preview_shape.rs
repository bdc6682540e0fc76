//! The shape of `preview --json`.

use std::path::Path;

use serde::Serialize;

use crate::context::observed::models::AutoCompact;
use crate::context::part::Part;
use crate::context::preview::{Cut, Layout, LeftOut, Moment, Money, Preview};

/// All of a preview but the request itself, which `--request` prints.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "a shape of JSON")]
pub struct Shape<'a> {
    parts: Vec<PartShape<'a>>,
    rules_block: &'a str,
    total_tokens: usize,
    /// There are more: what is not known is not in it, nor are the tools.
    at_least: bool,
    tools_counted: bool,
    exact: bool,
    /// What the provider counted of the newest session's first request, where the total goes by it.
    anchor: Option<usize>,
    layout: &'static str,
    version: Option<&'a str>,
    guessed: bool,
    model: &'a str,
    cwd: String,
    moment: &'static str,
    /// The file that was changed after the session began.
    edited: Option<String>,
    agent: Option<AgentShape<'a>>,
    added: Vec<String>,
    window: usize,
    /// Else a note says which figure was taken, and why.
    window_known: bool,
    autocompact_at: Option<usize>,
    autocompact: Option<String>,
    index: Option<IndexShape<'a>>,
    /// The index of a session that is taken up again, where it has changed since and was cut.
    index_at_start: Option<AtStartShape>,
    left_out: Vec<LeftOutShape<'a>>,
    not_imports: Vec<NotAnImportShape<'a>>,
    waiting: Vec<WaitingShape<'a>>,
    after_compaction: Vec<FateShape<'a>>,
    prices: Option<PricesShape>,
    /// The lines that what is fetched for the question is chosen from.
    manifest: &'a [String],
    notes: &'a [String],
}

#[allow(
    clippy::struct_excessive_bools,
    reason = "facts of a part that do not depend on one another"
)]
#[derive(Serialize)]
struct PartShape<'a> {
    kind: &'static str,
    origin: &'static str,
    place: String,
    path: Option<String>,
    label: Option<&'a str>,
    text: &'a str,
    /// Without it `text` is a note in brackets.
    recorded: bool,
    /// `null`: not known.
    tokens: Option<usize>,
    exact: bool,
    /// Without `recorded` as long as the text once was.
    bytes: Option<usize>,
    units: Option<usize>,
    cached: bool,
    marked: bool,
    /// The secrets in whose place `text` has a note.
    masked: Vec<MaskedShape>,
}

#[derive(Serialize)]
struct MaskedShape {
    kind: &'static str,
    /// Of `text`, from 1.
    line: usize,
}

#[derive(Serialize)]
struct IndexShape<'a> {
    lines: usize,
    units: usize,
    cut_at_line: Option<usize>,
    below: Vec<BelowShape<'a>>,
    ghosts: &'a [String],
}

/// The sub-agent whose request it is.
#[derive(Serialize)]
struct AgentShape<'a> {
    name: &'a str,
    scope: &'static str,
    file: String,
    memory_folder: String,
    index: Option<IndexShape<'a>>,
}

#[derive(Serialize)]
struct AtStartShape {
    cut_at_line: Option<usize>,
    lines_below: Option<usize>,
}

#[derive(Serialize)]
struct BelowShape<'a> {
    line: usize,
    title: &'a str,
    path: Option<&'a str>,
}

#[derive(Serialize)]
struct LeftOutShape<'a> {
    path: String,
    why: &'a str,
    named_in: Option<String>,
    line: Option<usize>,
}

#[derive(Serialize)]
struct NotAnImportShape<'a> {
    path: String,
    line: usize,
    written: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct WaitingShape<'a> {
    path: String,
    patterns: &'a [String],
}

#[derive(Serialize)]
struct FateShape<'a> {
    kind: &'static str,
    path: String,
    fate: &'static str,
    why: &'a str,
}

/// US dollars.
#[derive(Serialize)]
struct PricesShape {
    /// As with `total_tokens`; a standing part is whole.
    at_least: bool,
    first_turn: f64,
    later_turn: f64,
    cold_turn: f64,
    turns: usize,
    standing: Vec<StandingShape>,
}

#[derive(Serialize)]
struct StandingShape {
    path: String,
    tokens: usize,
    cost: f64,
}

impl<'a> Shape<'a> {
    pub fn of(preview: &'a Preview) -> Self {
        let (autocompact_at, autocompact) = match &preview.compacts {
            None => (None, None),
            Some(AutoCompact::At(tokens)) => (Some(*tokens), None),
            Some(AutoCompact::WhenRefused) => {
                let said = "only once the provider refuses a prompt as too long";
                (None, Some(said.to_string()))
            }
            Some(AutoCompact::Off(by)) => (None, Some(format!("off: {by}"))),
        };
        let switches = &preview.asked.switches;
        Self {
            parts: preview.parts.iter().map(PartShape::of).collect(),
            rules_block: &preview.rules_block,
            total_tokens: preview.tokens,
            at_least: preview.at_least,
            tools_counted: preview.counts_tools(),
            exact: preview.exact,
            anchor: preview.anchor,
            layout: match preview.asked.switches.layout {
                Layout::Ours => "ours",
                Layout::Observed(_) => "observed",
            },
            version: preview
                .observed
                .as_ref()
                .map(|shown| shown.version.as_str()),
            guessed: preview.observed.as_ref().is_some_and(|shown| shown.guessed),
            model: &preview.model,
            cwd: preview.asked.cwd.to_string_lossy().into_owned(),
            moment: match preview.asked.switches.moment {
                Moment::New => "new",
                Moment::Resumed => "resumed",
                Moment::Compacted => "compacted",
            },
            window: preview.window,
            window_known: preview.is_window_known,
            autocompact_at,
            autocompact,
            edited: switches.edited.as_deref().map(lossy),
            agent: preview.agent.as_ref().map(|agent| AgentShape {
                name: &agent.file.name,
                scope: agent.file.scope(),
                file: lossy(&agent.file.path),
                memory_folder: lossy(&agent.file.folder),
                index: agent.cut.as_ref().map(IndexShape::of),
            }),
            added: switches.added.iter().map(|it| lossy(it)).collect(),
            index: preview.cut.as_ref().map(IndexShape::of),
            index_at_start: preview.cut_at_start.map(|cut| AtStartShape {
                cut_at_line: cut.at_line,
                lines_below: cut.lines,
            }),
            left_out: preview.left_out.iter().map(LeftOutShape::of).collect(),
            not_imports: preview
                .not_imports
                .iter()
                .map(|one| NotAnImportShape {
                    path: one.file.to_string_lossy().into_owned(),
                    line: one.line,
                    written: &one.written,
                    why: one.why,
                })
                .collect(),
            waiting: preview
                .waiting
                .iter()
                .map(|one| WaitingShape {
                    path: one.path.to_string_lossy().into_owned(),
                    patterns: &one.patterns,
                })
                .collect(),
            after_compaction: preview
                .fates
                .iter()
                .map(|one| FateShape {
                    kind: one.what.word(),
                    path: one.path.to_string_lossy().into_owned(),
                    fate: one.fate.word(),
                    why: &one.why,
                })
                .collect(),
            prices: preview
                .money
                .as_ref()
                .map(|money| PricesShape::of(money, preview.at_least)),
            manifest: preview.picks.as_ref().map_or(&[], |picks| &picks.manifest),
            notes: &preview.notes,
        }
    }
}

impl<'a> LeftOutShape<'a> {
    fn of(one: &'a LeftOut) -> Self {
        let named = one.named.as_ref();
        Self {
            path: one.path.to_string_lossy().into_owned(),
            why: &one.why,
            named_in: named.map(|(file, _)| file.to_string_lossy().into_owned()),
            line: named.map(|(_, line)| *line),
        }
    }
}

fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl<'a> IndexShape<'a> {
    fn of(cut: &'a Cut) -> Self {
        let below = cut.below.iter();
        Self {
            lines: cut.lines,
            units: cut.units,
            cut_at_line: cut.at_line,
            below: below
                .map(|one| BelowShape {
                    line: one.line,
                    title: &one.title,
                    path: one.path.as_deref(),
                })
                .collect(),
            ghosts: &cut.ghosts,
        }
    }
}

impl<'a> PartShape<'a> {
    fn of(part: &'a Part) -> Self {
        Self {
            kind: part.kind.word(),
            origin: part.origin.word(),
            place: crate::cli::preview::place_words(part.place),
            path: part
                .path
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned()),
            label: part.label.as_deref(),
            text: &part.text,
            recorded: part.recorded,
            tokens: part.tokens,
            exact: part.exact,
            bytes: part.bytes,
            units: part.units,
            cached: part.cached,
            marked: part.mark.is_some(),
            masked: part
                .masked
                .iter()
                .map(|one| MaskedShape {
                    kind: one.kind.name(),
                    line: one.line,
                })
                .collect(),
        }
    }
}

impl PricesShape {
    fn of(money: &Money, at_least: bool) -> Self {
        Self {
            at_least,
            first_turn: money.turns.first.dollars(),
            later_turn: money.turns.later.dollars(),
            cold_turn: money.turns.cold.dollars(),
            turns: money.session,
            standing: money
                .standing
                .iter()
                .map(|part| StandingShape {
                    path: part.path.to_string_lossy().into_owned(),
                    tokens: part.tokens,
                    cost: part.cost.dollars(),
                })
                .collect(),
        }
    }
}
