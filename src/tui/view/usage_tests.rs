use super::*;

#[test]
fn numbers_are_told_in_six_cells() {
    let told = [
        0,
        9_999,
        10_000,
        12_345,
        99_949,
        99_950,
        456_789,
        999_499,
        999_500,
        7_891_234,
        u64::MAX,
    ];
    assert_eq!(
        told.map(short),
        [
            "0", "9,999", "10.0k", "12.3k", "99.9k", "100k", "457k", "999k", "1.00M", "7.89M",
            "18.4E"
        ]
    );
}

#[test]
fn a_small_cost_is_not_told_as_nothing() {
    let told = [0.0, 0.0042, 0.1, 12.345, 999.5, 3_376.02, 23_456.7];
    assert_eq!(
        told.map(dollars),
        [
            "$0", "< $0.01", "$0.10", "$12.35", "$999.50", "$3,376", "$23,457"
        ]
    );
}

#[test]
fn dates_stand_at_both_ends_and_one_between_them() {
    // 2027-01-15 is the day 20,833.
    assert_eq!(dates(20_800, 20_833, 20), "2026-12-13─────01-15");
    let wide = dates(20_800, 20_833, 40);
    assert_eq!(wide, "2026-12-13────────12-29────────────01-15");
}

#[test]
fn the_date_of_a_chosen_day_stands_below_its_bar() {
    assert_eq!(date_below("2027-01-13", 4, 20), "────▲ 01-13─────────");
    assert_eq!(date_below("2027-01-15", 18, 20), "────────────01-15 ▲─");
    assert_eq!(date_below("2027-01-15", 19, 20), "─────────────01-15 ▲");
}
