//! What ends something from outside: a person who presses a key. It can be looked at between two steps, and
//! waited for beside what is awaited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// One way to end something. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    is_set: AtomicBool,
    told: Notify,
}

impl Stop {
    /// Ends it. Once is for good.
    pub fn set(&self) {
        self.inner.is_set.store(true, Ordering::SeqCst);
        self.inner.told.notify_waiters();
    }

    #[must_use]
    pub fn is_set(&self) -> bool {
        self.inner.is_set.load(Ordering::SeqCst)
    }

    /// As a flag to be looked at.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.inner.is_set
    }

    /// Waits until it is set.
    pub async fn wait(&self) {
        loop {
            let told = self.inner.told.notified();
            // One that is set between the look and the wait wakes it all the same.
            tokio::pin!(told);
            told.as_mut().enable();
            if self.is_set() {
                return;
            }
            told.await;
        }
    }
}
