//! The `paths:` of a rule's front matter as the reference client was seen to read it: strict YAML; if
//! it refuses, lone values are quoted and it is asked again; if it refuses still, there is no
//! condition. Reads no file.

use serde_yaml::Value;

use super::glob::split_commas;
use crate::base::front_matter;
use crate::config::limits::PATH_PATTERN_BYTES;

/// A block whose brackets are nested deeper is not given to YAML, which refuses it too, after a time that
/// grows with the square of the depth.
const YAML_DEPTH: usize = 128;

/// Signs for which a lone value has to be quoted in YAML.
const SPECIAL: &str = "{}[]*&#!|>%@`'\"";

/// When a rule is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// At the start.
    Always,
    /// Once a file is read that one of these patterns matches.
    Reads(Vec<String>),
    /// It is not known: its front matter is larger than the patterns of all rules may be.
    NotJudged,
}

/// What of a rule's front matter is not read as its writer meant it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misread {
    /// A list that YAML refuses: the rule is loaded always.
    List { line: usize },
    /// A flow list or map that YAML refuses: it is taken as one pattern, which matches nothing.
    FlowList { line: usize },
    /// `paths:` is a tag, a number or a map: the rule is loaded always.
    NoPattern { line: usize },
    /// `globs:`, which the client does not know: the rule is loaded always.
    Globs { line: usize },
    /// A front matter that is never closed: all is text, and the rule is loaded always.
    Unclosed { line: usize },
}

/// Reads the condition of a rule's text.
#[must_use]
pub fn condition(text: &str) -> (Condition, Option<Misread>) {
    let Some(block) = front_matter::read(text).block else {
        let has_paths = text.starts_with("---") && line_of_key(text, "paths").is_some();
        let unclosed = has_paths.then_some(Misread::Unclosed { line: 1 });
        return (Condition::Always, unclosed);
    };
    let whole = &text[block];
    let yaml = inside(whole);
    let line = line_of_key(whole, "paths");
    if line.is_some() && yaml.len() > PATH_PATTERN_BYTES {
        return (Condition::NotJudged, None);
    }
    let globs = || {
        let line = line_of_key(whole, "globs")?;
        Some(Misread::Globs { line })
    };
    let Some(line) = line else {
        return (Condition::Always, globs());
    };
    let strict = read(yaml);
    let was_refused = strict.is_none();
    let Some(value) = strict.or_else(|| read(&quoted(yaml))) else {
        return (Condition::Always, Some(Misread::List { line }));
    };
    let value = value.get("paths").map(untagged);
    let patterns = value.and_then(patterns);
    match patterns {
        None => {
            let is_empty =
                matches!(value, None | Some(Value::Null)) && value_text(whole).is_empty();
            (
                Condition::Always,
                (!is_empty).then_some(Misread::NoPattern { line }),
            )
        }
        Some(patterns) if patterns.iter().all(|one| one == "**") => (Condition::Always, None),
        Some(patterns) => {
            let is_flow = was_refused && value_text(whole).starts_with(['[', '{']);
            let misread = is_flow.then_some(Misread::FlowList { line });
            (Condition::Reads(patterns), misread)
        }
    }
}

/// The patterns of a text, or of a list of texts; `None`: it is neither.
fn patterns(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(split_commas(text)),
        Value::Sequence(list) => {
            let texts = list.iter().filter_map(|one| untagged(one).as_str());
            Some(texts.flat_map(split_commas).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Mapping(_) | Value::Tagged(_) => {
            None
        }
    }
}

fn untagged(value: &Value) -> &Value {
    match value {
        Value::Tagged(tagged) => &tagged.value,
        other => other,
    }
}

fn read(yaml: &str) -> Option<Value> {
    if front_matter::depth_of(yaml) > YAML_DEPTH {
        return None;
    }
    serde_yaml::from_str(yaml).ok()
}

/// The block without its fences.
fn inside(block: &str) -> &str {
    let start = block.find('\n').map_or(block.len(), |at| at + 1);
    let body = block[start..].trim_end();
    let end = body.rfind('\n').map_or(0, |at| at + 1);
    &body[..end]
}

/// The lone values of the outermost keys in quotes, where they have signs in them that YAML reads.
fn quoted(yaml: &str) -> String {
    let line = |line: &str| {
        let bare = line.trim_end_matches(['\n', '\r']);
        let split = bare.split_once(':').filter(|(key, value)| {
            let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            !key.is_empty() && key.chars().all(is_key) && value.starts_with([' ', '\t'])
        });
        let Some((key, value)) = split else {
            return line.to_string();
        };
        let value = value.trim();
        let is_quoted = value.len() > 1
            && ['"', '\'']
                .iter()
                .any(|quote| value.starts_with(*quote) && value.ends_with(*quote));
        let is_special = value.contains(|c| SPECIAL.contains(c)) || value.contains(": ");
        if value.is_empty() || is_quoted || !is_special {
            return line.to_string();
        }
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}: \"{value}\"\n")
    };
    yaml.split_inclusive('\n').map(line).collect()
}

/// What stands behind `paths:` on its line.
fn value_text(block: &str) -> &str {
    let line = block.lines().find_map(|line| line.strip_prefix("paths:"));
    line.map_or("", str::trim)
}

/// The line of the file, from 1, that a key of the outermost level stands on.
fn line_of_key(block: &str, key: &str) -> Option<usize> {
    let is_key = |line: &str| {
        let rest = line.strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    let fence = |line: &&str| line.trim_end() != "---";
    let at = block.lines().skip(1).take_while(fence).position(is_key)?;
    Some(at + 2)
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
