//! What is told of a turn's cost, with and without a cut.

use std::path::PathBuf;

use super::turn;
use crate::store::change::{Age, Author, ChangeSet, Op};

fn indexed(before: &str, after: &str) -> ChangeSet {
    let write = Op::Write {
        path: PathBuf::from("/m/MEMORY.md"),
        before: Some(before.as_bytes().to_vec()),
        after: after.as_bytes().to_vec(),
        age: Age::Keep,
    };
    ChangeSet::new("a change", Author::You).with(write, "its line")
}

#[test]
fn a_line_that_is_sent_is_saved() {
    let set = indexed("- [A](a.md) - twelve\n- [B](b.md)\n", "- [B](b.md)\n");
    assert_eq!(
        turn(&set, "twelve chars", true, false),
        "tokens a turn: ≈ 11 → ≈ 4 of the index, ≈ 4 more of rules"
    );
    assert_eq!(
        turn(&set, "twelve chars", false, true),
        "tokens a turn: ≈ 11 → ≈ 4 of the index, ≈ 4 less of rules once it is loaded"
    );
}

#[test]
fn a_line_below_the_cut_saves_nothing() {
    let line = |at: usize| format!("- [Memory {at:03}](m{at:03}.md) - a hook\n");
    let all: String = (1..=230).map(line).collect();
    let without =
        |gone: usize| -> String { (1..=230).filter(|at| *at != gone).map(line).collect() };
    // The warning names the number of lines, which is as long as before.
    let said = turn(&indexed(&all, &without(221)), "twelve chars", true, false);
    assert!(
        said.contains("(a line below the cut is not sent)"),
        "{said}"
    );
    // One from above makes room for line 201.
    let said = turn(&indexed(&all, &without(10)), "twelve chars", true, false);
    assert!(
        said.contains("(a line below the cut is not sent)"),
        "{said}"
    );
}
