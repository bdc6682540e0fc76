//! A transcript of any size that lies nowhere: parts, each so many times; it counts what is read of it.

use std::cell::Cell;
use std::io;

use super::source::Source;

pub struct Made {
    parts: Vec<(Vec<u8>, u64)>,
    pub read: Cell<u64>,
}

impl Made {
    pub fn of(parts: &[(&str, u64)]) -> Self {
        let parts = parts
            .iter()
            .map(|(text, times)| (text.as_bytes().to_vec(), *times));
        Self {
            parts: parts.collect(),
            read: Cell::new(0),
        }
    }

    pub fn length(&self) -> u64 {
        let lengths = self
            .parts
            .iter()
            .map(|(text, times)| text.len() as u64 * times);
        lengths.sum()
    }
}

impl Source for Made {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut at = at;
        for (text, times) in &self.parts {
            let length = text.len() as u64 * times;
            if at < length {
                let count = usize::try_from((length - at).min(bytes.len() as u64)).unwrap();
                let begin = usize::try_from(at % text.len() as u64).unwrap();
                let mut filled = 0;
                while filled < count {
                    let from = if filled == 0 { begin } else { 0 };
                    let step = (text.len() - from).min(count - filled);
                    bytes[filled..filled + step].copy_from_slice(&text[from..from + step]);
                    filled += step;
                }
                self.read.set(self.read.get() + count as u64);
                return Ok(count);
            }
            at -= length;
        }
        Ok(0)
    }
}
