//! What becomes of bytes that another program writes between two swaps.

use std::fs;
use std::path::{Path, PathBuf};

use crate::base::fault::Faults;
use crate::store::change::Age;
use crate::store::tests::{Bench, NOW, one, text, write};
use crate::store::{Store, StoreError};

use super::Seen;

const OURS: &[u8] = b"a\nours\n";

/// What came out of a swap, and what stands in its place.
fn swapped(bench: &Bench, out: &str, there: &str) -> (PathBuf, PathBuf) {
    (bench.put(".out.tmp", out), bench.put("log.jsonl", there))
}

fn give_back(store: &Store, out: &Path, path: &Path) -> Result<Seen, StoreError> {
    store.give_back(out, path, OURS)
}

#[test]
fn what_was_written_before_the_swap_goes_back() {
    let bench = Bench::quick();
    let (out, path) = swapped(&bench, "a\nb\n1\n", "a\nours\n");
    give_back(&bench.store, &out, &path).expect("given back");
    assert_eq!(text(&path), "a\nb\n1\n");
    assert_eq!(text(&out).as_bytes(), OURS, "what is left is ours");
}

#[test]
fn what_was_appended_before_and_after_the_swap_is_all_there() {
    let bench = Bench::quick();
    let (out, path) = swapped(&bench, "a\nb\n1\n", "a\nours\n2\n3\n");
    give_back(&bench.store, &out, &path).expect("given back");
    assert_eq!(text(&path), "a\nb\n1\n2\n3\n");
    // A death before the file of ours was removed: the recovery does it again.
    give_back(&bench.store, &out, &path).expect("given back");
    assert_eq!(text(&path), "a\nb\n1\n2\n3\n");
}

#[test]
fn of_two_that_were_written_as_a_whole_the_newer_stands_and_the_other_is_kept() {
    let bench = Bench::quick();
    let (out, path) = swapped(&bench, "{\"theirs\": 1}", "{\"theirs\": 2}");
    let error = give_back(&bench.store, &out, &path).expect_err("twice");
    let StoreError::Twice { kept, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(text(&path), "{\"theirs\": 2}");
    assert_eq!(text(kept), "{\"theirs\": 1}");
    assert!(!error.is_conflict(), "it is not tried again: {error}");
    assert!(error.to_string().contains("is kept in"), "{error}");
    // One more has a place of its own.
    let (out, path) = swapped(&bench, "{\"theirs\": 3}", "{\"theirs\": 4}");
    give_back(&bench.store, &out, &path).expect_err("twice");
    assert_eq!(text(kept), "{\"theirs\": 1}");
}

#[test]
fn an_empty_file_of_ours_is_no_beginning_of_theirs() {
    let bench = Bench::quick();
    let (out, path) = swapped(&bench, "a\nb\n", "");
    bench.store.give_back(&out, &path, b"").expect("given back");
    assert_eq!((text(&path).as_str(), text(&out).as_str()), ("a\nb\n", ""));
    let (out, path) = swapped(&bench, "a\nb\n", "c\n");
    bench.store.give_back(&out, &path, b"").expect_err("twice");
    assert_eq!(text(&path), "c\n");
}

#[test]
fn a_link_that_came_out_goes_back_as_a_link() {
    let bench = Bench::quick();
    let path = bench.put("log.jsonl", OURS);
    let out = bench.path(".out.tmp");
    std::os::unix::fs::symlink("elsewhere", &out).expect("a link");
    give_back(&bench.store, &out, &path).expect("given back");
    let led = fs::read_link(&path).expect("a link");
    assert_eq!(led, Path::new("elsewhere"));
}

#[test]
fn what_is_appended_after_the_look_follows_before_the_old_file_goes() {
    let bench = Bench::quick();
    // Ours stands, the old one is out.
    let (out, path) = swapped(&bench, "a\nb\n", "a\nours\n");
    let seen = Seen::of(&out);
    bench
        .store
        .look_again(&out, &path, &seen)
        .expect("the same");
    assert_eq!(text(&path), "a\nours\n");
    fs::write(&out, "a\nb\n1\n").expect("appended");
    bench.store.look_again(&out, &path, &seen).expect("carried");
    assert_eq!(text(&path), "a\nours\n1\n");
    // Theirs stands, ours is out, with a line that went where it belongs already.
    let (out, path) = swapped(&bench, "a\nours\n2\n", "a\nb\n1\n");
    let seen = give_back(&bench.store, &out, &path).expect("given back");
    assert_eq!(text(&path), "a\nb\n1\n2\n");
    fs::write(&out, "a\nours\n2\n3\n").expect("appended");
    bench.store.look_again(&out, &path, &seen).expect("carried");
    assert_eq!(text(&path), "a\nb\n1\n2\n3\n");
}

#[test]
fn an_old_file_that_is_written_anew_after_the_look_is_kept() {
    let bench = Bench::quick();
    let (out, path) = swapped(&bench, "a\nb\n", "a\nours\n");
    let seen = Seen::of(&out);
    fs::write(&out, "theirs, all of it").expect("written");
    let error = bench.store.look_again(&out, &path, &seen);
    let Err(StoreError::Twice { kept, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(text(&kept), "theirs, all of it");
    assert_eq!(text(&path), "a\nours\n");
}

#[test]
fn a_death_between_the_swaps_loses_nothing_that_was_appended_round_them() {
    let mut swapped = 0;
    for point in 1.. {
        let bench = Bench::quick();
        let path = bench.put("log.jsonl", "a\nb\n");
        let set = one(write(&path, Some("a\nb\n"), "a\nB\n", Age::Keep));
        let dying = bench.again(Faults::none().unwinding_at(point));
        let dies = std::panic::AssertUnwindSafe(|| dying.apply(&set, NOW));
        let died = std::panic::catch_unwind(dies).is_err();
        let mut left = fs::read_dir(bench.path("")).expect("a listing");
        let out = left.find_map(|entry| {
            let out = entry.expect("an entry").path();
            (out != path).then_some(out)
        });
        match out {
            // As if another had appended before the swap and after it.
            Some(out) if text(&path) == "a\nB\n" => {
                swapped += 1;
                fs::write(&out, "a\nb\n1\n").expect("appended");
                fs::write(&path, "a\nB\n2\n").expect("appended");
                bench.store.recover().expect("recovered");
                assert_eq!(text(&path), "a\nb\n1\n2\n", "point {point}");
            }
            Some(_) | None => {
                bench.store.recover().expect("recovered");
                let now = text(&path);
                assert!(now == "a\nb\n" || now == "a\nB\n", "point {point}: {now}");
            }
        }
        assert_eq!(bench.picture().len(), 1, "point {point}: nothing is left");
        if !died {
            break;
        }
    }
    assert!(swapped > 0, "no death was between the swaps");
}
