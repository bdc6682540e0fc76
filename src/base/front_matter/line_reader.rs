//! Reads a block of front matter line by line, as far as it has the common shape.

use std::borrow::Cow;

use super::{Fault, Field, FrontMatter};

/// Reads the common shape: `key: value`, one level of nesting, lists.
#[derive(Default)]
pub struct LineReader<'a> {
    /// The key at the top whose value is on the lines below it.
    parent: Option<(&'a str, usize)>,
    /// Items of the list below that key.
    items: Vec<&'a str>,
    /// Whether fields have been read below that key.
    nested: bool,
    /// Line of the first thing that this reader does not understand; YAML is asked then.
    pub strange: Option<usize>,
    /// Whether a value is an alias or holds one.
    pub aliases: bool,
}

impl<'a> LineReader<'a> {
    /// Takes the next line of the block.
    pub fn take(&mut self, line: &'a str, number: usize, found: &mut FrontMatter<'a>) {
        let content = line.trim_start_matches([' ', '\t']);
        if content.is_empty() || content.starts_with('#') {
            return;
        }
        let indent = &line[..line.len() - content.len()];
        if indent.contains('\t') {
            found.faults.push(Fault::Tab { line: number });
        }
        if let Some(item) = content
            .strip_prefix("- ")
            .or_else(|| (content == "-").then_some(""))
        {
            if self.parent.is_some() && !self.nested {
                self.items.push(plain_value(item.trim()));
            } else {
                self.strange.get_or_insert(number);
            }
            return;
        }
        match (split_key(content), indent.is_empty()) {
            (Some((key, value)), true) => {
                self.finish(found);
                if value.is_empty() || value.starts_with('#') {
                    self.parent = Some((key, number));
                } else {
                    self.push(None, key, value, number, found);
                }
            }
            (Some((key, value)), false) if self.parent.is_some() && self.items.is_empty() => {
                let under = self.parent.map(|(name, _)| name);
                self.nested = true;
                self.push(under, key, value, number, found);
            }
            (Some(_) | None, false) => self.go_on(content, number, found),
            (None, true) => {
                self.strange.get_or_insert(number);
            }
        }
    }

    /// A line that continues the value above it.
    fn go_on(&mut self, content: &str, number: usize, found: &mut FrontMatter<'a>) {
        match found.fields.last_mut() {
            Some(field) if self.parent.is_none() || self.nested => {
                self.strange.get_or_insert(field.line);
                let value = field.value.to_mut();
                value.push(' ');
                value.push_str(content.trim_end());
            }
            Some(_) | None => {
                self.strange.get_or_insert(number);
            }
        }
    }

    fn push(
        &mut self,
        under: Option<&'a str>,
        key: &'a str,
        value: &'a str,
        line: usize,
        found: &mut FrontMatter<'a>,
    ) {
        let value = self.value(value, line, found);
        found.fields.push(Field {
            under: under.map(Cow::Borrowed),
            key: Cow::Borrowed(key),
            value,
            line,
        });
    }

    fn value(&mut self, raw: &'a str, line: usize, found: &mut FrontMatter<'a>) -> Cow<'a, str> {
        match raw.as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => match unquote(raw, *quote as char) {
                Some(value) => return value,
                None => self.strange = self.strange.or(Some(line)),
            },
            Some(b'*') => {
                self.aliases = true;
                found.faults.push(Fault::AliasNotExpanded { line });
            }
            Some(b'[' | b'{') => {
                if has_alias(raw) {
                    self.aliases = true;
                    found.faults.push(Fault::AliasNotExpanded { line });
                } else if !closes(raw) {
                    self.strange = self.strange.or(Some(line));
                }
                return Cow::Borrowed(raw);
            }
            Some(b'&' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`') => {
                self.strange = self.strange.or(Some(line));
            }
            Some(_) | None => {}
        }
        let value = plain_value(raw);
        let is_colon = |at: usize| matches!(value.as_bytes().get(at + 1), None | Some(b' '));
        if memchr::memchr_iter(b':', value.as_bytes()).any(is_colon) {
            found.faults.push(Fault::UnquotedColon { line });
        }
        Cow::Borrowed(value)
    }

    /// Closes the key whose value is on the lines below it.
    pub fn finish(&mut self, found: &mut FrontMatter<'a>) {
        let Some((key, line)) = self.parent.take() else {
            return;
        };
        let items = std::mem::take(&mut self.items);
        if !std::mem::take(&mut self.nested) {
            let value = if items.is_empty() {
                Cow::Borrowed("")
            } else {
                Cow::Owned(format!("[{}]", items.join(", ")))
            };
            // Nothing has been read since its key.
            found.fields.push(Field {
                under: None,
                key: Cow::Borrowed(key),
                value,
                line,
            });
        }
    }
}

/// `key: value` → key and trimmed value; a key holds no colon before its own and begins at once.
pub fn split_key(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    let ends_key = |at: &usize| matches!(bytes.get(at + 1), None | Some(b' ' | b'\t'));
    let colon = memchr::memchr_iter(b':', bytes).find(ends_key)?;
    let key = line[..colon].trim_end_matches([' ', '\t']);
    let bare = key
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(key);
    let odd = matches!(
        bytes[0],
        b'[' | b'{'
            | b'#'
            | b'?'
            | b'*'
            | b'&'
            | b'!'
            | b'|'
            | b'>'
            | b'%'
            | b'@'
            | b'`'
            | b' '
            | b'\t'
    );
    let spaces = memchr::memchr_iter(b' ', key.as_bytes()).count();
    let prose = spaces > 2 && bare.len() == key.len();
    (!bare.is_empty() && !odd && !prose).then(|| (bare, line[colon + 1..].trim()))
}

/// A plain value without its comment.
fn plain_value(raw: &str) -> &str {
    if raw.starts_with(['"', '\'']) {
        return raw;
    }
    let begins_comment = |at: &usize| *at > 0 && raw.as_bytes()[at - 1] == b' ';
    match memchr::memchr_iter(b'#', raw.as_bytes()).find(begins_comment) {
        Some(at) => raw[..at].trim_end(),
        None => raw,
    }
}

/// What a quoted value says; `None` when it does not close on its line.
fn unquote(raw: &str, quote: char) -> Option<Cow<'_, str>> {
    let inner = &raw[1..];
    let closes_at = inner.find(quote)?;
    let rest = inner[closes_at + 1..].trim_start();
    if (rest.is_empty() || rest.starts_with('#'))
        && !(quote == '"' && inner[..closes_at].contains('\\'))
    {
        return Some(Cow::Borrowed(&inner[..closes_at]));
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
                out.push('\'');
                continue;
            }
            let rest = inner[at + 1..].trim_start();
            return (rest.is_empty() || rest.starts_with('#')).then_some(Cow::Owned(out));
        }
        if quote == '"' && c == '\\' {
            match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                plain @ ('"' | '\\' | '/') => out.push(plain),
                _ => return None,
            }
        } else {
            out.push(c);
        }
    }
    None
}

/// Whether the brackets of a flow value close on its line.
fn closes(raw: &str) -> bool {
    let (mut depth, mut quote) = (0_i32, None);
    for c in raw.chars() {
        match (quote, c) {
            (Some(open), _) => quote = (open != c).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, _) => {}
        }
    }
    depth == 0 && quote.is_none()
}

/// Whether a flow value holds an alias.
pub fn has_alias(raw: &str) -> bool {
    raw.match_indices('*')
        .any(|(at, _)| raw[..at].ends_with(['[', '{', ',', ' ', ':']))
}
