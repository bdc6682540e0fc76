//! The real program in a pseudo-terminal. No test here asserts a time: what is awaited is awaited
//! with a generous limit.

mod bytes;
mod stand_in;
mod store;
mod terminal;
