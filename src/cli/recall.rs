//! `recall`: which memories a question would bring along, chosen by the small model or by words, and why;
//! nothing is sent but the selector's request, nothing is written.

use std::ffi::OsString;
use std::fmt::Write as _;

use serde::Serialize;

use crate::base::display;
use crate::base::time::grouped;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::context::memory_prompt::Recall;
use crate::engine::recall::{self, Asked, Recalled, Selector, SelectorPrompt};
use crate::llm::breaker::Breaker;
use crate::llm::client::Client;
use crate::llm::failure::What;

/// Says what is recalled, and whether anything is.
pub fn run(
    opened: &Opened,
    question: &[OsString],
    by_words: bool,
    json: bool,
    output: &mut Output,
) -> Result<bool, Stop> {
    let words: Vec<_> = question.iter().map(|word| word.to_string_lossy()).collect();
    let question = words.join(" ");
    let (prompt, faults) = SelectorPrompt::read(&opened.disk, &opened.places.config);
    for fault in faults {
        say(&display::line(&fault.to_string()));
    }
    let store = &opened.store;
    let folder = store.here().folder;
    let allowed = opened.rules().allowed;
    let asked = Asked {
        disk: &opened.disk,
        folder: &folder,
        // Asked for by name it is done, whatever the chat does by itself.
        mode: match store.switched_off() {
            Some(_) => Recall::Off,
            None => Recall::Prefetch,
        },
        question: &question,
        entries: &[],
        tools: &[],
        now: store.now(),
        prompt: &prompt,
        allowed: &allowed,
    };
    let recalled = match client(opened, by_words)? {
        Err(why) => recall::by_words(&asked, why),
        Ok(client) => {
            let mut breaker = Breaker::new("recall");
            let selector = Selector {
                model: &client,
                name: client.provider.selector(),
                breaker: &mut breaker,
            };
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(recall::recall(&asked, Some(selector)))
        }
    };
    let recalled = recalled.map_err(|gate| Failure::usage("refused", gate.to_string()))?;
    match json {
        true => output.json(&Shape::new(&recalled))?,
        false => lines(&recalled, output)?,
    }
    if let Some(note) = &recalled.note {
        say(&format!(
            "loci: chosen by {}: {}",
            recalled.by.word(),
            display::line(note)
        ));
    }
    if recalled.picked.is_empty() {
        say(&nothing(&recalled));
    }
    Ok(!recalled.picked.is_empty())
}

/// Who is asked; else why nobody is.
fn client(opened: &Opened, by_words: bool) -> Result<Result<Client, &'static str>, Failure> {
    if by_words {
        return Ok(Err("--words asks for it"));
    }
    let settings = &opened.config.settings.model;
    match crate::llm::provider::Provider::from(settings, &opened.vars, &opened.home) {
        Err(failure) if failure.what == What::NotSetUp => Ok(Err("no model is set up")),
        Err(_) | Ok(_) => Ok(Ok(Client::new(opened.provider()?))),
    }
}

fn nothing(recalled: &Recalled) -> String {
    let many = words::counted(recalled.candidates, "memory", "memories");
    format!("no memory is recalled for this question, of {many}")
}

fn lines(recalled: &Recalled, output: &mut Output) -> Result<(), Stop> {
    let colour = output.look.colour;
    for one in &recalled.picked {
        let mut line = colour.paint(Style::Bold, &display::line(&one.path));
        if let Some(score) = one.score {
            let _ = write!(line, "  {score:.2}");
        }
        let why = colour.paint(Style::Dim, &display::line(&one.why));
        output.line(&format!("{line}  {why}"))?;
    }
    for one in &recalled.dropped {
        let line = format!(
            "not {}: {}",
            display::line(&one.path),
            display::line(&one.why)
        );
        output.line(&colour.paint(Style::Dim, &line))?;
    }
    let many = words::counted(recalled.candidates, "memory", "memories");
    let mut by = format!("by {}, of {many}", recalled.by.word());
    if let Some(usage) = recalled.usage {
        let input = usage.input + usage.cache_read + usage.cache_creation;
        let number = |tokens: u64| grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
        let _ = write!(
            by,
            ", for {} tokens in, {} out",
            number(input),
            number(usage.output)
        );
    }
    Ok(output.line(&colour.paint(Style::Dim, &by))?)
}

#[derive(Serialize)]
struct Shape<'a> {
    candidates: usize,
    picked: Vec<PickedShape<'a>>,
    dropped: Vec<DroppedShape<'a>>,
    by: &'static str,
    /// Why words chose, or why nothing was taken.
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct PickedShape<'a> {
    path: &'a str,
    /// The ranker's; a model gives none.
    score: Option<f32>,
    why: &'a str,
}

#[derive(Serialize)]
struct DroppedShape<'a> {
    path: &'a str,
    why: &'a str,
}

impl<'a> Shape<'a> {
    fn new(recalled: &'a Recalled) -> Self {
        let picked = recalled.picked.iter().map(|one| PickedShape {
            path: &one.path,
            score: one.score,
            why: &one.why,
        });
        let dropped = recalled.dropped.iter().map(|one| DroppedShape {
            path: &one.path,
            why: &one.why,
        });
        Self {
            candidates: recalled.candidates,
            picked: picked.collect(),
            dropped: dropped.collect(),
            by: recalled.by.word(),
            note: recalled.note.as_deref(),
        }
    }
}
