//! What one transcript says of itself, gathered in one pass that can go on where it ended: its title,
//! where and when it ran, what it cost, which Markdown files it read and wrote, which instructions were
//! sent. Told by the kind of a line, never by a text in it.

use std::io;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::bills::{Bills, Places};
use super::entry::{AttachedFile, Entry, Kind};
use super::lines::{Line, Lines};
use super::message::Block;
use super::source::Source;
use super::touch::{How, Loaded, LoadedFile, Touch};
use crate::base::json::reader::Text;
use crate::base::text;
use crate::config::limits::PROMPT_CHARS;

/// How a text of a user's line begins that the client wrote.
const BY_CLIENT: [&str; 7] = [
    "<local-command-",
    "<command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "<ide_",
    "[Request interrupted",
];

/// Summaries that wait for the line that they are about.
const SUMMARIES: usize = 8;

/// What one transcript says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// The session of its lines; empty where none names one.
    pub session: String,
    /// What a person called it, else what the client did.
    custom_title: Option<String>,
    ai_title: Option<String>,
    /// Titles that older clients wrote, each with the last line of what it is about: most of them are about
    /// other sessions.
    summaries: Vec<(String, String)>,
    summary: Option<String>,
    /// The first prompt: one line, at most [`PROMPT_CHARS`] characters.
    pub prompt: Option<String>,
    /// Where it began.
    pub cwd: Option<String>,
    /// The branch, the client's version and the model of its last lines.
    pub branch: Option<String>,
    pub version: Option<String>,
    pub model: Option<String>,
    /// What started it: `cli`, or a program of some kind.
    pub entrypoint: Option<String>,
    /// Whether a program started it, no person.
    pub by_program: bool,
    /// Whether its lines are those of a sub-agent.
    is_sidechain: bool,
    /// Its first message: a fork begins with a copy of it.
    pub first_uuid: Option<String>,
    last_uuid: String,
    /// The session that it was forked from, where it says so.
    pub forked_from: Option<String>,
    /// RFC 3339, in UTC: its first and its last line that bear a time.
    pub first: Option<String>,
    pub last: Option<String>,
    /// Prompts of a person, or of the program that started it: its turns.
    pub prompts: u32,
    /// Where the lines of the prompts begin, in bytes.
    #[serde(default)]
    pub prompts_at: Vec<u64>,
    /// Prompts and answers. An answer is one message, on however many lines; tool results and what the
    /// client put in are none.
    pub messages: u64,
    last_answer: String,
    /// Lines that are no JSON.
    pub unreadable: u64,
    /// In the order of the file.
    pub touches: Vec<Touch>,
    pub loaded: Vec<Loaded>,
    pub bills: Bills,
}

impl Digest {
    /// The digest of a transcript as far as `end`, and how far it was read: a line that is being written is
    /// left for the next time.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<(Self, u64)> {
        let mut digest = Self::default();
        let read = digest.read_on(source, 0..end, |_| true)?;
        Ok((digest, read))
    }

    /// Goes on where it ended, as long as `goes_on` says so of the bytes of each line; how far it was read
    /// now.
    ///
    /// # Errors
    /// As the system says; it has taken in a part then.
    pub fn read_on<S: Source + ?Sized>(
        &mut self,
        source: &S,
        range: Range<u64>,
        mut goes_on: impl FnMut(u64) -> bool,
    ) -> io::Result<u64> {
        let mut places = self.bills.places();
        let mut read = range.start;
        let mut lines = Lines::new(source, range);
        while let Some(line) = lines.next_line()? {
            match Entry::all_of_line(line.bytes) {
                Ok(entries) => {
                    for entry in &entries {
                        self.take(entry, &line, &mut places);
                    }
                }
                Err(_) if !line.is_ended => break,
                Err(_) => self.unreadable += 1,
            }
            let before = read;
            read = line.range.end + u64::from(line.is_ended);
            if !goes_on(read - before) {
                break;
            }
        }
        Ok(read)
    }

    /// What it is called: what a person or the client said, else its first prompt.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let named = [&self.custom_title, &self.ai_title, &self.summary];
        let mut said = named.into_iter().flatten();
        said.next().or(self.prompt.as_ref()).map(String::as_str)
    }

    fn take(&mut self, entry: &Entry<'_>, line: &Line<'_>, places: &mut Places) {
        self.take_what_it_is(entry);
        self.take_titles(entry);
        let is_billed = self.bills.add(entry, places);
        match entry.kind {
            Kind::User => self.take_user(entry, line),
            Kind::Assistant => self.take_answer(entry, line, is_billed),
            Kind::Attachment => self.take_attachment(entry, line),
            Kind::System | Kind::Other => {}
        }
    }

    fn take_what_it_is(&mut self, entry: &Entry<'_>) {
        if let Some(time) = entry.time {
            put(&mut self.last, Some(time));
            if self.first.is_none() {
                self.first.clone_from(&self.last);
            }
        }
        if self.session.is_empty()
            && let Some(session) = entry.session
        {
            self.session = session.read().into_owned();
        }
        if self.cwd.as_ref().is_none_or(String::is_empty) {
            put(&mut self.cwd, entry.cwd.filter(|cwd| !cwd.raw.is_empty()));
        }
        put(&mut self.branch, entry.branch);
        put(&mut self.version, entry.version);
        if self.forked_from.is_none() {
            put(&mut self.forked_from, entry.forked_from);
        }
        if !entry.kind.is_message() {
            return;
        }
        if let Some(uuid) = entry.uuid {
            if self.first_uuid.is_none() {
                put(&mut self.first_uuid, Some(uuid));
                self.is_sidechain = entry.is_sidechain;
            }
            put_text(&mut self.last_uuid, uuid);
            if !self.summaries.is_empty() {
                self.settle_summaries();
            }
        }
        if self.entrypoint.is_none() {
            put(&mut self.entrypoint, entry.entrypoint);
            let by_program = |text: Text<'_>| text.raw.starts_with(b"sdk");
            self.by_program |= entry.entrypoint.is_some_and(by_program)
                || entry.prompt_source.is_some_and(by_program);
        }
    }

    fn take_titles(&mut self, entry: &Entry<'_>) {
        let line = |text: Text<'_>| one_line(&text.read());
        if let Some(title) = entry.custom_title.and_then(line) {
            self.custom_title = Some(title);
        }
        if let Some(title) = entry.ai_title.and_then(line) {
            self.ai_title = Some(title);
        }
        let is_one = entry.name.is_some_and(|name| name.is("summary"));
        if let (true, Some(summary), Some(leaf)) =
            (is_one, entry.summary.and_then(line), entry.leaf)
        {
            if self.summaries.len() == SUMMARIES {
                self.summaries.remove(0);
            }
            self.summaries.push((leaf.read().into_owned(), summary));
            self.settle_summaries();
        }
    }

    /// Takes the summaries that are about the lines so far.
    fn settle_summaries(&mut self) {
        let own = self
            .summaries
            .iter()
            .position(|(leaf, _)| *leaf == self.last_uuid);
        if let Some(at) = own {
            self.summary = Some(self.summaries.remove(at).1);
        }
    }

    /// Whether a line belongs to another conversation than the transcript's own.
    fn is_aside(&self, entry: &Entry<'_>) -> bool {
        entry.is_sidechain && !self.is_sidechain
    }

    fn take_user(&mut self, entry: &Entry<'_>, line: &Line<'_>) {
        for block in &entry.message.blocks {
            if let Block::ToolResult {
                of: Some(id),
                is_error,
                ..
            } = block
            {
                self.close(&id.read(), *is_error);
            }
        }
        if entry.is_meta || entry.is_summary || self.is_aside(entry) {
            return;
        }
        let Some(prompt) = prompt(entry) else { return };
        self.prompts += 1;
        self.prompts_at.push(line.range.start);
        self.messages += 1;
        if self.prompt.is_none()
            && let Some(text) = prompt
        {
            // Of a long line the beginning is held, and more is not asked for.
            self.prompt = one_line(&text.read());
        }
    }

    fn take_answer(&mut self, entry: &Entry<'_>, line: &Line<'_>, is_billed: bool) {
        let message = &entry.message;
        for block in &message.blocks {
            if let Block::ToolUse {
                id,
                name: Some(name),
                path: Some(path),
            } = block
                && let Some(how) = How::of_tool(*name)
            {
                self.touch(*path, how, *id, entry, line);
            }
        }
        let is_real = message.model.is_none_or(|model| !model.is("<synthetic>"));
        if self.is_aside(entry) || !is_real {
            return;
        }
        put(&mut self.model, message.model);
        // Without a bill only the answer before tells whether it is a new one.
        let is_new = match (message.usage, message.id) {
            (Some(usage), Some(_)) if usage != super::message::Usage::default() => is_billed,
            (_, Some(id)) => !id.is(&self.last_answer),
            (_, None) => true,
        };
        self.messages += u64::from(is_new);
        if let Some(id) = message.id {
            put_text(&mut self.last_answer, id);
        }
    }

    fn take_attachment(&mut self, entry: &Entry<'_>, line: &Line<'_>) {
        let Some(kind) = entry.attachment else { return };
        if kind.is("instructions") && !self.is_aside(entry) {
            let files = entry.attached.iter().map(|file| loaded_file(file, line));
            self.loaded.push(Loaded {
                uuid: text_of(entry.uuid),
                time: text_of(entry.time),
                at: line.range.start,
                turn: self.prompts,
                files: files.collect(),
            });
        }
        let Some(how) = How::of_attachment(kind) else {
            return;
        };
        for path in entry.attached.iter().filter_map(|file| file.path) {
            self.touch(path, how, None, entry, line);
        }
    }

    fn touch(
        &mut self,
        path: Text<'_>,
        how: How,
        tool: Option<Text<'_>>,
        entry: &Entry<'_>,
        line: &Line<'_>,
    ) {
        if !path.raw.ends_with(b".md") {
            return;
        }
        self.touches.push(Touch {
            path: path.read().into_owned(),
            how,
            turn: self.prompts,
            uuid: text_of(entry.uuid),
            time: text_of(entry.time),
            at: line.range.start,
            waits_for: text_of(tool),
        });
    }

    /// A tool has answered: what failed touched nothing.
    fn close(&mut self, tool: &str, is_error: bool) {
        let waits = |touch: &Touch| !tool.is_empty() && touch.waits_for == tool;
        // The results of parallel uses follow them closely.
        let Some(at) = self.touches.iter().rposition(waits) else {
            return;
        };
        match is_error {
            true => drop(self.touches.remove(at)),
            false => self.touches[at].waits_for.clear(),
        }
    }
}

/// What a line of a user's prompts, if it is no tool's result and nothing of the client's; the text, where
/// it has one.
#[allow(clippy::option_option, reason = "a prompt may be a picture alone")]
fn prompt<'a>(entry: &Entry<'a>) -> Option<Option<Text<'a>>> {
    let blocks = &entry.message.blocks;
    let is_result = |block: &Block<'_>| matches!(block, Block::ToolResult { .. });
    if blocks.is_empty() || blocks.iter().any(is_result) {
        return None;
    }
    let by_client = |text: &Text<'_>| {
        let raw = text.raw.trim_ascii_start();
        BY_CLIENT
            .iter()
            .any(|begin| raw.starts_with(begin.as_bytes()))
    };
    let mut texts = blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(*text),
        Block::Thinking(_)
        | Block::ToolUse { .. }
        | Block::ToolResult { .. }
        | Block::Picture { .. }
        | Block::Other(_) => None,
    });
    let has_text = texts.clone().next().is_some();
    let own = texts.find(|text| !by_client(text));
    (own.is_some() || !has_text).then_some(own)
}

fn loaded_file(file: &AttachedFile<'_>, line: &Line<'_>) -> LoadedFile {
    let content = file.content;
    let whole = content.filter(|text| line.cut(*text).is_none());
    LoadedFile {
        path: text_of(file.path),
        layer: text_of(file.layer),
        bytes: content.map_or(0, |text| line.length(text)),
        sha256: whole.map(|text| {
            let hash = Sha256::digest(text.read().as_bytes());
            hash.iter().map(|byte| format!("{byte:02x}")).collect()
        }),
    }
}

fn text_of(text: Option<Text<'_>>) -> String {
    text.map(|text| text.read().into_owned())
        .unwrap_or_default()
}

/// Puts a text in the place of another, mostly the same one.
fn put(place: &mut Option<String>, text: Option<Text<'_>>) {
    if let Some(text) = text {
        put_text(place.get_or_insert_default(), text);
    }
}

fn put_text(place: &mut String, text: Text<'_>) {
    if !text.is(place) {
        place.clear();
        place.push_str(&text.read());
    }
}

/// The beginning of a text, as one line. Nothing where it is blank.
fn one_line(text: &str) -> Option<String> {
    let begin: String = text.chars().take(4 * PROMPT_CHARS).collect();
    let words: Vec<&str> = begin.split_whitespace().collect();
    let line = text::cut_chars(&words.join(" "), PROMPT_CHARS);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
