//! Words and texts without case: what a word looks like, whether it can stand in some bytes, and
//! where it stands in a line, in bytes of the line as it is written.

use std::ops::Range;

use memchr::memmem::Finder;

use super::Query;

/// A word that is looked for.
#[derive(Debug, Clone)]
pub struct Word {
    /// In lower case.
    pub text: String,
    finder: Finder<'static>,
    /// Every letter beyond ASCII looks the same in both cases (as in CJK), so that bytes with their
    /// ASCII letters lowered are enough to find it.
    pub plain: bool,
}

impl Word {
    pub fn new(text: &str) -> Self {
        let text = text.to_lowercase();
        let same = |c: char| c.is_ascii() || (c.to_lowercase().eq([c]) && c.to_uppercase().eq([c]));
        Self {
            finder: Finder::new(&text).into_owned(),
            plain: text.chars().all(same),
            text,
        }
    }

    /// Whether it stands in text of lower case.
    pub fn is_in(&self, lower: &str) -> bool {
        self.finder.find(lower.as_bytes()).is_some()
    }

    /// Whether it can stand in a file. `lower` are the file's bytes with ASCII letters lowered,
    /// `wide` its text in lower case, made when first asked for.
    pub fn can_be_in<'t>(&self, lower: &[u8], wide: impl FnOnce() -> Option<&'t str>) -> bool {
        if self.plain {
            self.finder.find(lower).is_some()
        } else {
            wide().is_some_and(|text| self.is_in(text))
        }
    }
}

impl Word {
    /// Whether it can stand in the bytes of JSON, ASCII letters lowered: what may be escaped there is not
    /// looked for.
    pub fn can_stand_in_json(&self, lower: &[u8]) -> bool {
        let is_as_written =
            |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b'/');
        let is_plain = self.text.bytes().all(is_as_written);
        !is_plain || self.finder.find(lower).is_some()
    }
}

/// Puts a text in lower case into `out`, which is emptied before. For plain words only ASCII letters
/// need that.
pub fn lower_into(text: &str, plain: bool, out: &mut String) {
    out.clear();
    if plain || text.is_ascii() {
        out.push_str(text);
        out.make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// Where the words of a query stand in a text: ranges of bytes, sorted and apart.
#[must_use]
pub fn marks(query: &Query, text: &str) -> Vec<Range<usize>> {
    marks_of(&query.words, text)
}

pub(super) fn marks_of(words: &[Word], text: &str) -> Vec<Range<usize>> {
    let folded = Folded::new(text, words.iter().all(|word| word.plain));
    let mut found: Vec<Range<usize>> = words
        .iter()
        .flat_map(|word| {
            let places = word.finder.find_iter(folded.lower.as_bytes());
            places.map(|at| folded.origin(at..at + word.text.len()))
        })
        .collect();
    found.sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => apart.push(range),
        }
    }
    apart
}

/// A line in lower case, and where each of its characters comes from.
struct Folded<'a> {
    text: &'a str,
    lower: String,
    /// Where characters begin: in `lower` and in `text`. Empty where both are the same bytes.
    starts: Vec<(usize, usize)>,
}

impl<'a> Folded<'a> {
    fn new(text: &'a str, plain: bool) -> Self {
        let mut lower = String::with_capacity(text.len());
        if plain || text.is_ascii() {
            lower_into(text, plain, &mut lower);
            return Self {
                text,
                lower,
                starts: Vec::new(),
            };
        }
        let mut starts = Vec::new();
        for (at, c) in text.char_indices() {
            starts.push((lower.len(), at));
            lower.extend(c.to_lowercase());
        }
        Self {
            text,
            lower,
            starts,
        }
    }

    /// The whole characters of the text that a range of `lower` comes from.
    fn origin(&self, range: Range<usize>) -> Range<usize> {
        if self.starts.is_empty() {
            return range;
        }
        let begun = self.starts.partition_point(|(at, _)| *at <= range.start);
        let ended = self.starts.partition_point(|(at, _)| *at < range.end);
        let start = begun.checked_sub(1).map_or(0, |at| self.starts[at].1);
        let end = self.starts.get(ended).map_or(self.text.len(), |it| it.1);
        start..end
    }
}
