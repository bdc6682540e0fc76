//! Secrets of a request: masked where it is built, so that what is previewed, sent, counted, kept and
//! exported are the same bytes. A pure step on blocks; what a secret is, is not decided here.

use serde_json::Value;

use crate::context::part::Text;
use crate::context::request::{Block, Content, Message};
use crate::safety::secret::{self, Allowed, Masked};

/// Kinds of blocks that a provider takes back only as it gave them.
const SIGNED: [&str; 2] = ["thinking", "redacted_thinking"];

/// Fields of a block whose texts are no text: bytes of a picture, what only the provider reads.
const OPAQUE: [&str; 4] = ["data", "signature", "encrypted_content", "id"];

/// Masks what is in messages.
pub fn mask_messages(messages: &mut [Message], allowed: &Allowed) {
    for message in messages {
        mask(&mut message.blocks, allowed);
    }
}

/// Masks what is in blocks. A block without a secret stays as it is.
pub fn mask(blocks: &mut [Block], allowed: &Allowed) {
    for block in blocks {
        match &mut block.content {
            Content::Text(pieces) | Content::Reminder(pieces) => {
                for piece in pieces {
                    mask_text(&mut piece.text, &mut piece.masked, allowed);
                }
            }
            Content::ToolResult { result, .. } => {
                mask_text(&mut result.text, &mut result.masked, allowed);
            }
            Content::ToolUse { input, .. } => mask_json(input, &mut block.masked, allowed),
            Content::Raw(value) => mask_raw(value, &mut block.masked, allowed),
        }
    }
}

fn mask_text(text: &mut Text, masked: &mut Vec<Masked>, allowed: &Allowed) {
    let Text::Known(known) = text else { return };
    if let Some((without, found)) = secret::masked(known, allowed) {
        *known = without;
        masked.extend(found);
    }
}

/// A name and its value stand apart in JSON: it is looked at as it is written, where they stand together.
fn mask_json(value: &mut Value, masked: &mut Vec<Masked>, allowed: &Allowed) {
    if let Some((without, found)) = secret::masked(&value.to_string(), allowed)
        && let Ok(without) = serde_json::from_str(&without)
    {
        *value = without;
        masked.extend(found);
    }
    // And what only shows itself unescaped.
    mask_texts(value, masked, allowed);
}

fn mask_raw(value: &mut Value, masked: &mut Vec<Masked>, allowed: &Allowed) {
    let kind = value.get("type").and_then(Value::as_str);
    if !kind.is_some_and(|kind| SIGNED.contains(&kind)) {
        mask_texts(value, masked, allowed);
    }
}

fn mask_texts(value: &mut Value, masked: &mut Vec<Masked>, allowed: &Allowed) {
    match value {
        Value::String(text) => {
            if let Some((without, found)) = secret::masked(text, allowed) {
                *text = without;
                masked.extend(found);
            }
        }
        Value::Array(items) => {
            for item in items {
                mask_texts(item, masked, allowed);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if !OPAQUE.contains(&name.as_str()) {
                    mask_texts(field, masked, allowed);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
