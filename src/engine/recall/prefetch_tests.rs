use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::engine::recall::By;

fn recalled(by: By) -> Recalled {
    Recalled {
        candidates: 1,
        unread: 0,
        picked: Vec::new(),
        dropped: Vec::new(),
        by,
        note: None,
        took: Duration::ZERO,
        usage: None,
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.unwrap().block_on(future)
}

const NO_WAIT: Duration = Duration::ZERO;

/// The selector answers only when the first request has been sent: by the order of events.
#[test]
fn a_slow_selector_never_delays_the_first_request() {
    block_on(async {
        let (mut turn, running) = Prefetch::new(None);
        let (sent, first_sent) = oneshot::channel::<()>();
        let work = tokio::spawn(running.run(async move {
            first_sent.await.expect("the first request is sent");
            Ok(recalled(By::Model))
        }));
        // With the first request nothing comes, and it is not waited for.
        assert_eq!(turn.for_first(NO_WAIT).await, Polled::NotYet);
        sent.send(()).unwrap();
        work.await.unwrap();
        assert_eq!(turn.poll(), Polled::Here(recalled(By::Model)));
        assert_eq!(turn.poll(), Polled::Over);
    });
}

#[test]
fn the_rankers_answer_is_there_at_once_and_the_models_comes_later() {
    block_on(async {
        let (mut turn, running) = Prefetch::new(Some(recalled(By::Words)));
        assert_eq!(
            turn.for_first(NO_WAIT).await,
            Polled::Here(recalled(By::Words))
        );
        running.run(async { Ok(recalled(By::Model)) }).await;
        assert_eq!(turn.poll(), Polled::Here(recalled(By::Model)));
    });
}

#[test]
fn what_is_there_in_time_comes_with_the_first_request() {
    block_on(async {
        let (mut turn, running) = Prefetch::new(Some(recalled(By::Words)));
        running.run(async { Ok(recalled(By::Model)) }).await;
        assert_eq!(
            turn.for_first(NO_WAIT).await,
            Polled::Here(recalled(By::Model))
        );
        let (mut turn, running) = Prefetch::new(None);
        let _work = tokio::spawn(running.run(async { Err(Gate::TooShort) }));
        assert_eq!(
            turn.for_first(Duration::from_mins(1)).await,
            Polled::Shut(Gate::TooShort)
        );
    });
}

/// Sets a flag when it is dropped.
struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_turn_that_ends_first_ends_the_work_and_the_answer_is_thrown_away() {
    block_on(async {
        let (turn, running) = Prefetch::new(None);
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Dropped(Arc::clone(&ended));
        let work = tokio::spawn(running.run(async move {
            let _flag = flag;
            std::future::pending().await
        }));
        tokio::task::yield_now().await;
        assert!(!ended.load(Ordering::SeqCst));
        drop(turn);
        work.await.unwrap();
        assert!(ended.load(Ordering::SeqCst));
    });
}

#[test]
fn work_that_broke_off_is_over() {
    let (mut turn, running) = Prefetch::new(None);
    drop(running);
    assert_eq!(turn.poll(), Polled::Over);
}
