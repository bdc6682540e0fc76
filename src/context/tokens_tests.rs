use super::*;
use crate::context::fixture_for_tests::{answer, asked};
use crate::context::request::{Message, Role};

#[test]
fn latin_takes_a_third_of_its_characters_and_cjk_each_one() {
    assert_eq!(estimate(""), 0);
    assert_eq!(estimate("abc"), 1);
    // 4 characters a token, times 4/3.
    assert_eq!(estimate(&"x".repeat(1200)), 400);
    assert_eq!(estimate("时区统一用上海"), 7);
    assert_eq!(estimate("한국어 カナ"), 6);
    assert_eq!(estimate("ab 时区"), 3);
    assert_eq!(estimate("éüß"), 1);
}

#[test]
fn what_the_provider_has_counted_is_the_anchor() {
    let said = |role, piece| Message::new(role, vec![Block::text(piece)]);
    let mut request = Request {
        messages: vec![said(Role::User, asked(&"x".repeat(300)))],
        ..Request::default()
    };
    let estimated = |tokens| Total {
        tokens,
        exact: false,
    };
    assert_eq!(total(&request, None), estimated(100));
    let anchor = Anchor {
        tokens: 4321,
        items: 1,
    };
    let counted = Total {
        tokens: 4321,
        exact: true,
    };
    assert_eq!(total(&request, Some(anchor)), counted);
    request
        .messages
        .push(said(Role::Assistant, answer(&"y".repeat(30))));
    assert_eq!(total(&request, Some(anchor)), estimated(4331));
}
