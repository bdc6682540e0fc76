//! A provider that is asked over the network: tries, deadlines, what came of a stream that broke. Dropping
//! what it returns ends the request.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, Response, Url};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::config::model::Protocol;
use crate::llm::answer::{Answer, Event};
use crate::llm::ask::Ask;
use crate::llm::endpoint;
use crate::llm::failure::{Deadline, Failure, What};
use crate::llm::http::{self, Deadlines};
use crate::llm::key::Key;
use crate::llm::listing::{self, Listed};
use crate::llm::provider::Provider;
use crate::llm::reader::Reader;
use crate::llm::retry::Retry;
use crate::llm::sse::Parser;
use crate::llm::{Broken, Model, Sink, Soon, openai};

/// How long is waited for what may follow an answer that is whole.
const LAST_WORD: Duration = Duration::from_secs(5);

/// Bytes of what is no stream that are looked at.
const HEAD: usize = 400;

/// A provider, ready to be asked. It connects with the first request.
#[derive(Debug)]
pub struct Client {
    pub provider: Provider,
    pub retry: Retry,
    pub deadlines: Deadlines,
    http: OnceLock<reqwest::Client>,
    key: Mutex<Got>,
}

/// Whether the key was asked for, and what there is.
#[derive(Debug)]
enum Got {
    NotYet,
    Known(Option<Key>),
}

/// A request as it goes out.
struct Out {
    method: Method,
    url: Url,
    betas: Vec<String>,
    body: Option<String>,
}

impl Client {
    #[must_use]
    pub fn new(provider: Provider) -> Self {
        Self {
            retry: Retry::default(),
            deadlines: Deadlines::of(provider.protocol),
            provider,
            http: OnceLock::new(),
            key: Mutex::new(Got::NotYet),
        }
    }

    /// The body that is sent for a request, byte for byte.
    ///
    /// # Errors
    /// What of it can't be said in the provider's protocol.
    pub fn body(&self, ask: &Ask) -> Result<String, Failure> {
        match self.provider.protocol {
            Protocol::Anthropic => Ok(ask.body.clone()),
            Protocol::OpenAi => openai::body(&ask.body, self.provider.is_maker_s()),
        }
    }

    /// The address that answers.
    #[must_use]
    pub fn url(&self) -> Url {
        self.provider.endpoint.url(self.provider.asks())
    }

    async fn stream_tried(&self, ask: &Ask, sink: &mut Sink<'_>) -> Result<Answer, Broken> {
        let out = Out {
            method: Method::POST,
            url: self.url(),
            betas: ask.betas.clone(),
            body: Some(self.body(ask)?),
        };
        let place = http::place(&out.method, &out.url);
        let mut attempt = 1;
        loop {
            let mut came = Answer::default();
            let one = self.stream_once(&out, &place, &mut came, sink);
            let ended = timeout(self.deadlines.total, one).await;
            let ended = ended.unwrap_or_else(|_| Err(late(Deadline::Total, &place)));
            let Err(mut failure) = ended else {
                return Ok(came);
            };
            failure.tries = attempt;
            let Some(wait) = self.wait(attempt, &failure) else {
                return Err(Broken {
                    failure: Box::new(failure),
                    came: Box::new(came),
                });
            };
            attempt += 1;
            let why = failure;
            sink(&Event::Again { why, wait, attempt });
            sleep(wait).await;
        }
    }

    async fn stream_once(
        &self,
        out: &Out,
        place: &str,
        came: &mut Answer,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        let key = self.key().await?;
        let hidden = |failure: Failure| hide(key.as_ref(), failure);
        let response = self.send(out, place, key.as_ref()).await?;
        let mut pass = |events: Vec<Event>| {
            for event in events {
                came.take(&event);
                sink(&event);
            }
        };
        let kind = content_type(&response);
        let mut reader = Reader::new(self.provider.protocol);
        let between = self.deadlines.between;
        if kind.contains("json") {
            let value = http::json(response, place, between).await.map_err(hidden)?;
            let (events, ended) = reader.whole(&value);
            pass(events);
            return ended.map_err(|failure| hidden(at(place, failure)));
        }
        if kind.contains("html") {
            let what = What::NotAnAnswer("a web page".to_string());
            return Err(Failure::new(what, place));
        }
        let mut response = response;
        let mut parser = Parser::default();
        let mut head = Vec::new();
        let mut bytes = 0;
        loop {
            let chunk = match reader.is_whole() {
                // What is to come is a count or a last word; some servers send neither and stay.
                true => timeout(between.min(LAST_WORD), response.chunk()).await,
                false => timeout(between, response.chunk()).await,
            };
            let chunk = match chunk {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => break,
                Ok(Err(_)) | Err(_) if reader.is_whole() => break,
                Ok(Err(error)) => return Err(hidden(http::failed(&error, place))),
                Err(_) => return Err(late(Deadline::Between, place)),
            };
            bytes += chunk.len();
            if head.len() < HEAD {
                head.extend(chunk.iter().take(HEAD));
            }
            let messages = parser.push(&chunk).map_err(|error| error.to_string());
            let messages = messages.and_then(|messages| match bytes > http::MOST {
                true => Err("its answer has no end".to_string()),
                false => Ok(messages),
            });
            let messages = messages.map_err(|what| Failure::new(What::NotAnAnswer(what), place))?;
            let (events, ended) = reader.take(&messages);
            pass(events);
            ended.map_err(|failure| hidden(at(place, failure)))?;
            if reader.is_over() {
                return Ok(());
            }
        }
        let (events, ended) = reader.end(parser.finish().as_ref());
        pass(events);
        match ended {
            Ok(()) => Ok(()),
            // It ended in order, and nothing of it was an event.
            Err(_) if !reader.has_begun() && !head.is_empty() => {
                let text = String::from_utf8_lossy(&head);
                let what = What::NotAnAnswer("it sends no events".to_string());
                Err(hidden(
                    Failure::new(what, place).saying(http::excerpt(&text)),
                ))
            }
            Err(failure) => Err(hidden(at(place, failure))),
        }
    }

    /// Sends it and gives an answer whose status is a success.
    async fn send(&self, out: &Out, place: &str, key: Option<&Key>) -> Result<Response, Failure> {
        let mut request = self.http()?.request(out.method.clone(), out.url.clone());
        for (name, value) in self.provider.headers(key)? {
            request = request.header(name, value);
        }
        if !out.betas.is_empty() && self.provider.protocol == Protocol::Anthropic {
            let betas = HeaderValue::from_str(&out.betas.join(","));
            let betas = betas.map_err(|_| {
                let why = "the name of a beta feature holds an odd character".to_string();
                Failure::new(What::Unsaid(why), "")
            })?;
            request = request.header(HeaderName::from_static("anthropic-beta"), betas);
        }
        if let Some(body) = &out.body {
            request = request.body(body.clone());
        }
        let response = timeout(self.deadlines.first_byte, request.send()).await;
        let response = response.map_err(|_| late(Deadline::FirstByte, place))?;
        let response = response.map_err(|error| hide(key, http::failed(&error, place)))?;
        tracing::debug!(%place, status = response.status().as_u16(), "the model's server answers");
        if response.status().is_success() {
            return Ok(response);
        }
        if response.status() == 401 {
            // A command may give a new one the next time.
            *self.key.lock().await = Got::NotYet;
        }
        let between = self.deadlines.between;
        Err(hide(key, http::refused(response, place, between).await))
    }

    /// Asks for a JSON document, again where that may help.
    async fn document(&self, out: &Out) -> Result<Value, Failure> {
        let place = http::place(&out.method, &out.url);
        let once = async || {
            let key = self.key().await?;
            let response = self.send(out, &place, key.as_ref()).await?;
            let value = http::json(response, &place, self.deadlines.between).await;
            value.map_err(|failure| hide(key.as_ref(), failure))
        };
        let mut attempt = 1;
        loop {
            let ended = timeout(self.deadlines.total, once()).await;
            let ended = ended.unwrap_or_else(|_| Err(late(Deadline::Total, &place)));
            let mut failure = match ended {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            failure.tries = attempt;
            let Some(wait) = self.wait(attempt, &failure) else {
                return Err(failure);
            };
            attempt += 1;
            sleep(wait).await;
        }
    }

    fn get(&self, ask: endpoint::Ask) -> Out {
        Out {
            method: Method::GET,
            url: self.provider.endpoint.url(ask),
            betas: Vec::new(),
            body: None,
        }
    }

    async fn listed(&self) -> Result<Vec<Listed>, Failure> {
        let mut out = self.get(endpoint::Ask::Models);
        if self.provider.protocol == Protocol::Anthropic {
            out.url.query_pairs_mut().append_pair("limit", "1000");
        }
        let list = self.document(&out).await?;
        match list["data"].is_array() || list["models"].is_array() {
            true => Ok(listing::read(&list)),
            false => {
                let place = http::place(&out.method, &out.url);
                let what = What::NotAnAnswer("it lists no models".to_string());
                Err(Failure::new(what, place).saying(list.to_string()))
            }
        }
    }

    async fn counted(&self, ask: &Ask) -> Result<Option<u64>, Failure> {
        if self.provider.protocol == Protocol::OpenAi {
            return Ok(None);
        }
        let out = Out {
            method: Method::POST,
            url: self.provider.endpoint.url(endpoint::Ask::CountTokens),
            betas: ask.betas.clone(),
            body: Some(ask.to_count()),
        };
        match self.document(&out).await {
            Ok(value) => Ok(value["input_tokens"].as_u64()),
            // Gateways that speak the protocol need not have this part of it.
            Err(failure) if failure.word() == "not-found" && !self.provider.is_maker_s() => {
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn window_of(&self, model: &str) -> Result<Option<u64>, Failure> {
        if self.provider.window.is_some() {
            return Ok(self.provider.window);
        }
        let listed = self.listed().await?;
        let row = listed.iter().find(|one| one.id == model);
        if let Some(window) = row.and_then(|one| one.window) {
            return Ok(Some(window));
        }
        if self.provider.is_maker_s() {
            return Ok(None);
        }
        // Only llama.cpp has it; what others answer there means nothing.
        let props = self.document(&self.get(endpoint::Ask::Props)).await;
        Ok(props.ok().as_ref().and_then(listing::window_of_props))
    }

    fn http(&self) -> Result<&reqwest::Client, Failure> {
        if let Some(client) = self.http.get() {
            return Ok(client);
        }
        let client = http::client(&self.provider.endpoint, &self.deadlines)?;
        Ok(self.http.get_or_init(|| client))
    }

    async fn key(&self) -> Result<Option<Key>, Failure> {
        let mut kept = self.key.lock().await;
        if let Got::Known(key) = &*kept {
            return Ok(key.clone());
        }
        let key = self.provider.key.get().await?;
        *kept = Got::Known(key.clone());
        Ok(key)
    }

    fn wait(&self, attempt: u32, failure: &Failure) -> Option<Duration> {
        let chance = RandomState::new().hash_one(attempt);
        self.retry.wait(attempt, failure, chance)
    }
}

fn late(deadline: Deadline, place: &str) -> Failure {
    Failure::new(What::Late(deadline), place)
}

fn at(place: &str, failure: Failure) -> Failure {
    Failure {
        place: place.to_string(),
        ..failure
    }
}

/// Whatever others say in a failure, it is said without the key.
fn hide(key: Option<&Key>, failure: Failure) -> Failure {
    failure.foreign(|text| match key {
        Some(key) => key.hide(text),
        None => text.to_string(),
    })
}

fn content_type(response: &Response) -> String {
    let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.unwrap_or_default().to_ascii_lowercase()
}

impl Model for Client {
    fn stream<'a>(
        &'a self,
        ask: &'a Ask,
        sink: &'a mut Sink<'a>,
    ) -> Soon<'a, Result<Answer, Broken>> {
        Box::pin(self.stream_tried(ask, sink))
    }

    fn count<'a>(&'a self, ask: &'a Ask) -> Soon<'a, Result<Option<u64>, Failure>> {
        Box::pin(self.counted(ask))
    }

    fn list(&self) -> Soon<'_, Result<Vec<Listed>, Failure>> {
        Box::pin(self.listed())
    }

    fn window<'a>(&'a self, model: &'a str) -> Soon<'a, Result<Option<u64>, Failure>> {
        Box::pin(self.window_of(model))
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
