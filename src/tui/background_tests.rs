use super::*;

#[test]
fn an_answer_says_how_light_the_background_is() {
    for (text, found) in [
        ("11;rgb:1010/1010/1010", Background::Dark),
        ("11;rgb:ffff/fFfF/dddd", Background::Light),
        ("11;rgb:f/f/f", Background::Light),
        ("11;rgba:0000/0000/0000/ffff", Background::Dark),
        // Bright blue is dark to the eye, bright green is not.
        ("11;rgb:00/00/ff", Background::Dark),
        ("11;rgb:00/ff/00", Background::Light),
    ] {
        assert_eq!(understood(text.as_bytes()), Some(found), "{text:?}");
    }
}

#[test]
fn what_is_no_answer_says_nothing() {
    for text in [
        "",
        "11;",
        "11;#ffffff",
        "11;white",
        "11;rgb:zz/zz/zz",
        "11;rgb:0/0",
        "11;rgb:00000/0/0",
        "11;rgbi:1.0/1.0/1.0",
        "12;rgb:0/0/0",
    ] {
        assert_eq!(understood(text.as_bytes()), None, "{text:?}");
    }
    assert_eq!(understood(b"11;rgb:\xff/0/0"), None);
}
