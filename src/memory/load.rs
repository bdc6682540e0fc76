//! What of an index reaches the model: the pipeline that the reference client was seen to run
//! (2.1.332): decode, front matter off, block comments off, trim, the first 200 lines, back to the
//! last line break at or before unit 25,000, a warning, and sanitising of text and warning together.

/// What of an index is loaded. Units are UTF-16 code units.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Lines, bytes and units of the trimmed text: what the limits count.
    pub lines: usize,
    pub bytes: usize,
    pub units: usize,
    /// The loaded text, after sanitising, without the warning.
    pub text: String,
    /// The warning that follows it, from `> WARNING`; `None` when all is loaded.
    pub warning: Option<String>,
    /// The first line of the file (from 1) that is not loaded, or only in part.
    pub cut_at_line: Option<usize>,
    /// Lines of the file (from 1) that are taken out before the limits count: front matter and
    /// block comments. Sorted.
    pub stripped_lines: Vec<usize>,
}
