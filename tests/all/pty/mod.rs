//! The real program in a pseudo-terminal. No test here asserts a time: what is awaited is awaited
//! with a generous limit.

mod agent;
mod answers;
mod bytes;
mod colour;
mod commands;
mod edit;
mod find;
mod hostile;
mod keys;
mod leave;
mod ledger;
mod look;
mod mouse;
mod moving;
mod preview;
mod project_changes;
mod projects;
mod read;
mod real_repository;
mod resize;
mod rules;
mod seen;
mod sessions;
mod stand_in;
mod start;
mod store;
mod suspend;
mod terminal;
mod usage;
