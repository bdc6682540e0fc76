//! What stands around a file of instructions in a request, as the newest version that was observed
//! writes it, and what the file costs with it.

use std::path::Path;

use super::{Conditional, Instruction, Layer};
use crate::base::tokens;

/// What parts a file from the one before.
pub const BETWEEN: &str = "\n\n";

/// What stands behind a file that a Read brings along.
pub const NESTED_END: &str = "\n\n</system-reminder>";

/// The line that names a file and says whose it is.
#[must_use]
pub fn line(path: &Path, layer: Layer) -> String {
    let label = match layer {
        Layer::Managed => "organization-managed policy instructions",
        Layer::User => "user's private global instructions for all projects",
        Layer::Project => "project instructions, checked into the codebase",
        Layer::Local => "user's private project instructions, not checked in",
    };
    format!("Contents of {} ({label}):\n\n", path.display())
}

/// The line before a file that a Read brings along.
#[must_use]
pub fn nested_line(path: &Path) -> String {
    format!("<system-reminder>\nContents of {}:\n\n", path.display())
}

/// Tokens of a file that is sent with every request, estimated, with the line that names it.
#[must_use]
pub fn tokens(file: &Instruction, is_first: bool) -> usize {
    let line = line(&file.path, file.layer);
    let line = match is_first {
        true => line,
        false => format!("{BETWEEN}{line}"),
    };
    tokens::estimate(&line) + tokens::estimate(&file.text)
}

/// Tokens of a rule that waits, estimated, with what stands around it once it is loaded.
#[must_use]
pub fn waiting_tokens(rule: &Conditional) -> usize {
    [&nested_line(&rule.path), &rule.text, NESTED_END]
        .iter()
        .map(|text| tokens::estimate(text))
        .sum()
}
