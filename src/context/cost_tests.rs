use super::*;

const PRICE: Price = Price {
    input: 3_000_000,
    output: 15_000_000,
    cache_write_5m: 3_750_000,
    cache_write_1h: 6_000_000,
    cache_read: 300_000,
};

#[test]
fn a_first_a_later_and_a_cold_turn() {
    let turns = turns(&PRICE, Life::FiveMinutes, 100_000, 1_000);
    assert_eq!(turns.first.to_string(), "$0.3750");
    // 99,000 read at 0.30 and 1,000 written at 3.75.
    assert_eq!(turns.later.0, 99_000 * 300_000 + 1_000 * 3_750_000);
    assert_eq!(turns.later.to_string(), "$0.0335");
    assert_eq!(turns.cold, turns.first);
    assert_eq!(
        super::turns(&PRICE, Life::Hour, 1_000_000, 0)
            .first
            .to_string(),
        "$6.00"
    );
}

#[test]
fn a_standing_part_is_written_once_and_then_read() {
    let cost = standing(&PRICE, Life::FiveMinutes, 10_000, 40);
    assert_eq!(cost.0, 10_000 * 3_750_000 + 39 * 10_000 * 300_000);
    assert_eq!(cost.to_string(), "$0.1545");
    assert_eq!(standing(&PRICE, Life::FiveMinutes, 10_000, 0), Cost(0));
    assert_eq!(answer(&PRICE, 1_000).to_string(), "$0.0150");
}

#[test]
fn small_money_is_not_called_none() {
    assert_eq!(Cost(0).to_string(), "$0");
    assert_eq!(Cost(1).to_string(), "<$0.0001");
    assert_eq!(Cost(12_345_000_000_000).to_string(), "$12.35");
}

#[test]
fn what_no_number_holds_is_the_largest_and_does_not_wrap() {
    let cost = standing(&PRICE, Life::FiveMinutes, usize::MAX, usize::MAX);
    assert_eq!(cost, Cost(u64::MAX));
    let dear = Price {
        cache_write_5m: u64::MAX,
        ..PRICE
    };
    let turns = turns(&dear, Life::FiveMinutes, usize::MAX, 2);
    assert_eq!(turns.later, Cost(u64::MAX));
}
