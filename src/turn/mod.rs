//! One turn of a conversation: a pure state machine that says what is to be done next, the tools that the
//! model may use, each within a cage, and what it proposes to write. Knows no provider, no engine and no
//! screen.

pub mod cage;
pub mod call;
pub mod chat;
pub mod machine;
pub mod memories;
pub mod overlay;
pub mod params;
pub mod record;
pub mod tools;

#[cfg(test)]
pub(crate) mod world_for_tests;
