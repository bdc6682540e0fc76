//! Which memory has taken the place of another: the newer one says so, and is of the same matter.

use super::Document;
use super::index::Index;

/// What one says that takes the place of another; folded to lower case.
const CUES: [&str; 30] = [
    "replace",
    "supersed",
    "instead of",
    "no longer",
    "not anymore",
    "anymore",
    "changed to",
    "moved to",
    "migrated",
    "switched to",
    "since ",
    "discontinued",
    "deprecated",
    "obsolete",
    "outdated",
    "retired",
    "ersetz",
    "abgelöst",
    "statt ",
    "nicht mehr",
    "seit ",
    "umgestellt",
    "veraltet",
    "取代",
    "替代",
    "替换",
    "不再",
    "迁到",
    "改用",
    "废弃",
];

/// Whether a memory says in its name or description that something has taken the place of another.
pub(super) fn is_said(document: &Document<'_>) -> bool {
    let name = document.name.unwrap_or_default().replace(['-', '_'], " ");
    let description = document.description.unwrap_or_default();
    let text = format!("{name} {description} ").to_lowercase();
    CUES.iter().any(|cue| text.contains(cue))
}

/// How much of one memory's matter is that of the other, from 0 to 1: the terms that they share, the rare
/// ones more, by the terms of the smaller.
pub(super) fn likeness(index: &Index, a: usize, b: usize) -> f32 {
    let (a, b) = (&index.known[a].terms, &index.known[b].terms);
    let weight = |number: &u32| index.rarity(*number).powi(2);
    let sum = |terms: &[u32]| terms.iter().map(weight).sum::<f32>();
    let (mut left, mut right, mut shared) = (0, 0, 0.0);
    while left < a.len() && right < b.len() {
        match a[left].cmp(&b[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared += weight(&a[left]);
                left += 1;
                right += 1;
            }
        }
    }
    shared / sum(a).min(sum(b)).max(f32::MIN_POSITIVE)
}

/// How alike two memories must be for the newer one to have taken the place of the older: where it says
/// that something has changed, and where it turns down more than one word of the older one's head (for
/// each of them).
const CHANGED: f32 = 0.2;
const TURNED_DOWN: f32 = 0.1;

/// How rare a word must be to say what a memory is about.
const TELLING: f32 = 0.4;

/// Whether the newer memory has taken the place of the older.
pub(super) fn is_replaced(index: &Index, older: usize, newer: usize) -> bool {
    let (old, new) = (&index.known[older], &index.known[newer]);
    if new.saved <= old.saved {
        return false;
    }
    let is_turned = |number: &&u32| {
        index.rarity(**number) > TELLING
            && old.head.binary_search(number).is_ok()
            && old.negated.binary_search(number).is_err()
    };
    let turned = new.negated.iter().filter(is_turned).count();
    if !new.replaces && turned == 0 {
        return false;
    }
    let likeness = likeness(index, older, newer);
    (new.replaces && likeness > CHANGED) || (turned > 1 && likeness * turned as f32 > TURNED_DOWN)
}
