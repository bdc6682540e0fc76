//! What mends a finding without a guess, and the change set that does it. Each is made from what is on
//! disk when it is asked for, checked again there, and touches only the bytes that are at fault.

use crate::base::front_matter::{edit, place, repair};
use crate::health::finding::Finding;
use crate::health::fix_index;
use crate::health::front_matter::{FIELDS, known_type};
use crate::health::names::stem;
use crate::memory::proposal::{self, Folder, ProposalError, Source};
use crate::memory::scan;
use crate::store::change::{Age, Author, ChangeSet, Op};

/// What a fix does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// Closes front matter that never closes.
    CloseFence,
    /// Quotes the values with an unquoted colon.
    QuoteColons,
    /// Two spaces for each tab that indents a line of the front matter.
    TabsToSpaces,
    /// Takes out a line that stands twice, the same.
    DropRepeated,
    /// Moves a block that stands late to the top.
    BlockFirst,
    /// Moves `type` under `metadata`.
    NestType,
    /// Writes a type in small letters.
    KnownType,
    /// Gives a memory the name of its file.
    NameFromFile,
    /// Moves a field to the top of its block.
    FieldUp { key: String },
    /// Gives a memory an index line.
    AddEntry { memory: String },
    /// Takes out an entry that leads nowhere.
    RemoveEntry { target: String },
    /// Makes one entry of two for the same file.
    MergeEntry { target: String },
    /// Writes a target as its file is written.
    RightCase { target: String },
    /// Makes one line of an entry.
    JoinEntry,
    /// Puts the description in the place of a hook that says nothing.
    HookFromDescription { target: String },
    /// Renames a memory, with its file, its index line and the links to it.
    Rename { name: String },
    /// Moves a copy to the trash that is its original to the byte.
    TrashCopy { of: String },
}

/// Why a fix can't be made now.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    #[error(transparent)]
    Proposal(#[from] ProposalError),
    /// What is on disk has no such fault any more, or mending it would do harm now.
    #[error("{path}: {why}", path = path.display())]
    NotNow {
        path: std::path::PathBuf,
        why: &'static str,
    },
}

pub(super) type Result<T> = std::result::Result<T, FixError>;

impl Fix {
    /// Whether it is an edit of one memory, for which [`propose`] need not know the others.
    #[must_use]
    pub fn is_of_one_memory(&self) -> bool {
        match self {
            Self::CloseFence
            | Self::QuoteColons
            | Self::TabsToSpaces
            | Self::DropRepeated
            | Self::BlockFirst
            | Self::NestType
            | Self::KnownType
            | Self::NameFromFile
            | Self::FieldUp { .. } => true,
            Self::AddEntry { .. }
            | Self::RemoveEntry { .. }
            | Self::MergeEntry { .. }
            | Self::RightCase { .. }
            | Self::JoinEntry
            | Self::HookFromDescription { .. }
            | Self::Rename { .. }
            | Self::TrashCopy { .. } => false,
        }
    }

    /// What it does, in a few words, as an order.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::CloseFence => "close the front matter".to_string(),
            Self::QuoteColons => "quote the value".to_string(),
            Self::TabsToSpaces => "put spaces in the place of tabs".to_string(),
            Self::DropRepeated => "take out the line that stands twice".to_string(),
            Self::BlockFirst => "move the block to the top".to_string(),
            Self::NestType => "move type under metadata".to_string(),
            Self::KnownType => "write the type in small letters".to_string(),
            Self::NameFromFile => "name it as its file is named".to_string(),
            Self::FieldUp { key } => format!("move {key} to the top of the block"),
            Self::AddEntry { memory } => format!("add an index line for {memory}"),
            Self::RemoveEntry { .. } => "take the index line out".to_string(),
            Self::MergeEntry { .. } => "make one index line of the two".to_string(),
            Self::RightCase { .. } => "write the target as the file is written".to_string(),
            Self::JoinEntry => "make it one line".to_string(),
            Self::HookFromDescription { .. } => "put the description there".to_string(),
            Self::Rename { name } => format!("rename it to {name}"),
            Self::TrashCopy { .. } => "move the copy to the trash".to_string(),
        }
    }
}

/// The change set that mends a finding. Marking many is one of these for each, made one after the
/// other: the next is made when the one before is applied.
///
/// # Errors
/// Files that can't be read; a fault that is not there any more. A finding without a fix.
pub fn propose(folder: &Folder<'_>, finding: &Finding) -> Result<ChangeSet> {
    let Some(fix) = &finding.fix else {
        return Err(not_now(folder, finding, "there is no fix without a guess"));
    };
    let title = format!("fix {}: {}", finding.code.word(), finding.path);
    let set = match fix {
        Fix::CloseFence => write(folder, finding, |text, _| repair::close(text, &FIELDS))?,
        Fix::QuoteColons => write(folder, finding, |text, _| repair::quote_colons(text))?,
        Fix::TabsToSpaces => write(folder, finding, |text, _| repair::untab(text))?,
        Fix::DropRepeated => write(folder, finding, |text, _| repair::drop_repeated(text))?,
        Fix::BlockFirst => write(folder, finding, |text, _| repair::first(text))?,
        Fix::NestType => write(folder, finding, |text, _| {
            place::nest(text, "type", "metadata")
        })?,
        Fix::KnownType => write(folder, finding, |text, _| small_type(text))?,
        Fix::NameFromFile => write(folder, finding, |text, path| {
            let front = crate::base::front_matter::read(text);
            let has_name = front.get("name").is_some();
            (!has_name).then(|| edit::set(text, "name", stem(path)).ok())?
        })?,
        Fix::FieldUp { key } => write(folder, finding, |text, _| place::raise(text, key))?,
        Fix::AddEntry { memory } => fix_index::add(folder, finding, memory)?,
        Fix::RemoveEntry { target } => fix_index::remove(folder, finding, target)?,
        Fix::MergeEntry { target } => fix_index::merge(folder, finding, target)?,
        Fix::RightCase { target } => fix_index::right_case(folder, finding, target)?,
        Fix::JoinEntry => fix_index::join(folder, finding)?,
        Fix::HookFromDescription { target } => fix_index::describe(folder, finding, target)?,
        Fix::Rename { name } => {
            inside(folder, finding, &finding.path)?;
            proposal::rename(folder, &finding.path, name)?
        }
        Fix::TrashCopy { of } => trash_copy(folder, finding, of)?,
    };
    Ok(ChangeSet {
        title,
        author: Author::Fix,
        ..set
    })
}

/// A text edit of the finding's file; its age stays, for the fact is as it was.
fn write(
    folder: &Folder<'_>,
    finding: &Finding,
    edited: impl Fn(&str, &str) -> Option<String>,
) -> Result<ChangeSet> {
    inside(folder, finding, &finding.path)?;
    let file = folder.read(folder.path.join(&finding.path))?;
    match edited(&file.text, &finding.path) {
        Some(text) if text != file.text => Ok(written(finding, file, &text)),
        Some(_) | None => Err(not_now(folder, finding, GONE)),
    }
}

pub(super) const GONE: &str = "the fault is not there any more, or not as it was: look again";

/// The change set of one write.
pub(super) fn written(finding: &Finding, file: Source, text: &str) -> ChangeSet {
    let reason = finding.fix.as_ref().map(Fix::sentence);
    let after = file.bytes_of(text);
    let op = Op::Write {
        path: file.path,
        before: Some(file.bytes),
        after,
        age: Age::Keep,
    };
    ChangeSet::new("", Author::Fix).with(op, reason.unwrap_or_default())
}

/// Refuses a file that is reached through a link that leaves the folder.
pub(super) fn inside(folder: &Folder<'_>, finding: &Finding, path: &str) -> Result<()> {
    match scan::inside(folder.disk, folder.path, path) {
        Ok(_) => Ok(()),
        Err(_) => Err(not_now(folder, finding, "it lies elsewhere or is gone")),
    }
}

pub(super) fn not_now(folder: &Folder<'_>, finding: &Finding, why: &'static str) -> FixError {
    FixError::NotNow {
        path: folder.path.join(&finding.path),
        why,
    }
}

fn small_type(text: &str) -> Option<String> {
    let front = crate::base::front_matter::read(text);
    let known = known_type(front.get("type")?)?;
    edit::set(text, "type", known).ok()
}

fn trash_copy(folder: &Folder<'_>, finding: &Finding, of: &str) -> Result<ChangeSet> {
    inside(folder, finding, &finding.path)?;
    inside(folder, finding, of)?;
    let copy = folder.read(folder.path.join(&finding.path))?;
    let original = folder.read(folder.path.join(of))?;
    if copy.bytes != original.bytes {
        return Err(not_now(
            folder,
            finding,
            "it is no longer the same as its original",
        ));
    }
    Ok(proposal::remove(folder, &[&finding.path])?)
}

#[cfg(test)]
#[path = "fix_tests.rs"]
mod tests;
