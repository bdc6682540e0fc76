use std::fs;

use super::*;
use crate::context::ours::tests::session;
use crate::engine::recall::by_words;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.unwrap().block_on(future)
}

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn world() -> (tempfile::TempDir, Chat) {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().canonicalize().unwrap();
    fs::write(
        folder.join("snapshot.md"),
        "---\nname: snapshot\ndescription: Take a snapshot of the database before a migration\ntype: project\n---\n\nBy hand.\n",
    )
    .unwrap();
    let mut session = session();
    session.recall = Recall::Prefetch;
    session.memory_folder = folder;
    (root, Chat::new("s", session))
}

fn wish(chat: &Chat) -> Wish {
    Wish::of(
        &Disk::system(),
        chat,
        "How do I run the database migration?",
        &SelectorPrompt::default(),
        NOW,
    )
}

#[test]
fn what_came_is_put_in_once_and_not_again_when_it_is_there() {
    let (_root, mut chat) = world();
    let first = by_words(&wish(&chat).asked(), "a test").unwrap();
    assert_eq!(first.picked.len(), 1);
    let (prefetch, _running) = Prefetch::new(Some(first.clone()));
    let mut beside = Beside::new(prefetch);
    block_on(beside.before_first(Duration::ZERO));
    assert_eq!(beside.put(&mut chat, NOW).unwrap().picked.len(), 1);
    assert_eq!(chat.entries.len(), 1);
    assert_eq!(beside.put(&mut chat, NOW), None);
    // In the conversation already: dropped, with the reason.
    let (prefetch, _running) = Prefetch::new(Some(first));
    let mut again = Beside::new(prefetch);
    block_on(again.before_first(Duration::ZERO));
    let put = again.put(&mut chat, NOW).unwrap();
    assert!(put.picked.is_empty() && put.dropped[0].path == "snapshot.md");
    assert_eq!(chat.entries.len(), 1);
}

/// By the order of events: the answer is there only once the turn's first request went out.
#[test]
fn a_slow_choice_comes_with_a_later_request_and_ends_with_the_turn() {
    let (_root, mut chat) = world();
    let recalled = by_words(&wish(&chat).asked(), "a test").unwrap();
    let (prefetch, running) = Prefetch::new(None);
    let (first_sent, sent) = tokio::sync::oneshot::channel::<()>();
    let work = running.run(async {
        sent.await.unwrap();
        Ok(recalled)
    });
    let mut beside = Beside::new(prefetch);
    let puts = block_on(along(
        async {
            beside.before_first(Duration::ZERO).await;
            let with_first = beside.put(&mut chat, NOW).is_some();
            first_sent.send(()).unwrap();
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            (with_first, beside.put(&mut chat, NOW).is_some())
        },
        work,
    ));
    assert_eq!(puts, (false, true));
    // One that never comes is left.
    let (prefetch, running) = Prefetch::new(None);
    let end = block_on(along(async { 7 }, running.run(std::future::pending())));
    assert_eq!(end, 7);
    drop(prefetch);
}
