//! What the reference client was seen to send: texts and layouts are data, a file a version; where the
//! project's newest transcript holds a rendered block, its text is taken instead. A text of the client's
//! that was not recorded is a part with its kind and its length, never one that was made up.

pub mod block;
pub mod data;
mod fill;
pub mod layout;
pub mod models;
pub mod recorded;
pub mod slot;

pub use block::Sent;
pub use data::{Version, newest, version, versions};
pub use layout::{Given, Restored, Stage, build, rules_block};
pub use recorded::Recorded;
