//! Server-sent events out of bytes, exact wherever these are cut: within a character, a line ending, an
//! event. Knows nothing of what an event says.

/// Bytes of one event; more is no answer of a model.
pub const MOST: usize = 16 << 20;

/// One event: its name (`message` where the stream names none) and its lines of data, joined by a line
/// feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub event: String,
    pub data: String,
}

/// A line or an event is larger than [`MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is over 16 MiB large")]
pub struct TooLarge;

/// What of a stream is not an event yet.
#[derive(Debug, Default)]
pub struct Parser {
    /// The line that is being read, without its ending.
    line: Vec<u8>,
    /// The last line ended with a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    /// A byte order mark may only stand before the first line.
    begun: bool,
    event: Option<String>,
    data: Option<String>,
}

impl Parser {
    /// Takes the next bytes and gives the events that are complete with them.
    ///
    /// # Errors
    /// An event that is too large; the stream is of no use then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Message>, TooLarge> {
        let mut messages = Vec::new();
        let mut rest = bytes;
        if std::mem::take(&mut self.after_return) {
            match rest.first() {
                Some(b'\n') => rest = &rest[1..],
                Some(_) => {}
                None => self.after_return = true,
            }
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            self.line.extend_from_slice(&rest[..end]);
            let is_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if is_return {
                match rest.first() {
                    Some(b'\n') => rest = &rest[1..],
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
            messages.extend(self.end_line()?);
        }
        self.line.extend_from_slice(rest);
        match self.size() > MOST {
            true => Err(TooLarge),
            false => Ok(messages),
        }
    }

    /// The stream has ended. An event whose blank line did not come any more is one if its last line is
    /// whole.
    pub fn finish(&mut self) -> Option<Message> {
        match self.line.is_empty() {
            true => self.dispatch(),
            false => None,
        }
    }

    fn size(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self) -> Result<Option<Message>, TooLarge> {
        let bytes = std::mem::take(&mut self.line);
        let mut line = String::from_utf8_lossy(&bytes);
        if !std::mem::replace(&mut self.begun, true)
            && let Some(bare) = line.strip_prefix('\u{feff}')
        {
            line = bare.to_string().into();
        }
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.event = Some(value.to_string()),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_string()),
            },
            // A comment has no name. An id and a time to reconnect after are for who would reconnect.
            _ => {}
        }
        match self.size() > MOST {
            true => Err(TooLarge),
            false => Ok(None),
        }
    }

    fn dispatch(&mut self) -> Option<Message> {
        let event = self.event.take().filter(|name| !name.is_empty());
        let data = self.data.take()?;
        Some(Message {
            event: event.unwrap_or_else(|| "message".to_string()),
            data,
        })
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
