//! One text field of one line of JSON, `cwd` above all, also of a line that is cut off at either end.
//! Only the field of the line's own object counts: a tool's result may hold another one.

use memchr::memmem;

const KEY: &[u8] = b"\"cwd\"";

/// The `cwd` of a line that is whole, or cut off at its end.
pub(super) fn of_line(line: &[u8]) -> Option<String> {
    field(line, KEY)
}

/// A text field of a line that is whole, or cut off at its end. `key` is its name in quotes.
#[must_use]
pub fn field(line: &[u8], key: &[u8]) -> Option<String> {
    memmem::find(line, key)?;
    let line = line.trim_ascii_start();
    if line.first() != Some(&b'{') {
        return None;
    }
    let mut depth = 0_usize;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'"' => {
                let end = end_of_string(line, at)?;
                if depth == 1
                    && &line[at..end] == key
                    && let Some(value) = value(&line[end..])
                {
                    return Some(value);
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The `cwd` of a line that is cut off at its start: the field after which the line closes its own
/// object and nothing else.
pub(super) fn of_line_end(line: &[u8]) -> Option<String> {
    memmem::find_iter(line, KEY)
        .filter(|at| closes_the_line(&line[at + KEY.len()..]))
        .find_map(|at| value(&line[at + KEY.len()..]))
}

/// Whether what follows a key has that key's object closed by its very last byte.
fn closes_the_line(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_end();
    let mut depth = 1_usize;
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            b'"' => match end_of_string(rest, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => return false,
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1 == rest.len();
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// The text of the string that follows a key and its colon.
fn value(rest: &[u8]) -> Option<String> {
    let rest = rest.trim_ascii_start().strip_prefix(b":")?;
    let text = serde_json::Deserializer::from_slice(rest)
        .into_iter::<String>()
        .next()?
        .ok()?;
    (!text.is_empty()).then_some(text)
}

/// The byte after the closing quote of the string that opens at `at`.
fn end_of_string(line: &[u8], at: usize) -> Option<usize> {
    let mut from = at + 1;
    loop {
        let found = from + memchr::memchr2(b'"', b'\\', &line[from..])?;
        if line[found] == b'"' {
            return Some(found + 1);
        }
        from = found + 2;
        if from > line.len() {
            return None;
        }
    }
}
