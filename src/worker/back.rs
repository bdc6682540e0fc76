//! What is taken back or brought back: what is said of it, and what is refused on the screen because a
//! session has written there since. Knows no order of things: the writing thread asks.

use std::path::Path;

use crate::agents::claude::Claude;
use crate::base::time::Moment;
use crate::memory::scan::INDEX_FILE;
use crate::store::Store;
use crate::store::history::to_undo;

/// Why the change of a key, else the last one, is not taken back here: sessions have written into what
/// would go. The command line asks for a yes.
pub(super) fn takes_along(store: &Claude, writer: &Store, key: Option<&str>) -> Option<String> {
    let history = writer.history();
    let entry = match key {
        None => to_undo(&history),
        Some(key) => history.iter().find(|entry| entry.key == key),
    }?;
    // What can't be taken back at all is said where that is tried.
    let set = writer.reversed(entry).ok()?;
    let asks = store.taken_along(&set, Moment::parse(&entry.time));
    (!asks.is_empty()).then(|| {
        let asks = asks.join("; ");
        format!(
            "nothing is taken back: {asks}; `loci undo {} --yes` does it",
            entry.key
        )
    })
}

/// What comes back of the trash by a key, by the names of the files.
pub(super) fn brought_back(writer: &Store, key: &str) -> String {
    let trashed = writer.trashed().into_iter();
    let items = trashed
        .filter(|one| one.key == key)
        .flat_map(|one| one.items);
    let paths: Vec<_> = items.map(|item| item.path).collect();
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        name.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = paths.iter().map(|path| name(path)).collect();
    // An index says nothing of what it is that of: its folder's folder does.
    if let ([one], [path]) = (names.as_mut_slice(), paths.as_slice())
        && one == INDEX_FILE
        && let Some(project) = path.parent().and_then(Path::parent)
    {
        *one = format!("{INDEX_FILE} of {}", name(project));
    }
    match names.as_slice() {
        [] => "brought back from the trash".to_string(),
        [one] => format!("{one} brought back from the trash"),
        [one, more @ ..] => format!("{one} and {} more brought back from the trash", more.len()),
    }
}

#[cfg(test)]
#[path = "back_tests.rs"]
mod tests;
