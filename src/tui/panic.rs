//! What happens on a panic, in whatever thread: the terminal first, then a report file, then one
//! sentence, then the end with 101.

use std::backtrace::Backtrace;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::tui::{Options, terminal};

/// Exit code after a panic.
const CODE: i32 = 101;

/// Puts the hook in place.
pub(super) fn install(options: &Options) {
    let reports = options.reports.clone();
    let cleanup = options.cleanup.clone();
    std::panic::set_hook(Box::new(move |info| {
        static BEGUN: AtomicBool = AtomicBool::new(false);
        if BEGUN.swap(true, Ordering::SeqCst) {
            // Another thread is ending the process already.
            std::thread::sleep(Duration::from_secs(5));
        }
        terminal::leave();
        let said = match report(&reports, info) {
            Ok(path) => format!(
                "loci: stopped by an error of its own; a report is in\n{}",
                path.display()
            ),
            Err(error) => format!(
                "loci: stopped by an error of its own ({}); no report could be written to {}: {error}",
                message(info),
                reports.display()
            ),
        };
        if let Some(folder) = &cleanup {
            // What is left of it is in the system's folder for temporary files.
            let _ = std::fs::remove_dir_all(folder);
        }
        let _ = writeln!(io::stderr(), "{said}");
        std::process::exit(CODE);
    }));
}

fn report(folder: &Path, info: &PanicHookInfo<'_>) -> io::Result<PathBuf> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let path = folder.join(format!("panic-{seconds}-{}.txt", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    writeln!(
        file,
        "loci {}\n{}\nat {place}\nthread {}\n\n{}",
        env!("CARGO_PKG_VERSION"),
        message(info),
        std::thread::current().name().unwrap_or("without a name"),
        Backtrace::force_capture()
    )?;
    Ok(path)
}

fn message<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    let payload = info.payload();
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
