use super::*;

const THEME: Theme = Theme::terminal(true);

fn shown(line: &str) -> String {
    let spans = spans(line, &mut false, THEME);
    spans.iter().map(|span| span.content.as_ref()).collect()
}

#[test]
fn every_line_is_shown_whole() {
    for line in [
        "# 题 x",
        "- a `b` **c** [[d]] e",
        "plain **open",
        "> q",
        "",
        "`",
    ] {
        assert_eq!(shown(line), line);
    }
    assert_eq!(shown("end  "), "end··");
}

#[test]
fn a_slice_is_of_the_line() {
    let spans = spans("a `数据` b  ", &mut false, THEME);
    let part = |range| {
        slice(&spans, range)
            .iter()
            .map(|span| span.content.to_string())
            .collect::<String>()
    };
    assert_eq!(part(0..3), "a `");
    assert_eq!(part(3..9), "数据");
    assert_eq!(part(9..14), "` b··");
}

#[test]
fn a_fence_goes_on_over_lines() {
    let mut fence = is_in_fence(&["```sh".to_string()]);
    assert!(fence);
    let inside = spans("# no heading", &mut fence, THEME);
    assert_eq!(inside[0].style, THEME.style(Role::Code));
    let _ = spans("```", &mut fence, THEME);
    assert!(!fence);
}

#[test]
fn of_a_long_line_only_what_is_seen_is_looked_at() {
    let line = format!(
        "- {}`code` 数 {}  ",
        "[[a ".repeat(50_000),
        "b ".repeat(50_000)
    );
    let at = line.find('`').unwrap();
    let (some, from) = spans_of(&line, at..at + 12, &mut false, THEME);
    assert!(from <= at && at - from <= AROUND + 4);
    let length: usize = some.iter().map(|span| span.content.len()).sum();
    assert!(length <= 2 * AROUND + 32, "{length}");
    let seen = slice(&some, at - from..at + 12 - from);
    let told: Vec<_> = seen
        .iter()
        .map(|span| (span.content.as_ref(), span.style))
        .collect();
    let (code, text) = (THEME.style(Role::Code), THEME.style(Role::Text));
    assert_eq!(told, [("`code`", code), (" 数 b", text)]);
    // Its beginning and its end are as those of a short one.
    let (some, from) = spans_of(&line, 0..10, &mut false, THEME);
    assert_eq!((from, some[0].content.as_ref()), (0, "- "));
    let (some, from) = spans_of(&line, line.len() - 4..line.len(), &mut false, THEME);
    let seen = slice(&some, line.len() - 4 - from..line.len() - from);
    let shown: String = seen.iter().map(|span| span.content.as_ref()).collect();
    assert_eq!(shown, "b···");
}
