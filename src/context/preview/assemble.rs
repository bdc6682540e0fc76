//! A request out of what was gathered, by the builder that is asked for, and all that is told of it.

use serde_json::json;

use super::gather::Source;
use super::{
    Around, Asked, Layout, Moment, Preview, Shown, anchor, fate, missing, money, notes,
    observed_model,
};
use crate::context::conversation::Entry;
use crate::context::memory_prompt::Recall;
use crate::context::observed::block;
use crate::context::observed::models::{self, Circumstances};
use crate::context::observed::{self, Given, Restored, Stage};
use crate::context::ours::{self, Session};
use crate::context::part::{self, Kind, Origin, Part, Piece};
use crate::context::request::{Block, Content, Life, Message, Params, Request, Role};
use crate::context::tokens;
use crate::instructions::Attached;

/// The id of the tool's use that a file to be read is shown with.
const READ_ID: &str = "toolu_preview";

/// Puts a preview together.
pub fn preview(source: &Source, around: &Around, asked: &Asked) -> Preview {
    let model = asked
        .switches
        .model
        .clone()
        .or_else(|| source.recorded.model.clone())
        .unwrap_or_else(|| observed_model().to_string());
    let mut notes = source.notes.clone();
    let (request, rules_block) = match asked.switches.layout {
        Layout::Ours => {
            let request = of_ours(source, around, asked, &model);
            let block = rules_block(&request);
            (request, block)
        }
        Layout::Observed(_) => of_observed(source, asked, &model),
    };
    notes.extend(notes::of(source, asked, &request));
    notes.extend(around.faults.iter().cloned());
    let mut parts = part::parts(&request, None);
    for part in &mut parts {
        part.cached = stands(part);
    }
    let anchored = anchor::total(source, asked, &model, &parts);
    let total = match anchored {
        Some((tokens, _)) => tokens::Total {
            tokens,
            exact: false,
        },
        None => tokens::total(&request, None),
    };
    let anchor = anchored.map(|(_, counted)| counted);
    notes.extend(anchor.map(anchor::sentence));
    let lacks = request.params.tools.is_empty() || parts.iter().any(|part| part.tokens.is_none());
    let cut = missing::cut(source, &parts);
    let window = models::window(
        source.version,
        &model,
        Circumstances {
            vars: &source.standing.vars,
            off_by_setting: source.standing.compact_off.as_deref(),
        },
    );
    let fresh = parts.iter().filter(|part| !part.cached);
    let fresh = fresh.filter_map(|part| part.tokens).sum();
    let is_ours = asked.switches.layout == Layout::Ours;
    Preview {
        money: money::of(
            &around.prices,
            &model,
            (total.tokens, fresh),
            &parts,
            asked.switches.turns,
        ),
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
        compacts: (!is_ours).then_some(window.compacts),
        cut_at_start: missing::cut_at_start(cut.as_ref(), &parts),
        cut,
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

/// Whether a later turn finds a part in the cache: all that stands before what is said in this one.
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

fn of_observed(source: &Source, asked: &Asked, model: &str) -> (Request, String) {
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path, loaded.sent()));
    let prompt = asked
        .switches
        .prompt
        .as_deref()
        .filter(|prompt| !prompt.trim().is_empty());
    let read = read_of_observed(source);
    let restored: Vec<Restored> = source
        .read
        .iter()
        .filter_map(|read| {
            Some(Restored {
                path: read.path.clone(),
                text: read.text.clone()?,
            })
        })
        .collect();
    let files = Some(source.recorded.files.as_slice()).filter(|files| !files.is_empty());
    // What a compaction keeps of the conversation is one answer at least.
    let kept = Piece {
        origin: Origin::Conversation,
        ..Piece::not_recorded(Kind::Answer, None)
    };
    let tail = [Message::new(
        Role::Assistant,
        vec![Block::text(kept.labelled("the end that is kept"))],
    )];
    let (stage, prompt) = match asked.switches.moment {
        Moment::Compacted => {
            let stage = Stage::Compacted {
                summary: "",
                tail: &tail,
                restored: &restored,
                commands: &[],
                resumed: false,
            };
            (stage, prompt)
        }
        Moment::Resumed => {
            let stage = Stage::Later {
                first_prompt: "",
                conversation: &[],
                at_start: files,
                resumed: true,
            };
            (stage, prompt)
        }
        Moment::New if !read.is_empty() => {
            let stage = Stage::Later {
                first_prompt: prompt.unwrap_or_default(),
                conversation: &read,
                at_start: None,
                resumed: false,
            };
            (stage, None)
        }
        Moment::New => (Stage::First, prompt),
    };
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
        stage,
        prompt,
    };
    let mut request = observed::build(&given);
    if asked.switches.moment == Moment::Resumed && !read.is_empty() {
        let mark = request
            .messages
            .last_mut()
            .and_then(|message| message.blocks.last_mut());
        let mark = mark.and_then(|block| block.mark.take());
        request.messages.extend(read.iter().cloned());
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

/// The use of its tool, and behind the result what it brings along.
fn read_of_observed(source: &Source) -> Vec<Message> {
    let Some(read) = &source.read else {
        return Vec::new();
    };
    let mut blocks = vec![result(source)];
    blocks.extend(read.attached.iter().map(|one| {
        let pieces = block::nested(&one.path, &one.text).into_iter();
        let pieces = pieces.map(|piece| match piece.kind {
            Kind::Nested => matched(piece, one),
            _ => piece,
        });
        Block::new(Content::Text(pieces.collect()))
    }));
    vec![
        Message::new(Role::Assistant, vec![call(source)]),
        Message::new(Role::User, blocks),
    ]
}

/// With the pattern that the file matched, where it comes because of one.
fn matched(piece: Piece, one: &Attached) -> Piece {
    match &one.pattern {
        Some(pattern) => piece.labelled(format!("matches {pattern}")),
        None => piece,
    }
}

fn call(source: &Source) -> Block {
    let path = source.read.as_ref().map(|read| read.path.to_string_lossy());
    Block::new(Content::ToolUse {
        id: READ_ID.to_string(),
        name: "Read".to_string(),
        input: json!({"file_path": path.unwrap_or_default()}),
    })
}

fn result(source: &Source) -> Block {
    let piece = source.read.as_ref().map(|read| {
        let piece = match &read.text {
            Some(text) => Piece::new(Kind::ToolResult, Origin::File, text.as_str()),
            None => Piece::not_recorded(Kind::ToolResult, None),
        };
        piece.of(&read.path)
    });
    Block::new(Content::ToolResult {
        id: READ_ID.to_string(),
        result: piece.unwrap_or_else(|| Piece::not_recorded(Kind::ToolResult, None)),
        is_error: false,
    })
}

fn of_ours(source: &Source, around: &Around, asked: &Asked, model: &str) -> Request {
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path.clone(), loaded.sent()));
    let folder = &source.memory_folder;
    let session = Session {
        params: Params {
            model: model.to_string(),
            ..Params::default()
        },
        recall: match source.memory_off {
            true => Recall::Off,
            false => asked.switches.recall,
        },
        memory_prompt: around.memory_prompt.clone(),
        memory_folder: folder.clone(),
        environment: environment(source, asked),
        environment_now: String::new(),
        instructions: source.instructions.entries.clone(),
        index,
        git_status: None,
        date: source.date.clone(),
        life: Life::FiveMinutes,
    };
    // All is said at one moment: nothing of it is cleared for its age.
    let time = crate::base::time::Moment::default();
    let mut entries = Vec::new();
    let said = |role, blocks| Entry::Said { role, blocks, time };
    if asked.switches.moment == Moment::Compacted {
        entries.push(Entry::Boundary {
            summary: Piece::not_recorded(Kind::Summary, None),
            kept: 0,
            time,
        });
    }
    if let Some(prompt) = asked
        .switches
        .prompt
        .as_ref()
        .filter(|prompt| !prompt.trim().is_empty())
    {
        let piece = Piece::new(Kind::Prompt, Origin::Conversation, prompt.as_str());
        entries.push(said(Role::User, vec![Block::text(piece)]));
    }
    if let (Some(read), Moment::New | Moment::Resumed) = (&source.read, asked.switches.moment) {
        entries.push(said(Role::Assistant, vec![call(source)]));
        entries.push(said(Role::User, vec![result(source)]));
        for one in &read.attached {
            let line = format!("{}:\n\n", one.path.display());
            let pieces = vec![
                Piece::new(Kind::Wrapper, Origin::Ours, line).of(&one.path),
                matched(
                    Piece::new(Kind::Nested, Origin::File, one.text.as_str()).of(&one.path),
                    one,
                ),
            ];
            entries.push(Entry::Attached { pieces, time });
        }
    }
    ours::build(&session, &entries, &[], time)
}

/// Where the session runs, as our own chat tells it.
fn environment(source: &Source, asked: &Asked) -> String {
    let git = match source.git {
        true => "It is in a git repository.",
        false => "It is in no git repository.",
    };
    format!(
        "# Environment\n\nWorking directory: {}\n{git}",
        asked.cwd.display()
    )
}

/// The text of the block that carries the rules, wherever it stands.
fn rules_block(request: &Request) -> String {
    let mut blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let found = blocks.find(|block| {
        let mut kinds = block.pieces().iter().map(|piece| piece.kind);
        kinds.any(|kind| matches!(kind, Kind::Rule | Kind::Index))
    });
    found
        .map(|block| block.shown().into_owned())
        .unwrap_or_default()
}
