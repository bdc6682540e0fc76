//! The patterns of conditional rules: commas that part them, braces, and what they match, which is as
//! in a `.gitignore`. Reads no file.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The patterns of one text: commas part them, but not inside braces; blanks around them go.
#[must_use]
pub fn split_commas(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let trimmed = parts.iter().map(|part| part.trim());
    trimmed
        .filter(|part| !part.is_empty())
        .map(str::to_string)
        .collect()
}

/// How many patterns, and bytes of them, are left.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub patterns: usize,
    pub bytes: usize,
}

/// A pattern without braces, once for each choice; `None`: they are more than the budget has left.
pub fn expand(pattern: &str, budget: &mut Budget) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut todo = vec![pattern.to_string()];
    while let Some(next) = todo.pop() {
        if todo.len() + done.len() >= budget.patterns {
            return None;
        }
        let Some((open, close, choices)) = braces(&next) else {
            budget.bytes = budget.bytes.checked_sub(next.len())?;
            done.push(next);
            continue;
        };
        let (before, after) = (&next[..open], &next[close + 1..]);
        let written = (before.len() + after.len()) * choices.len();
        if written > budget.bytes || choices.len() > budget.patterns {
            return None;
        }
        let choices = choices.iter().rev();
        todo.extend(choices.map(|choice| format!("{before}{choice}{after}")));
    }
    budget.patterns -= done.len();
    Some(done)
}

/// The first pair of braces with a comma in it: where they stand and what stands between the commas.
fn braces(pattern: &str) -> Option<(usize, usize, Vec<&str>)> {
    let bytes = pattern.as_bytes();
    let mut open = None;
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], open) {
            (b'\\', _) => at += 1,
            (b'{', None) => (open, depth) = (Some(at), 1),
            (b'{', Some(_)) => depth += 1,
            (b',', Some(_)) if depth == 1 => commas.push(at),
            (b'}', Some(start)) => {
                depth -= 1;
                if depth == 0 && commas.is_empty() {
                    // Braces without a choice mean themselves; there may be others behind.
                    open = None;
                } else if depth == 0 {
                    let starts = std::iter::once(start).chain(commas.iter().copied());
                    let ends = commas.iter().copied().chain(std::iter::once(at));
                    let parts = starts.zip(ends).map(|(from, to)| &pattern[from + 1..to]);
                    return Some((start, at, parts.collect()));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// One rule's patterns, ready to match.
#[derive(Debug)]
pub struct Matcher {
    /// Each pattern as written, and what it matches.
    patterns: Vec<(String, Gitignore)>,
    /// Patterns that can't be read, with why.
    pub bad: Vec<(String, String)>,
}

impl Matcher {
    /// Reads patterns; `None`: they come to more than the budget has left.
    pub fn new(patterns: &[String], budget: &mut Budget) -> Option<Self> {
        let mut matcher = Self {
            patterns: Vec::new(),
            bad: Vec::new(),
        };
        for pattern in patterns {
            if let Some(open) = left_open(pattern) {
                let reason = format!("`{open}` is not closed");
                matcher.bad.push((pattern.clone(), reason));
                continue;
            }
            let mut builder = GitignoreBuilder::new("");
            for plain in expand(pattern, budget)? {
                // What is left of braces means itself, and so does a first `#`.
                let plain = plain.replace('{', "\\{").replace('}', "\\}");
                let plain = plain.replace("\\\\{", "\\{").replace("\\\\}", "\\}");
                let line = match plain.starts_with('#') {
                    true => format!("\\{plain}"),
                    false => plain,
                };
                if let Err(error) = builder.add_line(None, &line) {
                    matcher.bad.push((pattern.clone(), reason(&error)));
                    break;
                }
            }
            match builder.build() {
                Ok(built) => matcher.patterns.push((pattern.clone(), built)),
                Err(error) => matcher.bad.push((pattern.clone(), reason(&error))),
            }
        }
        Some(matcher)
    }

    /// The pattern that a file matches, the file relative to the folder of the rule. As in a
    /// `.gitignore` the last one that speaks of it decides, and `!` takes a file out again.
    #[must_use]
    pub fn matching(&self, file: &Path) -> Option<&str> {
        for (pattern, built) in self.patterns.iter().rev() {
            let matched = built.matched_path_or_any_parents(file, false);
            if matched.is_ignore() {
                return Some(pattern);
            }
            if matched.is_whitelist() {
                return None;
            }
        }
        None
    }
}

/// The first brace or bracket that is not closed.
fn left_open(pattern: &str) -> Option<char> {
    let mut open = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            ']' if open.last() == Some(&'[') => {
                open.pop();
            }
            // In brackets everything else means itself.
            _ if open.last() == Some(&'[') => {}
            '{' | '[' => open.push(c),
            '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.first().copied()
}

fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
