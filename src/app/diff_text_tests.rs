use super::*;

fn rows(diff: &DiffText) -> Vec<(usize, &str)> {
    let rows = diff.rows().iter();
    rows.map(|row| (row.line, row.text.as_str())).collect()
}

fn of(lines: &[&str]) -> DiffText {
    DiffText::new(lines.iter().map(ToString::to_string).collect())
}

#[test]
fn a_long_line_goes_on_below_its_text() {
    let mut diff = of(&[
        "@@ -1,2 +1,2 @@",
        " same",
        "-one two three",
        "+一二三四五六七",
    ]);
    assert_eq!(diff.length(), 4);
    diff.fit(9, &mut List::default());
    assert_eq!(
        rows(&diff),
        [
            (0, "@@ -1,2"),
            (0, " +1,2 @@"),
            (1, " same"),
            (2, "-one two"),
            (2, " three"),
            (3, "+一二三四"),
            (3, " 五六七"),
        ]
    );
    assert_eq!(diff.length(), 7);
}

/// No cell of it is out of reach, whatever it holds.
#[test]
fn nothing_of_a_line_is_lost_or_wider_than_the_box() {
    let long = format!("+{}\u{1b}[31m{}", "x".repeat(70), "语".repeat(40));
    for cells in [3, 20, 76] {
        let mut diff = of(&[&long]);
        diff.fit(cells, &mut List::default());
        let all: String = diff.rows().iter().map(|row| &row.text[1..]).collect();
        assert_eq!(all, display::line(&long)[1..]);
        let widths = diff.rows().iter().map(|row| text::width(&row.text));
        assert!(widths.max() <= Some(cells), "{cells}");
    }
}

#[test]
fn another_width_keeps_the_line_that_is_in_view() {
    let mut diff = of(&["+one two three", "+four five six", "+seven"]);
    let mut list = List::default();
    diff.fit(80, &mut list);
    list.offset = 1;
    diff.fit(6, &mut list);
    assert_eq!(diff.rows()[list.offset].text, "+four");
    assert_eq!(list.offset, 3);
    diff.fit(80, &mut list);
    assert_eq!(list.offset, 1);
}
