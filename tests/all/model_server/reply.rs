//! What the server answers: blocks, said in the protocol that was asked in, whole or as a stream; refusals;
//! bytes as they are; each of them cut, slow or silent if that is asked for.

use serde_json::{Value, json};

use super::cache::Counted;
use super::wire::{Ending, Sent};

/// One answer.
#[derive(Debug, Clone)]
pub struct Reply {
    content: Content,
    headers: Vec<(String, String)>,
    piece: usize,
    ending: Ending,
    /// After so many events an error of this kind comes in their place.
    error: Option<(usize, String)>,
    endless: bool,
}

#[derive(Debug, Clone)]
enum Content {
    /// Blocks in the shape of the Messages API, and why they end.
    Blocks {
        blocks: Vec<Value>,
        stop: String,
    },
    Bytes {
        status: u16,
        body: Vec<u8>,
    },
}

impl Default for Reply {
    fn default() -> Self {
        Self::text("ok")
    }
}

impl Reply {
    pub fn text(text: &str) -> Self {
        Self::blocks(vec![json!({"type": "text", "text": text})], "end_turn")
    }

    /// Calls of tools, each with an id, a name and an input.
    pub fn calls(calls: &[(&str, &str, Value)]) -> Self {
        let call = |(id, name, input): &(&str, &str, Value)| json!({"type": "tool_use", "id": id, "name": name, "input": input});
        Self::blocks(calls.iter().map(call).collect(), "tool_use")
    }

    /// Blocks in the shape of the Messages API.
    pub fn blocks(blocks: Vec<Value>, stop: &str) -> Self {
        let stop = stop.to_string();
        Self::of(Content::Blocks { blocks, stop })
    }

    /// A refusal or a fault, with its kind and words.
    pub fn status(status: u16, kind: &str, said: &str) -> Self {
        let body = json!({"type": "error", "error": {"type": kind, "message": said}});
        let body = body.to_string().into_bytes();
        Self::of(Content::Bytes { status, body }).header("content-type", "application/json")
    }

    /// A success of these bytes.
    pub fn raw(content_type: &str, body: &str) -> Self {
        let content = Content::Bytes {
            status: 200,
            body: body.as_bytes().to_vec(),
        };
        Self::of(content).header("content-type", content_type)
    }

    /// Another address.
    pub fn redirect(to: &str) -> Self {
        let content = Content::Bytes {
            status: 307,
            body: Vec::new(),
        };
        Self::of(content).header("location", to)
    }

    fn of(content: Content) -> Self {
        Self {
            content,
            headers: Vec::new(),
            piece: usize::MAX,
            ending: Ending::Whole,
            error: None,
            endless: false,
        }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_string(), value.to_string()));
        self
    }

    /// In writes of so many bytes, through the middle of characters.
    pub fn in_pieces(self, piece: usize) -> Self {
        Self { piece, ..self }
    }

    /// The connection breaks after so many bytes.
    pub fn cut_after(self, bytes: usize) -> Self {
        let ending = Ending::Cut(bytes);
        Self { ending, ..self }
    }

    /// Nothing more comes after so many bytes.
    pub fn silent_after(self, bytes: usize) -> Self {
        let ending = Ending::Silent(Some(bytes));
        Self { ending, ..self }
    }

    /// Without the last of its events, which says that the answer is over; the connection stays.
    pub fn without_end(self) -> Self {
        Self {
            endless: true,
            ..self
        }
    }

    /// Not even a status comes.
    pub fn silent(self) -> Self {
        let ending = Ending::Silent(None);
        Self { ending, ..self }
    }

    /// After so many events an error comes.
    pub fn error_after(self, events: usize, kind: &str) -> Self {
        let error = Some((events, kind.to_string()));
        Self { error, ..self }
    }

    pub fn is_success(&self) -> bool {
        match &self.content {
            Content::Blocks { .. } => self.error.is_none(),
            Content::Bytes { status, .. } => *status < 300,
        }
    }

    /// As it goes out where no request is looked at.
    pub fn whole(self) -> Sent {
        self.messages(&Value::Null, Counted::default())
    }

    /// As the Messages API says it.
    pub fn messages(self, request: &Value, counted: Counted) -> Sent {
        let usage = json!({"input_tokens": counted.fresh, "cache_read_input_tokens": counted.read,
                           "cache_creation_input_tokens": counted.written, "output_tokens": 1});
        let error = |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "as the test asked"}});
        let (blocks, stop) = match &self.content {
            Content::Blocks { blocks, stop } => (blocks.clone(), stop.clone()),
            Content::Bytes { .. } => return self.bytes(),
        };
        let model = &request["model"];
        if request["stream"] != true {
            let whole = json!({"type": "message", "role": "assistant", "id": "msg_1", "model": model,
                               "content": blocks, "stop_reason": stop, "usage": usage});
            return self.out("application/json", whole.to_string());
        }
        let mut events = vec![
            json!({"type": "message_start", "message": {"type": "message", "role": "assistant", "id": "msg_1",
                   "model": model, "content": [], "stop_reason": null, "usage": usage}}),
            json!({"type": "ping"}),
        ];
        for (index, block) in blocks.iter().enumerate() {
            let (start, deltas) = parts(block);
            events.push(
                json!({"type": "content_block_start", "index": index, "content_block": start}),
            );
            let delta =
                |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
            events.extend(deltas.into_iter().map(delta));
            events.push(json!({"type": "content_block_stop", "index": index}));
        }
        let output = serde_json::to_string(&blocks).unwrap().len() / 4;
        events.push(json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": output}}));
        events.push(json!({"type": "message_stop"}));
        if let Some((after, kind)) = &self.error {
            events.truncate(*after);
            events.push(error(kind));
        }
        let text = |event: &Value| {
            format!(
                "event: {}\ndata: {event}\n\n",
                event["type"].as_str().unwrap()
            )
        };
        let text = events.iter().map(text).collect();
        self.out("text/event-stream; charset=utf-8", text)
    }

    /// As chat completions say it.
    pub fn chat(self, request: &Value, counted: Counted) -> Sent {
        let (blocks, stop) = match &self.content {
            Content::Blocks { blocks, stop } => (blocks.clone(), stop.clone()),
            Content::Bytes { .. } => return self.bytes(),
        };
        let prompt = counted.read + counted.written + counted.fresh;
        let usage = json!({"prompt_tokens": prompt, "completion_tokens": 1,
                           "prompt_tokens_details": {"cached_tokens": counted.read}});
        let stop = match stop.as_str() {
            "tool_use" => "tool_calls",
            "max_tokens" => "length",
            _ => "stop",
        };
        let of_kind = |kind: &str| -> Vec<&Value> {
            blocks
                .iter()
                .filter(|block| block["type"] == kind)
                .collect()
        };
        let call = |block: &Value| {
            json!({"id": block["id"], "type": "function",
                   "function": {"name": block["name"], "arguments": block["input"].to_string()}})
        };
        if request["stream"] != true {
            let text: String = of_kind("text")
                .iter()
                .filter_map(|block| block["text"].as_str())
                .collect();
            let calls: Vec<Value> = of_kind("tool_use").into_iter().map(call).collect();
            let whole = json!({"id": "c1", "object": "chat.completion", "model": request["model"], "usage": usage,
                "choices": [{"index": 0, "finish_reason": stop, "message": {"role": "assistant", "content": text, "tool_calls": calls}}]});
            return self.out("application/json", whole.to_string());
        }
        let chunk = |delta: Value, finish: Value| {
            json!({"id": "c1", "object": "chat.completion.chunk", "model": request["model"],
                   "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        };
        let mut chunks = vec![chunk(
            json!({"role": "assistant", "content": ""}),
            Value::Null,
        )];
        for block in of_kind("text") {
            let texts = pieces(block["text"].as_str().unwrap_or_default());
            chunks.extend(
                texts
                    .into_iter()
                    .map(|text| chunk(json!({"content": text}), Value::Null)),
            );
        }
        for (index, block) in of_kind("tool_use").into_iter().enumerate() {
            let start = json!({"index": index, "id": block["id"], "type": "function",
                               "function": {"name": block["name"], "arguments": ""}});
            chunks.push(chunk(json!({"tool_calls": [start]}), Value::Null));
            for text in pieces(&block["input"].to_string()) {
                let part = json!({"index": index, "function": {"arguments": text}});
                chunks.push(chunk(json!({"tool_calls": [part]}), Value::Null));
            }
        }
        chunks.push(chunk(json!({}), json!(stop)));
        if request["stream_options"]["include_usage"] == true {
            chunks.push(json!({"id": "c1", "choices": [], "usage": usage}));
        }
        let mut text: Vec<String> = chunks
            .iter()
            .map(|chunk| format!("data: {chunk}\n\n"))
            .collect();
        text.push("data: [DONE]\n\n".to_string());
        if let Some((after, kind)) = &self.error {
            text.truncate(*after);
            let error = json!({"error": {"type": kind, "message": "as the test asked"}});
            text.push(format!("data: {error}\n\n"));
        }
        let text = text.concat();
        self.out("text/event-stream", text)
    }

    fn out(mut self, content_type: &str, body: String) -> Sent {
        let mut body = body;
        if self.endless {
            // The last event is one line after the last blank one.
            body.truncate(body.trim_end().rfind("\n\n").map_or(0, |at| at + 2));
            self.ending = Ending::Silent(Some(body.len()));
        }
        self.headers
            .push(("content-type".to_string(), content_type.to_string()));
        self.sent(200, body.into_bytes())
    }

    fn bytes(self) -> Sent {
        match self.content.clone() {
            Content::Bytes { status, body } => self.sent(status, body),
            Content::Blocks { .. } => unreachable!("blocks are said in a protocol"),
        }
    }

    fn sent(self, status: u16, body: Vec<u8>) -> Sent {
        Sent {
            status,
            headers: self.headers,
            body,
            piece: self.piece,
            ending: self.ending,
        }
    }
}

/// What a block begins with, and the parts that follow.
fn parts(block: &Value) -> (Value, Vec<Value>) {
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match text("type") {
        "text" => {
            let parts = pieces(text("text")).into_iter();
            let parts = parts.map(|text| json!({"type": "text_delta", "text": text}));
            (json!({"type": "text", "text": ""}), parts.collect())
        }
        "thinking" => {
            let parts = pieces(text("thinking")).into_iter();
            let mut parts: Vec<Value> = parts
                .map(|text| json!({"type": "thinking_delta", "thinking": text}))
                .collect();
            parts.push(json!({"type": "signature_delta", "signature": text("signature")}));
            (
                json!({"type": "thinking", "thinking": "", "signature": ""}),
                parts,
            )
        }
        "tool_use" => {
            let parts = pieces(&block["input"].to_string()).into_iter();
            let parts = parts.map(|text| json!({"type": "input_json_delta", "partial_json": text}));
            let start =
                json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}});
            (start, parts.collect())
        }
        _ => (block.clone(), Vec::new()),
    }
}

/// A text in parts of some characters.
fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(5).map(|part| part.iter().collect()).collect()
}
