//! Lossless edits of front matter: the bytes of one value change and nothing else. After every edit
//! the text is read again and must say what was asked, or nothing is given back (spec 1.3).

use std::ops::Range;

use super::{Fault, Field, FrontMatter, lines, read};
use crate::base::markdown;

/// Why a field can't be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The block never closes, so that its end is unknown: it must be repaired first.
    #[error("the front matter is never closed: repair it first")]
    Unclosed,
    /// A block stands further down; a second one above it would hide it.
    #[error("a block like front matter begins at line {line}: move it to the top first")]
    Late { line: usize },
    /// The key stands more than once.
    #[error("`{key}` stands in the lines {first} and {second}: take one of them out first")]
    Duplicate {
        key: String,
        first: usize,
        second: usize,
    },
    /// The key is not there.
    #[error("there is no `{key}` to take out")]
    Missing { key: String },
    /// What was asked can't be written as one line of front matter.
    #[error("`{key}` can't be set: {why}")]
    Unwritable { key: String, why: &'static str },
}

type Result<T> = std::result::Result<T, EditError>;

/// Sets a field where it stands, at the top or under `metadata`. A new one goes under `metadata` if
/// the block has it, else to the end of the block; `name` and `description` always to the top. A
/// text without front matter gets a block. What says so already stays as it is, byte for byte.
///
/// # Errors
/// See [`EditError`]; the text is as it was.
pub fn set(text: &str, key: &str, value: &str) -> Result<String> {
    let front = editable(text)?;
    if value.contains(['\n', '\r']) {
        return Err(EditError::Unwritable {
            key: key.to_string(),
            why: "a value is one line",
        });
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if key.is_empty() || !key.chars().all(is_word) || key.starts_with('-') {
        return Err(EditError::Unwritable {
            key: key.to_string(),
            why: "a key is one word",
        });
    }
    let place = unique(&front, key)?;
    // It says so already: however it is written, it stays.
    if place.is_some_and(|field| field.value == value) {
        return Ok(text.to_string());
    }
    write(text, &front, place, key, value)
}

/// Writes the value of a field anew, as it has to be quoted: a repair of one that says the right
/// thing in the wrong way.
pub(super) fn rewrite(text: &str, key: &str, value: &str) -> Result<String> {
    let front = editable(text)?;
    let place = unique(&front, key)?;
    write(text, &front, place, key, value)
}

fn write(
    text: &str,
    front: &FrontMatter<'_>,
    place: Option<&Field<'_>>,
    key: &str,
    value: &str,
) -> Result<String> {
    let edited = match place {
        Some(field) => {
            let range = value_range(text, front, field);
            let written = quoted(value, &text[range.clone()]);
            replace(text, range, &written)
        }
        None => insert(text, front, key, &quoted(value, "")),
    };
    let under = place.map_or_else(
        || home_of(front, key),
        |field| field.under.as_deref().map(str::to_string),
    );
    verified(front, text, edited, key, under.as_deref(), Some(value))
}

/// Takes a field out: its line, and the lines below it that belong to it.
///
/// # Errors
/// See [`EditError`]; the text is as it was.
pub fn unset(text: &str, key: &str) -> Result<String> {
    let front = editable(text)?;
    let field = unique(&front, key)?.ok_or_else(|| EditError::Missing {
        key: key.to_string(),
    })?;
    let range = line_range(text, &front, field);
    let edited = replace(text, range, "");
    verified(&front, text, edited, key, field.under.as_deref(), None)
}

fn editable(text: &str) -> Result<FrontMatter<'_>> {
    let front = read(text);
    for fault in &front.faults {
        match fault {
            Fault::Unclosed => return Err(EditError::Unclosed),
            Fault::Late { line } => return Err(EditError::Late { line: *line }),
            Fault::Duplicate { .. }
            | Fault::UnquotedColon { .. }
            | Fault::Tab { .. }
            | Fault::AliasNotExpanded { .. }
            | Fault::NotYaml { .. } => {}
        }
    }
    Ok(front)
}

/// The one field of this key that [`FrontMatter::get`] reads.
fn unique<'a>(front: &'a FrontMatter<'a>, key: &str) -> Result<Option<&'a Field<'a>>> {
    for under in [None, Some("metadata")] {
        let mut here = front
            .fields
            .iter()
            .filter(|field| field.key == key && field.under.as_deref() == under);
        if let Some(first) = here.next() {
            return match here.next() {
                None => Ok(Some(first)),
                Some(second) => Err(EditError::Duplicate {
                    key: key.to_string(),
                    first: first.line,
                    second: second.line,
                }),
            };
        }
    }
    Ok(None)
}

/// Where a new field goes.
fn home_of(front: &FrontMatter<'_>, key: &str) -> Option<String> {
    let has_metadata = front
        .fields
        .iter()
        .any(|field| field.under.as_deref() == Some("metadata"));
    (has_metadata && !matches!(key, "name" | "description")).then(|| "metadata".to_string())
}

/// The bytes of a field's value, without the space before it and a comment behind it.
fn value_range(text: &str, front: &FrontMatter<'_>, field: &Field<'_>) -> Range<usize> {
    let whole = line_range(text, front, field);
    let first_line_end = text[whole.clone()]
        .find(['\r', '\n'])
        .map_or(whole.end, |at| whole.start + at);
    let line = &text[whole.start..first_line_end];
    let colon = colon_of(line);
    let raw = &line[colon + 1..];
    let start = whole.start + colon + 1 + (raw.len() - raw.trim_start().len());
    // A value that goes on below its line is replaced whole.
    let goes_on = text[first_line_end..whole.end]
        .trim()
        .lines()
        .next()
        .is_some();
    let end = if goes_on {
        whole.start + text[whole.clone()].trim_end().len()
    } else {
        first_line_end - comment_length(&text[start..first_line_end])
    };
    start.min(end)..end
}

/// Bytes of the comment and the white space at the end of a value.
fn comment_length(raw: &str) -> usize {
    let value = match raw.as_bytes().first() {
        Some(quote @ (b'"' | b'\'')) => {
            closed_quote(raw, *quote as char).map_or(raw.trim_end(), |end| &raw[..end])
        }
        Some(_) => raw.find(" #").map_or(raw, |at| &raw[..at]).trim_end(),
        None => "",
    };
    raw.len() - value.len()
}

/// The byte behind the quote that closes a value.
fn closed_quote(raw: &str, quote: char) -> Option<usize> {
    let mut chars = raw.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if quote == '"' && c == '\\' {
            chars.next();
        } else if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
                continue;
            }
            return Some(at + 1);
        }
    }
    None
}

/// The colon behind a line's key.
fn colon_of(line: &str) -> usize {
    let bytes = line.as_bytes();
    (0..bytes.len())
        .find(|&at| bytes[at] == b':' && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t')))
        .unwrap_or(line.len().saturating_sub(1))
}

/// The bytes of a field's lines: its own, and those that are indented deeper or are items of its list.
pub(super) fn line_range(text: &str, front: &FrontMatter<'_>, field: &Field<'_>) -> Range<usize> {
    let block_end = front.block.as_ref().map_or(0, |block| block.end);
    let mut rows = lines(&text[..block_end]).skip(field.line - 1);
    let Some(own) = rows.next() else {
        return block_end..block_end;
    };
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let own_indent = indent(own.text);
    let mut end = own.next;
    for row in rows {
        let item = own_indent == 0 && (row.text.starts_with("- ") || row.text == "-");
        let deeper = !row.text.trim().is_empty() && indent(row.text) > own_indent;
        if !item && !deeper {
            break;
        }
        end = row.next;
    }
    own.start..end
}

fn insert(text: &str, front: &FrontMatter<'_>, key: &str, value: &str) -> String {
    let line_break = markdown::line_break(text);
    let Some(block) = &front.block else {
        return format!("---{line_break}{key}: {value}{line_break}---{line_break}{text}");
    };
    let (at, indent) = match home_of(front, key) {
        Some(home) => {
            let last = front
                .fields
                .iter()
                .rfind(|field| field.under.as_deref() == Some(&home))
                .expect("it has fields");
            let range = line_range(text, front, last);
            let line = &text[range.clone()];
            (
                range.end,
                line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_string(),
            )
        }
        None => {
            let fence = lines(&text[..block.end])
                .last()
                .expect("a block has a closing fence");
            let above = front
                .fields
                .iter()
                .find(|field| field.under.is_some())
                .map(|field| parent_line(text, front, field));
            let at = match key {
                // They stand above what is nested.
                "name" | "description" => above.unwrap_or(fence.start),
                _ => fence.start,
            };
            (at, String::new())
        }
    };
    replace(text, at..at, &format!("{indent}{key}: {value}{line_break}"))
}

/// Where the line of the key above a nested field begins.
fn parent_line(text: &str, front: &FrontMatter<'_>, field: &Field<'_>) -> usize {
    let block_end = front.block.as_ref().map_or(0, |block| block.end);
    let above = lines(&text[..block_end]).take(field.line - 1);
    above
        .filter(|line| !line.text.starts_with([' ', '\t', '#']) && !line.text.trim().is_empty())
        .last()
        .map_or(0, |line| line.start)
}

/// A value as it must be written: in the quotes that stand there, else plain where that says the same.
fn quoted(value: &str, old: &str) -> String {
    let double = || {
        let escaped = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\t', "\\t");
        format!("\"{escaped}\"")
    };
    match old.as_bytes().first() {
        Some(b'"') => double(),
        Some(b'\'') => format!("'{}'", value.replace('\'', "''")),
        Some(_) | None if is_plain(value) => value.to_string(),
        Some(_) | None => double(),
    }
}

/// Whether a value can stand without quotes and is read as this very text, by YAML as well.
fn is_plain(value: &str) -> bool {
    let odd_start = value.starts_with([
        '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@',
        '`', ' ', '\t',
    ]);
    let flow = (value.starts_with('[') && value.ends_with(']')
        || value.starts_with('{') && value.ends_with('}'))
        && serde_yaml::from_str::<serde_yaml::Value>(value).is_ok()
        && !value.contains(['*', '&']);
    let inner = value.contains(": ")
        || value.contains(" #")
        || value.ends_with(':')
        || value.ends_with([' ', '\t']);
    let reserved = matches!(
        value.to_ascii_lowercase().as_str(),
        "" | "null" | "~" | "true" | "false" | ".nan" | ".inf" | "-.inf" | "+.inf"
    );
    let hidden = value.chars().any(char::is_control);
    (!odd_start || flow) && !inner && !reserved && !hidden
}

pub(super) fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Reads the edited text again: the field must say what was asked, every other field and the body
/// what they said.
fn verified(
    front: &FrontMatter<'_>,
    text: &str,
    edited: String,
    key: &str,
    under: Option<&str>,
    value: Option<&str>,
) -> Result<String> {
    let again = read(&edited);
    let others = |front: &FrontMatter<'_>| -> Vec<String> {
        let is_it = |field: &&Field<'_>| field.key == key && field.under.as_deref() == under;
        // The parent of a last nested field becomes a field without a value; that is no change.
        let is_empty_parent = |field: &&Field<'_>| field.under.is_none() && field.value.is_empty();
        front
            .fields
            .iter()
            .filter(|field| !is_it(field) && !is_empty_parent(field))
            .map(|field| format!("{:?} {} {}", field.under, field.key, field.value))
            .collect()
    };
    let said = again
        .fields
        .iter()
        .find(|field| field.key == key && field.under.as_deref() == under);
    let says_it = said.map(|field| &*field.value) == value;
    let body_stays = edited[again.body..] == text[front.body..];
    let worse = again.faults.len() > front.faults.len();
    match says_it && body_stays && !worse && others(front) == others(&again) {
        true => Ok(edited),
        false => Err(EditError::Unwritable {
            key: key.to_string(),
            why: "the text would not say it when it is read again",
        }),
    }
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
