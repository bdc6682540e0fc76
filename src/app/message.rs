//! What comes into the model and what goes out of it: messages in, effects out.

use std::path::PathBuf;

use crate::agents::{Contents, Shelf};
use crate::app::key::Key;
use crate::app::layout::Size;
use crate::app::tree::FileAt;
use crate::memory::file::Page;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Message {
    Key(Key),
    /// Pasted text, whole.
    Paste(String),
    Mouse(Mouse),
    Resize(Size),
    /// The shelves that there are, and that of the working directory.
    Shelves {
        id: u64,
        here: Shelf,
        shelves: Vec<Shelf>,
    },
    /// Some shelves, counted.
    Surveyed {
        id: u64,
        shelves: Vec<Shelf>,
    },
    /// All shelves are counted.
    SurveyDone {
        id: u64,
    },
    /// What a shelf holds, by its folder.
    Contents {
        id: u64,
        folder: PathBuf,
        contents: Box<Contents>,
    },
    /// Something below a watched folder is different now, or the folder itself.
    Changed {
        folder: PathBuf,
    },
    /// Folders can't be watched: the sentence says why and what is done instead.
    WatchLimited(String),
    /// One file, or the sentence that says why not.
    Page {
        id: u64,
        path: PathBuf,
        page: Result<Box<Page>, String>,
    },
}

/// What the mouse did, in cells from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub x: u16,
    pub y: u16,
    pub did: MouseDid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseDid {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

/// Something to be done outside of the model. Answers bear the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// List the shelves, then count all of them.
    Survey {
        id: u64,
    },
    ReadShelf {
        id: u64,
        shelf: Shelf,
    },
    ReadPage {
        id: u64,
        at: FileAt,
    },
    /// Watch these folders and no others.
    Watch {
        folders: Vec<PathBuf>,
    },
    /// Draw the whole screen anew.
    Redraw,
    /// Turn mouse reports on or off.
    Mouse(bool),
    Suspend,
    Quit,
}
