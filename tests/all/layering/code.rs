//! Rust sources as the layering test reads them: without comments and literals, and as the paths
//! that they name (`use a::{b, c::d}` names `a::b` and `a::c::d`).

/// `text` without comments, and with nothing in its strings and characters.
pub fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end > at {
            let kept: &[char] = if chars[at] == '/' {
                &[' ']
            } else {
                &['"', '"']
            };
            out.extend(kept);
            out.extend(chars[at..end].iter().filter(|c| **c == '\n'));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// Where the comment or literal that begins at `at` ends; `at` itself if none does.
fn skipped(chars: &[char], at: usize) -> usize {
    let follows = |offset: usize| chars.get(at + offset).copied().unwrap_or('\n');
    let word_before = at > 0 && is_word(chars[at - 1]);
    match (chars[at], follows(1)) {
        ('/', '/') => until(chars, at, |c| c == '\n'),
        ('/', '*') => block_comment(chars, at),
        ('"', _) => string(chars, at),
        ('r', '"' | '#') | ('b', 'r') if !word_before => raw_string(chars, at),
        ('\'', '\\') => until(chars, at + 3, |c| c == '\'') + 1,
        ('\'', _) if follows(2) == '\'' => at + 3,
        _ => at,
    }
}

fn until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    (from..chars.len())
        .find(|at| stop(chars[*at]))
        .unwrap_or(chars.len())
}

fn block_comment(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

fn raw_string(chars: &[char], from: usize) -> usize {
    let hashes_from = until(chars, from, |c| c != 'b' && c != 'r');
    let quote = until(chars, hashes_from, |c| c != '#');
    if chars.get(quote) != Some(&'"') {
        return from; // a raw identifier
    }
    let mut close = vec!['"'];
    close.resize(quote - hashes_from + 1, '#');
    (quote + 1..chars.len())
        .find(|at| chars[*at..].starts_with(&close))
        .map_or(chars.len(), |at| at + close.len())
}

/// Bare code without what is compiled for tests only.
pub fn without_tests(bare: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let Some(start) = bare.find(MARK) else {
        return bare.to_owned();
    };
    let after = &bare[start + MARK.len()..];
    let end = match after.find(['{', ';']) {
        Some(at) if after[at..].starts_with('{') => at + braces(&after[at..]),
        Some(at) => at + 1,
        None => after.len(),
    };
    format!("{}{}", &bare[..start], without_tests(&after[end..]))
}

/// The length of the braced part that `code` begins with.
fn braces(code: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code.char_indices() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// The paths that bare code names, each as its segments. A method's call is one segment with
/// its dot; a macro's name ends with its mark.
pub fn paths(bare: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = bare;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if is_word(c) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if before == '.' {
                found.push(vec![format!(".{}", &rest[..length])]);
                rest = &rest[length..];
            } else {
                rest = path(rest, &[], &mut found);
            }
            before = 'a';
        } else {
            before = c;
            rest = &rest[c.len_utf8()..];
        }
    }
    found
}

/// Takes one path (or tree of paths) from the beginning of `code`; returns what follows it.
fn path<'a>(code: &'a str, prefix: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let mut segments = prefix.to_vec();
    let mut rest = code.trim_start();
    loop {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length > 0 {
            segments.push(rest[..length].to_owned());
            rest = &rest[length..];
        } else if rest.starts_with('*') {
            segments.push("*".to_owned());
            rest = &rest[1..];
        }
        match rest.strip_prefix("::") {
            Some(tree) if tree.starts_with('{') => return group(&tree[1..], &segments, found),
            Some(next) if next.starts_with(|c| is_word(c) || c == '*') => rest = next,
            Some(_) | None => break,
        }
    }
    if rest.starts_with('!')
        && !rest.starts_with("!=")
        && let Some(last) = segments.last_mut()
    {
        last.push('!');
    }
    found.push(segments);
    rest
}

fn group<'a>(code: &'a str, prefix: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let mut rest = code;
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        match rest.chars().next() {
            None => return rest,
            Some('}') => return &rest[1..],
            Some(c) if is_word(c) || c == '*' => rest = path(rest, prefix, found),
            Some(c) => rest = &rest[c.len_utf8()..],
        }
        if let Some(renamed) = rest.strip_prefix(" as ") {
            rest = renamed.trim_start_matches(is_word);
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[test]
fn comments_and_literals_are_left_out() {
    let code = "a /* x /* y */ */ b // crate::tui\n\"crate::\\\"tui\" r#\"c\"d\"# 'x' '\\'' b\"e\" &'s str r#type";
    let want = "a   b  \n\"\" \"\" \"\" \"\" b\"\" &'s str r#type";
    assert_eq!(bare(code), want);
}

#[test]
fn paths_are_spread_out() {
    let code = "use crate::{app::{self, keys as k}, tui::*};\nlet x = super::super::a(b.unwrap());\nassert!(c != d);";
    let all: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
    for want in [
        "crate::app::self",
        "crate::app::keys",
        "crate::tui::*",
        "super::super::a",
        ".unwrap",
        "assert!",
        "c",
    ] {
        assert!(all.iter().any(|path| path == want), "{want} in {all:?}");
    }
}

#[test]
fn code_for_tests_is_cut_out() {
    let code = "a();\n#[cfg(test)]\nmod tests { b(); { c(); } }\nd();\n#[cfg(test)]\n#[path = \"\"]\nmod e;\nf();";
    let rest = without_tests(code);
    for kept in ["a()", "d()", "f()"] {
        assert!(rest.contains(kept), "{kept} in {rest}");
    }
    for cut in ["b()", "c()", "mod"] {
        assert!(!rest.contains(cut), "{cut} in {rest}");
    }
}
