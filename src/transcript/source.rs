//! Where the bytes of a transcript come from: a place in it can be read without what stands before.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Bytes that can be read from any place. What has become shorter meanwhile ends there.
pub trait Source {
    /// Fills `bytes` as far as it goes; how many bytes that are.
    ///
    /// # Errors
    /// As the system says.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize>;

    /// Reads until `bytes` are full or nothing is left.
    ///
    /// # Errors
    /// As the system says.
    fn fill_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.read_at(&mut bytes[filled..], at + filled as u64)? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }
}

impl Source for File {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        loop {
            match FileExt::read_at(self, bytes, at) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl Source for [u8] {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let from = usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        let count = bytes.len().min(self.len() - from);
        bytes[..count].copy_from_slice(&self[from..from + count]);
        Ok(count)
    }
}
