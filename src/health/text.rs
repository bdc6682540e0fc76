//! Bytes that are no text, and characters that a reader can't see.

use crate::base::display;
use crate::health::code::Code;
use crate::health::gathered::{Gathered, Spot};
use crate::health::page;

/// Bytes that are no UTF-8. Of a file that was read only in part, the last character may be parted.
pub fn bytes(path: &str, bytes: &[u8], is_whole: bool, out: &mut Gathered<'_>) {
    let Err(error) = simdutf8::compat::from_utf8(bytes) else {
        return;
    };
    if error.error_len().is_none() && !is_whole {
        return;
    }
    let at = error.valid_up_to();
    let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
    let message = format!(
        "byte 0x{:02x} on line {line} is no UTF-8: the model gets U+FFFD for it, and we never rewrite such a file; convert it to UTF-8",
        bytes[at]
    );
    out.add(Code::NotText, Spot::line(path, line), message, None);
}

/// Characters that a reader can't see: one finding a file, at the first of them.
pub fn invisible(path: &str, text: &str, out: &mut Gathered<'_>) {
    let mut first = None;
    let mut count = 0_usize;
    for line in page::lines(text) {
        let unseen = display::unseen(line.text);
        if let Some((_, c)) = unseen.first() {
            first.get_or_insert((line.number, *c));
        }
        count += unseen.len();
    }
    let Some((line, c)) = first else {
        return;
    };
    let number = match count {
        1 => "a character that nobody sees".to_string(),
        many => format!("{many} characters that nobody sees, the first"),
    };
    let message = format!(
        "line {line} holds {number} (U+{:04X}): the model reads what a person can't, which can hide an instruction; look at the line raw and retype it",
        u32::from(c)
    );
    out.add(Code::InvisibleText, Spot::line(path, line), message, None);
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
