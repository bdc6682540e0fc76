//! A person's own editor, run on a copy: what it leaves is taken as an edit, so that it is journalled,
//! merged and undone like any other. The copy is kept where nothing could be taken.

use std::fs;
use std::io::{self, Write as _};
use std::process::Command;

/// The editor that the settings name, else the environment, as a shell would run it.
fn command(own: &str) -> String {
    let named = ["VISUAL", "EDITOR"];
    let named = named.iter().filter_map(|name| std::env::var(name).ok());
    std::iter::once(own.to_string())
        .chain(named)
        .find(|editor| !editor.trim().is_empty())
        .unwrap_or_else(|| "vi".to_string())
}

/// Runs the editor on a copy of a file until it ends. The terminal is its own meanwhile. `own` is the
/// editor of the settings, empty for that of the environment.
///
/// # Errors
/// A sentence: why there is nothing to take, and where what was typed lies.
pub fn edit(own: &str, file: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let editor = command(own);
    let name = file.rsplit('/').next().unwrap_or(file);
    let copy = copy_of(name, bytes)
        .map_err(|error| format!("no copy could be made for {editor}: {error}"))?;
    let ended = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg("sh")
        .arg(copy.path())
        .status();
    let after = fs::read(copy.path());
    let why = match (ended, after) {
        (Ok(status), Ok(after)) if status.success() => return Ok(after),
        (Ok(status), Ok(after)) if after == bytes => {
            return Err(format!("{editor} ended with {status}: nothing was changed"));
        }
        (Ok(status), _) => format!("{editor} ended with {status}"),
        (Err(error), _) => format!("{editor} could not be run: {error}"),
    };
    Err(match copy.keep() {
        Ok((_, path)) => format!("{why}: what it left lies in {}", path.display()),
        Err(error) => format!("{why}; its copy could not be kept: {error}"),
    })
}

fn copy_of(name: &str, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let mut copy = tempfile::Builder::new()
        .prefix("loci-")
        .suffix(&format!("-{name}"))
        .tempfile()?;
    copy.write_all(bytes)?;
    copy.flush()?;
    Ok(copy)
}
