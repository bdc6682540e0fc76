//! Models: who is asked, in which protocol, and what comes back. Anthropic's Messages API and chat
//! completions as `OpenAI` has them; streams read exactly; tries, deadlines and breakers. Knows nothing of
//! memories.

pub mod answer;
pub mod anthropic;
pub mod ask;
pub mod breaker;
pub mod client;
pub mod endpoint;
pub mod failure;
pub mod http;
pub mod key;
pub mod listing;
pub mod openai;
pub mod provider;
mod reader;
pub mod retry;
pub mod sse;
pub mod structured;

#[cfg(test)]
#[path = "../../tests/all/model_server/mod.rs"]
pub(crate) mod model_server;
#[cfg(test)]
mod strictness_tests;

use std::pin::Pin;

use answer::{Answer, Event};
use ask::Ask;
use failure::Failure;
use listing::Listed;
use structured::Structured;

/// What is there a little later. Dropped, it ends what it does.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What gets the events of an answer as they come.
pub type Sink<'a> = dyn FnMut(&Event) + Send + 'a;

/// Somebody who can be asked.
pub trait Model: Send + Sync {
    /// Asks, and gives each event on as it comes; a try that fails is made again where that may help, and
    /// an event says so. What is returned is what the events add up to.
    fn stream<'a>(
        &'a self,
        ask: &'a Ask,
        sink: &'a mut Sink<'a>,
    ) -> Soon<'a, Result<Answer, Broken>>;

    /// Tokens of a request as the provider counts them; `None`: it does not.
    fn count<'a>(&'a self, ask: &'a Ask) -> Soon<'a, Result<Option<u64>, Failure>>;

    /// The models that there are.
    fn list(&self) -> Soon<'_, Result<Vec<Listed>, Failure>>;

    /// Tokens of a model's window: as configured, else as the provider says it; `None`: it does not.
    fn window<'a>(&'a self, model: &'a str) -> Soon<'a, Result<Option<u64>, Failure>>;
}

/// An answer that broke off: why, and what came of the last try.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    pub failure: Box<Failure>,
    pub came: Box<Answer>,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self {
            failure: Box::new(failure),
            came: Box::default(),
        }
    }
}

/// Asks once, for JSON by the schema that stands in the request.
///
/// # Errors
/// As for a stream.
pub async fn once(model: &dyn Model, ask: &Ask) -> Result<(Answer, Structured), Broken> {
    let mut nobody = |_: &Event| {};
    let answer = model.stream(ask, &mut nobody).await?;
    let structured = structured::read(&answer);
    Ok((answer, structured))
}

/// The model to ask: the one that is named, else the newest that the provider lists.
///
/// # Errors
/// The list can't be had, or names none.
pub async fn model_or_newest(model: &dyn Model, named: Option<&str>) -> Result<String, Failure> {
    if let Some(name) = named {
        return Ok(name.to_string());
    }
    let listed = model.list().await?;
    let newest = listing::newest(&listed).map(|newest| newest.id.clone());
    newest.ok_or_else(|| Failure::new(failure::What::NoModel, ""))
}
