//! Where requests go: the addresses of an API by its base URL, which may end with or without `/v1`, with
//! slashes, or be a whole endpoint. Knows no protocol's bodies.

use std::fmt;

use reqwest::Url;

use crate::llm::failure::{Failure, What};

/// A base URL.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Without the slashes at its end, and without the part that names a version or an endpoint.
    root: Url,
    /// The part that stands between the root and an endpoint's name.
    version: &'static str,
    /// The endpoint that answers, where its whole address was given.
    whole: bool,
}

/// What can be asked there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Messages,
    CountTokens,
    Chat,
    Models,
    /// What a llama.cpp server says of itself.
    Props,
}

impl Ask {
    fn path(self) -> &'static str {
        match self {
            Self::Messages => "/messages",
            Self::CountTokens => "/messages/count_tokens",
            Self::Chat => "/chat/completions",
            Self::Models => "/models",
            Self::Props => "/props",
        }
    }
}

impl Endpoint {
    /// Reads a base URL.
    ///
    /// # Errors
    /// Why it can't be one.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let fault = |said: String| Failure::new(What::BaseUrl(said), "");
        let shown = || shown(text);
        let mut root = Url::parse(text.trim()).map_err(|error| {
            fault(format!(
                "base_url {} is no address ({error}): it must be like https://api.anthropic.com",
                shown()
            ))
        })?;
        if !matches!(root.scheme(), "http" | "https") || !root.has_host() {
            return Err(fault(format!(
                "base_url {} must begin with http:// or https:// and name a host",
                shown()
            )));
        }
        if !root.username().is_empty() || root.password().is_some() {
            return Err(fault(format!(
                "base_url {} holds a user or a password: take them out, and give the key with key_command or key_file",
                shown()
            )));
        }
        root.set_fragment(None);
        let path = root.path().trim_end_matches('/').to_string();
        let whole = [Ask::Messages, Ask::Chat].map(Ask::path);
        let whole = whole.into_iter().find_map(|end| path.strip_suffix(end));
        let rest = whole.unwrap_or(&path).trim_end_matches('/');
        let (rest, version) = match rest.strip_suffix("/v1") {
            Some(rest) => (rest, "/v1"),
            None if whole.is_some() => (rest, ""),
            None => (rest, "/v1"),
        };
        root.set_path(rest.trim_end_matches('/'));
        Ok(Self {
            root,
            version,
            whole: whole.is_some(),
        })
    }

    /// The address of one of its endpoints; a query of the base URL's is kept.
    #[must_use]
    pub fn url(&self, ask: Ask) -> Url {
        let mut url = self.root.clone();
        let version = match ask {
            Ask::Props => "",
            Ask::Messages | Ask::CountTokens | Ask::Chat | Ask::Models => self.version,
        };
        let root = url.path().trim_end_matches('/');
        url.set_path(&[root, version, ask.path()].concat());
        url
    }

    /// Host and port.
    #[must_use]
    pub fn host(&self) -> String {
        host(&self.root)
    }

    /// Whether it is on this machine.
    #[must_use]
    pub fn is_here(&self) -> bool {
        let host = self.root.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let address: Option<std::net::IpAddr> = bare.parse().ok();
        bare == "localhost" || address.is_some_and(|address| address.is_loopback())
    }

    /// Whether what is sent can be read on its way.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.root.scheme() == "http"
    }

    /// Whether it is this host's own API.
    #[must_use]
    pub fn is_of(&self, host: &str) -> bool {
        self.root.host_str() == Some(host)
    }
}

/// Host and port of an address.
#[must_use]
pub fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_string(),
    }
}

/// An address as it may be shown: the values of its query can be keys.
#[must_use]
pub fn shown(address: &str) -> String {
    let (address, query) = match address.split_once('?') {
        Some((address, query)) => (address, Some(query)),
        None => (address, None),
    };
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    // A password can hold a slash: nothing before the last `@` is shown.
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    let colon = if scheme.is_empty() { "" } else { "://" };
    let names = query.map(|query| {
        let name = |pair: &str| match pair.split_once('=') {
            Some((name, _)) => format!("{name}=…"),
            None => "…".to_string(),
        };
        let names: Vec<String> = query.split('&').map(name).collect();
        format!("?{}", names.join("&"))
    });
    [scheme, colon, rest, &names.unwrap_or_default()].concat()
}

impl fmt::Display for Endpoint {
    /// The base as it may be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = shown(self.root.as_str());
        f.write_str(text.trim_end_matches('/'))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({self})")
    }
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
