//! What one has to know to read a preview right: sentences on what was not observed or not
//! recorded.

use super::gather::Source;
use super::{Asked, Layout, Moment};
use crate::context::memory_prompt::Recall;
use crate::context::observed::slot::Slot;
use crate::context::part::{self, Kind, Origin, Part, Text};
use crate::context::request::{Block, Request};

/// What is said where memories are fetched for a question.
pub const BY_WORDS: &str = "prefetch: the index is not sent; what fits the question is attached, chosen by words here: a \
                            preview asks no model, which would choose from the same list";
pub const NO_QUESTION: &str = "there is no question yet: type one to see what it brings along";

/// The sentences on a request.
pub fn of(source: &Source, asked: &Asked, request: &Request) -> Vec<String> {
    let mut notes = Vec::new();
    if asked.switches.layout == Layout::Ours {
        if asked.switches.moment == Moment::Resumed {
            notes.push(
                "our own chat goes on with a session as it was begun: this is what a new one begins with".to_string(),
            );
        }
        notes.extend(masked(source, request));
        return notes;
    }
    notes.extend(source.version.note.clone());
    let pieces = request.blocks().flat_map(Block::pieces);
    let lacking = pieces.filter(|piece| {
        !matches!(piece.kind, Kind::Summary | Kind::ToolResult | Kind::Note)
            && matches!(piece.text, Text::NotRecorded { .. })
    });
    let lacking = lacking
        .filter(|piece| piece.origin == Origin::Client)
        .count();
    if lacking > 0 {
        notes.push(format!(
            "{lacking} of the client's own texts are not recorded: what is known of them is how long they once were"
        ));
    }
    for (at, message) in request.messages.iter().enumerate() {
        if message.blocks.is_empty() {
            let role = message.role.word();
            notes.push(format!(
                "messages[{at}] {role} is sent without blocks, as was observed"
            ));
        }
    }
    if asked.switches.moment == Moment::Compacted {
        notes.push("the summary is not written yet: it is not counted, nor is what a compaction keeps of the conversation".to_string());
        let compacted = &source.version.layout.compacted;
        let opens = compacted.first();
        if opens.is_some_and(|line| line.has(Slot::Summary) && !line.has(Slot::Instructions)) {
            notes.push("an end of the conversation is kept here, and the rules come after it; where none is kept, 2.1.332 was seen to begin with rules, attribution and summary in one message".to_string());
        }
    }
    if asked.switches.moment == Moment::Resumed {
        if source.recorded.files.is_empty() {
            notes.push("the newest transcript does not hold the files that its session began with: they are shown as they are now".to_string());
        }
        notes.push("what was said in that session is not shown".to_string());
    }
    if asked.switches.recall == Recall::Prefetch {
        notes.push("prefetching memories was not observed: the index is sent".to_string());
    }
    notes
}

/// The secrets that are masked, each part's with its file and its line there.
fn masked(source: &Source, request: &Request) -> Vec<String> {
    let mut notes = Vec::new();
    for part in part::parts(request, None) {
        let Some(first) = part.masked.first() else {
            continue;
        };
        let place = match &part.path {
            None => format!("the {}", part.kind.word().replace('_', " ")),
            Some(path) => match file_line(source, &part, first.line) {
                Some(line) => format!("{}:{line}", path.display()),
                None => path.display().to_string(),
            },
        };
        let (many, what) = match part.masked.len() {
            1 => ("1 secret is masked".to_string(), String::new()),
            many => (
                format!("{many} secrets are masked"),
                ", the first".to_string(),
            ),
        };
        notes.push(format!(
            "{many} in the request{what} in {place}: {}",
            first.kind.name()
        ));
    }
    notes
}

/// The line of a part's file for one of its text; `None`: it stands as it is nowhere in the file.
fn file_line(source: &Source, part: &Part, line: usize) -> Option<usize> {
    match part.kind {
        Kind::Index => {
            let (_, loaded) = source.index.as_ref()?;
            Some(loaded.file_line(line))
        }
        Kind::ToolResult => Some(line),
        _ => {
            let lines = source.instructions.lines.get(part.path.as_ref()?)?;
            lines.get(line.checked_sub(1)?).copied()
        }
    }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
