//! Requests, rebuilt from what newer clients record of them: a shape (system and tools), parameters, and
//! the messages by their hashes. A message that follows from the lines of the transcript is not recorded a
//! second time: it is known by its hash.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::entry::{Entry, Kind};
use super::lines::Lines;
use super::message::Block;
use super::recorded::whole;
use super::source::Source;

/// One request that was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub id: String,
    /// RFC 3339, in UTC.
    pub time: String,
    /// What asked: `sdk`, `compact`, …
    pub asked_by: String,
    /// The hashes of its messages, in their order.
    pub messages: Vec<String>,
    shape: String,
    params: Map<String, Value>,
    breakpoints: Vec<Breakpoint>,
}

impl Request {
    /// The model that was asked.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.params.get("model")?.as_str()
    }
}

/// Where the cache was told to end a part.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Breakpoint {
    path: Vec<Value>,
    value: Value,
}

/// The line of a request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    id: String,
    #[serde(default)]
    timestamp: String,
    #[serde(default)]
    query_source: String,
    #[serde(default)]
    shape_hash: String,
    #[serde(default)]
    params: Map<String, Value>,
    base: Option<String>,
    #[serde(default)]
    keep: usize,
    #[serde(default)]
    tail: Vec<String>,
    #[serde(default)]
    cache_control: Vec<Breakpoint>,
}

/// The requests of a transcript, and where their parts stand in it.
#[derive(Debug, Default)]
pub struct Requests {
    pub list: Vec<Request>,
    /// By the hash of a message: the lines that it is made of, or the one that records it.
    places: HashMap<String, Vec<Range<u64>>>,
    shapes: HashMap<String, Range<u64>>,
}

/// A request as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Rebuilt {
    pub body: Value,
    /// What is not in the transcript, a sentence each.
    pub missing: Vec<String>,
}

impl Requests {
    /// Reads them from a transcript of `end` bytes. Older clients record none.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Self> {
        let mut requests = Self::default();
        let mut said: Vec<Part> = Vec::new();
        let mut lines = Lines::new(source, 0..end);
        while let Some(line) = lines.next_line()? {
            let Ok(entry) = Entry::of_line(line.bytes) else {
                continue;
            };
            let range = line.range.clone();
            match entry.name.map(|name| name.raw) {
                Some(b"api-request") => requests.add(whole(source, range)?),
                Some(b"api-request-blob") => {
                    if let Some(hash) = entry.hash {
                        requests
                            .places
                            .insert(hash.read().into_owned(), vec![range]);
                    }
                }
                Some(b"api-request-shape") => {
                    if let Some(hash) = entry.shape_hash {
                        requests.shapes.insert(hash.read().into_owned(), range);
                    }
                }
                _ if entry.kind.is_message() && !entry.is_sidechain => {
                    said.push(Part::of(&entry, range));
                }
                _ => {}
            }
        }
        requests.find(source, &said)?;
        Ok(requests)
    }

    fn add(&mut self, value: Option<Value>) {
        let Some(Ok(recorded)) = value.map(serde_json::from_value::<Recorded>) else {
            return;
        };
        let base = recorded.base.and_then(|id| self.request(&id));
        let kept = base.map_or(&[][..], |base| &base.messages);
        let kept = &kept[..recorded.keep.min(kept.len())];
        self.list.push(Request {
            messages: kept.iter().cloned().chain(recorded.tail).collect(),
            id: recorded.id,
            time: recorded.timestamp,
            asked_by: recorded.query_source,
            shape: recorded.shape_hash,
            params: recorded.params,
            breakpoints: recorded.cache_control,
        });
    }

    /// The request with this id.
    #[must_use]
    pub fn request(&self, id: &str) -> Option<&Request> {
        self.list.iter().find(|request| request.id == id)
    }

    /// Whether a message is in the transcript.
    #[must_use]
    pub fn has(&self, hash: &str) -> bool {
        self.places.contains_key(hash)
    }

    /// Finds the messages that are not recorded among those that the lines make.
    fn find<S: Source + ?Sized>(&mut self, source: &S, said: &[Part]) -> io::Result<()> {
        let hashes = self.list.iter().flat_map(|request| &request.messages);
        let mut wanted: HashSet<&String> = hashes.filter(|hash| !self.has(hash)).collect();
        let mut found = Vec::new();
        for ranges in candidates(said) {
            if wanted.is_empty() {
                break;
            }
            let Some(message) = merged(source, &ranges)? else {
                continue;
            };
            let hash = hash(&message);
            if wanted.remove(&hash) {
                found.push((hash, ranges));
            }
        }
        self.places.extend(found);
        Ok(())
    }

    /// A request as it was sent, as far as the transcript holds it.
    ///
    /// # Errors
    /// As the system says.
    pub fn rebuild<S: Source + ?Sized>(
        &self,
        source: &S,
        request: &Request,
    ) -> io::Result<Rebuilt> {
        let mut missing = Vec::new();
        let mut body = request.params.clone();
        let shape = match self.shapes.get(&request.shape) {
            Some(range) => whole(source, range.clone())?,
            None => None,
        };
        match shape.as_ref().and_then(|line| line["shape"].as_object()) {
            Some(shape) => body.extend(shape.clone()),
            None => missing.push(format!("system and tools (shape {})", request.shape)),
        }
        let mut messages = Vec::with_capacity(request.messages.len());
        for (index, hash) in request.messages.iter().enumerate() {
            let message = match self.places.get(hash) {
                Some(ranges) => merged(source, ranges)?,
                None => None,
            };
            if message.is_none() {
                missing.push(format!("message {index} (hash {hash})"));
            }
            messages.push(message.unwrap_or(Value::Null));
        }
        body.insert("messages".to_string(), Value::Array(messages));
        let mut body = Value::Object(body);
        for breakpoint in &request.breakpoints {
            let place = place(&mut body, &breakpoint.path).and_then(Value::as_object_mut);
            if let Some(block) = place {
                block.insert("cache_control".to_string(), breakpoint.value.clone());
            }
        }
        Ok(Rebuilt { body, missing })
    }
}

/// What stands at the end of a path of keys and numbers.
fn place<'v>(value: &'v mut Value, path: &[Value]) -> Option<&'v mut Value> {
    let mut at = value;
    for step in path {
        at = match step {
            Value::String(key) => at.get_mut(key)?,
            step => at.get_mut(usize::try_from(step.as_u64()?).ok()?)?,
        };
    }
    Some(at)
}

/// A line that is a message, or a part of one.
#[derive(Debug)]
struct Part {
    range: Range<u64>,
    kind: Kind,
    id: Option<String>,
    is_result: bool,
}

impl Part {
    fn of(entry: &Entry<'_>, range: Range<u64>) -> Self {
        let is_result = |block: &Block<'_>| matches!(block, Block::ToolResult { .. });
        Self {
            range,
            kind: entry.kind,
            id: entry.message.id.map(|id| id.read().into_owned()),
            is_result: entry.message.blocks.first().is_some_and(is_result),
        }
    }
}

/// The messages that lines make: those of one id are one, and so are results that stand side by side.
fn candidates(said: &[Part]) -> Vec<Vec<Range<u64>>> {
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    let mut messages: Vec<Vec<Range<u64>>> = Vec::new();
    let mut run: Option<usize> = None;
    for part in said {
        let known = match (part.kind, &part.id) {
            (Kind::Assistant, Some(id)) => by_id.get(&**id).copied(),
            _ if part.is_result => run,
            _ => None,
        };
        let at = known.unwrap_or_else(|| {
            messages.push(Vec::new());
            messages.len() - 1
        });
        messages[at].push(part.range.clone());
        if let (Kind::Assistant, Some(id)) = (part.kind, &part.id) {
            by_id.insert(id, at);
        }
        run = part.is_result.then_some(at);
    }
    messages
}

/// The message of some lines: its role and all their blocks.
fn merged<S: Source + ?Sized>(source: &S, ranges: &[Range<u64>]) -> io::Result<Option<Value>> {
    let mut role = Value::Null;
    let mut content = Vec::new();
    for range in ranges {
        let Some(mut line) = whole(source, range.clone())? else {
            return Ok(None);
        };
        let mut message = line["message"].take();
        role = message["role"].take();
        match message["content"].take() {
            Value::Array(blocks) => content.extend(blocks),
            Value::String(text) => content.push(json!({"type": "text", "text": text})),
            _ => return Ok(None),
        }
    }
    Ok(Some(json!({"role": role, "content": content})))
}

/// The hash of a message: its JSON without blanks, its keys in order, without marks for the cache.
fn hash(message: &Value) -> String {
    let bytes = Sha256::digest(bare(message).to_string());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bare(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let members = map.iter().filter(|(key, _)| *key != "cache_control");
            members
                .map(|(key, value)| (key.clone(), bare(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod tests;
