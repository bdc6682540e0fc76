//! Drafts on the disk.

use crate::store::draft::Draft;
use crate::store::sha256;
use crate::store::tests::{Bench, NOW};

#[test]
fn a_draft_is_kept_replaced_and_let_go() {
    let bench = Bench::new();
    let path = bench.path("a.md");
    let draft = |text: &str| Draft {
        v: 1,
        path: path.clone(),
        base: sha256(b"a"),
        text: text.into(),
        cursor: (3, 4),
        time: NOW.rfc3339(),
    };
    bench.store.keep_draft(&draft("one")).expect("kept");
    bench.store.keep_draft(&draft("two")).expect("kept");
    assert_eq!(bench.store.draft(&path), Some(draft("two")));
    bench.store.discard_draft(&path).expect("gone");
    assert_eq!(bench.store.draft(&path), None);
}
