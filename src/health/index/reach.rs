//! What the indexes leave out: ghosts, memories that only a sentence names, no index at all.

use std::collections::HashMap;

use crate::base::time::Moment;
use crate::config::limits::{INDEX_LINE_CHARS, INDEX_LINES, INDEX_UNITS};
use crate::health::code::{Code, Severity};
use crate::health::facts::Facts;
use crate::health::fix::Fix;
use crate::health::front_matter::is_good;
use crate::health::gathered::{Gathered, Spot};
use crate::health::index::IndexPage;
use crate::health::rules::Rules;
use crate::memory::load::units_of;

/// How a memory is reached: not at all, by the sentence of an index, by an entry.
#[derive(Clone, Copy)]
enum Reach<'a> {
    Sentence(&'a IndexPage, usize),
    Entry,
}

pub fn look(
    indexes: &[IndexPage],
    all: &[Facts],
    rules: &Rules,
    now: Moment,
    out: &mut Gathered<'_>,
) {
    let Some(mut room) = indexes.first().map(Room::of) else {
        return;
    };
    let mut reached: HashMap<String, Reach<'_>> = HashMap::new();
    for index in indexes {
        for pointer in &index.pointers {
            let Some(file) = &pointer.resolved else {
                continue;
            };
            let path = [index.prefix, file].concat();
            if pointer.place.is_entry() {
                reached.insert(path, Reach::Entry);
            } else {
                let by = Reach::Sentence(index, pointer.line);
                reached.entry(path).or_insert(by);
            }
        }
    }
    for one in all
        .iter()
        .filter(|one| one.is_read && one.copy_of.is_none())
    {
        match reached.get(&*one.memory.path) {
            Some(Reach::Entry) => {}
            Some(Reach::Sentence(index, line)) => {
                let path = &one.memory.path;
                let message = format!(
                    "{path} is named only inside a sentence: the model reads over it; give it an entry of its own"
                );
                let spot = Spot::line(&index.path, *line);
                out.add(Code::IndexBuried, spot, message, room.entry_for(one));
            }
            None => ghost(&mut room, one, rules, now, out),
        }
    }
}

fn ghost(room: &mut Room<'_>, one: &Facts, rules: &Rules, now: Moment, out: &mut Gathered<'_>) {
    let path = &one.memory.path;
    let age = one.memory.modified.map(|time| now.seconds - time.seconds);
    let is_young = age.is_some_and(|age| (0..rules.ghost_grace_seconds).contains(&age));
    if is_young {
        let message = "no line of the index points at it; it is seconds old and maybe being written: look again in a minute";
        let (code, spot) = (Code::Ghost, Spot::file(path));
        out.add_as(Severity::Note, code, spot, message.to_string(), None);
        return;
    }
    let fix = room.entry_for(one);
    let rest = match fix {
        Some(_) => "",
        None => "; the index is full or can't be written: make room there first",
    };
    let message = format!("no line of the index points at it: the model can't find it{rest}");
    out.add(Code::Ghost, Spot::file(path), message, fix);
}

/// What the first index still takes that the model sees. New entries go there.
struct Room<'a> {
    index: &'a IndexPage,
    lines: usize,
    units: usize,
}

impl Room<'_> {
    fn of(index: &IndexPage) -> Room<'_> {
        Room {
            index,
            lines: index.loaded.lines,
            units: index.loaded.units,
        }
    }

    /// The index line for a memory, where there is room; what is promised is taken.
    fn entry_for(&mut self, one: &Facts) -> Option<Fix> {
        let path = &*one.memory.path;
        let lines = self.lines + 1;
        let units = self.units + 2 * INDEX_LINE_CHARS + units_of(path);
        let has_room = lines <= INDEX_LINES && units <= INDEX_UNITS;
        if !has_room || !self.index.is_ours || !path.starts_with(self.index.prefix) {
            return None;
        }
        (self.lines, self.units) = (lines, units);
        Some(Fix::AddEntry {
            memory: path.to_string(),
        })
    }
}

/// What a new entry of a memory says behind its link: its description, as much as a line takes.
pub fn hook_for(
    title: &str,
    target: &str,
    name: Option<&str>,
    description: Option<&str>,
) -> String {
    let Some(description) = description.filter(|text| is_good(text, name, target)) else {
        return String::new();
    };
    let taken = "- []() — ".chars().count() + title.chars().count() + target.chars().count();
    let room = INDEX_LINE_CHARS.saturating_sub(taken + 2);
    if description.chars().count() <= room {
        return description.to_string();
    }
    let cut: String = description.chars().take(room.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end > cut.len() / 2);
    format!("{}…", cut[..end.unwrap_or(cut.len())].trim_end())
}

#[cfg(test)]
#[path = "reach_tests.rs"]
mod tests;
