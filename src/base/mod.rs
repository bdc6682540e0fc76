//! The ground floor: text in cells, safe display of foreign text, time and ages, the disk with its
//! sysroot, front matter, Markdown scanning. Knows nothing of memories.

pub mod clock;
pub mod disk;
pub mod display;
pub mod fault;
pub mod front_matter;
pub mod json;
pub mod markdown;
pub mod number;
pub mod signalled;
pub mod swap;
pub mod text;
pub mod tidy;
pub mod time;
pub mod tokens;
