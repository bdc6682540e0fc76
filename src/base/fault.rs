//! Write points: every call that changes the disk passes one first. A test can have the process die
//! there, or have the call fail, to see what is left; otherwise a point does nothing. Knows nothing
//! of what is written.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is about to happen to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A file is created and written.
    Create,
    /// A file or folder is flushed.
    Flush,
    /// Two files are swapped.
    Swap,
    /// A file or folder gets another path, where nothing is.
    Rename,
    /// A file of ours takes its place or that of another, or a file that is to go gets a name of ours.
    Replace,
    /// A folder is made.
    MakeFolder,
    /// A file or folder of our own, or a copied source, is removed.
    Remove,
}

/// Faults to inject, from `LOCI_TEST_KILL_AT=N` (die at the N-th point, from 1),
/// `LOCI_TEST_STOP_AT=N` (stand still there, as a stopped job does) and
/// `LOCI_TEST_FAIL=POINT:ERRNO[:N][,…]` (`rename:18`; `create:28:40`: from the 40th point on, as on
/// a disk that has filled up by then).
#[derive(Debug, Default)]
pub struct Faults {
    kill_at: Option<usize>,
    stop_at: Option<usize>,
    unwind: bool,
    fail: Vec<Refusal>,
    passed: AtomicUsize,
}

/// Every call at a point fails with an error number, from the N-th point of all on.
#[derive(Debug)]
struct Refusal {
    point: Point,
    errno: i32,
    from: usize,
}

impl Point {
    const ALL: [Self; 7] = [
        Self::Create,
        Self::Flush,
        Self::Swap,
        Self::Rename,
        Self::Replace,
        Self::MakeFolder,
        Self::Remove,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Flush => "flush",
            Self::Swap => "swap",
            Self::Rename => "rename",
            Self::Replace => "replace",
            Self::MakeFolder => "make-folder",
            Self::Remove => "remove",
        }
    }
}

impl Faults {
    /// No faults.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// As the environment asks.
    #[must_use]
    pub fn from_vars(vars: &BTreeMap<String, String>) -> Self {
        let fail = vars
            .get("LOCI_TEST_FAIL")
            .map(String::as_str)
            .unwrap_or_default();
        let point = |name: &str| vars.get(name).and_then(|text| text.parse().ok());
        Self {
            kill_at: point("LOCI_TEST_KILL_AT"),
            stop_at: point("LOCI_TEST_STOP_AT"),
            unwind: false,
            fail: fail.split(',').filter_map(fault).collect(),
            passed: AtomicUsize::new(0),
        }
    }

    /// Fails every call at this point with this error number.
    #[must_use]
    pub fn failing(point: Point, errno: i32) -> Self {
        Self::default().failing_from(1, point, errno)
    }

    /// Fails every call at this point with this error number once so many points are passed.
    #[must_use]
    pub fn failing_from(mut self, from: usize, point: Point, errno: i32) -> Self {
        self.fail.push(Refusal { point, errno, from });
        self
    }

    /// Leaves by a panic at the N-th point, from 1: what a death there leaves, within one process.
    #[must_use]
    pub fn unwinding_at(self, point: usize) -> Self {
        Self {
            kill_at: Some(point),
            unwind: true,
            ..self
        }
    }

    /// Passes a point.
    ///
    /// # Errors
    /// The injected error, if there is one for this point.
    pub fn pass(&self, point: Point) -> io::Result<()> {
        let number = self.passed.fetch_add(1, Ordering::Relaxed) + 1;
        if self.kill_at == Some(number) {
            assert!(
                !self.unwind,
                "died at write point {number}, as the test asked"
            );
            std::process::abort();
        }
        if self.stop_at == Some(number) {
            signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)?;
        }
        let refuses = |refusal: &&Refusal| refusal.point == point && refusal.from <= number;
        match self.fail.iter().find(refuses) {
            Some(refusal) => Err(io::Error::from_raw_os_error(refusal.errno)),
            None => Ok(()),
        }
    }

    /// Points passed so far.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.passed.load(Ordering::Relaxed)
    }
}

fn fault(text: &str) -> Option<Refusal> {
    let mut parts = text.split(':');
    let word = parts.next()?;
    let point = Point::ALL.into_iter().find(|point| point.word() == word)?;
    let errno = parts.next()?.parse().ok()?;
    let from = parts.next().map_or(Some(1), |from| from.parse().ok())?;
    Some(Refusal { point, errno, from })
}
