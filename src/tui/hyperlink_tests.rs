use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::hyperlink::{addresses, placed};

#[test]
fn an_address_ends_where_the_sentence_goes_on() {
    let text = "See https://a.example/x. (http://b.example/y_(z)) <https://c.example> \
                [t](https://d.example/?q=1#f), \"https://e.example\" https://f.example/数 http:// \
                xhttps://a.example/x ftp://g.example";
    assert_eq!(
        addresses(text),
        [
            "https://a.example/x",
            "http://b.example/y_(z)",
            "https://c.example",
            "https://d.example/?q=1#f",
            "https://e.example",
            "https://f.example/",
        ]
    );
    assert!(
        addresses("https://a.example/\u{1b}]8;;evil")
            .iter()
            .all(|it| it.is_ascii())
    );
}

#[test]
fn only_what_stands_whole_in_the_area_is_a_link() {
    let known = addresses("https://a.example/long-one https://a.example/long");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 3));
    buffer.set_string(2, 0, "t (https://a.example/long-one).", Style::new());
    // Cut by the edge: another address than the text has.
    buffer.set_string(2, 1, "数 https://a.example/lon", Style::new());
    buffer.set_string(2, 2, "https://a.example/long", Style::new());
    let found = placed(&buffer, Rect::new(0, 0, 40, 2), &known);
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.x, it.y, it.url.as_str()))
        .collect();
    assert_eq!(found, [(5, 0, "https://a.example/long-one")]);
    assert_eq!(placed(&buffer, Rect::new(0, 0, 90, 90), &known).len(), 2);
}
