//! Front matter, read leniently: what can be understood is understood, what cannot is marked, and
//! the bytes are never touched. A plain line reader takes the common shape; YAML stands behind it.
//! Knows nothing of which fields a memory has.

pub mod edit;
mod line_reader;
pub mod place;
pub mod repair;

use std::borrow::Cow;
use std::ops::Range;

use line_reader::{LineReader, has_alias, split_key};

/// A block that is larger, in bytes, or nested deeper than this is not given to YAML, whose time
/// grows with the square of both; the line reader has read it by then.
const YAML_BYTES: usize = 64 * 1024;
const YAML_DEPTH: usize = 64;

/// The front matter of a text and where its body begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter<'a> {
    /// Bytes of the block, both fences and the line break after the last one included. `None`:
    /// the text has no block (or one that never closes: then the whole text is body).
    pub block: Option<Range<usize>>,
    /// Byte where the body begins.
    pub body: usize,
    /// Fields in the order of the file.
    pub fields: Vec<Field<'a>>,
    /// What is wrong with the block.
    pub faults: Vec<Fault>,
}

/// One field: `key: value` at the top, or one level below another key (`metadata:`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'a> {
    /// The key that it stands under, if any.
    pub under: Option<Cow<'a, str>>,
    pub key: Cow<'a, str>,
    /// The value as text: quotes and escapes undone, lists as they are written.
    pub value: Cow<'a, str>,
    /// Line of the file, from 1.
    pub line: usize,
}

/// Something wrong with the block. Lines count from 1 in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The opening fence never closes: the whole text is body.
    Unclosed,
    /// A key that stands twice; `used` is the line whose value is read.
    Duplicate {
        key: String,
        line: usize,
        used: usize,
    },
    /// A value with an unquoted `: ` in it; the reference client reads it as text.
    UnquotedColon { line: usize },
    /// A line indented by a tab, which YAML forbids.
    Tab { line: usize },
    /// Aliases (`*name`) stand in the block; they are shown as written, not expanded.
    AliasNotExpanded { line: usize },
    /// YAML refuses the block; the fields are what a line reader found.
    NotYaml { line: usize, message: String },
    /// A block shaped like front matter begins at this line, but it is not first.
    Late { line: usize },
}

impl FrontMatter<'_> {
    /// The same, apart from the text that it was read from.
    #[must_use]
    pub fn into_owned(self) -> FrontMatter<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let fields = self.fields.into_iter().map(|field| Field {
            under: field.under.map(own),
            key: own(field.key),
            value: own(field.value),
            line: field.line,
        });
        FrontMatter {
            block: self.block,
            body: self.body,
            fields: fields.collect(),
            faults: self.faults,
        }
    }

    /// The first field of this key at the top or, failing that, under `metadata`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let at = |under: Option<&str>| {
            self.fields
                .iter()
                .rfind(|field| field.key == key && field.under.as_deref() == under)
        };
        at(None)
            .or_else(|| at(Some("metadata")))
            .map(|field| &*field.value)
    }

    /// Whether the block cannot be trusted: anything but an unquoted colon, an alias or a late block.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.faults.iter().any(|fault| match fault {
            Fault::Unclosed
            | Fault::Duplicate { .. }
            | Fault::Tab { .. }
            | Fault::NotYaml { .. } => true,
            Fault::UnquotedColon { .. } | Fault::AliasNotExpanded { .. } | Fault::Late { .. } => {
                false
            }
        })
    }
}

impl Fault {
    /// A sentence that says what is wrong, where, and what it means.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Unclosed => {
                "the opening fence is never closed: the whole file is body".to_string()
            }
            Self::Duplicate { key, line, used } => {
                format!(
                    "`{key}` stands twice: the value of line {used} is used, line {line} is not"
                )
            }
            Self::UnquotedColon { line } => {
                format!("line {line} has an unquoted colon: read as text")
            }
            Self::Tab { line } => format!("line {line} is indented by a tab, which YAML forbids"),
            Self::AliasNotExpanded { line } => format!("line {line}: aliases not expanded"),
            Self::NotYaml { line, message } => {
                format!("line {line} is no YAML ({message}): read line by line")
            }
            Self::Late { line } => {
                format!(
                    "a block like front matter begins at line {line}, but it is not first: it is body"
                )
            }
        }
    }
}

/// Reads the front matter of a whole text (decoded, without a BOM).
#[must_use]
pub fn read(text: &str) -> FrontMatter<'_> {
    read_lines(text, usize::MAX)
}

/// Reads the front matter within the first `limit` lines of a text. A block that closes later is
/// read as far as it goes and is not called broken; then `block` is `None`.
#[must_use]
pub fn read_lines(text: &str, limit: usize) -> FrontMatter<'_> {
    let Some(first) = lines(text).next().filter(|line| is_fence(line.text)) else {
        let faults = late_block(text)
            .map(|line| Fault::Late { line })
            .into_iter()
            .collect();
        return FrontMatter {
            faults,
            ..FrontMatter::default()
        };
    };
    let mut found = FrontMatter {
        fields: Vec::with_capacity(8),
        ..FrontMatter::default()
    };
    let mut reader = LineReader::default();
    let mut number = 1;
    for line in lines(text).skip(1) {
        number += 1;
        if number > limit {
            reader.finish(&mut found);
            return found;
        }
        if is_fence(line.text) {
            reader.finish(&mut found);
            found.block = Some(0..line.next);
            found.body = line.next;
            ask_yaml(&text[first.next..line.start], &reader, &mut found);
            note_duplicates(&mut found);
            return found;
        }
        reader.take(line.text, number, &mut found);
    }
    // Never closed: all is body, and only what looks like fields before the first other line is shown.
    let mut open = FrontMatter {
        faults: vec![Fault::Unclosed],
        ..FrontMatter::default()
    };
    let mut reader = LineReader::default();
    for (at, line) in lines(text).enumerate().skip(1) {
        if split_key(line.text.trim_start()).is_none() {
            break;
        }
        reader.take(line.text, at + 1, &mut open);
    }
    reader.finish(&mut open);
    open
}

/// One line of a text: its content without its line break, and where the next one begins.
struct Line<'a> {
    text: &'a str,
    start: usize,
    next: usize,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let start = at;
        let end =
            memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |found| at + found);
        at = (end + 1).min(text.len());
        let content = &text[start..end];
        Some(Line {
            text: content.strip_suffix('\r').unwrap_or(content),
            start,
            next: at,
        })
    })
}

/// A fence is a line that is only `---`; spaces may follow.
fn is_fence(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.bytes().all(|byte| byte == b' ' || byte == b'\t'))
}

/// The line at which a block like front matter begins, behind nothing but blank lines and comments.
fn late_block(text: &str) -> Option<usize> {
    let mut in_comment = false;
    let mut rows = lines(text).enumerate();
    let (at, _) = rows.find(|(at, line)| {
        let trimmed = line.text.trim();
        if in_comment || trimmed.starts_with("<!--") {
            in_comment = !trimmed.contains("-->");
            return false;
        }
        !trimmed.is_empty() || *at > 40
    })?;
    let mut block = lines(text).skip(at);
    let opens = block.next().is_some_and(|line| is_fence(line.text));
    let has_key = block
        .next()
        .is_some_and(|line| split_key(line.text).is_some());
    (at > 0 && opens && has_key && block.any(|line| is_fence(line.text))).then_some(at + 1)
}

/// Where the line reader met something else than the common shape, YAML has the word: it gives the
/// strings that span lines, or says what is wrong. It is never asked to expand aliases.
fn ask_yaml(block: &str, reader: &LineReader<'_>, found: &mut FrontMatter<'_>) {
    let Some(strange) = reader.strange else {
        return;
    };
    let aliased = reader.aliases
        || block
            .lines()
            .any(|line| has_alias(line) || line.trim_start().starts_with('*'));
    if aliased {
        if !reader.aliases {
            found.faults.push(Fault::AliasNotExpanded { line: strange });
        }
        return;
    }
    let tabs_or_colons = found
        .faults
        .iter()
        .any(|fault| matches!(fault, Fault::Tab { .. } | Fault::UnquotedColon { .. }));
    if block.len() > YAML_BYTES || depth_of(block) > YAML_DEPTH {
        let message = "too large or too deep to be checked".to_string();
        found.faults.push(Fault::NotYaml {
            line: strange,
            message,
        });
        return;
    }
    match serde_yaml::from_str::<serde_yaml::Value>(block) {
        Ok(value) => take_strings(&value, found),
        Err(_) if tabs_or_colons => {}
        Err(error) => {
            // Line 1 of the block is line 2 of the file.
            let line = error.location().map_or(strange, |place| place.line() + 1);
            let message = error.to_string();
            let message = message
                .split(" at line")
                .next()
                .unwrap_or_default()
                .to_string();
            found.faults.push(Fault::NotYaml { line, message });
        }
    }
}

/// Puts YAML's strings in the place of values that the line reader could only read as written.
fn take_strings(value: &serde_yaml::Value, found: &mut FrontMatter<'_>) {
    for field in &mut found.fields {
        let holder = match &field.under {
            None => Some(value),
            Some(under) => value.get(&**under),
        };
        if let Some(text) = holder
            .and_then(|map| map.get(&*field.key))
            .and_then(serde_yaml::Value::as_str)
        {
            field.value = Cow::Owned(text.trim_end().to_string());
        }
    }
}

fn note_duplicates(found: &mut FrontMatter<'_>) {
    let fields = &found.fields;
    let place = |at: usize| (fields[at].under.as_deref(), &*fields[at].key);
    let mut order: Vec<usize> = (0..fields.len()).collect();
    order.sort_by_key(|at| (place(*at), *at));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for same in order.chunk_by(|one, other| place(*one) == place(*other)) {
        let (last, earlier) = same.split_last().expect("a chunk is not empty");
        pairs.extend(earlier.iter().map(|at| (*at, *last)));
    }
    pairs.sort_unstable();
    let faults = pairs.into_iter().map(|(at, last)| Fault::Duplicate {
        key: fields[at].key.to_string(),
        line: fields[at].line,
        used: fields[last].line,
    });
    let faults: Vec<Fault> = faults.collect();
    found.faults.extend(faults);
}

/// The deepest nesting of brackets in a text.
#[must_use]
pub fn depth_of(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests;
