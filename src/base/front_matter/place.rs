//! A field at another place of its block, its line as it is: below another key, or at the top.

use std::ops::Range;

use super::edit::{line_range, replace};
use super::{Field, FrontMatter, lines, read};

/// Moves a field of one line from the top below another key, whose nested fields stand already or
/// which is added at the end of the block. `None`: it can't be done without a guess.
#[must_use]
pub fn nest(text: &str, key: &str, under: &str) -> Option<String> {
    let front = read(text);
    let field = only(&front, key)?;
    let own = one_line(text, &front, field)?;
    let line = &text[own.clone()];
    let nested = front
        .fields
        .iter()
        .rfind(|field| field.under.as_deref() == Some(under));
    let (at, added) = match nested {
        Some(last) => {
            let range = line_range(text, &front, last);
            let above = &text[range.clone()];
            let indent = &above[..above.len() - above.trim_start_matches([' ', '\t']).len()];
            (range.end, format!("{indent}{line}"))
        }
        None if front.fields.iter().any(|field| field.key == under) => return None,
        None => {
            let block = front.block.as_ref()?;
            let fence = lines(&text[..block.end]).last()?.start;
            let line_break = &line[line.trim_end_matches(['\r', '\n']).len()..];
            (fence, format!("{under}:{line_break}  {line}"))
        }
    };
    let edited = moved(text, own, at, &added);
    let again = read(&edited);
    let said = |front: &FrontMatter<'_>, place: Option<&str>| {
        let mut fields = front.fields.iter();
        let found = fields.find(|one| one.key == key && one.under.as_deref() == place);
        found.map(|field| field.value.to_string())
    };
    let is_there = said(&again, Some(under)) == said(&front, None) && said(&again, None).is_none();
    (is_there && holds(&front, &again) && edited[again.body..] == text[front.body..])
        .then_some(edited)
}

/// Moves a field of one line, at the top level, to the first line of its block.
#[must_use]
pub fn raise(text: &str, key: &str) -> Option<String> {
    let front = read(text);
    let field = only(&front, key)?;
    let own = one_line(text, &front, field)?;
    let line = text[own.clone()].to_string();
    let at = lines(text).next()?.next;
    let edited = moved(text, own, at, &line);
    let again = read(&edited);
    let is_first = again.fields.first().is_some_and(|first| {
        first.key == key && first.under.is_none() && first.value == field.value
    });
    (is_first && holds(&front, &again) && edited[again.body..] == text[front.body..])
        .then_some(edited)
}

/// The one field of this key at the top level.
fn only<'a>(front: &'a FrontMatter<'a>, key: &str) -> Option<&'a Field<'a>> {
    let mut same = front.fields.iter().filter(|field| field.key == key);
    let field = same.next().filter(|field| field.under.is_none())?;
    same.next().is_none().then_some(field)
}

/// The bytes of a field that is one line, with its line break.
fn one_line(text: &str, front: &FrontMatter<'_>, field: &Field<'_>) -> Option<Range<usize>> {
    let range = line_range(text, front, field);
    let line = &text[range.clone()];
    (line.ends_with('\n') && line.matches('\n').count() == 1).then_some(range)
}

/// The text without `from`, and with `added` where byte `at` was; `at` is outside of `from`.
fn moved(text: &str, from: Range<usize>, at: usize, added: &str) -> String {
    if at >= from.end {
        let with = replace(text, at..at, added);
        replace(&with, from, "")
    } else {
        let without = replace(text, from, "");
        replace(&without, at..at, added)
    }
}

/// Whether no field is lost and no fault has come.
fn holds(before: &FrontMatter<'_>, after: &FrontMatter<'_>) -> bool {
    let values = |front: &FrontMatter<'_>| {
        let mut all: Vec<String> = front
            .fields
            .iter()
            .map(|field| format!("{}: {}", field.key, field.value))
            .collect();
        all.sort();
        all
    };
    values(before) == values(after) && after.faults.len() <= before.faults.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_goes_below_metadata_with_its_comment() {
        let nest = |text: &str| nest(text, "type", "metadata");
        assert_eq!(
            nest("---\nname: a\ntype: user # c\n---\nb\n").as_deref(),
            Some("---\nname: a\nmetadata:\n  type: user # c\n---\nb\n")
        );
        assert_eq!(
            nest("---\r\ntype: user\r\nmetadata:\r\n    x: y\r\ntags: [a]\r\n---\r\nb").as_deref(),
            Some("---\r\nmetadata:\r\n    x: y\r\n    type: user\r\ntags: [a]\r\n---\r\nb")
        );
        assert_eq!(nest("---\ntype: user\nmetadata: {a: b}\n---\n"), None);
        assert_eq!(
            nest("---\ntype: user\nmetadata:\n  type: user\n---\n"),
            None
        );
        assert_eq!(nest("---\ntype: >\n  user\n---\n"), None);
        assert_eq!(nest("---\ntype: user\n"), None);
    }

    #[test]
    fn a_field_goes_to_the_top_of_its_block() {
        let text = "---\nx: 1\ny:\n  - a\nname: n\n---\nb\n";
        let up = "---\nname: n\nx: 1\ny:\n  - a\n---\nb\n";
        assert_eq!(raise(text, "name").as_deref(), Some(up));
        assert_eq!(raise("---\nmetadata:\n  type: t\n---\n", "type"), None);
    }
}
