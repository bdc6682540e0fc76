//! One pass over JSON, without a copy: what is asked for is read, the rest skipped, both by the grammar.
//! Texts may hold bad bytes and halves of surrogate pairs: they are shown as U+FFFD. Knows nothing of
//! what it means.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

/// Where the bytes are no JSON, or go on when the value has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no JSON at byte {at}")]
pub struct NoJson {
    pub at: usize,
}

/// A text as it stands, between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    pub raw: &'a [u8],
    /// Where it begins, in bytes.
    pub at: usize,
}

impl<'a> Text<'a> {
    /// Whether it is this word, which needs no escapes.
    #[must_use]
    pub fn is(self, word: &str) -> bool {
        self.raw == word.as_bytes()
    }

    /// What it says.
    #[must_use]
    pub fn read(self) -> Cow<'a, str> {
        unescaped(self.raw)
    }
}

/// A text without its escapes. What is none, and what is no text, becomes U+FFFD.
#[must_use]
pub fn unescaped(raw: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw).is_none() {
        return String::from_utf8_lossy(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(found) = memchr::memchr(b'\\', rest) {
        out.push_str(&String::from_utf8_lossy(&rest[..found]));
        let (c, length) = escape(&rest[found..]);
        out.push(c);
        rest = &rest[found + length..];
    }
    out.push_str(&String::from_utf8_lossy(rest));
    Cow::Owned(out)
}

/// The character that an escape means, and its bytes.
fn escape(from: &[u8]) -> (char, usize) {
    let plain = match from.get(1) {
        Some(b'u') => return unicode(from),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
        Some(_) | None => char::REPLACEMENT_CHARACTER,
    };
    (plain, from.len().min(2))
}

fn unicode(from: &[u8]) -> (char, usize) {
    let Some(high) = unit(from) else {
        return (char::REPLACEMENT_CHARACTER, from.len().min(2));
    };
    let pair = match high {
        0xD800..=0xDBFF => unit(&from[6..]).map(|low| [high, low]),
        _ => None,
    };
    if let Some(pair) = pair
        && let Some(Ok(c)) = char::decode_utf16(pair).next()
    {
        return (c, 12);
    }
    let c = char::from_u32(u32::from(high)).unwrap_or(char::REPLACEMENT_CHARACTER);
    (c, 6)
}

/// The code unit of `\uXXXX`.
fn unit(from: &[u8]) -> Option<u16> {
    let digits = from.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit: u16, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

/// A reader of one value.
pub struct Json<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The brackets that are open while a value is skipped.
    open: Vec<u8>,
}

impl<'a> Json<'a> {
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            open: Vec::new(),
        }
    }

    /// Where it stands, in bytes.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether only blank follows.
    pub fn is_done(&mut self) -> bool {
        self.blank();
        self.at == self.bytes.len()
    }

    fn blank(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.bytes.get(self.at).copied()
    }

    fn bad<T>(&self) -> Result<T, NoJson> {
        Err(NoJson { at: self.at })
    }

    fn take(&mut self, byte: u8) -> Result<(), NoJson> {
        match self.peek() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) | None => self.bad(),
        }
    }

    /// The members of an object: a value that `each` does not read is skipped. `false`: it was no object,
    /// and is skipped.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn object(
        &mut self,
        mut each: impl FnMut(&mut Self, Text<'a>) -> Result<(), NoJson>,
    ) -> Result<bool, NoJson> {
        if self.peek() != Some(b'{') {
            self.skip()?;
            return Ok(false);
        }
        self.at += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(true);
        }
        loop {
            let key = self.string()?;
            self.take(b':')?;
            self.blank();
            let begin = self.at;
            each(self, key)?;
            if self.at == begin {
                self.skip()?;
            }
            if self.ends(b'}')? {
                return Ok(true);
            }
        }
    }

    /// The items of an array, each of which `each` has to read or skip.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn array(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), NoJson>,
    ) -> Result<bool, NoJson> {
        if self.peek() != Some(b'[') {
            self.skip()?;
            return Ok(false);
        }
        self.at += 1;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(true);
        }
        loop {
            each(self)?;
            if self.ends(b']')? {
                return Ok(true);
            }
        }
    }

    /// Whether a list ends here; else it goes on.
    fn ends(&mut self, close: u8) -> Result<bool, NoJson> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(found) if found == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) | None => self.bad(),
        }
    }

    /// A text; what is none is skipped.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn text(&mut self) -> Result<Option<Text<'a>>, NoJson> {
        if self.peek() == Some(b'"') {
            return self.string().map(Some);
        }
        self.skip()?;
        Ok(None)
    }

    /// Whether `true` stands here; anything is skipped.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn flag(&mut self) -> Result<bool, NoJson> {
        let range = self.skip()?;
        Ok(&self.bytes[range] == b"true")
    }

    /// A whole number that is not below zero; anything else is skipped.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn number(&mut self) -> Result<Option<u64>, NoJson> {
        let range = self.skip()?;
        let digits = std::str::from_utf8(&self.bytes[range]).ok();
        Ok(digits.and_then(|digits| digits.parse().ok()))
    }

    /// Any value as it stands.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn raw(&mut self) -> Result<&'a [u8], NoJson> {
        let range = self.skip()?;
        Ok(&self.bytes[range])
    }

    /// Whether a list stands here.
    pub fn is_array(&mut self) -> bool {
        self.peek() == Some(b'[')
    }

    /// Whether an object stands here.
    pub fn is_object(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// Whether a text stands here.
    pub fn is_text(&mut self) -> bool {
        self.peek() == Some(b'"')
    }

    fn string(&mut self) -> Result<Text<'a>, NoJson> {
        self.take(b'"')?;
        let begin = self.at;
        loop {
            let rest = &self.bytes[self.at..];
            let Some(found) = memchr2(b'"', b'\\', rest) else {
                self.at = self.bytes.len();
                return self.bad();
            };
            // A control character has to be escaped: what holds one was overwritten.
            if rest[..found].iter().any(|byte| *byte < 0x20) {
                return self.bad();
            }
            self.at += found;
            if rest[found] == b'"' {
                let raw = &self.bytes[begin..self.at];
                self.at += 1;
                return Ok(Text { raw, at: begin });
            }
            match rest.get(found + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                Some(b'u') if unit(&rest[found..]).is_some() => self.at += 6,
                Some(_) | None => return self.bad(),
            }
        }
    }

    /// Any value; where it stands.
    ///
    /// # Errors
    /// What is no JSON.
    pub fn skip(&mut self) -> Result<Range<usize>, NoJson> {
        self.blank();
        let begin = self.at;
        self.open.clear();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(bracket @ (b'{' | b'[')) => {
                    self.at += 1;
                    let close = bracket + 2;
                    if self.peek() == Some(close) {
                        self.at += 1;
                    } else {
                        self.open.push(close);
                        if bracket == b'{' {
                            self.string()?;
                            self.take(b':')?;
                        }
                        continue;
                    }
                }
                Some(_) => self.word()?,
                None => return self.bad(),
            }
            // A value has ended: so may what it stands in.
            loop {
                let Some(close) = self.open.last().copied() else {
                    return Ok(begin..self.at);
                };
                if !self.ends(close)? {
                    if close == b'}' {
                        self.string()?;
                        self.take(b':')?;
                    }
                    break;
                }
                self.open.pop();
            }
        }
    }

    /// `true`, `false`, `null`, a number.
    fn word(&mut self) -> Result<(), NoJson> {
        let rest = &self.bytes[self.at..];
        let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let word = &rest[..rest.iter().take_while(is_in).count()];
        let is_number = || serde_json::from_slice::<serde_json::Number>(word).is_ok();
        if !matches!(word, b"true" | b"false" | b"null") && !is_digits(word) && !is_number() {
            return self.bad();
        }
        self.at += word.len();
        Ok(())
    }
}

/// The common kind of number, known at a glance.
fn is_digits(word: &[u8]) -> bool {
    matches!(word, [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit)) || word == b"0"
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
