use super::*;

const RULES: &str = "# Shop\n\nIntro.\n\n## Tests\n\n- One.\n\n### Deep\n\nMore.\n\n```\n# no heading\n```\n\n## Words\n\n- Cart.\n- Order.\n";

#[test]
fn a_section_holds_its_sub_sections_and_no_code() {
    let found: Vec<_> = sections(RULES)
        .into_iter()
        .map(|it| (it.heading, it.lines))
        .collect();
    let at = |heading: &str, first, last| (heading.to_string(), (first, last));
    assert_eq!(
        found,
        [
            at("Shop", 1, 20),
            at("Tests", 5, 16),
            at("Deep", 9, 16),
            at("Words", 17, 20),
        ]
    );
}

#[test]
fn lines_that_are_not_there_are_none() {
    assert_eq!(lines_of(RULES, (19, 20)), Some("- Cart.\n- Order.\n"));
    assert_eq!(lines_of("a\nb", (2, 2)), Some("b"));
    assert_eq!(lines_of(RULES, (20, 21)), None);
    assert_eq!(lines_of(RULES, (3, 2)), None);
}

#[test]
fn what_is_left_keeps_one_blank_line_and_items_stay_together() {
    let cut = |lines| {
        let part = lines_of(RULES, lines).unwrap();
        let start = part.as_ptr() as usize - RULES.as_ptr() as usize;
        without(RULES, start, start + part.len())
    };
    assert!(cut((5, 16)).contains("Intro.\n\n## Words"));
    assert!(cut((19, 19)).ends_with("## Words\n\n- Order.\n"));
    assert!(cut((17, 20)).ends_with("```\n"));
    assert_eq!(without("- a\n- b\n- c\n", 4, 8), "- a\n- c\n");
}

#[test]
fn a_description_says_what_the_text_begins_with() {
    assert_eq!(
        described("## Tests\n\n- A `flaky` test is a **bug**.\n"),
        "Tests: A flaky test is a bug."
    );
    assert_eq!(described("Never push."), "Never push.");
    assert_eq!(described("# Alone"), "Alone");
    assert_eq!(as_memory("- one thing\n"), "one thing");
    assert_eq!(as_memory("- one\n- two\n"), "- one\n- two");
    assert!(commands("You MUST ask.") && commands("禁止强推") && !commands("mustard"));
}
