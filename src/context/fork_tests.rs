use super::*;
use crate::base::time::Moment;
use crate::context::fixture_for_tests::{answer, asked};
use crate::context::ours;
use crate::context::ours::tests::session;
use crate::context::request::{Block, Role};

fn said(role: Role, text: &str) -> Message {
    let piece = match role {
        Role::Assistant => answer(text),
        Role::User | Role::System => asked(text),
    };
    Message::new(role, vec![Block::text(piece)])
}

fn parent() -> Request {
    let entries = [crate::context::conversation::Entry::Said {
        role: Role::User,
        blocks: vec![Block::text(asked("question"))],
        time: Moment::from_seconds(0),
    }];
    ours::build(&session(), &entries, &[], Moment::from_seconds(1))
}

#[test]
fn a_fork_only_appends() {
    let parent = parent();
    let fork = fork(
        &parent,
        vec![
            said(Role::Assistant, "answer"),
            said(Role::User, "save what is new"),
        ],
        &Allowed::default(),
    );
    assert!(extends(&fork, &parent));
    assert_eq!(fork.messages.len(), parent.messages.len() + 2);
    assert_eq!(fork.params, parent.params);
    assert!(!extends(&parent, &fork) && !extends(&parent, &parent));
}

#[test]
fn a_fork_that_asks_at_once_goes_on_with_the_last_message() {
    let parent = parent();
    let fork = fork(
        &parent,
        vec![said(Role::User, "summarise")],
        &Allowed::default(),
    );
    assert!(extends(&fork, &parent));
    assert_eq!(fork.messages.len(), parent.messages.len());
}

#[test]
fn a_fork_writes_nothing_to_the_cache() {
    let parent = parent();
    let fork = fork(
        &parent,
        vec![said(Role::Assistant, "answer"), said(Role::User, "save")],
        &Allowed::default(),
    );
    let marks = |request: &Request| -> Vec<usize> {
        let blocks = request.blocks().enumerate();
        blocks
            .filter(|(_, block)| block.mark.is_some())
            .map(|(at, _)| at)
            .collect()
    };
    assert_eq!(marks(&fork), marks(&parent));
    assert!(marks(&parent).len() >= 2);
}

#[test]
fn one_that_changes_anything_extends_nothing() {
    let parent = parent();
    let asks = || vec![said(Role::Assistant, "answer"), said(Role::User, "save")];
    let mut other = parent.clone();
    other.system[0] = Block::text(asked("another"));
    assert!(!extends(
        &fork(&other, asks(), &Allowed::default()),
        &parent
    ));
    let mut fewer = parent.clone();
    fewer.params.tools.clear();
    assert!(!extends(
        &fork(&fewer, asks(), &Allowed::default()),
        &parent
    ));
}

#[test]
fn the_share_that_was_read_from_the_cache() {
    assert_eq!(hit_share(10, 0, 90), Some(0.9));
    assert_eq!(hit_share(0, 0, 0), None);
}
