//! Front matter and its fields: missing, broken, not first; a field missing, out of sight or at the
//! top; a type that is none; a description that can't be chosen by.

use crate::base::front_matter::{Fault, place, repair};
use crate::config::limits::{DESCRIPTION_CHARS, FRONT_MATTER_LINES};
use crate::health::code::{Code, Severity};
use crate::health::fix::Fix;
use crate::health::gathered::{Gathered, Spot};
use crate::health::names::stem;
use crate::health::page::Page;
use crate::health::words::{half_words, letters};
use crate::memory::file::MemoryType;

/// The fields that the reference client chooses by.
pub const FIELDS: [&str; 3] = ["name", "description", "type"];

/// Bytes of a block for which repairs are tried.
const BLOCK_BYTES: usize = 64 * 1024;

/// Words below which a description is too short, in halves.
const LEAST_HALF_WORDS: usize = 6;

pub fn look(page: &Page<'_>, out: &mut Gathered<'_>) {
    faults(page, out);
    if page.has_block() {
        for key in FIELDS {
            field(page, key, out);
        }
        type_of(page, out);
        description(page, out);
    } else if page.front.faults.is_empty() && !page.text.trim().is_empty() {
        let message = "it has no front matter: without a description the model can't choose it; give it name, description and type with `loci edit`";
        let spot = Spot::line(page.path, 1);
        out.add(Code::FrontmatterMissing, spot, message.to_string(), None);
    }
}

/// One finding for each kind of fault, at the first of its kind.
fn faults(page: &Page<'_>, out: &mut Gathered<'_>) {
    let faults = &page.front.faults;
    let mut seen = Vec::new();
    for fault in faults {
        let kind = std::mem::discriminant(fault);
        if seen.contains(&kind) {
            continue;
        }
        seen.push(kind);
        let same = faults
            .iter()
            .filter(|other| std::mem::discriminant(*other) == kind);
        one_fault(page, fault, same.count() - 1, out);
    }
}

fn one_fault(page: &Page<'_>, fault: &Fault, more: usize, out: &mut Gathered<'_>) {
    let text = page.text;
    // A block that is larger is none that a person wrote, and each try reads it some times over.
    let is_small = page
        .front
        .block
        .as_ref()
        .is_none_or(|block| block.len() <= BLOCK_BYTES);
    let if_works = |fix: Fix, repair: &dyn Fn(&str) -> Option<String>| {
        is_small.then(|| repair(text)).flatten().map(|_| fix)
    };
    let (line, cost, fix) = match fault {
        Fault::Unclosed => (
            1,
            "no field of it counts",
            if_works(Fix::CloseFence, &|text| repair::close(text, &FIELDS)),
        ),
        Fault::Duplicate { line, .. } => (
            *line,
            "another reader may take the other: keep the right one",
            if_works(Fix::DropRepeated, &repair::drop_repeated),
        ),
        Fault::Tab { line } => (
            *line,
            "a strict reader gets no field at all",
            if_works(Fix::TabsToSpaces, &repair::untab),
        ),
        Fault::NotYaml { line, .. } => (
            *line,
            "a strict reader gets no field at all: write it as `key: value`",
            None,
        ),
        Fault::UnquotedColon { line } => {
            let spot = Spot::line(page.path, *line);
            let message = sentence(fault, more, "a strict reader gets no field at all");
            let fix = if_works(Fix::QuoteColons, &repair::quote_colons);
            out.add_as(
                Severity::Warning,
                Code::FrontmatterBroken,
                spot,
                message,
                fix,
            );
            return;
        }
        Fault::Late { line } => {
            let spot = Spot::line(page.path, *line);
            let message = sentence(fault, more, "so it has no description to be chosen by");
            let fix = if_works(Fix::BlockFirst, &repair::first);
            out.add(Code::BlockLate, spot, message, fix);
            return;
        }
        // The client expands them: nothing is wrong with the file.
        Fault::AliasNotExpanded { .. } => return,
    };
    let spot = Spot::line(page.path, line);
    out.add(
        Code::FrontmatterBroken,
        spot,
        sentence(fault, more, cost),
        fix,
    );
}

fn sentence(fault: &Fault, more: usize, cost: &str) -> String {
    let said = fault.sentence();
    match more {
        0 => format!("{said}; {cost}"),
        more => format!("{said} (and {more} more); {cost}"),
    }
}

fn field(page: &Page<'_>, key: &str, out: &mut Gathered<'_>) {
    let found = page.field(key);
    match found.filter(|field| !field.value.trim().is_empty()) {
        None => missing(page, key, found.map(|field| field.line), out),
        Some(field) if field.line > FRONT_MATTER_LINES => {
            let message = format!(
                "its {key} stands on line {}, and no scan looks below line {FRONT_MATTER_LINES}: to the model it has none",
                field.line
            );
            let fix = place::raise(page.text, key).map(|_| Fix::FieldUp {
                key: key.to_string(),
            });
            let spot = Spot::line(page.path, field.line);
            out.add(Code::FieldBelow30, spot, message, fix);
        }
        Some(_) => {}
    }
}

fn missing(page: &Page<'_>, key: &str, line: Option<usize>, out: &mut Gathered<'_>) {
    let cost = match key {
        "description" => {
            "the model chooses by it, and never chooses this one; write it with `loci edit`"
        }
        "type" => "it is in no list by type, and how it is meant is open; set it with `loci edit`",
        // Whether a name can be given depends on the others: the names say that.
        _ => return,
    };
    let path = page.path;
    let message = format!("it has no {key}: {cost}");
    out.add(Code::FieldMissing, Spot { path, line }, message, None);
}

fn type_of(page: &Page<'_>, out: &mut Gathered<'_>) {
    let Some(field) = page.field("type").filter(|field| !field.value.is_empty()) else {
        return;
    };
    let spot = Spot::line(page.path, field.line);
    if let MemoryType::Unknown(word) = MemoryType::read(page.front) {
        let fix = known_type(&word).map(|_| Fix::KnownType);
        let message = format!(
            "its type \"{word}\" is none of user, feedback, project, reference: it is in no list by type"
        );
        out.add(Code::TypeUnknown, spot, message, fix);
    }
    // Where a scan does not see it, it has to go up first.
    if field.under.is_none() && field.line <= FRONT_MATTER_LINES {
        let fix = place::nest(page.text, "type", "metadata").map(|_| Fix::NestType);
        let message = "its type stands at the top: the reference client's next write moves it under `metadata`, and the file changes without a reason".to_string();
        out.add(Code::TypePlace, spot, message, fix);
    }
}

/// The type that is meant where only capitals and blanks differ.
pub fn known_type(word: &str) -> Option<&'static str> {
    let types = ["user", "feedback", "project", "reference"];
    let word = word.trim();
    types
        .into_iter()
        .find(|known| word.eq_ignore_ascii_case(known))
}

fn description(page: &Page<'_>, out: &mut Gathered<'_>) {
    let Some(description) = page.says("description") else {
        return;
    };
    let why = if is_name_again(description, page.says("name"), page.path) {
        "only says the name again"
    } else if half_words(description) < LEAST_HALF_WORDS {
        "has under three words"
    } else if description.chars().count() > DESCRIPTION_CHARS {
        "has over 200 characters"
    } else {
        return;
    };
    let line = page.field("description").map(|field| field.line);
    let path = page.path;
    let message = format!(
        "its description {why}: the model chooses by it and will miss this one or choose it wrongly; say in a sentence when it matters"
    );
    out.add(Code::DescriptionWeak, Spot { path, line }, message, None);
}

fn is_name_again(description: &str, name: Option<&str>, path: &str) -> bool {
    let said = letters(description);
    name.is_some_and(|name| said == letters(name)) || said == letters(stem(path))
}

/// Whether a description is good enough to stand as a hook.
pub fn is_good(description: &str, name: Option<&str>, path: &str) -> bool {
    half_words(description) >= LEAST_HALF_WORDS && !is_name_again(description, name, path)
}

#[cfg(test)]
#[path = "front_matter_tests.rs"]
mod tests;
