use super::*;

fn imports(text: &str) -> Vec<String> {
    let all = references(text).into_iter();
    all.filter(|one| one.is_import)
        .map(|one| one.path)
        .collect()
}

fn looks_like(text: &str) -> Vec<String> {
    let all = references(text).into_iter();
    all.filter(|one| !one.is_import)
        .map(|one| one.path)
        .collect()
}

#[test]
fn an_import_stands_at_the_start_or_after_white_space() {
    assert_eq!(
        imports("@a.md and @./b.md\n@~/c.md\t@/d.md"),
        ["a.md", "./b.md", "~/c.md", "/d.md"]
    );
    assert_eq!(
        imports("x@a.md (@b.md) \"@c.md\" mail tern@example.invalid 3@4"),
        [""; 0]
    );
    assert_eq!(imports("@ @/ @~ @# @@x"), [""; 0]);
}

#[test]
fn a_fragment_is_cut_and_a_space_may_be_escaped() {
    assert_eq!(
        imports("@frag.md#sec @with\\ space.md @a\\b.md"),
        ["frag.md", "with space.md", "a"]
    );
}

#[test]
fn code_html_and_links_hold_none() {
    assert_eq!(
        imports("`@a.md`\n\n```\n@b.md\n```\n\n~~~\n@c.md\n~~~\n\n    @d.md\n"),
        [""; 0]
    );
    assert_eq!(imports("````\n```\n@no.md\n```\n````\n@yes.md"), ["yes.md"]);
    assert_eq!(
        imports("[x](@a.md) [@b.md](y) ![@c.md](z)\n\n<div>\n@d.md\n</div>\n\n<!--\n@e.md\n-->"),
        [""; 0]
    );
}

#[test]
fn bold_and_an_indented_line_of_a_paragraph_do() {
    assert_eq!(
        imports("**@a.md** _see @b.md_\n    @c.md"),
        ["a.md", "b.md", "c.md"]
    );
}

#[test]
fn an_escaped_sign_is_no_import() {
    assert_eq!(imports("\\@a.md and \\@b.md"), [""; 0]);
    assert_eq!(imports("\\# @a.md"), ["a.md"]);
}

#[test]
fn the_text_of_a_tight_item_is_looked_at_whole_before_its_parts() {
    assert_eq!(
        imports("- @a.md\n  **@b.md**\n  @c.md\n\n@d.md"),
        ["a.md", "c.md", "b.md", "d.md"]
    );
    // In a loose list each paragraph is walked as any other.
    assert_eq!(
        imports("- @a.md\n  **@b.md**\n  @c.md\n\n- x"),
        ["a.md", "b.md", "c.md"]
    );
    assert_eq!(
        imports("- @a.md\n  - **@b.md**\n    @c.md\n- @d.md"),
        ["a.md", "c.md", "b.md", "d.md"]
    );
}

#[test]
fn each_reference_comes_once_with_its_place() {
    let text = "- one @a.md\n- two";
    let found = references(text);
    assert_eq!(found.len(), 1);
    assert_eq!(&text[found[0].at..], "@a.md\n- two");
    let text = "> x\n> y @q.md";
    assert_eq!(&text[references(text)[0].at..], "@q.md");
}

#[test]
fn what_a_person_takes_for_an_import_is_told_apart() {
    assert_eq!(
        looks_like("(@./real2.md) and \"@x.md\", @y.md."),
        ["./real2.md", "x.md"]
    );
    assert_eq!(without_closing("./real3.md."), Some("./real3.md"));
    assert_eq!(without_closing("./real3.md"), None);
    assert!(is_plainly_a_path("./x") && is_plainly_a_path("docs/x.md"));
    assert!(!is_plainly_a_path("scope/pkg") && !is_plainly_a_path("someone"));
}

#[test]
fn a_hostile_text_takes_no_square_time() {
    let text = "- @a ".repeat(20_000) + &"<![CDATA[".repeat(20_000) + &"**@b** ".repeat(20_000);
    assert!(references(&text).len() > 20_000);
    for text in [
        "(@".repeat(400_000),
        "@".repeat(400_000),
        " @\\".repeat(400_000),
    ] {
        assert_eq!(references(&text), []);
    }
}
