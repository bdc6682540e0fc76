use super::*;
use crate::context::fixture_for_tests::CASES;
use crate::context::observed::data::version;

fn window_of(name: &str, model: &str, vars: &[(&str, &str)]) -> Window {
    let vars = vars
        .iter()
        .map(|(key, value)| ((*key).to_string(), (*value).to_string()))
        .collect();
    let around = Circumstances {
        vars: &vars,
        off_by_setting: None,
    };
    let (version, _) = version(name).expect("a version");
    window(version, model, around)
}

/// The usage that was measured is 2 below the client's own estimate, which counts the new prompt.
const PROMPT: u64 = 2;

#[test]
fn every_threshold_that_was_measured() {
    let mut seen = 0;
    for (name, files) in CASES["autocompact"].as_object().expect("versions") {
        let cases = files.as_object().expect("files").values();
        for case in cases.flat_map(|file| file.as_array().expect("cases")) {
            let Some(model) = case["model"].as_str() else {
                continue;
            };
            let vars: Vec<(&str, &str)> = case["env"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.as_str(), value.as_str().expect("a text")))
                .collect();
            let window = window_of(name, model, &vars);
            assert!(window.seen, "{case}");
            seen += 1;
            if let Some(least) = case["min_compacting"].as_u64() {
                let at = usize::try_from(least + PROMPT).expect("tokens");
                assert_eq!(window.compacts, AutoCompact::At(at), "{case}");
            } else if model == "claude-opus-5-5" {
                // 968,000 did not compact: the conversation was too short (FINDINGS 6.5).
                assert_eq!(window.compacts, AutoCompact::At(967_000), "{case}");
            } else {
                assert_eq!(window.compacts, AutoCompact::WhenRefused, "{case}");
            }
        }
    }
    assert_eq!(seen, 9);
}

#[test]
fn every_window_that_the_client_showed() {
    for (name, models) in CASES["context_windows_by_slash_context"]
        .as_object()
        .expect("versions")
    {
        for (model, rows) in models.as_object().expect("models") {
            let rows: Vec<&str> = rows
                .as_array()
                .expect("rows")
                .iter()
                .filter_map(|row| row.as_str())
                .collect();
            let window = window_of(name, model, &[]);
            let million = rows[0].contains("/ 1m");
            assert_eq!(
                window.tokens,
                if million { 1_000_000 } else { 200_000 },
                "{name} {model}"
            );
            let buffer = rows
                .iter()
                .any(|row| row.contains("Autocompact buffer | 33k"));
            let at = AutoCompact::At(window.tokens - 33_000);
            assert_eq!(window.compacts == at, buffer, "{name} {model}");
        }
    }
}

#[test]
fn a_window_that_is_not_known_is_told_with_the_reason_for_its_figure() {
    let told = |version: &str, model: &str, vars: &[(&str, &str)]| {
        let window = window_of(version, model, vars);
        (window.tokens, window.unknown)
    };
    for model in ["claude-opus-5-5", "claude-opus-5", "claude-sonnet-4-6[1m]"] {
        assert_eq!(told("2.1.332", model, &[]).1, None, "{model}");
    }
    let said = "the window of my-model is not known: 1,000,000 tokens are taken because version 2.1.332 of the \
                client was seen to take so many for a name that it does not know";
    assert_eq!(
        told("2.1.332", "my-model", &[]),
        (1_000_000, Some(said.to_string()))
    );
    let said = "the window of my-model is not known: 200,000 tokens are taken because version 2.1.112 of the \
                client was seen to take so many for a name that it does not know";
    assert_eq!(
        told("2.1.112", "my-model", &[]),
        (200_000, Some(said.to_string()))
    );
    let said = "the window of claude-opus-50[1m] is not known: 1,000,000 tokens are taken because its name ends \
                with [1m]";
    assert_eq!(
        told("2.1.112", "claude-opus-50[1m]", &[]),
        (1_000_000, Some(said.to_string()))
    );
    let said = "the window of my-model is not known: 200,000 tokens are taken because \
                CLAUDE_CODE_DISABLE_1M_CONTEXT is set in the environment";
    let vars = [("CLAUDE_CODE_DISABLE_1M_CONTEXT", "1")];
    assert_eq!(
        told("2.1.332", "my-model", &vars),
        (200_000, Some(said.to_string()))
    );
}

#[test]
fn what_switches_it_off_is_named() {
    let off = |vars: &[(&str, &str)]| window_of("2.1.332", "claude-opus-5-5", vars).compacts;
    for name in ["DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"] {
        let said = format!("{name} is set in the environment");
        assert_eq!(off(&[(name, "1")]), AutoCompact::Off(said));
        assert_eq!(off(&[(name, "0")]), AutoCompact::At(967_000));
    }
    let vars = BTreeMap::new();
    let around = Circumstances {
        vars: &vars,
        off_by_setting: Some("autoCompactEnabled in /home/u/.claude/settings.json"),
    };
    let (version, _) = version("2.1.332").expect("a version");
    let compacts = window(version, "claude-opus-5-5", around).compacts;
    let said = "autoCompactEnabled in /home/u/.claude/settings.json".to_string();
    assert_eq!(compacts, AutoCompact::Off(said));
}

#[test]
fn where_it_was_not_measured_that_is_told() {
    assert!(!window_of("2.1.300", "claude-opus-5-5", &[]).seen);
    assert_eq!(window_of("2.1.63", "claude-opus-4-6", &[]).tokens, 200_000);
}
