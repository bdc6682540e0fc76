//! A file of ours where a person wants it, outside of all stores: made beside its place, flushed, and
//! put there in one step, so that nobody ever finds half of it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::base::fault::Point;
use crate::base::swap::{self, TEMPORARY};
use crate::store::plan::conflict;
use crate::store::{Result, Store, disk};

/// The mode of such a file: what it holds was not for others either.
const MODE: u32 = 0o600;

impl Store {
    /// Writes a file. What is there is kept, unless it is a plain file and `replace` is said.
    ///
    /// # Errors
    /// `Conflict` where something is there, `Busy`, or what the system refuses; what is there stays then.
    pub fn put_outside(&self, path: &Path, bytes: &[u8], replace: bool) -> Result<()> {
        self.put_outside_by(path, replace, |file| file.write_all(bytes))
    }

    /// The same of what is written bit by bit, however much it is.
    ///
    /// # Errors
    /// As [`Store::put_outside`], and as `write` says.
    pub fn put_outside_by(
        &self,
        path: &Path,
        replace: bool,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<()> {
        // Held to the end: a temporary file that is there is one of the dead.
        let _lock = self.lock()?;
        let refused = |error| disk(path, error);
        let home = self.home.file_name().unwrap_or_default();
        let tag = format!("{}-export", home.to_string_lossy());
        let folder = path.parent().unwrap_or(Path::new("/"));
        let temporary = folder.join(format!("{TEMPORARY}{tag}.tmp"));
        self.sweep_outside(&temporary)?;
        swap::write_new_by(&self.faults, &temporary, MODE, None, write).map_err(refused)?;
        let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
        let put = match replace && is_file {
            true => swap::rename_over(&self.faults, &temporary, path),
            false => swap::rename_own(&self.faults, &temporary, path),
        };
        if let Err(error) = put {
            self.sweep_outside(&temporary)?;
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => conflict(path, "is already there"),
                _ => refused(error),
            });
        }
        swap::flush_folder(&self.faults, folder).map_err(refused)
    }

    fn sweep_outside(&self, temporary: &Path) -> Result<()> {
        let removed = match fs::symlink_metadata(temporary) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found
                .and_then(|_| self.faults.pass(Point::Remove))
                .and_then(|()| fs::remove_file(temporary)),
        };
        removed.map_err(|error| disk(temporary, error))
    }
}

#[cfg(test)]
#[path = "outside_tests.rs"]
mod tests;
