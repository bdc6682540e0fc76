//! All shelves examined in parallel, the findings handed on a few times a second. What is found of a
//! shelf is held no longer than that; it ends at the next shelf when it is no longer wanted. What sessions
//! tell comes last: of that only the memories are held.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::told;
use crate::agents::claude::Claude;
use crate::app::health_sweep::Swept;
use crate::app::message::Message;
use crate::health::Rules;
use crate::store::Store;

/// Findings are handed on together: each time the whole list is put in order.
const BATCH_AGE: Duration = Duration::from_millis(150);

pub(super) fn run(
    store: &Claude,
    writer: &Store,
    rules: &Rules,
    id: u64,
    stop: &AtomicBool,
    out: &UnboundedSender<Message>,
) {
    let batch = Mutex::new((Swept::default(), Instant::now()));
    let send = |swept: Swept, done| {
        let swept = Box::new(swept);
        let _ = out.send(Message::Swept { id, swept, done });
    };
    let is_wanted = told::is_wanted(rules);
    let seen = Mutex::new(Vec::new());
    let is_over = || stop.load(Ordering::Relaxed);
    store.examine_all(rules, is_over, |of, shelf, mut examined| {
        let findings = std::mem::take(&mut examined.findings);
        let mut held = batch.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.done += 1;
        held.0.of = of;
        if !findings.is_empty() {
            held.0.found.push((shelf.clone(), findings));
        }
        if is_wanted {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push((shelf, examined));
        }
        if held.1.elapsed() >= BATCH_AGE {
            let done = held.0.done;
            let swept = std::mem::take(&mut held.0);
            (held.0.done, held.0.of) = (done, of);
            held.1 = Instant::now();
            send(swept, false);
        }
    });
    if is_over() {
        return;
    }
    let (swept, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (done, of) = (swept.done, swept.of);
    send(swept, !is_wanted);
    if !is_wanted {
        return;
    }
    let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    told::ask(store, writer, rules, told::Of::All, stop, |told| {
        let mut found = Vec::new();
        for (shelf, examined) in seen {
            if is_over() {
                return;
            }
            let findings = told.findings(&shelf, &examined);
            if !findings.is_empty() {
                found.push((shelf, findings));
            }
        }
        send(Swept { done, of, found }, true);
    });
}
