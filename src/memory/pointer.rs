//! The pointers of an index, read tolerantly.

/// One entry of an index: a line that points at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Line of the file, from 1.
    pub line: usize,
    pub title: String,
    /// The target as written.
    pub target: String,
    /// What follows the link, without its dash.
    pub hook: String,
    pub state: PointerState,
    /// The file it leads to, relative to the memory folder, if there is one.
    pub resolved: Option<String>,
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
