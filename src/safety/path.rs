//! Paths that somebody else wrote — an archive, a team file, a model — below a folder of ours. One
//! function decides whether such a path may be used ([`check`]); what it lets through is opened
//! component by component without following a link, so that a swap between the check and the use
//! fails instead of leading out.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::base::disk::Disk;

/// How often a path is decoded: what is encoded more often than twice is no accident either.
const DECODINGS: usize = 4;

/// A path that may be used below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    /// The folder, links resolved.
    root: PathBuf,
    /// Relative to it, links resolved as far as it exists.
    path: PathBuf,
}

/// A path that may not be used, and why: a sentence for a person.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` is refused: {why}")]
pub struct PathError {
    /// As it was given.
    pub path: String,
    pub why: Refusal,
}

/// Why a path may not be used, in the order in which it is asked.
#[derive(Debug)]
pub enum Refusal {
    /// It names nothing, or a folder.
    NoFile,
    Nul,
    /// Percent-decoded it would be another path.
    Encoded,
    /// Normalised (NFKC) it would be another path.
    Unicode,
    Backslash,
    Absolute,
    /// It has a `..`.
    Parent,
    /// It begins with a drive.
    Drive,
    /// A link in it leads out of the folder, to this place.
    LeadsOut(PathBuf),
    /// A link in it leads nowhere.
    Dangling,
    /// Its links run in a circle.
    Loop,
    /// What is there is no regular file, or something above it is no folder.
    NotRegular,
    /// A link stands where none stood when it was checked.
    Swapped,
    /// The system refused.
    Failed(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::NoFile => "it names no file",
            Self::Nul => "it holds a NUL character",
            Self::Encoded => "percent-decoded it would be another path",
            Self::Unicode => "normalised by Unicode it would be another path",
            Self::Backslash => "it holds a backslash",
            Self::Absolute => "it is absolute",
            Self::Parent => "it leads upwards by `..`",
            Self::Drive => "it begins with a drive",
            Self::LeadsOut(to) => {
                return write!(f, "it leads out of its folder, to {}", to.display());
            }
            Self::Dangling => "a link in it leads nowhere",
            Self::Loop => "its links run in a circle",
            Self::NotRegular => "what is there is no regular file below plain folders",
            Self::Swapped => "it became a link after it was checked",
            Self::Failed(error) => return write!(f, "{error}"),
        };
        f.write_str(what)
    }
}

/// Whether a path may be used below a folder (spec 8). The folder need not exist, nor need what the
/// path names.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(disk: &Disk, folder: &Path, path: &str) -> Result<Inside, PathError> {
    let refused = |why| PathError {
        path: path.to_string(),
        why,
    };
    check_text(path).map_err(refused)?;
    let root = disk.resolve_existing(folder);
    let inner = below(disk, &root, path).map_err(refused)?;
    Ok(Inside { root, path: inner })
}

/// Where a path leads below a folder, for reading: odd names are read as they are, links are followed and
/// must stay inside.
///
/// # Errors
/// A NUL, a `..`, or where it leads.
pub fn led(disk: &Disk, folder: &Path, path: &str) -> Result<Inside, PathError> {
    let refused = |why| PathError {
        path: path.to_string(),
        why,
    };
    if path.contains('\0') {
        return Err(refused(Refusal::Nul));
    }
    if path.split('/').any(|part| part == "..") {
        return Err(refused(Refusal::Parent));
    }
    let root = disk.resolve_existing(folder);
    let inner = below(disk, &root, path).map_err(refused)?;
    Ok(Inside { root, path: inner })
}

impl Inside {
    /// The place, links resolved as far as it exists.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        self.root.join(&self.path)
    }

    /// Opens the regular file that is there for reading, following no link any more.
    ///
    /// # Errors
    /// What stands there now, or what the system says.
    pub fn open(&self, disk: &Disk) -> Result<File, PathError> {
        self.enter(disk).map_err(|why| PathError {
            path: self.path.to_string_lossy().into_owned(),
            why,
        })
    }

    fn enter(&self, disk: &Disk) -> Result<File, Refusal> {
        let mut folder = disk.folder(&self.root).map_err(Refusal::Failed)?;
        let mut names = self.path.components().peekable();
        while let Some(name) = names.next() {
            let name: &OsStr = name.as_os_str();
            if names.peek().is_some() {
                folder = folder.enter(name).map_err(|error| changed(error, true))?;
                continue;
            }
            let file = folder
                .open(Path::new(name))
                .map_err(|error| changed(error, false))?;
            let data = file.metadata().map_err(Refusal::Failed)?;
            return match data.is_file() {
                true => Ok(file),
                false => Err(Refusal::NotRegular),
            };
        }
        Err(Refusal::NoFile)
    }
}

/// What an open without following says of a link. Of a folder the system does not tell a link from
/// a file.
fn changed(error: io::Error, folder: bool) -> Refusal {
    let no_folder = folder && error.kind() == io::ErrorKind::NotADirectory;
    match no_folder || is_loop(&error) {
        true => Refusal::Swapped,
        false => Refusal::Failed(error),
    }
}

fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

/// The rules for the text alone.
///
/// # Errors
/// The first that it breaks.
pub fn check_typed(path: &str) -> Result<(), Refusal> {
    check_text(path)
}

fn check_text(path: &str) -> Result<(), Refusal> {
    if path.contains('\0') {
        return Err(Refusal::Nul);
    }
    let mut forms = vec![path.to_string()];
    for _ in 0..DECODINGS {
        let last = forms.last().map_or(path, String::as_str);
        let decoded = decode(last).ok_or(Refusal::Encoded)?;
        if decoded == *last {
            break;
        }
        if is_another(path, &decoded) {
            return Err(Refusal::Encoded);
        }
        forms.push(decoded);
    }
    for form in &forms {
        let normal: String = form.nfkc().collect();
        if normal != *form && is_another(path, &normal) {
            return Err(Refusal::Unicode);
        }
    }
    check_plain(path)?;
    match Path::new(path).file_name() {
        Some(_) if !path.ends_with(['/', '.']) || is_dotted_name(path) => Ok(()),
        Some(_) | None => Err(Refusal::NoFile),
    }
}

/// Whether a path that ends in a dot ends in a name that does, not in the folder `.`.
fn is_dotted_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    !name.is_empty() && name != "."
}

/// The rules for a path as it stands.
fn check_plain(path: &str) -> Result<(), Refusal> {
    if path.contains('\\') {
        return Err(Refusal::Backslash);
    }
    if path.starts_with('/') {
        return Err(Refusal::Absolute);
    }
    if path.split('/').any(|part| part == "..") {
        return Err(Refusal::Parent);
    }
    match path.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => Err(Refusal::Drive),
        _ => Ok(()),
    }
}

/// Whether another form of a path would lead elsewhere than to an odd name.
fn is_another(path: &str, form: &str) -> bool {
    let parts = |text: &str| text.matches('/').count();
    let dot = |text: &str| text.split('/').filter(|part| *part == ".").count();
    form.contains('\0')
        || parts(form) != parts(path)
        || dot(form) != dot(path)
        || (check_plain(form).is_err() && check_plain(path).is_ok())
}

/// Percent-decodes once; what is no encoding stays. `None`: what comes out is no text.
fn decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        bytes
            .get(at)
            .and_then(|byte| char::from(*byte).to_digit(16))
    };
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).ok()?);
                at += 3;
            }
            (byte, _, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

/// Where a path leads below the root: every link that stands in it is resolved and must stay inside.
fn below(disk: &Disk, root: &Path, path: &str) -> Result<PathBuf, Refusal> {
    let mut real = root.to_path_buf();
    let mut names = Path::new(path)
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            Component::CurDir
            | Component::ParentDir
            | Component::RootDir
            | Component::Prefix(_) => None,
        })
        .peekable();
    while let Some(name) = names.next() {
        let next = real.join(name);
        match disk.link(&next) {
            Ok(_) => real = led_to(disk, root, &next)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Nothing is there, so no link can be either.
                real = names.fold(next, |path, name| path.join(name));
                break;
            }
            // It is no link.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => real = next,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Refusal::NotRegular);
            }
            Err(error) => return Err(Refusal::Failed(error)),
        }
        if names.peek().is_some() && !disk.is_folder(&real) {
            return Err(Refusal::NotRegular);
        }
    }
    match real.strip_prefix(root) {
        Ok(inner) if inner.as_os_str().is_empty() => Err(Refusal::NoFile),
        Ok(inner) => Ok(inner.to_path_buf()),
        Err(_) => Err(Refusal::LeadsOut(real)),
    }
}

fn led_to(disk: &Disk, root: &Path, link: &Path) -> Result<PathBuf, Refusal> {
    match disk.resolve(link) {
        Ok(real) if real.starts_with(root) => Ok(real),
        Ok(real) => Err(Refusal::LeadsOut(real)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Refusal::Dangling),
        Err(error) if is_loop(&error) || error.kind() == io::ErrorKind::Other => Err(Refusal::Loop),
        Err(error) => Err(Refusal::Failed(error)),
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
