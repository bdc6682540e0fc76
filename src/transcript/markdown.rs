//! A session as Markdown: what was said as it stands, tools and what the client put in folded. It is
//! written bit by bit, so that a session of any size takes no more memory than its pages.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use super::conversation::{self, Item, Page, Piece, Said, Side, Tool, Up};
use super::source::Source;
use crate::base::time::{Moment, grouped};

/// What stands at the head of it.
#[derive(Debug, Clone)]
pub struct Head<'a> {
    pub title: Option<&'a str>,
    pub id: &'a str,
    pub path: &'a Path,
}

/// Writes a transcript of `end` bytes. `safe` is given every text that is foreign.
///
/// # Errors
/// As the system says; what can't be read is named.
pub fn write<S: Source + ?Sized>(
    source: &S,
    end: u64,
    head: &Head<'_>,
    safe: &dyn Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<LeftOut> {
    let unread = |error: io::Error| {
        let path = head.path.display();
        io::Error::new(error.kind(), format!("{path} can't be read: {error}"))
    };
    let mut written = Writing {
        source,
        safe,
        out,
        speaker: None,
        left_out: LeftOut::default(),
    };
    let title = head.title.map_or(head.id, |title| title);
    writeln!(written.out, "# {}\n", one_line(&safe(title)))?;
    writeln!(written.out, "Session `{}`\n", safe(head.id))?;
    for (range, up) in pages(source, end).map_err(unread)?.into_iter().rev() {
        let page = conversation::again(source, range, &up, end).map_err(unread)?;
        for item in &page.items {
            written.item(item)?;
        }
    }
    Ok(written.left_out)
}

/// What of a session is not in its Markdown, and named there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Blocks of lines that are too long to be held.
    pub blocks: u64,
    /// Lines in whose place another one of the same id counts.
    pub lines: u64,
}

impl LeftOut {
    /// It in words; nothing where nothing is left out.
    #[must_use]
    pub fn said(&self) -> Option<String> {
        let blocks = (self.blocks > 0).then(|| {
            format!(
                "blocks of lines that are too long to be held ({})",
                self.blocks
            )
        });
        let lines = (self.lines > 0).then(|| {
            format!(
                "lines that were written again with other words ({})",
                self.lines
            )
        });
        let parts: Vec<String> = blocks.into_iter().chain(lines).collect();
        (!parts.is_empty()).then(|| format!("not in it, and named there: {}", parts.join("; ")))
    }
}

/// The pages from the last to the first, each with where the conversation goes on before what follows it.
fn pages<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Vec<(Range<u64>, Up)>> {
    let mut page: Page = conversation::last(source, end)?;
    let mut found = vec![(page.range.clone(), Up::Last)];
    while page.has_before() {
        let up = page.up.clone();
        page = conversation::before(source, &page)?;
        found.push((page.range.clone(), up));
    }
    Ok(found)
}

struct Writing<'w, S: Source + ?Sized> {
    source: &'w S,
    safe: &'w dyn Fn(&str) -> String,
    out: &'w mut dyn Write,
    /// Whose heading was written last.
    speaker: Option<&'static str>,
    left_out: LeftOut,
}

impl<S: Source + ?Sized> Writing<'_, S> {
    fn item(&mut self, item: &Item) -> io::Result<()> {
        let side = match item.side {
            Side::Main => "",
            Side::Branch => ", taken back",
            Side::Agent => ", a sub-agent",
        };
        match &item.said {
            Said::Prompt(text) => {
                self.speaker = None;
                self.heading("Prompt", side, item)?;
                self.text(text)
            }
            Said::Answer(text) => {
                self.heading("Answer", side, item)?;
                self.text(text)
            }
            Said::Command(text) => {
                self.heading("Command", side, item)?;
                self.fenced(text)
            }
            Said::Picture(name) => writeln!(self.out, "*{}*\n", one_line(&(self.safe)(name))),
            Said::Thinking(None) => Ok(()),
            Said::Thinking(Some(text)) => {
                self.heading("Answer", side, item)?;
                self.folded("thinking", |own| own.text(text))
            }
            Said::Tool(tool) => {
                self.heading("Answer", side, item)?;
                self.tool(tool)
            }
            Said::Boundary(boundary) => {
                self.speaker = None;
                let tokens = match (boundary.before, boundary.after) {
                    (Some(before), Some(after)) => format!(
                        ", from {} to {} tokens",
                        grouped(usize::try_from(before).unwrap_or(usize::MAX)),
                        grouped(usize::try_from(after).unwrap_or(usize::MAX))
                    ),
                    (_, _) => String::new(),
                };
                let elsewhere = match boundary.is_earlier_elsewhere {
                    true => " What came before is not in this file.",
                    false => "",
                };
                let trigger = one_line(&(self.safe)(&boundary.trigger));
                writeln!(
                    self.out,
                    "---\n\n*Compacted ({trigger}){tokens}.{elsewhere}*\n\n---\n"
                )
            }
            Said::Summary(text) => {
                self.heading("Summary", side, item)?;
                self.folded("what was said before", |own| own.text(text))
            }
            Said::Instructions { files, changed } => {
                let what = match changed {
                    true => "instructions that had changed",
                    false => "instructions",
                };
                let paths: Vec<String> = files
                    .iter()
                    .map(|(path, _)| format!("`{}`", one_line(&(self.safe)(path))))
                    .collect();
                writeln!(self.out, "> {what}: {}\n", paths.join(", "))
            }
            Said::Files { kind, paths, text } => {
                let paths: Vec<String> = paths.iter().map(|path| (self.safe)(path)).collect();
                let what = (self.safe)(&words_of(kind));
                let name = match paths.is_empty() {
                    true => what,
                    false => format!("{what}: {}", paths.join(", ")),
                };
                self.injected(&name, text.as_ref())
            }
            Said::Attached { kind, text } | Said::Notice { kind, text } => {
                let name = (self.safe)(&words_of(kind));
                self.injected(&name, text.as_ref())
            }
            Said::Reminder(text) => self.injected("reminder", Some(text)),
            Said::Missing(blocks) => {
                self.left_out.blocks += blocks;
                let (more, are) = match blocks {
                    1 => ("block", "is"),
                    _ => ("blocks", "are"),
                };
                writeln!(self.out, "> {blocks} more {more} {are} missing\n")
            }
            Said::Repeated => {
                self.left_out.lines += 1;
                writeln!(
                    self.out,
                    "> a line was written again with other words: the last of them counts\n"
                )
            }
            Said::Unreadable(bytes) => writeln!(self.out, "> a line of {bytes} bytes is no JSON\n"),
            Said::Incomplete(bytes) => {
                writeln!(self.out, "> the last line is cut off after {bytes} bytes\n")
            }
        }
    }

    /// Says who speaks, where that is somebody else than before.
    fn heading(&mut self, who: &'static str, side: &str, item: &Item) -> io::Result<()> {
        if self.speaker.replace(who) == Some(who) && side.is_empty() {
            return Ok(());
        }
        let time = item.time.as_deref().unwrap_or_default();
        let time = match Moment::parse(time) {
            None => String::new(),
            Some(moment) => {
                let time = Moment::from_seconds(moment.seconds).rfc3339();
                format!(" · {} UTC", time.trim_end_matches('Z').replace('T', " "))
            }
        };
        writeln!(self.out, "## {who}{side}{time}\n")
    }

    fn whole(&self, text: &Piece) -> io::Result<String> {
        text.read(self.source).map(|text| (self.safe)(&text))
    }

    fn text(&mut self, text: &Piece) -> io::Result<()> {
        let text = self.whole(text)?;
        writeln!(self.out, "{}\n", text.trim_end())
    }

    fn fenced(&mut self, text: &Piece) -> io::Result<()> {
        let text = self.whole(text)?;
        // A longer run of marks than any in it, or it would end there.
        let mut run = 0;
        let longest = text.chars().fold(0, |longest: usize, c| {
            run = if c == '`' { run + 1 } else { 0 };
            longest.max(run)
        });
        let fence = "`".repeat(longest.max(2) + 1);
        writeln!(self.out, "{fence}text\n{}\n{fence}\n", text.trim_end())
    }

    fn folded(
        &mut self,
        name: &str,
        inner: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let name = one_line(name).replace('&', "&amp;").replace('<', "&lt;");
        writeln!(self.out, "<details><summary>{name}</summary>\n")?;
        inner(self)?;
        writeln!(self.out, "</details>\n")
    }

    fn injected(&mut self, name: &str, text: Option<&Piece>) -> io::Result<()> {
        match text {
            Some(text) => self.folded(name, |own| own.fenced(text)),
            None => writeln!(self.out, "> {}\n", one_line(name)),
        }
    }

    fn tool(&mut self, tool: &Tool) -> io::Result<()> {
        let name = match tool.name.is_empty() {
            true => "a tool's result",
            false => &tool.name,
        };
        let agent = tool.agent.as_ref().map(|agent| format!(" ({agent})"));
        let result = match &tool.result {
            None => " · no result".to_string(),
            Some(result) if result.is_error => " · error".to_string(),
            Some(_) => String::new(),
        };
        let agent = agent.unwrap_or_default();
        let told = format!("{name}{agent} {}{result}", tool.about);
        let told = (self.safe)(&told);
        self.folded(&told, |own| {
            if let Some(input) = &tool.input {
                own.fenced(input)?;
            }
            let Some(result) = &tool.result else {
                return Ok(());
            };
            for text in &result.texts {
                own.fenced(text)?;
            }
            for other in &result.others {
                writeln!(own.out, "*{}*\n", one_line(&(own.safe)(other)))?;
            }
            if result.texts.is_empty() && result.others.is_empty() {
                writeln!(own.out, "(empty)\n")?;
            }
            Ok(())
        })
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The kind of what the client put in, in words.
fn words_of(kind: &str) -> String {
    match kind {
        "relevant_memories" | "nested_memory" => "recalled".to_string(),
        kind => kind.replace('_', " "),
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
