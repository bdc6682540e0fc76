use super::*;

#[test]
fn titles_of_rules_folders_are_short() {
    for (title, said) in [
        (".claude/rules/a.md", "rules/a.md"),
        ("~/.claude/rules/b/c.md", "rules/b/c.md"),
        ("~/.claude/CLAUDE.md", "~/.claude/CLAUDE.md"),
        ("rules/a.md", "rules/a.md"),
        ("/srv/.claude/rules/a.md", "/srv/.claude/rules/a.md"),
    ] {
        assert_eq!(short_title(title), said);
    }
}

#[test]
fn sizes_are_short() {
    for (bytes, said) in [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 KB"),
        (4_200, "4.1 KB"),
        (34_900, "34 KB"),
    ] {
        assert_eq!(short_size(bytes), said);
    }
}
