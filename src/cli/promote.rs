//! `promote` and `demote`: a memory into a rules file, a rules file or a part of it into a memory, each
//! one change; what a turn costs before and after is told with it.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::agents::rules::{RuleFile, RuleList, RuleState};
use crate::base::disk::normalize;
use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop};
use crate::cli::memory_argument;
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::{new, rule_args};
use crate::instructions::Layer;
use crate::memory::proposal::{self, Demote, Proposal, Target};
use crate::store::change::Op;

/// A memory into a rules file.
pub fn promote(
    asked: &rule_args::Promote,
    global: &Global,
    output: &mut Output,
) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let found = memory_argument::find(&opened, &asked.memory)?;
    change::refuse_unsafe(&found)?;
    let rules = opened.store.rules_of(opened.store.cwd());
    let (to, layer) = target(&opened, &rules, &asked.to)?;
    let target = Target {
        title: rules.places.title(&to),
        every_project: layer == Layer::User,
        outside: rules.leads_out(&to),
        // Of the same reading as what leads out.
        seen: Some(match rules.files.iter().find(|file| file.path == to) {
            Some(file) => file.real.clone(),
            None => opened.disk.resolve_existing(&to),
        }),
        to,
    };
    carry_out(&opened, global, output, || {
        let memories = opened.store.entries(&found.shelf).entries;
        let folder = change::folder(&opened, &found.shelf.folder, &memories);
        let mut promoted = proposal::promote(&folder, &found.entry.path, &target)?;
        weigh(&opened, &found.shelf.folder, &mut promoted);
        let asked = ask_outside(&target.to, target.outside.as_deref(), global)?;
        promoted.warnings.extend(asked);
        Ok(promoted)
    })
}

/// A rules file, or a part of it, into a memory.
pub fn demote(asked: &rule_args::Demote, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let shelf = opened.store.here();
    let rules = opened.store.rules_of(opened.store.cwd());
    let (rule, part) = rule_and_part(&opened, &rules, &asked.rule)?;
    let kind = new::kind(asked.kind);
    let outside = rules.leads_out(&rule.path);
    carry_out(&opened, global, output, || {
        let memories = opened.store.entries(&shelf).entries;
        let folder = change::folder(&opened, &shelf.folder, &memories);
        let source = folder.read(rule.real.clone())?;
        let lines = part
            .as_ref()
            .map(|part| lines(&rule.path, &source.text, part))
            .transpose()?;
        let wish = Demote {
            rule: &rule.path,
            title: &rule.title,
            lines,
            seen: None,
            outside: outside.as_deref(),
            seen_at: Some(&rule.real),
            name: &asked.name,
            kind: kind.clone(),
            description: asked.description.as_deref(),
            first: asked.first,
        };
        let demoted = proposal::demote(&folder, &wish, opened.store.now())?;
        if let Some(line) = demoted.below_the_cut
            && !global.yes
            && !global.dry_run
        {
            return Err(new::below_the_cut(&shelf, line));
        }
        let refuses = demoted.below_the_cut.is_some() && !global.yes;
        let mut proposal = demoted.proposal;
        weigh(&opened, &shelf.folder, &mut proposal);
        // A link alone goes to the trash from where it stands.
        let goes = Op::Trash {
            path: rule.path.clone(),
        };
        let is_link = opened.disk.link(&rule.path).is_ok();
        if !(is_link && proposal.set.changes.iter().any(|it| it.op == goes)) {
            let asked = ask_outside(&rule.path, outside.as_deref(), global)?;
            proposal.warnings.extend(asked);
        }
        if refuses {
            let said = "without --dry-run this is refused: --first puts its line at the head of its list, --yes below the cut";
            proposal.warnings.push(said.to_string());
        }
        if lines.is_none() {
            let lost = rules.importers_of(&rule.path).map(|edge| {
                let from = rules.places.title(&edge.from);
                format!(
                    "line {} of {from} imports it and will find nothing",
                    edge.line
                )
            });
            proposal.warnings.extend(lost);
        }
        Ok(proposal)
    })
}

/// Says first what it costs or saves.
fn weigh(opened: &Opened, folder: &Path, proposal: &mut Proposal) {
    let store = &opened.store;
    let costs = store.weigh(store.cwd(), folder, &proposal.set);
    proposal.warnings.splice(0..0, costs);
}

/// Refuses what would change a file that a link takes out of its folder, unless that was asked for. A dry run
/// is told that it would be refused.
fn ask_outside(
    rule: &Path,
    outside: Option<&Path>,
    global: &Global,
) -> Result<Option<String>, Failure> {
    let Some(real) = outside.filter(|_| !global.yes) else {
        return Ok(None);
    };
    let message = format!(
        "{} leads out of its folder, to {}: --yes writes it there",
        rule.display(),
        real.display()
    );
    match global.dry_run {
        true => Ok(Some(format!(
            "without --dry-run this is refused: {message}"
        ))),
        false => Err(Failure::usage("outside", message).at(rule)),
    }
}

/// Carries a proposal out and tells what is to be known of it.
fn carry_out(
    opened: &Opened,
    global: &Global,
    output: &mut Output,
    make: impl Fn() -> Result<Proposal, Failure>,
) -> Result<(), Stop> {
    let told = RefCell::new(Vec::new());
    let mut done = change::carry_out_anew(opened, global, || {
        let proposal = make()?;
        *told.borrow_mut() = proposal.warnings;
        Ok(proposal.set)
    })?;
    for sentence in told.into_inner() {
        done.note(sentence);
    }
    done.report(opened, global.json, output)?;
    Ok(())
}

/// The rules file that a memory goes to; it need not be there yet where it has a place of its own.
fn target(
    opened: &Opened,
    rules: &RuleList,
    argument: &OsStr,
) -> Result<(PathBuf, Layer), Failure> {
    let places = &rules.places;
    let own = [
        ("user", &places.user, Layer::User),
        ("project", &places.project, Layer::Project),
        ("local", &places.local, Layer::Local),
    ];
    let path = place_of(opened, rules, argument);
    if let Some(rule) = rules.at(&path).filter(|rule| is_read(rule)) {
        writable(rule)?;
        return Ok((rule.path.clone(), rule.layer));
    }
    if let Some((_, own, layer)) = own.into_iter().find(|(_, own, _)| **own == path) {
        return Ok((own.clone(), layer));
    }
    let is_new = path.extension().is_some_and(|ending| ending == "md")
        && rules.at(&path).is_none_or(RuleFile::is_missing);
    for (folder, layer) in [
        (&places.user_rules, Layer::User),
        (&places.project_rules, Layer::Project),
    ] {
        if is_new && path.starts_with(folder) {
            return Ok((path, layer));
        }
    }
    Err(no_rule(rules, &path))
}

/// The rule that an argument means, and what stands behind its #.
fn rule_and_part(
    opened: &Opened,
    rules: &RuleList,
    argument: &OsStr,
) -> Result<(RuleFile, Option<String>), Failure> {
    let find = |argument: &OsStr| {
        let path = place_of(opened, rules, argument);
        rules.at(&path).filter(|rule| is_read(rule)).cloned()
    };
    let parted = argument.to_str().and_then(|text| text.split_once('#'));
    let found = match (find(argument), parted) {
        (Some(rule), _) => Some((rule, None)),
        (None, Some((file, part))) => {
            find(OsStr::new(file)).map(|rule| (rule, Some(part.trim().to_string())))
        }
        (None, None) => None,
    };
    let Some((rule, part)) = found else {
        let file = parted.map_or(argument, |(file, _)| OsStr::new(file));
        return Err(no_rule(rules, &place_of(opened, rules, file)));
    };
    writable(&rule)?;
    Ok((rule, part))
}

/// What a word or a path means.
fn place_of(opened: &Opened, rules: &RuleList, argument: &OsStr) -> PathBuf {
    match argument.to_str() {
        Some("user") => rules.places.user.clone(),
        Some("project") => rules.places.project.clone(),
        Some("local") => rules.places.local.clone(),
        Some(_) | None => {
            let path = normalize(&opened.cwd.join(argument));
            let is_it = |rule: &&RuleFile| rule.path == path || rule.real == path;
            let listed = rules.files.iter().find(is_it);
            listed.map_or(path, |rule| rule.path.clone())
        }
    }
}

fn is_read(rule: &RuleFile) -> bool {
    match rule.state {
        RuleState::Sent | RuleState::Waits { .. } => true,
        RuleState::LeftOut { .. } => false,
    }
}

fn writable(rule: &RuleFile) -> Result<(), Failure> {
    if rule.is_ours() {
        return Ok(());
    }
    let message = format!(
        "{} is of the managed layer, which your organisation keeps: it is read, not written",
        rule.path.display()
    );
    Err(Failure::usage("refused", message).at(&rule.path))
}

/// Why a path is none of the rules.
fn no_rule(rules: &RuleList, path: &Path) -> Failure {
    let why = match rules.at(path).map(|rule| &rule.state) {
        Some(RuleState::LeftOut { why, .. }) => why.sentence(),
        Some(RuleState::Sent | RuleState::Waits { .. }) | None => {
            "is no rules file that is read here".to_string()
        }
    };
    let message = format!(
        "{} {why}: name user, project, local or a file that `loci rules` lists",
        path.display()
    );
    Failure::usage("not-found", message).at(path)
}

/// First and last line that a part means: a heading's text, or numbers.
fn lines(path: &Path, text: &str, part: &str) -> Result<(usize, usize), Failure> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|line| *line > 0);
    let numbers = match part.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(part).map(|line| (line, line)),
    };
    let sections = proposal::sections(text);
    let named: Vec<_> = sections
        .iter()
        .filter(|section| section.heading.to_lowercase() == part.to_lowercase())
        .collect();
    let said = match (named.as_slice(), numbers) {
        ([one], _) => return Ok(one.lines),
        ([], Some(lines)) if lines.0 <= lines.1 => return Ok(lines),
        ([], Some(_)) => format!("`{part}`: the last line is before the first"),
        ([], None) => {
            let headings: Vec<&str> = sections.iter().map(|it| it.heading.as_str()).collect();
            match headings.is_empty() {
                true => format!(
                    "has no headings: name lines, as in {}#12-20",
                    path.display()
                ),
                false => format!("has no heading `{part}`; it has: {}", headings.join(" · ")),
            }
        }
        ([_, _, ..], _) => {
            let at = named.iter().map(|it| it.lines.0.to_string());
            let at: Vec<String> = at.collect();
            format!(
                "has several headings `{part}` (lines {}): name the lines, as in {}#12-20",
                at.join(", "),
                path.display()
            )
        }
    };
    let message = format!("{}: {said}", path.display());
    Err(Failure::usage("not-found", message).at(path))
}
