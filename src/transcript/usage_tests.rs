use super::*;
use crate::transcript::digest::Digest;

fn bills(text: &str) -> Bills {
    let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).unwrap();
    digest.bills
}

fn fixture(path: &str) -> Bills {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    bills(&std::fs::read_to_string(format!("{folder}/{path}")).expect(path))
}

fn totals(files: &[(&str, &Bills)]) -> Totals {
    let mut left = best(files.iter().map(|(_, bills)| *bills));
    let mut totals = Totals::default();
    for (name, bills) in files {
        let mut put = |about: About<'_>, usage: &Usage, messages| {
            totals.put(&about, usage, messages, &Prices::default());
        };
        each_bill("-srv-proj", name, bills, &mut left, &mut put);
    }
    totals
}

fn plain(sum: &Sum) -> (u64, u64, u64) {
    (sum.usage.input, sum.usage.output, sum.messages)
}

#[test]
fn tr17_a_message_is_billed_once_with_and_without_a_request_id() {
    let found = totals(&[("s", &fixture("TR17/session.jsonl"))]);
    assert_eq!(plain(&found.all), (107, 23, 2));
}

#[test]
fn tr19_a_failed_call_is_no_message_and_no_model() {
    let found = totals(&[("s", &fixture("TR19/session.jsonl"))]);
    assert_eq!(plain(&found.all), (9, 90, 1));
    assert_eq!(found.by_model.keys().collect::<Vec<_>>(), ["demo-1"]);
}

#[test]
fn tr20_what_a_fork_copied_is_billed_to_the_first() {
    let files = (fixture("TR20/session.jsonl"), fixture("TR20/fork.jsonl"));
    let found = totals(&[("s", &files.0), ("f", &files.1)]);
    assert_eq!(plain(&found.all), (12, 6, 2));
    let sums: Vec<_> = found.by_session.values().map(plain).collect();
    assert_eq!(sums, [(10, 5, 1), (2, 1, 1)]);
}

#[test]
fn sums_are_by_day_session_and_model_and_the_last_line_of_a_message_counts() {
    let line = |time: &str, id: &str, output: u64| {
        format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"{time}\",\"message\":{{\"id\":\"{id}\",\"model\":\"m\",\"usage\":\
             {{\"input_tokens\":10,\"output_tokens\":{output},\"cache_read_input_tokens\":60,\"cache_creation_input_tokens\":30,\
             \"cache_creation\":{{\"ephemeral_5m_input_tokens\":10,\"ephemeral_1h_input_tokens\":20}}}}}}}}\n"
        )
    };
    let text = [
        line("2031-03-04T23:59:59.999Z", "a", 1),
        line("2031-03-04T23:59:59.999Z", "a", 7),
        line("2031-03-05T00:00:00.000Z", "b", 2),
        "{\"type\":\"user\",\"message\":{\"content\":\"of \\\"usage\\\"\",\"usage\":{\"input_tokens\":5}}}\n".to_string(),
        "{\"type\":\"assistant\",\"message\":{\"id\":\"c\",\"usage\":{\"input_tok".to_string(),
    ];
    let found = totals(&[("file", &bills(&text.concat()))]);
    assert_eq!(plain(&found.all), (20, 9, 2));
    let days: Vec<_> = found
        .by_day
        .iter()
        .map(|(day, sum)| (&**day, plain(sum)))
        .collect();
    assert_eq!(
        days,
        [("2031-03-04", (10, 7, 1)), ("2031-03-05", (10, 2, 1))]
    );
    let session = ("-srv-proj".to_string(), "file".to_string());
    assert_eq!(found.by_session.keys().collect::<Vec<_>>(), [&session]);
    assert_eq!(
        (
            found.all.usage.cache_creation_1h,
            found.all.cache_creation_5m()
        ),
        (40, 20)
    );
    let (narrow, wide) = found.all.cache_shares().expect("something was sent");
    assert!((narrow - 120.0 / 140.0).abs() < 1e-9 && (wide - 120.0 / 200.0).abs() < 1e-9);
    assert_eq!(Sum::default().cache_shares(), None);
}

/// Whichever file says it first: a line that was cut short, or a fork's, says less.
#[test]
fn of_two_bills_of_a_message_the_larger_counts() {
    let line = |output: u64, read: u64| {
        bills(&format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"2031-03-04T10:00:00Z\",\"message\":{{\"id\":\"a\",\"usage\":\
             {{\"output_tokens\":{output},\"cache_read_input_tokens\":{read}}}}}}}\n"
        ))
    };
    for (one, other) in [((1, 5), (9, 2)), ((9, 2), (1, 5))] {
        let files = (line(one.0, one.1), line(other.0, other.1));
        let found = totals(&[("s", &files.0), ("f", &files.1)]);
        assert_eq!(
            (plain(&found.all), found.all.usage.cache_read),
            ((0, 9, 1), 2)
        );
        let sessions: Vec<_> = found.by_session.keys().map(|(_, id)| &**id).collect();
        assert_eq!(sessions, ["s"]);
    }
}

#[test]
fn usage_that_can_not_be_read_is_counted_as_such() {
    let line = |id: &str, usage: &str| {
        format!("{{\"type\":\"assistant\",\"message\":{{\"id\":\"{id}\",\"usage\":{usage}}}}}\n")
    };
    let whole = bills(
        &[
            line("a", r#"{"input_tokens":1.0,"output_tokens":2e1}"#),
            line("b", r#"{"input_tokens":null,"output_tokens":3}"#),
            line("c", "null"),
            line("d", r#"{"output_tokens":1,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_1h_input_tokens":7}}"#),
        ]
        .concat(),
    );
    assert_eq!(whole.unread, 0);
    assert_eq!(plain(&totals(&[("s", &whole)]).all), (1, 24, 3));
    let odd = bills(
        &[
            line("a", r#"{"input_tokens":1.5,"output_tokens":2}"#),
            line("a", r#"{"input_tokens":1.5,"output_tokens":2}"#),
            line("b", r#"{"input_tokens":-1}"#),
            line("c", r#"{"input_tokens":99999999999999999999}"#),
            line("d", r#"{"input_tokens":18446744073709551615}"#),
            line("e", r#"{"input_tokens":"5"}"#),
            line("f", "7"),
            line("g", r#"{"cache_creation_input_tokens":10,"cache_creation":{"ephemeral_5m_input_tokens":100,"ephemeral_1h_input_tokens":50}}"#),
        ]
        .concat(),
    );
    assert_eq!(odd.unread, 7);
    let found = totals(&[("s", &odd)]);
    assert_eq!(plain(&found.all), (0, 2, 2));
    assert_eq!(found.all.usage.cache_creation, 10);
    let written = serde_json::to_string(&odd).unwrap();
    assert_eq!(serde_json::from_str::<Bills>(&written).unwrap(), odd);
}

/// Each as often as there are lines: looked for by its text, not one after the other.
#[test]
fn many_names_are_each_known() {
    let line = |at: usize| {
        format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"{at}\",\"model\":\"m{}\",\"usage\":{{\"output_tokens\":1}}}}}}\n",
            at % 50_000
        )
    };
    let text: String = (0..100_000).map(line).collect();
    let found = totals(&[("s", &bills(&text))]);
    assert_eq!(
        (found.by_model.len(), found.all.messages),
        (50_000, 100_000)
    );
    assert!(found.by_model.values().all(|sum| sum.messages == 2));
}
