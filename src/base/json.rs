//! The members of a JSON object by their places in its text, and one of them set: all else stays byte
//! by byte, the order of the keys, the indentation, the line breaks, the end of the file. Knows nothing
//! of what the object is for.

pub mod reader;

use std::ops::Range;

use serde_json::{Map, Value};

use crate::base::json::reader::Json;

/// Why a member can't be set: the end of a sentence that begins with the file.
#[derive(Debug, thiserror::Error)]
pub enum JsonEditError {
    #[error("is no JSON ({0}): mend it by hand first")]
    NotJson(serde_json::Error),
    #[error("holds no JSON object: mend it by hand first")]
    NoObject,
    #[error("can't be edited without a change to the rest of it: edit it by hand")]
    NotClean,
}

/// An object in its text. All ranges are bytes of the whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members {
    /// What stands between its braces.
    pub inside: Range<usize>,
    pub members: Vec<Member>,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its key, the quotes included.
    pub key: Range<usize>,
    pub value: Range<usize>,
}

/// The object that begins at `from`, after blanks; `None`: there is none, or it is no JSON up to its end.
#[must_use]
pub fn members(bytes: &[u8], from: usize) -> Option<Members> {
    let rest = bytes.get(from..)?;
    let open = from + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let mut json = Json::new(&bytes[open..]);
    let mut members = Vec::new();
    let is_object = json.object(|json, key| {
        let value = json.skip()?;
        members.push(Member {
            // The quotes are not part of what it says.
            key: open + key.at - 1..open + key.at + key.raw.len() + 1,
            value: open + value.start..open + value.end,
        });
        Ok(())
    });
    is_object.ok()?.then(|| Members {
        inside: open + 1..open + json.at() - 1,
        members,
    })
}

/// The text with one member of its outermost object set. A blank text becomes an object of its own.
///
/// # Errors
/// A text that is no JSON object. What comes out is read again: it says what it said, and what was asked.
pub fn set_member(text: &str, key: &str, value: &Value) -> Result<String, JsonEditError> {
    let bare = text.trim_start_matches('\u{FEFF}');
    let bom = &text[..text.len() - bare.len()];
    let (before, after) = match bare.trim().is_empty() {
        true => {
            let fresh = format!("{{\n  {}: {value}\n}}\n", Value::from(key));
            (Map::new(), fresh)
        }
        false => (
            object(bare)?,
            edited(bare, key, value).ok_or(JsonEditError::NotClean)?,
        ),
    };
    let mut wanted = before;
    wanted.insert(key.to_string(), value.clone());
    match object(&after) {
        Ok(found) if found == wanted => Ok(format!("{bom}{after}")),
        Ok(_) | Err(_) => Err(JsonEditError::NotClean),
    }
}

fn object(text: &str) -> Result<Map<String, Value>, JsonEditError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(JsonEditError::NoObject),
        Err(error) => Err(JsonEditError::NotJson(error)),
    }
}

fn edited(text: &str, key: &str, value: &Value) -> Option<String> {
    let Members { inside, members } = members(text.as_bytes(), 0)?;
    // Of a key that is there twice the last one counts.
    let named = |member: &&Member| {
        serde_json::from_str::<String>(&text[member.key.clone()]).is_ok_and(|name| name == key)
    };
    if let Some(member) = members.iter().rev().find(named) {
        let Range { start, end } = member.value;
        return Some(format!("{}{value}{}", &text[..start], &text[end..]));
    }
    let name = Value::from(key);
    let Some(last) = members.last() else {
        let line_break = crate::base::markdown::line_break(text);
        let filled = format!("{line_break}  {name}: {value}{line_break}");
        return Some(format!(
            "{}{filled}{}",
            &text[..inside.start],
            &text[inside.end..]
        ));
    };
    let blank = |byte: char| byte.is_ascii_whitespace();
    let lead = text[..last.key.start].trim_end_matches(blank).len();
    let lead = &text[lead..last.key.start];
    let colon = &text[last.key.end..last.value.start];
    let (front, back) = text.split_at(last.value.end);
    Some(format!("{front},{lead}{name}{colon}{value}{back}"))
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
