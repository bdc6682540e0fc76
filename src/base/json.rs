//! One member of a JSON object, set in its text: all else stays byte by byte, the order of the keys,
//! the indentation, the line breaks, the end of the file. Knows nothing of what the object is for.

use std::ops::Range;

use serde_json::{Map, Value};

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

/// A member of the outermost object: where its key stands, quotes included, and its value.
struct Member {
    /// Where the blank before the key begins.
    lead: usize,
    key: Range<usize>,
    value: Range<usize>,
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
    let (open, close, members) = members(text)?;
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
        let inside = format!("{line_break}  {name}: {value}{line_break}");
        return Some(format!("{}{inside}{}", &text[..=open], &text[close..]));
    };
    let lead = &text[last.lead..last.key.start];
    let colon = &text[last.key.end..last.value.start];
    let (front, back) = text.split_at(last.value.end);
    Some(format!("{front},{lead}{name}{colon}{value}{back}"))
}

/// The outermost object of a text that is JSON: where its braces stand, and its members.
fn members(text: &str) -> Option<(usize, usize, Vec<Member>)> {
    let bytes = text.as_bytes();
    let skip = |from: usize| {
        let rest = bytes.get(from..)?;
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        Some(from + blank.count())
    };
    let open = skip(0)?;
    let mut members = Vec::new();
    let mut lead = open + 1;
    loop {
        let start = skip(lead)?;
        match bytes.get(start)? {
            b'}' => return Some((open, start, members)),
            b'"' => {}
            _ => return None,
        }
        let end = end_of(bytes, start)?;
        let colon = skip(end)?;
        let value = skip(colon + 1)?;
        let value_end = end_of(bytes, value)?;
        members.push(Member {
            lead,
            key: start..end,
            value: value..value_end,
        });
        let next = skip(value_end)?;
        match bytes.get(next)? {
            b',' => lead = next + 1,
            b'}' => return Some((open, next, members)),
            _ => return None,
        }
    }
}

/// Where a value ends that begins at `start`.
fn end_of(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at += 1;
                while *bytes.get(at)? != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {
                // A number or a word: it goes on to what can't be in it.
                let rest = bytes.get(at + 1)?;
                let goes_on = !matches!(rest, b',' | b'}' | b']') && !rest.is_ascii_whitespace();
                if depth > 0 || goes_on {
                    at += 1;
                    continue;
                }
            }
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
