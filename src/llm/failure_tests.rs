use super::*;

fn status(status: u16, kind: &str) -> Failure {
    let kind = kind.to_string();
    Failure::new(What::Status { status, kind }, "POST https://h/v1/messages")
}

#[test]
fn a_failure_says_what_where_and_what_to_do() {
    let mut failure = status(529, "overloaded_error").saying("Overloaded.");
    failure.tries = 5;
    assert_eq!(
        failure.to_string(),
        "the server is overloaded (529 overloaded_error), POST https://h/v1/messages: Overloaded; tried 5 times; \
         try again in a while"
    );
    assert_eq!(
        status(404, "").to_string(),
        "no such model, or no API at this address (404), POST https://h/v1/messages; see base_url, provider and \
         main below [model] in config.toml; `loci model` shows what holds"
    );
    let mut limited = status(429, "rate_limit_error");
    limited.retry_after = Some(Duration::from_mins(5));
    assert!(
        limited
            .to_string()
            .contains("; the server asks to wait 300 s; ")
    );
    let key = Failure::new(What::Key("the key holds a blank".to_string()), "");
    assert_eq!(key.to_string(), "the key holds a blank");
}

#[test]
fn only_what_may_pass_is_tried_again() {
    for passing in [429, 500, 502, 503, 529] {
        assert!(status(passing, "").is_passing(), "{passing}");
    }
    for lasting in [400, 401, 402, 403, 404, 405, 408, 409, 413, 422] {
        assert!(!status(lasting, "").is_passing(), "{lasting}");
    }
    let passing = |what| Failure::new(what, "").is_passing();
    assert!(passing(What::Cut) && passing(What::Unreachable));
    assert!(passing(What::Late(Deadline::Between)));
    assert!(passing(What::InStream("overloaded_error".to_string())));
    assert!(!passing(What::InStream(
        "invalid_request_error".to_string()
    )));
    assert!(!passing(What::Tls) && !passing(What::NoKey));
}

#[test]
fn a_server_s_words_are_cut_to_what_can_be_read() {
    let failure = status(500, "").saying("é".repeat(5_000));
    assert_eq!(failure.detail.as_ref().unwrap().chars().count(), DETAIL + 1);
    assert_eq!(status(500, "").saying("  \n").detail, None);
    let lines = status(500, "").saying(" a\n\tb \r\n");
    assert_eq!(lines.detail.as_deref(), Some("a b"));
}

#[test]
fn what_others_say_can_be_changed_wherever_it_stands() {
    let failure = status(500, "geheim_error").saying("no geheim");
    let said = failure
        .foreign(|text| text.replace("geheim", "[key]"))
        .to_string();
    assert!(
        said.contains("500 [key]_error") && said.contains("no [key]"),
        "{said}"
    );
    let long = status(500, &"x".repeat(5_000)).foreign(ToString::to_string);
    assert!(long.to_string().len() < 300);
}
