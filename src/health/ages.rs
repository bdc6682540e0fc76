//! Ages: what nobody has touched for long.

use crate::base::time::Moment;
use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};
use crate::health::rules::Rules;
use crate::memory::file::MemoryType;

/// `is_tiny`: one fact a file without an index, ordered by `created`.
pub fn look(all: &[Facts], is_tiny: bool, rules: &Rules, now: Moment, out: &mut Gathered<'_>) {
    for one in all
        .iter()
        .filter(|one| one.is_read && one.copy_of.is_none())
    {
        let most = match one.kind {
            MemoryType::Project => rules.stale_project_days,
            MemoryType::User
            | MemoryType::Feedback
            | MemoryType::Reference
            | MemoryType::Unknown(_)
            | MemoryType::Missing => rules.stale_days,
        };
        let Some(days) = touched(one, is_tiny, now).map(|time| time.calendar_days_before(now))
        else {
            continue;
        };
        if days > most {
            let message = format!(
                "nobody has touched it for {days} days (the measure is {most}): it may no longer be so, and the model takes it for true; check it, then edit it or remove it"
            );
            out.add(Code::Stale, Spot::file(&one.memory.path), message, None);
        }
    }
}

fn touched(one: &Facts, is_tiny: bool, now: Moment) -> Option<Moment> {
    if is_tiny {
        return one.created;
    }
    // What is said to be written tomorrow makes nothing young.
    let said = one.modified.filter(|said| *said <= now);
    said.max(one.memory.modified)
}

#[cfg(test)]
#[path = "ages_tests.rs"]
mod tests;
