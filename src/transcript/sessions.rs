//! The sessions of a store as a list: of which kind each is, which one it was forked from, and how long
//! its transcript stays.

use std::collections::HashMap;

use super::digests::{Digested, Digests};
use super::last_used::last_used;
use crate::base::time::Moment;

/// Characters of a UUID.
const UUID_LENGTH: usize = 36;

/// What kind of session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One that a person had.
    Session,
    /// One that begins with a copy of another.
    Fork,
    /// One that a program had.
    Program,
    /// Of a sub-agent, within a session.
    Subagent,
}

impl Kind {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Fork => "fork",
            Self::Program => "sdk",
            Self::Subagent => "subagent",
        }
    }

    /// Whether a person had it: what lists show unless more is asked for.
    #[must_use]
    pub fn is_of_a_person(self) -> bool {
        match self {
            Self::Session | Self::Fork => true,
            Self::Program | Self::Subagent => false,
        }
    }
}

/// One session in a list.
#[derive(Debug)]
pub struct Listed<'a> {
    pub one: &'a Digested,
    pub kind: Kind,
    /// The session that it was forked from.
    pub fork_of: Option<&'a str>,
    /// Whole days until the client's clean-up takes its transcript.
    pub days_left: Option<i64>,
}

impl Listed<'_> {
    /// The name of its transcript without its end: the id of a session.
    #[must_use]
    pub fn id(&self) -> String {
        let stem = self.one.found.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}

/// All sessions, the newest first.
#[must_use]
pub fn listed(digests: &Digests, keep_days: i64, now: Moment) -> Vec<Listed<'_>> {
    let mut firsts: HashMap<&str, &str> = HashMap::new();
    let mut all: Vec<Listed<'_>> = Vec::with_capacity(digests.all.len());
    // The oldest first: what begins as an older one does was copied from it.
    for one in &digests.all {
        let digest = &one.digest;
        let fork_of = fork_of(one, &mut firsts);
        let kind = match (one.found.is_agent, digest.by_program, fork_of) {
            (true, _, _) => Kind::Subagent,
            (false, true, _) => Kind::Program,
            (false, false, Some(_)) => Kind::Fork,
            (false, false, None) => Kind::Session,
        };
        let left = |modified: Moment| (keep_days - modified.days_before(now)).max(0);
        all.push(Listed {
            one,
            kind,
            fork_of,
            days_left: one.found.modified.map(left),
        });
    }
    let last = |listed: &Listed<'_>| {
        last_used(listed.one.digest.last.as_deref(), listed.one.found.modified)
    };
    all.sort_by_cached_key(|listed| {
        std::cmp::Reverse((last(listed), listed.one.found.path.clone()))
    });
    all
}

fn fork_of<'a>(one: &'a Digested, firsts: &mut HashMap<&'a str, &'a str>) -> Option<&'a str> {
    if one.found.is_agent {
        return None;
    }
    let said = one.digest.forked_from.as_deref();
    // What is no UUID is not the only one of its name.
    let first = one.digest.first_uuid.as_deref();
    let Some(first) = first.filter(|first| first.len() == UUID_LENGTH) else {
        return said;
    };
    let known = *firsts.entry(first).or_insert(&one.found.session);
    said.or(Some(known)).filter(|of| *of != one.found.session)
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
