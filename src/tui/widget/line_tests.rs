use ratatui::style::Stylize as _;

use super::*;

fn plain(spans: &[Span<'_>]) -> String {
    spans.iter().map(|span| span.content.as_ref()).collect()
}

#[test]
fn a_row_is_as_wide_as_it_is_told() {
    for cells in [1, 5, 9, 12, 40] {
        let row = row(
            vec![Span::raw("漢字 and more"), Span::raw(" text")],
            vec![Span::raw("34d")],
            cells,
        );
        assert_eq!(width(&row.spans), cells);
    }
}

#[test]
fn cutting_ends_in_an_ellipsis() {
    let spans = vec![Span::raw("one "), "two".bold(), Span::raw(" three")];
    assert_eq!(plain(&cut(spans.clone(), 6)), "one t…");
    assert_eq!(plain(&cut(spans.clone(), 4)), "one…");
    assert_eq!(plain(&cut(spans.clone(), 13)), "one two three");
    assert_eq!(plain(&cut(spans, 0)), "");
}

#[test]
fn wrapping_keeps_styles() {
    let bold = Style::new().bold();
    let runs = vec![
        ("one ".to_string(), Style::new()),
        ("two three".to_string(), bold),
    ];
    let rows = wrap(&runs, 8);
    assert_eq!(rows.len(), 2);
    assert_eq!(plain(&rows[0]), "one two");
    assert_eq!(rows[1], vec![Span::styled("three", bold)]);
}
