//! What is purged and when.

use crate::base::time::Moment;
use crate::config::settings::Keep;
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
    let mut bench = Bench::new();
    for name in ["a.md", "b.md"] {
        let path = bench.put(name, "twelve bytes");
        bench
            .store
            .apply(&one(Op::Trash { path }), NOW)
            .expect("trashed");
    }
    let last = bench.store.trashed()[1].key.clone();
    bench.store = bench.store.keeping(Keep {
        trash_bytes: 1,
        ..Keep::default()
    });
    bench.store.keep_within_limits(&last, NOW);
    let kept = bench.store.trashed();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].key, last);
}

#[test]
fn the_settings_say_how_many_days() {
    for (days, left) in [(6, 0), (7, 1)] {
        let mut bench = Bench::new();
        bench.store = bench.store.keeping(Keep {
            trash_days: days,
            ..Keep::default()
        });
        let path = bench.put("a.md", "a\n");
        let then = Moment::from_seconds(NOW.seconds - 7 * 86_400);
        let trash = one(Op::Trash { path });
        bench.store.apply(&trash, then).expect("trashed");
        bench.store.keep_within_limits("", NOW);
        assert_eq!(bench.store.trashed().len(), left, "{days}");
    }
}
