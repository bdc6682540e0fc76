//! What only stands for a secret: placeholders, references to a variable or a vault, names in words.

use super::measure;

/// What a placeholder holds, in lower case.
const HOLDS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "xxxx",
    "****",
    "....",
    "…",
    "${",
    "$(",
    "{{",
    "%(",
    "#{",
    "your-",
    "your_",
    "yourapi",
    "yourtoken",
    "yourkey",
    "yoursecret",
    "yourpass",
    "my-secret",
    "my_secret",
    "mysecret",
    "not-a-real",
    "notareal",
    "dummy",
    "todo:",
    super::MASK,
];

/// What begins one.
const BEGINS: &[char] = &['$', '<', '{', '%', '[', '(', '…', '@', '&', '*'];

/// What is written where a value will stand, and the passwords that come with a program, in lower case.
const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "pass",
    "secret",
    "token",
    "key",
    "value",
    "none",
    "null",
    "nil",
    "true",
    "false",
    "undefined",
    "string",
    "required",
    "optional",
    "default",
    "empty",
    "unset",
    "hidden",
    "masked",
    "admin",
    "root",
    "guest",
    "user",
    "username",
    "postgres",
    "mysql",
    "test",
    "testing",
    "foobar",
    "letmein",
    "s3cret",
    "s3cr3t",
    "passw0rd",
    "p4ssw0rd",
    "password1",
    "password123",
    "pass123",
    "secret123",
    "token123",
    "test123",
    "test1234",
    "admin123",
    "abc123",
    "argon2",
    "argon2id",
    "bcrypt",
    "scrypt",
    "pbkdf2",
    "sha256",
    "sha512",
    "hmac",
    "oauth2",
    "base64",
    "md5",
    "1password",
    "bitwarden",
    "keychain",
    "bearer",
    "basic",
];

/// Whether a value is a placeholder or a reference.
pub fn is(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let bytes = lower.as_bytes();
    let steps = || {
        bytes
            .windows(2)
            .all(|two| two[1] == two[0].wrapping_add(1) || two == b"90")
    };
    value.starts_with(BEGINS)
        || measure::distinct(bytes) < 3
        || WORDS.contains(&lower.as_str())
        || HOLDS.iter().any(|sign| lower.contains(sign))
        || (bytes.len() > 2 && steps())
}

/// Whether a value is a name in words: `kv/team/service`, `my-api-key-2`, `config.token`.
pub fn is_name(value: &str) -> bool {
    let is_joint = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':');
    let mut words = value.split(is_joint).filter(|word| !word.is_empty());
    words.all(is_word)
}

/// Letters, capitals only where a word may have them, and a short number behind.
fn is_word(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - letters.len();
    if letters.is_empty() {
        return digits <= 4;
    }
    let plain = letters.chars().all(|c| c.is_ascii_lowercase());
    let capitals = letters.chars().all(|c| c.is_ascii_uppercase());
    digits <= 2 && (plain || capitals || is_camel(letters))
}

/// `accessToken`, `ApiKey`: each capital begins a word of three letters at least on the average.
fn is_camel(letters: &str) -> bool {
    let capitals = letters.chars().filter(char::is_ascii_uppercase).count();
    letters.chars().all(|c| c.is_ascii_alphabetic()) && capitals * 3 <= letters.len()
}
