//! No line here may match a rule: values are put together when a test runs.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

/// Text that looks drawn by lot, always the same: `long` characters of `alphabet`.
fn drawn(alphabet: &str, long: usize, seed: u64) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state >> 33) as usize % alphabet.len()]
    };
    (0..long).map(|_| next()).collect()
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";

fn hex(long: usize, seed: u64) -> String {
    drawn(HEX, long, seed)
}

fn uuid() -> String {
    ["3f2b8c1e", "5d47", "4a90", "8e6f", "0123456789ab"].join("-")
}

/// A token of a shape, as its issuer draws one.
fn token(shape: &shape::Shape, seed: u64) -> String {
    let alphabet = match shape.body {
        shape::Body::Hex => HEX,
        shape::Body::Capitals => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        shape::Body::Alnum | shape::Body::Word | shape::Body::Dotted => LETTERS,
    };
    let mut body = drawn(alphabet, shape.least, seed);
    if shape.check == shape::Check::Crc {
        body.truncate(shape.least - 6);
        let sum = measure::base62_crc32(body.as_bytes());
        body.push_str(std::str::from_utf8(&sum).unwrap());
    }
    [shape.prefix, &body].concat()
}

fn jwt() -> String {
    // {"alg":"HS256","typ":"JWT"} and {"sub":"heron"}
    let head = ["eyJhbGciOiJIUzI1", "NiIsInR5cCI6IkpXVCJ9"].concat();
    let body = ["eyJzdWIiOi", "JoZXJvbiJ9"].concat();
    [head, body, "Qz".repeat(21)].join(".")
}

fn block(lines: usize) -> String {
    let dashes = "-".repeat(5);
    let mut out = [&dashes, "BEGIN PRIVATE", " KEY", &dashes, "\n"].concat();
    for _ in 0..lines {
        let _ = writeln!(out, "MIIdemo{}", "A".repeat(50));
    }
    out + &[&dashes, "END PRIVATE", " KEY", &dashes].concat()
}

/// Texts with a secret each: what it is, the text, the value.
pub(crate) fn planted() -> Vec<(Kind, String, String)> {
    let mut all = Vec::new();
    for (seed, shape) in (1..).zip(shapes::SHAPES) {
        let token = token(shape, seed);
        all.push((Kind::Token(shape.name), format!("see {token} there"), token));
    }
    let pair = |kind, before: &str, value: &str, after: &str| {
        (kind, [before, value, after].concat(), value.to_string())
    };
    let word = drawn(LETTERS, 24, 7);
    let pass = ["n3st", "Pw9!"].concat();
    all.extend([
        pair(Kind::Jwt, "token = \"", &jwt(), "\"\n"),
        pair(
            Kind::UrlPassword,
            "db is postgres://svc:",
            &pass,
            "@db.example/x",
        ),
        pair(
            Kind::Header,
            "Authorization: Bearer ",
            &"Zx9".repeat(12),
            "\n",
        ),
        pair(Kind::Header, "-H 'authorization: bearer ", &word, "'"),
        pair(
            Kind::Header,
            "Authorization: Basic ",
            &["c3ZjOm4zc3", "RQdzkh"].concat(),
            "\n",
        ),
        pair(Kind::PrivateKey, "private key: ", &hex(64, 3), "\n"),
        pair(
            Kind::PrivateKey,
            "PRIVATE_KEY=",
            &["0x", &hex(64, 4)].concat(),
            "\n",
        ),
        pair(
            Kind::Password,
            "{\"password\": \"",
            &["a\\\"b", "c4-9x"].concat(),
            "\"}",
        ),
        pair(Kind::Named, "NEST_API_TOKEN=", &uuid(), "\n"),
        pair(Kind::Named, "export SERVICE_API_KEY='", &word, "'"),
        pair(
            Kind::Named,
            "aws_secret_access_key = ",
            &drawn(LETTERS, 40, 9),
            "\n",
        ),
        pair(Kind::Named, "{\"clientSecret\": \"", &word, "\"}"),
        pair(Kind::Named, "{\\\"api_key\\\": \\\"", &word, "\\\"}"),
        pair(Kind::Named, "the API key is ", &word, "."),
        pair(Kind::Named, "**Access token**: `", &word, "`"),
        pair(Kind::Named, "| api token | ", &word, " |"),
        pair(Kind::Named, "--token ", &word, " --all"),
        pair(Kind::Named, "const TOKEN: &str = \"", &word, "\";"),
        pair(Kind::Named, "x-api-key: ", &word, "\n"),
        pair(Kind::Named, "SECRET_KEY_BASE=", &hex(64, 5), "\n"),
        pair(
            Kind::Named,
            "AccountKey=",
            &[&drawn(LETTERS, 42, 2), "=="].concat(),
            ";",
        ),
        pair(Kind::Password, "DB_PASSWORD=", &pass, "\n"),
        pair(Kind::Password, "  password: ", &pass, "\n"),
        pair(Kind::Password, "the password is ", &pass, ", he said"),
        pair(Kind::Password, "密码：", &pass, "\n"),
        pair(Kind::Password, "mysql --password=", &pass, " -u svc"),
    ]);
    all
}

fn found(text: &str) -> Vec<(Kind, &str, usize)> {
    let hits = scan(text, &Allowed::default());
    hits.into_iter()
        .map(|hit| (hit.kind, &text[hit.range], hit.line))
        .collect()
}

fn masked_text(text: &str) -> String {
    mask(text, &Allowed::default()).into_owned()
}

#[test]
fn each_kind_is_found_once_with_its_value() {
    for (kind, text, value) in planted() {
        let found = found(&text);
        let names: Vec<_> = found
            .iter()
            .map(|(kind, value, _)| (kind.name(), *value))
            .collect();
        assert_eq!(names, [(kind.name(), value.as_str())], "{text}");
    }
}

#[test]
fn at_most_four_leading_characters_stay() {
    for (_, text, value) in planted() {
        let masked = masked_text(&text);
        assert!(!masked.contains(&value), "{masked}");
        for long in 5..=value.len() {
            if let Some(lead) = value.get(..long).filter(|lead| lead.len() > 4) {
                assert!(!masked.contains(lead), "{lead} of {value} stays: {masked}");
            }
        }
        assert!(masked.contains(MASK));
        assert_eq!(masked_text(&masked), masked);
    }
}

#[test]
fn what_is_no_secret_passes() {
    let long = hex(64, 1);
    let mixed = drawn(LETTERS, 24, 7);
    for text in [
        format!("image sha256:{long}"),
        format!("commit {}", hex(40, 2)),
        format!("https://scan.example/tx/0x{long}"),
        format!("ticket {} closed", uuid()),
        format!("[[session {}]]", uuid()),
        format!("\"integrity\": \"sha512-{}==\"", drawn(LETTERS, 86, 3)),
        format!("docker://alpine:3.19@sha256:{long}"),
        format!("next_page_token: {mixed}"),
        format!("monkey={mixed}"),
        format!("public key: {long}"),
        format!("primary key = {mixed}"),
        "API_KEY=<your key>".to_string(),
        "API_KEY=${SERVICE_API_KEY}".to_string(),
        "API_KEY=$SERVICE_API_KEY_2024".to_string(),
        "token: ${{ secrets.DEPLOY_TOKEN1 }}".to_string(),
        "password: changeme123!".to_string(),
        "password: ********".to_string(),
        "password: see the vault".to_string(),
        "password: argon2id".to_string(),
        "Password: 1Password, vault Shop".to_string(),
        "`STRIPE_WEBHOOK_SECRET_NEXT`: read second".to_string(),
        "secret: kv/team-2/service/db".to_string(),
        "token = next_token2(stream)".to_string(),
        "token = self.lexer.token1".to_string(),
        "let token = config.access_token;".to_string(),
        "max_tokens: 4096, token_count = 12345678".to_string(),
        "password_file=/run/secrets/db1".to_string(),
        "apiKey: process.env.API_KEY1".to_string(),
        "docker login --password-stdin 12".to_string(),
        "the token is rotated monthly, the password is long".to_string(),
        "postgres://user:password@localhost/db".to_string(),
        "postgres://postgres:postgres@localhost/db".to_string(),
        "postgres://svc:$PGPASSWORD@db/x".to_string(),
        "https://host.example:8080/a@b:c".to_string(),
        "Authorization: Bearer $TOKEN".to_string(),
        "Authorization: Bearer <token>".to_string(),
        ["AKIA", "IOSFODNN7", "EXAMPLE"].concat(),
        ["ghp_", &"x".repeat(36)].concat(),
        "sk-learn-has-many-nice-estimators".to_string(),
        "see eyJhbGciOiJIUzI1NiJ9 alone".to_string(),
        [
            "-".repeat(5),
            "BEGIN PRIVATE KEY".to_string(),
            "-".repeat(5),
            "\n...\n".to_string(),
        ]
        .concat(),
    ] {
        assert_eq!(found(&text), [], "{text}");
    }
}

#[test]
fn se01_only_what_is_called_a_private_key_is_one() {
    let last = hex(64, 14);
    let text = format!(
        "---\nname: hashes\ndescription: d\ntype: reference\n---\nimage sha256:{}\ncommit {}\nhttps://scan.example/tx/0x{}\nprivate key: {last}\n",
        hex(64, 11),
        hex(40, 12),
        hex(64, 13),
    );
    assert_eq!(found(&text), [(Kind::PrivateKey, last.as_str(), 9)]);
}

#[test]
fn se02_an_id_is_a_secret_only_by_its_name() {
    let id = uuid();
    let text = format!("NEST_API_TOKEN={id}\nticket {id} closed\n[[session {id}]]\n");
    assert_eq!(found(&text), [(Kind::Named, id.as_str(), 1)]);
}

#[test]
fn se05_each_is_found_with_its_line_and_a_block_is_one() {
    let chat = ["xo", "xb-", "1234567890-", "abcdefGHIJKL"].concat();
    let cloud = ["AK", "IA", "QWERTYUIOPASDFGH"].concat();
    let pass = ["n3st", "Pw9!"].concat();
    let bearer = "Zx9".repeat(12);
    let text = format!(
        "db is postgres://svc:{pass}@db.example/x\nAuthorization: Bearer {bearer}\n{chat}\n{cloud}\n{}\n",
        block(3)
    );
    let found: Vec<_> = found(&text)
        .into_iter()
        .map(|(kind, _, line)| (kind, line))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::UrlPassword, 1),
            (Kind::Header, 2),
            (Kind::Token("Slack token"), 3),
            (Kind::Token("AWS access key"), 4),
            (Kind::PrivateKey, 5),
        ]
    );
    let masked = masked_text(&text);
    assert_eq!(masked.lines().count(), text.lines().count());
    for value in ["n3st", "Zx9Zx", "12345", "QWERT", "MIIdemo"] {
        assert!(!masked.contains(value), "{masked}");
    }
}

#[test]
fn se06_one_value_is_one_finding_of_the_most_specific_kind() {
    let text = format!("token = \"{}\"\n", jwt());
    let hits = scan(&text, &Allowed::default());
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].kind, hits[0].lead(&text)), (Kind::Jwt, "eyJh"));
    assert_eq!(masked_text(&text), "token = \"eyJh[masked:web-token]\"\n");
}

#[test]
fn a_block_is_one_secret_in_quotes_in_one_line_and_when_it_is_cut_off() {
    let in_one = block(3).replace('\n', "\\n");
    let json = format!("{{\"private_key\": \"{in_one}\"}}");
    assert_eq!(found(&json).len(), 1);
    assert!(
        masked_text(&json).ends_with("-----\"}"),
        "{}",
        masked_text(&json)
    );
    let cut: String = block(3)
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    let text = format!("{cut}\nwhat follows is a text\n");
    let masked = masked_text(&text);
    assert!(
        masked.ends_with("\nwhat follows is a text\n") && !masked.contains("MII"),
        "{masked}"
    );
    let numbered: String = block(3)
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{:>6}\t{line}\n", at + 1))
        .collect();
    assert_eq!(found(&numbered).len(), 1);
    assert!(!masked_text(&numbered).contains("MII"));
}

#[test]
fn a_checksum_that_holds_needs_nothing_else_and_one_that_does_not_needs_to_look_drawn() {
    // The token that GitHub itself shows; it opens nothing.
    let body = ["zQWBuTSOoRi4A9spH", "cVY5ncnsDkxkJ0mLq17"].concat();
    assert_eq!(measure::base62_crc32(&body.as_bytes()[..30]), *b"0mLq17");
    assert_eq!(found(&["ghp_", &body].concat()).len(), 1);
    let mut poor = "ab".repeat(15);
    let wrong = ["ghp_", &poor, "ababab"].concat();
    assert_eq!(found(&wrong), []);
    let sum = measure::base62_crc32(poor.as_bytes());
    poor.push_str(std::str::from_utf8(&sum).unwrap());
    assert_eq!(found(&["ghp_", &poor].concat()).len(), 1);
    assert_eq!(found(&["ghp_", &drawn(LETTERS, 36, 4)].concat()).len(), 1);
    assert_eq!(found(&["ghp_", &drawn(LETTERS, 20, 4)].concat()), []);
}

#[test]
fn what_a_person_lets_pass_stays_and_nothing_else() {
    let (_, first, value) = planted().pop().unwrap();
    let (_, second, _) = planted().remove(0);
    let text = format!("{first}\n{second}");
    let hits = scan(&text, &Allowed::default());
    let by_fingerprint = Allowed::new([hits[0].fingerprint(&text)]);
    for allowed in [by_fingerprint, Allowed::new([value.as_str()])] {
        let left = scan(&text, &allowed);
        assert_eq!(left, hits[1..]);
        assert!(mask(&text, &allowed).contains(&value));
    }
    let other = Allowed::new([&value[1..]]);
    assert_eq!(scan(&text, &other).len(), 2);
}

#[test]
fn a_fingerprint_is_the_beginning_of_the_sha_256() {
    // Of "abc", as the standard has it.
    assert_eq!(fingerprint("abc"), "sha256:ba7816bf8f01cfea");
}

#[test]
fn json_stays_json_and_lines_stay_lines() {
    for (_, text, _) in planted() {
        let value = serde_json::json!({"text": text, "more": [text, 7]});
        let masked = masked_text(&value.to_string());
        let back: serde_json::Value = serde_json::from_str(&masked).expect("still JSON");
        assert!(back["text"].as_str().unwrap().contains(MASK), "{masked}");
        assert_eq!(back["more"][1], 7);
    }
}

#[test]
fn a_text_that_is_all_anchors_takes_no_more_than_its_length() {
    // Each would take minutes if what one anchor reads were read again from the next.
    for part in [
        "sk-",
        "eyJ.",
        "token=",
        "token='",
        "://a:",
        "password: ",
        "-----BEGIN PRIVATE KEY-----\n",
        "Bearer ",
        "key key ",
        "ghs_",
    ] {
        let text = part.repeat(400_000 / part.len());
        let _ = scan(&text, &Allowed::default());
    }
}

fn anything() -> impl Strategy<Value = String> {
    let planted = planted();
    let piece = prop_oneof![
        4 => "[ -~\n]{0,12}",
        2 => "[a-z时🪶\u{200B}：]{0,6}",
        2 => prop::sample::select(vec!["token=", "\"", "'", "-----", "BEGIN PRIVATE KEY", "Bearer ", "://", "@", ":", "[masked:", "password: ", "\\n", "\n", "eyJ", ".", "ghp_"]).prop_map(str::to_string),
        3 => prop::sample::select(planted).prop_map(|(_, text, _)| text),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn masking_is_done_after_once_and_keeps_lines(text in anything()) {
        let once = masked_text(&text);
        prop_assert_eq!(&once, &masked_text(&text));
        prop_assert_eq!(found(&once), []);
        prop_assert_eq!(once.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(masked_text(&once), once);
    }

    #[test]
    fn hits_stand_in_order_and_none_in_another(text in anything()) {
        let hits = scan(&text, &Allowed::default());
        for two in hits.windows(2) {
            prop_assert!(two[0].range.end <= two[1].range.start);
            prop_assert!(two[0].line <= two[1].line);
        }
        for hit in hits {
            prop_assert!(hit.lead(&text).chars().count() <= 4);
        }
    }
}
