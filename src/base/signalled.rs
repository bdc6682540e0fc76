//! Signals that ask the program to end while it holds something that must not stay behind, and
//! nobody listens to signals yet. What is caught is a fact of the whole process, as signals are.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// The last one that came; 0 is none. Unset until [`catch`].
static CAUGHT: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From here on TERM, HUP, INT and QUIT no longer end the program by themselves: whoever called this
/// asks [`caught`].
///
/// # Errors
/// As the system says.
pub fn catch() -> io::Result<()> {
    let caught = CAUGHT.get_or_init(Arc::default);
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        let number = usize::try_from(signal).unwrap_or_default();
        signal_hook::flag::register_usize(signal, Arc::clone(caught), number)?;
    }
    Ok(())
}

/// The signal that came since [`catch`], if one did.
#[must_use]
pub fn caught() -> Option<i32> {
    let number = CAUGHT.get()?.load(Ordering::Relaxed);
    i32::try_from(number).ok().filter(|number| *number != 0)
}
