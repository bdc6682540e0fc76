//! How a line of an index writes its links: the syntax, read tolerantly. Knows nothing of files.

use std::borrow::Cow;

use crate::memory::pointer::Place;

/// A link as a line writes it: parts of the line.
pub struct Link<'a> {
    pub place: Place,
    pub title: &'a str,
    pub target: &'a str,
    /// Part of the line, but of a table row the other cells joined.
    pub hook: Cow<'a, str>,
    pub kind: LinkKind,
}

pub enum LinkKind {
    /// `[title](target)`, or a bare file name.
    Path,
    /// `[[name]]`.
    Wiki,
    /// Not closed, or without a target.
    Malformed,
}

/// The links of one line. `masked` tells the bytes of the line that are code or comment.
pub fn links_of_line<'a>(line: &'a str, masked: &impl Fn(usize) -> bool) -> Vec<Link<'a>> {
    let content = line.trim_start();
    let indent = line.len() - content.len();
    if content.starts_with('|') {
        return if masked(indent) {
            Vec::new()
        } else {
            cells(line, indent, masked)
        };
    }
    match item_content(content) {
        Some(skip) => item(line, indent + skip, masked),
        None => sentence(line, indent, masked),
    }
}

/// Bytes of the bullet or number and of a task box; `None` when the line is no list item.
fn item_content(content: &str) -> Option<usize> {
    let rest = match content.as_bytes() {
        [b'-' | b'*' | b'+', b' ' | b'\t', ..] => &content[1..],
        _ => {
            let digits = content.bytes().take_while(u8::is_ascii_digit).count();
            let after = content[digits..].strip_prefix(['.', ')'])?;
            (digits > 0 && after.starts_with([' ', '\t'])).then_some(after)?
        }
    };
    let mut rest = rest.trim_start();
    let is_task = matches!(rest.as_bytes(), [b'[', b' ' | b'x' | b'X', b']', b' ', ..]);
    if is_task {
        rest = rest[4..].trim_start();
    }
    Some(content.len() - rest.len())
}

/// Links that are read of one line at most. An entry is some 150 characters with one of them; a line
/// with thousands is no index, and must not cost their square.
const LINKS_OF_A_LINE: usize = 64;

/// Bytes that a title or a target takes at most, and so how far the end of one is looked for.
const LINK_BYTES: usize = 4096;

/// The links at the start of a list item; the rest of the line is their hook.
fn item<'a>(line: &'a str, start: usize, masked: &impl Fn(usize) -> bool) -> Vec<Link<'a>> {
    let mut links: Vec<Link<'_>> = Vec::new();
    let mut at = start;
    let mut opening = line[at..]
        .find(|c| !matches!(c, '*' | '_' | '~'))
        .map_or(at, |found| at + found);
    while let Some((link, end)) = (!masked(opening)).then(|| link_at(line, opening)).flatten() {
        at = end;
        if !is_web(link.target) {
            links.push(link);
        }
        // Further links that only a comma, a slash or the like parts from it belong to the entry too.
        let gap = &line[at..];
        let bare = gap.trim_start_matches([' ', ',', '/', '&', '+', '、', '，']);
        let enough = links.len() >= LINKS_OF_A_LINE;
        if enough || bare.len() == gap.len() || !bare.starts_with('[') {
            break;
        }
        opening = line.len() - bare.len();
    }
    if links.is_empty() && at == start {
        if let Some((file, end)) = bare_file(&line[start..]).filter(|_| !masked(start)) {
            links.push(bare_link(Place::Item, file));
            at = start + end;
        } else {
            return sentence(line, start, masked);
        }
    }
    let hook = hook(&line[at..]);
    for link in &mut links {
        link.hook = Cow::Borrowed(hook);
    }
    // What the hook links to can be found too.
    let room = LINKS_OF_A_LINE.saturating_sub(links.len());
    let further = sentence(line, at, masked).into_iter().take(room);
    links.extend(further.map(|link| Link {
        place: Place::Hook,
        ..link
    }));
    links
}

/// Links inside a sentence or a heading.
fn sentence<'a>(line: &'a str, start: usize, masked: &impl Fn(usize) -> bool) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut at = start;
    for _ in 0..LINKS_OF_A_LINE {
        let Some(open) = line[at..].find('[').map(|found| at + found) else {
            break;
        };
        match (!masked(open)).then(|| link_at(line, open)).flatten() {
            // Only a closed link counts in prose: brackets are common there.
            Some((link, end))
                if !matches!(link.kind, LinkKind::Malformed) && !is_web(link.target) =>
            {
                // What follows belongs to this link as far as the next one.
                let next = line[end..]
                    .find('[')
                    .map_or(line.len(), |found| end + found);
                links.push(Link {
                    place: Place::Sentence,
                    hook: Cow::Borrowed(hook(&line[end..next])),
                    ..link
                });
                at = end;
            }
            Some((_, end)) => at = end,
            None => at = open + 1,
        }
    }
    links
}

/// Links and bare file names in the cells of a table row.
fn cells<'a>(line: &'a str, start: usize, masked: &impl Fn(usize) -> bool) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let row: Vec<&str> = line[start..]
        .trim()
        .trim_matches('|')
        .split('|')
        .take(LINKS_OF_A_LINE)
        .map(str::trim)
        .collect();
    for (at, cell) in row.iter().enumerate() {
        let link = match cell.find('[').and_then(|open| link_at(cell, open)) {
            Some((link, _)) if !is_web(link.target) => link,
            Some(_) => continue,
            None => match bare_file(cell.trim_matches('`')) {
                Some((file, _)) => bare_link(Place::Cell, file),
                None => continue,
            },
        };
        let others: Vec<&str> = row
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != at)
            .map(|(_, text)| *text)
            .collect();
        let here = cell.as_ptr() as usize - line.as_ptr() as usize;
        if !masked(here) || cell.starts_with('`') {
            links.push(Link {
                place: Place::Cell,
                hook: Cow::Owned(others.join(" · ")),
                ..link
            });
        }
    }
    links
}

fn bare_link(place: Place, file: &str) -> Link<'_> {
    let title = file.strip_suffix(".md").unwrap_or(file);
    Link {
        place,
        title,
        target: file,
        hook: Cow::Borrowed(""),
        kind: LinkKind::Path,
    }
}

/// A word at the start that names a Markdown file.
fn bare_file(text: &str) -> Option<(&str, usize)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = text[..end].trim_end_matches([':', ',']);
    (word.ends_with(".md") && word.len() > 3 && !word.contains(['[', ']', '(', '<', '`']))
        .then_some((word, word.len()))
}

/// The link that opens at byte `open`, and the byte behind it. `None`: no link at all.
fn link_at<'a>(line: &'a str, open: usize) -> Option<(Link<'a>, usize)> {
    let text = &line[open..];
    if let Some(inner) = text.strip_prefix("[[") {
        let close = near(inner).find("]]")?;
        let (target, title) = inner[..close]
            .split_once('|')
            .unwrap_or((&inner[..close], &inner[..close]));
        let link = Link {
            place: Place::Item,
            title: title.trim(),
            target: target.trim(),
            hook: Cow::Borrowed(""),
            kind: LinkKind::Wiki,
        };
        return Some((link, open + 2 + close + 2));
    }
    let close = text
        .starts_with('[')
        .then(|| closing(text, b'[', b']'))
        .flatten()?;
    let title = &text[1..close];
    let rest = text[close + 1..].strip_prefix('(')?;
    let begins = open + close + 2;
    let link = |target: &'a str, kind| Link {
        place: Place::Item,
        title,
        target: target.trim(),
        hook: Cow::Borrowed(""),
        kind,
    };
    if let Some(angled) = rest.strip_prefix('<') {
        let Some(end) = near(angled).find('>') else {
            let end = near(rest).find(')').unwrap_or(rest.len());
            let past = (end + 1).min(rest.len());
            return Some((link(&rest[..end], LinkKind::Malformed), begins + past));
        };
        let past = angled[end..]
            .find(')')
            .map_or(angled.len(), |found| end + found + 1);
        return Some((link(&angled[..end], LinkKind::Path), begins + 1 + past));
    }
    let Some(end) = closing(&line[begins - 1..], b'(', b')').map(|end| end - 1) else {
        return Some((link(rest, LinkKind::Malformed), line.len()));
    };
    let target = without_title(&rest[..end]);
    let kind = if target.is_empty() {
        LinkKind::Malformed
    } else {
        LinkKind::Path
    };
    Some((link(target, kind), begins + end + 1))
}

/// As much of a text as a title or a target can take.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(LINK_BYTES)]
}

/// The byte of the bracket that closes the one at byte 0. Brackets and the backslash are ASCII.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let bytes = near(text).as_bytes();
    let mut depth = 0_usize;
    let mut escaped = None;
    for at in memchr::memchr3_iter(open, close, b'\\', bytes) {
        if escaped == Some(at) {
            continue;
        }
        match bytes[at] {
            b'\\' => escaped = Some(at + 1),
            bracket if bracket == open => depth += 1,
            _ => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
    None
}

/// A target without the title that Markdown allows behind it: `x.md "Title"`.
fn without_title(target: &str) -> &str {
    let target = target.trim();
    match target.find(" \"") {
        Some(at) if target.ends_with('"') => target[..at].trim_end(),
        Some(_) | None => target,
    }
}

/// What follows a link, without the dash or colon before it.
fn hook(rest: &str) -> &str {
    let rest = rest.trim_start_matches(['*', '_', '~', ' ', '\t']);
    let rest = rest
        .strip_prefix("--")
        .or_else(|| rest.strip_prefix(['—', '–', '-', ':', '：']))
        .unwrap_or(rest);
    rest.trim()
}

/// Whether a target leads to the web or within the index itself, so that it points at no file.
fn is_web(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|colon| {
        colon > 1
            && target[..colon]
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    scheme || target.starts_with('#') || target.starts_with("//")
}
