//! The request of our own chat out of what was gathered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::assemble::{call, matched, result};
use super::gather::Source;
use super::running::{Began, Running, What};
use super::{Around, Asked, Moment};
use crate::base::time::grouped;
use crate::context::conversation::Entry;
use crate::context::memory_prompt::Recall;
use crate::context::observed::models::{self, Circumstances, Window};
use crate::context::ours::{self, Session};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Life, Params, Request, Role};
use crate::instructions::Instruction;

/// What a session of our own chat is begun with.
pub fn session(source: &Source, around: &Around, asked: &Asked, model: &str) -> Session {
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path.clone(), loaded.sent()));
    let folder = &source.memory_folder;
    let edited = source.edited.as_ref();
    let edited = edited.filter(|_| asked.switches.moment == Moment::New);
    let mut instructions = source.instructions.entries.clone();
    let index = began_with(edited, &mut instructions, index);
    Session {
        params: Params {
            model: model.to_string(),
            ..around.ours.clone()
        },
        recall: match source.memory_off {
            true => Recall::Off,
            false => asked.switches.recall,
        },
        memory_prompt: around.memory_prompt.clone(),
        memory_folder: folder.clone(),
        environment: environment(source, asked),
        environment_now: String::new(),
        instructions,
        index,
        git_status: source.head.clone(),
        date: source.date.clone(),
        life: Life::FiveMinutes,
        allowed: around.allowed.clone(),
    }
}

/// What our own chat sends.
pub fn request(source: &Source, around: &Around, asked: &Asked, model: &str) -> Request {
    let session = session(source, around, asked, model);
    let edited = source.edited.as_ref();
    let edited = edited.filter(|_| asked.switches.moment == Moment::New);
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
    let picks = source.picks.iter().flat_map(|picks| picks.attached.clone());
    entries.extend(picks.map(|pieces| Entry::Attached { pieces, time }));
    let files = source.read.iter().enumerate();
    for (at, read) in files.filter(|_| asked.switches.moment != Moment::Compacted) {
        entries.push(said(Role::Assistant, vec![call(at, read)]));
        entries.push(said(Role::User, vec![result(at, read)]));
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
    let note = edited.and_then(Running::note_of_ours);
    entries.extend(note.map(|pieces| Entry::Attached { pieces, time }));
    ours::build(&session, &entries, &[], time)
}

/// The window of a model: that of our configuration where it is the model of our chat, else what was seen of the
/// client's with it. What the client's environment says of its own window has no say here.
pub fn window(source: &Source, around: &Around, model: &str) -> Window {
    let own = around.window.and_then(|it| usize::try_from(it).ok());
    let is_own = around.ours.model.is_empty() || around.ours.model == model;
    let circumstances = Circumstances {
        vars: &BTreeMap::new(),
        off_by_setting: None,
    };
    let seen = models::window(source.version, model, circumstances);
    match own.filter(|_| is_own) {
        Some(tokens) => Window {
            tokens,
            seen: true,
            unknown: None,
            ..seen
        },
        None => Window {
            unknown: seen.unknown.map(|_| {
                format!(
                    "the window of {model} is not known: {} tokens are taken; say it as `window` in [model] of config.toml",
                    grouped(seen.tokens)
                )
            }),
            ..seen
        },
    }
}

/// Puts what the session began with in the place of what a file says now; gives the index back.
fn began_with(
    edited: Option<&Running>,
    instructions: &mut Vec<Instruction>,
    index: Option<(PathBuf, String)>,
) -> Option<(PathBuf, String)> {
    let Some(edited) = edited else {
        return index;
    };
    let is_of = |path: &Path| *path == edited.path;
    match (&edited.began, edited.what) {
        (Began::Absent, What::Index) => None,
        (Began::Absent, _) => {
            instructions.retain(|one| !is_of(&one.path));
            index
        }
        (Began::Recorded(text) | Began::OnDisk(text), What::Index) => {
            Some((edited.path.clone(), text.clone()))
        }
        (Began::Recorded(text) | Began::OnDisk(text), _) => {
            for one in instructions.iter_mut().filter(|one| is_of(&one.path)) {
                one.text.clone_from(text);
            }
            index
        }
        (Began::NotRecorded, _) => index,
    }
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
