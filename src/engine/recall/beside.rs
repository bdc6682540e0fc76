//! Recall beside a turn of the chat: begun with it, put into the conversation as it comes, never waited for but
//! as long as a person has set.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use super::{Asked, Gate, Polled, Prefetch, Recalled, Selector, SelectorPrompt, recall};
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::context::conversation::Entry;
use crate::context::memory_prompt::Recall;
use crate::safety::secret::Allowed;
use crate::turn::chat::{self, Chat};

/// Tools that were used lately, of which the selector is told.
const TOOLS: usize = 10;

/// What a recall looks at, on its own: the conversation goes on meanwhile.
#[derive(Debug, Clone)]
pub struct Wish {
    disk: Disk,
    folder: PathBuf,
    mode: Recall,
    question: String,
    entries: Vec<Entry>,
    tools: Vec<String>,
    now: Moment,
    prompt: SelectorPrompt,
    allowed: Allowed,
}

impl Wish {
    /// For a question in a conversation.
    #[must_use]
    pub fn of(
        disk: &Disk,
        chat: &Chat,
        question: &str,
        prompt: &SelectorPrompt,
        now: Moment,
    ) -> Self {
        let entries = chat.in_view(now);
        let mut tools: Vec<String> = Vec::new();
        for one in chat::uses(&entries).rev() {
            let worked = chat::result(&entries, one.id).is_some();
            if worked && !tools.iter().any(|tool| tool == one.name) && tools.len() < TOOLS {
                tools.push(one.name.to_string());
            }
        }
        Self {
            disk: disk.clone(),
            folder: chat.session.memory_folder.clone(),
            mode: chat.session.recall,
            question: question.to_string(),
            tools,
            entries,
            now,
            prompt: prompt.clone(),
            allowed: chat.session.allowed.clone(),
        }
    }

    /// The same, asked for by name: it is done though the chat does not do it by itself.
    #[must_use]
    pub fn by_name(mut self) -> Self {
        if self.mode == Recall::Index {
            self.mode = Recall::Prefetch;
        }
        self
    }

    #[must_use]
    pub fn asked(&self) -> Asked<'_> {
        Asked {
            disk: &self.disk,
            folder: &self.folder,
            mode: self.mode,
            question: &self.question,
            entries: &self.entries,
            tools: &self.tools,
            now: self.now,
            prompt: &self.prompt,
            allowed: &self.allowed,
        }
    }

    /// Chooses.
    ///
    /// # Errors
    /// The gate that is shut.
    pub async fn choose(self, selector: Option<Selector<'_>>) -> Result<Recalled, Gate> {
        recall(&self.asked(), selector).await
    }
}

/// The turn's end of it.
#[derive(Debug)]
pub struct Beside {
    prefetch: Prefetch,
    ready: Option<Recalled>,
}

impl Beside {
    #[must_use]
    pub fn new(prefetch: Prefetch) -> Self {
        Self {
            prefetch,
            ready: None,
        }
    }

    /// Takes what there is for the first request, after at most so long.
    pub async fn before_first(&mut self, wait: Duration) {
        if let Polled::Here(recalled) = self.prefetch.for_first(wait).await {
            self.ready = Some(recalled);
        }
    }

    /// Puts what has come into the conversation, and gives it back to be told.
    pub fn put(&mut self, chat: &mut Chat, now: Moment) -> Option<Recalled> {
        let polled = || match self.prefetch.poll() {
            Polled::Here(recalled) => Some(recalled),
            Polled::NotYet | Polled::Shut(_) | Polled::Over => None,
        };
        let mut recalled = self.ready.take().or_else(polled)?;
        recalled.settle(&chat.in_view(now), now);
        chat.entries.extend(recalled.entries(now));
        Some(recalled)
    }
}

/// Runs a turn with work beside it, which ends with the turn at the latest.
pub async fn along<T>(turn: impl Future<Output = T>, work: impl Future<Output = ()>) -> T {
    let work = async {
        work.await;
        std::future::pending::<Infallible>().await
    };
    tokio::select! {
        biased;
        end = turn => end,
        never = work => match never {},
    }
}

#[cfg(test)]
#[path = "beside_tests.rs"]
mod tests;
