//! Anthropic's Messages API: what its events and its whole answers say. What it says of a kind that we
//! don't know is named and left out; a block of such a kind is kept as it is.

use serde_json::Value;

use crate::llm::answer::{Event, Start, StopReason, Usage};
use crate::llm::failure::{Failure, What};
use crate::llm::sse::Message;

/// The version of the API that we speak.
pub const VERSION: &str = "2023-06-01";

/// Reads one stream.
#[derive(Debug, Default)]
pub struct Reader {
    usage: Usage,
    /// A reason to stop has come: the answer is whole.
    pub stopped: bool,
    /// `message_stop` has come: nothing more follows.
    pub over: bool,
}

impl Reader {
    /// Takes one event of the stream.
    ///
    /// # Errors
    /// An error that the server tells within its stream; an event that is no JSON.
    pub fn take(&mut self, message: &Message, out: &mut Vec<Event>) -> Result<(), Failure> {
        // Gateways end their streams with it, whatever protocol they speak.
        if message.data.trim() == "[DONE]" {
            return Ok(());
        }
        let Ok(value) = serde_json::from_str::<Value>(&message.data) else {
            let what = "its event is no JSON".to_string();
            return Err(Failure::new(What::NotAnAnswer(what), "").saying(&message.data));
        };
        let kind = match value["type"].as_str() {
            Some(kind) => kind,
            None if !value["error"].is_null() => "error",
            None => &message.event,
        };
        match kind {
            "message_start" => self.start(&value["message"], out),
            "content_block_start" => {
                let index = index(&value);
                begin(index, &value["content_block"], out);
            }
            "content_block_delta" => delta(index(&value), &value["delta"], out),
            "content_block_stop" => out.push(Event::Ended {
                index: index(&value),
            }),
            "message_delta" => {
                self.count(&value["usage"], out);
                if let Some(reason) = value["delta"]["stop_reason"].as_str() {
                    self.stopped = true;
                    out.push(Event::Stopped(StopReason::read(reason)));
                }
            }
            "message_stop" => self.over = true,
            "ping" => out.push(Event::Ping),
            "error" => return Err(error(&value)),
            // A server that was not asked for a stream, or can't, sends it whole.
            "message" if value["content"].is_array() => self.whole(&value, out),
            other => out.push(Event::Unknown(other.to_string())),
        }
        Ok(())
    }

    /// Takes an answer that came whole.
    pub fn whole(&mut self, message: &Value, out: &mut Vec<Event>) {
        self.start(message, out);
        let blocks = message["content"].as_array();
        for (index, block) in blocks.into_iter().flatten().enumerate() {
            begin(index, block, out);
            out.push(Event::Ended { index });
        }
        let reason = message["stop_reason"].as_str().unwrap_or("end_turn");
        out.push(Event::Stopped(StopReason::read(reason)));
        self.over = true;
    }

    fn start(&mut self, message: &Value, out: &mut Vec<Event>) {
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_string();
        out.push(Event::Started {
            id: text("id"),
            model: text("model"),
        });
        self.count(&message["usage"], out);
    }

    /// Counts are totals; the later ones need not name all of them.
    fn count(&mut self, usage: &Value, out: &mut Vec<Event>) {
        if !usage.is_object() {
            return;
        }
        let of = |key: &str, before| usage[key].as_u64().unwrap_or(before);
        let hour = usage["cache_creation"]["ephemeral_1h_input_tokens"].as_u64();
        self.usage = Usage {
            input: of("input_tokens", self.usage.input),
            output: of("output_tokens", self.usage.output),
            cache_read: of("cache_read_input_tokens", self.usage.cache_read),
            cache_creation: of("cache_creation_input_tokens", self.usage.cache_creation),
            cache_creation_1h: hour.unwrap_or(self.usage.cache_creation_1h),
        };
        out.push(Event::Usage(self.usage));
    }
}

fn index(value: &Value) -> usize {
    let index = value["index"].as_u64().unwrap_or(0);
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// A block begins; what it holds already counts as its first part.
fn begin(index: usize, block: &Value, out: &mut Vec<Event>) {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_string();
    let begun = |start| Event::Begun { index, start };
    match block["type"].as_str().unwrap_or_default() {
        "text" => {
            out.push(begun(Start::Text));
            some(text("text"), |text| Event::Text { index, text }, out);
        }
        "thinking" => {
            out.push(begun(Start::Thinking));
            some(
                text("thinking"),
                |text| Event::Thinking { index, text },
                out,
            );
            let signature = |text| Event::Signature { index, text };
            some(text("signature"), signature, out);
        }
        "tool_use" => {
            let (id, name) = (text("id"), text("name"));
            out.push(begun(Start::Call { id, name }));
            let input = &block["input"];
            if input.as_object().is_some_and(|fields| !fields.is_empty()) {
                let json = input.to_string();
                out.push(Event::Input { index, json });
            }
        }
        _ => out.push(begun(Start::Raw(block.clone()))),
    }
}

fn delta(index: usize, delta: &Value, out: &mut Vec<Event>) {
    let text = |key: &str| delta[key].as_str().unwrap_or_default().to_string();
    out.push(match delta["type"].as_str().unwrap_or_default() {
        "text_delta" => Event::Text {
            index,
            text: text("text"),
        },
        "thinking_delta" => Event::Thinking {
            index,
            text: text("thinking"),
        },
        "signature_delta" => Event::Signature {
            index,
            text: text("signature"),
        },
        "input_json_delta" => Event::Input {
            index,
            json: text("partial_json"),
        },
        other => Event::Unknown(other.to_string()),
    });
}

fn some(text: String, event: impl Fn(String) -> Event, out: &mut Vec<Event>) {
    if !text.is_empty() {
        out.push(event(text));
    }
}

fn error(value: &Value) -> Failure {
    let error = &value["error"];
    let kind = error["type"].as_str().unwrap_or("error").to_string();
    let said = error["message"].as_str().or(error.as_str());
    Failure::new(What::InStream(kind), "").saying(said.unwrap_or_default())
}

#[cfg(test)]
#[path = "anthropic_tests.rs"]
mod tests;
