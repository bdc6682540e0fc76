//! What the terminal's background is: the question (OSC 11), and what its answer says. The answer is
//! picked out of what is typed before anybody takes it for keys (`sift`). Nothing waits for it: a
//! terminal that does not answer costs nothing.
//!
//! The notices of mode 2031 are not asked for: the library takes one for the beginning of something
//! longer and swallows what is typed next. Instead the question is put again at each focus.

use std::time::Duration;

use crate::app::look::Background;

/// The question.
pub(super) const QUESTION: &str = "\x1b]11;?\x1b\\";

/// So long an answer is still on its way when the screen is left.
pub(super) const ON_ITS_WAY: Duration = Duration::from_millis(150);

/// Reads `11;rgb:RRRR/GGGG/BBBB`, an answer without its beginning and end; parts have one to four
/// digits. `None`: it is not understood, and says nothing.
pub(super) fn understood(answer: &[u8]) -> Option<Background> {
    let body = std::str::from_utf8(answer).ok()?.strip_prefix("11;")?;
    let body = body
        .strip_prefix("rgb:")
        .or_else(|| body.strip_prefix("rgba:"))?;
    let part = |hex: &str| {
        let most = 16_u32.checked_pow(u32::try_from(hex.len()).ok()?)? - 1;
        let value = u32::from_str_radix(hex, 16).ok()?;
        (1..=4).contains(&hex.len()).then(|| value * 1_000 / most)
    };
    let mut parts = body.split('/').map(part);
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // How light the eye finds each.
    let light = (red * 299 + green * 587 + blue * 114) / 1_000;
    Some(match light > 500 {
        true => Background::Light,
        false => Background::Dark,
    })
}

#[cfg(test)]
#[path = "background_tests.rs"]
mod tests;
