//! The few calls that change files, each in one step for every other reader: a temporary file beside
//! its target, the swap of two files, a rename that overwrites nothing. A temporary file begins with
//! a dot and does not end in `.md`, so that no client takes it for a memory. Knows nothing of journals.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::base::fault::{Faults, Point};
use crate::base::time::Moment;

/// How the name of every temporary file of ours begins.
pub const TEMPORARY: &str = ".loci-";

/// Opens without waiting: what became a pipe is an error.
#[allow(clippy::cast_possible_wrap, reason = "flags are bits")]
pub const NONBLOCK: i32 = OFlags::NONBLOCK.bits() as i32;

/// Mode and time of a file: what a write must keep beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Permission bits.
    pub mode: u32,
    /// Seconds since 1970 and nanoseconds of the modification.
    pub seconds: i64,
    pub nanos: u32,
}

impl Stamp {
    #[must_use]
    pub fn of(data: &fs::Metadata) -> Self {
        let nanos = u32::try_from(data.mtime_nsec()).unwrap_or(0);
        Self {
            mode: data.mode() & 0o7777,
            seconds: data.mtime(),
            nanos,
        }
    }

    /// The moment of the modification.
    #[must_use]
    pub fn moment(self) -> Moment {
        Moment {
            seconds: self.seconds,
            nanos: self.nanos,
        }
    }

    fn time(self) -> SystemTime {
        match u64::try_from(self.seconds) {
            Ok(seconds) => UNIX_EPOCH + Duration::new(seconds, self.nanos),
            Err(_) => {
                UNIX_EPOCH - Duration::from_secs(self.seconds.unsigned_abs())
                    + Duration::new(0, self.nanos)
            }
        }
    }
}

/// Writes a new file beside `target` and flushes it. Its mode is given; its time too, unless it
/// shall be young.
///
/// # Errors
/// As the system says; nothing is left then.
pub fn temporary(
    faults: &Faults,
    target: &Path,
    tag: &str,
    bytes: &[u8],
    mode: u32,
    time: Option<Stamp>,
) -> io::Result<PathBuf> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    let path = folder.join(format!("{TEMPORARY}{tag}.tmp"));
    let written = write_new(faults, &path, bytes, mode, time);
    if written.is_err() {
        // One of the dead may be in its way; what could not be made can't be kept either.
        let _ = fs::remove_file(&path);
    }
    written.map(|()| path)
}

/// Creates a file that is not there yet, writes and flushes it.
///
/// # Errors
/// As the system says; what was begun is removed then, what was there before stays.
pub fn write_new(
    faults: &Faults,
    path: &Path,
    bytes: &[u8],
    mode: u32,
    time: Option<Stamp>,
) -> io::Result<()> {
    write_new_by(faults, path, mode, time, |file| file.write_all(bytes))
}

/// The same of what is written bit by bit, however much it is.
///
/// # Errors
/// As [`write_new`], and as `write` says.
pub fn write_new_by(
    faults: &Faults,
    path: &Path,
    mode: u32,
    time: Option<Stamp>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    faults.pass(Point::Create)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?;
    let fill = || {
        write(&mut file)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        if let Some(stamp) = time {
            file.set_modified(stamp.time())?;
        }
        faults.pass(Point::Flush)?;
        file.sync_all()
    };
    let filled = fill();
    if filled.is_err() {
        // It may be half there, as on a disk that is full.
        let _ = fs::remove_file(path);
    }
    filled
}

/// Swaps two files in one step. Where the file system can't, says so by `Unsupported`.
///
/// # Errors
/// As the system says.
pub fn swap(faults: &Faults, one: &Path, other: &Path) -> io::Result<()> {
    faults.pass(Point::Swap)?;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        done => done.map_err(io::Error::from),
    }
}

/// Gives a file or folder another path, overwriting nothing.
///
/// # Errors
/// `AlreadyExists` where something is there; `CrossesDevices` between file systems; else as the system says.
pub fn rename_new(faults: &Faults, from: &Path, to: &Path) -> io::Result<()> {
    faults.pass(Point::Rename)?;
    rename_if_free(from, to)
}

/// Gives what bears a name of ours its place beside it, overwriting nothing.
///
/// # Errors
/// As [`rename_new`].
pub fn rename_own(faults: &Faults, from: &Path, to: &Path) -> io::Result<()> {
    faults.pass(Point::Replace)?;
    rename_if_free(from, to)
}

fn rename_if_free(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Without the flag a look before the call is the best there is.
        Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => match fs::symlink_metadata(to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
        done => done.map_err(io::Error::from),
    }
}

/// Gives a file another path, in the place of what is there.
///
/// # Errors
/// As the system says.
pub fn rename_over(faults: &Faults, from: &Path, to: &Path) -> io::Result<()> {
    faults.pass(Point::Replace)?;
    fs::rename(from, to)
}

/// Makes what was renamed in a folder last.
///
/// # Errors
/// As the system says.
pub fn flush_folder(faults: &Faults, folder: &Path) -> io::Result<()> {
    faults.pass(Point::Flush)?;
    File::open(folder)?.sync_all()
}

/// Makes a folder of ours and those above it, closed to others.
///
/// # Errors
/// As the system says.
pub fn make_folder(faults: &Faults, folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    faults.pass(Point::MakeFolder)?;
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(builder.recursive(true), 0o700).create(folder)
}

/// Makes a folder of the store's and those above it, as the reference client makes them (0755).
///
/// # Errors
/// As the system says.
pub fn make_store_folder(faults: &Faults, folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    faults.pass(Point::MakeFolder)?;
    fs::create_dir_all(folder)
}
