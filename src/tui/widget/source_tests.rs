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
