//! What a transcript holds of the texts that were really sent: the rendered block of instructions, from
//! which its wrapper is learnt, so that a new version is followed without a release of ours; and the
//! client's announcements and system prompt. Evidence is the kind of a line, never a text found in it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::context::observed::block::Sent;
use crate::context::observed::data::{Labels, Wrapper};
use crate::context::observed::slot::Slot;
use crate::context::part::Kind;
use crate::context::tokens;

const OPEN: &str = "<system-reminder>\n";
const CLOSE: &str = "\n</system-reminder>";

/// What one transcript holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recorded {
    /// The client's version, of the last line that names one.
    pub version: Option<String>,
    /// The model of the last answer.
    pub model: Option<String>,
    /// The text around instructions, where the transcript shows it whole.
    pub wrapper: Option<Wrapper>,
    /// The files that the session began with, or began anew with after a compaction.
    pub files: Vec<Sent>,
    /// The client's own texts, without the tags of a reminder.
    pub texts: BTreeMap<Slot, String>,
    /// The system prompt, part by part.
    pub system_prompt: Vec<String>,
    /// The first request that the provider counted.
    pub first: Option<First>,
    /// Tokens of what was asked until then, an estimate.
    pub asked: usize,
}

/// The first request of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct First {
    /// Input tokens in all, by the provider: read from the cache, written to it and neither.
    pub tokens: usize,
    pub model: String,
    /// The client's version that sent it.
    pub version: Option<String>,
    /// The files that it carried; empty where they are not recorded.
    pub files: Vec<Sent>,
    /// Tokens of what the person asked with it, an estimate.
    pub asked: usize,
}

impl Recorded {
    /// Reads the lines of a transcript, in their order. What is no JSON is passed over. `known` is the
    /// wrapper that stands in for what the lines don't show.
    #[must_use]
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a [u8]>, known: &Wrapper) -> Self {
        let mut recorded = Self::default();
        for line in lines {
            if let Ok(value) = serde_json::from_slice::<Value>(line) {
                recorded.take(&value, known);
            }
        }
        recorded
    }

    fn take(&mut self, line: &Value, known: &Wrapper) {
        if let Some(version) = line["version"].as_str() {
            self.version = Some(version.to_string());
        }
        match line["type"].as_str() {
            Some("assistant") => {
                let model = line["message"]["model"].as_str();
                if let Some(model) = model.filter(|name| !name.starts_with('<')) {
                    self.model = Some(model.to_string());
                    self.take_usage(line, model);
                }
            }
            Some("user") if self.first.is_none() && line["isSidechain"] != Value::Bool(true) => {
                self.asked += asked(&line["message"]["content"]);
            }
            Some("attachment") => self.take_attachment(line, known),
            Some("api-request-shape") => {
                if let Some(identity) = line["shape"]["system"][0]["text"].as_str() {
                    self.texts.insert(Slot::Identity, identity.to_string());
                }
            }
            Some(_) | None => {}
        }
    }

    fn take_usage(&mut self, line: &Value, model: &str) {
        if self.first.is_some() || line["isSidechain"] == Value::Bool(true) {
            return;
        }
        let usage = &line["message"]["usage"];
        let counts = [
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
        ];
        let counts = counts.iter().filter_map(|count| usage[count].as_u64());
        let tokens = usize::try_from(counts.fold(0, u64::saturating_add)).unwrap_or(usize::MAX);
        if tokens > 0 {
            self.first = Some(First {
                tokens,
                model: model.to_string(),
                version: self.version.clone(),
                files: self.files.clone(),
                asked: self.asked,
            });
        }
    }

    fn take_attachment(&mut self, line: &Value, known: &Wrapper) {
        let attachment = &line["attachment"];
        let rendered = rendered(line);
        let slot = match attachment["type"].as_str() {
            Some("instructions") => {
                if attachment["changed"] != Value::Bool(true) {
                    let files = files(attachment);
                    let learnt = rendered.and_then(|text| learn(&text, &files, known));
                    let labels = learnt
                        .as_ref()
                        .map_or(&known.labels, |wrapper| &wrapper.labels);
                    self.files = files.iter().map(|file| file.sent(labels)).collect();
                    self.wrapper = learnt;
                }
                return;
            }
            Some("prompt_snapshot") => {
                let parts = attachment["systemPrompt"].as_array();
                let parts = parts.into_iter().flatten();
                self.system_prompt = parts
                    .filter_map(Value::as_str)
                    .map(str::to_string)
                    .collect();
                return;
            }
            Some("environment") => Slot::Environment,
            Some("model") => Slot::Model,
            Some("deferred_tools_delta") => Slot::DeferredTools,
            Some("agent_listing_delta") => Slot::Agents,
            Some("skill_listing") => Slot::Skills,
            Some("auto_mode") => Slot::AutoMode,
            Some("remote_session_change") => Slot::Attribution,
            Some(_) | None => return,
        };
        if let Some(text) = rendered {
            let inner = text
                .strip_prefix(OPEN)
                .and_then(|text| text.strip_suffix(CLOSE));
            self.texts.insert(slot, inner.unwrap_or(&text).to_string());
        }
    }
}

/// Tokens of what a line of the person's says.
fn asked(content: &Value) -> usize {
    match content {
        Value::String(text) => tokens::estimate(text),
        _ => {
            let blocks = content.as_array().into_iter().flatten();
            let texts = blocks.filter_map(|block| block["text"].as_str());
            texts.map(tokens::estimate).sum()
        }
    }
}

/// A file of an `instructions` attachment.
struct File<'a> {
    path: &'a str,
    layer: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn label<'a>(&self, labels: &'a Labels) -> &'a str {
        match self.layer {
            "Managed" => &labels.managed,
            "User" => &labels.user,
            "Local" => &labels.local,
            "AutoMem" => &labels.index,
            _ => &labels.project,
        }
    }

    fn sent(&self, labels: &Labels) -> Sent {
        Sent {
            path: self.path.into(),
            label: self.label(labels).to_string(),
            text: self.text.to_string(),
            kind: match self.layer {
                "AutoMem" => Kind::Index,
                _ => Kind::Rule,
            },
        }
    }
}

fn files(attachment: &Value) -> Vec<File<'_>> {
    let list = attachment["files"].as_array();
    list.into_iter()
        .flatten()
        .filter_map(|value| {
            Some(File {
                path: value["path"].as_str()?,
                layer: value["type"].as_str()?,
                text: value["content"].as_str()?,
            })
        })
        .collect()
}

/// The text of an attachment as it was sent, if the line holds it in one piece.
fn rendered(line: &Value) -> Option<String> {
    match line["rendered"].as_array()?.as_slice() {
        [one] => one["content"].as_str().map(str::to_string),
        _ => None,
    }
}

/// What stands around the files in a rendered block. `None` where it can't be told for certain.
fn learn(rendered: &str, files: &[File<'_>], known: &Wrapper) -> Option<Wrapper> {
    let mut gaps = Vec::new();
    let mut rest = rendered;
    for file in files {
        // The path first: a short body may stand in the text before it.
        let path = rest.find(file.path)?;
        let behind = path + file.path.len();
        let body = behind + rest[behind..].find(":\n\n")? + ":\n\n".len();
        let after = rest[body..].strip_prefix(file.text)?;
        gaps.push((&rest[..path], &rest[behind..body]));
        rest = after;
    }
    let (first, _) = *gaps.first()?;
    // Between two files stands what parts them and how a line begins, which is what both gaps end with;
    // with one file alone it begins as is known.
    let head = match gaps.get(1) {
        Some((gap, _)) => common_end(first, gap).trim_start_matches('\n'),
        None => known.entry.split("{path}").next()?,
    };
    let opening = first.strip_suffix(head)?;
    let between = match gaps.get(1) {
        Some((gap, _)) => gap.strip_suffix(head)?,
        None => &known.between,
    };
    if gaps[1..]
        .iter()
        .any(|(gap, _)| gap.strip_suffix(head) != Some(between))
    {
        return None;
    }
    let mut labels = known.labels.clone();
    for (file, (_, line)) in files.iter().zip(&gaps) {
        let label = line.strip_prefix(" (")?.strip_suffix("):\n\n")?;
        let place = match file.layer {
            "Managed" => &mut labels.managed,
            "User" => &mut labels.user,
            "Local" => &mut labels.local,
            "AutoMem" => &mut labels.index,
            _ => &mut labels.project,
        };
        *place = label.to_string();
    }
    Some(Wrapper {
        opening: opening.to_string(),
        entry: format!("{head}{{path}} ({{label}}):\n\n"),
        between: between.to_string(),
        closing: rest.to_string(),
        labels,
    })
}

/// The longest text that both end with.
fn common_end<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(|(a, b)| a == b);
    let length: usize = same.map(|(c, _)| c.len_utf8()).sum();
    &one[one.len() - length..]
}

#[cfg(test)]
#[path = "recorded_tests.rs"]
mod tests;
