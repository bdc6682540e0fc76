use super::*;

fn of(block: &str) -> (Condition, Option<Misread>) {
    condition(&format!("---\n{block}---\nbody\n"))
}

fn reads(patterns: &[&str]) -> (Condition, Option<Misread>) {
    let patterns = patterns.iter().map(|one| (*one).to_string()).collect();
    (Condition::Reads(patterns), None)
}

const ALWAYS: (Condition, Option<Misread>) = (Condition::Always, None);

#[test]
fn the_forms_that_were_observed_as_conditional() {
    assert_eq!(of("paths: **/*.cs\n"), reads(&["**/*.cs"]));
    assert_eq!(of("paths: \"**/*.cs\"\n"), reads(&["**/*.cs"]));
    assert_eq!(of("paths: '**/*.cs'\n"), reads(&["**/*.cs"]));
    assert_eq!(
        of("paths: [\"src/*.cs\", '**/*.vb']\n"),
        reads(&["src/*.cs", "**/*.vb"])
    );
    assert_eq!(
        of("paths: src/**/*.{cs,vb}\n"),
        reads(&["src/**/*.{cs,vb}"])
    );
    assert_eq!(
        of("paths: src/*.ts, src/*.cs\n"),
        reads(&["src/*.ts", "src/*.cs"])
    );
    assert_eq!(
        of("description: note: about cs\npaths: \"**/*.cs\"\n"),
        reads(&["**/*.cs"])
    );
    assert_eq!(of("paths:\n- '**/*.cs'\n"), reads(&["**/*.cs"]));
    assert_eq!(
        of("paths:\n  - \"**/*.ts\"\n  - lib/**\n  - \"src/**/*.js\"\n"),
        reads(&["**/*.ts", "lib/**", "src/**/*.js"])
    );
}

#[test]
fn the_forms_that_were_observed_as_unconditional() {
    assert_eq!(
        of("paths:\n- **/*.cs\n"),
        (Condition::Always, Some(Misread::List { line: 2 }))
    );
    assert_eq!(
        of("paths: !src/*.cs\n"),
        (Condition::Always, Some(Misread::NoPattern { line: 2 }))
    );
    assert_eq!(
        of("globs: **/*.cs, **/*.vb\n"),
        (Condition::Always, Some(Misread::Globs { line: 2 }))
    );
    assert_eq!(
        condition("---\npaths: \"**/*.cs\"\nbody\n"),
        (Condition::Always, Some(Misread::Unclosed { line: 1 }))
    );
    assert_eq!(of("paths: \"**\"\n"), ALWAYS);
    assert_eq!(of("paths:\n"), ALWAYS);
    assert_eq!(of("paths: []\n"), ALWAYS);
    assert_eq!(of("title: x\n"), ALWAYS);
    assert_eq!(condition("no front matter"), ALWAYS);
}

#[test]
fn two_stars_and_a_name_are_a_condition() {
    assert_eq!(of("paths: \"**/*\"\n"), reads(&["**/*"]));
    assert_eq!(of("paths: [\"**\", a.md]\n"), reads(&["**", "a.md"]));
}

#[test]
fn a_flow_list_that_yaml_refuses_is_one_pattern_and_said_so() {
    let (condition, misread) = of("title: x\npaths: [**/*.cs, a]\n");
    assert_eq!(
        condition,
        Condition::Reads(vec!["[**/*.cs".into(), "a]".into()])
    );
    assert_eq!(misread, Some(Misread::FlowList { line: 3 }));
}

#[test]
fn line_breaks_of_windows_and_a_bomb_are_borne() {
    assert_eq!(
        condition("---\r\npaths: **/*.cs\r\n---\r\nbody"),
        reads(&["**/*.cs"])
    );
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\npaths: a.md\n";
    assert_eq!(of(bomb), reads(&["a.md"]));
}

#[test]
fn a_list_of_patterns_is_read_however_long_it_may_be() {
    let list: Vec<String> = (0..2_000)
        .map(|at| format!("src/{at:060}/**/*.ts"))
        .collect();
    let block: String = list.iter().map(|one| format!("  - \"{one}\"\n")).collect();
    assert!(block.len() > 128 * 1024);
    let read = of(&format!("paths:\n{block}"));
    assert_eq!(read, (Condition::Reads(list), None));
}

#[test]
fn what_is_larger_than_all_patterns_may_be_is_not_judged() {
    let filler = format!("# {}\n", "x".repeat(1_000)).repeat(4_300);
    let read = of(&format!("{filler}paths: a.md\n"));
    assert_eq!(read, (Condition::NotJudged, None));
    assert_eq!(of(&filler), ALWAYS, "it has no patterns");
}

#[test]
fn brackets_without_end_are_refused_at_once() {
    let block = format!("paths: {}\n", "[".repeat(1_000_000));
    let refused = (Condition::Always, Some(Misread::List { line: 2 }));
    assert_eq!(of(&block), refused);
}
