//! The pointers of an index, read tolerantly: bullets, numbers, nesting, table rows, any dash or
//! none before the hook, targets with spaces, parentheses, `<…>`, percent-encoding, `./`, anchors,
//! wiki links. One reader serves both directions: what is dangling, and what is a ghost.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::base::markdown::Marks;
use crate::memory::link::{Link, LinkKind, links_of_line};

/// One entry of an index: a line that points at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Line of the file, from 1.
    pub line: usize,
    pub place: Place,
    pub title: String,
    /// The target as written.
    pub target: String,
    /// What follows the link, without its dash.
    pub hook: String,
    pub state: PointerState,
    /// The file it leads to, relative to the memory folder, if there is one.
    pub resolved: Option<String>,
}

/// What holds a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A list item that begins with it.
    Item,
    /// A cell of a table.
    Cell,
    /// A sentence: it leads to its file, but it is no entry of a list.
    Sentence,
    /// The hook of a list item: as in a sentence; what leads to no memory is none of the index's.
    Hook,
}

impl Place {
    /// Whether a pointer there is the entry of its file, and not only a mention.
    #[must_use]
    pub fn is_entry(self) -> bool {
        match self {
            Self::Item | Self::Cell => true,
            Self::Sentence | Self::Hook => false,
        }
    }
}

/// Whether a pointer leads somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointerState {
    Ok,
    /// Its file is gone.
    Dangling,
    /// An earlier line points at the same file.
    Duplicate,
    /// It matches a file only by ignoring case.
    Case,
    /// The link is not closed or has no target.
    Malformed,
    /// It leaves the memory folder.
    Unsafe,
}

impl PointerState {
    /// The word of the state on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Dangling => "dangling",
            Self::Duplicate => "duplicate",
            Self::Case => "case",
            Self::Malformed => "malformed",
            Self::Unsafe => "unsafe",
        }
    }
}

/// What an index can point at: the files of its folder, by path, by path without case, by name.
#[derive(Debug, Default)]
pub struct Targets<'a> {
    exact: HashSet<&'a str>,
    /// Names that files bear in their front matter, with the files.
    names: Vec<(&'a str, &'a str)>,
    /// Most indexes need neither of these two.
    folded: OnceCell<HashMap<String, &'a str>>,
    named: OnceCell<HashMap<&'a str, &'a str>>,
}

impl<'a> Targets<'a> {
    /// `paths` are relative to the folder of the index.
    pub fn new(paths: impl Iterator<Item = &'a str>) -> Self {
        Self {
            exact: paths.collect(),
            ..Self::default()
        }
    }

    /// Adds the name that a file bears in its front matter, for wiki links.
    pub fn name(&mut self, name: &'a str, path: &'a str) {
        self.named.take();
        self.names.push((name, path));
    }

    fn without_case(&self, path: &str) -> Option<&'a str> {
        let all = || {
            let paths = self.exact.iter();
            paths.map(|path| (path.to_lowercase(), *path)).collect()
        };
        let folded = self.folded.get_or_init(all);
        folded.get(&path.to_lowercase()).copied()
    }

    /// By the file's own name first, then by that of its front matter. Of two files of one name it
    /// is the first by path.
    fn by_name(&self, name: &str) -> Option<&'a str> {
        let all = || {
            let stem = |path: &'a str| {
                let file = path.rsplit('/').next().unwrap_or(path);
                file.strip_suffix(".md").unwrap_or(file)
            };
            let mut paths: Vec<&'a str> = self.exact.iter().copied().collect();
            paths.sort_unstable();
            let mut named = HashMap::new();
            let files = paths.into_iter().map(|path| (stem(path), path));
            for (name, path) in files.chain(self.names.iter().copied()) {
                named.entry(name).or_insert(path);
            }
            named
        };
        self.named.get_or_init(all).get(name).copied()
    }
}

/// Reads the pointers of an index (its text without a BOM; the marks are the text's).
#[must_use]
pub fn read(text: &str, marks: &Marks, targets: &Targets<'_>) -> Vec<Pointer> {
    let mut found: Vec<Pointer> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut start = 0;
    for (at, whole) in text.split_inclusive('\n').enumerate() {
        let line = whole.trim_end_matches(['\n', '\r']);
        for link in links_of_line(line, &|at| marks.covers(start + at)) {
            let (mut state, resolved) = resolve(&link, targets);
            if link.place == Place::Hook && resolved.is_none() {
                continue;
            }
            if let Some(file) = resolved
                && link.place.is_entry()
                && !seen.insert(file)
                && state == PointerState::Ok
            {
                state = PointerState::Duplicate;
            }
            let Link {
                place,
                title,
                target,
                hook,
                ..
            } = link;
            found.push(Pointer {
                line: at + 1,
                place,
                title: title.to_string(),
                target: target.to_string(),
                hook: hook.into_owned(),
                state,
                resolved: resolved.map(str::to_string),
            });
        }
        start += whole.len();
    }
    found
}

/// The files that an index points at, and nothing else of it: what a list needs.
#[must_use]
pub fn pointed_at<'a>(text: &str, marks: &Marks, targets: &Targets<'a>) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let links = links_of_line(line, &|at| marks.covers(start + at));
        found.extend(links.iter().filter_map(|link| resolve(link, targets).1));
        start += whole.len();
    }
    found
}

fn resolve<'a>(link: &Link<'_>, targets: &Targets<'a>) -> (PointerState, Option<&'a str>) {
    match link.kind {
        LinkKind::Malformed => (PointerState::Malformed, None),
        LinkKind::Wiki => {
            let without_anchor = || link.target.split('#').next().unwrap_or_default().trim();
            let found = targets
                .by_name(link.target)
                .or_else(|| targets.by_name(without_anchor()));
            match found {
                Some(path) => (PointerState::Ok, Some(path)),
                None => resolve_path(&format!("{}.md", link.target), targets),
            }
        }
        LinkKind::Path => resolve_path(link.target, targets),
    }
}

/// Looks a target up as written, then decoded, then without its anchor, then without case.
fn resolve_path<'a>(target: &str, targets: &Targets<'a>) -> (PointerState, Option<&'a str>) {
    if let Some(file) = targets.exact.get(target) {
        return (PointerState::Ok, Some(*file));
    }
    let bare = target.split('#').next().unwrap_or(target);
    let forms = [
        target.to_string(),
        percent_decode(target),
        bare.to_string(),
        percent_decode(bare),
    ];
    let paths: Vec<Option<String>> = forms.iter().map(|form| plain_path(form)).collect();
    for path in paths.iter().flatten() {
        if let Some(file) = targets.exact.get(path.as_str()) {
            return (PointerState::Ok, Some(*file));
        }
    }
    // The last form is the one a reader means; where it leads out, so does the pointer.
    if paths.last().is_some_and(Option::is_none) {
        return (PointerState::Unsafe, None);
    }
    match paths
        .iter()
        .flatten()
        .find_map(|path| targets.without_case(path))
    {
        Some(file) => (PointerState::Case, Some(file)),
        None => (PointerState::Dangling, None),
    }
}

/// A relative path without `.` and `..`; `None` when it is absolute or leaves its folder.
fn plain_path(target: &str) -> Option<String> {
    if target.starts_with(['/', '~', '\\']) || target.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |byte: u8| {
            char::from(byte)
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        };
        let pair = (bytes[at] == b'%')
            .then(|| Some((hex(*bytes.get(at + 1)?)?, hex(*bytes.get(at + 2)?)?)))
            .flatten();
        match pair {
            Some((high, low)) => {
                out.push(high * 16 + low);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

#[cfg(test)]
#[path = "pointer_tests.rs"]
mod tests;
