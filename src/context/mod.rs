//! One request from its parts: what the model is sent, each part with its origin. Chat sends it, the
//! preview shows it, the ledger keeps it, forks append to it; they can't differ because there is
//! nothing else. Two layouts share everything but their texts: [`ours`], what our chat sends, and
//! [`observed`], what the reference client was seen to send. Knows nothing of how it is shown.

pub mod as_read;
pub mod conversation;
pub mod cost;
pub mod fork;
pub mod ledger;
pub mod marks;
pub mod memory_prompt;
pub mod merge;
pub mod observed;
pub mod ours;
pub mod part;
pub mod pressure;
pub mod preview;
pub mod prompt_file;
pub mod recalled;
pub mod request;
pub mod secrets;
pub mod tokens;

#[cfg(test)]
mod assembly_tests;
#[cfg(test)]
mod fixture_for_tests;
#[cfg(test)]
mod properties_tests;
