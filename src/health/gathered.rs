//! How the families give in what they find: with its severity by the rules, bounded, in order.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::config::limits::FINDINGS_A_CODE;
use crate::health::code::{Code, Severity};
use crate::health::finding::Finding;
use crate::health::fix::Fix;
use crate::health::rules::Rules;

/// Where a finding is.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    pub path: &'a str,
    pub line: Option<usize>,
}

impl<'a> Spot<'a> {
    /// A file as a whole.
    pub fn file(path: &'a str) -> Self {
        Self { path, line: None }
    }

    pub fn line(path: &'a str, line: usize) -> Self {
        let line = Some(line);
        Self { path, line }
    }
}

/// Gathers what the families find of one folder.
pub struct Gathered<'a> {
    project: &'a str,
    rules: &'a Rules,
    found: Vec<Finding>,
    told: HashMap<Code, usize>,
}

impl<'a> Gathered<'a> {
    pub fn new(project: &'a str, rules: &'a Rules) -> Self {
        Self {
            project,
            rules,
            found: Vec::new(),
            told: HashMap::new(),
        }
    }

    /// The measures that hold.
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// Takes a finding of the usual severity.
    pub fn add(&mut self, code: Code, spot: Spot<'_>, message: String, fix: Option<Fix>) {
        self.add_as(code.severity(), code, spot, message, fix);
    }

    /// Takes a finding whose severity is that of its case.
    pub fn add_as(
        &mut self,
        usually: Severity,
        code: Code,
        spot: Spot<'_>,
        message: String,
        fix: Option<Fix>,
    ) {
        let Some(severity) = self.rules.severity(code, usually) else {
            return;
        };
        let told = self.told.entry(code).or_default();
        *told += 1;
        if *told > FINDINGS_A_CODE {
            return;
        }
        self.found.push(Finding {
            code,
            severity,
            project: self.project.to_string(),
            path: spot.path.to_string(),
            line: spot.line,
            message,
            fix,
        });
    }

    /// All findings: the worst first, then by code, path and line.
    pub fn finish(mut self) -> Vec<Finding> {
        in_order(&mut self.found);
        for (code, told) in self.told {
            let more = told.saturating_sub(FINDINGS_A_CODE);
            let last = self.found.iter_mut().rfind(|one| one.code == code);
            if let Some(last) = last.filter(|_| more > 0) {
                let _ = write!(last.message, " (and {more} more like it)");
            }
        }
        self.found
    }
}

/// Puts findings in order: the worst first, then by code, path and line.
pub fn in_order(found: &mut [Finding]) {
    found.sort_by(|a, b| {
        let of = |one: &Finding| (one.severity, one.code);
        of(a)
            .cmp(&of(b))
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.line.cmp(&b.line))
    });
}
