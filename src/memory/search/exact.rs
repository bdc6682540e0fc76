//! Exact hits: every word occurs in the memory. Most files are told by their bytes alone; only those
//! that can answer are parted into fields, headings and body.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::fold::{self, Word};
use super::{Hit, Looked, Place};
use crate::base::front_matter::{self, FrontMatter};
use crate::memory::file::MemoryType;
use crate::memory::index;

/// Bytes of a line that a hit shows at most, and of those before the first match.
const SHOWN_BYTES: usize = 320;
const BEFORE_BYTES: usize = 60;
/// What one piece that holds all words is worth beside its place.
const TOGETHER: i64 = 50;

/// Looks files through for words.
pub struct Exact<'a> {
    words: &'a [Word],
    /// All words are plain.
    plain: bool,
    bytes: Vec<u8>,
    line: String,
}

/// A piece of a memory: a field, a heading, a line.
struct Piece<'t> {
    place: Place,
    line: Option<usize>,
    text: Cow<'t, str>,
    /// Words in it.
    count: usize,
}

impl<'a> Exact<'a> {
    pub fn new(words: &'a [Word]) -> Self {
        Self {
            words,
            plain: words.iter().all(|word| word.plain),
            bytes: Vec::new(),
            line: String::new(),
        }
    }

    /// The hit of a file, if it is one; only counted unless its score is above.
    pub fn look(&mut self, path: &str, bytes: &[u8], above: i64) -> Looked {
        if self.words.is_empty() || !self.can_hit(path, bytes) {
            return Looked::No;
        }
        let text = decoded(bytes);
        let front = front_matter::read(&text);
        self.rate(path, &text, &front, above).unwrap_or(Looked::No)
    }

    /// Whether each word is somewhere in the bytes or the path.
    fn can_hit(&mut self, path: &str, bytes: &[u8]) -> bool {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.bytes.make_ascii_lowercase();
        fold::lower_into(path, self.plain, &mut self.line);
        let wide = OnceCell::new();
        let whole = || {
            let lower = || (!bytes.is_ascii()).then(|| decoded(bytes).to_lowercase());
            wide.get_or_init(lower).as_deref()
        };
        let (line, lower) = (&self.line, &self.bytes);
        let mut words = self.words.iter();
        words.all(|word| word.can_be_in(lower, whole) || word.is_in(line))
    }

    /// `None` if a word occurs nowhere.
    fn rate(
        &mut self,
        path: &str,
        text: &str,
        front: &FrontMatter<'_>,
        above: i64,
    ) -> Option<Looked> {
        let mut best: Vec<Option<Place>> = vec![None; self.words.len()];
        let mut shown: Option<Piece<'_>> = None;
        for (place, key) in [(Place::Name, "name"), (Place::Description, "description")] {
            let field = front.fields.iter().find(|field| field.key == key);
            if let Some(field) = field {
                self.note(place, Some(field.line), &field.value, &mut best, &mut shown);
            }
        }
        self.note(Place::Path, None, path, &mut best, &mut shown);
        let body = text.get(front.body..).unwrap_or_default();
        let first = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..front.body]).count();
        let mut fence = None;
        for (number, line) in body.lines().enumerate() {
            let place = place_of(line, &mut fence);
            self.note(place, Some(first + number), line, &mut best, &mut shown);
        }
        let weights: Option<i64> = best.iter().map(|place| Some((*place)?.weight())).sum();
        let (weights, shown) = (weights?, shown?);
        let words = i64::try_from(self.words.len()).unwrap_or(i64::MAX);
        let together = if shown.count == self.words.len() {
            TOGETHER
        } else {
            0
        };
        let score = weights / words + together;
        if score <= above {
            return Some(Looked::Counted);
        }
        let (text, marks) = cut(&shown.text, &fold::marks_of(self.words, &shown.text));
        Some(Looked::Hit(Box::new(Hit {
            place: shown.place,
            line: shown.line,
            text,
            marks,
            score,
            exact: true,
            ..hit_of(path, front)
        })))
    }

    /// Notes the words of a piece, and the piece itself if it is the best to be shown so far.
    fn note<'t>(
        &mut self,
        place: Place,
        line: Option<usize>,
        text: &'t str,
        best: &mut [Option<Place>],
        shown: &mut Option<Piece<'t>>,
    ) {
        fold::lower_into(text, self.plain, &mut self.line);
        let mut count = 0;
        for (word, best) in self.words.iter().zip(best) {
            if word.is_in(&self.line) {
                count += 1;
                *best = Some(best.map_or(place, |known| known.min(place)));
            }
        }
        let better = shown.as_ref().is_none_or(|known| {
            (count, std::cmp::Reverse(place)) > (known.count, std::cmp::Reverse(known.place))
        });
        if count > 0 && better {
            *shown = Some(Piece {
                place,
                line,
                text: Cow::Borrowed(text),
                count,
            });
        }
    }
}

/// A file's bytes as text, a byte order mark gone, bad bytes replaced.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let plain = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match simdutf8::basic::from_utf8(plain) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(index::decode(bytes)),
    }
}

/// What a hit says of its memory, wherever it stands.
pub fn hit_of(path: &str, front: &FrontMatter<'_>) -> Hit {
    let field = |key: &str| {
        let value = front.get(key).filter(|value| !value.is_empty());
        value.map(Box::from)
    };
    Hit {
        path: path.into(),
        name: field("name"),
        description: field("description"),
        kind: MemoryType::read(front),
        place: Place::Path,
        line: None,
        text: String::new(),
        marks: Vec::new(),
        score: 0,
        exact: false,
    }
}

/// Whether a line of a body is a heading; inside a fence of code there is none.
pub fn place_of(line: &str, fence: &mut Option<char>) -> Place {
    let start = line.trim_start_matches(' ');
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'));
    if let Some(mark) = mark
        && start.chars().take_while(|c| *c == mark).count() >= 3
    {
        match fence {
            None => *fence = Some(mark),
            Some(open) if *open == mark => *fence = None,
            Some(_) => {}
        }
        return Place::Body;
    }
    let marks = start.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = fence.is_none()
        && line.len() - start.len() < 4
        && (1..=6).contains(&marks)
        && start[marks..].starts_with([' ', '\t']);
    if is_heading {
        Place::Heading
    } else {
        Place::Body
    }
}

/// A line as a hit shows it: without the blanks at its ends, a long one cut round its first match.
pub fn cut(text: &str, marks: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let lead = text.len() - text.trim_start().len();
    let first = marks.first().map_or(lead, |mark| mark.start);
    let mut start = lead;
    if text.trim_end().len() - lead > SHOWN_BYTES {
        start = start.max(first.saturating_sub(BEFORE_BYTES));
        while !text.is_char_boundary(start) {
            start += 1;
        }
    }
    let mut end = text.trim_end().len().min(start + SHOWN_BYTES).max(start);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = if start > lead { "…" } else { "" };
    let tail = if end < text.trim_end().len() {
        "…"
    } else {
        ""
    };
    let shown = [head, &text[start..end], tail].concat();
    let inside = marks.iter().filter_map(|mark| {
        let (from, to) = (mark.start.max(start), mark.end.min(end));
        (from < to).then(|| from - start + head.len()..to - start + head.len())
    });
    (shown, inside.collect())
}
