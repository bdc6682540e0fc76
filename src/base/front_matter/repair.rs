//! Repairs of a broken block: each touches only the bytes that are at fault, and the text is read
//! again. What would be a guess, or would not mend the fault, gives nothing.

use super::edit;
use super::{Fault, FrontMatter, Line, is_fence, lines, read};

/// Lines that are repaired one by one at most; a block with more of them is something else.
const LINES: usize = 16;

/// Quotes the values that hold an unquoted colon.
#[must_use]
pub fn quote_colons(text: &str) -> Option<String> {
    let front = read(text);
    let mut edited = text.to_string();
    let colons = front.faults.iter().filter_map(|fault| match fault {
        Fault::UnquotedColon { line } => Some(*line),
        Fault::Unclosed
        | Fault::Duplicate { .. }
        | Fault::Tab { .. }
        | Fault::AliasNotExpanded { .. }
        | Fault::NotYaml { .. }
        | Fault::Late { .. } => None,
    });
    for (done, line) in colons.enumerate() {
        let field = front.fields.iter().find(|field| field.line == line)?;
        // The edit finds a field by its key alone, and it must be this one.
        let of_key = |under| {
            let mut fields = front.fields.iter();
            fields.find(|other| other.key == field.key && other.under.as_deref() == under)
        };
        let found = of_key(None).or_else(|| of_key(Some("metadata")))?;
        if found.line != line || done >= LINES {
            return None;
        }
        edited = edit::rewrite(&edited, &field.key, &field.value).ok()?;
    }
    mended(&front, edited, |fault| {
        matches!(fault, Fault::UnquotedColon { .. })
    })
}

/// Closes a block that never closes, behind its last field, where one of the `known` keys proves that
/// it is a block and what follows can't be part of it.
#[must_use]
pub fn close(text: &str, known: &[&str]) -> Option<String> {
    let front = read(text);
    let last = front.fields.last()?;
    if !front.faults.contains(&Fault::Unclosed)
        || !front
            .fields
            .iter()
            .any(|field| known.contains(&&*field.key))
    {
        return None;
    }
    let mut rows = lines(text).skip(last.line - 1);
    let row = rows.next()?;
    let ends_there = rows.next().is_none_or(|next| is_no_part(&next));
    if !ends_there {
        return None;
    }
    let line_break = if text[row.start..row.next].ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let glue = match text[..row.next].ends_with('\n') {
        true => "",
        false => line_break,
    };
    let edited = format!(
        "{}{glue}---{line_break}{}",
        &text[..row.next],
        &text[row.next..]
    );
    mended(&front, edited, |fault| matches!(fault, Fault::Unclosed))
}

/// A blank line, a heading, or the attempt at a fence.
fn is_no_part(line: &Line<'_>) -> bool {
    let text = line.text.trim_end();
    text.is_empty()
        || text.starts_with("# ")
        || text.bytes().all(|byte| byte == b'-')
        || text.chars().all(|c| matches!(c, '—' | '–'))
}

/// Puts two spaces in the place of each tab that indents a line.
#[must_use]
pub fn untab(text: &str) -> Option<String> {
    let front = read(text);
    let end = front.block.as_ref()?.end;
    let mut edited = String::with_capacity(text.len() + 16);
    for line in lines(&text[..end]) {
        let whole = &text[line.start..line.next];
        let content = whole.trim_start_matches([' ', '\t']);
        let indent = &whole[..whole.len() - content.len()];
        edited.push_str(&indent.replace('\t', "  "));
        edited.push_str(content);
    }
    edited.push_str(&text[end..]);
    mended(&front, edited, |fault| matches!(fault, Fault::Tab { .. }))
}

/// Takes out lines that stand below once more, the same to the byte.
#[must_use]
pub fn drop_repeated(text: &str) -> Option<String> {
    let front = read(text);
    let end = front.block.as_ref()?.end;
    let rows: Vec<&str> = lines(&text[..end])
        .map(|line| &text[line.start..line.next])
        .collect();
    let mut dropped = Vec::new();
    for fault in &front.faults {
        if let Fault::Duplicate { line, used, .. } = fault {
            let (row, other) = (rows.get(line - 1)?, rows.get(used - 1)?);
            let field = front.fields.iter().find(|field| field.line == *line)?;
            let is_whole = edit::line_range(text, &front, field).len() == row.len();
            if !is_whole || row.trim_end() != other.trim_end() || dropped.len() >= LINES {
                return None;
            }
            dropped.push(*line);
        }
    }
    dropped.sort_unstable();
    let kept = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| dropped.binary_search(&(at + 1)).is_err());
    let head: String = kept.map(|(_, row)| *row).collect();
    let edited = format!("{head}{}", &text[end..]);
    let again = read(&edited);
    let used = |front: &FrontMatter<'_>| -> Vec<String> {
        let fields = front.fields.iter();
        let kept = fields.filter(|field| !dropped.contains(&field.line));
        kept.map(said).collect()
    };
    let says_all = again.fields.iter().map(said).eq(used(&front));
    // A fault that hid behind this one would only be shown by mending it.
    let kind = std::mem::discriminant::<Fault>;
    let had = |fault: &Fault| front.faults.iter().any(|old| kind(old) == kind(fault));
    let gone = again
        .faults
        .iter()
        .all(|fault| had(fault) && !is_duplicate(fault));
    (!dropped.is_empty() && gone && says_all && edited[again.body..] == text[front.body..])
        .then_some(edited)
}

fn is_duplicate(fault: &Fault) -> bool {
    matches!(fault, Fault::Duplicate { .. })
}

/// Moves a block that stands below blank lines or comments to the top.
#[must_use]
pub fn first(text: &str) -> Option<String> {
    let front = read(text);
    let late = front.faults.iter().find_map(|fault| match fault {
        Fault::Late { line } => Some(*line),
        Fault::Unclosed
        | Fault::Duplicate { .. }
        | Fault::UnquotedColon { .. }
        | Fault::Tab { .. }
        | Fault::AliasNotExpanded { .. }
        | Fault::NotYaml { .. } => None,
    })?;
    let mut rows = lines(text).skip(late - 1);
    let start = rows.next()?.start;
    let end = rows.find(|line| is_fence(line.text))?;
    // The fence that ends the text has no line break yet.
    let line_break = match text[..end.next].ends_with('\n') {
        true => "",
        false => "\n",
    };
    let edited = format!(
        "{}{line_break}{}{}",
        &text[start..end.next],
        &text[..start],
        &text[end.next..]
    );
    let again = read(&edited);
    (again.block.is_some() && again.faults.is_empty()).then_some(edited)
}

fn said(field: &super::Field<'_>) -> String {
    format!("{:?} {} {}", field.under, field.key, field.value)
}

/// The edited text, if the fault is gone, no other has come, and every field and the body say what
/// they said.
fn mended(
    front: &FrontMatter<'_>,
    edited: String,
    is_it: impl Fn(&Fault) -> bool,
) -> Option<String> {
    let again = read(&edited);
    // A fault can hide behind another: then mending the one would only show the other.
    let none_new = again
        .faults
        .iter()
        .all(|fault| front.faults.contains(fault));
    let fewer = none_new && !again.faults.iter().any(is_it);
    let says_all = again
        .fields
        .iter()
        .map(said)
        .eq(front.fields.iter().map(said));
    (fewer && says_all).then_some(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_is_quoted_and_nothing_else_is_touched() {
        let text =
            "---\r\nname: a  # c\r\ndescription: one: two \"3\" \\ # why\r\n---\r\nb: c: d\n";
        assert_eq!(
            quote_colons(text).as_deref(),
            Some(
                "---\r\nname: a  # c\r\ndescription: \"one: two \\\"3\\\" \\\\\" # why\r\n---\r\nb: c: d\n"
            )
        );
        let nested = "---\ntype: x\nmetadata:\n  type: a: b\n---\n";
        assert_eq!(quote_colons(nested), None, "the edit would take the other");
    }

    #[test]
    fn a_fence_is_closed_where_no_field_can_follow() {
        let known = ["name"];
        let text = "---\nname: a\ntype: user\n--\nprose: with a colon\n";
        let closed = "---\nname: a\ntype: user\n---\n--\nprose: with a colon\n";
        assert_eq!(close(text, &known).as_deref(), Some(closed));
        assert_eq!(
            close("---\nname: a", &known).as_deref(),
            Some("---\nname: a\n---\n")
        );
        assert_eq!(close("---\nname: a\nprose\n", &known), None);
        assert_eq!(close("---\ntitle: a\n\nprose\n", &known), None);
    }

    #[test]
    fn tabs_become_spaces_and_the_body_keeps_its_own() {
        let text = "---\nmetadata:\n\ttype: user\n\tx: y\n---\n\tcode\n";
        let spaces = "---\nmetadata:\n  type: user\n  x: y\n---\n\tcode\n";
        assert_eq!(untab(text).as_deref(), Some(spaces));
    }

    #[test]
    fn only_the_same_line_twice_is_dropped() {
        let text = "---\ntype: user\nname: a\ntype: user\n---\nb\n";
        let once = "---\nname: a\ntype: user\n---\nb\n";
        assert_eq!(drop_repeated(text).as_deref(), Some(once));
        assert_eq!(drop_repeated("---\ntype: user\ntype: project\n---\n"), None);
        assert_eq!(drop_repeated("---\ntype: user\n---\n"), None);
        assert_eq!(drop_repeated("---\nt:\n- a\nx: y\nt:\n- a\n---\n"), None);
    }

    #[test]
    fn a_late_block_goes_to_the_top_with_all_bytes_kept() {
        let text = "<!-- c -->\n\n---\nname: a\n---\nbody\n";
        let top = "---\nname: a\n---\n<!-- c -->\n\nbody\n";
        assert_eq!(first(text).as_deref(), Some(top));
        assert_eq!(first("---\nname: a\n---\nbody\n"), None);
    }
}
