//! What can go wrong with a model: a sentence each that says what, where (never a key) and what to do, a
//! stable word for scripts, and whether another try may help.

use std::fmt;
use std::time::Duration;

/// Characters of a server's own words that are shown, and of what it calls something.
const DETAIL: usize = 400;
const NAME: usize = 60;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Nothing says which model is to be asked.
    NotSetUp,
    /// The provider wants a key and none is set.
    NoKey,
    /// The key can't be had or used: the whole sentence.
    Key(String),
    /// The base URL is of no use: the whole sentence.
    BaseUrl(String),
    /// A request of ours can't be said in the provider's protocol: why.
    Unsaid(String),
    /// The provider names no model that could be taken.
    NoModel,
    /// The network stack could not be set up: why.
    Network(String),
    /// No connection.
    Unreachable,
    /// Nobody answers within a deadline.
    Late(Deadline),
    /// The server's certificate is not trusted, or it speaks no TLS.
    Tls,
    /// The server sends elsewhere: to this host.
    Redirect(String),
    /// A refusal: the status, and what the server calls it.
    Status { status: u16, kind: String },
    /// An error in a stream that had begun well: what the server calls it.
    InStream(String),
    /// The answer is no answer of a model: what it is.
    NotAnAnswer(String),
    /// The stream ended before the answer did.
    Cut,
}

/// How long something may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    Connect,
    FirstByte,
    Between,
    Total,
}

/// One failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub what: What,
    /// Method and URL, without user, password and the values of its query; empty where nothing was sent.
    pub place: String,
    /// The server's own words, or the system's.
    pub detail: Option<String>,
    /// How long the server asks to wait.
    pub retry_after: Option<Duration>,
    /// How many tries were made.
    pub tries: u32,
}

impl Failure {
    #[must_use]
    pub fn new(what: What, place: impl Into<String>) -> Self {
        Self {
            what,
            place: place.into(),
            detail: None,
            retry_after: None,
            tries: 1,
        }
    }

    /// With somebody else's words, on one line and cut to a length that can be read.
    #[must_use]
    pub fn saying(mut self, detail: impl AsRef<str>) -> Self {
        let words: Vec<&str> = detail.as_ref().split_whitespace().collect();
        self.detail = Some(cut(&words.join(" "), DETAIL)).filter(|said| !said.is_empty());
        self
    }

    /// The same with all that others have said in it changed, such as by taking a key out; what they call
    /// something is cut to the length of a name.
    #[must_use]
    pub fn foreign(mut self, change: impl Fn(&str) -> String) -> Self {
        let name = |text: &str| cut(&change(text), NAME);
        match &mut self.what {
            What::Status { kind, .. } | What::InStream(kind) => *kind = name(kind),
            What::Redirect(host) => *host = name(host),
            What::NotSetUp
            | What::NoKey
            | What::Key(_)
            | What::BaseUrl(_)
            | What::Unsaid(_)
            | What::NoModel
            | What::Network(_)
            | What::Unreachable
            | What::Late(_)
            | What::Tls
            | What::NotAnAnswer(_)
            | What::Cut => {}
        }
        self.detail = self.detail.map(|detail| change(&detail));
        self
    }

    /// Whether the same request may succeed a little later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match &self.what {
            What::Status { status, .. } => *status == 429 || (500..600).contains(status),
            What::InStream(kind) => is_passing_kind(kind),
            What::Unreachable | What::Late(_) | What::Cut => true,
            What::NotSetUp
            | What::NoKey
            | What::Key(_)
            | What::BaseUrl(_)
            | What::Unsaid(_)
            | What::NoModel
            | What::Network(_)
            | What::Tls
            | What::Redirect(_)
            | What::NotAnAnswer(_) => false,
        }
    }

    /// A stable word for scripts.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match &self.what {
            What::NotSetUp => "not-set-up",
            What::NoKey => "no-key",
            What::Key(_) => "key",
            What::BaseUrl(_) => "base-url",
            What::Unsaid(_) => "request",
            What::NoModel => "no-model",
            What::Network(_) => "network",
            What::Unreachable => "unreachable",
            What::Late(_) => "late",
            What::Tls => "tls",
            What::Redirect(_) => "redirect",
            What::Status { status, kind } => word_of_status(*status, kind),
            What::InStream(kind) => match kind.as_str() {
                "overloaded_error" => "overloaded",
                "rate_limit_error" => "rate-limited",
                _ => "server",
            },
            What::NotAnAnswer(_) => "not-an-answer",
            What::Cut => "cut",
        }
    }

    fn said(&self) -> String {
        match &self.what {
            What::NotSetUp => "no model is set up".to_string(),
            What::NoKey => "no key is set".to_string(),
            What::Key(said) | What::BaseUrl(said) => said.clone(),
            What::Unsaid(why) => format!("the request can't be sent to this provider: {why}"),
            What::NoModel => "the provider lists no model that could be taken".to_string(),
            What::Network(why) => format!("the network can't be used ({why})"),
            What::Unreachable => "no connection".to_string(),
            What::Late(Deadline::Connect) => "no connection within the deadline".to_string(),
            What::Late(Deadline::FirstByte) => "no answer within the deadline".to_string(),
            What::Late(Deadline::Between) => "the answer stopped coming".to_string(),
            What::Late(Deadline::Total) => "the answer took too long".to_string(),
            What::Tls => "no secure connection".to_string(),
            What::Redirect(host) => format!("the server sends elsewhere, to {host}"),
            What::Status { status, kind } => {
                let what = what_status(*status, kind);
                format!("{what} ({})", and(&status.to_string(), kind))
            }
            What::InStream(kind) => match kind.as_str() {
                "overloaded_error" => {
                    "the server is overloaded, as it says within its answer".into()
                }
                "rate_limit_error" => {
                    "too many requests, as the server says within its answer".into()
                }
                _ => format!("the server broke off its answer ({kind})"),
            },
            What::NotAnAnswer(what) => format!("what answers is no model: {what}"),
            What::Cut => "the answer broke off before its end".to_string(),
        }
    }

    fn advice(&self) -> &'static str {
        match &self.what {
            What::NotSetUp => {
                "set ANTHROPIC_API_KEY, or provider and base_url below [model] in config.toml"
            }
            What::NoKey => {
                "set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or key_command or key_file below [model] in config.toml"
            }
            What::Key(_) | What::BaseUrl(_) | What::Unsaid(_) => "",
            What::NoModel => "name one with main below [model] in config.toml",
            What::Network(_) => {
                "see that the system's certificates are there (SSL_CERT_FILE may name them) and that proxy variables are right"
            }
            What::Unreachable | What::Late(Deadline::Connect) => {
                "see that the server runs, that base_url is right and that HTTPS_PROXY, if set, names a proxy that works"
            }
            What::Late(Deadline::FirstByte | Deadline::Between | Deadline::Total) => {
                "try again, or a smaller model or request"
            }
            What::Tls => {
                "if the server speaks no TLS, begin base_url with http://; if a proxy has certificates of its own, name them with SSL_CERT_FILE"
            }
            What::Redirect(_) => {
                "set base_url to where it leads if you trust that place; the key was not sent there"
            }
            What::Status { status, kind } => advice_of_status(*status, kind),
            What::InStream(_) | What::Cut => "try again",
            What::NotAnAnswer(_) => {
                "see that base_url leads to a model's API and that provider below [model] names its protocol, anthropic or openai"
            }
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Errors in a stream that pass by themselves.
fn is_passing_kind(kind: &str) -> bool {
    matches!(
        kind,
        "overloaded_error" | "rate_limit_error" | "api_error" | "timeout_error" | "server_error"
    )
}

fn and(status: &str, kind: &str) -> String {
    match kind.is_empty() {
        true => status.to_string(),
        false => format!("{status} {kind}"),
    }
}

fn word_of_status(status: u16, kind: &str) -> &'static str {
    match (status, kind) {
        (529, _) | (_, "overloaded_error") => "overloaded",
        (401 | 403, _) => "key-refused",
        (402, _) => "billing",
        (404 | 405, _) => "not-found",
        (413, _) => "too-large",
        (429, _) => "rate-limited",
        (500.., _) => "server",
        (_, _) => "refused",
    }
}

fn what_status(status: u16, kind: &str) -> &'static str {
    match word_of_status(status, kind) {
        "overloaded" => "the server is overloaded",
        "key-refused" => "the key is refused",
        "billing" => "the account has no credit",
        "not-found" => "no such model, or no API at this address",
        "too-large" => "the request is too large",
        "rate-limited" => "too many requests",
        "server" => "the server failed",
        _ => "the server refuses the request",
    }
}

fn advice_of_status(status: u16, kind: &str) -> &'static str {
    match word_of_status(status, kind) {
        "overloaded" | "server" => "try again in a while",
        "key-refused" => {
            "see with `loci model` where the key comes from, and that it belongs to this provider"
        }
        "billing" => "see the account at the provider",
        "not-found" => {
            "see base_url, provider and main below [model] in config.toml; `loci model` shows what holds"
        }
        "too-large" => "make the conversation shorter",
        "rate-limited" => "wait, or ask for less at a time",
        _ => "see what it says; `loci model` shows what is set",
    }
}

impl fmt::Display for Failure {
    /// What, where: the server's words; how often; what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said())?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        if let Some(detail) = &self.detail {
            write!(f, ": {}", detail.trim_end_matches('.'))?;
        }
        if self.tries > 1 {
            write!(f, "; tried {} times", self.tries)?;
        }
        if let Some(wait) = self.retry_after {
            write!(f, "; the server asks to wait {} s", wait.as_secs())?;
        }
        match self.advice() {
            "" => Ok(()),
            advice => write!(f, "; {advice}"),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
