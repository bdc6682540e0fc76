//! Settings: our limits and places, and the reference client's own settings, read only. Knows
//! nothing of the screen.

pub mod client;
pub mod health;
pub mod limits;
pub mod places;
