use super::*;

#[test]
fn thresholds_are_those_of_the_window() {
    let large = Thresholds::of(200_000);
    assert_eq!(
        (large.warn, large.compact, large.block),
        (147_000, 167_000, 177_000)
    );
    let small = Thresholds::of(8_192);
    // window / 100,000 of each.
    assert_eq!(
        (small.warn, small.compact, small.block),
        (
            8_192 - 1_638 - 2_703,
            8_192 - 1_638 - 1_064,
            8_192 - 1_638 - 245
        )
    );
    let none = Thresholds::of(0);
    assert_eq!((none.warn, none.compact, none.block), (0, 0, 0));
}

#[test]
fn the_heaviest_that_is_reached_is_told() {
    let of = |tokens| Thresholds::of(200_000).reached(tokens);
    assert_eq!(of(146_999), Pressure::None);
    assert_eq!(of(147_000), Pressure::Warn);
    assert_eq!(of(167_000), Pressure::Compact);
    assert_eq!(of(177_000), Pressure::Block);
    assert_eq!(of(usize::MAX), Pressure::Block);
}
