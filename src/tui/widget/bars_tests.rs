use super::*;

#[test]
fn the_largest_fills_all_lines_and_a_gap_stays_a_gap() {
    let all = [
        Bar::Of(16.0),
        Bar::Gap,
        Bar::Of(8.0),
        Bar::Of(0.1),
        Bar::Of(0.0),
        Bar::Unknown,
        Bar::Of(5.0),
    ];
    assert_eq!(bars(&all, 1, 2), ["█      ", "█ █▁ ?▅"]);
    assert_eq!(bars(&all[..3], 3, 1), ["██    ▄▄ "]);
    assert_eq!(bars(&all[..3], 2, 1), ["█   ▄ "]);
}

#[test]
fn without_anything_known_no_bar_stands() {
    assert_eq!(
        bars(&[Bar::Unknown, Bar::Gap, Bar::Of(0.0)], 1, 2),
        ["   ", "?  "]
    );
    assert!(largest(&[Bar::Unknown, Bar::Gap]).abs() < f64::EPSILON);
    assert_eq!(bars(&[], 1, 1), [""]);
}
