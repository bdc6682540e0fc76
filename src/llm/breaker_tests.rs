//! When a breaker opens, what it says, and that it can be closed again.

use super::*;
use crate::llm::failure::What;

#[test]
fn three_failures_in_a_row_open_it_until_it_is_reset() {
    let failure = Failure::new(What::Cut, "POST http://h");
    let mut breaker = Breaker::new("recall");
    assert_eq!(breaker.said(), None);
    for _ in 0..2 {
        breaker.failed(&failure);
        breaker.failed(&failure);
        assert!(!breaker.is_open());
        assert!(
            breaker
                .said()
                .unwrap()
                .starts_with("recall failed 2 of 3 times: the answer broke off")
        );
        breaker.worked();
        assert_eq!(breaker.said(), None);
    }
    (0..4).for_each(|_| breaker.failed(&failure));
    assert!(breaker.is_open());
    assert!(
        breaker
            .said()
            .unwrap()
            .starts_with("recall has stopped after 4 failures in a row; the last: ")
    );
    breaker.reset();
    assert_eq!(breaker, Breaker::new("recall"));
}
