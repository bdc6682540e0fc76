//! The provider's cache: what of a request was there already, counted as the real one does, from the longest
//! beginning that a mark has kept and that a mark of this request can look back to.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::wire::Seen;

/// Blocks that are looked back from a mark.
const LOOKS_BACK: usize = 20;

#[derive(Default)]
pub struct Cache {
    kept: HashSet<u64>,
}

/// Tokens of one request's input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    pub read: u64,
    pub written: u64,
    pub fresh: u64,
}

struct Item {
    text: String,
    marked: bool,
}

impl Cache {
    pub fn count(&mut self, seen: &Seen, body: &Value) -> Counted {
        let items = items(body);
        let is_chat = seen.path.contains("chat");
        let mut hasher = DefaultHasher::new();
        let betas = seen.header("anthropic-beta");
        (
            body["model"].to_string(),
            body["thinking"].to_string(),
            betas,
        )
            .hash(&mut hasher);
        let mut prefixes = Vec::new();
        for item in &items {
            item.text.hash(&mut hasher);
            prefixes.push(hasher.finish());
        }
        // Those servers keep every beginning.
        let marks: Vec<usize> = (0..items.len())
            .filter(|at| items[*at].marked || is_chat)
            .collect();
        let back = if is_chat { items.len() } else { LOOKS_BACK };
        let hit = |mark: &usize| {
            let from = (mark + 1).saturating_sub(back);
            (from..=*mark)
                .rev()
                .find(|at| self.kept.contains(&prefixes[*at]))
        };
        let read = marks.iter().filter_map(hit).max().map_or(0, |at| at + 1);
        let end = marks.last().map_or(0, |mark| mark + 1);
        self.kept.extend(marks.iter().map(|mark| prefixes[*mark]));
        let tokens = |items: &[Item]| items.iter().map(|item| tokens_of(&item.text)).sum();
        match is_chat {
            true => Counted {
                read: tokens(&items[..read]),
                written: 0,
                fresh: tokens(&items[read..]),
            },
            false => Counted {
                read: tokens(&items[..read]),
                written: tokens(&items[read..end.max(read)]),
                fresh: tokens(&items[end.max(read)..]),
            },
        }
    }
}

/// Tokens of a request as it is counted when asked.
pub fn tokens(body: &Value) -> u64 {
    items(body).iter().map(|item| tokens_of(&item.text)).sum()
}

fn tokens_of(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(4)).unwrap()
}

/// Tools, blocks of `system`, blocks of messages, in the order of the cache.
fn items(body: &Value) -> Vec<Item> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut items: Vec<Item> = list(&body["tools"])
        .iter()
        .map(|tool| item("tool", tool))
        .collect();
    items.extend(
        blocks(&body["system"])
            .iter()
            .map(|block| item("system", block)),
    );
    for message in list(&body["messages"]) {
        let role = message["role"].as_str().unwrap_or_default();
        match message["content"].is_array() {
            true => items.extend(
                blocks(&message["content"])
                    .iter()
                    .map(|block| item(role, block)),
            ),
            false => items.push(item(role, &message)),
        }
    }
    items
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks.clone(),
        Value::Null => Vec::new(),
        text => vec![text.clone()],
    }
}

fn item(role: &str, block: &Value) -> Item {
    let mut block = block.clone();
    let mark = block
        .as_object_mut()
        .and_then(|fields| fields.remove("cache_control"));
    Item {
        text: format!("{role} {block}"),
        marked: mark.is_some(),
    }
}
