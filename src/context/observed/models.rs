//! What depends on the model with which the reference client works: the form of its first message, the
//! window, when it compacts of itself. Figures are those of the version's data.

use std::collections::BTreeMap;

use crate::base::time::grouped;
use crate::context::observed::data::Version;

/// How the names of the models begin that know no system turns within a conversation.
const OLD: [&str; 3] = ["claude-opus-4", "claude-sonnet-4", "claude-haiku-4"];

/// How the names of the others begin whose window was seen.
const NEW: [&str; 3] = ["claude-opus-5", "claude-sonnet-5", "claude-haiku-5"];

/// How the name of a model ends that is asked for with a window of a million.
const LARGE: &str = "[1m]";

/// The window where the environment forbids a larger one.
const SMALL_WINDOW: usize = 200_000;

/// Whether a model is of the old family, to which announcements are sent as reminders.
#[must_use]
pub fn is_old(model: &str) -> bool {
    OLD.iter().any(|old| model.starts_with(old))
}

/// When the client compacts a conversation of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutoCompact {
    /// Once its estimate is so many tokens.
    At(usize),
    /// Only after the provider has refused a prompt as too long.
    WhenRefused,
    /// Never: words for a person say what switches it off.
    Off(String),
}

/// The client's window and threshold with one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Tokens.
    pub tokens: usize,
    pub compacts: AutoCompact,
    /// Seen at this version; else the figures are another's.
    pub seen: bool,
    /// Why so many tokens, where the window of the model is not known: a sentence.
    pub unknown: Option<String>,
}

/// What the environment and the settings say of compaction.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    pub vars: &'a BTreeMap<String, String>,
    /// `autoCompactEnabled` is false: words for a person, which name the file.
    pub off_by_setting: Option<&'a str>,
}

/// The window of a model and when the client compacts.
#[must_use]
pub fn window(version: &Version, model: &str, around: Circumstances<'_>) -> Window {
    let figures = &version.compaction;
    let set = |name: &str| around.vars.get(name).filter(|value| !value.is_empty());
    let number = |name: &str| set(name)?.trim().parse::<usize>().ok();
    let on = |name: &str| set(name).is_some_and(|value| is_yes(value));
    let own = match (model.ends_with(LARGE), is_old(model)) {
        (true, _) => figures.window_1m,
        (false, true) => figures.window_old,
        (false, false) => figures.window,
    };
    let tokens = match on("CLAUDE_CODE_DISABLE_1M_CONTEXT") {
        true => own.min(SMALL_WINDOW),
        false => own,
    };
    let counted = number("CLAUDE_CODE_AUTO_COMPACT_WINDOW").map_or(tokens, |set| set.min(tokens));
    let reserve = number("CLAUDE_CODE_MAX_OUTPUT_TOKENS")
        .map_or(figures.reserve, |output| output.min(figures.reserve));
    let effective = counted.saturating_sub(reserve);
    let usual = effective.saturating_sub(figures.buffer);
    let at = match number("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE") {
        Some(percent @ 1..=100) => (effective * percent / 100).min(usual),
        Some(_) | None => usual,
    };
    let off = ["DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"]
        .into_iter()
        .find(|name| on(name));
    let waits = figures
        .only_when_refused
        .iter()
        .any(|waits| model.starts_with(waits.as_str()));
    let compacts = match (off, around.off_by_setting) {
        (Some(name), _) => AutoCompact::Off(format!("{name} is set in the environment")),
        (None, Some(by)) => AutoCompact::Off(by.to_string()),
        (None, None) if waits => AutoCompact::WhenRefused,
        (None, None) => AutoCompact::At(at),
    };
    Window {
        tokens,
        compacts,
        seen: version.compaction_like.is_none(),
        unknown: (!is_known(model)).then(|| unknown(version, model, tokens)),
    }
}

/// Whether the window of a model was seen.
fn is_known(model: &str) -> bool {
    let name = model.strip_suffix(LARGE).unwrap_or(model);
    let is_of = |family: &&str| {
        let rest = name.strip_prefix(*family);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    OLD.iter().chain(&NEW).any(is_of)
}

/// Which figure is taken for a model whose window is not known, and why.
fn unknown(version: &Version, model: &str, tokens: usize) -> String {
    let figures = &version.compaction;
    let own = match model.ends_with(LARGE) {
        true => figures.window_1m,
        false => figures.window,
    };
    let tokens_taken = grouped(tokens);
    let by = match (tokens < own, model.ends_with(LARGE)) {
        (true, _) => "CLAUDE_CODE_DISABLE_1M_CONTEXT is set in the environment".to_string(),
        (false, true) => format!("its name ends with {LARGE}"),
        (false, false) => {
            let of = version.compaction_like.as_ref().unwrap_or(&version.name);
            format!(
                "version {of} of the client was seen to take so many for a name that it does not know"
            )
        }
    };
    format!("the window of {model} is not known: {tokens_taken} tokens are taken because {by}")
}

fn is_yes(value: &str) -> bool {
    matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "1" | "true" | "yes" | "on"
    )
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;
