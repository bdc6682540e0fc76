use super::*;
use crate::config::limits::{PATH_PATTERN_BYTES, PATH_PATTERNS};

fn budget() -> Budget {
    Budget {
        patterns: PATH_PATTERNS,
        bytes: PATH_PATTERN_BYTES,
    }
}

fn matcher(patterns: &[&str]) -> Matcher {
    let patterns: Vec<String> = patterns.iter().map(|one| (*one).to_string()).collect();
    Matcher::new(&patterns, &mut budget()).unwrap()
}

fn matches(pattern: &str, file: &str) -> bool {
    matcher(&[pattern]).matching(Path::new(file)).is_some()
}

#[test]
fn commas_part_patterns_but_not_in_braces() {
    assert_eq!(split_commas("src/*.ts, src/*.cs"), ["src/*.ts", "src/*.cs"]);
    assert_eq!(split_commas("a.{x,y},b , ,"), ["a.{x,y}", "b"]);
}

#[test]
fn braces_are_choices() {
    let all = |pattern| expand(pattern, &mut budget()).unwrap();
    assert_eq!(all("a.{x,y}"), ["a.x", "a.y"]);
    assert_eq!(
        all("{a,b}/{c,d{e,f}}"),
        ["a/c", "a/de", "a/df", "b/c", "b/de", "b/df"]
    );
    assert_eq!(all("{a}/\\{b,c}"), ["{a}/\\{b,c}"]);
    assert_eq!(all("{a,b"), ["{a,b"]);
    assert_eq!(all("{x}{a,b}"), ["{x}a", "{x}b"]);
}

#[test]
fn a_bomb_of_braces_ends_at_the_limit() {
    assert_eq!(expand(&"{a,b}".repeat(40), &mut budget()), None);
    let mut left = budget();
    assert_eq!(
        expand(&"{a,b}".repeat(9), &mut left).map(|all| all.len()),
        Some(512)
    );
    assert_eq!(left.patterns, PATH_PATTERNS - 512);
    assert_eq!(expand(&"{a,b}".repeat(9), &mut left), None);
    let long = format!("{}{{a,b}}", "x".repeat(PATH_PATTERN_BYTES));
    assert_eq!(expand(&long, &mut budget()), None);
}

#[test]
fn a_name_alone_matches_at_any_depth_and_a_slash_ties_it_down() {
    assert!(matches("x.py", "x.py") && matches("x.py", "d/x.py"));
    assert!(matches("src/*.cs", "src/a.cs"));
    assert!(!matches("src/*.cs", "a/src/a.cs") && !matches("src/*.cs", "src/b/a.cs"));
    assert!(matches("**/*.cs", "a.cs") && matches("**/*.cs", "a/b/c.cs"));
    assert!(matches("lib/**", "lib/a/b") && !matches("lib/**", "docs/x.md"));
    assert!(matches("lib", "lib/a/b") && matches("lib/", "x/lib/a"));
    assert!(matches("src/**/*.{cs,vb}", "src/a/b.vb") && matches("src/**/*.{cs,vb}", "src/b.cs"));
    assert!(matches("*", ".hidden"));
}

#[test]
fn each_pattern_of_a_list_is_tried_and_named() {
    let all = matcher(&["**/*.ts", "lib/**", "src/**/*.js"]);
    assert_eq!(all.matching(Path::new("src/x.js")), Some("src/**/*.js"));
    assert_eq!(all.matching(Path::new("lib/a/b")), Some("lib/**"));
    assert_eq!(all.matching(Path::new("docs/x.md")), None);
}

#[test]
fn what_an_exclamation_mark_takes_out_matches_no_more() {
    let all = matcher(&["*.ts", "!x.ts"]);
    assert_eq!(all.matching(Path::new("x.ts")), None);
    assert_eq!(all.matching(Path::new("y.ts")), Some("*.ts"));
}

#[test]
fn a_pattern_that_cannot_be_read_is_named() {
    let all = matcher(&["a[", "{b", "[z-a]", "*.md"]);
    let bad: Vec<&str> = all.bad.iter().map(|(pattern, _)| &**pattern).collect();
    assert_eq!(bad, ["a[", "{b", "[z-a]"]);
    assert_eq!(all.bad[0].1, "`[` is not closed");
    assert_eq!(all.bad[1].1, "`{` is not closed");
    assert!(all.bad[2].1.contains("range"), "{}", all.bad[2].1);
    assert_eq!(all.matching(Path::new("a.md")), Some("*.md"));
    assert!(matches("#x.md", "#x.md"));
    assert!(matches("{x}.md", "{x}.md") && !matches("{x}.md", "x.md"));
    assert!(matches("\\{x}.md", "{x}.md"));
}
