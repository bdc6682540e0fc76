//! What looks like a credential. A finding tells of it no more than its first characters, and the
//! fingerprint by which it is let pass.

use crate::health::code::Code;
use crate::health::gathered::{Gathered, Spot};
use crate::safety::secret;

/// One finding a value. `line` gives the line of the file for one of the text, both from 1.
pub fn look(path: &str, text: &str, line: impl Fn(usize) -> Option<usize>, out: &mut Gathered<'_>) {
    for hit in secret::scan(text, &out.rules().allowed) {
        let lead = match hit.lead(text) {
            "" => String::new(),
            lead => format!(", {lead}…"),
        };
        let message = format!(
            "it looks like a credential ({}{lead}): each session that reads it sends it to the provider and writes it into its transcript; take it out and revoke it, or let it pass with \"{}\" in `allow` under [secrets] of config.toml",
            hit.kind.name(),
            hit.fingerprint(text)
        );
        let spot = Spot {
            path,
            line: line(hit.line),
        };
        out.add(Code::Secret, spot, message, None);
    }
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
