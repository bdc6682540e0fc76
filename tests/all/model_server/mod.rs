//! A model's server on the loopback, strict about its protocol, for tests of the library and of the binary.
//! It speaks the Messages API and chat completions; refuses what the real ones refuse and what a session
//! must not change; counts reads and writes of the cache as the real one would; and fails as it is told.

#![allow(
    dead_code,
    reason = "the library's tests use one part of it, the binary's another"
)]

mod cache;
mod reply;
mod strict;
mod wire;

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

pub use reply::Reply;
pub use wire::Seen;

use cache::Cache;
use wire::Sent;

/// One server. It answers each request with the next of its replies, then with "ok".
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    replies: VecDeque<Reply>,
    models: Option<Value>,
    props: Option<Value>,
    key: Option<String>,
    seen: Vec<Seen>,
    refusals: Vec<String>,
    /// Clients that went before their answer had ended.
    left: usize,
    cache: Cache,
    sessions: strict::Sessions,
}

impl ModelServer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&of_thread);
                thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { address, shared }
    }

    /// Its base URL, without `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The answer to the next request that has none yet.
    pub fn reply(&self, reply: Reply) {
        self.state(|state| state.replies.push_back(reply));
    }

    /// What was to be answered is forgotten.
    pub fn clear(&self) {
        self.state(|state| state.replies.clear());
    }

    /// Only this key opens it.
    pub fn require_key(&self, key: &str) {
        self.state(|state| state.key = Some(key.to_string()));
    }

    /// What it says to `/v1/models`, in place of one model "demo-1".
    pub fn list(&self, models: Value) {
        self.state(|state| state.models = Some(models));
    }

    /// What it says to `/props`, which only llama.cpp's server has.
    pub fn props(&self, props: Value) {
        self.state(|state| state.props = Some(props));
    }

    /// From here on other parameters may hold.
    pub fn new_session(&self) {
        self.state(|state| state.sessions = strict::Sessions::default());
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.state(|state| state.seen.clone())
    }

    /// What was refused, and why.
    pub fn refusals(&self) -> Vec<String> {
        self.state(|state| state.refusals.clone())
    }

    /// Waits until so many requests have come.
    pub fn wait_for_requests(&self, many: usize) {
        self.wait(|state| state.seen.len() >= many, "requests");
    }

    /// Waits until so many clients have gone before their answer ended.
    pub fn wait_for_leavers(&self, many: usize) {
        self.wait(|state| state.left >= many, "leavers");
    }

    fn wait(&self, until: impl Fn(&State) -> bool, what: &str) {
        let state = self.shared.state.lock().unwrap();
        let patience = Duration::from_secs(30);
        let (_state, result) = self
            .shared
            .changed
            .wait_timeout_while(state, patience, |state| !until(state))
            .unwrap();
        assert!(!result.timed_out(), "the {what} did not come");
    }

    fn state<T>(&self, use_it: impl FnOnce(&mut State) -> T) -> T {
        use_it(&mut self.shared.state.lock().unwrap())
    }
}

/// Answers the requests of one connection.
fn serve(mut stream: TcpStream, shared: &Shared) {
    while let Some(seen) = wire::read(&mut stream) {
        let sent = {
            let mut state = shared.state.lock().unwrap();
            state.seen.push(seen.clone());
            answer(&mut state, &seen)
        };
        shared.changed.notify_all();
        match wire::send(&mut stream, &sent) {
            wire::Went::Whole => {}
            wire::Went::Ended => return,
            wire::Went::Left => {
                shared.state.lock().unwrap().left += 1;
                shared.changed.notify_all();
                return;
            }
        }
    }
}

fn answer(state: &mut State, seen: &Seen) -> Sent {
    if let Some(key) = &state.key
        && !seen.has_key(key)
    {
        // As some gateways do: it says the key that it was given.
        let said = format!("invalid key: {}", seen.keys().join(" "));
        return Reply::status(401, "authentication_error", &said).whole();
    }
    let path = seen.path.split('?').next().unwrap_or_default();
    let document = |value: &Value| Reply::raw("application/json", &value.to_string()).whole();
    match (seen.method.as_str(), path) {
        ("GET", "/v1/models") => {
            let one = json!({"data": [{"id": "demo-1", "created_at": "2026-01-01T00:00:00Z"}], "has_more": false});
            document(state.models.as_ref().unwrap_or(&one))
        }
        ("GET", "/props") if state.props.is_some() => document(&state.props.clone().unwrap()),
        ("POST", "/v1/messages/count_tokens") => match strict::count(seen) {
            Ok(body) => document(&json!({"input_tokens": cache::tokens(&body)})),
            Err(why) => refuse(state, why),
        },
        ("POST", "/v1/messages") => {
            let checked = strict::messages(seen);
            let checked = checked.and_then(|body| state.sessions.check(seen, body));
            match checked {
                Ok(body) => {
                    let next = state.replies.pop_front().unwrap_or_default();
                    let usage = next.is_success().then(|| state.cache.count(seen, &body));
                    next.messages(&body, usage.unwrap_or_default())
                }
                Err(why) => refuse(state, why),
            }
        }
        ("POST", "/v1/chat/completions") => {
            let checked = strict::chat(seen);
            let checked = checked.and_then(|body| state.sessions.check(seen, body));
            match checked {
                Ok(body) => {
                    let next = state.replies.pop_front().unwrap_or_default();
                    let usage = next.is_success().then(|| state.cache.count(seen, &body));
                    next.chat(&body, usage.unwrap_or_default())
                }
                Err(why) => refuse(state, why),
            }
        }
        _ => Reply::status(404, "not_found_error", "no such endpoint").whole(),
    }
}

fn refuse(state: &mut State, why: String) -> Sent {
    let sent = Reply::status(400, "invalid_request_error", &why).whole();
    state.refusals.push(why);
    sent
}
