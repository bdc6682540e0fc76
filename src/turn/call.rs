//! A tool call of the model, and what came of it. Knows no tool.

use serde_json::Value;

use crate::context::part::{Kind, Origin, Piece};

/// One call, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Its own in the conversation.
    pub id: String,
    pub name: String,
    /// A JSON object.
    pub input: Value,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Of the call.
    pub id: String,
    pub result: Piece,
    pub is_error: bool,
    /// What the call brought along: texts that are attached behind the results, each a reminder of its own.
    pub along: Vec<Vec<Piece>>,
    /// What a person reads of it: one line.
    pub told: String,
}

impl Outcome {
    /// The call was run.
    #[must_use]
    pub fn done(call: &Call, text: impl Into<String>, told: impl Into<String>) -> Self {
        Self {
            id: call.id.clone(),
            result: Piece::new(Kind::ToolResult, Origin::Conversation, text),
            is_error: false,
            along: Vec::new(),
            told: told.into(),
        }
    }

    /// The call was not run, and why.
    #[must_use]
    pub fn refused(call: &Call, why: impl Into<String>) -> Self {
        let why = why.into();
        Self {
            told: format!("{}: {why}", call.name),
            is_error: true,
            ..Self::done(call, why, "")
        }
    }
}
