//! Pieces that views are put together from. They know nothing of memories.

pub mod bars;
pub mod line;
pub mod markdown;
pub mod meter;
pub mod pane;
pub mod source;
