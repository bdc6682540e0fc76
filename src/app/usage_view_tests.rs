use super::*;
use crate::app::fixture::session_list;

fn view() -> UsageView {
    let mut view = UsageView::default();
    view.take(session_list().usage);
    view.settle(30);
    view
}

fn names(view: &UsageView) -> Vec<(&str, u64)> {
    let rows = view.rows().iter();
    rows.map(|row| (&*row.name, row.sum.messages)).collect()
}

#[test]
fn days_come_newest_first_and_the_rest_by_cost() {
    let mut view = view();
    let days = [
        ("2027-01-15", 5),
        ("2027-01-14", 40),
        ("2027-01-13", 22),
        ("2027-01-07", 14),
        ("2027-01-06", 3),
        ("2026-12-18", 9),
        ("2026-12-06", 1),
    ];
    assert_eq!(names(&view), days);
    assert_eq!(view.all().messages, 94);
    assert_eq!(view.days().len(), 7);
    // Of the rest the cost is known: a part is told as one.
    assert_eq!(view.unpriced(), ["claude-old"]);
    let (known, without) = view.all().known_dollars();
    assert!(known > 0.0 && without == 1, "{known} {without}");
    view.sort_by_next();
    // What has no known price comes last.
    assert_eq!(names(&view)[0], ("2027-01-14", 40));
    assert_eq!(names(&view)[6], ("2026-12-06", 1));
    view.group_by_next();
    assert_eq!(
        names(&view),
        [("-work-api-gateway", 17), ("-work-shop-web", 77)]
    );
    view.sort_by_next();
    assert_eq!(names(&view)[0].0, "-work-api-gateway");
    view.group_by_next();
    let sessions = names(&view);
    assert_eq!(sessions[0].0, "3f1c0a52-7d11-4c0e-9a55-0d4c5b1e2a01");
    assert_eq!(sessions[3], ("gone", 1));
    view.group_by_next();
    assert_eq!(names(&view), [("claude-haiku-4-5", 93), ("claude-old", 1)]);
    view.group_by_next();
    // Each keeps how it was sorted.
    assert_eq!((view.by(), view.sort()), (By::Day, UsageSort::Cost));
}

#[test]
fn it_is_narrowed_layer_by_layer_and_widened_to_where_the_cursor_was() {
    let mut view = view();
    view.group_by_next();
    view.list.go(1, view.rows().len());
    assert!(view.narrow());
    assert_eq!((view.by(), view.all().messages), (By::Session, 77));
    assert_eq!(view.days().len(), 5);
    assert!(!view.narrow(), "a session is opened, not narrowed to");
    view.group_by_next();
    view.group_by_next();
    view.list.go(1, view.rows().len());
    assert!(view.narrow());
    // The bars show the other days still.
    assert_eq!((view.all().messages, view.days().len()), (40, 5));
    assert_eq!(names(&view), [("3f1c0a52-7d11-4c0e-9a55-0d4c5b1e2a01", 40)]);
    assert!(view.widen());
    assert_eq!((view.by(), view.list.cursor), (By::Day, 1));
    assert!(view.widen());
    assert_eq!((view.by(), view.list.cursor), (By::Project, 1));
    assert!(!view.widen());
    assert_eq!(view.all().messages, 94);
}

#[test]
fn bars_show_the_cost_where_all_of_it_is_known_unless_another_was_chosen() {
    let mut view = view();
    assert_eq!(view.bars(), Bars::Tokens);
    view.group_by_next();
    view.narrow();
    assert_eq!(view.bars(), Bars::Cost);
    view.show_next_bars();
    view.show_next_bars();
    assert_eq!(view.bars(), Bars::Answers);
    view.widen();
    assert_eq!(view.bars(), Bars::Answers);
}

#[test]
fn no_height_is_too_small() {
    let mut view = view();
    for height in 0..60 {
        view.settle(height);
        assert!(view.above() + view.height() <= height.max(1), "{height}");
    }
}

#[test]
fn the_days_that_are_shown_are_chosen_and_end_today() {
    let mut view = view();
    view.turn_to(Moment::of_date("2027-01-15").expect("a day"));
    let mut sums = Vec::new();
    for _ in 0..5 {
        sums.push((view.span(), view.all().messages, view.days().len()));
        view.span_next();
    }
    let wanted = [
        (Span::All, 94, 7),
        (Span::Month, 93, 6),
        (Span::Week, 67, 3),
        (Span::Today, 5, 1),
        (Span::All, 94, 7),
    ];
    assert_eq!(sums, wanted);
    // The next day it is another range.
    view.span_next();
    view.span_next();
    view.turn_to(Moment::of_date("2027-01-16").expect("a day"));
    assert_eq!((view.span(), view.all().messages), (Span::Today, 0));
}
