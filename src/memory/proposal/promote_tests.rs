use super::*;

#[test]
fn one_sentence_is_a_line_and_more_is_a_section() {
    assert_eq!(as_rule("no-force-push", "Never push."), "- Never push.\n");
    assert_eq!(
        as_rule("no-force-push", "Never push.\n\n**Why:** lost work."),
        "## No force push\n\nNever push.\n\n**Why:** lost work.\n"
    );
    assert_eq!(as_rule("x", "# Its own\n\nText."), "# Its own\n\nText.\n");
    assert_eq!(as_rule("steps", "- one"), "## Steps\n\n- one\n");
}

#[test]
fn a_line_goes_on_a_list_and_stands_apart_from_anything_else() {
    assert_eq!(with("", "- a\n"), "- a\n");
    assert_eq!(with("# Rules\n\n- b", "- a\n"), "# Rules\n\n- b\n- a\n");
    assert_eq!(with("Text.\n\n\n", "- a\n"), "Text.\n\n- a\n");
    assert_eq!(
        with("- b\r\n", "## A\n\nx\n"),
        "- b\r\n\r\n## A\r\n\r\nx\r\n"
    );
}
