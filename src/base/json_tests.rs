use proptest::prelude::*;
use serde_json::json;

use super::*;

fn set(text: &str, on: bool) -> String {
    set_member(text, "on", &json!(on)).expect("it can be set")
}

#[test]
fn a_member_that_is_there_changes_its_value_alone() {
    for (text, expected) in [
        ("{\"on\":true}", "{\"on\":false}"),
        (
            "{ \"a\" : [1, {\"on\": true}],\t\"on\" : true , \"b\":2}\n",
            "{ \"a\" : [1, {\"on\": true}],\t\"on\" : false , \"b\":2}\n",
        ),
        (
            "\u{FEFF}{\r\n\t\"on\": \"x\\\"}\",\r\n\t\"b\": 1\r\n}",
            "\u{FEFF}{\r\n\t\"on\": false,\r\n\t\"b\": 1\r\n}",
        ),
        (
            "{\"on\": {\"a\": [true]}, \"b\": 1.5e3}",
            "{\"on\": false, \"b\": 1.5e3}",
        ),
        ("{\"on\": 1, \"on\": true}", "{\"on\": 1, \"on\": false}"),
        ("{\"\\u006fn\": null}", "{\"\\u006fn\": false}"),
    ] {
        assert_eq!(set(text, false), expected);
    }
}

#[test]
fn a_new_member_stands_last_and_looks_like_the_one_before() {
    for (text, expected) in [
        (
            "{\n    \"z\": 1,\n    \"a\": {\n        \"on\": 2\n    }\n}\n",
            "{\n    \"z\": 1,\n    \"a\": {\n        \"on\": 2\n    },\n    \"on\": true\n}\n",
        ),
        (
            "{\r\n\t\"a\" : 1\r\n}",
            "{\r\n\t\"a\" : 1,\r\n\t\"on\" : true\r\n}",
        ),
        ("{\"a\":1}", "{\"a\":1,\"on\":true}"),
        ("{\"a\":1, \"b\":2}", "{\"a\":1, \"b\":2, \"on\":true}"),
        ("{}", "{\n  \"on\": true\n}"),
        (" {\n}\n", " {\n  \"on\": true\n}\n"),
        ("", "{\n  \"on\": true\n}\n"),
        ("\n", "{\n  \"on\": true\n}\n"),
    ] {
        assert_eq!(set(text, true), expected, "{text:?}");
    }
}

#[test]
fn what_is_no_object_is_refused() {
    for (text, word) in [
        ("{\"a\": 1,}", "no JSON"),
        ("{\"a\": 1 // why\n}", "no JSON"),
        ("{\"a\": 1", "no JSON"),
        ("[1]", "no JSON object"),
        ("true", "no JSON object"),
    ] {
        let error = set_member(text, "on", &json!(true)).expect_err(text);
        assert!(error.to_string().contains(word), "{text}: {error}");
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z\"\\\\{},: \n]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"{ ]{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Set and set back is the text that was.
    #[test]
    fn set_twice_is_where_it_began(map in prop::collection::btree_map("[a-z\"\\\\]{0,4}", value(), 0..5), pretty: bool) {
        let mut whole: Map<String, Value> = map.into_iter().collect();
        whole.insert("on".to_string(), json!(true));
        let text = if pretty { serde_json::to_string_pretty(&whole) } else { serde_json::to_string(&whole) };
        let text = text.expect("it is JSON");
        let off = set(&text, false);
        prop_assert_ne!(&off, &text);
        prop_assert_eq!(set(&off, true), text);
    }
}
