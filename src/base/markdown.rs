//! Markdown as far as the store needs it: which bytes of a text are block comments (the reference
//! client takes them out) and which are code (nothing in them is a link). Knows nothing of what the
//! text is about.
//!
//! The reference client's own rules were observed (2.1.332): a comment that begins a line outside
//! code, lists and quotes is a block; text after its `-->` stays; where it stands alone all line
//! breaks after it go with it; an unclosed one stays.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
const CDATA: &str = "<![CDATA[";

/// The bytes of a text that are no plain text. Ranges are sorted and apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Block comments, with the line breaks that go with them.
    pub comments: Vec<Range<usize>>,
    /// Code blocks, code spans and comments inside a line.
    pub quoted: Vec<Range<usize>>,
}

/// What of Markdown is read where a text is shown.
#[must_use]
pub fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
}

/// The line break that a text uses: that of its first line.
#[must_use]
pub fn line_break(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next();
    match first.is_some_and(|line| line.ends_with("\r\n")) {
        true => "\r\n",
        false => "\n",
    }
}

impl Marks {
    /// Whether a byte is part of a comment or of code.
    #[must_use]
    pub fn covers(&self, at: usize) -> bool {
        let among = |ranges: &[Range<usize>]| {
            let behind = ranges.partition_point(|range| range.start <= at);
            behind > 0 && ranges[behind - 1].contains(&at)
        };
        among(&self.comments) || among(&self.quoted)
    }
}

/// Finds block comments and code in one pass.
#[must_use]
pub fn marks(text: &str) -> Marks {
    let mut marks = Marks::default();
    if !may_have_marks(text) {
        return marks;
    }
    let mut depth = 0_usize;
    let mut paragraph_end = None;
    // The parser looks for the end of each CDATA section to the end of the text, in square time; no
    // comment and no code is told by one. The bytes that stand for it are as many.
    let parsed = match text.contains(CDATA) {
        true => Cow::Owned(text.replace(CDATA, "<.[CDATA[")),
        false => Cow::Borrowed(text),
    };
    for (event, range) in Parser::new_ext(&parsed, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                match tag {
                    Tag::HtmlBlock if depth == 0 => {
                        // A paragraph is only broken by a comment that begins at the line's first column.
                        let line = line_start(text, range.start);
                        let goes_on =
                            paragraph_end == Some(line) && line < comment_start(text, range.start);
                        if !goes_on {
                            push_comments(text, range, &mut marks.comments);
                        }
                    }
                    Tag::CodeBlock(_) => marks.quoted.push(range),
                    _ => {}
                }
                depth += 1;
            }
            Event::End(end) => {
                depth -= 1;
                if depth == 0 {
                    paragraph_end = (end == pulldown_cmark::TagEnd::Paragraph).then_some(range.end);
                }
            }
            Event::Code(_) => marks.quoted.push(range),
            Event::InlineHtml(html) if html.starts_with(OPEN) => marks.quoted.push(range),
            _ => {}
        }
    }
    marks
}

/// Whether a text can hold a comment or code at all: most indexes can't, and need no parser.
fn may_have_marks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3(b'`', b'~', b'\t', bytes).is_some()
        || memchr::memchr(b'\r', bytes).is_some()
        || memchr::memmem::find(bytes, OPEN.as_bytes()).is_some()
        || memchr::memmem::find(bytes, b"\n    ").is_some()
        || text.starts_with("    ")
}

/// The comments of one HTML block that begins with one.
fn push_comments(text: &str, block: Range<usize>, comments: &mut Vec<Range<usize>>) {
    let start = comment_start(text, block.start);
    if !text[start..].starts_with(OPEN) {
        return;
    }
    let mut spans = Vec::new();
    let mut at = start;
    // The block ends with the line of the first `-->`; further comments may stand on that line.
    let Some(first) = text[at..].find(CLOSE).map(|found| at + found + CLOSE.len()) else {
        return;
    };
    let line_end = text[first..]
        .find('\n')
        .map_or(text.len(), |found| first + found);
    while let Some(open) = text[at..line_end.max(first)]
        .find(OPEN)
        .map(|found| at + found)
    {
        let Some(close) = text[open + OPEN.len()..]
            .find(CLOSE)
            .map(|found| open + OPEN.len() + found + CLOSE.len())
        else {
            break;
        };
        if close > line_end {
            break;
        }
        spans.push(open..close);
        at = close;
    }
    let rest: String = text[spans.last().map_or(start, |span| span.end)..line_end].to_string();
    let between = spans
        .windows(2)
        .all(|pair| text[pair[0].end..pair[1].start].trim().is_empty());
    if rest.trim().is_empty() && between {
        let after = text[line_end..]
            .find(|c| c != '\n' && c != '\r')
            .map_or(text.len(), |found| line_end + found);
        comments.push(line_start(text, start)..after);
    } else {
        comments.extend(spans);
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

/// Where the comment itself begins: behind the indentation that the block may start with.
fn comment_start(text: &str, block: usize) -> usize {
    block + text[block..].find(|c| c != ' ').unwrap_or(0)
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
