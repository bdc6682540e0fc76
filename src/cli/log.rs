//! The log: a file in our state directory, off by default, never on the screen. Paths of the store
//! may stand in it, texts of memories never.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing::Level;

use crate::cli::failure::say;
use crate::config::places::Places;

/// Starts the log if the flag or `LOCI_LOG` asks for it. `LOCI_LOG` may name a level (`error` to
/// `trace`); `0` and nothing leave it off. A log that can't be kept is said, and stops nothing.
pub fn start(flag: bool, vars: &BTreeMap<String, String>, places: &Places) {
    let asked = vars.get("LOCI_LOG").map_or("", String::as_str).trim();
    if !flag && matches!(asked, "" | "0") {
        return;
    }
    let level = asked.parse::<Level>().unwrap_or(Level::DEBUG);
    let folder = places.state.join("log");
    match open(&folder) {
        Ok(file) => {
            let subscriber = tracing_subscriber::fmt()
                .with_max_level(level)
                .with_ansi(false)
                .with_writer(Mutex::new(file))
                .finish();
            // A second start in one process (a test) keeps the first log.
            let _ = tracing::subscriber::set_global_default(subscriber);
            tracing::info!(version = crate::cli::args::VERSION, "started");
        }
        Err(error) => say(&format!(
            "loci: no log is kept: {} can't be written ({error})",
            folder.display()
        )),
    }
}

fn open(folder: &Path) -> io::Result<File> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        builder.mode(0o700);
        options.mode(0o600);
    }
    builder.create(folder)?;
    options.open(folder.join("loci.log"))
}
