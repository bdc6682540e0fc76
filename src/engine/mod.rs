//! What is done with a model: one turn of the chat to its end, what stands around it, and what asks a model beside
//! the conversation. Takes a model, a
//! store's view and the time as values, and returns proposals. Knows no screen, and spawns nothing.

pub mod begin;
pub mod books;
pub mod by_form;
pub mod conversation;
pub mod cost;
pub mod drive;
pub mod meanwhile;
pub mod recall;
pub mod review;
pub mod session_file;
pub mod stop;
