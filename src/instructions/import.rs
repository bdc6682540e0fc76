//! Which `@path` in a text are imports for the reference client, and in which order it meets them: a
//! walk over the tokens of the text, in which the plain text of a tight list item is looked at as a
//! whole before its inline parts. Code, HTML and links hold none. Reads no file.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

pub(super) const CDATA: &str = "<![CDATA[";

const PATH_BYTES: usize = 4_096;

/// What may stand before an `@` or behind a path so that a person takes it for an import and the
/// client doesn't.
pub(super) const OPENING: &str = "([{\"'<*_";
const CLOSING: &str = ".,;:!?)]}\"'>*_";

/// A reference as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Byte of its `@`.
    pub at: usize,
    /// The path: without the `@` and a `#` with what follows, its escaped spaces undone.
    pub path: String,
    /// The client takes it for an import. Else it only looks like one.
    pub is_import: bool,
}

/// All references of a text as it is sent, in the order of the walk; none twice.
#[must_use]
pub fn references(text: &str) -> Vec<Reference> {
    if memchr::memchr(b'@', text.as_bytes()).is_none() {
        return Vec::new();
    }
    // As in `base::markdown`: the parser's way with CDATA takes square time, and none of it matters here.
    let parsed = match text.contains(CDATA) {
        true => Cow::Owned(text.replace(CDATA, "<.[CDATA[")),
        false => Cow::Borrowed(text),
    };
    let mut walk = Walk {
        text,
        found: Vec::new(),
        open: Vec::new(),
        silent: 0,
        item: None,
        run: Run::default(),
    };
    for (event, range) in Parser::new_ext(&parsed, Options::empty()).into_offset_iter() {
        walk.take(&event, range);
    }
    walk.finish()
}

/// What a reference without the signs of a sentence around it would be; `None`: it has none.
#[must_use]
pub fn without_closing(path: &str) -> Option<&str> {
    let bare = path.trim_end_matches(|c| CLOSING.contains(c));
    (bare.len() < path.len() && !bare.is_empty()).then_some(bare)
}

/// Whether a path can only be meant as one: a mention of a person or of a package looks otherwise.
#[must_use]
pub fn is_plainly_a_path(path: &str) -> bool {
    let starts = ["./", "../", "~/", "/"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let dotted = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && matches!(extension, "md" | "txt" | "mdx" | "json" | "yaml" | "yml")
    });
    starts.iter().any(|start| path.starts_with(start)) || dotted
}

/// The walk: what is open, and what was found.
struct Walk<'t> {
    text: &'t str,
    found: Vec<Reference>,
    open: Vec<Block>,
    /// Open parts in which nothing is an import.
    silent: usize,
    /// The plain text of the tight item that is under way: its bytes, and where among the found
    /// references those of it come.
    item: Option<(Range<usize>, usize)>,
    run: Run,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Item,
    Other,
}

/// Text without a break by another token: what the client looks at in one go.
#[derive(Default)]
struct Run {
    text: String,
    /// Where in the source each part of it comes from.
    parts: Vec<(usize, usize)>,
    /// Where in the source it ends so far.
    end: usize,
}

impl Walk<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) => self.end(*end),
            Event::Text(_) => {
                self.inline(&range);
                self.plain(range);
            }
            Event::SoftBreak => {
                self.inline(&range);
                self.run.break_line(range);
            }
            Event::HardBreak
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::FootnoteReference(_) => {
                self.flush();
                self.inline(&range);
            }
            Event::Html(_) | Event::DisplayMath(_) | Event::Rule | Event::TaskListMarker(_) => {
                self.flush();
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        self.flush();
        let (is_inline, is_silent) = match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => (true, false),
            Tag::Link { .. } | Tag::Image { .. } => (true, true),
            Tag::CodeBlock(_) | Tag::HtmlBlock => (false, true),
            _ => (false, false),
        };
        if is_inline {
            self.inline(range);
        } else {
            self.close_item();
        }
        self.silent += usize::from(is_silent);
        if !is_inline {
            let block = match tag {
                Tag::Item => Block::Item,
                _ => Block::Other,
            };
            self.open.push(block);
        }
    }

    fn end(&mut self, end: TagEnd) {
        self.flush();
        match end {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {}
            TagEnd::Link | TagEnd::Image => self.silent -= 1,
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                self.silent -= 1;
                self.open.pop();
            }
            _ => {
                self.close_item();
                self.open.pop();
            }
        }
    }

    /// An inline part: directly in an item it belongs to the plain text of a tight one.
    fn inline(&mut self, range: &Range<usize>) {
        if self.open.last() != Some(&Block::Item) {
            return;
        }
        match &mut self.item {
            Some((whole, _)) => whole.end = whole.end.max(range.end),
            None => self.item = Some((range.clone(), self.found.len())),
        }
    }

    fn plain(&mut self, range: Range<usize>) {
        if self.silent > 0 {
            return;
        }
        let goes_on = self.run.end == range.start || self.run.text.ends_with('\n');
        let is_escaped = self.run.end != range.start
            && range.start > 0
            && self.text.as_bytes()[range.start - 1] == b'\\';
        if !goes_on || is_escaped {
            self.flush();
        }
        let mut start = range.start;
        if is_escaped {
            // An escaped sign is a token of its own.
            start += self.text[range.clone()]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        }
        self.run.push(&self.text[start..range.end], start);
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let mut found = scan(&run.text);
        found.extend(lookalikes(&run.text));
        found.sort_by_key(|one| one.at);
        for mut one in found {
            one.at = run.source(one.at);
            self.found.push(one);
        }
    }

    /// The plain text of the item as a whole comes before what its parts gave.
    fn close_item(&mut self) {
        let Some((range, place)) = self.item.take() else {
            return;
        };
        let mut whole = scan(&self.text[range.clone()]);
        for one in &mut whole {
            one.at += range.start;
        }
        self.found.splice(place..place, whole);
    }

    fn finish(mut self) -> Vec<Reference> {
        self.flush();
        let mut seen = std::collections::HashSet::new();
        self.found
            .retain(|one| seen.insert((one.at, one.is_import)));
        // What one look takes for an import is none that only looks like one.
        let imports: std::collections::HashSet<usize> = self
            .found
            .iter()
            .filter(|one| one.is_import)
            .map(|one| one.at)
            .collect();
        self.found
            .retain(|one| one.is_import || !imports.contains(&one.at));
        self.found
    }
}

impl Run {
    fn push(&mut self, text: &str, source: usize) {
        self.parts.push((self.text.len(), source));
        self.text.push_str(text);
        self.end = source + text.len();
    }

    fn break_line(&mut self, range: Range<usize>) {
        self.parts.push((self.text.len(), range.start));
        self.text.push('\n');
        self.end = range.end;
    }

    fn source(&self, at: usize) -> usize {
        let part = self.parts.partition_point(|(start, _)| *start <= at);
        let (start, source) = self.parts[part - 1];
        source + (at - start)
    }
}

/// The imports of one piece of plain text: an `@` at its start or after white space, then the path.
fn scan(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'@', &text.as_bytes()[from..]).map(|next| from + next) {
        from = at + 1;
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| !is_blank(c)) {
            continue;
        }
        let end = end_of_path(text, at + 1);
        from = end.max(from);
        if let Some(path) = path_of(&text[at + 1..end]) {
            found.push(Reference {
                at,
                path,
                is_import: true,
            });
        }
    }
    found
}

/// What a person takes for an import and the client doesn't: a path in brackets or quotes.
fn lookalikes(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'@', &text.as_bytes()[from..]).map(|next| from + next) {
        from = at + 1;
        let before = text[..at].chars().next_back();
        if !before.is_some_and(|c| OPENING.contains(c)) {
            continue;
        }
        let end = end_of_path(text, at + 1);
        from = end.max(from);
        let path = path_of(&text[at + 1..end]);
        let bare = path.map(|path| match without_closing(&path) {
            Some(bare) => bare.to_string(),
            None => path,
        });
        if let Some(path) = bare {
            found.push(Reference {
                at,
                path,
                is_import: false,
            });
        }
    }
    found
}

/// A path goes on to white space, or to a backslash that escapes no space.
pub(super) fn end_of_path(text: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(c) = text[at..].chars().next() {
        if is_blank(c) {
            break;
        }
        if c == '\\' {
            if !text[at + 1..].starts_with(' ') {
                break;
            }
            at += 1;
        }
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    at
}

pub(super) fn path_of(written: &str) -> Option<String> {
    let path = written.split('#').next().unwrap_or_default();
    let first = path.chars().next()?;
    let is_path = match first {
        '/' => path.len() > 1,
        '~' => path.starts_with("~/"),
        '.' | '_' | '-' => true,
        c => c.is_alphanumeric(),
    };
    // The system knows none that is longer.
    (is_path && path.len() <= PATH_BYTES).then(|| path.replace("\\ ", " "))
}

/// White space as the client's language has it.
pub(super) fn is_blank(c: char) -> bool {
    c == '\u{FEFF}' || (c.is_whitespace() && c != '\u{85}')
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
