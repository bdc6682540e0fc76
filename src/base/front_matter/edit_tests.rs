use proptest::prelude::*;

use super::*;

/// Lines that differ between two texts of as many lines, from 1.
fn changed_lines(before: &str, after: &str) -> Vec<usize> {
    let (old, new): (Vec<_>, Vec<_>) = (before.split('\n').collect(), after.split('\n').collect());
    assert_eq!(old.len(), new.len());
    (0..old.len())
        .filter(|&at| old[at] != new[at])
        .map(|at| at + 1)
        .collect()
}

macro_rules! case {
    ($path:literal) => {
        include_str!(concat!("../../../tests/fixtures/", $path))
    };
}

#[test]
fn quotes_that_were_not_edited_stay() {
    let before = case!("FM04/quotes.md");
    let after = set(before, "description", "plainer words").expect("edited");
    assert_eq!(changed_lines(before, &after), [4]);
    assert!(
        after.contains("name: \"build-box\"\n") && after.contains("note: 'it''s the old one'\n")
    );
    let after = set(before, "note", "it's new").expect("edited");
    assert!(after.contains("note: 'it''s new'\n"));
}

#[test]
fn plain_dates_stay_plain() {
    let before = case!("FM05/dates.md");
    let after = set(before, "name", "dates-two").expect("edited");
    assert_eq!(changed_lines(before, &after), [2]);
    assert!(after.contains("created: 2031-02-28\nlast_read: 2031-03-01\n"));
}

#[test]
fn a_new_key_goes_last_and_the_order_stays() {
    let before = case!("FM07/order.md");
    let after = set(before, "last_read", "2031-03-04").expect("edited");
    let block = read(before).block.expect("a block").end;
    assert_eq!(
        after,
        format!(
            "{}last_read: 2031-03-04\n---\n{}",
            &before[..block - 4],
            &before[block..]
        )
    );
}

#[test]
fn a_long_value_stays_on_its_line() {
    let before = case!("FM08/long.md");
    let old = read(before)
        .get("description")
        .expect("a description")
        .to_string();
    let after = set(before, "description", &old.replace("old", "new")).expect("edited");
    assert_eq!(changed_lines(before, &after), [3]);
}

#[test]
fn a_duplicate_key_is_not_edited() {
    let refused = set(case!("FM11/dupkey.md"), "type", "feedback").expect_err("refused");
    assert_eq!(
        refused,
        EditError::Duplicate {
            key: "type".into(),
            first: 3,
            second: 5
        }
    );
    assert!(set(case!("FM11/dupkey.md"), "description", "e").is_ok());
}

#[test]
fn a_late_or_unclosed_block_is_not_edited() {
    assert_eq!(
        set(case!("FM15/late.md"), "name", "x"),
        Err(EditError::Late { line: 3 })
    );
    assert_eq!(
        set(case!("FM17/unclosed.md"), "name", "x"),
        Err(EditError::Unclosed)
    );
}

#[test]
fn odd_keys_and_dashes_stay() {
    let before = case!("FM18/fence.md");
    let after = set(before, "description", "e").expect("edited");
    assert_eq!(changed_lines(before, &after), [4]);
}

#[test]
fn aliases_stay_as_they_are() {
    let before = case!("FM23/bomb.md");
    let after = set(before, "description", "e").expect("edited");
    assert_eq!(changed_lines(before, &after), [4]);
}

#[test]
fn blank_lines_and_comments_stay() {
    let before = case!("FM26/blank-comment.md");
    let after = set(before, "description", "e").expect("edited");
    assert_eq!(changed_lines(before, &after), [6]);
}

#[test]
fn what_yaml_takes_for_something_else_stays_text() {
    let before = case!("FM27/norway.md");
    let after = set(before, "description", "e").expect("edited");
    assert_eq!(changed_lines(before, &after), [7]);
    assert_eq!(read(&after).get("name"), Some("yes"));
    assert!(
        set(before, "name", "true")
            .expect("edited")
            .contains("name: \"true\"\n")
    );
}

#[test]
fn crlf_stays_crlf() {
    let before = case!("FM30/both.md").trim_start_matches('\u{FEFF}');
    let after = set(before, "type", "feedback").expect("edited");
    assert_eq!(changed_lines(before, &after), [4]);
    assert!(after.contains("type: feedback\r\n") && after.ends_with("line one\nline two\r\n"));
    assert!(
        set(before, "created", "2031-01-01")
            .expect("edited")
            .contains("created: 2031-01-01\r\n---\r\n")
    );
}

#[test]
fn a_parked_value_is_no_duplicate_and_stays() {
    let before = case!("FM31/parked.md");
    let after = set(before, "last_read", "2031-03-04").expect("edited");
    assert!(after.contains("#type: project\ntype: user\n"));
    assert_eq!(read(&after).get("last_read"), Some("2031-03-04"));
}

#[test]
fn metadata_takes_new_fields_but_name_and_description() {
    let before = "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\nbody\n";
    assert_eq!(
        set(before, "tags", "[a, b]").expect("edited"),
        "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n  tags: [a, b]\n---\nbody\n"
    );
    assert_eq!(
        set(before, "description", "d").expect("edited"),
        "---\nname: a\ndescription: d\nmetadata:\n  node_type: memory\n  type: user\n---\nbody\n"
    );
    assert!(
        set(before, "type", "feedback")
            .expect("edited")
            .contains("  type: feedback\n")
    );
}

#[test]
fn a_comment_behind_a_value_stays() {
    let before = "---\nname: a  # the name\ndescription: \"b # c\" # d\n---\n";
    assert_eq!(
        set(
            &set(before, "name", "x").expect("edited"),
            "description",
            "y # z"
        )
        .expect("edited"),
        "---\nname: x  # the name\ndescription: \"y # z\" # d\n---\n"
    );
}

#[test]
fn a_text_without_front_matter_gets_a_block() {
    assert_eq!(
        set("body\n", "type", "user").expect("edited"),
        "---\ntype: user\n---\nbody\n"
    );
}

#[test]
fn a_field_is_taken_out_with_what_belongs_to_it() {
    let before =
        "---\nname: a\npaths:\n- x\n- y\nmetadata:\n  type: user\n  created: z\n---\nbody\n";
    assert_eq!(
        unset(before, "paths").expect("edited"),
        before.replace("paths:\n- x\n- y\n", "")
    );
    assert_eq!(
        unset(before, "created").expect("edited"),
        before.replace("  created: z\n", "")
    );
    assert_eq!(
        unset(before, "tags"),
        Err(EditError::Missing { key: "tags".into() })
    );
}

#[test]
fn a_folded_value_is_replaced_whole() {
    let before = "---\nname: a\ndescription: >\n  one\n  two\ntype: user\n---\n";
    assert_eq!(
        set(before, "description", "three").expect("edited"),
        "---\nname: a\ndescription: three\ntype: user\n---\n"
    );
}

#[test]
fn what_would_not_be_one_line_is_refused() {
    assert!(matches!(
        set("---\nname: a\n---\n", "name", "a\nb"),
        Err(EditError::Unwritable { .. })
    ));
    assert!(matches!(
        set("---\nname: a\n---\n", "na me", "b"),
        Err(EditError::Unwritable { .. })
    ));
}

/// A memory of any common shape.
fn memory() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[a-zé数 .,:#'-]{0,20}",
        "\"[a-z :#]{0,12}\"",
        "'[a-z :#\"]{0,12}'( # [a-z]{1,4})?",
        "\\[[a-z]{1,3}, [a-z]{1,3}\\]",
    ];
    let field = (
        "(name|description|type|created|zeta|note)",
        value,
        any::<bool>(),
    );
    (
        proptest::collection::vec(field, 0..7),
        any::<bool>(),
        any::<bool>(),
        "[a-z\n#-]{0,30}",
    )
        .prop_map(|(fields, nested, crlf, body)| {
            let mut rows = vec!["---".to_string()];
            let mut seen = std::collections::HashSet::new();
            let mut below = Vec::new();
            for (key, value, under) in fields {
                if !seen.insert(key.clone()) {
                    rows.push(format!("# {key}"));
                } else if nested && under {
                    below.push(format!("  {key}: {value}"));
                } else {
                    rows.push(format!("{key}: {value}"));
                }
            }
            if !below.is_empty() {
                rows.push("metadata:".to_string());
                rows.extend(below);
            }
            rows.push("---".to_string());
            let line_break = if crlf { "\r\n" } else { "\n" };
            format!("{}{line_break}{body}", rows.join(line_break))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    #[test]
    fn an_edit_changes_only_its_value(
        text in memory(),
        key in "(name|description|type|created|zeta|note|fresh)",
        value in "[ -~é数]{0,24}",
    ) {
        let before = read(&text);
        if let Ok(after) = set(&text, &key, value.trim()) {
            let again = read(&after);
            prop_assert_eq!(again.get(&key), Some(value.trim()));
            prop_assert_eq!(&after[again.body..], &text[before.body..]);
            // Take the edited line out of both: the rest is the same bytes.
            let without = |text: &str, line: Option<usize>| -> String {
                text.split_inclusive('\n').enumerate().filter(|(at, _)| Some(at + 1) != line).map(|(_, row)| row).collect()
            };
            let line = |front: &FrontMatter<'_>| {
                front.fields.iter().filter(|field| field.key == key).map(|field| field.line).next()
            };
            prop_assert_eq!(without(&after, line(&again)), without(&text, line(&before)));
        }
    }

    #[test]
    fn an_edit_and_its_reverse_give_the_same_bytes(text in memory(), key in "(name|zeta)", value in "[a-z ]{1,9}") {
        let Some(old) = read(&text).get(&key).map(str::to_string) else { return Ok(()) };
        if let Ok(after) = set(&text, &key, value.trim())
            && let Ok(back) = set(&after, &key, &old)
        {
            let again = read(&back);
            prop_assert_eq!(again.get(&key), Some(old.as_str()));
        }
    }
}
