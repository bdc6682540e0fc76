use super::*;
use crate::instructions::{Conditional, Instruction, LeftOut};

fn places() -> Places {
    Places {
        user: "/home/ada/.claude/CLAUDE.md".into(),
        user_rules: "/home/ada/.claude/rules".into(),
        project: "/work/shop/CLAUDE.md".into(),
        project_rules: "/work/shop/.claude/rules".into(),
        local: "/work/shop/CLAUDE.local.md".into(),
        managed: "/etc/claude-code".into(),
        home: "/home/ada".into(),
    }
}

fn entry(path: &str, layer: Layer, role: Role, imported_by: Option<usize>) -> Instruction {
    Instruction {
        path: path.into(),
        layer,
        role,
        text: "abc".to_string(),
        imported_by,
    }
}

fn left(path: &str, named: Option<(&str, usize)>) -> LeftOut {
    LeftOut {
        path: path.into(),
        why: Why::Missing { hint: None },
        named: named.map(|(from, line)| (from.into(), line)),
    }
}

fn list() -> RuleList {
    let edge = |from: &str, line, to: &str, state| Edge {
        from: from.into(),
        line,
        written: to.to_string(),
        to: to.into(),
        state,
    };
    let read = Instructions {
        entries: vec![
            entry("/home/ada/.claude/CLAUDE.md", Layer::User, Role::Main, None),
            entry("/work/shop/CLAUDE.md", Layer::Project, Role::Main, None),
            entry("/work/shop/a.md", Layer::Project, Role::Import, Some(1)),
            entry("/work/shop/b.md", Layer::Project, Role::Import, Some(2)),
        ],
        conditional: vec![Conditional {
            path: "/work/shop/.claude/rules/sql.md".into(),
            layer: Layer::Project,
            base: "/work/shop".into(),
            patterns: vec!["**/*.sql".to_string()],
            text: "数据".to_string(),
        }],
        left_out: vec![
            left("/work/shop/gone.md", Some(("/work/shop/a.md", 3))),
            left("/etc/claude-code/x.md", None),
        ],
        edges: vec![
            edge(
                "/work/shop/CLAUDE.md",
                2,
                "/work/shop/a.md",
                EdgeState::Loaded,
            ),
            edge(
                "/work/shop/CLAUDE.md",
                4,
                "/work/shop/b.md",
                EdgeState::Already,
            ),
            edge(
                "/work/shop/CLAUDE.md",
                5,
                "/work/shop/@x",
                EdgeState::NoImport(NoImport::Mention),
            ),
        ],
        ..Instructions::default()
    };
    RuleList::of(read, places(), |path| match path.ends_with("b.md") {
        true => "/elsewhere/b.md".into(),
        false => path.to_path_buf(),
    })
}

#[test]
fn what_a_file_misses_stands_behind_it_and_what_waits_behind_what_is_sent() {
    let list = list();
    let rows: Vec<_> = list
        .files
        .iter()
        .map(|file| (&*file.title, file.depth, file.imported_by))
        .collect();
    assert_eq!(
        rows,
        [
            ("~/.claude/CLAUDE.md", 0, None),
            ("CLAUDE.md", 0, None),
            ("a.md", 1, Some(1)),
            ("gone.md", 2, Some(2)),
            ("b.md", 2, Some(2)),
            (".claude/rules/sql.md", 0, None),
            ("/etc/claude-code/x.md", 0, None),
        ]
    );
    assert_eq!(list.files[4].real, PathBuf::from("/elsewhere/b.md"));
    assert_eq!(list.files[6].layer, Layer::Managed);
    assert!(!list.files[6].is_ours());
}

#[test]
fn only_what_is_sent_costs_and_survives() {
    let list = list();
    assert_eq!((list.bytes(), list.tokens()), (12, 121));
    let rule = list
        .at(Path::new("/work/shop/.claude/rules/sql.md"))
        .unwrap();
    assert_eq!((rule.bytes, rule.tokens, rule.survives()), (6, 31, false));
    assert!(list.files[3].is_missing() && !list.files[3].survives());
}

#[test]
fn mentions_are_no_imports() {
    let list = list();
    let named: Vec<usize> = list
        .imports_of(Path::new("/work/shop/CLAUDE.md"))
        .map(|edge| edge.line)
        .collect();
    assert_eq!(named, [2, 4]);
    let importers = list.importers_of(Path::new("/work/shop/b.md"));
    assert_eq!(importers.map(|edge| edge.line).collect::<Vec<_>>(), [4]);
}
