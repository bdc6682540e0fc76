//! Writes the chosen theme into `config.toml`: the value of that key and no other byte.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, Value};

use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::swap;
use crate::config::file::TomlFile;
use crate::config::settings::FILE;

/// Sets `theme` in the file of our configuration folder, which is made if need be; gives back the
/// path of the file.
///
/// # Errors
/// A sentence: which path, what stands in the way, what to do. Nothing was written then.
pub fn keep_theme(faults: &Faults, folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(FILE);
    let file = TomlFile::read(&Disk::system(), &path).map_err(|fault| fault.to_string())?;
    let before = file.as_ref().map_or("", TomlFile::raw);
    let after = with_theme(before, name)
        .ok_or_else(|| format!("{}: set theme = {name:?} there by hand", path.display()))?;
    let written = write(faults, &path, &after);
    written.map_err(|error| {
        format!(
            "{}: {error}; make it writable and try again",
            path.display()
        )
    })?;
    Ok(path)
}

/// A text with the theme set, all else as it was; `None` where that can't be done.
fn with_theme(text: &str, name: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let quoted = Value::from(name).to_string();
    let table = document.as_table();
    let after = match table.get("theme") {
        Some(item) => {
            let span = item.as_value().and_then(Value::span)?;
            format!("{}{quoted}{}", &text[..span.start], &text[span.end..])
        }
        None => {
            let plain = table.iter().filter_map(|(_, item)| match item {
                Item::Value(value) => value.span(),
                Item::None | Item::Table(_) | Item::ArrayOfTables(_) => None,
            });
            let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            // Behind the line of the last key at the top, or first of all.
            let last = plain.map(|span| span.end).max();
            let place = last.map_or(
                text.len() - text.trim_start_matches('\u{FEFF}').len(),
                |end| text[end..].find('\n').map_or(text.len(), |at| end + at + 1),
            );
            let (before, rest) = text.split_at(place);
            let open = place > 0 && last.is_some() && !before.ends_with('\n');
            let gap = if open { line_end } else { "" };
            format!("{before}{gap}theme = {quoted}{line_end}{rest}")
        }
    };
    let holds = Document::parse(after.as_str()).ok()?;
    let set = holds.get("theme").and_then(Item::as_str) == Some(name);
    set.then_some(after)
}

fn write(faults: &Faults, path: &Path, text: &str) -> io::Result<()> {
    // Where the file is a link, what it leads to is written.
    let (target, mode) = match fs::canonicalize(path) {
        Ok(target) => {
            let mode = swap::Stamp::of(&fs::metadata(&target)?).mode;
            (target, mode)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return Err(io::Error::other("it is a link that leads nowhere"));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            swap::make_folder(faults, path.parent().unwrap_or(Path::new("/")))?;
            (path.to_path_buf(), 0o600)
        }
        Err(error) => return Err(error),
    };
    let tag = format!("config-{}", std::process::id());
    let new = swap::temporary(faults, &target, &tag, text.as_bytes(), mode, None)?;
    swap::rename_over(faults, &new, &target)
}

#[cfg(test)]
#[path = "keep_theme_tests.rs"]
mod tests;
