//! What a text costs where it stands: tokens a turn, estimated.

use crate::base::tokens::estimate;

/// What a turn costs as an index line and as a rule: a sentence. `waits`: the rule is only loaded once
/// a file is read that its patterns match.
pub(super) fn turn(line: &str, rule: &str, waits: bool) -> String {
    let (line, rule) = (estimate(line), estimate(rule));
    let once = if waits { " once it is loaded" } else { "" };
    format!("tokens a turn: ≈ {line} as an index line → ≈ {rule} as a rule{once}")
}

/// The same the other way round.
pub(super) fn turn_back(rule: &str, line: &str, waits: bool) -> String {
    let (line, rule) = (estimate(line), estimate(rule));
    let once = if waits { " once it is loaded" } else { "" };
    format!("tokens a turn: ≈ {rule} as a rule{once} → ≈ {line} as an index line")
}
