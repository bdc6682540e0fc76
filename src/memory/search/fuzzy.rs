//! Fuzzy hits: the letters of each word stand in order in the name, the path or the description,
//! close enough together. Bodies are too long for that: any letters stand somewhere in them.

use std::ops::Range;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::exact::{cut, decoded, hit_of};
use super::fold::Word;
use super::{Hit, Looked, Place};
use crate::base::front_matter;
use crate::config::limits::{FRONT_MATTER_LINES, HEAD_BYTES};

/// What each letter must be worth on average. A letter counts 16, more where words begin and where it
/// follows the one before; gaps cost. A description is long, so that its letters must stand closer.
const NAME_WORTH: i64 = 17;
const DESCRIPTION_WORTH: i64 = 20;
/// Characters of a field that are looked at.
const FIELD_CHARS: usize = 300;

/// Looks at the heads of files.
pub struct Fuzzy<'a> {
    words: &'a [Word],
    matcher: SkimMatcherV2,
}

impl<'a> Fuzzy<'a> {
    pub fn new(words: &'a [Word]) -> Self {
        Self {
            words,
            matcher: SkimMatcherV2::default().ignore_case(),
        }
    }

    /// The hit of a file, if it is one; only counted unless its score is above.
    pub fn look(&self, path: &str, bytes: &[u8], above: i64) -> Looked {
        // One letter is no likeness.
        if self
            .words
            .iter()
            .all(|word| word.text.chars().nth(1).is_none())
        {
            return Looked::No;
        }
        let head = decoded_head(bytes);
        let front = front_matter::read_lines(&head, FRONT_MATTER_LINES);
        let field = |key: &str| front.fields.iter().find(|field| field.key == key);
        let (name, description) = (field("name"), field("description"));
        let pieces = [
            (Place::Name, name.map(|it| (&*it.value, Some(it.line)))),
            (Place::Path, Some((path, None))),
            (
                Place::Description,
                description.map(|it| (&*it.value, Some(it.line))),
            ),
        ];
        let fields = pieces
            .into_iter()
            .filter_map(|(place, it)| Some((place, it?)));
        let best = fields
            .filter_map(|(place, (text, line))| Some((self.rate(place, text)?, place, text, line)))
            .max_by_key(|((score, _), place, ..)| (*score, std::cmp::Reverse(*place)));
        let Some(((score, marks), place, text, line)) = best else {
            return Looked::No;
        };
        if score <= above {
            return Looked::Counted;
        }
        let (text, marks) = cut(text, &marks);
        Looked::Hit(Box::new(Hit {
            place,
            line,
            text,
            marks,
            score,
            ..hit_of(path, &front)
        }))
    }

    /// Score and matched ranges of all words in one text.
    fn rate(&self, place: Place, text: &str) -> Option<(i64, Vec<Range<usize>>)> {
        let worth = match place {
            Place::Name | Place::Path => NAME_WORTH,
            Place::Description | Place::Heading | Place::Body => DESCRIPTION_WORTH,
        };
        let end = text.char_indices().nth(FIELD_CHARS);
        let text = end.map_or(text, |(at, _)| &text[..at]);
        let mut sum = 0;
        let mut matched = Vec::new();
        for word in self.words {
            let (score, letters) = self.matcher.fuzzy_indices(text, &word.text)?;
            let count = i64::try_from(letters.len()).unwrap_or(i64::MAX);
            if score < worth * count {
                return None;
            }
            sum += score;
            matched.extend(letters);
        }
        matched.sort_unstable();
        matched.dedup();
        Some((sum, ranges(text, &matched)))
    }
}

/// The bytes of characters that are told by their positions.
fn ranges(text: &str, matched: &[usize]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut wanted = matched.iter().peekable();
    for (position, (at, c)) in text.char_indices().enumerate() {
        if wanted.next_if(|it| **it == position).is_none() {
            continue;
        }
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some(last) if last.end == at => last.end = end,
            Some(_) | None => out.push(at..end),
        }
    }
    out
}

fn decoded_head(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    decoded(&bytes[..bytes.len().min(HEAD_BYTES)])
}
