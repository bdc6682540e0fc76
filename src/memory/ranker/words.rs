//! Which words say nothing, which say little, and which turn down what follows: English, German, Chinese.
//! The lists are data (`assets/words/`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::stem::fold;

/// What a word is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    None,
    Little,
    Full,
}

static WORDS: LazyLock<HashMap<String, Weight>> = LazyLock::new(|| {
    let common = include_str!("../../../assets/words/common.txt");
    let none = include_str!("../../../assets/words/none.txt");
    let of = |text: &'static str, weight| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let words = lines.flat_map(str::split_whitespace);
        words.map(move |word| (fold(word), weight))
    };
    // What says nothing stands last: it holds where a word is in both.
    of(common, Weight::Little)
        .chain(of(none, Weight::None))
        .collect()
});

/// Chinese characters that join or ask: a pair with one of them says nothing.
const JOINING: &str = "的了吗呢吧啊么是在把被和与或就都也还又很我你他她它们这那哪怎让给从一个";

/// What a Latin word is worth.
#[must_use]
pub fn weight(word: &str) -> Weight {
    let word = fold(word);
    WORDS.get(&word).copied().unwrap_or(Weight::Full)
}

/// What a pair of CJK characters is worth.
#[must_use]
pub fn weight_of_pair(pair: &str) -> Weight {
    match pair.contains(|c| JOINING.contains(c)) {
        true => Weight::None,
        false => WORDS.get(pair).copied().unwrap_or(Weight::Full),
    }
}

/// Whether a word turns down what follows.
#[must_use]
pub fn turns_down(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "dont"
            | "without"
            | "cannot"
            | "instead"
            | "avoid"
            | "forbidden"
            | "nicht"
            | "kein"
            | "keine"
            | "keinen"
            | "keinem"
            | "keiner"
            | "nie"
            | "niemals"
            | "ohne"
            | "statt"
            | "不要"
            | "不能"
            | "不许"
            | "禁止"
            | "不得"
            | "不用"
            | "不再"
            | "别用"
            | "绝不"
            | "严禁"
    )
}
