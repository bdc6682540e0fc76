//! Project keys: the folder name that the reference client makes of a path (observed, 2.1.332).
//! A key can't be turned back into a path, and two paths can share one.

/// A longer key is cut to this many characters and told apart by a hash.
pub const MAX_PLAIN_UNITS: usize = 200;

/// The key of a path: every UTF-16 unit outside `[A-Za-z0-9]` becomes `-`, nothing is normalised.
/// Over 200 units: the first 200, `-`, and base 36 of |h|, h = the 32-bit `h*31 + unit` over the
/// units of the path itself.
#[must_use]
pub fn encode(path: &str) -> String {
    let mut key = String::with_capacity(path.len());
    let mut hash = 0_i32;
    for unit in path.encode_utf16() {
        hash = hash.wrapping_mul(31).wrapping_add(i32::from(unit));
        let plain = u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric);
        key.push(plain.map_or('-', char::from));
    }
    if key.len() > MAX_PLAIN_UNITS {
        key.truncate(MAX_PLAIN_UNITS);
        key.push('-');
        key.push_str(&base36(hash.unsigned_abs()));
    }
    key
}

/// Whether a folder of this name may be that of a path: it is its key; of a long path only the first
/// 200 characters count, because versions differ in what follows; of a path of Windows the case
/// doesn't, because its drive is written both ways.
#[must_use]
pub fn is_of(key: &str, path: &str) -> bool {
    let own = encode(path);
    let (key, own) = match (key.get(..MAX_PLAIN_UNITS), own.get(..MAX_PLAIN_UNITS)) {
        (Some(front), Some(own)) if key.len() > MAX_PLAIN_UNITS => (front, own),
        _ => (key, own.as_str()),
    };
    own == key || (is_windows_path(path) && own.eq_ignore_ascii_case(key))
}

/// Whether a path is of Windows: a drive (`E:\…`) or a share (`\\server\…`). Such a path is never
/// looked up here, and two forms of one share are never taken for the same.
#[must_use]
pub fn is_windows_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive = matches!(bytes, [letter, b':', slash, ..] if letter.is_ascii_alphabetic() && matches!(slash, b'\\' | b'/'));
    drive || path.starts_with(r"\\")
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = number % 36;
        digits.push(char::from_digit(digit, 36).expect("a remainder of 36 is a digit of base 36"));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
