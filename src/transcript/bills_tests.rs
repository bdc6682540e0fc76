use super::*;
use crate::transcript::digest::Digest;

fn bills(lines: &[String]) -> Bills {
    let text = lines.concat();
    let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    digest.bills
}

/// `id`: what tells the line apart, as a member each.
fn line(time: &str, id: &str, message: &str, output: u64) -> String {
    let time = match time {
        "" => String::new(),
        time => format!("\"timestamp\":\"{time}\","),
    };
    format!(
        "{{\"type\":\"assistant\",{time}{id}\"message\":{{{message}\"usage\":{{\"output_tokens\":{output}}}}}}}\n"
    )
}

fn outputs(bills: &Bills) -> Vec<u64> {
    bills.all().iter().map(|bill| bill.usage.output).collect()
}

#[test]
fn a_day_is_a_date_in_utc_or_not_known() {
    for (time, day) in [
        ("2026-11-29T23:30:00.000Z", "2026-11-29"),
        ("2026-11-29T23:30:00-05:00", "2026-11-30"),
        ("2026-11-30T00:30:00+02:00", "2026-11-29"),
        ("2026-11-29T23:30:00", "2026-11-29"),
        ("2026-11-29", "2026-11-29"),
        ("2024-02-29T00:00:00Z", "2024-02-29"),
        ("2026-02-29T00:00:00Z", ""),
        ("2026-13-45", ""),
        ("2026-13-45T10:00:00Z", ""),
        ("xxxxxxxxxx", ""),
        ("1930000000", ""),
        ("-000044-03-15T10:00:00Z", ""),
        ("", ""),
    ] {
        let bills = bills(&[line(time, "", "\"id\":\"a\",", 1)]);
        assert_eq!(bills.day(&bills.all()[0]), day, "{time}");
    }
}

/// A message without an id is told by its line, so that a copy of it is the same message.
#[test]
fn a_message_without_an_id_is_told_by_its_line_or_its_time() {
    let time = "2031-02-01T10:00:00Z";
    let all = bills(&[
        line(time, "\"uuid\":\"u\",", "", 1),
        line(time, "\"uuid\":\"u\",", "", 2),
        line(time, "\"uuid\":\"v\",", "", 4),
        line(time, "", "", 8),
        line(time, "", "", 16),
        line(time, "", "", 16),
        line("", "", "", 32),
        line("", "", "", 32),
    ]);
    assert_eq!(outputs(&all), [2, 4, 8, 16, 32, 32]);
    assert_eq!(best([all].iter()).len(), 4);
}

#[test]
fn what_is_merged_twice_is_there_once() {
    let named = |id: &str, output| {
        line(
            "2031-02-01T10:00:00Z",
            "",
            &format!("\"id\":\"{id}\","),
            output,
        )
    };
    let nameless = || line("", "", "", 5);
    let mut all = bills(&[named("a", 1), named("b", 7), nameless()]);
    let other = bills(&[
        named("c", 4),
        named("a", 3),
        named("b", 2),
        nameless(),
        nameless(),
    ]);
    assert!(all.merge(&other));
    assert_eq!(outputs(&all), [3, 7, 5, 4, 5]);
    let once = all.clone();
    assert!(!all.merge(&other));
    assert_eq!(all, once);
    // What the other does not have.
    all.keep_new_to(&bills(&[named("c", 9), nameless()]));
    assert_eq!(outputs(&all), [3, 7, 5]);
}
