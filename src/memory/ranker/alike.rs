//! Terms that are alike: a word with a letter too many, too few, another or two swapped, and a word that is
//! a part of a longer one, as German puts them together. Knows nothing of memories.

use std::collections::HashMap;

/// Letters of a word from which on a slip is looked for, and two slips; and of a part of a word.
const ONE_SLIP: usize = 5;
const TWO_SLIPS: usize = 9;
const PART: usize = 4;

/// What another word than the one that was asked for is worth.
const SLIPPED: f32 = 0.8;
const PARTLY: f32 = 0.55;

/// Terms that stand for one at most.
const MOST: usize = 12;

/// All terms of an index.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<Box<str>, u32>,
    /// Words without digits, sorted by their beginnings and by their ends (these turned round).
    sorted: Vec<(Box<str>, u32)>,
    turned: Vec<(Box<str>, u32)>,
    /// Words by their first letter and length.
    slips: HashMap<(u8, usize), Vec<u32>>,
}

impl Vocabulary {
    pub fn new(numbers: HashMap<String, u32>) -> Self {
        let numbers: HashMap<Box<str>, u32> = numbers
            .into_iter()
            .map(|(text, number)| (text.into_boxed_str(), number))
            .collect();
        let is_word =
            |text: &str| text.len() >= PART && text.bytes().all(|b| b.is_ascii_lowercase());
        let words = numbers.iter().filter(|(text, _)| is_word(text));
        let mut sorted: Vec<(Box<str>, u32)> = words
            .map(|(text, number)| (text.clone(), *number))
            .collect();
        sorted.sort();
        let turn = |(text, number): &(Box<str>, u32)| (turned(text).into_boxed_str(), *number);
        let mut backwards: Vec<(Box<str>, u32)> = sorted.iter().map(turn).collect();
        backwards.sort();
        let mut slips: HashMap<(u8, usize), Vec<u32>> = HashMap::new();
        for (at, (text, _)) in sorted.iter().enumerate() {
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            slips
                .entry((text.as_bytes()[0], text.len()))
                .or_default()
                .push(place);
        }
        Self {
            numbers,
            sorted,
            turned: backwards,
            slips,
        }
    }

    pub fn number(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    pub fn bytes(&self) -> usize {
        let texts: usize = self.numbers.keys().map(|text| text.len() + 40).sum();
        texts
            + self
                .sorted
                .iter()
                .map(|(text, _)| 2 * text.len() + 68)
                .sum::<usize>()
    }

    /// The terms that stand for a word, each with what it is worth: itself with 1. Of an identifier only
    /// the `whole` stands for it.
    pub fn stand_for(&self, word: &str, whole: bool) -> Vec<(u32, f32)> {
        let mut found: Vec<(u32, f32)> = Vec::new();
        let mut add = |number: u32, worth: f32| {
            if found.len() < MOST && !found.iter().any(|(known, _)| *known == number) {
                found.push((number, worth));
            }
        };
        let itself = self.number(word);
        if let Some(number) = itself {
            add(number, 1.0);
        }
        if whole || word.len() < ONE_SLIP || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return found;
        }
        if itself.is_none() {
            for (number, worth) in self.slipped(word) {
                add(number, worth);
            }
        }
        let end = turned(word);
        let longer = begins(&self.sorted, word).chain(begins(&self.turned, &end));
        for (text, number) in longer.filter(|(text, _)| text.len() > word.len()) {
            if text.len() >= word.len() + 3 {
                add(*number, PARTLY);
            }
        }
        for at in PART..word.len().saturating_sub(2) {
            if let Some(number) = self.number(&word[..at]) {
                add(number, PARTLY);
            }
            if let Some(number) = self.number(&word[word.len() - at..]) {
                add(number, PARTLY);
            }
        }
        found
    }

    fn slipped(&self, word: &str) -> Vec<(u32, f32)> {
        let most = if word.len() >= TWO_SLIPS { 2 } else { 1 };
        let first = word.as_bytes()[0];
        let mut found = Vec::new();
        for length in word.len() - most..=word.len() + most {
            for place in self.slips.get(&(first, length)).into_iter().flatten() {
                let (text, number) = &self.sorted[*place as usize];
                match slips(word.as_bytes(), text.as_bytes(), most) {
                    Some(1) => found.push((*number, SLIPPED)),
                    Some(_) => found.push((*number, SLIPPED * 0.75)),
                    None => {}
                }
            }
        }
        found
    }
}

fn turned(text: &str) -> String {
    text.chars().rev().collect()
}

/// What of a sorted list begins with a text.
fn begins<'a>(
    sorted: &'a [(Box<str>, u32)],
    text: &'a str,
) -> impl Iterator<Item = &'a (Box<str>, u32)> {
    let from = sorted.partition_point(|(one, _)| **one < *text);
    sorted[from..]
        .iter()
        .take_while(move |(one, _)| one.starts_with(text))
}

/// How many letters must be put in, left out, exchanged or swapped with the next to make one word of the
/// other; `None`: more than `most`.
fn slips(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut now: Vec<usize> = vec![0; width];
    for (row, letter) in a.iter().enumerate() {
        now[0] = row + 1;
        let mut least = now[0];
        for (column, other) in b.iter().enumerate() {
            let exchange = last[column] + usize::from(letter != other);
            let mut cost = exchange.min(last[column + 1] + 1).min(now[column] + 1);
            if row > 0 && column > 0 && *letter == b[column - 1] && a[row - 1] == *other {
                cost = cost.min(before[column - 1] + 1);
            }
            now[column + 1] = cost;
            least = least.min(cost);
        }
        if least > most {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut now);
    }
    Some(last[b.len()]).filter(|cost| *cost <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> Vocabulary {
        let list = (0..).zip(list);
        Vocabulary::new(list.map(|(at, word)| ((*word).to_string(), at)).collect())
    }

    fn stand_for(list: &[&str], word: &str) -> Vec<u32> {
        let mut found: Vec<u32> = words(list)
            .stand_for(word, false)
            .iter()
            .map(|(at, _)| *at)
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_slip_is_one_letter_or_two_in_a_long_word() {
        assert_eq!(stand_for(&["display", "dismay"], "dispaly"), [0]);
        assert_eq!(stand_for(&["threshold"], "treshold"), [0]);
        assert_eq!(stand_for(&["availability"], "availabilty"), [0]);
        // A word that is there is meant.
        assert_eq!(stand_for(&["stack", "stock"], "stock"), [1]);
        // A short word or another first letter is another word.
        assert!(stand_for(&["port", "lists"], "sort").is_empty());
        assert!(stand_for(&["lists"], "fists").is_empty());
    }

    #[test]
    fn a_word_is_found_within_one_that_is_put_together() {
        assert_eq!(stand_for(&["datensicher", "sicher"], "sicher"), [0, 1]);
        assert_eq!(stand_for(&["sicher"], "datensicher"), [0]);
        assert!(stand_for(&["dat"], "datagram").is_empty());
    }

    #[test]
    fn slips_are_counted() {
        for (a, b, cost) in [
            ("dispaly", "display", Some(1)),
            ("abc", "abc", Some(0)),
            ("abcdef", "abdcfe", Some(2)),
            ("abcdef", "fedcba", None),
        ] {
            assert_eq!(slips(a.as_bytes(), b.as_bytes(), 2), cost, "{a} {b}");
        }
    }
}
