//! How many tokens a text is, estimated from its characters alone.

/// Characters of Latin text that are taken for one token: 4, and a third more tokens for safety.
const LATIN_CHARACTERS: usize = 3;

/// Tokens of a text, estimated: a token for 4 characters, times 4/3 for safety; of Chinese, Japanese
/// and Korean each character is one.
#[must_use]
pub fn estimate(text: &str) -> usize {
    if text.is_ascii() {
        return of_latin(text.len());
    }
    let (mut latin, mut cjk) = (0, 0);
    for c in text.chars() {
        match is_cjk(c) {
            true => cjk += 1,
            false => latin += 1,
        }
    }
    of_latin(latin) + cjk
}

/// Tokens of so many Latin characters, estimated.
#[must_use]
pub fn of_latin(characters: usize) -> usize {
    characters.div_ceil(LATIN_CHARACTERS)
}

fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11FF}'       // Hangul jamo
        | '\u{2E80}'..='\u{2FDF}'     // radicals
        | '\u{3000}'..='\u{33FF}'     // punctuation, kana, bopomofo, compatibility
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}'     // full-width forms
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
