//! A value whose name says that it is secret: `API_TOKEN=…`, `"clientSecret": "…"`, `private key: …`,
//! `--password …`, "the password is …". The name alone says nothing: `token = next_token()` and
//! "password: see the vault" hold none, so the value is looked at as well.

use std::ops::Range;

use super::anchor::Found;
use super::measure::{self, Classes};
use super::{Kind, example};

/// Bytes that are read before the anchor for the rest of the name, behind it, and of a value.
const BEFORE: usize = 48;
const BEHIND: usize = 32;
const VALUE: usize = 512;

pub fn at(text: &str, anchor: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let tail = count(&bytes[anchor.end..], BEHIND, is_name_byte);
    let name_end = anchor.end + tail;
    let joined = joint(text, name_end)?;
    let kind = kind_of_name(text, anchor.start, name_end, &joined)?;
    let value = value(text, joined.end)?;
    let found = &text[value.range.clone()];
    let is_one = match kind {
        Kind::Password => is_password(found, &value, &joined),
        _ => is_key(found, &value, &joined),
    };
    let is_code = !value.is_quoted && is_code(found);
    let is_none =
        found.contains("://") || refers(found) || is_code || example::is(found) || !is_one;
    (!is_none).then(|| Found::new(kind, value.range))
}

/// How a name and its value are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// `=`, `:=`, or a name in quotes: a file that programs read.
    Set,
    /// `:`, which people write as well.
    Colon,
    /// Words, a table, a blank behind a flag.
    Loose,
}

struct Joint {
    how: How,
    /// Where the value may begin.
    end: usize,
}

fn joint(text: &str, at: usize) -> Option<Joint> {
    let bytes = text.as_bytes();
    let mut end = at;
    let mut is_quoted = false;
    while let Some(b'"' | b'\'' | b'`' | b'*' | b'\\' | b']' | b')') = bytes.get(end) {
        is_quoted |= matches!(bytes[end], b'"' | b'\'');
        end += 1;
        if end - at > 5 {
            return None;
        }
    }
    let blanks = count(&bytes[end..], 24, is_blank);
    end += blanks;
    let rest = &text[end..];
    let signs: &[(&str, How)] = &[
        (":=", How::Set),
        ("=>", How::Set),
        ("==", How::Set),
        ("=", How::Set),
        (":", How::Colon),
        ("：", How::Colon),
        ("|", How::Loose),
        ("is ", How::Loose),
        ("是", How::Loose),
    ];
    let sign = signs.iter().find(|(sign, _)| rest.starts_with(sign));
    let (how, long) = match sign {
        Some((_, How::Colon)) if is_quoted => (How::Set, 1),
        Some((sign, how)) => (*how, sign.len()),
        // A flag and what it is given.
        None if blanks > 0 => (How::Loose, 0),
        None => return None,
    };
    if sign.is_none() && !is_flag(bytes, at) {
        return None;
    }
    end += long;
    while let Some(b'*' | b'`') = bytes.get(end) {
        end += 1;
    }
    end += count(&bytes[end..], 24, is_blank);
    end = behind_type(text, end);
    Some(Joint { how, end })
}

/// Whether the word that ends here is a flag of a command.
fn is_flag(bytes: &[u8], end: usize) -> bool {
    let start = end - count_back(&bytes[..end], BEFORE, is_name_byte);
    bytes[start..end].starts_with(b"--")
}

/// `: &str = "…"`, `: string = '…'`: the value stands behind the type.
fn behind_type(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let is_type =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'&' | b'_' | b'<' | b'>' | b' ');
    let long = count(&bytes[at..], 24, is_type);
    let rest = &bytes[at + long..];
    if long == 0 || rest.first() != Some(&b'=') {
        return at;
    }
    let blanks = count(&rest[1..], 1, is_blank);
    let escaped = count(&rest[1 + blanks..], 3, |byte| byte == b'\\');
    match rest.get(1 + blanks + escaped) {
        Some(b'"' | b'\'') => at + long + 1 + blanks,
        _ => at,
    }
}

struct Value {
    range: Range<usize>,
    is_quoted: bool,
}

fn value(text: &str, at: usize) -> Option<Value> {
    let bytes = text.as_bytes();
    let rest = &bytes[at..];
    // Of a text within a text.
    let escaped = count(rest, 3, |byte| byte == b'\\');
    if let Some(quote @ (b'"' | b'\'' | b'`')) = rest.get(escaped).copied() {
        let start = at + escaped + 1;
        let long = quoted(&bytes[start..], quote, escaped);
        let closing = bytes.get(start + long)?;
        let range = start..start + long;
        let is_value = !ends_line(*closing) && long > 0 && text.is_char_boundary(range.end);
        let has_blank = bytes[range.clone()].iter().any(|byte| is_blank(*byte));
        return (is_value && !has_blank).then_some(Value {
            range,
            is_quoted: true,
        });
    }
    let ends = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(
                byte,
                b',' | b';' | b'"' | b'\'' | b'`' | b'|' | b'\\' | b'<' | b'>'
            )
    };
    let long = count(rest, VALUE, |byte| !ends(byte));
    let whole = text.get(at..at + long)?;
    let kept = whole.trim_end_matches(['.', ')', ']', '}', ':', '*']);
    // A note that stands for a secret keeps its bracket.
    let kept = match kept.contains(super::MASK) {
        true => whole,
        false => kept,
    };
    let inner = kept.trim_end_matches('=');
    let has_second = inner.contains('=') || kept.len() - inner.len() > 2;
    (!kept.is_empty() && !has_second).then(|| Value {
        range: at..at + kept.len(),
        is_quoted: false,
    })
}

/// How long a value in quotes is. Within a text within a text as many backslashes belong to the closing
/// quote as to the opening one; else they belong to what follows them.
fn quoted(bytes: &[u8], quote: u8, escaped: usize) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at).filter(|_| at < VALUE) {
        match byte {
            b'\n' => break,
            b'\\' if escaped > 0 => {
                let run = count(&bytes[at..], VALUE, |byte| byte == b'\\');
                if run == escaped {
                    break;
                }
                at += run + 1;
            }
            b'\\' if quote == b'"' => at += 2,
            byte if *byte == quote && escaped == 0 => break,
            _ => at += 1,
        }
    }
    at
}

/// What the name says; `None`: nothing secret.
fn kind_of_name(text: &str, anchor: usize, end: usize, joined: &Joint) -> Option<Kind> {
    let bytes = text.as_bytes();
    let mut start = anchor - count_back(&bytes[..anchor], BEFORE, is_name_byte);
    // `private key`, `access token`: the word before belongs to it.
    if start > 1 && bytes[start - 1] == b' ' && bytes[start - 2].is_ascii_alphabetic() {
        start -= 1;
        start -= count_back(&bytes[..start], 16, |byte| byte.is_ascii_alphabetic());
    }
    let name = text.get(start..end)?;
    if ["密码", "Passwort", "passwort", "Kennwort", "kennwort"]
        .iter()
        .any(|word| name.ends_with(word))
    {
        return Some(Kind::Password);
    }
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|last| is_suffix(last)) {
        words.pop();
    }
    let last = words.pop()?;
    let before = words.pop().unwrap_or_default();
    let before = before.as_str();
    match last.as_str() {
        "password" | "passwd" | "pwd" | "passphrase" => Some(Kind::Password),
        "privatekey" => Some(Kind::PrivateKey),
        "key" if before == "private" => Some(Kind::PrivateKey),
        "secret" | "apikey" | "accesskey" | "secretkey" | "authkey" | "credential"
        | "credentials" => Some(Kind::Named),
        "token" => (!NO_TOKENS.contains(&before)).then_some(Kind::Named),
        "key" => KEYS.contains(&before).then_some(Kind::Named),
        _ => None,
    }
    // Loosely joined only what is said in full.
    .filter(|_| joined.how != How::Loose || end - start >= 5)
}

/// Tokens that open nothing.
const NO_TOKENS: &[&str] = &[
    "page",
    "next",
    "continuation",
    "cancellation",
    "cancel",
    "design",
    "sync",
    "cursor",
    "public",
    "start",
    "end",
    "eos",
    "bos",
    "pad",
    "stop",
    "special",
    "per",
];

/// What makes a key one that opens something.
const KEYS: &[&str] = &[
    "api",
    "secret",
    "access",
    "signing",
    "encryption",
    "auth",
    "master",
    "account",
    "storage",
    "service",
    "deploy",
    "license",
    "consumer",
    "app",
    "client",
    "admin",
    "webhook",
    "hmac",
    "jwt",
    "session",
    "shared",
    "subscription",
    "decryption",
    "root",
];

/// Words behind the one that counts: `TOKEN_PROD`, `SECRET_KEY_BASE`, `PASSWORD_2`.
fn is_suffix(word: &str) -> bool {
    let known = [
        "next",
        "old",
        "new",
        "prod",
        "production",
        "dev",
        "test",
        "staging",
        "live",
        "base",
        "b64",
        "hex",
        "value",
        "prd",
        "stg",
    ];
    known.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a name, in lower case: `clientSecret`, `CLIENT_SECRET`, `client-secret`, `client secret`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            is_open = false;
            was_lower = false;
            continue;
        }
        if !is_open || (c.is_ascii_uppercase() && was_lower) {
            words.push(String::new());
        }
        is_open = true;
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if let Some(last) = words.last_mut() {
            last.push(c.to_ascii_lowercase());
        }
    }
    words
}

fn is_password(found: &str, value: &Value, joined: &Joint) -> bool {
    let classes = Classes::of(found);
    let is_set = value.is_quoted || joined.how == How::Set;
    let is_mixed = classes.digits + classes.signs > 0 && classes.letters() + classes.signs > 0;
    match joined.how {
        How::Set | How::Colon if is_set => {
            found.len() >= 6
                && (is_mixed
                    || (found.len() >= 8 && classes.count() > 1 && !example::is_name(found)))
                && !(example::is_name(found) && found.contains(['-', '_', '.', '/']))
        }
        How::Set | How::Colon => {
            found.len() >= 6 && is_mixed && classes.count() > 1 && !is_phrase(found)
        }
        How::Loose => found.len() >= 6 && classes.count() > 2 && !is_phrase(found),
    }
}

/// Names in several words; and versions, dates.
fn is_phrase(found: &str) -> bool {
    example::is_name(found) && found.contains(['-', '_', '.', '/', ':'])
}

fn is_key(found: &str, value: &Value, joined: &Joint) -> bool {
    let bare = found.strip_prefix("0x").unwrap_or(found);
    if measure::is_uuid(found) {
        return true;
    }
    if measure::is_hex(bare) {
        let classes = Classes::of(bare);
        return bare.len() >= 16 && classes.letters() > 0 && classes.digits > 0;
    }
    let classes = Classes::of(found);
    let is_set = value.is_quoted || joined.how == How::Set;
    let least = if is_set { 8 } else { 12 };
    let is_random = match classes.digits {
        0 => found.len() >= 20 && classes.count() > 1 && measure::entropy(found.as_bytes()) > 3.6,
        1 => classes.letters() > 0 && (found.len() >= 16 || value.is_quoted),
        _ => classes.letters() > 0,
    };
    found.len() >= least && is_random && !example::is_name(found)
}

/// Whether a value only says where the secret is, or is a piece of code or of a sentence.
fn refers(found: &str) -> bool {
    let lower = found.to_ascii_lowercase();
    let begins = [
        "arn:",
        "op://",
        "vault:",
        "env:",
        "file:",
        "sha1",
        "sha256",
        "sha384",
        "sha512",
        "-----",
        "process.env",
        "os.environ",
        "std::env",
    ];
    let ends = [
        ".pem", ".json", ".yaml", ".yml", ".env", ".key", ".txt", ".md", ".toml", ".crt", ".pub",
        ".gpg", ".asc",
    ];
    begins.iter().any(|sign| lower.starts_with(sign))
        || ends.iter().any(|sign| lower.ends_with(sign))
        || found.contains("::")
        || found.contains("->")
        || found.contains('(')
        || !found.is_ascii()
}

/// A place in a list, the rest of a path, a constant.
fn is_code(found: &str) -> bool {
    let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    found.starts_with(':')
        || found.contains('[') && !found.contains(super::MASK)
        || found.contains('_') && found.chars().all(is_constant)
}

fn count(bytes: &[u8], most: usize, holds: impl Fn(u8) -> bool) -> usize {
    let bytes = bytes.iter().take(most);
    bytes.take_while(|byte| holds(**byte)).count()
}

fn count_back(bytes: &[u8], most: usize, holds: impl Fn(u8) -> bool) -> usize {
    let bytes = bytes.iter().rev().take(most);
    bytes.take_while(|byte| holds(**byte)).count()
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
