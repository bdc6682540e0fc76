//! What is read of front matter, common and broken.

use proptest::prelude::*;

use super::*;

fn values(text: &str) -> Vec<(String, String)> {
    read(text)
        .fields
        .into_iter()
        .map(|field| (field.key.into_owned(), field.value.into_owned()))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(key, value)| ((*key).to_string(), (*value).to_string()))
        .collect()
}

#[test]
fn the_common_shape_is_read_in_both_places() {
    let text = "---\nname: db\ndescription: \"take: it\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nBody\n";
    let front = read(text);
    assert_eq!(front.get("type"), Some("project"));
    assert_eq!(front.get("description"), Some("take: it"));
    assert_eq!(front.fields[3].under.as_deref(), Some("metadata"));
    assert_eq!(&text[front.body..], "\nBody\n");
    assert!(front.faults.is_empty());
}

#[test]
fn values_are_the_text_that_was_typed() {
    let text = "---\ncountry: no\nswitch: on\nname: yes\nversion: 1.10\noctal: 010\ncreated: 2031-02-28 # day\n---\n";
    let expected = [
        ("country", "no"),
        ("switch", "on"),
        ("name", "yes"),
        ("version", "1.10"),
        ("octal", "010"),
        ("created", "2031-02-28"),
    ];
    assert_eq!(values(text), pairs(&expected));
}

#[test]
fn quotes_are_undone() {
    let text =
        "---\nname: \"build-box\"\nnote: 'it''s the old one'\nescaped: \"a\\tb \\\"c\\\"\"\n---\n";
    assert_eq!(
        values(text),
        pairs(&[
            ("name", "build-box"),
            ("note", "it's the old one"),
            ("escaped", "a\tb \"c\"")
        ])
    );
}

#[test]
fn lists_are_read_in_both_forms() {
    let text = "---\ntags: [a, b]\npaths:\n- src/a.rs\n- src/b.rs\nname: x\n---\n";
    assert_eq!(
        values(text),
        pairs(&[
            ("tags", "[a, b]"),
            ("paths", "[src/a.rs, src/b.rs]"),
            ("name", "x")
        ])
    );
}

#[test]
fn a_block_ends_only_at_a_line_of_three_dashes() {
    let text = "---\nname: fence\n---draft: yes\ndescription: d\ntype: user\n--- \nbody\n----\n";
    let front = read(text);
    assert_eq!(front.get("---draft"), Some("yes"));
    assert_eq!(front.get("type"), Some("user"));
    assert_eq!(&text[front.body..], "body\n----\n");
}

#[test]
fn a_duplicate_key_names_both_lines_and_the_one_used() {
    let front =
        read("---\nname: dupkey\ntype: user\ndescription: d\ntype: project\n---\nThe body.\n");
    assert_eq!(
        front.faults,
        [Fault::Duplicate {
            key: "type".into(),
            line: 3,
            used: 5
        }]
    );
    assert_eq!(front.get("type"), Some("project"));
    assert!(front.is_broken());
}

#[test]
fn a_parked_comment_is_no_duplicate() {
    let front = read("---\nname: p\n#type: project\ntype: user\n---\n");
    assert_eq!((front.get("type"), front.faults.len()), (Some("user"), 0));
}

#[test]
fn an_unclosed_block_is_all_body_with_its_fields_shown() {
    let text = "---\nname: unclosed\ndescription: d\n--\n\nThis paragraph: must survive.\n";
    let front = read(text);
    assert_eq!((front.block.clone(), front.body), (None, 0));
    assert_eq!(front.faults, [Fault::Unclosed]);
    assert_eq!(front.fields.len(), 2);
}

#[test]
fn a_late_block_is_named_and_not_read() {
    let front = read("<!-- exported -->\n\n---\nname: late\n---\nx\n");
    assert_eq!(
        (front.fields.len(), front.faults),
        (0, vec![Fault::Late { line: 3 }])
    );
    assert!(read("Text\n\n---\nname: late\n---\nx\n").faults.is_empty());
}

#[test]
fn an_unquoted_colon_is_text_and_a_warning() {
    let front = read("---\nname: x\ndescription: note: about colons\n---\n");
    assert_eq!(front.get("description"), Some("note: about colons"));
    assert_eq!(front.faults, [Fault::UnquotedColon { line: 3 }]);
    assert!(!front.is_broken());
}

#[test]
fn yaml_stands_behind_the_line_reader() {
    let front = read(
        "---\nname: x\ndescription: >\n  folded over\n  two lines\nquoted: \"over\n  lines\"\n---\n",
    );
    assert_eq!(front.get("description"), Some("folded over two lines"));
    assert_eq!(front.get("quoted"), Some("over lines"));
    assert!(front.faults.is_empty());
}

#[test]
fn what_yaml_refuses_is_named_with_its_line() {
    let front = read("---\nname: [x\n---\nbody\n");
    assert!(
        matches!(front.faults[..], [Fault::NotYaml { .. }]),
        "{:?}",
        front.faults
    );
    let front = read("---\nname: x\n\ttype: user\n---\n");
    assert_eq!(front.faults, [Fault::Tab { line: 3 }]);
}

#[test]
fn aliases_are_shown_not_expanded() {
    let mut text = String::from("---\nname: bomb\na: &a [x, x, x, x, x, x, x, x, x]\n");
    for (key, alias) in ["b", "c", "d", "e", "f", "g", "h", "i"]
        .iter()
        .zip(["a", "b", "c", "d", "e", "f", "g", "h"])
    {
        let row = format!(
            "{key}: &{key} [{}]\n",
            vec![format!("*{alias}"); 9].join(",")
        );
        text.push_str(&row);
    }
    text.push_str("type: user\n---\nbody\n");
    let front = read(&text);
    assert_eq!(
        (front.get("name"), front.get("type")),
        (Some("bomb"), Some("user"))
    );
    assert!(
        front
            .faults
            .iter()
            .any(|fault| matches!(fault, Fault::AliasNotExpanded { .. }))
    );
    assert!(front.get("i").is_some_and(|value| value.len() < 80));
}

#[test]
fn crlf_is_read_as_lf() {
    let text = "---\r\nname: x\r\ntype: user\r\n---\r\nbody\n";
    let front = read(text);
    assert_eq!(
        (front.get("type"), &text[front.body..]),
        (Some("user"), "body\n")
    );
}

#[test]
fn a_scan_reads_no_further_than_its_lines() {
    let text = format!(
        "---\nname: x\n{}type: user\n---\nbody\n",
        "# filler\n".repeat(40)
    );
    let front = read_lines(&text, 30);
    assert_eq!(
        (front.get("name"), front.get("type"), front.block.is_none()),
        (Some("x"), None, true)
    );
    assert!(front.faults.is_empty());
}

#[test]
fn a_block_that_yaml_would_take_for_ever_is_named_not_waited_for() {
    let deep = format!("---\nname: {}\ntype: user\n---\n", "[".repeat(100_000));
    let many: String = (0..60_000).map(|n| format!("k{n}:\n")).collect();
    let many = format!("---\n{many}name: x\nname: y\nodd\n---\n");
    for text in [deep, many] {
        let front = read(&text);
        let named = |fault: &Fault| matches!(fault, Fault::NotYaml { message, .. } if message.contains("too large"));
        assert!(front.faults.iter().any(named));
        assert!(front.get("name").is_some());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "(---\n)?[-a-z:# \t\n'\"\\[\\]{}*&|>,\\\\\u{e9}]{0,120}(\n---\n)?") {
        let front = read(&text);
        prop_assert!(front.body <= text.len() && text.is_char_boundary(front.body));
    }
}
