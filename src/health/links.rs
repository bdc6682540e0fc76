//! Links between memories: a `[[name]]` that no memory bears.

use std::collections::HashSet;

use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};
use crate::health::names::stem;
use crate::health::page::Page;

/// Bytes that a link's name takes at most.
const NAME_BYTES: usize = 256;

/// A wiki link of a body.
#[derive(Debug)]
pub struct Link {
    pub line: usize,
    /// The name without title and anchor.
    pub target: Box<str>,
}

/// The wiki links of a body, outside of code and comments; each name once.
pub fn of(page: &Page<'_>) -> Vec<Link> {
    let mut found = Vec::new();
    if memchr::memmem::find(page.body().as_bytes(), b"[[").is_none() {
        return found;
    }
    let mut seen = HashSet::new();
    for line in page.lines() {
        let mut from = 0;
        while let Some(open) = line.text[from..].find("[[").map(|at| from + at) {
            let inner = &line.text[open + 2..];
            let near = &inner[..inner.floor_char_boundary(NAME_BYTES)];
            from = open + 2;
            let Some(close) = near.find("]]") else {
                continue;
            };
            from += close + 2;
            let target = near[..close].split(['|', '#']).next().unwrap_or_default();
            // `[[ -f x ]]` is a test of a shell, `[[1, 2], [3]]` a list.
            let is_name = !target.starts_with(' ') && !target.contains(['[', ']', '"', ',']);
            let target = target.trim();
            if is_name
                && !target.is_empty()
                && !page.is_code(line.start + open)
                && seen.insert(target)
            {
                found.push(Link {
                    line: line.number,
                    target: target.into(),
                });
            }
        }
    }
    found
}

pub fn look(all: &[Facts], out: &mut Gathered<'_>) {
    let mut borne: HashSet<&str> = HashSet::new();
    for one in all {
        borne.extend(one.name.as_deref());
        borne.insert(stem(&one.memory.path));
        borne.insert(&one.memory.path);
        borne.extend(one.memory.path.strip_suffix(".md"));
    }
    for one in all.iter().filter(|one| one.copy_of.is_none()) {
        for link in &one.links {
            let target = &*link.target;
            let file = target.rsplit('/').next().unwrap_or(target);
            if !borne.contains(target) && !borne.contains(stem(file)) {
                let spot = Spot::line(&one.memory.path, link.line);
                let message = format!(
                    "no memory bears the name of [[{target}]]: who follows it finds nothing; write that memory, or take the link out"
                );
                out.add(Code::LinkBroken, spot, message, None);
            }
        }
    }
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
