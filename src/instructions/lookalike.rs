//! What looks like an import and stands where the reference client looks for none: in code, in HTML,
//! in a link, within a word. Reads no file. What stands in plain text is [`import`]'s.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::import::{self, CDATA, OPENING, end_of_path, is_blank, path_of, without_closing};
use super::why::NoImport;

/// Bytes that are looked back over for the beginning of a word.
const WORD_BYTES: usize = 256;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookalike {
    /// Byte of its `@`.
    pub at: usize,
    /// The path that it would be, without the `@`.
    pub path: String,
    /// As written: with the `@` only where that stands within a word.
    pub written: String,
    pub why: NoImport,
}

impl Lookalike {
    /// Whether only a file of that name makes it worth naming: `@` has other uses in code and links.
    #[must_use]
    pub fn may_be_another_use(&self) -> bool {
        match self.why {
            NoImport::Code | NoImport::Html | NoImport::Link => {
                !import::is_plainly_a_path(&self.path)
            }
            NoImport::Word | NoImport::Enclosed | NoImport::Mention => false,
        }
    }
}

/// All of a text as it is sent, in its order.
#[must_use]
pub fn lookalikes(text: &str) -> Vec<Lookalike> {
    if memchr::memchr(b'@', text.as_bytes()).is_none() {
        return Vec::new();
    }
    // As in `import`: the parser's way with CDATA takes square time.
    let parsed = match text.contains(CDATA) {
        true => Cow::Owned(text.replace(CDATA, "<.[CDATA[")),
        false => Cow::Borrowed(text),
    };
    let mut found = Vec::new();
    let mut within = Vec::new();
    for (event, range) in Parser::new_ext(&parsed, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => within.push(NoImport::Code),
            Event::Start(Tag::HtmlBlock) => within.push(NoImport::Html),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                if let Some(path) = dest_url.strip_prefix('@').and_then(path_of) {
                    found.push(Lookalike {
                        at: range.start,
                        written: path.clone(),
                        path,
                        why: NoImport::Link,
                    });
                }
                within.push(NoImport::Link);
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Link | TagEnd::Image) => {
                within.pop();
            }
            Event::Code(_) => begun(text, range, NoImport::Code, &mut found),
            Event::Html(_) => begun(text, range, NoImport::Html, &mut found),
            Event::Text(_) => match within.last() {
                Some(why) => begun(text, range, *why, &mut found),
                None => words(text, range, &mut found),
            },
            _ => {}
        }
    }
    found
}

/// Those that would be imports in plain text.
fn begun(text: &str, range: std::ops::Range<usize>, why: NoImport, found: &mut Vec<Lookalike>) {
    let signs = |c: char| is_blank(c) || c == '`' || OPENING.contains(c);
    each(text, range, |at, before, path| {
        before.is_none_or(signs).then(|| Lookalike {
            at,
            written: path.clone(),
            path,
            why,
        })
    })
    .for_each(|one| found.push(one));
}

/// Those with letters before the `@`: mail addresses and the like.
fn words(text: &str, range: std::ops::Range<usize>, found: &mut Vec<Lookalike>) {
    each(text, range, |at, before, path| {
        before
            .is_some_and(char::is_alphanumeric)
            .then(|| Lookalike {
                at,
                written: format!("{}@{path}", word_before(text, at)),
                path,
                why: NoImport::Word,
            })
    })
    .for_each(|one| found.push(one));
}

fn each<'t>(
    text: &'t str,
    range: std::ops::Range<usize>,
    judge: impl Fn(usize, Option<char>, String) -> Option<Lookalike> + 't,
) -> impl Iterator<Item = Lookalike> + 't {
    let mut from = range.start;
    std::iter::from_fn(move || {
        while let Some(next) = memchr::memchr(b'@', &text.as_bytes()[from..range.end]) {
            let at = from + next;
            let end = end_of_path(&text[..range.end], at + 1);
            from = end.max(at + 1);
            let path = path_of(&text[at + 1..end]);
            let bare = path.map(|path| match without_closing(path.trim_end_matches('`')) {
                Some(bare) => bare.to_string(),
                None => path.trim_end_matches('`').to_string(),
            });
            let before = text[..at].chars().next_back();
            if let Some(one) = bare.and_then(|path| judge(at, before, path)) {
                return Some(one);
            }
        }
        None
    })
}

fn word_before(text: &str, at: usize) -> &str {
    let mut start = at.saturating_sub(WORD_BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let head = &text[start..at];
    let ends = |c: char| is_blank(c) || c == '`' || OPENING.contains(c);
    match head.char_indices().rev().find(|(_, c)| ends(*c)) {
        Some((last, c)) => &head[last + c.len_utf8()..],
        None => head,
    }
}

#[cfg(test)]
#[path = "lookalike_tests.rs"]
mod tests;
