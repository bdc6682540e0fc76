//! `preview`: the request that the model would get here, part by part, with what it costs and what is
//! missing from it.

use std::io;
use std::path::Path;

use crate::app::preview_rows::{LEGEND, UNFOLDED};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::preview_args::Preview as Arguments;
use crate::cli::preview_shape::Shape;
use crate::cli::words;
use crate::context::memory_prompt::{MemoryPrompt, Recall};
use crate::context::observed::models::AutoCompact;
use crate::context::part::{Part, Place};
use crate::context::preview::{
    self, Around, Asked, Cut, Fate, Group, Layout, Moment, Preview, PreviewError, Switches,
    Transcripts, Unread, groups,
};
use crate::turn::params::params;

pub fn run(
    opened: &Opened,
    asked: &Arguments,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let (memory_prompt, faults) = MemoryPrompt::read(&opened.disk, &opened.places.config);
    for fault in faults {
        say(&display::line(&fault.to_string()));
    }
    let around = Around {
        prices: opened.config.settings.prices.clone(),
        memory_prompt,
        ours: params(&opened.config.settings.model),
        window: opened.config.settings.model.window,
        allowed: opened.rules().allowed,
        faults: Vec::new(),
    };
    let built = preview::build(
        &opened.store,
        &mut Transcripts::default(),
        &around,
        &wanted(opened, asked),
    );
    let built = built.map_err(|error| match error {
        PreviewError::UnknownVersion { .. } | PreviewError::UnknownAgent { .. } => {
            Failure::usage("not-found", error.to_string())
        }
        PreviewError::NoFolder(ref path) => Failure::usage("not-found", error.to_string()).at(path),
    })?;
    for (path, why) in &built.unread {
        let said = format!("{} {why}: name a file that is there", path.display());
        return Err(match why {
            // What it brings along is told, and that it was too large to be shown.
            Unread::Large(_) => continue,
            Unread::Missing | Unread::Folder => Failure::usage("not-found", said),
            Unread::Refused(_) => Failure::disk("unreadable", said),
        }
        .at(path)
        .into());
    }
    if asked.request {
        output.json_part(built.request.body().as_bytes())?;
        if let Some(said) = built.not_exact() {
            say(&said);
        }
        return Ok(());
    }
    if json {
        output.json(&Shape::of(&built))?;
        return Ok(());
    }
    lines(opened, &built, output)?;
    Ok(())
}

fn wanted(opened: &Opened, arguments: &Arguments) -> Asked {
    let switches = Switches {
        layout: match arguments.ours {
            true => Layout::Ours,
            false => Layout::Observed(arguments.observed.clone().flatten()),
        },
        model: arguments.model.clone(),
        recall: match (arguments.recall, arguments.ours) {
            (Some(mode), _) => mode.mode(),
            (None, true) => opened.config.settings.recall.mode,
            (None, false) => Recall::Index,
        },
        moment: match (arguments.after_compaction, arguments.resumed) {
            (true, _) => Moment::Compacted,
            (false, true) => Moment::Resumed,
            (false, false) => Moment::New,
        },
        prompt: arguments.prompt.clone(),
        read: arguments.read.clone(),
        edited: arguments.edited.clone(),
        agent: arguments.agent.clone(),
        added: arguments.add_dir.clone(),
        turns: arguments.turns,
    };
    Asked {
        cwd: opened.store.cwd().to_path_buf(),
        switches,
        edited: None,
    }
}

/// What it is a picture of, part by part, then what is missing and what it costs.
fn lines(opened: &Opened, preview: &Preview, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let home = &opened.home;
    let whose = match &preview.observed {
        None => "what our own chat sends".to_string(),
        Some(shown) => {
            let guess = if shown.guessed { " (guessed)" } else { "" };
            format!(
                "as version {} of the client was seen to send it{guess}",
                shown.version
            )
        }
    };
    let switches = &preview.asked.switches;
    let moment = match (&preview.agent, switches.moment) {
        (Some(agent), _) => format!("the sub-agent {}", agent.file.name),
        (None, Moment::New) if switches.edited.is_some() => "a session that goes on".to_string(),
        (None, Moment::New) => "a new session".to_string(),
        (None, Moment::Resumed) => "a resumed session".to_string(),
        (None, Moment::Compacted) => "after a compaction".to_string(),
    };
    let cwd = words::short_path(&preview.asked.cwd, home);
    let title = format!("{cwd} · {whose} · {} · {moment}", preview.model);
    output.line(&colour.paint(Style::Bold, &display::line(&title)))?;
    output.line(&colour.paint(Style::Dim, &sizes(preview)))?;
    parts(preview, home, output)?;
    cut(preview, output)?;
    let left_out = preview.left_out.iter().map(|one| {
        let path = words::short_path(&one.path, home);
        match &one.named {
            Some((file, line)) => {
                let file = words::short_path(file, home);
                format!("{path} {} ({file}:{line})", one.why)
            }
            None => format!("{path} {}", one.why),
        }
    });
    section("left out", left_out, Style::Warning, output)?;
    let not_imports = preview.not_imports.iter().map(|one| {
        let file = words::short_path(&one.file, home);
        format!("{} {} ({file}:{})", one.written, one.why, one.line)
    });
    section("not imports", not_imports, Style::Dim, output)?;
    let waiting = preview.waiting.iter().map(|one| {
        let path = words::short_path(&one.path, home);
        format!("{path} waits for a Read of {}", one.patterns.join(", "))
    });
    section("waiting", waiting, Style::Text, output)?;
    fates(preview, home, output)?;
    money(preview, home, output)?;
    let manifest = preview
        .picks
        .as_ref()
        .map_or(&[][..], |picks| &picks.manifest);
    let manifest = manifest.iter().cloned();
    section("chosen from", manifest, Style::Dim, output)?;
    for note in &preview.notes {
        say(&display::line(&display::homely(note, home)));
    }
    Ok(())
}

/// `at least ≈ 4,210 tokens of 1,000,000 (0.4 %) · compacts at 967,000`.
pub fn sizes(preview: &Preview) -> String {
    let about = preview.about();
    let compacts = match &preview.compacts {
        None => String::new(),
        Some(AutoCompact::At(tokens)) => format!(" · compacts at {}", grouped(*tokens)),
        Some(AutoCompact::WhenRefused) => {
            " · compacts only once the provider refuses a prompt as too long".to_string()
        }
        Some(AutoCompact::Off(by)) => format!(" · does not compact of itself: {by}"),
    };
    let (tokens, window) = (preview.tokens, preview.window);
    let share = words::share(tokens, window);
    format!(
        "{about}{} tokens of {} ({share}){compacts}",
        grouped(tokens),
        grouped(window)
    )
}

fn parts(preview: &Preview, home: &Path, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let mut place = None;
    if let Some(said) = preview.of_tools() {
        output.line("")?;
        output.line(&colour.paint(Style::Dim, said))?;
    }
    let most = output
        .look
        .cells
        .map_or(usize::MAX, |cells| cells.saturating_sub(34).max(20));
    for group in groups(&preview.parts) {
        let main = &preview.parts[group.main];
        let heading = place_words(main.place);
        if place.as_ref() != Some(&heading) {
            output.line("")?;
            output.line(&colour.paint(Style::Dim, &heading))?;
            place = Some(heading);
        }
        let tokens = group.tokens(&preview.parts).one();
        let bytes = group.bytes(&preview.parts).one();
        let cached = if main.cached { "▣" } else { "▢" };
        let words = display::line(&part_words(&group, &preview.parts, home)).into_owned();
        let words = text::cut_end(&words, most);
        let style = if main.recorded {
            Style::Text
        } else {
            Style::Dim
        };
        output.line(&format!(
            "  {cached} {tokens:>10} tokens {bytes:>10} bytes  {}",
            colour.paint(style, &words),
        ))?;
    }
    output.line("")?;
    output.line(&colour.paint(Style::Dim, LEGEND))
}

/// Where a part stands: `system`, `messages[0] user`.
pub fn place_words(place: Place) -> String {
    match place {
        Place::Tools => "tools".to_string(),
        Place::System { .. } => "system".to_string(),
        Place::Message { message, role, .. } => format!("messages[{message}] {}", role.word()),
    }
}

/// What a part is: its kind, its file, and what the request says that it is.
fn part_words(group: &Group, parts: &[Part], home: &Path) -> String {
    let main = &parts[group.main];
    let kind = main.kind.word().replace('_', " ");
    let path = main.path.as_ref().map(|path| words::short_path(path, home));
    let label = main.label.as_ref().map(|label| format!("({label})"));
    let lacking = (!main.recorded).then(|| "not recorded".to_string());
    let more = [path, label, lacking].into_iter().flatten();
    std::iter::once(kind)
        .chain(more)
        .collect::<Vec<_>>()
        .join("  ")
}

fn cut(preview: &Preview, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    if let Some(cut) = &preview.cut_at_start {
        output.line("")?;
        let said = format!("✂ {}", cut.sentence());
        output.line(&colour.paint(Style::Error, &said))?;
    }
    if let Some(cut) = &preview.cut {
        index(cut, "index", output)?;
    }
    match preview.agent.as_ref().map(|agent| &agent.cut) {
        Some(Some(cut)) => index(cut, "the sub-agent's index", output),
        Some(None) | None => Ok(()),
    }
}

/// An index: its sizes, what lies below its cut, and what it does not name.
fn index(cut: &Cut, whose: &str, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    output.line("")?;
    output.line(&format!(
        "{whose}  {}",
        colour.paint(Style::Dim, &cut.sentence())
    ))?;
    if let Some(line) = cut.at_line {
        let entries = words::counted(cut.below.len(), "entry", "entries");
        let said = format!("✂ line {line}: the model sees nothing below · {entries}");
        output.line(&colour.paint(Style::Error, &said))?;
        let below = cut.below.iter().map(|one| {
            let path = one.path.as_deref().unwrap_or("–");
            format!("  {:>4}  {}  {path}", one.line, one.title)
        });
        list(below, Style::Text, output)?;
    }
    let ghosts = cut.ghosts.iter();
    let ghosts = ghosts.map(|ghost| format!("◌ no line points at {ghost}"));
    list(ghosts, Style::Warning, output)
}

/// The first rows of a list, and how many more there are: on a terminal, where it would drown the rest.
fn list(
    rows: impl ExactSizeIterator<Item = String>,
    style: Style,
    output: &mut Output,
) -> io::Result<()> {
    let colour = output.look.colour;
    let all = rows.len();
    let most = match output.look.cells {
        Some(_) if all > UNFOLDED => UNFOLDED - 1,
        Some(_) | None => all,
    };
    for row in rows.take(most) {
        output.line(&colour.paint(style, &display::line(&row)))?;
    }
    if all > most {
        let more = grouped(all - most);
        let said = format!("  … {more} more: `loci preview --json` names them all");
        output.line(&colour.paint(Style::Dim, &said))?;
    }
    Ok(())
}

fn section(
    title: &str,
    rows: impl ExactSizeIterator<Item = String>,
    style: Style,
    output: &mut Output,
) -> io::Result<()> {
    let colour = output.look.colour;
    if rows.len() == 0 {
        return Ok(());
    }
    output.line("")?;
    output.line(&colour.paint(Style::Dim, title))?;
    list(rows.map(|row| format!("  {row}")), style, output)
}

fn fates(preview: &Preview, home: &Path, output: &mut Output) -> io::Result<()> {
    if preview.fates.is_empty() {
        return Ok(());
    }
    let colour = output.look.colour;
    output.line("")?;
    output.line(&colour.paint(Style::Dim, "after a compaction"))?;
    for (fate, mark, style) in [
        (Fate::Restored, "✓", Style::Text),
        (Fate::Lost, "✗", Style::Error),
        (Fate::Waits, "·", Style::Dim),
        (Fate::InSummary, "~", Style::Warning),
    ] {
        let here: Vec<_> = preview
            .fates
            .iter()
            .filter(|one| one.fate == fate)
            .collect();
        let rows = here.into_iter().map(|one| {
            let path = words::short_path(&one.path, home);
            format!(
                "  {mark} {:<9} {:<7} {path}: {}",
                one.fate.word(),
                one.what.word(),
                one.why
            )
        });
        list(rows, style, output)?;
    }
    Ok(())
}

fn money(preview: &Preview, home: &Path, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    output.line("")?;
    let Some(money) = &preview.money else {
        let model = display::line(&preview.model).into_owned();
        let said = format!("no price for {model}: give one in [prices.\"{model}\"] of config.toml");
        return output.line(&colour.paint(Style::Dim, &said));
    };
    let turns = money.turns;
    output.line(&format!(
        "input costs {}{} in a first turn · {} in a later one · {} once the cache is cold",
        preview.about(),
        turns.first,
        turns.later,
        turns.cold
    ))?;
    let rows = money.standing.iter().map(|part| {
        let path = words::short_path(&part.path, home);
        format!("≈ {:>8}  {path}", part.cost.to_string())
    });
    let turns = words::counted(money.session, "turn", "turns");
    section(&format!("over {turns}"), rows, Style::Text, output)
}
