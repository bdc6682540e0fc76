//! Who is asked: protocol, address and key, from our configuration and the environment. What we are told
//! in `config.toml` goes before what the environment says for other programs. Knows no request.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::header::{HeaderName, HeaderValue};

use crate::config::model::{Model, Protocol};
use crate::llm::anthropic::VERSION;
use crate::llm::endpoint::{self, Endpoint};
use crate::llm::failure::{Failure, What};
use crate::llm::key::{Found, Key, Source};

const ANTHROPIC: &str = "api.anthropic.com";
const OPENAI: &str = "api.openai.com";

const API_KEY: &str = "ANTHROPIC_API_KEY";
const AUTH_TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";
const BASE_URL: &str = "ANTHROPIC_BASE_URL";
const OPENAI_KEY: &str = "OPENAI_API_KEY";
const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";

/// A provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    pub protocol: Protocol,
    pub endpoint: Endpoint,
    /// What names the address.
    pub endpoint_from: From,
    pub key: Source,
    /// The models that are named.
    pub main: Option<String>,
    pub small: Option<String>,
    pub dream: Option<String>,
    /// Tokens of the window, where a person has set them.
    pub window: Option<u64>,
}

/// What a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The provider's own.
    Default,
    /// `config.toml`.
    Config,
    /// An environment variable.
    Variable(&'static str),
}

impl From {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Config => "config.toml",
            Self::Variable(name) => name,
        }
    }
}

impl Provider {
    /// The model that chooses memories: the small one, else the main one.
    #[must_use]
    pub fn selector(&self) -> Option<&str> {
        self.small.as_deref().or(self.main.as_deref())
    }

    /// The one that is set up.
    ///
    /// # Errors
    /// [`What::NotSetUp`] where nothing is; an address that is of no use.
    pub fn from(
        settings: &Model,
        vars: &BTreeMap<String, String>,
        home: &Path,
    ) -> Result<Self, Failure> {
        let set = |name: &'static str| {
            let value = vars.get(name).map(|value| value.trim());
            value
                .filter(|value| !value.is_empty())
                .map(|value| (name, value))
        };
        let protocol = settings.provider.unwrap_or_default();
        let (keys, base, host) = match protocol {
            Protocol::Anthropic => (vec![AUTH_TOKEN, API_KEY], BASE_URL, ANTHROPIC),
            Protocol::OpenAi => (vec![OPENAI_KEY], OPENAI_BASE_URL, OPENAI),
        };
        let found = keys.into_iter().find_map(set);
        let is_set = settings.provider.is_some()
            || settings.base_url.is_some()
            || settings.key_command.is_some()
            || settings.key_file.is_some();
        if !is_set && found.is_none() && set(base).is_none() {
            return Err(Failure::new(What::NotSetUp, ""));
        }
        let (address, endpoint_from) = match (&settings.base_url, set(base)) {
            (Some(address), _) => (address.clone(), From::Config),
            (None, Some((name, address))) => (address.to_string(), From::Variable(name)),
            (None, None) => (format!("https://{host}"), From::Default),
        };
        let key = match (&settings.key_command, &settings.key_file, found) {
            (Some(command), ..) => Source::Command(command.clone()),
            (None, Some(path), _) => Source::File(match path.strip_prefix("~/") {
                Some(rest) => home.join(rest),
                None => home.join(path),
            }),
            (None, None, Some((name, value))) => Source::Variable {
                name,
                found: Found(value.to_string()),
            },
            (None, None, None) => Source::None,
        };
        Ok(Self {
            protocol,
            endpoint: Endpoint::read(&address)?,
            endpoint_from,
            key,
            main: settings.main.clone(),
            small: settings.small.clone(),
            dream: settings.dream.clone(),
            window: settings.window,
        })
    }

    /// What answers at its address.
    #[must_use]
    pub fn asks(&self) -> endpoint::Ask {
        match self.protocol {
            Protocol::Anthropic => endpoint::Ask::Messages,
            Protocol::OpenAi => endpoint::Ask::Chat,
        }
    }

    /// Whether it is the maker's own API, not a server or gateway that speaks like it.
    #[must_use]
    pub fn is_maker_s(&self) -> bool {
        match self.protocol {
            Protocol::Anthropic => self.endpoint.is_of(ANTHROPIC),
            Protocol::OpenAi => self.endpoint.is_of(OPENAI),
        }
    }

    /// The headers that every request has.
    ///
    /// # Errors
    /// [`What::NoKey`] where the provider has no use for a request without one.
    pub fn headers(&self, key: Option<&Key>) -> Result<Vec<(HeaderName, HeaderValue)>, Failure> {
        if key.is_none() && self.is_maker_s() {
            return Err(self.no_key());
        }
        let mut headers = vec![(
            HeaderName::from_static("content-type"),
            HeaderValue::from_static("application/json"),
        )];
        if self.protocol == Protocol::Anthropic {
            let name = HeaderName::from_static("anthropic-version");
            headers.push((name, HeaderValue::from_static(VERSION)));
        }
        if let Some(key) = key {
            let bearer = || {
                (
                    HeaderName::from_static("authorization"),
                    key.header("Bearer "),
                )
            };
            let own = || (HeaderName::from_static("x-api-key"), key.header(""));
            match (self.protocol, &self.key) {
                (Protocol::OpenAi, _)
                | (
                    _,
                    Source::Variable {
                        name: AUTH_TOKEN, ..
                    },
                ) => {
                    headers.push(bearer());
                }
                (Protocol::Anthropic, Source::Variable { .. }) => headers.push(own()),
                (Protocol::Anthropic, Source::Command(_) | Source::File(_) | Source::None) => {
                    headers.push(own());
                    // A gateway may want its key in either place, and nothing here says in which.
                    if !self.is_maker_s() {
                        headers.push(bearer());
                    }
                }
            }
        }
        Ok(headers)
    }

    fn no_key(&self) -> Failure {
        match self.protocol {
            Protocol::Anthropic => Failure::new(What::NoKey, ""),
            Protocol::OpenAi => Failure::new(
                What::Key(format!(
                    "no key is set; set {OPENAI_KEY}, or key_command or key_file below [model] in config.toml"
                )),
                "",
            ),
        }
    }

    /// What is unwise about it, a sentence each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let bare = self.endpoint.is_plain() && !self.endpoint.is_here();
        let said = "what is sent to this address, memories and key, can be read on its way: https:// would hide it";
        bare.then(|| said.to_string()).into_iter().collect()
    }
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
