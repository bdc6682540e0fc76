use super::*;

fn rows() -> Vec<Vec<String>> {
    [["name", "a long description of it"], ["漢字", "x"]]
        .iter()
        .map(|row| row.iter().map(ToString::to_string).collect())
        .collect()
}

#[test]
fn columns_line_up_by_cells() {
    assert_eq!(
        lay_out(&rows(), 60),
        ["name │ a long description of it", "漢字 │ x"]
    );
}

#[test]
fn the_widest_column_gives_way() {
    let laid = lay_out(&rows(), 17);
    assert_eq!(laid[0], "name │ a long de…");
    assert!(laid.iter().all(|line| text::width(line) <= 17));
    assert!(!lay_out(&rows(), 1).is_empty());
}
