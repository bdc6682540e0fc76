//! One text field of one line of JSON, `cwd` above all, also of a line that is cut off at either end.
//! Only the field of the line's own object counts: a tool's result may hold another one.

use std::ops::Range;

use memchr::memmem;

const KEY: &[u8] = b"\"cwd\"";

/// The `cwd` of a line that is whole, or cut off at its end.
pub(super) fn of_line(line: &[u8]) -> Option<String> {
    field(line, KEY)
}

/// A text field of a line that is whole, or cut off at its end. `key` is its name in quotes.
#[must_use]
pub fn field(line: &[u8], key: &[u8]) -> Option<String> {
    let text: String = serde_json::from_slice(&line[place(line, key)?]).ok()?;
    (!text.is_empty()).then_some(text)
}

/// Where the text of a field stands in such a line, its quotes included.
#[must_use]
pub fn place(line: &[u8], key: &[u8]) -> Option<Range<usize>> {
    memmem::find(line, key)?;
    let mut depth = 0_usize;
    let mut at = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    if line[at] != b'{' {
        return None;
    }
    while at < line.len() {
        match line[at] {
            b'"' => {
                let end = end_of_string(line, at)?;
                if depth == 1
                    && &line[at..end] == key
                    && let Some(value) = value(line, end)
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
        .find_map(|at| {
            let text: String = serde_json::from_slice(&line[value(line, at + KEY.len())?]).ok()?;
            (!text.is_empty()).then_some(text)
        })
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

/// Where the string stands that follows a key, which ends at `end`, and its colon.
fn value(line: &[u8], end: usize) -> Option<Range<usize>> {
    let skip = |from: usize| {
        let blank = line[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        from + blank.count()
    };
    let colon = skip(end);
    let at = skip(colon + usize::from(line.get(colon) == Some(&b':')));
    let is_text = line.get(colon) == Some(&b':') && line.get(at) == Some(&b'"');
    let to = is_text.then(|| end_of_string(line, at)).flatten()?;
    Some(at..to)
}

/// The byte after the closing quote of the string that opens at `at`.
#[must_use]
pub fn end_of_string(line: &[u8], at: usize) -> Option<usize> {
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
