use super::*;

/// The document without the entries of some names.
fn without(text: &str, names: &[&str]) -> String {
    let found = projects(text.as_bytes()).expect("an object");
    let is_one = |member: &Member| names.contains(&text[member.key.clone()].trim_matches('"'));
    let gone: Vec<usize> = (0..found.members.len())
        .filter(|&at| is_one(&found.members[at]))
        .collect();
    String::from_utf8(super::without(&found, text.as_bytes(), &gone)).expect("text")
}

#[test]
fn an_entry_goes_with_its_comma_and_all_else_stays() {
    let text = "{\n  \"a\": {\"projects\": {\"/x\": 1}},\n  \"projects\": {\n    \"/x\": {\n      \"n\": [1, \"},\"]\n    },\n    \"/y\": true,\n    \"/z\": \"w\"\n  },\n  \"/x\": 2\n}\n";
    let head = "{\n  \"a\": {\"projects\": {\"/x\": 1}},\n  \"projects\": {";
    let foot = "},\n  \"/x\": 2\n}\n";
    let (x, y, z) = (
        "\"/x\": {\n      \"n\": [1, \"},\"]\n    }",
        "\"/y\": true",
        "\"/z\": \"w\"",
    );
    for (gone, left) in [
        (&["/x"][..], &[y, z][..]),
        (&["/y"], &[x, z]),
        (&["/z"], &[x, y]),
        (&["/x", "/y"], &[z]),
        (&["/y", "/z"], &[x]),
        (&["/x", "/z"], &[y]),
        (&[], &[x, y, z]),
    ] {
        let left = left.join(",\n    ");
        assert_eq!(
            without(text, gone),
            format!("{head}\n    {left}\n  {foot}"),
            "{gone:?}"
        );
    }
    assert_eq!(without(text, &["/x", "/y", "/z"]), format!("{head}{foot}"));
}

#[test]
fn what_is_no_object_of_projects_gives_none() {
    for text in [
        "",
        "[]",
        "{\"projects\": 1}",
        "{\"a\": 1}",
        "{\"projects\": {\"/x\": 1",
        "{\"projects\" {}}",
    ] {
        assert_eq!(projects(text.as_bytes()), None, "{text}");
    }
    assert_eq!(
        without("\u{FEFF}{\"projects\":{\"/x\":1}}", &["/x"]),
        "\u{FEFF}{\"projects\":{}}"
    );
}
