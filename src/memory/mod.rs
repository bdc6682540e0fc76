//! Memories on disk: keys, canonical git roots, memory files, the index, the scan of a folder.
//! Knows nothing of models and transcripts.

pub mod backlinks;
pub mod file;
pub mod git;
pub mod index;
pub mod index_edit;
pub mod key;
mod link;
pub mod load;
pub mod manifest;
pub mod pointer;
pub mod proposal;
pub mod ranker;
pub mod scan;
pub mod search;
