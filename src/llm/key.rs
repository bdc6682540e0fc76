//! A key, and where it comes from: the environment, a command, a file of the person's own. It is never
//! shown: neither in an error, nor by `Debug`, nor in the log.

use std::fmt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use reqwest::header::HeaderValue;

use crate::llm::failure::{Failure, What};

/// How long a command that prints the key may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// Bytes of a file that may be a key.
const MOST: u64 = 64 << 10;

/// A key without blanks, all of it fit for a header.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A key as it was found; blanks and line ends around it are no part of it. `None`: it is empty.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence.
    pub fn read(found: &str) -> Result<Option<Self>, &'static str> {
        let key = found.trim();
        if key.is_empty() {
            return Ok(None);
        }
        if key.contains(char::is_whitespace) {
            return Err(
                "holds a blank or a line end within it: it must be the key and nothing else",
            );
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("holds a character that no key has: it must be letters, digits and marks");
        }
        Ok(Some(Self(key.to_string())))
    }

    /// The value of a header that begins with `before`; it is marked as secret for the network stack.
    #[must_use]
    pub fn header(&self, before: &str) -> HeaderValue {
        let mut value = HeaderValue::from_str(&[before, &self.0].concat())
            .expect("a key is made of visible ASCII only");
        value.set_sensitive(true);
        value
    }

    /// Somebody else's words without the key.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

/// Where a key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// None is set.
    None,
    /// What the environment variable of this name held.
    Variable { name: &'static str, found: Found },
    /// What a command prints.
    Command(String),
    /// What a file holds.
    File(PathBuf),
}

/// A text that may be a key; not shown either.
#[derive(Clone, PartialEq, Eq)]
pub struct Found(pub String);

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found(…)")
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Variable { name, .. } => f.write_str(name),
            Self::Command(command) => write!(f, "key_command {command:?}"),
            Self::File(path) => write!(f, "key_file {}", path.display()),
        }
    }
}

impl Source {
    /// Whether there is any.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self != Self::None
    }

    /// Gets the key; `None`: none is set, or what is set is empty.
    ///
    /// # Errors
    /// What is wrong with it, never with the key in it.
    pub async fn get(&self) -> Result<Option<Key>, Failure> {
        match self {
            Self::None => Ok(None),
            Self::Variable { name, found } => key(name, &found.0),
            Self::Command(command) => {
                let printed = run(command).await?;
                match key("what key_command prints", &printed)? {
                    Some(key) => Ok(Some(key)),
                    None => Err(fault(format!(
                        "key_command printed nothing: run {command:?} to see why"
                    ))),
                }
            }
            Self::File(path) => {
                let held = file(path)?;
                match key(&format!("key_file {}", path.display()), &held)? {
                    Some(key) => Ok(Some(key)),
                    None => Err(fault(format!("key_file {} is empty", path.display()))),
                }
            }
        }
    }
}

fn key(what: &str, found: &str) -> Result<Option<Key>, Failure> {
    Key::read(found).map_err(|why| fault(format!("{what} {why}")))
}

fn fault(said: String) -> Failure {
    Failure::new(What::Key(said), "")
}

/// Runs a command as a shell would and gives what it prints. Dropped, it is killed.
async fn run(command: &str) -> Result<String, Failure> {
    let output = tokio::process::Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, output).await.map_err(|_| {
        let seconds = PATIENCE.as_secs();
        fault(format!(
            "key_command {command:?} did not end within {seconds} s"
        ))
    })?;
    let output = output.map_err(|error| fault(format!("key_command could not be run: {error}")))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    // It may say the key there too.
    let mut said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    for word in printed.split_whitespace().filter(|word| word.len() >= 4) {
        said = said.replace(word, "[key]");
    }
    let said: String = said.chars().take(400).collect();
    let how = match output.status.code() {
        Some(code) => format!("exit code {code}"),
        None => "a signal".to_string(),
    };
    let said = if said.is_empty() {
        said
    } else {
        format!(": {said}")
    };
    Err(fault(format!("key_command failed with {how}{said}")))
}

/// What a key file holds; one that others may read is none.
fn file(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let unread = |error: std::io::Error| fault(format!("key_file {shown} can't be read ({error})"));
    let found = std::fs::metadata(path).map_err(unread)?;
    if !found.is_file() {
        return Err(fault(format!("key_file {shown} is no file")));
    }
    if found.permissions().mode() & 0o077 != 0 {
        let mode = found.mode() & 0o777;
        return Err(fault(format!(
            "key_file {shown} can be read by others (mode {mode:o}): run `chmod 600 {shown}`"
        )));
    }
    if found.len() > MOST {
        return Err(fault(format!("key_file {shown} is too large to be a key")));
    }
    std::fs::read_to_string(path).map_err(unread)
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
