use super::*;

#[test]
fn windows_and_share_paths_encode_as_listed() {
    // Case PA19.
    for row in include_str!("../../tests/fixtures/PA19/vectors.tsv").lines() {
        let (path, key) = row.split_once('\t').expect("a row is path, tab, key");
        assert_eq!(encode(path), key);
        assert!(is_windows_path(path));
    }
    assert!(!is_windows_path("/srv/a\\b"));
}

#[test]
fn a_share_is_not_its_mount() {
    assert_ne!(
        encode(r"\\wsl.localhost\Ubuntu\srv\demo"),
        encode("/srv/demo")
    );
}

#[test]
fn units_not_characters_are_counted() {
    assert_eq!(encode("/srv/p🚀x"), "-srv-p--x");
    assert_eq!(encode("/srv/cafe\u{301}"), "-srv-cafe-");
    assert_eq!(encode("/"), "-");
}

#[test]
fn a_long_path_ends_in_a_hash_of_the_path_itself() {
    let path = format!("/srv/{}", "a".repeat(195));
    assert_eq!(encode(&path).len(), 200);
    let with = |last: char| {
        encode(&format!(
            "/srv/{}/{}{last}",
            "b".repeat(100),
            "é".repeat(100)
        ))
    };
    assert_eq!(with('.')[..201], with('_')[..201]);
    assert_ne!(with('.'), with('_'));
    assert!(with('.')[200..].starts_with('-'));
}
