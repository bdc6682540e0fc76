use super::*;
use crate::config::prices::Price;
use crate::context::ledger::{Purpose, Usage as Counted};

fn line(session: &str, model: &str, usage: Option<(u64, u64, u64, u64)>) -> Line {
    Line {
        v: 1,
        id: "1".to_string(),
        time: String::new(),
        session: session.to_string(),
        purpose: Purpose::Chat,
        model: model.to_string(),
        parts: Vec::new(),
        usage: usage.map(|(input, output, cache_read, cache_creation)| Counted {
            input,
            output,
            cache_read,
            cache_creation,
            cache_creation_1h: 0,
        }),
        project: None,
        key: None,
        ended: None,
        answer: Vec::new(),
    }
}

fn prices() -> Prices {
    let price = Price {
        input: 3_000_000,
        output: 15_000_000,
        cache_write_5m: 3_750_000,
        cache_write_1h: 6_000_000,
        cache_read: 300_000,
    };
    Prices::made_up(vec![("demo".to_string(), price)])
}

fn told(lines: &[Line]) -> Vec<String> {
    sentences(&of_session(lines, "mine", &prices()), 30)
}

#[test]
fn a_session_is_summed_with_both_shares_of_the_cache() {
    let lines = [
        line("mine", "demo-1", Some((100, 10, 0, 900))),
        line("other", "demo-1", Some((9_999, 9_999, 0, 0))),
        line("mine", "demo-1", Some((100, 10, 900, 0))),
    ];
    let said = told(&lines);
    assert_eq!(said[0], "2 requests · 2,000 tokens in, 20 out");
    assert_eq!(
        said[1],
        "cache: 81.8 % of what was read or sent anew was read from it, 45.0 % of all that was sent (900 read, 900 \
         written)"
    );
    // 200 · 3 + 20 · 15 + 900 · 0.3 + 900 · 3.75 millionths of a dollar.
    assert_eq!(said[2], "$0.0045");
    assert!(said[3].contains("30 days"));
}

#[test]
fn what_has_no_price_or_no_count_makes_it_a_lower_bound() {
    let priced = line("mine", "demo-1", Some((1_000_000, 0, 0, 0)));
    let said = told(&[priced.clone(), line("mine", "other-1", Some((5, 0, 0, 0)))]);
    assert_eq!(
        said[2],
        "≥ $3.0000: [prices] in config.toml has no row for other-1"
    );
    let said = told(&[priced, line("mine", "demo-1", None)]);
    assert_eq!(said[0], "2 requests · 1,000,000 tokens in, 0 out");
    assert_eq!(said[2], "≥ $3.0000: 1 without an answer that was counted");
    let said = told(&[line("mine", "other-1", Some((5, 0, 0, 0)))]);
    assert_eq!(
        said[2],
        "what it cost is not known: [prices] in config.toml has no row for other-1"
    );
    assert!(told(&[])[1].contains("not known"), "{:?}", told(&[]));
}
