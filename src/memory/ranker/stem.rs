//! Words brought to their stems: light, for English and German alike, by endings, and by a list of
//! words that are one (`assets/words/same.txt`). What two words of
//! one stem share is enough; a stem need not be a word. Knows nothing of memories.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Letters that are left at least where an ending is cut off.
const LEAST: usize = 4;

static SAME: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let text = include_str!("../../../assets/words/same.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.flat_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next().map(fold).unwrap_or_default();
        words.map(move |word| (fold(word), first.clone()))
    });
    pairs.collect()
});

/// The stem of a folded word ([`fold`]). Words with digits, and short ones, stay as they are.
#[must_use]
pub fn stem(word: &str) -> String {
    let word = SAME.get(word).map_or(word, String::as_str);
    let mut stem = word.to_string();
    if word.len() < LEAST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return stem;
    }
    plural(&mut stem);
    inflection(&mut stem);
    suffix(&mut stem);
    if stem.len() > LEAST && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 2 * LEAST - 1 && stem.ends_with('t') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    single(&mut stem);
    stem
}

fn plural(word: &mut String) {
    if word.ends_with("sses") {
        word.truncate(word.len() - 2);
    } else if word.ends_with("ies") && word.len() > LEAST + 1 {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.pop();
    }
}

/// The endings of verbs and cases.
fn inflection(word: &mut String) {
    let cut_if = |word: &mut String, end: &str, least: usize| {
        let left = word.len().saturating_sub(end.len());
        let is_cut = word.ends_with(end) && left >= least && has_vowel(&word[..left]);
        if is_cut {
            word.truncate(left);
        }
        is_cut
    };
    if cut_if(word, "ungen", LEAST) || cut_if(word, "ung", LEAST) {
        return;
    }
    if cut_if(word, "ing", 3) || cut_if(word, "ed", 3) {
        single(word);
        return;
    }
    if word.ends_with("eln") {
        word.pop();
        return;
    }
    let endings = [("ern", 4), ("en", 4), ("er", 5), ("em", 5)];
    let _ = endings
        .into_iter()
        .any(|(end, least)| cut_if(word, end, least));
}

/// The endings that make nouns and adjectives.
fn suffix(word: &mut String) {
    let endings = [
        ("ation", 5, ""),
        ("ation", 3, "at"),
        ("ator", 5, ""),
        ("ate", 5, ""),
        ("at", 5, ""),
        ("ition", 4, "it"),
        ("sion", 3, "s"),
        ("tion", 3, "t"),
        ("keit", 4, ""),
        ("heit", 4, ""),
        ("lich", 4, ""),
        ("isch", 4, ""),
        ("ment", 5, ""),
        ("ness", 4, ""),
        ("able", 4, ""),
        ("ly", 4, ""),
    ];
    let found = endings.into_iter().find(|(end, least, _)| {
        let left = word.len().saturating_sub(end.len());
        word.ends_with(end) && left >= *least
    });
    if let Some((end, _, instead)) = found {
        word.truncate(word.len() - end.len());
        word.push_str(instead);
    }
}

/// A doubled letter at the end becomes one.
fn single(word: &mut String) {
    let mut last = word.bytes().rev();
    if word.len() > 3 && last.next() == last.next() {
        word.pop();
    }
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// The letter that stands for one with marks, where there is one; `ß` is two.
#[must_use]
pub fn fold(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    if word.is_ascii() {
        return spelled(word.to_ascii_lowercase());
    }
    let is_mark = |c: &char| unicode_normalization::char::is_combining_mark(*c);
    let lower = word.nfkd().filter(|c| !is_mark(c));
    let lower: String = lower.flat_map(char::to_lowercase).collect();
    spelled(lower.replace('ß', "ss").replace('ø', "o"))
}

/// Umlauts that were spelled out, as names of files are, become as those that were not.
fn spelled(word: String) -> String {
    if !["ae", "oe", "ue"].iter().any(|two| word.contains(two)) {
        return word;
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        let before = out.chars().next_back();
        let before_that = out.chars().rev().nth(1);
        let is_second = c == 'e'
            && match before {
                Some('a' | 'o') => true,
                Some('u') => !matches!(before_that, Some('q' | 'a' | 'e') | None),
                _ => false,
            };
        if !is_second {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_one_by_their_sense_have_one_stem() {
        for words in [
            &[
                "confirm",
                "confirmed",
                "confirming",
                "confirmation",
                "confirms",
            ][..],
            &[
                "migrate",
                "migration",
                "migrations",
                "migrating",
                "migrated",
            ],
            &["validate", "validation", "validated"],
            &["policy", "policies"],
            &["running", "runs", "run"],
            &["delete", "deletion", "deletes", "deleted"],
            &["geheimnis", "geheimnisse", "geheimnissen"],
            &["datei", "dateien"],
            &["sicherung", "sicherungen"],
            &["aenderung", "änderungen", "Änderung"],
            &["stoepsel", "Stöpsel", "stöpseln"],
            &["Aufbewahrung", "aufbewahrt", "aufbewahren"],
            &["compiler", "compile", "compiles"],
        ] {
            let stems: Vec<String> = words.iter().map(|word| stem(&fold(word))).collect();
            assert!(
                stems.iter().all(|one| *one == stems[0]),
                "{words:?}: {stems:?}"
            );
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (a, b) in [
            ("policy", "police"),
            ("status", "state"),
            ("cluster", "clust3r"),
            ("queue", "query"),
            ("st7567", "st7568"),
        ] {
            assert_ne!(stem(&fold(a)), stem(&fold(b)), "{a} {b}");
        }
        assert_eq!(stem("e23"), "e23");
        assert_eq!(stem("is"), "is");
    }
}
