//! What a server sends, read by the protocol that it speaks.

use serde_json::Value;

use crate::config::model::Protocol;
use crate::llm::answer::Event;
use crate::llm::failure::{Failure, What};
use crate::llm::sse::Message;
use crate::llm::{anthropic, openai};

/// Reads one answer.
#[derive(Debug)]
pub struct Reader {
    of: Of,
    begun: bool,
}

#[derive(Debug)]
enum Of {
    Anthropic(anthropic::Reader),
    OpenAi(openai::Reader),
}

/// What was read, and whether that is as far as it goes.
pub type Read = (Vec<Event>, Result<(), Failure>);

impl Reader {
    #[must_use]
    pub fn new(protocol: Protocol) -> Self {
        Self {
            of: match protocol {
                Protocol::Anthropic => Of::Anthropic(anthropic::Reader::default()),
                Protocol::OpenAi => Of::OpenAi(openai::Reader::default()),
            },
            begun: false,
        }
    }

    /// Takes events of a stream in their order; what came before a failure is given too.
    pub fn take<'a>(&mut self, messages: impl IntoIterator<Item = &'a Message>) -> Read {
        let mut events = Vec::new();
        for message in messages {
            self.begun = true;
            let ended = match &mut self.of {
                Of::Anthropic(reader) => reader.take(message, &mut events),
                Of::OpenAi(reader) => reader.take(message, &mut events),
            };
            if ended.is_err() {
                return (events, ended);
            }
        }
        (events, Ok(()))
    }

    /// Takes an answer that came whole.
    pub fn whole(&mut self, value: &Value) -> Read {
        let mut events = Vec::new();
        let is_one = match &self.of {
            Of::Anthropic(_) => value["content"].is_array(),
            Of::OpenAi(_) => value["choices"].is_array(),
        };
        if !is_one && value["error"].is_null() {
            let what = What::NotAnAnswer("JSON without an answer in it".to_string());
            return (
                events,
                Err(Failure::new(what, "").saying(value.to_string())),
            );
        }
        let message = Message {
            event: String::new(),
            data: value.to_string(),
        };
        match &mut self.of {
            Of::Anthropic(reader) if is_one => reader.whole(value, &mut events),
            Of::OpenAi(reader) if is_one => {
                if let Err(failure) = reader.whole(value, &mut events) {
                    return (events, Err(failure));
                }
            }
            Of::Anthropic(_) | Of::OpenAi(_) => return self.take([&message]),
        }
        (events, self.whole_or_cut())
    }

    /// The stream has ended. `last` is an event whose blank line did not come.
    pub fn end(&mut self, last: Option<&Message>) -> Read {
        let (mut events, ended) = self.take(last);
        // Half an event at the very end was cut, whatever it looks like.
        let ended = ended.map_err(|failure| match failure.what {
            What::NotAnAnswer(_) => Failure::new(What::Cut, ""),
            _ => failure,
        });
        if let Of::OpenAi(reader) = &mut self.of {
            reader.end(&mut events);
        }
        (events, ended.and(self.whole_or_cut()))
    }

    /// Whether the answer is whole, though more may follow, such as a count.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        match &self.of {
            Of::Anthropic(reader) => reader.over || reader.stopped,
            Of::OpenAi(reader) => reader.stopped,
        }
    }

    fn whole_or_cut(&self) -> Result<(), Failure> {
        match self.is_whole() {
            true => Ok(()),
            false => Err(Failure::new(What::Cut, "")),
        }
    }

    /// Whether the server said that nothing more follows.
    #[must_use]
    pub fn is_over(&self) -> bool {
        match &self.of {
            Of::Anthropic(reader) => reader.over,
            Of::OpenAi(reader) => reader.over,
        }
    }

    /// Whether any event came.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.begun
    }
}
