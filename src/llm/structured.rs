//! JSON in an answer that was asked for with a schema: read as it is, or out of the words and fences
//! around it; and of a list that was cut, the items that are whole. Nothing is mended.

use serde_json::Value;

use crate::llm::answer::Answer;

/// What of the JSON came.
#[derive(Debug, Clone, PartialEq)]
pub enum Structured {
    Whole(Value),
    /// It begins and does not end: its text.
    Cut(String),
    /// There is none: what was said instead.
    Missing(String),
}

/// The first JSON object or list in the text of an answer.
#[must_use]
pub fn read(answer: &Answer) -> Structured {
    find(&answer.text())
}

fn find(text: &str) -> Structured {
    for (at, _) in text.match_indices(['{', '[']) {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => return Structured::Whole(value),
            // What begins within one that was cut is a part of it.
            Some(Err(error)) if error.is_eof() => return Structured::Cut(text[at..].to_string()),
            Some(Err(_)) | None => {}
        }
    }
    Structured::Missing(text.trim().to_string())
}

/// The items of the list `key` that are whole in the text of an object that was cut.
#[must_use]
pub fn whole_items(cut: &str, key: &str) -> Vec<Value> {
    let Some(mut rest) = list(cut, key) else {
        return Vec::new();
    };
    let mut items = Vec::new();
    loop {
        rest = rest.trim_start();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else {
            return items;
        };
        let after = rest[values.byte_offset()..].trim_start();
        // A number at the very end may have been cut.
        let Some(next) = after.strip_prefix([',', ']']) else {
            if value.is_object() || value.is_array() || value.is_string() {
                items.push(value);
            }
            return items;
        };
        items.push(value);
        if after.starts_with(']') {
            return items;
        }
        rest = next;
    }
}

/// What follows the bracket of the list `key` at the top of an object.
fn list<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = object.trim_start().strip_prefix('{')?;
    loop {
        let mut names = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let name = names.next()?.ok()?;
        let value = rest[names.byte_offset()..].trim_start();
        let value = value.strip_prefix(':')?.trim_start();
        if name == key {
            return value.strip_prefix('[');
        }
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
        values.next()?.ok()?;
        let after = value[values.byte_offset()..].trim_start();
        rest = after.strip_prefix(',')?;
    }
}

#[cfg(test)]
#[path = "structured_tests.rs"]
mod tests;
