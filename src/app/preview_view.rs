//! The Preview view as a model: which request is asked for, what was built last, and its rows. What is
//! built comes as an answer; one that is outdated is asked for anew as soon as it is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::app::acting;
use crate::app::list::List;
use crate::app::preview_rows::{self, Making, Opened, PreviewRow};
use crate::context::preview::{Preview, Switches};

/// What a preview is made from: once it differs, the preview is outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The memory folder, and the readings of it and of its project's rules.
    pub folder: PathBuf,
    pub stamp: u64,
    pub rules_stamp: u64,
    pub switches: Switches,
    /// The file that is being edited, and how often something was typed into it.
    pub edited: Option<(PathBuf, u64)>,
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct PreviewView {
    pub switches: Switches,
    built: Option<(Source, Result<Box<Preview>, String>)>,
    awaited: Option<(u64, Source)>,
    rows: Vec<PreviewRow>,
    /// Parts and lists that are open.
    open: BTreeSet<Opened>,
    /// What the rows were made from.
    made: Option<(usize, u64)>,
    stamp: u64,
    /// How much was typed when typing paused last: while that goes on nothing is built of it.
    paused: Option<u64>,
    /// The file that the request goes to once it is what was asked for.
    exporting: Option<PathBuf>,
    /// What is not exact in the request that was exported last.
    pub not_exact: Option<String>,
    height: usize,
    pub list: List,
}

impl PreviewView {
    #[must_use]
    pub fn rows(&self) -> &[PreviewRow] {
        &self.rows
    }

    #[must_use]
    pub fn row(&self) -> Option<&PreviewRow> {
        self.rows.get(self.list.cursor)
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// What was built last.
    #[must_use]
    pub fn preview(&self) -> Option<&Preview> {
        self.built.as_ref()?.1.as_deref().ok()
    }

    /// What was built last of this memory folder.
    #[must_use]
    pub fn of(&self, folder: &Path) -> Option<&Preview> {
        let (source, preview) = self.built.as_ref()?;
        preview.as_deref().ok().filter(|_| source.folder == folder)
    }

    /// Whether something is being built.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.awaited.is_some()
    }

    /// Whether it must be built anew; notes that it will be, as `id`. One is built at a time: what has
    /// changed meanwhile is asked for when its answer is there.
    pub fn wants(&mut self, source: &Source, id: u64) -> bool {
        let has = self
            .built
            .as_ref()
            .is_some_and(|(built, _)| built == source);
        let wants = !has && self.awaited.is_none();
        if wants {
            self.awaited = Some((id, source.clone()));
        }
        wants
    }

    /// Takes an answer; one that is not awaited is dropped.
    pub fn take(&mut self, id: u64, preview: Result<Box<Preview>, String>) {
        let Some((_, source)) = self.awaited.take_if(|(awaited, _)| *awaited == id) else {
            return;
        };
        let is_other = self
            .built
            .as_ref()
            .is_none_or(|(built, _)| built.folder != source.folder);
        if is_other {
            self.open.clear();
            self.list = List::default();
        }
        self.built = Some((source, preview));
        self.stamp = id;
    }

    /// Has the request written to a file as soon as what was built is what is asked for.
    pub fn export(&mut self, path: PathBuf) {
        self.exporting = Some(path);
    }

    /// Whether a file waits for what is asked for.
    #[must_use]
    pub fn is_exporting(&self) -> bool {
        self.exporting.is_some()
    }

    /// The file that the request is written to now, and the request; `source`: what is asked for.
    pub fn to_export(&mut self, source: &Source) -> Option<(PathBuf, Result<&Preview, &str>)> {
        let (built, preview) = self.built.as_ref()?;
        if built != source {
            return None;
        }
        let path = self.exporting.take()?;
        Some((path, preview.as_deref().map_err(String::as_str)))
    }

    /// Takes what was typed when typing paused, by its stamp.
    pub fn pause(&mut self, typed: Option<u64>) {
        self.paused = typed;
    }

    /// Whether typing has paused since the last that was typed.
    #[must_use]
    pub fn has_paused(&self, typed: u64) -> bool {
        self.paused == Some(typed)
    }

    /// Has it built anew.
    pub fn outdate(&mut self) {
        self.awaited = None;
        if let Some((source, _)) = &mut self.built {
            source.stamp = u64::MAX;
        }
    }

    /// Builds the rows where they are not those already; text wraps at `cells`. `folder`: of the shelf
    /// that is shown; `home`: for short paths; `keys`: the switches with their keys.
    pub fn turn_to(
        &mut self,
        folder: Option<&Path>,
        cells: usize,
        keys: &[(String, &'static str)],
        home: &Path,
    ) {
        let is_of = |(source, _): &&(Source, Result<Box<Preview>, String>)| {
            folder == Some(source.folder.as_path())
        };
        let built = self.built.as_ref().filter(is_of);
        let stamp = built.map_or(u64::MAX, |_| self.stamp);
        if self.made == Some((cells, stamp)) {
            return;
        }
        self.made = Some((cells, stamp));
        self.rows = match built {
            None => preview_rows::said("being put together …", cells),
            Some((_, Err(why))) => preview_rows::said(why, cells),
            Some((_, Ok(preview))) => {
                let making = Making {
                    switches: &self.switches,
                    open: &self.open,
                    cells,
                    keys,
                    home,
                };
                preview_rows::build(preview, making)
            }
        };
        self.list.go(self.list.cursor, self.rows.len());
    }

    /// Has the rows made anew.
    pub fn remake(&mut self) {
        self.made = None;
    }

    /// Opens or closes the part or the list under the cursor, which stays on it; `false`: there is none.
    pub fn toggle(&mut self) -> bool {
        let Some(opened) = self.row().and_then(PreviewRow::opens) else {
            return false;
        };
        if !self.open.remove(&opened) {
            self.open.insert(opened);
        }
        let at = self.rows.iter().position(|row| row.is_head_of(opened));
        self.list.cursor = at.unwrap_or(self.list.cursor);
        self.remake();
        true
    }

    /// The exact text of the part under the cursor.
    #[must_use]
    pub fn chosen_text(&self) -> Option<String> {
        let group = self.row()?.group()?;
        let preview = self.preview()?;
        let groups = crate::context::preview::groups(&preview.parts);
        Some(groups.get(group)?.text(&preview.parts))
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
        self.land();
    }

    /// Moves by so many rows, to a row that something can be done with; where none is near the view is scrolled, so
    /// that all can be read. `false`: it was at that end already.
    pub fn step(&mut self, rows: isize) -> bool {
        acting::step(&mut self.list, &self.rows, self.height, rows)
    }

    /// Puts the cursor on a row of those in view that was clicked; `false`: nothing can be done with it.
    pub fn go(&mut self, row: usize) -> bool {
        let acts = self.rows.get(row).is_some_and(PreviewRow::acts);
        if acts {
            self.list.cursor = row;
        }
        acts
    }

    /// Scrolls the view by so many rows.
    pub fn scroll(&mut self, rows: isize) {
        self.list.scroll(rows, self.rows.len(), self.height);
        self.land();
    }

    /// Whether the cursor stands on a row that something can be done with: on no other it is shown.
    #[must_use]
    pub fn is_on_one(&self) -> bool {
        self.row().is_some_and(PreviewRow::acts)
    }

    fn land(&mut self) {
        acting::land(&mut self.list, &self.rows, self.height);
    }
}

#[cfg(test)]
#[path = "preview_view_tests.rs"]
mod tests;
