use super::*;
use crate::context::fixture_for_tests::{CASES, fixtures};
use crate::memory::{index, load};
use crate::store::sha256;

#[test]
fn each_version_is_held_once_and_the_newest_comes_first() {
    let names: Vec<&str> = versions()
        .iter()
        .map(|version| version.name.as_str())
        .collect();
    let expected = [
        "2.1.332", "2.1.300", "2.1.270", "2.1.220", "2.1.112", "2.1.63", "2.0.77",
    ];
    assert_eq!(names, expected);
    assert_eq!(newest().name, "2.1.332");
    // Our own defaults are those of the newest.
    assert_eq!(newest().instructions, instructions::Manner::default());
    assert_eq!(newest().index, Some(load::Manner::default()));
}

#[test]
fn a_version_that_is_not_held_is_taken_for_the_one_before_it() {
    let of = |name: &str| version(name).map(|(version, own)| (version.name.as_str(), own));
    assert_eq!(of("2.1.270"), Some(("2.1.270", true)));
    assert_eq!(of("2.1.299"), Some(("2.1.270", false)));
    assert_eq!(of("2.2.0"), Some(("2.1.332", false)));
    assert_eq!(of("1.0.0"), Some(("2.0.77", false)));
    assert_eq!(of("newest"), None);
    assert_eq!(of("2.1"), None);
    assert_eq!(of("2.1.3.4"), None);
}

#[test]
fn every_index_case_gives_the_text_and_the_warning_of_each_version() {
    let mut seen = 0;
    for case in CASES["index_by_version"].as_array().expect("cases") {
        let file = case["input_file"].as_str().expect("a file");
        let bytes = std::fs::read(fixtures().join(file)).expect("the input");
        for (name, expected) in case["by_version"].as_object().expect("versions") {
            let (held, own) = version(name).expect("a version");
            assert!(own, "{name} is held");
            let about = format!("{} {name}", case["label"]);
            let loaded = held
                .index
                .map(|manner| load::load_as(&index::decode(&bytes), manner));
            let loaded = loaded.unwrap_or_default();
            if expected["index_injected"] == false {
                assert_eq!(loaded.text, "", "{about}");
                continue;
            }
            assert_eq!(
                sha256(loaded.text.as_bytes()),
                expected["kept_sha256"],
                "{about}"
            );
            assert_eq!(
                loaded.warning.as_deref(),
                expected["warning"].as_str(),
                "{about}"
            );
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} cases");
}
