//! What chat completions answer: chunks of a stream, or one whole. Servers leave fields out and put some
//! elsewhere; what they say is read as far as it can only mean one thing.

use serde_json::Value;

use crate::llm::answer::{Event, Start, StopReason, Usage};
use crate::llm::failure::{Failure, What};
use crate::llm::sse::Message;

/// Reads one stream.
#[derive(Debug, Default)]
pub struct Reader {
    begun: bool,
    /// Blocks so far.
    blocks: usize,
    open: Option<Open>,
    /// The calls so far, by what the server calls them.
    calls: Vec<Call>,
    /// A reason to stop has come: the answer is whole.
    pub stopped: bool,
    /// The stream says that nothing more follows.
    pub over: bool,
}

/// The block that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Text(usize),
    Thinking(usize),
}

#[derive(Debug)]
struct Call {
    /// The server's number for it.
    number: Option<u64>,
    id: String,
    block: usize,
}

impl Reader {
    /// Takes one event of the stream.
    ///
    /// # Errors
    /// An error that the server tells within its stream; an event that is no JSON.
    pub fn take(&mut self, message: &Message, out: &mut Vec<Event>) -> Result<(), Failure> {
        if message.data.trim() == "[DONE]" {
            self.end(out);
            self.over = true;
            return Ok(());
        }
        let Ok(value) = serde_json::from_str::<Value>(&message.data) else {
            let what = "its event is no JSON".to_string();
            return Err(Failure::new(What::NotAnAnswer(what), "").saying(&message.data));
        };
        self.value(&value, out)
    }

    /// Takes an answer that came whole.
    ///
    /// # Errors
    /// An error that the server tells in its place.
    pub fn whole(&mut self, value: &Value, out: &mut Vec<Event>) -> Result<(), Failure> {
        self.value(value, out)?;
        if !std::mem::replace(&mut self.stopped, true) {
            out.push(Event::Stopped(self.reason("stop")));
        }
        self.end(out);
        self.over = true;
        Ok(())
    }

    /// The stream has ended, with or without a word: what is open is whole if a reason to stop came.
    pub fn end(&mut self, out: &mut Vec<Event>) {
        if !self.stopped {
            return;
        }
        self.close(out);
        for call in self.calls.drain(..) {
            out.push(Event::Ended { index: call.block });
        }
    }

    fn value(&mut self, value: &Value, out: &mut Vec<Event>) -> Result<(), Failure> {
        let error = &value["error"];
        if !error.is_null() {
            return Err(told(error));
        }
        if !std::mem::replace(&mut self.begun, true) {
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
            out.push(Event::Started {
                id: text("id"),
                model: text("model"),
            });
        }
        let choice = &value["choices"][0];
        let said = match choice["delta"].is_object() {
            true => &choice["delta"],
            false => &choice["message"],
        };
        for key in ["reasoning_content", "reasoning"] {
            if let Some(text) = said[key].as_str().filter(|text| !text.is_empty()) {
                let index = self.thinking(out);
                let text = text.to_string();
                out.push(Event::Thinking { index, text });
                break;
            }
        }
        for key in ["content", "refusal"] {
            if let Some(text) = said[key].as_str().filter(|text| !text.is_empty()) {
                let index = self.text(out);
                let text = text.to_string();
                out.push(Event::Text { index, text });
            }
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
        if let Some(usage) = usage(&value["usage"]) {
            out.push(Event::Usage(usage));
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.stopped = true;
            out.push(Event::Stopped(self.reason(reason)));
        }
        Ok(())
    }

    fn next(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn close(&mut self, out: &mut Vec<Event>) {
        if let Some(Open::Text(index) | Open::Thinking(index)) = self.open.take() {
            out.push(Event::Ended { index });
        }
    }

    fn text(&mut self, out: &mut Vec<Event>) -> usize {
        if let Some(Open::Text(index)) = self.open {
            return index;
        }
        self.close(out);
        let index = self.next();
        self.open = Some(Open::Text(index));
        let start = Start::Text;
        out.push(Event::Begun { index, start });
        index
    }

    fn thinking(&mut self, out: &mut Vec<Event>) -> usize {
        if let Some(Open::Thinking(index)) = self.open {
            return index;
        }
        self.close(out);
        let index = self.next();
        self.open = Some(Open::Thinking(index));
        let start = Start::Thinking;
        out.push(Event::Begun { index, start });
        index
    }

    /// A part of a call. A server that does not number its calls means the last one, unless it names
    /// another.
    fn call(&mut self, part: &Value, out: &mut Vec<Event>) {
        let number = part["index"].as_u64();
        let id = part["id"].as_str().filter(|id| !id.is_empty());
        let function = &part["function"];
        let known = match (number, id) {
            (Some(_), _) => self.calls.iter().rposition(|call| {
                // Some number all their calls 0 and tell them apart by their ids.
                call.number == number && id.is_none_or(|id| id == call.id)
            }),
            (None, Some(id)) => self.calls.iter().position(|call| call.id == id),
            (None, None) if function["name"].is_string() => None,
            (None, None) => self.calls.len().checked_sub(1),
        };
        let block = match known {
            Some(at) => self.calls[at].block,
            None => {
                self.close(out);
                let index = self.next();
                let id = id.map_or_else(|| format!("call_{index}"), ToString::to_string);
                let name = function["name"].as_str().unwrap_or_default().to_string();
                self.calls.push(Call {
                    number,
                    id: id.clone(),
                    block: index,
                });
                let start = Start::Call { id, name };
                out.push(Event::Begun { index, start });
                index
            }
        };
        let json = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            object => object.to_string(),
        };
        if !json.is_empty() {
            out.push(Event::Input { index: block, json });
        }
    }

    fn reason(&self, word: &str) -> StopReason {
        match word {
            "length" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            "stop" | "tool_calls" | "function_call" if !self.calls.is_empty() => {
                StopReason::ToolUse
            }
            "stop" | "tool_calls" | "function_call" => StopReason::EndTurn,
            other => StopReason::Other(other.to_string()),
        }
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let of = |key: &str| usage[key].as_u64();
    let input = of("prompt_tokens")?;
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64();
    let cached = cached.unwrap_or(0).min(input);
    Some(Usage {
        input: input - cached,
        output: of("completion_tokens").unwrap_or(0),
        cache_read: cached,
        ..Usage::default()
    })
}

/// An error that stands in an answer's place.
fn told(error: &Value) -> Failure {
    let code = &error["code"];
    let code = code
        .as_str()
        .map_or_else(|| code.to_string(), ToString::to_string);
    let kind = match error["type"].as_str() {
        Some(kind) => kind.to_string(),
        None => code.clone(),
    };
    // Gateways hand through what the server behind them answered.
    let kind = match code.as_str() {
        "429" => "rate_limit_error".to_string(),
        "502" | "503" | "529" => "overloaded_error".to_string(),
        _ => kind,
    };
    let said = error["message"].as_str().or(error.as_str());
    Failure::new(What::InStream(kind), "").saying(said.unwrap_or_default())
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
