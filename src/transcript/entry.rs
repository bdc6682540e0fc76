//! What one line of a transcript says: its place in the graph, its message, its bill. Lines of kinds
//! that are not known have a place too, and nothing more.

use super::message::Message;
use crate::base::json::reader::{Json, NoJson, Text};

/// What kind of line it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    User,
    Assistant,
    System,
    Attachment,
    /// Progress, snapshots, what belongs to no conversation, what is not known.
    #[default]
    Other,
}

impl Kind {
    fn of(text: Text<'_>) -> Self {
        match text.raw {
            b"user" => Self::User,
            b"assistant" => Self::Assistant,
            b"system" => Self::System,
            b"attachment" => Self::Attachment,
            _ => Self::Other,
        }
    }

    /// Whether such a line is a message.
    #[must_use]
    pub fn is_message(self) -> bool {
        matches!(self, Self::User | Self::Assistant)
    }
}

/// The messages that stay in the conversation though they stand before a boundary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preserved<'a> {
    /// The line that they follow.
    pub anchor: Option<Text<'a>>,
    /// Their lines in their order (newer clients).
    pub uuids: Vec<Text<'a>>,
    /// The first and the last of them.
    pub head: Option<Text<'a>>,
    pub tail: Option<Text<'a>>,
}

/// A file that an attachment brought, or names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttachedFile<'a> {
    pub path: Option<Text<'a>>,
    /// Of standing instructions: `Managed`, `User`, `Project`, `Local`, `AutoMem`.
    pub layer: Option<Text<'a>>,
    /// Its text, where it stands beside its path.
    pub content: Option<Text<'a>>,
}

/// One line.
#[derive(Debug, Clone, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "marks of the format, each on its own"
)]
pub struct Entry<'a> {
    pub kind: Kind,
    /// The kind as it is written.
    pub name: Option<Text<'a>>,
    pub subtype: Option<Text<'a>>,
    pub uuid: Option<Text<'a>>,
    pub parent: Option<Text<'a>>,
    pub logical_parent: Option<Text<'a>>,
    pub session: Option<Text<'a>>,
    /// RFC 3339, in UTC.
    pub time: Option<Text<'a>>,
    pub cwd: Option<Text<'a>>,
    pub version: Option<Text<'a>>,
    pub request: Option<Text<'a>>,
    /// What started the session: `cli`, or a program of some kind.
    pub entrypoint: Option<Text<'a>>,
    pub is_sidechain: bool,
    pub is_meta: bool,
    pub is_summary: bool,
    pub preserved: Preserved<'a>,
    pub message: Message<'a>,
    /// What kind of thing is attached, and the files that it brought.
    pub attachment: Option<Text<'a>>,
    pub attached: Vec<AttachedFile<'a>>,
    pub branch: Option<Text<'a>>,
    /// How the prompt came: `sdk` where a program wrote it.
    pub prompt_source: Option<Text<'a>>,
    /// What a person, the client's model, or an older client called a session.
    pub custom_title: Option<Text<'a>>,
    pub ai_title: Option<Text<'a>>,
    pub summary: Option<Text<'a>>,
    /// The last line of what a summary is about.
    pub leaf: Option<Text<'a>>,
    /// The session that this line was copied from.
    pub forked_from: Option<Text<'a>>,
    /// The hashes of what is recorded of a request: a message, or system and tools.
    pub hash: Option<Text<'a>>,
    pub shape_hash: Option<Text<'a>>,
    /// The picture of a tool's result is kept a second time, beside the message.
    pub is_stored_twice: bool,
}

impl<'a> Entry<'a> {
    /// The one object of a line.
    ///
    /// # Errors
    /// A line that is no JSON, or holds more than one value.
    pub fn of_line(line: &'a [u8]) -> Result<Self, NoJson> {
        let mut json = Json::new(line);
        let entry = Self::read(&mut json)?;
        match json.is_done() {
            true => Ok(entry),
            false => Err(NoJson { at: json.at() }),
        }
    }

    /// All objects of a line that were written without a line feed between them.
    ///
    /// # Errors
    /// A line of which anything is no JSON.
    pub fn all_of_line(line: &'a [u8]) -> Result<Vec<Self>, NoJson> {
        let mut json = Json::new(line);
        let mut entries = Vec::new();
        while !json.is_done() {
            entries.push(Self::read(&mut json)?);
        }
        Ok(entries)
    }

    /// Whether a resumed session begins after this line.
    #[must_use]
    pub fn is_boundary(&self) -> bool {
        self.kind == Kind::System && self.subtype.is_some_and(|word| word.is("compact_boundary"))
    }

    fn read(json: &mut Json<'a>) -> Result<Self, NoJson> {
        let mut entry = Self::default();
        json.object(|json, key| {
            match key.raw {
                b"type" => entry.name = json.text()?,
                b"subtype" => entry.subtype = json.text()?,
                b"uuid" => entry.uuid = json.text()?,
                b"parentUuid" => entry.parent = json.text()?,
                b"logicalParentUuid" => entry.logical_parent = json.text()?,
                b"sessionId" => entry.session = json.text()?,
                b"timestamp" => entry.time = json.text()?,
                b"cwd" => entry.cwd = json.text()?,
                b"version" => entry.version = json.text()?,
                b"requestId" => entry.request = json.text()?,
                b"entrypoint" => entry.entrypoint = json.text()?,
                b"isSidechain" => entry.is_sidechain = json.flag()?,
                b"isMeta" => entry.is_meta = json.flag()?,
                b"isCompactSummary" => entry.is_summary = json.flag()?,
                b"compactMetadata" => entry.preserved = preserved(json)?,
                b"message" => entry.message = Message::read(json)?,
                b"attachment" => (entry.attachment, entry.attached) = attachment(json)?,
                b"gitBranch" => entry.branch = json.text()?,
                b"promptSource" => entry.prompt_source = json.text()?,
                b"customTitle" => entry.custom_title = json.text()?,
                b"aiTitle" => entry.ai_title = json.text()?,
                b"summary" => entry.summary = json.text()?,
                b"leafUuid" => entry.leaf = json.text()?,
                b"forkedFrom" => {
                    json.object(|json, key| {
                        if key.is("sessionId") {
                            entry.forked_from = json.text()?;
                        }
                        Ok(())
                    })?;
                }
                b"hash" => entry.hash = json.text()?,
                b"shapeHash" => entry.shape_hash = json.text()?,
                b"toolUseResult" => entry.is_stored_twice = has_picture(json)?,
                _ => {}
            }
            Ok(())
        })?;
        entry.kind = entry.name.map(Kind::of).unwrap_or_default();
        Ok(entry)
    }
}

fn preserved<'a>(json: &mut Json<'a>) -> Result<Preserved<'a>, NoJson> {
    let mut preserved = Preserved::default();
    json.object(|json, key| {
        match key.raw {
            b"preservedSegment" => {
                json.object(|json, key| {
                    match key.raw {
                        b"headUuid" => preserved.head = json.text()?,
                        b"tailUuid" => preserved.tail = json.text()?,
                        b"anchorUuid" => preserved.anchor = preserved.anchor.or(json.text()?),
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            b"preservedMessages" => {
                json.object(|json, key| {
                    match key.raw {
                        b"anchorUuid" => preserved.anchor = json.text()?.or(preserved.anchor),
                        b"uuids" => {
                            json.array(|json| {
                                preserved.uuids.extend(json.text()?);
                                Ok(())
                            })?;
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(preserved)
}

/// The `type` of an object.
type Attachment<'a> = (Option<Text<'a>>, Vec<AttachedFile<'a>>);

/// Its kind, and its files: a list of them, or the one that it names.
fn attachment<'a>(json: &mut Json<'a>) -> Result<Attachment<'a>, NoJson> {
    let (mut kind, mut files, mut named) = (None, Vec::new(), None);
    json.object(|json, key| {
        match key.raw {
            b"type" => kind = json.text()?,
            b"filename" | b"path" => named = json.text()?,
            b"files" | b"memories" => {
                json.array(|json| {
                    files.push(attached_file(json)?);
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    files.extend(named.map(|path| AttachedFile {
        path: Some(path),
        ..AttachedFile::default()
    }));
    Ok((kind, files))
}

fn attached_file<'a>(json: &mut Json<'a>) -> Result<AttachedFile<'a>, NoJson> {
    let mut file = AttachedFile::default();
    json.object(|json, key| {
        match key.raw {
            b"path" => file.path = json.text()?,
            b"type" => file.layer = json.text()?,
            b"content" => file.content = json.text()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(file)
}

fn has_picture(json: &mut Json<'_>) -> Result<bool, NoJson> {
    let mut found = false;
    json.object(|json, key| {
        if key.is("file") {
            json.object(|_, key| {
                found |= key.is("base64");
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
