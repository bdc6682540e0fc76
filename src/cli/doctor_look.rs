//! By what `doctor` looks: the codes that are asked for, the measures, and what transcripts tell.

use crate::agents::Shelf;
use crate::base::display;
use crate::cli::args;
use crate::cli::failure::say;
use crate::cli::opened::Opened;
use crate::health::{Code, Evidence, Examined, Finding, Rules, in_order, used};
use crate::transcript::digests::Digests;
use crate::transcript::uses::{Roots, Uses};

/// By what is looked.
pub struct Look<'a> {
    pub asked: &'a args::Doctor,
    pub rules: &'a Rules,
    /// What transcripts tell, if that is asked for.
    pub evidence: Option<&'a Evidence<'a>>,
}

/// Whether transcripts have to be read for what is asked.
pub fn needs_transcripts(asked: &args::Doctor, rules: &Rules) -> bool {
    let is_asked = |code: &Code| asked.code.is_empty() || asked.code.contains(code);
    let is_told = |code: &Code| rules.severity(*code, code.severity()).is_some();
    let mut codes = Code::BY_SESSIONS.iter();
    codes.any(|code| is_asked(code) && is_told(code))
}

/// `own`: the sessions of our own chats, which no clean-up takes.
pub fn evidence_of<'a>(
    opened: &Opened,
    digests: &'a Digests,
    uses: &'a Uses<'a>,
    own: &'a [String],
) -> Evidence<'a> {
    for fault in &digests.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let (days, now) = (opened.store.transcript_days(), opened.store.now());
    Evidence::of(digests, uses, own, days, now)
}

impl Look<'_> {
    /// The findings of a folder that are asked for.
    pub fn findings(&self, opened: &Opened, shelf: &Shelf, mut examined: Examined) -> Vec<Finding> {
        if let Some(evidence) = self.evidence {
            let roots = Roots::of(&opened.disk, &shelf.folder);
            let found = used(&shelf.key, &examined, &roots, evidence, self.rules);
            examined.findings.extend(found);
            in_order(&mut examined.findings);
        }
        let mut findings = examined.findings;
        findings.retain(|finding| self.is_asked(finding.code));
        findings
    }

    pub fn is_asked(&self, code: Code) -> bool {
        self.asked.code.is_empty() || self.asked.code.contains(&code)
    }
}
