//! A memory that becomes a line or a section of a rules file: its text goes there, it goes to the trash
//! with its index lines, all in one change.

use std::path::PathBuf;

use super::links::{idle, left_dangling};
use super::wish::{Proposal, leads_out};
use super::{Folder, ProposalError, Result, Source, remove};
use crate::base::{front_matter, markdown};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// The rules file that a memory goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// It need not be there yet.
    pub to: PathBuf,
    /// What a person calls it.
    pub title: String,
    /// It is the person's own: every project pays for it.
    pub every_project: bool,
    /// Where it really lies, if a link takes it out of its folder.
    pub outside: Option<PathBuf>,
    /// Where it was seen to lie: if it lies elsewhere by now, nothing is done.
    pub seen: Option<PathBuf>,
}

/// The change set that promotes the memory at `path`, relative to the folder, into a rules file. The
/// proposal's warnings tell what it means, and where it goes if that is elsewhere.
///
/// # Errors
/// A memory without text; a rules file that is this memory, by a link or as an import; a file that can't
/// be read or is no text; an index that can't be edited.
pub fn promote(folder: &Folder<'_>, path: &str, target: &Target) -> Result<Proposal> {
    let Target { to, title, .. } = target;
    let memory = folder.movable(path)?;
    let source = folder.read(folder.path.join(path))?;
    let front = front_matter::read(&source.text);
    let body = source.text[front.body..].trim();
    let description = memory.description.as_deref().unwrap_or_default().trim();
    let said = if body.is_empty() { description } else { body };
    if said.is_empty() {
        return Err(ProposalError::NoText { path: source.path });
    }
    let stem = path.rsplit('/').next().unwrap_or(path);
    let stem = stem.trim_end_matches(".md");
    let name = memory.name.as_deref().unwrap_or(stem);
    let rule = as_rule(name, said);
    let real = folder.led(to, target.seen.as_deref())?;
    if real == folder.disk.resolve_existing(&source.path) {
        return Err(ProposalError::Itself {
            path: source.path,
            to: to.clone(),
        });
    }
    let rules = match folder.disk.link(&real) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Ok(_) | Err(_) => Some(folder.read(real.clone())?),
    };
    let before = rules.as_ref().map_or("", |rules| rules.text.as_str());
    let waits = front_matter::read(before).get("paths").is_some();
    let after = with(before, &rule);
    let bytes = match &rules {
        Some(rules) => rules.bytes_of(&after),
        None => after.into_bytes(),
    };
    let mut set = ChangeSet::new(format!("promote {name} to {title}"), Author::You)
        .with(
            Op::Write {
                path: real.clone(),
                before: rules.map(|Source { bytes, .. }| bytes),
                after: bytes,
                age: Age::Set,
            },
            "what the memory says",
        )
        .settled_at(real);
    set.changes.extend(remove(folder, &[path])?.changes);
    let mut warnings = vec![
        match waits {
            true => format!(
                "{title} is only loaded once a file is read that its paths: match, and is gone after a compaction until then"
            ),
            false => format!(
                "as a memory its text is gone after a compaction until it is read again; as a rule of {title} it comes back by itself"
            ),
        },
        "a rule is for what does harm when it is left out; what is only a comfort is better a memory"
            .to_string(),
    ];
    if let Some(outside) = &target.outside {
        warnings.insert(0, leads_out(title, outside));
    }
    if target.every_project {
        warnings.push(
            "every project pays for this file: what changes often does not belong there"
                .to_string(),
        );
    }
    warnings.extend(idle(said, title));
    warnings.extend(left_dangling(folder, &[path]));
    Ok(Proposal {
        set,
        file: None,
        warnings,
        there: false,
        below_the_cut: None,
    })
}

/// A line where it says one thing, else a section.
fn as_rule(name: &str, said: &str) -> String {
    let is_plain = !said.contains('\n') && !said.starts_with(['#', '-', '*', '>', '|', '`', '@']);
    if is_plain {
        return format!("- {said}\n");
    }
    if said.starts_with('#') {
        return format!("{said}\n");
    }
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let head: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("## {head}{}\n\n{said}\n", letters.as_str())
}

/// A text with a rule more at its end: a line goes on a list that ends it.
fn with(text: &str, rule: &str) -> String {
    let line_break = markdown::line_break(text);
    let rule = rule.replace("\r\n", "\n").replace('\n', line_break);
    let kept = text.trim_end();
    let last = kept.lines().next_back().unwrap_or_default();
    let gap = match (
        kept.is_empty(),
        last.starts_with("- ") && rule.starts_with("- "),
    ) {
        (true, _) => String::new(),
        (false, true) => line_break.to_string(),
        (false, false) => line_break.repeat(2),
    };
    format!("{kept}{gap}{rule}")
}

#[cfg(test)]
#[path = "promote_tests.rs"]
mod tests;
