use super::*;

fn found(text: &str) -> Vec<(String, NoImport)> {
    let all = lookalikes(text).into_iter();
    all.map(|one| (one.written, one.why)).collect()
}

fn of(written: &str, why: NoImport) -> (String, NoImport) {
    (written.to_string(), why)
}

#[test]
fn what_stands_in_code_html_and_links_is_found() {
    assert_eq!(
        found("`@a.md` and `use @b.md.`\n\n```\n@c.md\n```\n\n    @d.md\n"),
        ["a.md", "b.md", "c.md", "d.md"].map(|path| of(path, NoImport::Code))
    );
    assert_eq!(
        found("[x](@a.md) [@b.md](y) ![@c.md](z)"),
        ["a.md", "b.md", "c.md"].map(|path| of(path, NoImport::Link))
    );
    assert_eq!(
        found("<div>\n@d.md\n</div>\n"),
        [of("d.md", NoImport::Html)]
    );
}

#[test]
fn a_word_with_the_sign_in_it_is_found_whole() {
    assert_eq!(
        found("Mail tern@example.invalid, or (rook@b.example).\nreact@18 x@y.md"),
        [
            of("tern@example.invalid", NoImport::Word),
            of("rook@b.example", NoImport::Word),
            of("react@18", NoImport::Word),
            of("x@y.md", NoImport::Word),
        ]
    );
}

#[test]
fn what_the_walk_of_imports_judges_is_not_found_here() {
    assert_eq!(
        found("@a.md **@b.md** (@c.md) \\@d.md @user @@x\n- @e.md"),
        []
    );
}

#[test]
fn in_code_only_what_is_plainly_a_path_is_named_without_a_file() {
    let other = |text: &str| lookalikes(text)[0].may_be_another_use();
    assert!(other("`@Override`") && other("[@rook](https://example.invalid)"));
    assert!(!other("`@docs/a.md`") && !other("`@./x`") && !other("rook@example.invalid"));
}

#[test]
fn its_place_is_the_byte_of_its_sign() {
    let text = "# A\n\nx\n\n```\n@c.md\n```\n";
    assert_eq!(&text[lookalikes(text)[0].at..], "@c.md\n```\n");
}

#[test]
fn a_hostile_text_takes_no_square_time() {
    for text in [
        "a@".repeat(400_000),
        "`@".repeat(100_000),
        "a@b ".repeat(100_000),
    ] {
        assert!(lookalikes(&text).len() <= 100_000);
    }
}
