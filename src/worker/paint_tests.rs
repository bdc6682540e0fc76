use crate::app::painted::{Tone, may_be_painted};
use crate::worker::paint::{Brush, ToPaint, wanted};

fn tones(line: &[(Tone, String)]) -> Vec<(Tone, &str)> {
    line.iter().map(|(tone, text)| (*tone, &**text)).collect()
}

#[test]
fn a_fence_with_a_known_language_is_painted_and_says_what_it_said() {
    let code = "fn main() {\n    let x = \"a\"; // why\n\n    f(42);\n}";
    let body = format!(
        "Text.\n\n```rust\n{code}\n```\n\n```\nplain\n```\n\n- item\n\n  ```nosuch x\n  y\n  ```\n"
    );
    let painted = Brush::default().paint(&body);
    assert_eq!(painted.len(), 3);
    assert_eq!((&painted[1], &painted[2]), (&None, &None));
    let lines = painted[0].as_ref().expect("painted");
    let text: Vec<String> = lines
        .iter()
        .map(|line| line.iter().map(|(_, text)| text.as_str()).collect())
        .collect();
    assert_eq!(text.join("\n"), code);
    assert!(
        tones(&lines[0]).contains(&(Tone::Keyword, "fn")),
        "{lines:?}"
    );
    assert!(
        tones(&lines[0]).contains(&(Tone::Name, "main")),
        "{lines:?}"
    );
    assert!(
        tones(&lines[1]).contains(&(Tone::Text, "\"a\"")),
        "{lines:?}"
    );
    assert!(
        tones(&lines[1]).contains(&(Tone::Comment, "// why")),
        "{lines:?}"
    );
    assert!(
        tones(&lines[3]).contains(&(Tone::Literal, "42")),
        "{lines:?}"
    );
}

#[test]
fn what_people_call_a_language_is_known() {
    let mut brush = Brush::default();
    for name in [
        "sh",
        "bash",
        "shell",
        "console",
        "rs",
        "rust",
        "python",
        "py",
        "js",
        "ts",
        "typescript",
        "tsx",
        "json",
        "jsonc",
        "yaml",
        "yml",
        "sql",
        "html",
        "css",
        "go",
        "java",
        "c",
        "c++",
        "cpp",
        "ruby",
        "php",
        "diff",
        "makefile",
        "markdown",
        "md",
        "xml",
        "Rust",
        "rust,ignore",
        "sh title=x",
    ] {
        let painted = brush.paint(&format!("```{name}\nx\n```\n"));
        assert!(painted[0].is_some(), "{name}");
    }
}

#[test]
fn only_a_fence_that_names_its_language_is_worth_the_grammars() {
    assert!(may_be_painted("a\n```sh\nx\n```\n"));
    assert!(may_be_painted("> ~~~~ py\n"));
    assert!(!may_be_painted("a\n```\nx\n```\n"));
    assert!(!may_be_painted("no code"));
    assert!(!may_be_painted(&format!(
        "```sh\n{}```\n",
        "x\n".repeat(40_000)
    )));
}

#[test]
fn of_pages_the_last_is_painted_and_of_answers_each() {
    let job = |id, is_page| ToPaint {
        id,
        body: String::new(),
        is_page,
    };
    let waiting = vec![job(1, true), job(2, false), job(3, true), job(4, false)];
    let ids: Vec<u64> = wanted(waiting).iter().map(|job| job.id).collect();
    assert_eq!(ids, [3, 2, 4]);
}
