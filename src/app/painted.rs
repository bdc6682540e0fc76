//! Colours of fenced code, as values: what a piece of it is, not how that looks.

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    Plain,
    Comment,
    Text,
    /// Numbers and other constants.
    Literal,
    Keyword,
    /// What is defined or called.
    Name,
}

/// A line of code in pieces of one tone each; together they are the line without its break.
pub type PaintedLine = Vec<(Tone, String)>;

/// The fenced blocks of a text, in order; `None` for one whose language is not known.
pub type Painted = Vec<Option<Vec<PaintedLine>>>;

/// Bytes of a text that is painted at most (4 µs a byte).
pub const MOST_PAINTED: usize = 64 * 1024;

/// Whether a body holds a fence that names its language, so that there is something to paint.
#[must_use]
pub fn may_be_painted(body: &str) -> bool {
    body.len() <= MOST_PAINTED
        && body.lines().any(|line| {
            let line = line.trim_start_matches([' ', '>', '\t']);
            let rest = line.strip_prefix("```").or(line.strip_prefix("~~~"));
            rest.is_some_and(|rest| rest.trim_start_matches(['`', '~']).trim() != "")
        })
}
