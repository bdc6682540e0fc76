//! Where a secret may be: one pass over the text for the anchors of all rules. What a rule makes of its
//! anchor is the rule's.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::shapes::SHAPES;
use super::{Kind, header, jwt, keyed, private_key, shape, url};

/// What a rule found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub range: Range<usize>,
    /// The byte that a reader is sent to.
    pub opens: usize,
}

impl Found {
    pub fn new(kind: Kind, range: Range<usize>) -> Self {
        let opens = range.start;
        Self { kind, range, opens }
    }
}

type Rule = fn(&str, Range<usize>) -> Option<Found>;

/// The anchors that are no beginning of a token, each with its rule.
const OTHERS: &[(&str, Rule)] = &[
    (private_key::BEGIN, private_key::at),
    ("eyj", jwt::at),
    ("://", url::at),
    ("bearer ", header::bearer),
    ("basic ", header::basic),
    ("password", keyed::at),
    ("passwd", keyed::at),
    ("passphrase", keyed::at),
    ("pwd", keyed::at),
    ("passwort", keyed::at),
    ("kennwort", keyed::at),
    ("密码", keyed::at),
    ("secret", keyed::at),
    ("token", keyed::at),
    ("credential", keyed::at),
    ("key", keyed::at),
];

static ANCHORS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let shapes = SHAPES.iter().map(|shape| shape.prefix);
    let others = OTHERS.iter().map(|(anchor, _)| *anchor);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(shapes.chain(others))
        .expect("a few hundred short anchors make an automaton")
});

/// All that the rules find, in the order of their anchors; they may overlap.
pub fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for hit in ANCHORS.find_overlapping_iter(text) {
        let number = hit.pattern().as_usize();
        let range = hit.range();
        let one = match SHAPES.get(number) {
            Some(shape) => shape::at(shape, text, range),
            None => OTHERS[number - SHAPES.len()].1(text, range),
        };
        found.extend(one);
    }
    found
}
