use super::*;
use crate::transcript::message::Usage;

fn sum(input: u64) -> Sum {
    let mut sum = Sum::default();
    sum.usage = Usage {
        input,
        output: 1_234,
        cache_read: 5_678_901,
        cache_creation: 234_567,
        ..Usage::default()
    };
    sum.messages = 12;
    sum
}

#[test]
fn a_table_is_as_wide_as_it_has_to_be_and_has_fewer_columns_where_there_is_no_room() {
    let sums = BTreeMap::from([("2031-03-04".to_string(), sum(7))]);
    let lines = table("day (UTC)", &sums, &sum(7), None);
    assert_eq!(
        lines[0],
        "day (UTC)   input  output  cache read  written  answers    hits   cost"
    );
    assert_eq!(
        lines[1],
        "2031-03-04      7   1,234   5,678,901  234,567       12  96.0 %  $0.00"
    );
    let cells = text::width(&lines[0]);
    assert_eq!(table("day (UTC)", &sums, &sum(7), Some(cells)), lines);
    let few = table("day (UTC)", &sums, &sum(7), Some(cells - 1));
    assert_eq!(few[0], "day (UTC)      tokens  answers    hits   cost");
    assert_eq!(few[1], "2031-03-04  5,914,709       12  96.0 %  $0.00");
    assert_eq!(few[2], "all         5,914,709       12  96.0 %  $0.00");
}

#[test]
fn a_long_name_is_cut_in_its_middle_and_a_wide_one_takes_its_cells() {
    let name = "vendor/".repeat(12);
    let sums = BTreeMap::from([(name, sum(7)), ("家族".to_string(), sum(7))]);
    let lines = table("model", &sums, &sum(14), None);
    let widths: Vec<usize> = lines.iter().map(|line| text::width(line)).collect();
    assert_eq!(widths, vec![widths[0]; 4], "{lines:?}");
    assert!(
        lines[1].starts_with("vendor/vendor") && lines[1].contains('…'),
        "{}",
        lines[1]
    );
}

#[test]
fn dollars_have_two_decimals_and_separators() {
    assert_eq!(
        [0.0, 3_376.024, 1_234_567.8].map(dollars),
        ["$0.00", "$3,376.02", "$1,234,567.80"]
    );
}
