//! Rules for what came from elsewhere: which paths may be used below a folder. Knows nothing of who
//! asks.

pub mod path;
