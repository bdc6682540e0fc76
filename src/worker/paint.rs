//! The thread that paints fenced code. The grammars are loaded when the first code is shown (about
//! 3 ms, and 150 ms for the first lines of a language), so it is never the reading thread's work.

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};
use tokio::sync::mpsc::UnboundedSender;

use crate::app::message::Message;
use crate::app::painted::{Painted, PaintedLine, Tone};
use crate::base::markdown;

/// Blocks that are kept painted.
const KEPT: usize = 64;

/// The way to the thread.
#[derive(Debug)]
pub(super) struct Painter {
    jobs: mpsc::Sender<ToPaint>,
}

/// A text whose code is to be painted.
#[derive(Debug)]
pub(super) struct ToPaint {
    pub id: u64,
    pub body: String,
    /// Of pages only the last is wanted.
    pub is_page: bool,
}

impl Painter {
    pub(super) fn start(out: UnboundedSender<Message>) -> Self {
        let (jobs, receive) = mpsc::channel::<ToPaint>();
        thread::spawn(move || {
            let mut brush = Brush::default();
            while let Ok(first) = receive.recv() {
                let waiting: Vec<ToPaint> =
                    std::iter::once(first).chain(receive.try_iter()).collect();
                for ToPaint { id, body, .. } in wanted(waiting) {
                    let painted = Box::new(brush.paint(&body));
                    let _ = out.send(Message::Painted { id, painted });
                }
            }
        });
        Self { jobs }
    }

    pub(super) fn ask(&self, job: ToPaint) {
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.jobs.send(job);
    }
}

/// Of what waits, what is still wanted: the last page first, then every answer.
fn wanted(waiting: Vec<ToPaint>) -> Vec<ToPaint> {
    let (mut pages, answers): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|job| job.is_page);
    pages.drain(..pages.len().saturating_sub(1));
    pages.extend(answers);
    pages
}

/// The grammars, and what was painted last.
struct Brush {
    grammars: SyntaxSet,
    tones: Vec<(Scope, Tone)>,
    kept: HashMap<(String, String), Option<Vec<PaintedLine>>>,
}

impl Default for Brush {
    fn default() -> Self {
        let tone = |(name, tone)| Some((Scope::new(name).ok()?, tone));
        Self {
            grammars: SyntaxSet::load_defaults_newlines(),
            tones: TONES.into_iter().filter_map(tone).collect(),
            kept: HashMap::new(),
        }
    }
}

/// What the grammars call things, and what that is here.
const TONES: [(&str, Tone); 12] = [
    ("comment", Tone::Comment),
    ("string", Tone::Text),
    ("constant.character", Tone::Text),
    ("constant", Tone::Literal),
    ("keyword", Tone::Keyword),
    ("storage", Tone::Keyword),
    ("entity.name", Tone::Name),
    ("support.function", Tone::Name),
    ("variable.function", Tone::Name),
    ("markup.inserted", Tone::Text),
    ("markup.deleted", Tone::Keyword),
    ("entity.other.attribute-name", Tone::Name),
];

impl Brush {
    /// The blocks of a text, painted.
    fn paint(&mut self, body: &str) -> Painted {
        let mut painted = Painted::new();
        let mut block: Option<(String, String)> = None;
        for event in Parser::new_ext(body, markdown::options()) {
            match (event, &mut block) {
                (Event::Start(Tag::CodeBlock(kind)), _) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(info) => language(&info),
                        CodeBlockKind::Indented => String::new(),
                    };
                    block = Some((language, String::new()));
                }
                (Event::Text(text), Some((_, code))) => code.push_str(&text),
                (Event::End(TagEnd::CodeBlock), _) => {
                    if let Some((language, code)) = block.take() {
                        painted.push(self.block(language, code));
                    }
                }
                _ => {}
            }
        }
        painted
    }

    fn block(&mut self, language: String, code: String) -> Option<Vec<PaintedLine>> {
        let key = (language, code);
        if let Some(lines) = self.kept.get(&key) {
            return lines.clone();
        }
        let lines = self.lines(&key.0, &key.1);
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        self.kept.insert(key, lines.clone());
        lines
    }

    fn lines(&self, language: &str, code: &str) -> Option<Vec<PaintedLine>> {
        let grammar = self.grammars.find_syntax_by_token(language)?;
        let mut state = ParseState::new(grammar);
        let mut stack = ScopeStack::new();
        let mut lines = Vec::new();
        for line in code.trim_end_matches('\n').split('\n') {
            let whole = format!("{line}\n");
            let operations = state.parse_line(&whole, &self.grammars).ok()?;
            let mut painted = PaintedLine::new();
            let mut at = 0;
            for (to, operation) in operations {
                push(
                    &mut painted,
                    self.tone(&stack),
                    line.get(at..to.min(line.len())),
                );
                at = to.min(line.len());
                stack.apply(&operation).ok()?;
            }
            push(&mut painted, self.tone(&stack), line.get(at..));
            lines.push(painted);
        }
        Some(lines)
    }

    /// The tone of the innermost scope that has one.
    fn tone(&self, stack: &ScopeStack) -> Tone {
        let scopes = stack.as_slice().iter().rev();
        let tones = scopes.filter_map(|scope| {
            let mut named = self.tones.iter();
            named.find(|(name, _)| name.is_prefix_of(*scope))
        });
        // Punctuation of a comment or a text belongs to it.
        tones.map(|(_, tone)| *tone).next().unwrap_or(Tone::Plain)
    }
}

fn push(line: &mut PaintedLine, tone: Tone, text: Option<&str>) {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return;
    };
    match line.last_mut() {
        Some((last, piece)) if *last == tone => piece.push_str(text),
        _ => line.push((tone, text.to_string())),
    }
}

/// The first word of what stands behind a fence, without what some write round it.
fn language(info: &str) -> String {
    let word = info.split([' ', ',', '{', ':']).next().unwrap_or_default();
    match word.to_ascii_lowercase().as_str() {
        // What the grammars call by another name.
        "shell" | "console" | "zsh" | "sh-session" => "bash".to_string(),
        "typescript" | "ts" | "tsx" | "jsx" | "mjs" => "js".to_string(),
        "jsonc" | "json5" => "json".to_string(),
        "c++" => "cpp".to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "paint_tests.rs"]
mod tests;
