//! What is done with a model: one turn of the chat to its end, and what stands around it. Takes a model, a
//! store's view and the time as values, and returns proposals. Knows no screen, and spawns nothing.

pub mod begin;
pub mod books;
pub mod drive;
pub mod meanwhile;
pub mod review;
pub mod session_file;
pub mod stop;
