//! Files of a project that its memories cite: what in a text looks like a relative path, or a path
//! below the project's own. A guess at words, good for comparing folders, not for findings.

use std::collections::BTreeSet;
use std::path::Path;

/// Files that are remembered of all memories of a project.
const MOST: usize = 50;

/// Adds the files that a text cites, relative to the project's path.
pub fn add(text: &str, project: &Path, cited: &mut BTreeSet<String>) {
    let apart = |c: char| c.is_whitespace() || "`\"'()[]<>{},;|*".contains(c);
    for word in text.split(apart) {
        if cited.len() >= MOST {
            return;
        }
        if let Some(path) = path_of(word, project) {
            cited.insert(path);
        }
    }
}

fn path_of(word: &str, project: &Path) -> Option<String> {
    let word = word.trim_end_matches(['.', ':', '!', '?']);
    // `file:line` and `file:line:column`.
    let word = word.split(':').next()?;
    let word = match Path::new(word).strip_prefix(project) {
        Ok(inner) => inner.to_str()?,
        Err(_) => word.strip_prefix("./").unwrap_or(word),
    };
    let plain = |c: char| c.is_alphanumeric() || "._-/+@".contains(c);
    let (front, end) = word.rsplit('/').next()?.rsplit_once('.')?;
    let is_file = !front.is_empty()
        && (1..=5).contains(&end.len())
        // `e.g`, `i.e`, `a.m`.
        && word.len() > 3
        && end.starts_with(|c: char| c.is_ascii_alphabetic())
        && end.chars().all(|c| c.is_ascii_alphanumeric());
    let is_below =
        !word.starts_with('/') && !word.split('/').any(|part| part == ".." || part.is_empty());
    (is_file && is_below && word.chars().all(plain)).then(|| word.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_and_those_below_the_project_are_cited() {
        let mut cited = BTreeSet::new();
        let text = "See `src/pay/retry.rs:41:3`, ./Makefile.am and (docs/a-b.md). /srv/shop/web/app.ts too.\n\
            Not https://example.org/x.html, ../up.rs, /etc/hosts.conf, 1.5, e.g. or v2.0.";
        add(text, Path::new("/srv/shop"), &mut cited);
        let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
        assert_eq!(
            cited,
            [
                "Makefile.am",
                "docs/a-b.md",
                "src/pay/retry.rs",
                "web/app.ts"
            ]
        );
    }

    #[test]
    fn no_more_are_remembered_than_are_compared() {
        let mut cited = BTreeSet::new();
        let text: String = (0..200).map(|number| format!("f{number}.rs ")).collect();
        add(&text, Path::new("/srv"), &mut cited);
        assert_eq!(cited.len(), MOST);
    }
}
