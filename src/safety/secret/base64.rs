//! Base 64 in both alphabets, as far as a rule has to look into it.

/// The bytes of a text, padded or not; `None`: it is none.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    if text.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in text.bytes() {
        held = (held << 6) | u32::from(six(byte)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.extend(u8::try_from(held >> bits));
            held &= (1 << bits) - 1;
        }
    }
    Some(out)
}

fn six(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}
