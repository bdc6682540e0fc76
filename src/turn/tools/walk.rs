//! The files below a folder as the tools look through them: what version control ignores and what is hidden
//! stays out, links are not followed, and there is an end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::WalkBuilder;

use crate::config::limits::TOOL_FILES;

/// What was found, and whether that is all.
pub struct Walked {
    /// Absolute, in the order of their paths.
    pub files: Vec<PathBuf>,
    /// Why there may be more: a sentence.
    pub cut: Option<String>,
}

/// The regular files below a folder. In a memory folder nothing is ignored but what is hidden.
pub fn files(folder: &Path, in_memory: bool, stop: &AtomicBool) -> Walked {
    let mut builder = WalkBuilder::new(folder);
    builder
        .follow_links(false)
        .require_git(false)
        .sort_by_file_path(Path::cmp);
    if in_memory {
        builder
            .ignore(false)
            .git_ignore(false)
            .git_global(false)
            .git_exclude(false)
            .parents(false);
    }
    let mut walked = Walked {
        files: Vec::new(),
        cut: None,
    };
    for entry in builder.build().flatten() {
        if stop.load(Ordering::Relaxed) {
            walked.cut = Some("it was interrupted".to_string());
            break;
        }
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        if walked.files.len() >= TOOL_FILES {
            walked.cut = Some(format!(
                "only the first {TOOL_FILES} files were looked at: name a folder"
            ));
            break;
        }
        walked.files.push(entry.into_path());
    }
    walked
}
