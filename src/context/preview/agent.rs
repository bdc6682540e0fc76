//! The first request of a sub-agent with a memory of its own, as far as it was recorded: that its index
//! stands in `system`, and that it is sent the same rules. Of the rest there are placeholders.

use std::path::PathBuf;

use super::gather::Source;
use super::missing::{self, Cut};
use super::running::sent_now;
use super::{Asked, PreviewError};
use crate::agents::claude::Claude;
use crate::agents::{AgentFile, Contents};
use crate::context::observed::{block, newest};
use crate::context::part::{Kind, Origin, Part, Piece};
use crate::context::request::{Block, Content, Message, Params, Request, Role};
use crate::memory::index::decode;
use crate::memory::load::{self, Loaded};
use crate::memory::scan::INDEX_FILE;

/// The sub-agent whose request is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub file: AgentFile,
    /// Its index; `None`: there is none.
    pub cut: Option<Cut>,
}

/// It and its memory, read.
pub struct AgentRead {
    pub file: AgentFile,
    pub contents: Contents,
    pub index: Option<(PathBuf, Loaded)>,
}

impl AgentRead {
    pub fn find(
        store: &Claude,
        source: &Source,
        asked: &Asked,
        name: &str,
    ) -> Result<Self, PreviewError> {
        let file = source.agents.iter().find(|one| one.name == name);
        let file = file.cloned().ok_or_else(|| PreviewError::UnknownAgent {
            asked: name.to_string(),
            held: source.agents.iter().map(|one| one.name.clone()).collect(),
        })?;
        let contents = store.contents(&store.shelf_of_agent(&file));
        let path = file.folder.join(INDEX_FILE);
        let edited = asked.edited.as_ref().filter(|edited| edited.path == path);
        let text = match (edited, &contents.index) {
            (Some(edited), _) => Some(decode(&edited.bytes)),
            (None, Some(index)) => Some(index.text.clone()),
            (None, None) => None,
        };
        let manner = source.version.index.or(newest().index).unwrap_or_default();
        let index = text.map(|text| (path, load::load_as(&text, manner)));
        Ok(Self {
            file,
            contents,
            index,
        })
    }

    /// As it is shown.
    pub fn shown(&self, parts: &[Part]) -> Agent {
        let index = self.index.as_ref();
        Agent {
            file: self.file.clone(),
            cut: index.map(|(_, loaded)| {
                let part = parts.iter().position(|part| part.kind == Kind::AgentIndex);
                missing::cut_of(&self.contents, loaded, part)
            }),
        }
    }

    /// What one has to know of it: sentences.
    pub fn notes(&self, source: &Source) -> Vec<String> {
        let mut notes = vec![
            "of a sub-agent's request it was recorded that the index of its own memory stands in system, and that it is sent \
             the same rules and index as the main conversation; the rest is not known, nor what follows its first request"
                .to_string(),
        ];
        if source.version.agent.is_none() {
            notes.push(format!(
                "sub-agents of version {} were not looked at: laid out as by {}",
                source.version.name,
                newest().name
            ));
        }
        notes.extend(self.contents.index_fault.clone());
        if self.contents.index_fault.is_none() && self.index.is_none() {
            notes.push(format!(
                "{} holds no MEMORY.md yet: what stands in its place was not recorded",
                self.file.folder.display()
            ));
        }
        if source.memory_off {
            notes.push(
                "whether a sub-agent keeps its memory while memory is off was not recorded: it is shown"
                    .to_string(),
            );
        }
        notes
    }
}

/// The request and the block of rules.
pub fn request(
    source: &Source,
    asked: &Asked,
    agent: &AgentRead,
    model: &str,
    read: Vec<Message>,
) -> (Request, String) {
    let wrapper = source.recorded.wrapper.as_ref();
    let wrapper = wrapper.unwrap_or(&source.version.wrapper);
    let rules = block::pieces(wrapper, &sent_now(source), &source.date);
    let shown: String = rules.iter().map(Piece::shown).collect();
    let mut blocks = Vec::new();
    if !rules.is_empty() {
        blocks.push(Block::new(Content::Text(rules)));
    }
    let rest = Piece::not_recorded(Kind::Announcements, None);
    blocks.push(Block::text(rest.labelled("whatever else it is sent")));
    let prompt = asked.switches.prompt.as_deref();
    let prompt = prompt.filter(|prompt| !prompt.trim().is_empty());
    blocks.push(Block::text(match prompt {
        Some(prompt) => Piece::new(Kind::Prompt, Origin::Conversation, prompt),
        None => Piece {
            origin: Origin::Conversation,
            ..Piece::not_recorded(Kind::Prompt, None).labelled("its task")
        },
    }));
    let mut messages = vec![Message::new(Role::User, blocks)];
    messages.extend(read);
    let request = Request {
        params: Params {
            model: model.to_string(),
            ..Params::default()
        },
        system: vec![Block::new(Content::Text(system(source, agent)))],
        messages,
    };
    (request, shown)
}

/// Its system prompt: what stands before, the heading of its memory, and its index.
fn system(source: &Source, agent: &AgentRead) -> Vec<Piece> {
    let headings = source.version.agent.as_ref().or(newest().agent.as_ref());
    let own = |kind, text: &str| Piece::new(kind, Origin::Client, text);
    let prompt = Piece::not_recorded(Kind::SystemPrompt, None);
    let mut pieces = vec![prompt.of(&agent.file.path)];
    let Some(headings) = headings else {
        return pieces;
    };
    pieces.push(own(Kind::MemoryRules, &headings.memory));
    pieces.push(Piece::not_recorded(Kind::MemoryRules, None));
    pieces.push(own(Kind::Wrapper, &headings.index));
    let sent = agent.index.as_ref();
    let sent = sent.map(|(path, loaded)| (path, loaded.sent()));
    match sent.filter(|(_, text)| !text.is_empty()) {
        Some((path, text)) => {
            pieces.push(own(Kind::Wrapper, "\n\n"));
            pieces.push(Piece::new(Kind::AgentIndex, Origin::File, text).of(path));
        }
        None => pieces.push(Piece::not_recorded(Kind::AgentIndex, None)),
    }
    pieces
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
