//! What a line says beyond its place and its message, for those who read it: what a tool was asked, who
//! answered, what is attached, what a boundary did.

use std::ops::Range;

use crate::base::json::reader::{Json, NoJson, Text};

/// Members of a tool's input that tell what it is about, the most telling first.
const TELLING: [&str; 12] = [
    "file_path",
    "notebook_path",
    "command",
    "pattern",
    "query",
    "url",
    "description",
    "path",
    "skill",
    "prompt",
    "subject",
    "name",
];

/// One use of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call<'a> {
    pub id: Option<Text<'a>>,
    /// What of its input tells most.
    pub about: Option<Text<'a>>,
    /// The kind of sub-agent that it starts.
    pub agent: Option<Text<'a>>,
    /// Where the input stands in the line, in bytes.
    pub input: Range<usize>,
}

/// A file that is attached, by its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedFile<'a> {
    pub path: Text<'a>,
    /// `Managed`, `User`, `Project`, `Local`, `AutoMem`; of instructions.
    pub layer: Option<Text<'a>>,
    pub text: Option<Text<'a>>,
}

/// What is attached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attached<'a> {
    pub files: Vec<AttachedFile<'a>>,
    /// Only what had changed.
    pub changed: bool,
}

/// What is told of one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details<'a> {
    pub calls: Vec<Call<'a>>,
    /// The sub-agent that a result is from.
    pub agent: Option<Text<'a>>,
    /// What a line of the client's own says.
    pub content: Option<Text<'a>>,
    /// `manual` or `auto`, and tokens before and after.
    pub trigger: Option<Text<'a>>,
    pub before: Option<u64>,
    pub after: Option<u64>,
    pub attached: Attached<'a>,
    /// The text of an attachment as it was sent.
    pub rendered: Option<Text<'a>>,
}

impl<'a> Details<'a> {
    /// The details of the one object of a line.
    ///
    /// # Errors
    /// A line that is no JSON.
    pub fn of_line(line: &'a [u8]) -> Result<Self, NoJson> {
        let mut details = Self::default();
        let mut json = Json::new(line);
        json.object(|json, key| {
            match key.raw {
                b"content" if json.is_text() => details.content = json.text()?,
                b"rendered" => details.rendered = rendered(json)?,
                b"message" => {
                    json.object(|json, key| {
                        if key.is("content") {
                            json.array(|json| {
                                details.calls.extend(call(json)?);
                                Ok(())
                            })?;
                        }
                        Ok(())
                    })?;
                }
                b"toolUseResult" => {
                    json.object(|json, key| {
                        if key.is("agentId") {
                            details.agent = json.text()?;
                        }
                        Ok(())
                    })?;
                }
                b"compactMetadata" => {
                    json.object(|json, key| {
                        match key.raw {
                            b"trigger" => details.trigger = json.text()?,
                            b"preTokens" => details.before = json.number()?,
                            b"postTokens" => details.after = json.number()?,
                            _ => {}
                        }
                        Ok(())
                    })?;
                }
                b"attachment" => details.attached = attached(json)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(details)
    }
}

/// A text, or the first text of a list of blocks.
fn rendered<'a>(json: &mut Json<'a>) -> Result<Option<Text<'a>>, NoJson> {
    if json.is_text() {
        return json.text();
    }
    let mut found = None;
    json.array(|json| {
        if json.is_text() {
            let text = json.text()?;
            found = found.or(text);
            return Ok(());
        }
        json.object(|json, key| {
            if key.is("text") {
                let text = json.text()?;
                found = found.or(text);
            }
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(found)
}

fn call<'a>(json: &mut Json<'a>) -> Result<Option<Call<'a>>, NoJson> {
    let (mut is_use, mut call, mut best) = (false, Call::default(), TELLING.len());
    json.object(|json, key| {
        match key.raw {
            b"type" => is_use = json.text()?.is_some_and(|kind| kind.is("tool_use")),
            b"id" => call.id = json.text()?,
            b"input" => {
                let begin = json.at();
                json.object(|json, key| {
                    if key.is("subagent_type") {
                        call.agent = json.text()?;
                        return Ok(());
                    }
                    let rank = TELLING.iter().position(|name| key.is(name));
                    if let Some(rank) = rank.filter(|rank| *rank < best)
                        && let Some(text) = json.text()?
                    {
                        (best, call.about) = (rank, Some(text));
                    }
                    Ok(())
                })?;
                call.input = begin..json.at();
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(is_use.then_some(call))
}

/// The files of an attachment: those of `files`, or the one that it is about itself.
fn attached<'a>(json: &mut Json<'a>) -> Result<Attached<'a>, NoJson> {
    let mut attached = Attached::default();
    let (mut own, mut own_text) = (None, None);
    json.object(|json, key| {
        match key.raw {
            b"changed" => attached.changed = json.flag()?,
            b"filename" | b"path" => own = json.text()?.or(own),
            b"content" if json.is_text() => own_text = json.text()?,
            b"content" => {
                json.object(|json, key| {
                    match key.raw {
                        b"content" => own_text = json.text()?.or(own_text),
                        b"file" => {
                            json.object(|json, key| {
                                match key.raw {
                                    b"filePath" => own = own.or(json.text()?),
                                    b"content" => own_text = json.text()?,
                                    _ => {}
                                }
                                Ok(())
                            })?;
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            b"files" | b"memories" => {
                json.array(|json| {
                    attached.files.extend(attached_file(json)?);
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    attached.files.extend(own.map(|path| AttachedFile {
        path,
        layer: None,
        text: own_text,
    }));
    Ok(attached)
}

fn attached_file<'a>(json: &mut Json<'a>) -> Result<Option<AttachedFile<'a>>, NoJson> {
    let (mut path, mut layer, mut text) = (None, None, None);
    if json.is_text() {
        path = json.text()?;
    } else {
        json.object(|json, key| {
            match key.raw {
                b"path" | b"filename" => path = json.text()?,
                b"type" => layer = json.text()?,
                b"content" => text = json.text()?,
                _ => {}
            }
            Ok(())
        })?;
    }
    Ok(path.map(|path| AttachedFile { path, layer, text }))
}

#[cfg(test)]
#[path = "details_tests.rs"]
mod tests;
