use super::*;

fn provider(settings: &Model, vars: &[(&str, &str)]) -> Result<Provider, Failure> {
    let pair = |(name, value): &(&str, &str)| ((*name).to_string(), (*value).to_string());
    let vars = vars.iter().map(pair).collect();
    Provider::from(settings, &vars, Path::new("/home/u"))
}

fn headers(provider: &Provider) -> Vec<String> {
    let key = Key::read("k1").unwrap();
    let headers = provider.headers(key.as_ref()).unwrap();
    headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .filter(|line| line.contains("k1"))
        .collect()
}

#[test]
fn nothing_set_up_is_said() {
    let failure = provider(&Model::default(), &[("ANTHROPIC_API_KEY", " ")]).unwrap_err();
    assert_eq!(failure.what, What::NotSetUp);
    // A name alone says nobody to ask.
    let named = Model {
        main: Some("m".to_string()),
        ..Model::default()
    };
    assert_eq!(provider(&named, &[]).unwrap_err().what, What::NotSetUp);
}

#[test]
fn the_environment_of_anthropic_s_own_programs_is_honoured() {
    let key = provider(&Model::default(), &[("ANTHROPIC_API_KEY", "k")]).unwrap();
    assert_eq!(key.endpoint.to_string(), "https://api.anthropic.com");
    assert_eq!(key.endpoint_from, From::Default);
    assert_eq!(key.key.to_string(), "ANTHROPIC_API_KEY");
    assert_eq!(headers(&key), ["x-api-key: k1"]);
    let vars = [
        ("ANTHROPIC_API_KEY", "k"),
        ("ANTHROPIC_AUTH_TOKEN", "t"),
        ("ANTHROPIC_BASE_URL", "https://gate/v1/"),
    ];
    let token = provider(&Model::default(), &vars).unwrap();
    assert_eq!(token.key.to_string(), "ANTHROPIC_AUTH_TOKEN");
    assert_eq!(token.endpoint.to_string(), "https://gate");
    assert_eq!(token.endpoint_from.word(), "ANTHROPIC_BASE_URL");
    assert_eq!(headers(&token), ["authorization: Bearer k1"]);
}

#[test]
fn our_own_configuration_goes_before_the_environment() {
    let settings = Model {
        base_url: Some("http://localhost:1".to_string()),
        key_file: Some("~/k".to_string()),
        ..Model::default()
    };
    let vars = [
        ("ANTHROPIC_API_KEY", "k"),
        ("ANTHROPIC_BASE_URL", "https://gate"),
    ];
    let own = provider(&settings, &vars).unwrap();
    assert_eq!(own.endpoint.to_string(), "http://localhost:1");
    assert_eq!(own.endpoint_from, From::Config);
    assert_eq!(own.key.to_string(), "key_file /home/u/k");
    assert_eq!(headers(&own), ["x-api-key: k1", "authorization: Bearer k1"]);
    let command = Model {
        key_command: Some("pass x".to_string()),
        ..settings
    };
    let own = provider(&command, &vars).unwrap();
    assert_eq!(own.key.to_string(), "key_command \"pass x\"");
}

/// A key of one provider is not sent to another.
#[test]
fn a_server_of_the_other_protocol_gets_no_key_of_anthropic_s() {
    let settings = Model {
        provider: Some(Protocol::OpenAi),
        ..Model::default()
    };
    let vars = [
        ("ANTHROPIC_API_KEY", "k"),
        ("ANTHROPIC_AUTH_TOKEN", "t"),
        ("ANTHROPIC_BASE_URL", "https://gate"),
    ];
    let bare = provider(&settings, &vars).unwrap();
    assert_eq!(bare.key, Source::None);
    assert_eq!(bare.endpoint.to_string(), "https://api.openai.com");
    let said = bare.headers(None).unwrap_err().to_string();
    assert!(
        said.starts_with("no key is set; set OPENAI_API_KEY"),
        "{said}"
    );
    let vars = [
        ("OPENAI_API_KEY", "k"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:1"),
    ];
    let here = provider(&settings, &vars).unwrap();
    assert_eq!(headers(&here), ["authorization: Bearer k1"]);
    // A server of the person's own may need none.
    assert_eq!(here.headers(None).unwrap().len(), 1);
}

#[test]
fn only_the_makers_insist_on_a_key() {
    let official = provider(&Model::default(), &[("ANTHROPIC_API_KEY", "k")]).unwrap();
    assert_eq!(official.headers(None).unwrap_err().what, What::NoKey);
    let gate = provider(&Model::default(), &[("ANTHROPIC_BASE_URL", "http://gate")]).unwrap();
    assert_eq!(gate.headers(None).unwrap().len(), 2);
    assert_eq!(gate.warnings().len(), 1);
    assert_eq!(official.warnings(), Vec::<String>::new());
}
