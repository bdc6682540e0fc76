use proptest::prelude::*;

use super::*;

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for range in marks(text).comments {
        out.push_str(&text[at..range.start]);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

#[test]
fn a_comment_alone_goes_with_all_line_breaks_after_it() {
    assert_eq!(
        without_comments("- b\n\n<!-- z -->\n\n- c\n"),
        "- b\n\n- c\n"
    );
    assert_eq!(without_comments("<!-- a\n\nb\n-->\n\n\n- c\n"), "- c\n");
    assert_eq!(without_comments("a\n\n  <!-- z -->\nb\n"), "a\n\nb\n");
}

#[test]
fn text_after_a_comment_stays() {
    assert_eq!(without_comments("<!-- x --> after\n- a\n"), " after\n- a\n");
    assert_eq!(without_comments("<!-- x --><!-- y -->\n\na\n"), "a\n");
    assert_eq!(without_comments("<!-- x --> m <!-- y -->\na\n"), " m \na\n");
}

#[test]
fn comments_in_lists_quotes_code_and_lines_stay() {
    for text in [
        "- a\n  <!-- y -->\n- b\n",
        "> a\n> <!-- y -->\n",
        "```\n<!-- y -->\n```\n",
        "    <!-- y -->\n",
        "text <!-- y --> text\n",
        "<!-- never closed\n\n- a\n",
        "text\n  <!-- y -->\n",
    ] {
        assert_eq!(without_comments(text), text);
    }
}

#[test]
fn a_comment_at_the_first_column_breaks_a_paragraph() {
    assert_eq!(without_comments("text\n<!-- y -->\nmore\n"), "text\nmore\n");
}

#[test]
fn line_breaks_of_either_kind_go() {
    assert_eq!(
        without_comments("a\r\n\r\n<!-- z -->\r\n\r\n- c\r\n"),
        "a\r\n\r\n- c\r\n"
    );
}

#[test]
fn code_is_marked() {
    let text = "a `b` c\n\n```\nd\n```\n";
    let quoted: Vec<_> = marks(text)
        .quoted
        .into_iter()
        .map(|range| &text[range])
        .collect();
    assert_eq!(quoted, ["`b`", "```\nd\n```"]);
}

proptest! {
    #[test]
    fn ranges_are_sorted_apart_and_on_boundaries(text in "(<!--|-->|[-a>`é \n]){0,60}") {
        let mut at = 0;
        for range in marks(&text).comments {
            prop_assert!(range.start >= at && range.end >= range.start);
            prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
            at = range.end;
        }
    }
}
