//! The network stack, and what is wrong with an exchange, in our words. It begins with the first request:
//! a program that asks no model has none of it. Redirects are not followed, so that no key goes where it
//! was not meant to.

use std::error::Error as _;
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, Response, Url};
use serde_json::Value;

use crate::config::model::Protocol;
use crate::llm::endpoint::{self, Endpoint, shown};
use crate::llm::failure::{Deadline, Failure, What};
use crate::llm::retry;

/// How long a connection without a request is kept.
const IDLE: Duration = Duration::from_mins(1);

/// Bytes of an answer; of a refusal.
pub const MOST: usize = 64 << 20;
const MOST_REFUSAL: usize = 64 << 10;

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Until there is a connection.
    pub connect: Duration,
    /// From the request to the first byte of the answer.
    pub first_byte: Duration,
    /// From one byte to the next.
    pub between: Duration,
    /// One try, from its beginning to its end.
    pub total: Duration,
}

impl Deadlines {
    /// Those of a provider. A server of one's own may think long about a long request before it says
    /// anything; Anthropic's sends a sign of life every few seconds.
    #[must_use]
    pub fn of(protocol: Protocol) -> Self {
        let seconds = Duration::from_secs;
        match protocol {
            Protocol::Anthropic => Self {
                connect: seconds(15),
                first_byte: seconds(180),
                between: seconds(90),
                total: seconds(1_800),
            },
            Protocol::OpenAi => Self {
                connect: seconds(15),
                first_byte: seconds(900),
                between: seconds(300),
                total: seconds(3_600),
            },
        }
    }
}

/// The network stack for one provider.
///
/// # Errors
/// Why there is none: no certificates of the system's, a proxy that can't be read.
pub fn client(endpoint: &Endpoint, deadlines: &Deadlines) -> Result<Client, Failure> {
    // Another part of the process may have been first; it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || -> ClientBuilder {
        let builder = Client::builder()
            .user_agent(concat!("loci/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(deadlines.connect)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(1);
        match endpoint.is_here() {
            true => builder.no_proxy(),
            false => builder,
        }
    };
    let without_certificates = || builder().tls_certs_only([]).build();
    let built = match endpoint.is_plain() {
        true if endpoint.is_here() => without_certificates(),
        true => builder().build().or_else(|_| without_certificates()),
        false => builder().build(),
    };
    built.map_err(|error| Failure::new(What::Network(innermost(&error)), ""))
}

/// Where something is asked, as it may be shown.
#[must_use]
pub fn place(method: &Method, url: &Url) -> String {
    format!("{method} {}", shown(url.as_str()))
}

/// What a failed exchange says. The error itself names the address with all that is in it.
#[must_use]
pub fn failed(error: &reqwest::Error, place: &str) -> Failure {
    let mut sources = std::iter::successors(error.source(), |error| (*error).source());
    let what = if sources.any(is_tls) {
        What::Tls
    } else if error.is_timeout() {
        What::Late(Deadline::Connect)
    } else if error.is_connect() {
        What::Unreachable
    } else {
        What::Cut
    };
    Failure::new(what, place).saying(innermost(error))
}

/// TLS errors travel within errors of reading and writing, which do not name them as their source.
fn is_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    let io: Option<&std::io::Error> = error.downcast_ref();
    let inner = io.and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>() || inner.is_some_and(|inner| is_tls(inner))
}

fn innermost(error: &reqwest::Error) -> String {
    let last = std::iter::successors(error.source(), |error| (*error).source()).last();
    match last {
        Some(last) => last.to_string(),
        None if error.is_builder() => "it can't be set up".to_string(),
        None => "the connection failed".to_string(),
    }
}

/// What is refused, out of a response that is no success.
pub async fn refused(response: Response, place: &str, deadline: Duration) -> Failure {
    let status = response.status().as_u16();
    if response.status().is_redirection() {
        let to = response.headers().get(LOCATION);
        let to = to.and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| response.url().join(to).ok());
        let to = to.map_or_else(|| "nowhere".to_string(), |to| endpoint::host(&to));
        return Failure::new(What::Redirect(to), place);
    }
    let retry_after = retry_after(response.headers());
    let body = read(response, place, MOST_REFUSAL, deadline).await;
    let (kind, said) = words(&body.unwrap_or_default());
    let mut failure = Failure::new(What::Status { status, kind }, place).saying(said);
    failure.retry_after = retry_after;
    failure
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let exact = text("retry-after-ms").and_then(|ms| ms.trim().parse().ok());
    let now = || jiff::Timestamp::now().as_second();
    exact
        .map(Duration::from_millis)
        .or_else(|| retry::asked(text("retry-after")?, now()))
}

/// A body to its end.
///
/// # Errors
/// It breaks off, takes too long or is too large.
pub async fn read(
    mut response: Response,
    place: &str,
    most: usize,
    deadline: Duration,
) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    loop {
        let chunk = tokio::time::timeout(deadline, response.chunk()).await;
        let chunk = chunk.map_err(|_| Failure::new(What::Late(Deadline::Between), place))?;
        match chunk.map_err(|error| failed(&error, place))? {
            Some(chunk) => body.extend_from_slice(&chunk),
            None => return Ok(body),
        }
        if body.len() > most {
            let what = format!("over {} KB at once", most >> 10);
            return Err(Failure::new(What::NotAnAnswer(what), place));
        }
    }
}

/// A body that must be JSON.
///
/// # Errors
/// As for [`read`]; it is no JSON.
pub async fn json(response: Response, place: &str, deadline: Duration) -> Result<Value, Failure> {
    let body = read(response, place, MOST, deadline).await?;
    serde_json::from_slice(&body).map_err(|_| {
        let text = String::from_utf8_lossy(&body);
        Failure::new(What::NotAnAnswer(no_json(&text)), place).saying(excerpt(&text))
    })
}

/// What a body is that is no JSON.
#[must_use]
pub fn no_json(text: &str) -> String {
    match is_html(text) {
        true => "a web page".to_string(),
        false => "no JSON".to_string(),
    }
}

/// As much of a foreign body as helps: nothing of a web page.
#[must_use]
pub fn excerpt(text: &str) -> &str {
    if is_html(text) { "" } else { text }
}

fn is_html(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with("<!") || start.starts_with("<html") || start.starts_with("<HTML")
}

/// What a refusal is called and what it says; servers have many shapes for that.
fn words(body: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(body);
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return (String::new(), excerpt(&text).to_string());
    };
    let error = match &value["error"] {
        Value::Null => &value,
        error => error,
    };
    let kind = error["type"].as_str().unwrap_or_default();
    let said = [&error["message"], error, &error["detail"]];
    let said = said.into_iter().find_map(Value::as_str);
    (kind.to_string(), said.unwrap_or(&text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_in_all_their_shapes() {
        for (body, kind, said) in [
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "overloaded_error",
                "Overloaded",
            ),
            (
                r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
                "unavailable_error",
                "Loading model",
            ),
            (
                r#"{"error":"model \"x\" not found"}"#,
                "",
                "model \"x\" not found",
            ),
            (r#"{"detail":"Not Found"}"#, "", "Not Found"),
            (r#"{"message":"no Route"}"#, "", "no Route"),
            ("Loading model", "", "Loading model"),
            ("<!DOCTYPE html><p>Bad Gateway", "", ""),
            ("", "", ""),
            ("{\"a\":1}", "", "{\"a\":1}"),
        ] {
            let wanted = (kind.to_string(), said.to_string());
            assert_eq!(words(body.as_bytes()), wanted, "{body}");
        }
    }
}
