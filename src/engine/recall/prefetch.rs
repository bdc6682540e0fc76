//! Recall that runs beside a turn: started with it, looked at before each request, thrown away when the turn
//! ends first. Whoever drives the turn spawns what [`Running::run`] gives; nothing here spawns or blocks.

use std::time::Duration;

use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::timeout;

use super::{Gate, Recalled};

/// The turn's end of it. Dropped, it ends the work.
#[derive(Debug)]
pub struct Prefetch {
    answer: Option<Receiver<Result<Recalled, Gate>>>,
    /// What the ranker says, where it is to be taken for the first request.
    first: Option<Recalled>,
}

/// The working end of it.
#[derive(Debug)]
pub struct Running {
    answer: Sender<Result<Recalled, Gate>>,
}

/// What a look gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Polled {
    NotYet,
    /// Once; it is to be settled with the conversation as it is now.
    Here(Recalled),
    /// Nothing is recalled in this turn.
    Shut(Gate),
    /// It was taken before, or the work has ended without an answer.
    Over,
}

impl Prefetch {
    /// Both ends. `first` is the ranker's answer (`recall_ranker_first`), if it is to be there at once.
    #[must_use]
    pub fn new(first: Option<Recalled>) -> (Self, Running) {
        let (answer, receiver) = oneshot::channel();
        let turn = Self {
            answer: Some(receiver),
            first,
        };
        (turn, Running { answer })
    }

    /// Looks, without waiting.
    pub fn poll(&mut self) -> Polled {
        let Some(answer) = &mut self.answer else {
            return Polled::Over;
        };
        let polled = match answer.try_recv() {
            Err(TryRecvError::Empty) => return Polled::NotYet,
            Err(TryRecvError::Closed) => Polled::Over,
            Ok(Ok(recalled)) => Polled::Here(recalled),
            Ok(Err(gate)) => Polled::Shut(gate),
        };
        self.answer = None;
        polled
    }

    /// What the first request of a turn takes along: what is there; else the ranker's answer, if it was to
    /// come first; else what comes within `wait` (`recall_wait_ms`; none: it is not waited).
    pub async fn for_first(&mut self, wait: Duration) -> Polled {
        let polled = self.poll();
        if polled != Polled::NotYet {
            return polled;
        }
        if let Some(first) = self.first.take() {
            return Polled::Here(first);
        }
        let Some(answer) = self.answer.as_mut().filter(|_| !wait.is_zero()) else {
            return Polled::NotYet;
        };
        let polled = match timeout(wait, answer).await {
            Err(_late) => return Polled::NotYet,
            Ok(Err(_gone)) => Polled::Over,
            Ok(Ok(Ok(recalled))) => Polled::Here(recalled),
            Ok(Ok(Err(gate))) => Polled::Shut(gate),
        };
        self.answer = None;
        polled
    }
}

impl Running {
    /// Does the work and hands the answer over; ends at once when the turn has gone.
    pub async fn run(mut self, work: impl Future<Output = Result<Recalled, Gate>>) {
        let done = tokio::select! {
            () = self.answer.closed() => return,
            done = work => done,
        };
        // The turn may have ended just now: then nobody wants it.
        let _ = self.answer.send(done);
    }
}

#[cfg(test)]
#[path = "prefetch_tests.rs"]
mod tests;
