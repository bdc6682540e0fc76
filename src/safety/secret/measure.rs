//! Measures of a value: how many bits a byte of it carries, which characters it is made of, the
//! checksum that some issuers put at the end.

/// Bits a byte, by how often each stands in the value.
pub fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    #[allow(clippy::cast_precision_loss)] // a value has some hundred bytes
    let all = value.len() as f64;
    let bits = counts.iter().filter(|count| **count > 0).map(|count| {
        let share = f64::from(*count) / all;
        -share * share.log2()
    });
    bits.sum()
}

/// How many different bytes there are.
pub fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in value {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count()
}

/// Which characters a value is made of, and how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Classes {
    pub lower: usize,
    pub upper: usize,
    pub digits: usize,
    /// Neither letters nor digits nor what joins words.
    pub signs: usize,
}

impl Classes {
    pub fn of(value: &str) -> Self {
        let mut classes = Self::default();
        for c in value.chars() {
            match c {
                'a'..='z' => classes.lower += 1,
                'A'..='Z' => classes.upper += 1,
                '0'..='9' => classes.digits += 1,
                '-' | '_' | '.' | '/' | ':' => {}
                _ => classes.signs += 1,
            }
        }
        classes
    }

    pub fn letters(self) -> usize {
        self.lower + self.upper
    }

    /// How many of them there are.
    pub fn count(self) -> usize {
        let all = [self.lower, self.upper, self.digits, self.signs];
        all.into_iter().filter(|many| *many > 0).count()
    }
}

pub fn is_hex(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// 8-4-4-4-12 hexadecimal digits.
pub fn is_uuid(value: &str) -> bool {
    let mut parts = value.split('-');
    let fits = [8, 4, 4, 4, 12].into_iter().all(|long| {
        parts
            .next()
            .is_some_and(|part| part.len() == long && is_hex(part))
    });
    fits && parts.next().is_none()
}

/// CRC-32 as zip files have it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let low = (crc & 1).wrapping_neg();
            crc = (crc >> 1) ^ (0xEDB8_8320 & low);
        }
    }
    !crc
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The six digits of base 62 that GitHub and npm put behind the thirty of their tokens.
pub fn base62_crc32(bytes: &[u8]) -> [u8; 6] {
    let mut rest = crc32(bytes);
    let mut out = [b'0'; 6];
    for digit in out.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    out
}
