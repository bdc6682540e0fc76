use std::path::Path;

use crate::config::settings::Settings;

use super::*;

fn read(text: &str) -> (Prices, Vec<String>) {
    let file = TomlFile::parse(Path::new("/c/config.toml"), text).expect("TOML");
    let (settings, faults) = Settings::from(&file, |_| false, |_| true);
    let said = faults.iter().map(ToString::to_string).collect();
    (settings.prices, said)
}

#[test]
fn what_a_row_lacks_follows_from_its_base_price() {
    let (prices, faults) = read("[prices.\"claude-opus\"]\ninput = 5\noutput = 25.0\n");
    assert!(faults.is_empty(), "{faults:?}");
    let price = Price {
        input: 5_000_000,
        output: 25_000_000,
        cache_write_5m: 6_250_000,
        cache_write_1h: 10_000_000,
        cache_read: 500_000,
    };
    assert_eq!(prices.of("claude-opus-5-5"), Some(&price));
    assert_eq!(prices.of("claude-sonnet-5-5"), None);
}

#[test]
fn the_longest_beginning_of_a_name_counts() {
    let text = "[prices.claude]\ninput = 1\noutput = 1\n[prices.\"claude-opus-4\"]\ninput = 15\noutput = 75\n\
                cache_read = 0.3\ncache_write_5m = 1\ncache_write_1h = 2\n";
    let (prices, _) = read(text);
    assert_eq!(
        prices.of("claude-opus-4-6").expect("a row").input,
        15_000_000
    );
    assert_eq!(
        prices.of("claude-opus-4-6").expect("a row").cache_read,
        300_000
    );
    assert_eq!(prices.of("claude-opus-5").expect("a row").input, 1_000_000);
    // What is printed says the same.
    let (again, faults) = read(&prices.to_toml());
    assert_eq!((again, faults), (prices, Vec::new()));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let (prices, faults) = read(
        "[prices.a]\ninput = \"3\"\noutput = 1\n[prices.b]\ninput = -1\noutput = 1\nrebate = 2\n[prices]\nc = 3\n",
    );
    assert_eq!(prices, Prices::default());
    let expected = [
        "/c/config.toml:2: input must be US dollars a million tokens, like 3 or 0.3; it is left out",
        "/c/config.toml:1: [prices.\"a\"] needs input and output; the row is left out",
        "/c/config.toml:5: input must be US dollars a million tokens, like 3 or 0.3; it is left out",
        "/c/config.toml:7: rebate is no price: a row has input, output, cache_write_5m, cache_write_1h, \
         cache_read; it is left out",
        "/c/config.toml:4: [prices.\"b\"] needs input and output; the row is left out",
        "/c/config.toml:9: [prices] c must be a table, [prices.\"c\"]; it is left out",
    ];
    for said in expected {
        assert!(
            faults.iter().any(|fault| fault == said),
            "{said}\n{faults:#?}"
        );
    }
    assert_eq!(faults.len(), expected.len());
}
