//! Reads files and what they import, each once in all, and keeps what became of each reference.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::glob::{Budget, Matcher};
use super::import::{self, Reference};
use super::lookalike;
use super::page::{self, Page};
use super::paths::{Condition, condition};
use super::why::{EdgeState, LeftOut, NoImport, Why};
use super::{
    Conditional, Edge, Instruction, Instructions, Layer, Manner, Noted, Noticed, Place, Role,
};
use crate::base::disk::{Disk, normalize};
use crate::config::limits::{IMPORT_LEVELS, IMPORTS_A_FILE, PATH_PATTERN_BYTES, PATH_PATTERNS};

/// Files of these kinds are no text for the client.
const BINARY: [&str; 38] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "tif", "tiff", "heic", "avif", "pdf", "zip",
    "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "jar", "exe", "dll", "so", "dylib", "bin",
    "o", "a", "class", "wasm", "mp3", "mp4", "mov", "wav", "woff", "woff2", "ttf",
];

/// A read under way.
pub struct Reader<'a> {
    pub disk: &'a Disk,
    pub place: &'a Place,
    pub manner: &'a Manner,
    excludes: Vec<(
        Option<GlobMatcher>,
        &'a crate::config::client::standing::Exclude,
    )>,
    /// Files that were taken, by the paths that they are shown under and those where they lie.
    pub seen: HashSet<PathBuf>,
    budget: Budget,
    pub out: Instructions,
}

/// Where a file stands in the imports that lead to it.
struct Chain<'c> {
    file: &'c Path,
    real: &'c Path,
    above: Option<&'c Chain<'c>>,
}

impl Chain<'_> {
    fn holds(&self, path: &Path) -> bool {
        let mut at = Some(self);
        while let Some(one) = at {
            if one.file == path || one.real == path {
                return true;
            }
            at = one.above;
        }
        false
    }

    fn depth(&self) -> usize {
        self.above.map_or(0, |above| above.depth() + 1)
    }
}

impl<'a> Reader<'a> {
    pub fn new(disk: &'a Disk, place: &'a Place, manner: &'a Manner) -> Self {
        let mut reader = Self {
            disk,
            place,
            manner,
            excludes: Vec::new(),
            seen: HashSet::new(),
            budget: Budget {
                patterns: PATH_PATTERNS,
                bytes: PATH_PATTERN_BYTES,
            },
            out: Instructions::default(),
        };
        for one in place.live_excludes() {
            let glob = GlobBuilder::new(&one.pattern)
                .literal_separator(true)
                .build();
            let glob = glob.map(|glob| glob.compile_matcher());
            if let Err(error) = &glob {
                let pattern = one.pattern.clone();
                let reason = error.kind().to_string();
                reader.note(&one.setting, Noticed::BadGlob { pattern, reason });
            }
            reader.excludes.push((glob.ok(), one));
        }
        reader
    }

    /// Reads a file that the client looks for; `None` where there is nothing to take, which is said
    /// unless there simply is no such file.
    pub fn page(&mut self, path: &Path, layer: Layer) -> Option<Page> {
        if self.seen.contains(path) {
            return None;
        }
        match self.read(path, layer) {
            // The same file under another name comes once.
            Ok(page) => (!self.seen.contains(&page.real)).then_some(page),
            Err(Why::Missing { .. }) => None,
            Err(why) => {
                self.leave_out(path, why, None);
                None
            }
        }
    }

    /// Takes a file and what it imports.
    pub fn take(&mut self, path: &Path, layer: Layer, role: Role) {
        if let Some(page) = self.page(path, layer) {
            self.give(path, &page, layer, role);
        }
    }

    /// Takes a rule: at the start, or as one that waits. `base` is the folder that its patterns are
    /// relative to.
    pub fn take_rule(&mut self, path: &Path, layer: Layer, base: &Path) {
        let Some(page) = self.page(path, layer) else {
            return;
        };
        let (condition, misread) = condition(&page.raw);
        if let Some(misread) = misread {
            self.note(path, Noticed::Misread(misread));
        }
        let patterns = match condition {
            Condition::Reads(patterns) => patterns,
            Condition::Always => {
                self.give(path, &page, layer, Role::Rule);
                return;
            }
            Condition::NotJudged => {
                self.leave_out(path, Why::NotJudged, None);
                return;
            }
        };
        self.mark(path, &page);
        let Some(matcher) = Matcher::new(&patterns, &mut self.budget) else {
            self.leave_out(path, Why::OverLimit, None);
            return;
        };
        for (pattern, reason) in matcher.bad {
            self.note(path, Noticed::BadGlob { pattern, reason });
        }
        self.out.conditional.push(Conditional {
            path: path.to_path_buf(),
            layer,
            base: base.to_path_buf(),
            patterns,
            text: page.text,
        });
    }

    /// Takes a file that was read, and what it imports.
    pub fn give(&mut self, path: &Path, page: &Page, layer: Layer, role: Role) {
        self.mark(path, page);
        self.push(path, page, layer, role, None);
        let chain = Chain {
            file: path,
            real: &page.real,
            above: None,
        };
        self.follow(page, layer, self.out.entries.len() - 1, &chain);
    }

    /// Takes a rule that waited, and what it imports. It was read with the others, and is read again:
    /// its text alone does not tell where its lines are.
    pub fn wake(&mut self, rule: &Conditional) {
        if let Ok(page) = self.read(&rule.path, rule.layer) {
            self.give(&rule.path, &page, rule.layer, Role::Rule);
        }
    }

    pub fn leave_out(&mut self, path: &Path, why: Why, named: Option<(PathBuf, usize)>) {
        let path = path.to_path_buf();
        self.out.left_out.push(LeftOut { path, why, named });
    }

    fn note(&mut self, path: &Path, what: Noticed) {
        let path = path.to_path_buf();
        self.out.notes.push(Noted { path, what });
    }

    fn mark(&mut self, path: &Path, page: &Page) {
        self.seen.insert(path.to_path_buf());
        self.seen.insert(page.real.clone());
        self.out.lines.insert(path.to_path_buf(), page.lines());
    }

    fn push(&mut self, path: &Path, page: &Page, layer: Layer, role: Role, by: Option<usize>) {
        self.out.entries.push(Instruction {
            path: path.to_path_buf(),
            layer,
            role,
            text: page.text.clone(),
            imported_by: by,
        });
    }

    fn read(&self, path: &Path, layer: Layer) -> Result<Page, Why> {
        match self.excluded(path, layer) {
            Some(why) if self.disk.is_file(path) => Err(why),
            Some(_) | None => {
                let edited = self.place.edited.as_ref();
                Page::read(self.disk, path, self.manner, edited)
            }
        }
    }

    /// The strongest setting that takes a file out. The organisation's files stay.
    fn excluded(&self, path: &Path, layer: Layer) -> Option<Why> {
        if layer == Layer::Managed {
            return None;
        }
        let (_, one) = self.excludes.iter().find(|(glob, one)| {
            let is_match = glob.as_ref().is_some_and(|glob| glob.is_match(path));
            is_match || Path::new(&one.pattern) == path
        })?;
        Some(Why::Excluded {
            pattern: one.pattern.clone(),
            setting: one.setting.clone(),
        })
    }

    /// Follows the references of a file.
    fn follow(&mut self, page: &Page, layer: Layer, entry: usize, chain: &Chain<'_>) {
        let mut references = import::references(&page.text);
        if references.len() > IMPORTS_A_FILE {
            references.truncate(IMPORTS_A_FILE);
            self.leave_out(chain.file, Why::TooMany, None);
        }
        for reference in references {
            let from = (chain.file, page.line(reference.at));
            let Some((to, state, found)) = self.judge(&reference, page, layer, chain) else {
                continue;
            };
            self.draw(from, &reference, &to, state);
            let Some(found) = found else { continue };
            if chain.depth() == IMPORT_LEVELS {
                self.list_too_deep(&to, found);
                continue;
            }
            self.mark(&to, &found);
            self.push(&to, &found, layer, Role::Import, Some(entry));
            let below = Chain {
                file: &to,
                real: &found.real,
                above: Some(chain),
            };
            let entry = self.out.entries.len() - 1;
            self.follow(&found, layer, entry, &below);
        }
        self.name_lookalikes(page, chain.file);
    }

    /// Names what stands where the client looks for no import.
    fn name_lookalikes(&mut self, page: &Page, file: &Path) {
        let all = lookalike::lookalikes(&page.text).into_iter();
        for one in all.take(IMPORTS_A_FILE) {
            let to = self.target(&page.real, &one.path);
            if one.may_be_another_use() && !self.disk.is_file(&to) {
                continue;
            }
            self.out.edges.push(Edge {
                from: file.to_path_buf(),
                line: page.line(one.at),
                written: one.written,
                to,
                state: EdgeState::NoImport(one.why),
            });
        }
    }

    /// Where a reference leads, what becomes of it, and the file where one is read. `None`: it is
    /// none at all.
    fn judge(
        &self,
        reference: &Reference,
        page: &Page,
        layer: Layer,
        chain: &Chain<'_>,
    ) -> Option<(PathBuf, EdgeState, Option<Page>)> {
        let to = self.target(&page.real, &reference.path);
        if !reference.is_import {
            let is_there = self.disk.is_file(&to);
            return is_there.then_some((to, EdgeState::NoImport(NoImport::Enclosed), None));
        }
        let left = |why| Some((to.clone(), EdgeState::LeftOut(why), None));
        if chain.holds(&to) {
            return left(Why::Cycle);
        }
        if self.seen.contains(&to) {
            return Some((to, EdgeState::Already, None));
        }
        match self.disk.metadata(&to) {
            Ok(data) if data.is_dir() => return left(Why::Folder),
            Ok(_) => {}
            // It comes with the new file that is being edited.
            Err(error) if page::is_absent(&error) && self.is_edited(&to) => {}
            Err(error) if page::is_absent(&error) => {
                let state = self.missing(reference, page);
                return Some((to, state, None));
            }
            Err(error) => return left(Why::Unreadable(error.to_string())),
        }
        if is_binary(&to) {
            return left(Why::Binary);
        }
        if self.is_external(&to, layer) {
            return left(Why::External);
        }
        match self.read(&to, layer) {
            Err(why) => left(why),
            Ok(found) if chain.holds(&found.real) => left(Why::Cycle),
            Ok(found) if self.seen.contains(&found.real) => Some((to, EdgeState::Already, None)),
            Ok(found) if chain.depth() == IMPORT_LEVELS => {
                Some((to, EdgeState::LeftOut(Why::TooDeep), Some(found)))
            }
            Ok(found) => Some((to, EdgeState::Loaded, Some(found))),
        }
    }

    /// Whether a path is that of the file that is being edited.
    fn is_edited(&self, path: &Path) -> bool {
        let edited = self.place.edited.as_ref();
        edited.is_some_and(|it| {
            self.disk.resolve_existing(&it.path) == self.disk.resolve_existing(path)
        })
    }

    /// What lies below a file that is too deep is too deep as well: it is named, not loaded.
    fn list_too_deep(&mut self, file: &Path, page: Page) {
        let mut named = HashSet::from([file.to_path_buf()]);
        let mut todo = VecDeque::from([(file.to_path_buf(), page)]);
        while let Some((file, page)) = todo.pop_front() {
            for reference in import::references(&page.text) {
                let to = self.target(&page.real, &reference.path);
                let is_new = reference.is_import && !self.seen.contains(&to);
                if !is_new || named.len() > IMPORTS_A_FILE || !named.insert(to.clone()) {
                    continue;
                }
                if let Ok(found) =
                    Page::read(self.disk, &to, self.manner, self.place.edited.as_ref())
                {
                    let from = (&*file, page.line(reference.at));
                    let state = EdgeState::LeftOut(Why::TooDeep);
                    self.draw(from, &reference, &to, state);
                    todo.push_back((to, found));
                }
            }
        }
    }

    fn draw(&mut self, from: (&Path, usize), reference: &Reference, to: &Path, state: EdgeState) {
        let (file, line) = from;
        if let EdgeState::LeftOut(why) = &state {
            self.leave_out(to, why.clone(), Some((file.to_path_buf(), line)));
        }
        self.out.edges.push(Edge {
            from: file.to_path_buf(),
            line,
            written: reference.path.clone(),
            to: to.to_path_buf(),
            state,
        });
    }

    /// The path that a reference in a file means.
    fn target(&self, holder: &Path, written: &str) -> PathBuf {
        let path = match written.strip_prefix("~/") {
            Some(rest) => self.place.home.join(rest),
            None => holder.parent().unwrap_or(holder).join(written),
        };
        normalize(&path)
    }

    /// What a reference to nothing is: an import that the client does not see because of the signs
    /// around it, one that was meant to begin elsewhere, or a mention of something else.
    fn missing(&self, reference: &Reference, page: &Page) -> EdgeState {
        let bare = import::without_closing(&reference.path);
        if bare.is_some_and(|bare| self.disk.is_file(&self.target(&page.real, bare))) {
            return EdgeState::NoImport(NoImport::Enclosed);
        }
        let hint = self.hint(&page.real, &reference.path);
        match hint.is_some() || import::is_plainly_a_path(&reference.path) {
            true => EdgeState::LeftOut(Why::Missing { hint }),
            false => EdgeState::NoImport(NoImport::Mention),
        }
    }

    /// What would have to be written for a path that was meant from a folder further up.
    fn hint(&self, holder: &Path, written: &str) -> Option<String> {
        if written.starts_with(['/', '~']) {
            return None;
        }
        let bare = written.trim_start_matches("./");
        let beside = holder.parent()?;
        // From inside `.claude` the folder that it lies in is meant, wherever that is.
        let is_near = |up: usize| up == 0 && beside.ends_with(".claude");
        let folders = beside.ancestors().skip(1).enumerate();
        folders
            .take_while(|(up, folder)| folder.starts_with(&self.place.cwd) || is_near(*up))
            .find(|(_, folder)| self.disk.is_file(&normalize(&folder.join(bare))))
            .map(|(up, _)| "../".repeat(up + 1) + bare)
    }

    /// Whether an import needs an approval that is not there: it leaves the working directory, and the
    /// person's own files and the organisation's are not what names it.
    fn is_external(&self, to: &Path, layer: Layer) -> bool {
        let needs_approval = match layer {
            Layer::Managed | Layer::User => false,
            Layer::Project | Layer::Local => !self.place.external_approved,
        };
        needs_approval && !to.starts_with(&self.place.cwd)
    }
}

fn is_binary(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| BINARY.contains(&&*extension.to_ascii_lowercase()))
}
