use super::*;

fn url(base: &str, ask: Ask) -> String {
    Endpoint::read(base).unwrap().url(ask).to_string()
}

/// LL07: with and without `/v1`, slashes, a path, a whole endpoint.
#[test]
fn ll07_each_form_of_a_base_gives_the_address_that_is_meant() {
    let table = include_str!("../../tests/fixtures/LL07/urls.tsv");
    let mut seen = 0;
    for line in table.lines() {
        let (base, wanted) = line.split_once('\t').unwrap();
        assert_eq!(url(base, Ask::Messages), wanted, "{base}");
        seen += 1;
    }
    assert_eq!(seen, 8);
}

#[test]
fn ll07_a_query_and_a_whole_endpoint_are_kept() {
    for (base, ask, wanted) in [
        (
            "https://h/v1?k=v",
            Ask::Messages,
            "https://h/v1/messages?k=v",
        ),
        (
            "https://h/v1/messages/?k=v",
            Ask::CountTokens,
            "https://h/v1/messages/count_tokens?k=v",
        ),
        (
            "https://h/x/messages",
            Ask::Messages,
            "https://h/x/messages",
        ),
        (
            "https://h/v1beta/openai/chat/completions",
            Ask::Chat,
            "https://h/v1beta/openai/chat/completions",
        ),
        (
            "https://h/v1beta/openai/chat/completions",
            Ask::Models,
            "https://h/v1beta/openai/models",
        ),
        (
            "http://localhost:11434",
            Ask::Chat,
            "http://localhost:11434/v1/chat/completions",
        ),
        (
            "http://localhost:11434/v1/",
            Ask::Models,
            "http://localhost:11434/v1/models",
        ),
        (
            "http://localhost:8080/v1",
            Ask::Props,
            "http://localhost:8080/props",
        ),
        (
            " https://h/api/v1 ",
            Ask::Chat,
            "https://h/api/v1/chat/completions",
        ),
        ("https://h/#x", Ask::Chat, "https://h/v1/chat/completions"),
    ] {
        assert_eq!(url(base, ask), wanted, "{base}");
    }
}

#[test]
fn what_is_no_base_is_told_without_what_may_be_secret_in_it() {
    for (base, part) in [
        ("localhost:8080", "must begin with http:// or https://"),
        ("h.example", "is no address"),
        ("", "is no address"),
        ("ftp://h", "must begin with"),
        (
            "https://me:letmein@h/v1?key=letmein",
            "holds a user or a password",
        ),
        ("https://me:letmein@h:99999/", "is no address"),
        ("letmein@h?key=letmein", "is no address"),
        ("https://me:ge/letmein@h", "is no address"),
    ] {
        let said = Endpoint::read(base).unwrap_err().to_string();
        assert!(said.contains(part), "{said}");
        assert!(!said.contains("letmein"), "{said}");
    }
}

#[test]
fn what_is_shown_holds_no_value_of_a_query() {
    let endpoint = Endpoint::read("https://h:8443/a/v1/?key=letmein&x").unwrap();
    assert_eq!(endpoint.to_string(), "https://h:8443/a?key=…&…");
    assert_eq!(
        format!("{endpoint:?}"),
        "Endpoint(https://h:8443/a?key=…&…)"
    );
    assert_eq!(endpoint.host(), "h:8443");
}

#[test]
fn this_machine_is_known_by_its_names() {
    for (base, here) in [
        ("http://localhost:1", true),
        ("http://127.0.0.2", true),
        ("http://[::1]:8080", true),
        ("http://localhost.example", false),
        ("http://10.0.0.1", false),
    ] {
        assert_eq!(Endpoint::read(base).unwrap().is_here(), here, "{base}");
    }
}
