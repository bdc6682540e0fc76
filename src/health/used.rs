//! What transcripts tell of memories: which no session has read for long, of which the session is gone
//! that made it, and which transcripts the client's clean-up is about to take.

use std::collections::HashMap;

use crate::base::time::Moment;
use crate::config::limits::{EXPIRING_DAYS, NEVER_READ_DAYS};
use crate::health::Examined;
use crate::health::code::Code;
use crate::health::finding::Finding;
use crate::health::gathered::{Gathered, Spot};
use crate::health::rules::Rules;
use crate::project::{Origin, Project};
use crate::transcript::digests::Digests;
use crate::transcript::uses::{Roots, Uses};

/// What is known of sessions.
pub struct Evidence<'a> {
    pub uses: &'a Uses<'a>,
    /// When each session that is there was written to last. `None`: not all could be listed.
    pub sessions: Option<HashMap<&'a str, Option<Moment>>>,
    /// Days that the client keeps a transcript.
    pub keep_days: i64,
    pub now: Moment,
}

impl<'a> Evidence<'a> {
    /// `own`: the sessions of our own chats, which no clean-up takes.
    #[must_use]
    pub fn of(
        digests: &'a Digests,
        uses: &'a Uses<'a>,
        own: &'a [String],
        keep_days: i64,
        now: Moment,
    ) -> Self {
        let theirs = digests.all.iter().filter(|one| !one.found.is_agent);
        let theirs = theirs.map(|one| (&*one.found.session, one.found.modified));
        let ours = own.iter().map(|session| (session.as_str(), None));
        let is_whole = digests.faults.is_empty();
        Self {
            uses,
            sessions: is_whole.then(|| theirs.chain(ours).collect()),
            keep_days,
            now,
        }
    }
}

/// What is found of the memories of a folder.
#[must_use]
pub fn used(
    project: &str,
    examined: &Examined,
    roots: &Roots,
    evidence: &Evidence<'_>,
    rules: &Rules,
) -> Vec<Finding> {
    let mut out = Gathered::new(project, rules);
    never_read(examined, roots, evidence, &mut out);
    for (path, session) in &examined.origins {
        origin(path, session, evidence, &mut out);
    }
    out.finish()
}

/// Says nothing where the evidence does not reach back so far.
fn never_read(examined: &Examined, roots: &Roots, evidence: &Evidence<'_>, out: &mut Gathered<'_>) {
    let now = evidence.now;
    let begin = Moment::from_seconds(now.seconds - NEVER_READ_DAYS * 86_400).date();
    let Some(since) = evidence.uses.since.filter(|since| **since <= *begin) else {
        return;
    };
    for memory in examined.memories.iter().filter(|one| one.unread.is_none()) {
        // What is younger had no time to be read.
        let is_old = memory.modified.is_some_and(|time| time.date() < begin);
        let used = evidence.uses.of_memory(roots, &memory.path);
        let last = used.last_read.as_deref().and_then(|time| time.get(..10));
        if !is_old || last.is_some_and(|last| last >= &*begin) {
            continue;
        }
        let last = match last {
            Some(last) => format!("the last did on {last}"),
            None => format!("nor since {since}; what came before is not known"),
        };
        let message = format!(
            "no session has read it for {NEVER_READ_DAYS} days ({last}): say in its index line and its description when it is needed, or remove it"
        );
        out.add(Code::NeverRead, Spot::file(&memory.path), message, None);
    }
}

fn origin(path: &str, session: &str, evidence: &Evidence<'_>, out: &mut Gathered<'_>) {
    let Some(sessions) = &evidence.sessions else {
        return;
    };
    match sessions.get(session) {
        None => {
            let message = format!(
                "the session that made it, {session}, is gone: what it rests on can't be checked any more"
            );
            out.add(Code::OriginSwept, Spot::file(path), message, None);
        }
        Some(modified) => {
            let left = modified.map(|modified| days_left(modified, evidence));
            if let Some(days) = left.filter(|days| *days <= EXPIRING_DAYS) {
                let message = format!(
                    "the session that made it, {session}, {}: what it rests on can't be checked after that",
                    goes(days)
                );
                out.add(Code::Expiring, Spot::file(path), message, None);
            }
        }
    }
}

/// How long transcripts stay, and what else tells of a project.
#[derive(Debug, Clone, Copy)]
pub struct Stay {
    /// Days that the client keeps a transcript.
    pub keep_days: i64,
    pub now: Moment,
    /// Whether the client's own files name the project's path too.
    pub is_told: bool,
}

/// What is found of the transcripts of a project. The path of a finding is empty: the folder itself.
#[must_use]
pub fn expiring(project: &Project, stay: Stay, rules: &Rules) -> Vec<Finding> {
    let mut out = Gathered::new(&project.key, rules);
    let left = project.days_left(stay.keep_days, stay.now);
    let Some(days) = left.filter(|days| *days <= EXPIRING_DAYS) else {
        return out.finish();
    };
    let sessions = match project.census.sessions.len() {
        1 => format!("its only session {}", goes(days)),
        many => format!("the last of its {many} sessions {}", goes(days)),
    };
    // A path that is there is found again along the key.
    let is_there = matches!(project.origin, Origin::Live | Origin::Worktree);
    if project.census.memories.is_empty() {
        let message = format!("{sessions}, and no memory was made of any: read them before that");
        out.add(Code::Expiring, Spot::file(""), message, None);
    } else if !is_there
        && !stay.is_told
        && let Some(path) = &project.path
    {
        let message = format!(
            "{sessions}, and nothing else tells that the folder is about {}",
            path.display()
        );
        out.add(Code::Expiring, Spot::file(""), message, None);
    }
    out.finish()
}

fn days_left(modified: Moment, evidence: &Evidence<'_>) -> i64 {
    (evidence.keep_days - modified.days_before(evidence.now)).max(0)
}

fn goes(days: i64) -> String {
    match days {
        0 => "goes with the client's next clean-up".to_string(),
        1 => "is cleaned up in a day".to_string(),
        days => format!("is cleaned up in {days} days"),
    }
}

#[cfg(test)]
#[path = "used_tests.rs"]
mod tests;
