//! A turn of the chat as JSON.

use serde::Serialize;

use crate::cli::chat::{InTerminal, said, word};
use crate::context::conversation::Entry;
use crate::context::request::Content;
use crate::store::diff;
use crate::turn::chat::{self, Chat};
use crate::turn::machine::End;

#[derive(Serialize)]
pub(super) struct TurnShape {
    session: String,
    model: String,
    /// What it said, call by call.
    text: String,
    end: &'static str,
    calls: Vec<CallShape>,
    proposals: Vec<ProposalShape>,
    usage: Option<UsageShape>,
}

#[derive(Serialize)]
struct CallShape {
    name: String,
    input: serde_json::Value,
    /// What came of it.
    result: Option<String>,
    is_error: bool,
}

#[derive(Serialize)]
struct ProposalShape {
    title: String,
    diff: String,
}

#[derive(Serialize)]
struct UsageShape {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
}

impl TurnShape {
    pub(super) fn of(chat: &Chat, first: usize, end: &End, onlooker: &InTerminal) -> Self {
        let new = &chat.entries[first..];
        let texts: Vec<String> = new
            .iter()
            .map(said)
            .filter(|text| !text.is_empty())
            .collect();
        let calls = chat::uses(new).map(|one| {
            let (result, is_error) = outcome(new, one.id);
            CallShape {
                name: one.name.to_string(),
                input: one.input.clone(),
                result,
                is_error,
            }
        });
        Self {
            session: chat.id.clone(),
            model: chat.session.params.model.clone(),
            text: texts.join("\n\n"),
            end: word(end),
            calls: calls.collect(),
            proposals: onlooker
                .proposals
                .iter()
                .map(|proposal| ProposalShape {
                    title: proposal.title.clone(),
                    diff: diff::of_set(&proposal.change_set(&chat.id)),
                })
                .collect(),
            usage: onlooker.usage.map(|usage| UsageShape {
                input: usage.input,
                output: usage.output,
                cache_read: usage.cache_read,
                cache_creation: usage.cache_creation,
            }),
        }
    }
}

/// What came of a call, and whether that is an error.
fn outcome(entries: &[Entry], of: &str) -> (Option<String>, bool) {
    let blocks = entries.iter().flat_map(|entry| match entry {
        Entry::Said { blocks, .. } => blocks.as_slice(),
        Entry::Attached { .. } | Entry::Boundary { .. } => &[],
    });
    let mut results = blocks.filter_map(|block| match &block.content {
        Content::ToolResult {
            id,
            result,
            is_error,
        } if id == of => Some((result, *is_error)),
        _ => None,
    });
    match results.next() {
        Some((result, is_error)) => (Some(result.shown().into_owned()), is_error),
        None => (None, false),
    }
}
