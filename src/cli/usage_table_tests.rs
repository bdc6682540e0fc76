use super::*;
use crate::transcript::message::Usage;

fn sum(tokens: u64) -> Sum {
    let usage = Usage {
        input: tokens,
        output: 2 * tokens,
        cache_read: 300 * tokens,
        cache_creation: 4 * tokens,
        cache_creation_1h: 0,
    };
    let mut sum = Sum::default();
    sum.add(&usage, 7, None);
    sum
}

fn set(cells: Option<usize>) -> (usize, Vec<&'static str>, bool, usize) {
    let sums = [sum(1), sum(1_234_567)];
    let set = Set::of(26, &[&sums[0], &sums[1]], cells);
    let heads = set
        .columns
        .iter()
        .map(|(column, _)| column.head())
        .collect();
    (set.name, heads, set.is_short, set.cells())
}

#[test]
fn a_table_is_as_wide_as_a_terminal_at_most_and_a_pipe_gets_all() {
    let all: Vec<&str> = ALL.iter().map(|column| column.head()).collect();
    let (name, heads, is_short, cells) = set(None);
    assert_eq!((name, &heads, is_short), (26, &all, false));
    assert_eq!(set(Some(cells)), (26, all.clone(), false, cells));
    // Numbers get short, then names.
    assert_eq!(set(Some(cells - 1)), (26, all.clone(), true, 85));
    assert_eq!(set(Some(80)), (21, all.clone(), true, 80));
    // Then columns go, the cost and the output last.
    let (name, heads, is_short, cells) = set(Some(60));
    assert_eq!((name, cells, is_short), (18, 60, true));
    assert_eq!(heads, ["input", "output", "cache read", "answers", "cost"]);
    assert_eq!(set(Some(30)).1, ["output", "cost"]);
    assert_eq!(set(Some(1)).1, ["cost"]);
}
