//! The views: each draws one part of the model into a buffer and decides nothing.

pub mod agent;
mod choices;
pub mod dialog;
pub mod edit;
pub mod filter;
pub mod finder;
pub mod footer;
pub mod header;
pub mod health;
pub mod help;
pub mod history;
pub mod hits;
pub mod index;
pub mod ledger;
pub mod memory;
pub mod page;
pub mod palette;
pub mod popup;
pub mod preview;
pub mod project_list;
pub mod projects;
pub mod rule;
pub mod session;
pub mod sessions;
pub mod shelf;
pub mod tree;
pub mod usage;
pub mod words;

mod list;
