//! What tests of this room share: the recorded cases, and blocks in short.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content};
use crate::instructions::{Instruction, Layer, Role};

/// What the reference client was seen to send.
pub static CASES: LazyLock<Value> = LazyLock::new(|| {
    let text = std::fs::read_to_string(fixtures().join("requests.json")).expect("the cases");
    serde_json::from_str(&text).expect("JSON")
});

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/oracle")
}

pub fn transcript_bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("transcripts").join(name)).expect("a transcript")
}

pub fn transcript(name: &str) -> Vec<Value> {
    let bytes = transcript_bytes(name);
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

pub fn rule(path: &str, text: &str) -> Instruction {
    Instruction {
        path: path.into(),
        layer: Layer::Project,
        role: Role::Main,
        text: text.to_string(),
        imported_by: None,
    }
}

pub fn asked(text: &str) -> Piece {
    Piece::new(Kind::Prompt, Origin::Conversation, text)
}

pub fn answer(text: &str) -> Piece {
    Piece::new(Kind::Answer, Origin::Conversation, text)
}

pub fn used(id: &str, name: &str) -> Block {
    Block::new(Content::ToolUse {
        id: id.to_string(),
        name: name.to_string(),
        input: json!({"file_path": "/srv/proj/a.txt"}),
    })
}

pub fn result(id: &str, text: &str) -> Block {
    Block::new(Content::ToolResult {
        id: id.to_string(),
        result: Piece::new(Kind::ToolResult, Origin::Conversation, text),
        is_error: false,
    })
}
