//! What is purged and when.

use crate::base::time::Moment;
use crate::store::change::{Age, Op};
use crate::store::tests::{Bench, NOW, one, write};

#[test]
fn old_trash_and_history_are_purged_oldest_first() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let then = Moment::from_seconds(NOW.seconds - 91 * 86_400);
    bench
        .store
        .apply(&one(Op::Trash { path }), then)
        .expect("trashed");
    assert_eq!(bench.store.trashed().len(), 1);
    let other = bench.put("b.md", "b\n");
    bench
        .store
        .apply(&one(write(&other, Some("b\n"), "c\n", Age::Set)), NOW)
        .expect("applied");
    assert!(bench.store.trashed().is_empty());
}

#[test]
fn what_was_just_trashed_is_never_too_large_to_be_kept() {
    let bench = Bench::new();
    for name in ["a.md", "b.md"] {
        let path = bench.put(name, "twelve bytes");
        bench
            .store
            .apply(&one(Op::Trash { path }), NOW)
            .expect("trashed");
    }
    let last = bench.store.trashed()[1].key.clone();
    bench.store.keep_within(&last, NOW, 1);
    let kept = bench.store.trashed();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].key, last);
}
