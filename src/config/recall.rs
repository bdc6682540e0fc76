//! How memories reach the model of our chat, as a person has set it: `recall`, `recall_wait_ms`,
//! `recall_ranker_first`.

use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::config::file::Field;

/// How memories reach the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recall {
    /// The list of memories stands in the conversation; the model reads files itself.
    #[default]
    Index,
    /// No list; what fits a question is attached to it.
    Prefetch,
    Off,
}

/// The settings of recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recalling {
    pub mode: Recall,
    /// Milliseconds that the first request of a turn waits for the selector.
    pub wait_ms: u32,
    /// Whether the ranker's answer goes with the first request; `None`: where no model is set up.
    pub ranker_first: Option<bool>,
}

impl Recalling {
    /// How long the first request waits.
    #[must_use]
    pub fn wait(&self) -> Duration {
        Duration::from_millis(u64::from(self.wait_ms))
    }

    /// Whether the ranker's answer goes with the first request.
    #[must_use]
    pub fn is_ranker_first(&self, has_model: bool) -> bool {
        self.ranker_first.unwrap_or(!has_model)
    }

    /// Takes a key that begins with `recall`; `None`: it is no key of ours.
    pub(super) fn take(&mut self, field: Field<'_>) -> Option<Result<(), String>> {
        Some(match field.key {
            "recall" => self.take_mode(field),
            "recall_wait_ms" => {
                super::settings::number(field, self.wait_ms).map(|wait| self.wait_ms = wait)
            }
            "recall_ranker_first" => {
                super::settings::switch(field).map(|first| self.ranker_first = Some(first))
            }
            _ => return None,
        })
    }

    fn take_mode(&mut self, field: Field<'_>) -> Result<(), String> {
        self.mode = match super::settings::text(field)? {
            "index" => Recall::Index,
            "prefetch" => Recall::Prefetch,
            "off" => Recall::Off,
            _ => {
                return Err(
                    "recall must be \"index\", \"prefetch\" or \"off\"; \"index\" holds"
                        .to_string(),
                );
            }
        };
        Ok(())
    }

    /// As lines of a `config.toml` that say the same.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let mut line = |set: String, why: &str| {
            let _ = writeln!(out, "{set:<32}  # {why}");
        };
        line(
            format!("recall = \"{}\"", self.mode.word()),
            "how memories reach our chat's model: index, prefetch or off",
        );
        line(
            format!("recall_wait_ms = {}", self.wait_ms),
            "how long a turn's first request waits for what is recalled",
        );
        match self.ranker_first {
            Some(first) => line(
                format!("recall_ranker_first = {first}"),
                "whether it takes along what words alone choose",
            ),
            None => line(
                "# recall_ranker_first = true".to_string(),
                "not set: true where no model is set up, else false",
            ),
        }
        out
    }
}

impl Recall {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Prefetch => "prefetch",
            Self::Off => "off",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranker_comes_first_where_nobody_else_can_choose_unless_it_is_set() {
        let unset = Recalling::default();
        assert!(unset.is_ranker_first(false) && !unset.is_ranker_first(true));
        let set = Recalling {
            ranker_first: Some(true),
            ..unset
        };
        assert!(set.is_ranker_first(true));
        assert_eq!(
            Recalling {
                wait_ms: 250,
                ..unset
            }
            .wait(),
            Duration::from_millis(250)
        );
        assert!(unset.to_toml().contains("\n# recall_ranker_first"));
        assert!(set.to_toml().contains("\nrecall_ranker_first = true"));
    }
}
