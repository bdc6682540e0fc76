//! Pointers, one by one: where each leads, what it says, how long it is.

use std::collections::HashMap;

use crate::config::limits::{INDEX_LINE_CHARS, INDEX_LINE_CHARS_MOST};
use crate::health::code::{Code, Severity};
use crate::health::facts::Facts;
use crate::health::fix::Fix;
use crate::health::front_matter::is_good;
use crate::health::gathered::{Gathered, Spot};
use crate::health::index::{IndexPage, Row};
use crate::health::names::stem;
use crate::health::words::{is_cjk, is_set_close, letters, topics};
use crate::memory::pointer::{Place, Pointer, PointerState};

/// Topics that a hook and a description need before they can be said to differ.
const TOPICS: usize = 3;

/// Bytes of a line beyond which two are not compared: thousands may lead to the file of one.
const LINE_BYTES: usize = 2_048;

pub fn look(index: &IndexPage, rows: &[Row], all: &[Facts], out: &mut Gathered<'_>) {
    let mut first: HashMap<&str, &Pointer> = HashMap::new();
    let mut last_line = 0;
    for pointer in &index.pointers {
        if pointer.place.is_entry() && pointer.line != last_line {
            last_line = pointer.line;
            long_line(index, rows, pointer, out);
        }
        let earlier = pointer
            .resolved
            .as_deref()
            .filter(|_| pointer.place.is_entry())
            .and_then(|file| match first.get(file) {
                Some(earlier) => Some(*earlier),
                None => {
                    first.insert(file, pointer);
                    None
                }
            });
        match pointer.state {
            PointerState::Ok => hook(index, rows, pointer, all, out),
            PointerState::Dangling => dangling(index, pointer, out),
            PointerState::Duplicate => duplicate(index, rows, pointer, earlier, out),
            PointerState::Case => case(index, rows, pointer, earlier, out),
            PointerState::Malformed => {
                let message = format!(
                    "the link \"{}\" is not closed or has no target: it leads nowhere, and what it names can't be found; mend the line",
                    pointer.title
                );
                out.add(Code::IndexContent, spot(index, pointer), message, None);
            }
            PointerState::Unsafe => {
                let message = format!(
                    "the entry \"{}\" leads out of the memory folder ({}): it is not followed, and what it names can't be recalled; put the text here as a memory",
                    pointer.title, pointer.target
                );
                out.add(Code::UnsafePath, spot(index, pointer), message, None);
            }
        }
    }
}

fn spot<'a>(index: &'a IndexPage, pointer: &Pointer) -> Spot<'a> {
    Spot::line(&index.path, pointer.line)
}

fn long_line(index: &IndexPage, rows: &[Row], pointer: &Pointer, out: &mut Gathered<'_>) {
    let chars = index.line(rows, pointer.line).chars().count();
    if chars <= INDEX_LINE_CHARS {
        return;
    }
    let severity = match chars > INDEX_LINE_CHARS_MOST {
        true => Severity::Warning,
        false => Severity::Note,
    };
    let message = format!(
        "the entry has {chars} characters, and {INDEX_LINE_CHARS} are advised: every session pays for it, and it pushes others below the cut; move detail into the memory"
    );
    let code = Code::IndexLongLine;
    out.add_as(severity, code, spot(index, pointer), message, None);
}

fn dangling(index: &IndexPage, pointer: &Pointer, out: &mut Gathered<'_>) {
    let place = match pointer.place {
        Place::Item => "the entry",
        Place::Cell => "the table cell",
        Place::Sentence | Place::Hook => "the sentence",
    };
    let can = index.is_ours && pointer.place.is_entry() && index.is_alone(pointer);
    let fix = can.then(|| Fix::RemoveEntry {
        target: pointer.target.clone(),
    });
    let rest = match fix {
        Some(_) => "",
        None => "; take it out by hand, the line holds more",
    };
    let message = format!(
        "{place} \"{}\" leads to {}, which is gone: the model opens it and finds nothing{rest}",
        pointer.title, pointer.target
    );
    out.add(Code::Dangling, spot(index, pointer), message, fix);
}

fn duplicate(
    index: &IndexPage,
    rows: &[Row],
    pointer: &Pointer,
    earlier: Option<&Pointer>,
    out: &mut Gathered<'_>,
) {
    let file = pointer.resolved.as_deref().unwrap_or(&pointer.target);
    let line = earlier.map_or(0, |earlier| earlier.line);
    let fix = earlier.and_then(|earlier| merge(index, rows, earlier, pointer));
    let rest = match fix {
        Some(_) => "",
        None => "; say all in one of them and take the other out",
    };
    let message = format!(
        "a second entry for {file} (the first is on line {line}): it costs a line of 200, and the two can contradict{rest}"
    );
    out.add(Code::DuplicatePointer, spot(index, pointer), message, fix);
}

fn case(
    index: &IndexPage,
    rows: &[Row],
    pointer: &Pointer,
    earlier: Option<&Pointer>,
    out: &mut Gathered<'_>,
) {
    let file = pointer.resolved.as_deref().unwrap_or_default();
    let fix = match earlier {
        Some(earlier) => merge(index, rows, earlier, pointer),
        None => index.is_ours.then(|| Fix::RightCase {
            target: pointer.target.clone(),
        }),
    };
    let message = format!(
        "the entry \"{}\" leads to {}, but the file is {file}: where capitals count it leads nowhere",
        pointer.title, pointer.target
    );
    out.add(Code::CasePointer, spot(index, pointer), message, fix);
}

/// Merging is safe where each line is its entry's own and one hook can hold what both say.
fn merge(index: &IndexPage, rows: &[Row], first: &Pointer, second: &Pointer) -> Option<Fix> {
    let whole = |pointer: &Pointer| index.is_alone(pointer);
    let line = index.line(rows, first.line);
    if line.len() > LINE_BYTES {
        return None;
    }
    let fits = merged_hook(line, first, second).is_some();
    (index.is_ours && whole(first) && whole(second) && fits).then(|| Fix::MergeEntry {
        target: second.target.clone(),
    })
}

/// The hook that says what two entries for one file say; `None` where the line would be too long.
pub fn merged_hook(line: &str, first: &Pointer, second: &Pointer) -> Option<String> {
    let (one, other) = (first.hook.trim(), second.hook.trim());
    if other.is_empty() || letters(one) == letters(other) {
        return Some(one.to_string());
    }
    // The row of a table has no hook of its own to be changed.
    let rows = [first, second];
    if rows.iter().any(|pointer| pointer.place != Place::Item) {
        return None;
    }
    let merged = match one {
        "" => other.to_string(),
        one if one.ends_with(is_set_close) => format!("{one}；{other}"),
        one => format!("{one}; {other}"),
    };
    let chars = line.chars().count() + merged.chars().count() - one.chars().count();
    (chars + " — ".len() <= INDEX_LINE_CHARS).then_some(merged)
}

fn hook(index: &IndexPage, rows: &[Row], pointer: &Pointer, all: &[Facts], out: &mut Gathered<'_>) {
    if pointer.place != Place::Item || pointer.hook.is_empty() {
        return;
    }
    let Some(file) = pointer.resolved.as_deref() else {
        return;
    };
    let path = [index.prefix, file].concat();
    let found = all.binary_search_by(|one| (*one.memory.path).cmp(&path));
    let memory = found.ok().map(|at| &all[at]);
    let said = letters(&pointer.hook);
    if said == letters(&pointer.title) || said == letters(stem(file)) {
        let fix = memory.and_then(|memory| better_hook(index, rows, pointer, memory));
        let message = format!(
            "the hook of \"{}\" only repeats its title: the model can't tell from it when to open the memory{}",
            pointer.title,
            if fix.is_some() {
                ""
            } else {
                "; say what is in it"
            }
        );
        out.add(Code::HookRepeats, spot(index, pointer), message, fix);
        return;
    }
    let Some(description) = memory.and_then(|memory| memory.description.as_deref()) else {
        return;
    };
    if differ(&pointer.hook, description) {
        let message = format!(
            "the hook of \"{}\" shares no word with the description: recall by index and recall by description choose it for different questions; say the same in both",
            pointer.title
        );
        out.add(Code::HookDiffers, spot(index, pointer), message, None);
    }
}

/// The description in the place of a hook, where it says more and fits.
fn better_hook(index: &IndexPage, rows: &[Row], pointer: &Pointer, memory: &Facts) -> Option<Fix> {
    let description = memory.description.as_deref()?;
    let name = memory.name.as_deref();
    let line = index.line(rows, pointer.line).chars().count();
    let chars = line + description.chars().count() - pointer.hook.chars().count().min(line);
    let fits = chars <= INDEX_LINE_CHARS && !description.contains("](");
    let is_better = is_good(description, name, &memory.memory.path)
        && letters(description) != letters(&pointer.title);
    (index.is_ours && index.is_alone(pointer) && fits && is_better).then(|| {
        Fix::HookFromDescription {
            target: pointer.target.clone(),
        }
    })
}

/// Two texts of one script that have enough to say and share no topic.
fn differ(hook: &str, description: &str) -> bool {
    let script = |text: &str| text.chars().any(is_cjk);
    if script(hook) != script(description) {
        return false;
    }
    let (one, other) = (topics(hook), topics(description));
    one.len() >= TOPICS && other.len() >= TOPICS && one.is_disjoint(&other)
}

#[cfg(test)]
#[path = "pointers_tests.rs"]
mod tests;
