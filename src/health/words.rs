//! Words of a text, for comparisons: what counts as one, in languages with spaces and without.

use std::collections::HashSet;

/// English words that say nothing of what a text is about.
const EMPTY: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "before", "but", "by", "do", "for", "from", "has",
    "how", "if", "in", "is", "it", "its", "no", "not", "of", "on", "only", "or", "so", "that",
    "the", "their", "them", "this", "to", "was", "what", "when", "where", "which", "who", "with",
];

/// Whether a character is a word or a syllable of a language that is written without spaces.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
            | 0x2_0000..=0x2_FA1F
    )
}

/// Whether no space stands beside a character: CJK and its punctuation.
#[must_use]
pub fn is_set_close(c: char) -> bool {
    is_cjk(c) || matches!(u32::from(c), 0x3000..=0x303F | 0xFF00..=0xFFEF)
}

/// Letters and digits of a text, in lower case: two texts that share them say the same.
#[must_use]
pub fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// How many words a text has, in halves: two CJK characters count as one word.
#[must_use]
pub fn half_words(text: &str) -> usize {
    let (mut halves, mut in_word) = (0, false);
    for c in text.chars() {
        if is_cjk(c) {
            halves += 1;
            in_word = false;
        } else if c.is_alphanumeric() {
            halves += if in_word { 0 } else { 2 };
            in_word = true;
        } else {
            in_word = false;
        }
    }
    halves
}

/// What a text is about: its words without endings and empty ones, and of CJK each pair of neighbours.
#[must_use]
pub fn topics(text: &str) -> HashSet<String> {
    let mut topics = HashSet::new();
    let mut word = String::new();
    let mut before = None;
    for c in text.chars().flat_map(char::to_lowercase).chain([' ']) {
        let is_letter = c.is_alphanumeric() && !is_cjk(c);
        if is_letter {
            word.push(c);
        } else if !word.is_empty() {
            let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2);
            let stem = stem.unwrap_or(&word);
            if !EMPTY.contains(&word.as_str()) && stem.chars().count() > 1 {
                topics.insert(stem.to_string());
            }
            word.clear();
        }
        let here = is_cjk(c).then_some(c);
        if let (Some(first), Some(second)) = (before, here) {
            topics.insert([first, second].iter().collect());
        }
        before = here;
    }
    topics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_in_both_kinds_of_language() {
        assert_eq!(half_words("deploy the app"), 6);
        assert_eq!(half_words("调度看板的址"), 6);
        assert_eq!(half_words("回填 API"), 4);
        assert_eq!(letters("Deploy-Checklist!"), "deploychecklist");
    }

    #[test]
    fn topics_are_what_two_texts_can_share() {
        let same = |a: &str, b: &str| !topics(a).is_disjoint(&topics(b));
        assert!(same("the clients know", "a pinned client"));
        assert!(same("以结算文件为准", "对账用结算文件"));
        assert!(!same("where it is", "what it is"));
    }
}
