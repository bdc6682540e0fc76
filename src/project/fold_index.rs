//! The index lines of memories that come into another folder: where there is no index yet it goes as it is,
//! else a line for each memory that came, none twice.

use std::path::{Path, PathBuf};

use super::fold::{Fold, FoldError};
use crate::memory::file::{Memory, MemoryType};
use crate::memory::index_edit::{self, NewEntry};
use crate::memory::pointer::PointerState;
use crate::memory::proposal::{Folder, ProposalError, Source};
use crate::memory::scan::{self, INDEX_FILE};
use crate::store::change::{Age, ChangeSet, Op};

/// An index that gets lines.
pub(super) struct Lined {
    path: PathBuf,
    /// What is there; none where it is made.
    source: Option<Source>,
    text: String,
    /// The targets of its lines, also of those that come.
    targets: Vec<String>,
}

impl Fold<'_> {
    /// The change set with its index lines, and what a person should know.
    pub(super) fn done(mut self) -> (ChangeSet, Vec<String>) {
        for lined in std::mem::take(&mut self.indexes) {
            let (before, after) = match lined.source {
                Some(source) if source.text == lined.text => continue,
                Some(source) => {
                    let after = source.bytes_of(&lined.text);
                    (Some(source.bytes), after)
                }
                None => (None, lined.text.into_bytes()),
            };
            let op = Op::Write {
                path: lined.path,
                before,
                after,
                age: Age::Keep,
            };
            self.add(op, "the index lines of what came");
        }
        (self.set, self.notes)
    }

    pub(super) fn index_lines(
        &mut self,
        from: &Path,
        to: &Path,
        some: Option<&[&str]>,
    ) -> Result<(), FoldError> {
        for prefix in ["", "team/"] {
            self.index(from, to, prefix, some)?;
        }
        Ok(())
    }

    /// The lines of one index to those of the other: of all that it points at, or of some memories.
    fn index(
        &mut self,
        from: &Path,
        to: &Path,
        prefix: &str,
        some: Option<&[&str]>,
    ) -> Result<(), FoldError> {
        let memories = |folder: &Path| {
            let listed = scan::list(self.disk, folder).memories;
            scan::heads(self.disk, folder, listed)
        };
        let (ours, theirs) = (memories(from), memories(to));
        let folder = |path, memories| Folder {
            disk: self.disk,
            path,
            memories,
        };
        let (old, new) = (folder(from, &ours), folder(to, &theirs));
        let Some(source) = old.index(prefix)? else {
            return Ok(());
        };
        let target = to.join(prefix).join(INDEX_FILE);
        let known = self.indexes.iter().position(|lined| lined.path == target);
        let at = match (known, new.index(prefix)?) {
            (Some(at), _) => at,
            (None, None) if self.renamed.is_empty() && some.is_none() && !self.several => {
                let place = from.join(prefix).join(INDEX_FILE);
                self.go(&place, &target, "its index");
                return Ok(());
            }
            (None, kept) => {
                let text = kept
                    .as_ref()
                    .map_or(String::new(), |kept| kept.text.clone());
                let targets = new.pointers(&text, prefix).into_iter();
                self.indexes.push(Lined {
                    path: kept.as_ref().map_or(target, |kept| kept.path.clone()),
                    targets: targets.filter_map(|pointer| pointer.resolved).collect(),
                    source: kept,
                    text,
                });
                self.indexes.len() - 1
            }
        };
        // A line that led nowhere leads to what comes now.
        let coming = ours.iter().filter_map(|memory| {
            let goes = self
                .renamed
                .get(&*memory.path)
                .map_or(&*memory.path, |it| it);
            let comes = some.is_none_or(|some| some.contains(&&*memory.path));
            comes.then(|| Memory {
                path: goes.into(),
                ..memory.clone()
            })
        });
        let coming: Vec<Memory> = coming.collect();
        let lined = &mut self.indexes[at];
        let awaited = folder(to, &coming).pointers(&lined.text, prefix);
        let awaited = awaited.into_iter().filter(|pointer| {
            let leads = matches!(pointer.state, PointerState::Ok | PointerState::Duplicate);
            leads && pointer.place.is_entry()
        });
        let awaited = awaited.filter_map(|pointer| pointer.resolved);
        lined.targets.extend(awaited);
        for pointer in old.pointers(&source.text, prefix) {
            let Some(resolved) = pointer.resolved.filter(|_| pointer.place.is_entry()) else {
                continue;
            };
            let inner = format!("{prefix}{resolved}");
            if some.is_some_and(|some| !some.contains(&&*inner)) {
                continue;
            }
            let goes = self.renamed.get(&inner).unwrap_or(&inner);
            let goes = goes.strip_prefix(prefix).unwrap_or(goes).to_string();
            if lined.targets.contains(&goes) {
                continue;
            }
            let memory = ours.iter().find(|memory| *memory.path == *inner);
            let kind = memory.map_or(MemoryType::Missing, |memory| memory.kind.clone());
            let entry = NewEntry {
                title: &pointer.title,
                target: &goes,
                hook: &pointer.hook,
                kind: &kind,
            };
            lined.text =
                index_edit::add(&lined.text, &entry).map_err(|error| ProposalError::Index {
                    path: source.path.clone(),
                    error,
                })?;
            lined.targets.push(goes);
        }
        // Nothing of it came, and there was none.
        let lined = &self.indexes[at];
        if lined.source.is_none() && lined.text.is_empty() {
            self.indexes.remove(at);
        }
        Ok(())
    }
}
