//! A finding, as plain data, and how many there are.

use crate::health::code::{Code, Severity};
use crate::health::fix::Fix;

/// Something that costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    /// The key of the project.
    pub project: String,
    /// Relative to the memory folder, with `/`; empty: the project folder itself.
    pub path: String,
    /// Line of the file, from 1; `None` where it is about the file as a whole.
    pub line: Option<usize>,
    /// One sentence: what is so, what it costs, and where no fix is offered what a person can do.
    /// Foreign text is in it as it is: make it safe before it is shown.
    pub message: String,
    /// What mends it without a guess; [`crate::health::fix::propose`] makes a change set of it.
    pub fix: Option<Fix>,
}

/// How many there are of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

impl Counts {
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        let count = |severity| {
            let same = findings.iter().filter(|one| one.severity == severity);
            same.count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
        }
    }

    /// Whether there is more than notes.
    #[must_use]
    pub fn is_bad(self) -> bool {
        self.errors + self.warnings > 0
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.errors += more.errors;
        self.warnings += more.warnings;
        self.notes += more.notes;
    }
}
