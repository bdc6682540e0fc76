//! What is done with a model: one turn of the chat to its end. Takes a model, a store's view and the time as
//! values, and returns proposals. Knows no screen, and spawns nothing.

pub mod drive;
pub mod stop;
