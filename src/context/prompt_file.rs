//! A prompt of ours as data: a text in sections with titles that the code knows, and places in braces. A
//! person can put their own in its place, below our configuration folder; it is taken whole, or ours holds
//! and it is told why. Knows no prompt.

use std::path::Path;

use crate::base::disk::Disk;
use crate::base::markdown;
use crate::config::file::Fault;
use crate::config::limits::CONFIG_BYTES;

/// A person's own text, or ours. What is wrong with theirs is told, and ours holds. `file` is below the
/// configuration folder.
#[must_use]
pub fn read<T: Default>(
    disk: &Disk,
    config_folder: &Path,
    file: &str,
    parse: impl Fn(&Path, &str) -> Result<T, Vec<Fault>>,
) -> (T, Vec<Fault>) {
    let path = config_folder.join(file);
    let ours = |message: &str| (T::default(), vec![fault(&path, None, message)]);
    let length = match disk.metadata(&path) {
        Ok(data) => data.len(),
        Err(_) => return (T::default(), Vec::new()),
    };
    if length > CONFIG_BYTES {
        return ours("it is over 1 MiB large");
    }
    match disk.read(&path).map(String::from_utf8) {
        Err(error) => ours(&format!("can't be read ({error})")),
        Ok(Err(_)) => ours("it is no UTF-8"),
        Ok(Ok(text)) => match parse(&path, &text) {
            Ok(prompt) => (prompt, Vec::new()),
            Err(faults) => (T::default(), faults),
        },
    }
}

fn fault(path: &Path, line: Option<usize>, message: &str) -> Fault {
    Fault {
        file: path.to_path_buf(),
        line,
        message: format!("{message}; the text that comes with loci holds"),
    }
}

/// The sections of a text, each with its title, in the order of `titles`. What stands before the first,
/// and comments, are left out.
///
/// # Errors
/// Each section that is missing, unknown or in the wrong place, and each place in braces that is
/// unknown.
pub fn sections(
    path: &Path,
    text: &str,
    titles: &[&str],
    places_known: &[&str],
    is_place: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut tell = |line, message: String| faults.push(fault(path, line, &message));
    let mut sections: Vec<String> = Vec::new();
    for (at, line) in without_comments(text).lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            match titles.get(sections.len()) {
                Some(next) if *next == title => {}
                Some(next) => tell(
                    Some(at + 1),
                    format!("the section here must be \"## {next}\""),
                ),
                None => tell(Some(at + 1), format!("there is no section {title:?}")),
            }
            sections.push(String::new());
        }
        for place in places(line).filter(|place| !is_place(place)) {
            let known = places_known.join("}, {");
            tell(
                Some(at + 1),
                format!("{{{place}}} is no place that is known: {{{known}}}"),
            );
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    if let Some(missing) = titles.get(sections.len()) {
        tell(None, format!("the section \"## {missing}\" is missing"));
    }
    match faults.is_empty() {
        true => Ok(sections),
        false => Err(faults),
    }
}

/// The text with as many lines, block comments emptied.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = text.to_string();
    for comment in markdown::marks(text).comments.into_iter().rev() {
        let lines = text[comment.clone()].matches('\n').count();
        out.replace_range(comment, &"\n".repeat(lines));
    }
    out
}

/// The places of a line: what stands in braces, if it is a name.
pub(super) fn places(line: &str) -> impl Iterator<Item = &str> {
    line.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_name.then_some(name)
    })
}

/// The text with what stands for each place; a brace that is none stays.
#[must_use]
pub fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let filled = part
            .split_once('}')
            .and_then(|(place, rest)| Some((value(place)?, rest)));
        match filled {
            Some((value, rest)) => {
                out.push_str(&value);
                out.push_str(rest);
            }
            None => {
                out.push('{');
                out.push_str(part);
            }
        }
    }
    out
}
