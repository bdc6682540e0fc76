use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn whole(text: &[u8]) -> Result<(), NoJson> {
    let mut json = Json::new(text);
    json.skip()?;
    match json.is_done() {
        true => Ok(()),
        false => Err(NoJson { at: json.at() }),
    }
}

#[test]
fn what_is_json_is_taken_and_what_is_none_is_refused() {
    for good in [
        "{}",
        "[]",
        "[[],{}]",
        " {\"a\" : [1 , -2.5e3, true,null]} \r",
        "\"\\ud83e\"",
        "0",
        "{\"a\":{\"b\":[{\"c\":\"\\\"}\"}]}}",
    ] {
        assert_eq!(whole(good.as_bytes()), Ok(()), "{good}");
    }
    for bad in [
        "",
        "{",
        "{not json",
        "{\"a\"}",
        "{\"a\":}",
        "[1,]",
        "{\"a\":1,}",
        "[1 2]",
        "tru",
        "01",
        "1.",
        "-",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"a\nb\"",
        "\"\0\"",
        "{}{}",
        "[}",
        "{\"a\":1]",
    ] {
        assert!(whole(bad.as_bytes()).is_err(), "{bad}");
    }
    assert_eq!(
        whole(b"\"\xff\xfe\""),
        Ok(()),
        "bad bytes in a text stop nothing"
    );
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    assert_eq!(whole(deep.as_bytes()), Ok(()), "however deep");
}

#[test]
fn texts_are_read_with_their_escapes() {
    let read = |raw: &[u8]| unescaped(raw).into_owned();
    assert_eq!(
        read(b"a\\n\\t\\\"\\\\\\/\\b\\f\\r"),
        "a\n\t\"\\/\u{8}\u{c}\r"
    );
    assert_eq!(read(b"\\u00e9\\ud83e\\udd80"), "é🦀");
    assert_eq!(
        read(b"cut \\ud83e\xe2\x80\xa6"),
        "cut \u{FFFD}…",
        "half of a pair"
    );
    assert_eq!(read(b"\\ud83ex"), "\u{FFFD}x");
    assert_eq!(read(b"\\udd80\\ud83e\\u0041"), "\u{FFFD}\u{FFFD}A");
    assert_eq!(read(b"bad \xff byte"), "bad \u{FFFD} byte");
    assert_eq!(read(b"\\"), "\u{FFFD}", "a text that was cut off");
}

#[test]
fn members_are_read_and_the_rest_is_skipped() {
    let line = br#"{"a":"x","n":12,"o":{"a":"inner"},"f":true,"l":["p",3,"q"],"w":7}"#;
    let (mut text, mut number, mut list, mut wrong) = (None, None, Vec::new(), None);
    let mut flag = false;
    let mut json = Json::new(line);
    let is_object = json.object(|json, key| {
        match key.raw {
            b"a" => text = json.text()?,
            b"n" => number = json.number()?,
            b"f" => flag = json.flag()?,
            b"w" => wrong = json.text()?,
            b"l" => {
                json.array(|json| {
                    list.extend(json.text()?);
                    Ok(())
                })?;
            }
            _ => {
                json.skip()?;
            }
        }
        Ok(())
    });
    assert_eq!(is_object, Ok(true));
    assert!(json.is_done());
    let text = text.expect("a text");
    assert_eq!((text.read().as_ref(), text.at), ("x", 6));
    assert_eq!((number, flag, wrong), (Some(12), true, None));
    assert_eq!(
        list.iter().map(|text| text.read()).collect::<Vec<_>>(),
        ["p", "q"]
    );
    assert_eq!(Json::new(b"[1]").object(|_, _| Ok(())), Ok(false));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(".*", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn it_takes_what_another_parser_takes(value in any_json(), cut in any::<prop::sample::Index>()) {
        let text = value.to_string();
        prop_assert_eq!(whole(text.as_bytes()), Ok(()));
        let part = &text.as_bytes()[..cut.index(text.len() + 1)];
        prop_assert_eq!(whole(part).is_ok(), serde_json::from_slice::<Value>(part).is_ok());
    }

    #[test]
    fn it_reads_a_text_as_another_parser_does(text in ".*") {
        let quoted = Value::from(text.clone()).to_string();
        prop_assert_eq!(unescaped(&quoted.as_bytes()[1..quoted.len() - 1]).into_owned(), text);
    }
}
