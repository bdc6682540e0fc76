//! Rules for what came from elsewhere: which paths may be used below a folder, and what looks like a
//! secret. Knows nothing of who asks.

pub mod path;
pub mod secret;
