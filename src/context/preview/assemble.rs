//! A request out of what was gathered, by the builder that is asked for, and all that is told of it.

use serde_json::json;

use super::gather::Source;
use super::read_file::ReadFile;
use super::running::sent_now;
use super::{
    Around, Asked, Layout, Moment, Preview, Shown, agent, anchor, fate, missing, money, notes,
    observed_model, of_ours,
};
use crate::context::observed::block;
use crate::context::observed::models::{self, Circumstances};
use crate::context::observed::{self, Given, Restored, Sent, Stage};
use crate::context::part::{self, Kind, Origin, Part, Piece};
use crate::context::request::{Block, Content, Message, Request, Role};
use crate::context::tokens;
use crate::instructions::Attached;

/// The id of the tool's use that the first file to be read is shown with; those of others have their number.
const READ_ID: &str = "toolu_preview";

/// Puts a preview together.
pub fn preview(source: &Source, around: &Around, asked: &Asked) -> Preview {
    let ours = (asked.switches.layout == Layout::Ours && !around.ours.model.is_empty())
        .then(|| around.ours.model.clone());
    let model = asked
        .switches
        .model
        .clone()
        .or(ours)
        .or_else(|| source.recorded.model.clone())
        .unwrap_or_else(|| observed_model().to_string());
    let mut notes = source.notes.clone();
    let (request, rules_block) = match (&asked.switches.layout, &source.agent) {
        (Layout::Observed(_), Some(agent)) => {
            notes.extend(agent.notes(source));
            agent::request(source, asked, agent, &model, read_of_observed(source))
        }
        (Layout::Ours, _) => {
            let request = of_ours::request(source, around, asked, &model);
            let block = rules_block(&request);
            (request, block)
        }
        (Layout::Observed(_), None) => of_observed(source, asked, &model),
    };
    if let Some(edited) = &source.edited {
        notes.extend(match asked.switches.moment {
            Moment::New => edited.notes(source, asked, &model),
            Moment::Resumed | Moment::Compacted => vec![format!(
                "{} is read anew at this moment: that it was edited is not told beside it",
                edited.path.display()
            )],
        });
    }
    notes.extend(notes::of(source, asked, &request));
    notes.extend(around.faults.iter().cloned());
    let is_ours = asked.switches.layout == Layout::Ours;
    let mut parts = part::parts(&request, None);
    mark_cached(&mut parts);
    let agent = source.agent.as_ref().filter(|_| !is_ours);
    let estimated = tokens::total(&request, None);
    let anchored = anchor::of(source, asked, &model, &parts, estimated.tokens);
    notes.extend(anchored.sentence());
    let (total, anchor) = anchored.total(estimated);
    let lacks = request.params.tools.is_empty() || parts.iter().any(|part| part.tokens.is_none());
    let cut = missing::cut(source, asked, &parts);
    let window = window(source, around, asked, &model);
    notes.extend(window.unknown.clone());
    let fresh = parts.iter().filter(|part| !part.cached);
    let fresh = fresh.filter_map(|part| part.tokens).sum();
    Preview {
        money: money::of(
            &around.prices,
            &model,
            (total.tokens, fresh),
            &parts,
            asked.switches.turns,
        ),
        picks: source.picks.clone(),
        asked: asked.clone(),
        memory_folder: source.memory_folder.clone(),
        rules_block,
        observed: (!is_ours).then(|| Shown {
            version: source.version.name.clone(),
            guessed: source.guessed,
        }),
        model,
        tokens: total.tokens,
        at_least: lacks && anchor.is_none(),
        anchor,
        exact: total.exact,
        window: window.tokens,
        is_window_known: window.unknown.is_none(),
        compacts: (!is_ours).then_some(window.compacts),
        cut_at_start: missing::cut_at_start(cut.as_ref(), &parts),
        cut,
        agent: agent.map(|agent| agent.shown(&parts)),
        agents: source.agents.clone(),
        unread: source.unread().collect(),
        left_out: missing::left_out(source),
        not_imports: missing::not_imports(source),
        // After a compaction it is told with the fates.
        waiting: match asked.switches.moment {
            Moment::Compacted => Vec::new(),
            Moment::New | Moment::Resumed => missing::waiting(source),
        },
        fates: match asked.switches.moment {
            Moment::Compacted => fate::all(source, asked),
            Moment::New | Moment::Resumed => Vec::new(),
        },
        difference: None,
        request,
        parts,
        notes,
    }
}

/// The window of the model, and when a conversation is compacted.
fn window(source: &Source, around: &Around, asked: &Asked, model: &str) -> models::Window {
    let circumstances = Circumstances {
        vars: &source.standing.vars,
        off_by_setting: source.standing.compact_off.as_deref(),
    };
    match asked.switches.layout {
        Layout::Ours => of_ours::window(source, around, model),
        Layout::Observed(_) => models::window(source.version, model, circumstances),
    }
}

/// Says of each part whether a later turn finds it in the cache. What only stands around a text goes with it: it is
/// new where what it follows in its block is, or what it leads to.
fn mark_cached(parts: &mut [Part]) {
    let is_text = |part: &Part| part.kind != Kind::Wrapper;
    let all: Vec<bool> = (0..parts.len())
        .map(|at| {
            let part = &parts[at];
            if is_text(part) {
                return stands(part);
            }
            let is_beside = |one: &&Part| one.place == part.place;
            let before = parts[..at].iter().rev().take_while(is_beside);
            let after = parts[at + 1..].iter().take_while(is_beside);
            let mut around = before.filter(|one| is_text(one)).take(1);
            let mut leads_to = after.filter(|one| is_text(one)).take(1);
            around.all(stands) && leads_to.all(stands)
        })
        .collect();
    for (part, cached) in parts.iter_mut().zip(all) {
        part.cached = cached;
    }
}

/// Whether a later turn finds a text in the cache: all that stands before what is said in this one.
fn stands(part: &Part) -> bool {
    match part.kind {
        Kind::Prompt
        | Kind::Answer
        | Kind::ToolUse
        | Kind::ToolResult
        | Kind::Nested
        | Kind::Changed
        | Kind::Recalled
        | Kind::Note
        | Kind::Raw => false,
        Kind::Wrapper
        | Kind::Billing
        | Kind::Identity
        | Kind::Tools
        | Kind::SystemPrompt
        | Kind::MemoryRules
        | Kind::Environment
        | Kind::Rule
        | Kind::Index
        | Kind::AgentIndex
        | Kind::GitStatus
        | Kind::Date
        | Kind::Attribution
        | Kind::Model
        | Kind::DeferredTools
        | Kind::Agents
        | Kind::Skills
        | Kind::Announcements
        | Kind::Budget
        | Kind::Summary
        | Kind::SummaryPrompt
        | Kind::Command
        | Kind::ReadCall
        | Kind::ReadResult => true,
    }
}

/// What a stage of a session is made from.
struct Material {
    /// The file that is read, with its tool's use.
    read: Vec<Message>,
    restored: Vec<Restored>,
    /// What a compaction keeps of the conversation.
    tail: [Message; 1],
    /// The files that a session began with of which one was edited since.
    began: Vec<Sent>,
}

impl Material {
    fn of(source: &Source, read: Vec<Message>) -> Self {
        let restored = source.read.iter().filter_map(|read| {
            Some(Restored {
                path: read.path.clone(),
                text: read.text.clone().ok()?,
            })
        });
        // It is one answer at least.
        let kept = Piece {
            origin: Origin::Conversation,
            ..Piece::not_recorded(Kind::Answer, None)
        };
        let kept = Block::text(kept.labelled("the end that is kept"));
        let edited = source.edited.as_ref();
        let began = edited.map(|edited| edited.at_start(source, sent_now(source)));
        Self {
            read,
            restored: restored.collect(),
            tail: [Message::new(Role::Assistant, vec![kept])],
            began: began.unwrap_or_default(),
        }
    }

    /// The stage that is asked for, and what is asked at its end.
    fn stage<'a>(
        &'a self,
        source: &'a Source,
        asked: &Asked,
        prompt: Option<&'a str>,
    ) -> (Stage<'a>, Option<&'a str>) {
        let files = Some(source.recorded.files.as_slice()).filter(|files| !files.is_empty());
        let later = |first_prompt, conversation, at_start, resumed| Stage::Later {
            first_prompt,
            conversation,
            at_start,
            resumed,
        };
        match asked.switches.moment {
            Moment::Compacted => {
                let stage = Stage::Compacted {
                    summary: "",
                    tail: &self.tail,
                    restored: &self.restored,
                    commands: &[],
                    resumed: false,
                };
                (stage, prompt)
            }
            Moment::Resumed => (later("", &[], files, true), prompt),
            Moment::New if source.edited.is_some() => {
                (later("", &self.read, Some(&self.began), false), prompt)
            }
            Moment::New if !self.read.is_empty() => {
                let first = prompt.unwrap_or_default();
                (later(first, &self.read, None, false), None)
            }
            Moment::New => (Stage::First, prompt),
        }
    }
}

fn of_observed(source: &Source, asked: &Asked, model: &str) -> (Request, String) {
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path, loaded.sent()));
    let prompt = asked
        .switches
        .prompt
        .as_deref()
        .filter(|prompt| !prompt.trim().is_empty());
    let read = read_of_observed(source);
    let material = Material::of(source, read);
    let told = source.edited.as_ref().filter(|edited| {
        asked.switches.moment == Moment::New && edited.is_changed() && edited.was_seen()
    });
    let (stage, prompt) = material.stage(source, asked, prompt);
    let given = Given {
        version: source.version,
        model,
        recorded: &source.recorded,
        instructions: &source.instructions.entries,
        index: index
            .as_ref()
            .map(|(path, text)| (path.as_path(), text.as_str())),
        date: &source.date,
        git: source.git,
        memory_prompt_moved: false,
        memory_off: source.memory_off,
        edited: told.map(|edited| edited.path.as_path()),
        stage,
        prompt,
    };
    let mut request = observed::build(&given);
    if asked.switches.moment == Moment::Resumed && !material.read.is_empty() {
        let mark = request
            .messages
            .last_mut()
            .and_then(|message| message.blocks.last_mut());
        let mark = mark.and_then(|block| block.mark.take());
        request.messages.extend(material.read.iter().cloned());
        let last = request
            .messages
            .last_mut()
            .and_then(|message| message.blocks.last_mut());
        if let Some(last) = last {
            last.mark = mark;
        }
    }
    forget_unwritten(&mut request);
    let block = match asked.switches.moment {
        Moment::New if source.edited.is_some() => rules_block(&request),
        Moment::Resumed => rules_block(&request),
        Moment::New | Moment::Compacted => observed::rules_block(&given),
    };
    (request, block)
}

/// The summary is not written yet, and a question that nobody asked has no block: an empty text is sent
/// by nobody. A mark goes on to the block before.
fn forget_unwritten(request: &mut Request) {
    for message in &mut request.messages {
        for block in &mut message.blocks {
            if let Content::Text(pieces) = &mut block.content
                && let [piece] = pieces.as_mut_slice()
                && piece.kind == Kind::Summary
            {
                *piece = Piece::not_recorded(Kind::Summary, None);
            }
        }
        let is_blank = |block: &Block| match &block.content {
            Content::Text(_) | Content::Reminder(_) => block.shown().trim().is_empty(),
            Content::ToolUse { .. } | Content::ToolResult { .. } | Content::Raw(_) => false,
        };
        let had = message.blocks.len();
        let marks = message.blocks.iter().filter(|block| is_blank(block));
        let mark = marks.filter_map(|block| block.mark).next_back();
        message.blocks.retain(|block| !is_blank(block));
        if let (true, Some(life), Some(last)) =
            (message.blocks.len() < had, mark, message.blocks.last_mut())
        {
            last.mark = Some(life);
        }
    }
}

/// Of each file the use of its tool, and behind the result what it brings along.
fn read_of_observed(source: &Source) -> Vec<Message> {
    let files = source.read.iter().enumerate();
    let messages = files.flat_map(|(at, read)| {
        let mut blocks = vec![result(at, read)];
        blocks.extend(read.attached.iter().map(|one| {
            let pieces = block::nested(&one.path, &one.text).into_iter();
            let pieces = pieces.map(|piece| match piece.kind {
                Kind::Nested => matched(piece, one),
                _ => piece,
            });
            Block::new(Content::Text(pieces.collect()))
        }));
        [
            Message::new(Role::Assistant, vec![call(at, read)]),
            Message::new(Role::User, blocks),
        ]
    });
    messages.collect()
}

/// With the pattern that the file matched, where it comes because of one.
pub fn matched(piece: Piece, one: &Attached) -> Piece {
    match &one.pattern {
        Some(pattern) => piece.labelled(format!("matches {pattern}")),
        None => piece,
    }
}

/// The id of the tool's use of the file at a position.
fn read_id(at: usize) -> String {
    match at {
        0 => READ_ID.to_string(),
        _ => format!("{READ_ID}_{}", at + 1),
    }
}

/// The use of the tool for the file at a position.
pub fn call(at: usize, read: &ReadFile) -> Block {
    Block::new(Content::ToolUse {
        id: read_id(at),
        name: "Read".to_string(),
        input: json!({"file_path": read.path.to_string_lossy()}),
    })
}

/// What the tool gives back for it.
pub fn result(at: usize, read: &ReadFile) -> Block {
    let piece = match &read.text {
        Ok(text) => Piece::new(Kind::ToolResult, Origin::File, text.as_str()),
        Err(_) => Piece::not_recorded(Kind::ToolResult, None),
    };
    Block::new(Content::ToolResult {
        id: read_id(at),
        result: piece.of(&read.path),
        is_error: false,
    })
}

/// The text of the block that carries the rules, wherever it stands.
pub fn rules_block(request: &Request) -> String {
    let mut blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let found = blocks.find(|block| {
        let mut kinds = block.pieces().iter().map(|piece| piece.kind);
        kinds.any(|kind| matches!(kind, Kind::Rule | Kind::Index))
    });
    found
        .map(|block| block.shown().into_owned())
        .unwrap_or_default()
}
