use super::*;

#[test]
fn plain_text_is_borrowed() {
    assert!(matches!(line("release-freeze 2 d"), Cow::Borrowed(_)));
    assert!(matches!(line("数据库迁移 — café"), Cow::Borrowed(_)));
}

#[test]
fn escapes_and_controls_become_pictures() {
    assert_eq!(line("a\u{1b}[31mb\r\n\t\u{7f}"), "a␛[31mb␍␊␉␡");
    assert_eq!(line("\u{9b}31m"), "<U+009B>31m");
}

#[test]
fn bidirectional_zero_width_and_tag_characters_are_named() {
    assert_eq!(line("nest\u{202E}dm.exe"), "nest<U+202E>dm.exe");
    assert_eq!(line("a\u{2066}b\u{2069}"), "a<U+2066>b<U+2069>");
    assert_eq!(
        line("\u{200B}\u{FEFF}\u{E0041}"),
        "<U+200B><U+FEFF><U+E0041>"
    );
    assert_eq!(
        line("\u{2028}\u{3164}\u{E0100}"),
        "<U+2028><U+3164><U+E0100>"
    );
}

#[test]
fn joiners_stay_only_inside_what_they_join() {
    assert_eq!(line("👨\u{200D}👩\u{200D}👧"), "👨\u{200D}👩\u{200D}👧");
    assert_eq!(line("❤\u{FE0F}"), "❤\u{FE0F}");
    assert_eq!(line("a\u{200D}b"), "a<U+200D>b");
    assert_eq!(line("\u{200D}"), "<U+200D>");
}

#[test]
fn a_block_keeps_its_lines_and_fills_its_tabs() {
    assert_eq!(block("a\tb\r\n\u{1b}c\n"), "a   b\n␛c\n");
}

#[test]
fn no_hidden_character_survives() {
    for code in 0..=0x0010_FFFF_u32 {
        let Some(c) = char::from_u32(code) else {
            continue;
        };
        let shown = line(&format!("x{c}y")).into_owned();
        assert!(
            !shown.chars().any(is_hidden),
            "U+{code:04X} is shown as {shown:?}"
        );
    }
}

#[test]
fn only_a_path_that_begins_with_the_home_is_shortened() {
    let home = std::path::Path::new("/home/u");
    for (text, shown) in [
        ("/home/u/work is gone", "~/work is gone"),
        ("in `/home/u/a`, /home/u", "in `~/a`, ~"),
        ("/srv/home/u/a", "/srv/home/u/a"),
        ("/home/u2/a and /home/u.old", "/home/u2/a and /home/u.old"),
        ("it ends in /home/u.", "it ends in /home/u."),
    ] {
        assert_eq!(homely(text, home), shown);
    }
    assert_eq!(homely("/a", std::path::Path::new("/")), "/a");
}

#[test]
fn what_is_not_all_is_never_told_as_all() {
    let said = [0.0, 0.977, 0.97651, 0.9996, 1.0].map(percent);
    assert_eq!(said, ["0.0", "97.7", "97.7", "99.9", "100.0"]);
}

#[test]
fn of_a_path_that_is_cut_the_file_s_name_stays_or_both_its_ends() {
    for (cells, shown) in [
        (40, "~/work/shop/rules/style-of-tests.md"),
        (27, "~/work/s…/style-of-tests.md"),
        (19, "…/style-of-tests.md"),
        (12, "style…sts.md"),
    ] {
        let cut = cut_path("~/work/shop/rules/style-of-tests.md", cells);
        assert!(text::width(&cut) <= cells, "{cut}");
        assert_eq!(cut, shown, "{cells}");
    }
}
