use super::fixture::{World, left_out, paths};
use super::paths::Misread;
use super::*;

fn edges(all: &Instructions) -> Vec<(String, usize, String, EdgeState)> {
    let edges = all.edges.iter();
    edges
        .map(|edge| {
            let from = edge.from.file_name().unwrap().to_string_lossy();
            (
                from.into_owned(),
                edge.line,
                edge.written.clone(),
                edge.state.clone(),
            )
        })
        .collect()
}

fn edge(from: &str, line: usize, to: &str, state: EdgeState) -> (String, usize, String, EdgeState) {
    (from.to_string(), line, to.to_string(), state)
}

fn left(why: Why) -> EdgeState {
    EdgeState::LeftOut(why)
}

fn attached_paths(all: &[Attached]) -> Vec<String> {
    all.iter()
        .map(|one| one.path.display().to_string())
        .collect()
}

#[test]
fn im02_an_import_begins_at_the_file_that_holds_it_and_the_right_way_is_named() {
    let world = World::of_case("IM02");
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), ["/srv/p/.claude/CLAUDE.md"]);
    let hint = Some("../docs/x.md".to_string());
    assert_eq!(
        edges(&all),
        [edge(
            "CLAUDE.md",
            1,
            "docs/x.md",
            left(Why::Missing { hint })
        )]
    );
    assert_eq!(
        left_out(&all),
        [
            "/srv/p/.claude/docs/x.md is not there, but `@../docs/x.md` would be: paths begin at the file that holds them"
        ]
    );
}

#[test]
fn im04_a_link_imports_from_beside_its_target_and_code_is_no_import() {
    let world = World::with(&[
        (
            "/srv/dots/CLAUDE.md",
            "@./eng.md\nuse `@./no.md` here\n````\n```\n@./no.md\n```\n````\n~~~\n@./no.md\n~~~\n",
        ),
        ("/srv/dots/eng.md", "E\n"),
        ("/srv/dots/no.md", "N\n"),
    ]);
    world.link("/home/u/.claude/CLAUDE.md", "/srv/dots/CLAUDE.md");
    let all = world.read("/srv/p");
    assert_eq!(
        paths(&all),
        ["/home/u/.claude/CLAUDE.md", "/srv/dots/eng.md"]
    );
    assert_eq!(all.entries[1].imported_by, Some(0));
    assert_eq!(all.entries[1].layer, Layer::User);
    assert_eq!(
        edges(&all),
        [
            edge("CLAUDE.md", 1, "./eng.md", EdgeState::Loaded),
            edge(
                "CLAUDE.md",
                2,
                "./no.md",
                EdgeState::NoImport(NoImport::Code)
            ),
            edge(
                "CLAUDE.md",
                5,
                "./no.md",
                EdgeState::NoImport(NoImport::Code)
            ),
            edge(
                "CLAUDE.md",
                9,
                "./no.md",
                EdgeState::NoImport(NoImport::Code)
            ),
        ]
    );
}

#[test]
fn im05_cycles_are_cut_and_named_a_diamond_is_none_and_the_depth_ends() {
    let world = World::of_case("IM05");
    let all = world.read("/srv/p");
    let names: Vec<String> = paths(&all)
        .iter()
        .map(|path| path.strip_prefix("/srv/p/").unwrap().to_string())
        .collect();
    assert_eq!(
        names,
        [
            "CLAUDE.md",
            "a.md",
            "b.md",
            "self.md",
            "c1.md",
            "c2.md",
            "c3.md",
            "c4.md",
            "d1.md",
            "d3.md",
            "d2.md"
        ]
    );
    let loaded = EdgeState::Loaded;
    assert_eq!(
        edges(&all),
        [
            edge("CLAUDE.md", 1, "./a.md", loaded.clone()),
            edge("a.md", 1, "./b.md", loaded.clone()),
            edge("b.md", 1, "./a.md", left(Why::Cycle)),
            edge("CLAUDE.md", 2, "./self.md", loaded.clone()),
            edge("self.md", 1, "./self.md", left(Why::Cycle)),
            edge("CLAUDE.md", 3, "./c1.md", loaded.clone()),
            edge("c1.md", 1, "./c2.md", loaded.clone()),
            edge("c2.md", 1, "./c3.md", loaded.clone()),
            edge("c3.md", 1, "./c4.md", loaded.clone()),
            edge("c4.md", 1, "./c5.md", left(Why::TooDeep)),
            edge("c5.md", 1, "./c6.md", left(Why::TooDeep)),
            edge("c6.md", 1, "./c7.md", left(Why::TooDeep)),
            edge("c7.md", 1, "./c8.md", left(Why::TooDeep)),
            edge("CLAUDE.md", 4, "./d1.md", loaded.clone()),
            edge("d1.md", 1, "./d3.md", loaded.clone()),
            edge("CLAUDE.md", 5, "./d2.md", loaded),
            edge("d2.md", 1, "./d3.md", EdgeState::Already),
        ]
    );
}

#[test]
fn im08_only_a_bare_path_is_an_import() {
    let world = World::of_case("IM08");
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), ["/srv/p/CLAUDE.md", "/srv/p/real.md"]);
    assert_eq!(
        edges(&all),
        [
            edge(
                "CLAUDE.md",
                1,
                "scope/pkg;",
                EdgeState::NoImport(NoImport::Mention)
            ),
            edge(
                "CLAUDE.md",
                1,
                "someone;",
                EdgeState::NoImport(NoImport::Mention)
            ),
            edge("CLAUDE.md", 2, "./real.md", EdgeState::Loaded),
            edge(
                "CLAUDE.md",
                3,
                "./real2.md",
                EdgeState::NoImport(NoImport::Enclosed)
            ),
            edge(
                "CLAUDE.md",
                3,
                "./real3.md.",
                EdgeState::NoImport(NoImport::Enclosed)
            ),
            edge(
                "CLAUDE.md",
                1,
                "tern@example.invalid",
                EdgeState::NoImport(NoImport::Word)
            ),
            edge("CLAUDE.md", 1, "3@4", EdgeState::NoImport(NoImport::Word)),
        ]
    );
    assert_eq!(left_out(&all), [""; 0]);
}

#[test]
fn im09_dots_lead_up_directories_are_named_and_what_leaves_the_folder_needs_approval() {
    let world = World::of_case("IM09");
    let all = world.read("/srv/p/sub");
    assert_eq!(paths(&all), ["/srv/p/sub/CLAUDE.md"]);
    assert_eq!(
        edges(&all),
        [
            edge("CLAUDE.md", 1, "../AGENTS.md", left(Why::External)),
            edge("CLAUDE.md", 2, "..", left(Why::Folder)),
            edge("CLAUDE.md", 3, "./", left(Why::Folder)),
        ]
    );
    let approval = r#"{"projects":{"/srv/p/sub":{"hasClaudeMdExternalIncludesApproved":true}}}"#;
    world.write("/home/u/.claude.json", approval.as_bytes());
    let all = world.read("/srv/p/sub");
    assert_eq!(paths(&all), ["/srv/p/sub/CLAUDE.md", "/srv/p/AGENTS.md"]);
}

#[test]
fn im09_from_the_root_the_nested_file_comes_with_a_read_and_its_import_resolves() {
    let world = World::of_case("IM09");
    world.write("/srv/p/CLAUDE.md", b"root\n");
    let all = world.attached("/srv/p", "sub/x.rs");
    assert_eq!(
        attached_paths(&all),
        ["/srv/p/sub/CLAUDE.md", "/srv/p/AGENTS.md"]
    );
    assert_eq!(all[1].role, Role::Import);
}

#[test]
fn im10_each_pattern_is_tried_and_the_one_that_matched_is_named() {
    let world = World::of_case("IM10");
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), [""; 0]);
    assert_eq!(
        all.conditional[0].patterns,
        ["**/*.ts", "lib/**", "src/**/*.js"]
    );
    let query = include_str!("../../tests/fixtures/IM10/query.txt");
    let mut asked = 0;
    for line in query.lines() {
        let (file, wanted) = line.split_once(" -> ").unwrap();
        let found = world.attached("/srv/p", file);
        assert_eq!(!found.is_empty(), wanted == "yes", "{file}");
        asked += 1;
    }
    assert_eq!(asked, 3);
    let found = world.attached("/srv/p", "src/x.js");
    assert_eq!(found[0].pattern.as_deref(), Some("src/**/*.js"));
    assert_eq!(found[0].text, "R");
}

#[test]
fn im11_a_lone_star_is_a_condition_and_the_old_key_is_none() {
    let world = World::of_case("IM11");
    world.write(
        "/srv/p/.claude/rules/e.md",
        b"---\npaths:\n- **/*.cs\n---\nE\n",
    );
    let all = world.read("/srv/p");
    let mut always = paths(&all);
    always.sort();
    assert_eq!(
        always,
        ["/srv/p/.claude/rules/d.md", "/srv/p/.claude/rules/e.md"]
    );
    let mut woken = attached_paths(&world.attached("/srv/p", "x/y.cs"));
    woken.sort();
    assert_eq!(
        woken,
        [
            "/srv/p/.claude/rules/a.md",
            "/srv/p/.claude/rules/b.md",
            "/srv/p/.claude/rules/c.md"
        ]
    );
    let mut noted: Vec<(String, Noticed)> = all
        .notes
        .iter()
        .map(|one| {
            let name = one.path.file_name().unwrap().to_string_lossy();
            (name.into_owned(), one.what.clone())
        })
        .collect();
    noted.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        noted,
        [
            (
                "d.md".to_string(),
                Noticed::Misread(Misread::Globs { line: 2 })
            ),
            (
                "e.md".to_string(),
                Noticed::Misread(Misread::List { line: 2 })
            ),
        ]
    );
}

#[test]
fn a_read_attaches_in_the_observed_order_and_what_is_loaded_comes_not_again() {
    let world = World::with(&[
        ("/home/u/.claude/rules/u.md", "---\npaths: '*.rs'\n---\nU\n"),
        ("/srv/p/CLAUDE.md", "P @shared.md\n"),
        ("/srv/p/shared.md", "shared\n"),
        (
            "/srv/p/.claude/rules/p.md",
            "---\npaths: a/**\n---\nPR @more.md\n",
        ),
        (
            "/srv/p/.claude/rules/more.md",
            "---\npaths: never\n---\nmore\n",
        ),
        ("/srv/p/a/CLAUDE.md", "A @x.md @../shared.md\n"),
        ("/srv/p/a/x.md", "X\n"),
        ("/srv/p/a/.claude/CLAUDE.md", "AC\n"),
        ("/srv/p/a/CLAUDE.local.md", "AL\n"),
        ("/srv/p/a/.claude/rules/n.md", "N\n"),
        ("/srv/p/a/b/CLAUDE.md", "B\n"),
        ("/srv/p/a/b/c/CLAUDE.md", "C\n"),
    ]);
    let all = world.attached("/srv/p", "a/b/f.rs");
    assert_eq!(
        attached_paths(&all),
        [
            "/home/u/.claude/rules/u.md",
            "/srv/p/a/CLAUDE.md",
            "/srv/p/a/x.md",
            "/srv/p/a/.claude/CLAUDE.md",
            "/srv/p/a/CLAUDE.local.md",
            "/srv/p/a/.claude/rules/n.md",
            "/srv/p/a/b/CLAUDE.md",
            "/srv/p/.claude/rules/p.md",
        ]
    );
    let patterns: Vec<Option<&str>> = all.iter().map(|one| one.pattern.as_deref()).collect();
    assert_eq!(patterns[0], Some("*.rs"));
    assert_eq!(patterns[7], Some("a/**"));
    assert!(patterns[1..7].iter().all(Option::is_none));
    assert_eq!(attached_paths(&world.attached("/srv/p", "f.txt")), [""; 0]);
    assert_eq!(
        attached_paths(&world.attached("/srv/p", "/srv/q/f.rs")),
        [""; 0]
    );
}

#[test]
fn the_strongest_setting_that_takes_a_file_out_is_named() {
    let world = World::with(&[
        ("/srv/p/CLAUDE.md", "P\n"),
        ("/srv/p/.claude/CLAUDE.md", "PC\n"),
        (
            "/home/u/.claude/settings.json",
            r#"{"claudeMdExcludes":["**/p/CLAUDE.md","/srv/p/.claude/CLAUDE.md"]}"#,
        ),
        (
            "/srv/p/.claude/settings.json",
            r#"{"claudeMdExcludes":["/srv/**/CLAUDE.md"]}"#,
        ),
    ]);
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), [""; 0]);
    let by =
        "is taken out by `/srv/**/CLAUDE.md` of claudeMdExcludes in /srv/p/.claude/settings.json";
    assert_eq!(
        left_out(&all),
        [
            format!("/srv/p/CLAUDE.md {by}"),
            format!("/srv/p/.claude/CLAUDE.md {by}")
        ]
    );
}

#[test]
fn the_settings_of_a_source_that_is_left_out_take_nothing_out() {
    let mut world = World::with(&[
        ("/srv/p/CLAUDE.md", "P\n"),
        ("/srv/p/CLAUDE.local.md", "L\n"),
        ("/home/u/.claude/CLAUDE.md", "U\n"),
        (
            "/home/u/.claude/settings.json",
            r#"{"claudeMdExcludes":["**/p/CLAUDE.md"]}"#,
        ),
    ]);
    world.sources = Sources {
        user: false,
        project: true,
        local: false,
    };
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), ["/srv/p/CLAUDE.md"]);
    assert_eq!(
        left_out(&all),
        [
            "/home/u/.claude/CLAUDE.md is left out by --setting-sources",
            "/srv/p/CLAUDE.local.md is left out by --setting-sources"
        ]
    );
    world.sources = Sources {
        user: true,
        project: false,
        local: false,
    };
    assert_eq!(paths(&world.read("/srv/p")), ["/home/u/.claude/CLAUDE.md"]);
    assert_eq!(world.attached("/srv/p", "a/b"), []);
}

#[test]
fn one_variable_takes_all_out_and_is_named() {
    let mut world = World::with(&[("/srv/p/CLAUDE.md", "P\n"), ("/srv/p/a/CLAUDE.md", "A\n")]);
    world
        .vars
        .insert("CLAUDE_CODE_DISABLE_CLAUDE_MDS".into(), "1".into());
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), [""; 0]);
    assert_eq!(
        all.off.as_deref(),
        Some("CLAUDE_CODE_DISABLE_CLAUDE_MDS is set in the environment")
    );
    assert_eq!(world.attached("/srv/p", "a/x"), []);
}

#[test]
fn what_nothing_loads_is_named_with_its_reason() {
    let world = World::with(&[
        ("/srv/p/CLAUDE.md", "P @pic.png\n"),
        ("/srv/p/pic.png", "x"),
        ("/srv/p/AGENTS.md", "A\n"),
        ("/srv/p/.claude/rules/BIG.MD", "B\n"),
        ("/srv/p/.claude/rules/empty.md", "<!-- nothing -->\n"),
        ("/srv/claude.md", "lower\n"),
    ]);
    world.link("/srv/p/CLAUDE.local.md", "gone.md");
    let all = world.read("/srv/p");
    let mut found = left_out(&all);
    found.sort();
    assert_eq!(
        found,
        [
            "/srv/claude.md is not read: the client wants `CLAUDE.md`",
            "/srv/p/.claude/rules/BIG.MD is not read: the client wants `BIG.md`",
            "/srv/p/.claude/rules/empty.md has no text",
            "/srv/p/AGENTS.md is not read because /srv/p/CLAUDE.md is there: import it in a CLAUDE.md with `@AGENTS.md`",
            "/srv/p/CLAUDE.local.md is a link that leads nowhere",
            "/srv/p/pic.png is no text",
        ]
    );
    let named = all.left_out.iter().find(|one| one.why == Why::Binary);
    assert_eq!(named.unwrap().named, Some(("/srv/p/CLAUDE.md".into(), 1)));
}

/// Each of them alone would keep `AGENTS.md` out, so all are named.
#[test]
fn all_files_that_keep_agents_md_out_are_named() {
    let world = World::with(&[
        ("/srv/CLAUDE.md", "S\n"),
        ("/srv/p/CLAUDE.md", "<!-- no text -->\n"),
        ("/srv/p/CLAUDE.local.md", "L\n"),
        ("/srv/p/AGENTS.md", "A\n"),
        ("/srv/p/.claude/AGENTS.md", "B\n"),
    ]);
    let why = "is not read because /srv/CLAUDE.md and /srv/p/CLAUDE.local.md are there, each of which is enough: \
               import it in a CLAUDE.md with `@AGENTS.md`";
    let stood_in = |cwd: &str| -> Vec<String> {
        let all = left_out(&world.read(cwd)).into_iter();
        all.filter(|said| said.contains("AGENTS.md")).collect()
    };
    let expected = ["/srv/p/AGENTS.md", "/srv/p/.claude/AGENTS.md"];
    assert_eq!(
        stood_in("/srv/p"),
        expected.map(|path| format!("{path} {why}"))
    );
    // In `.claude` two names mean one file: it is said once.
    assert_eq!(
        stood_in("/srv/p/.claude/x"),
        expected.map(|path| format!("{path} {why}"))
    );
}

/// What only looks like an import is named with what keeps it from being one.
#[test]
fn what_only_looks_like_an_import_is_named_with_the_reason() {
    let world = World::with(&[
        (
            "/srv/p/CLAUDE.md",
            "---\nx: 1\n---\nAsk @rook, or tern@example.invalid.\n\nWrite `@docs/a.md` or `@Override`, see `@b`\n\n[x](@./c.md) (@./d.md)\n",
        ),
        ("/srv/p/b", "B\n"),
        ("/srv/p/d.md", "D\n"),
    ]);
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), ["/srv/p/CLAUDE.md"]);
    let said: Vec<_> = all
        .edges
        .iter()
        .map(|edge| match edge.state {
            EdgeState::NoImport(why) => (edge.line, edge.shown(), why),
            EdgeState::Loaded | EdgeState::Already | EdgeState::LeftOut(_) => panic!("{edge:?}"),
        })
        .collect();
    let of = |line, shown: &str, why| (line, shown.to_string(), why);
    assert_eq!(
        said,
        [
            of(4, "@rook", NoImport::Mention),
            of(8, "@./d.md", NoImport::Enclosed),
            of(4, "tern@example.invalid", NoImport::Word),
            of(6, "@docs/a.md", NoImport::Code),
            of(6, "@b", NoImport::Code),
            of(8, "@./c.md", NoImport::Link),
        ]
    );
    assert_eq!(left_out(&all), [""; 0]);
}

#[test]
fn links_of_rules_are_followed_and_a_loop_of_folders_ends() {
    let world = World::with(&[
        ("/srv/p/.claude/rules/a.md", "A\n"),
        ("/srv/shared/s.md", "S\n"),
    ]);
    world.link("/srv/p/.claude/rules/shared", "/srv/shared");
    world.link("/srv/p/.claude/rules/loop", "/srv/p/.claude/rules");
    world.link("/srv/p/.claude/rules/again.md", "a.md");
    let all = world.read("/srv/p");
    // Of two names of one file that comes which is listed first.
    let found = paths(&all);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&"/srv/p/.claude/rules/shared/s.md".to_string()));
    let texts: Vec<&str> = all.entries.iter().map(|one| &*one.text).collect();
    assert!(texts.contains(&"A") && texts.contains(&"S"), "{texts:?}");
}

#[test]
fn rules_are_read_however_deep_and_what_is_not_looked_at_is_said() {
    let world = World::new();
    let deep = format!("/srv/p/.claude/rules{}", "/d".repeat(200));
    world.write(&format!("{deep}/x.md"), b"X\n");
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), [format!("{deep}/x.md")]);
    assert_eq!(all.left_out, []);
    let deeper = format!("/srv/p/.claude/rules{}", "/d".repeat(256));
    world.write(&format!("{deeper}/y.md"), b"Y\n");
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), [format!("{deep}/x.md")]);
    let left: Vec<_> = all.left_out.iter().map(|it| (&it.path, &it.why)).collect();
    assert_eq!(left, [(&PathBuf::from(deeper), &Why::FolderTooDeep)]);
}

#[test]
fn a_rule_whose_front_matter_is_too_large_is_neither_sent_nor_waits() {
    let world = World::new();
    let filler = format!("# {}\n", "x".repeat(1_000)).repeat(4_300);
    let text = format!("---\n{filler}paths: a.md\n---\nText.\n");
    world.write("/srv/p/.claude/rules/big.md", text.as_bytes());
    let all = world.read("/srv/p");
    assert_eq!((paths(&all).len(), all.conditional.len()), (0, 0));
    assert_eq!(all.left_out[0].why, Why::NotJudged);
}

#[test]
fn a_line_is_that_of_the_file_with_what_is_taken_off() {
    let world = World::with(&[(
        "/srv/p/CLAUDE.md",
        "---\ntitle: x\n---\n\n<!-- a\nb -->\n\ntext\n@gone.md\n",
    )]);
    let all = world.read("/srv/p");
    assert_eq!(all.entries[0].text, "text\n@gone.md");
    assert_eq!(all.edges[0].line, 9);
}

#[test]
fn patterns_over_the_limit_leave_their_rule_out() {
    let bomb = format!("---\npaths: \"{}\"\n---\nR\n", "{a,b}".repeat(12));
    let world = World::with(&[("/srv/p/.claude/rules/r.md", &bomb)]);
    let all = world.read("/srv/p");
    assert_eq!(all.conditional, []);
    assert_eq!(
        left_out(&all),
        [
            "/srv/p/.claude/rules/r.md is left out: the patterns of all conditional rules come to over 1000, or 4 MiB"
        ]
    );
}

#[test]
fn the_front_matter_of_a_main_file_makes_no_condition() {
    let world = World::with(&[("/srv/p/CLAUDE.md", "---\npaths: '*.rs'\n---\nP\n")]);
    let all = world.read("/srv/p");
    assert_eq!(all.entries[0].text, "P");
    assert_eq!(all.conditional, []);
}

#[test]
fn an_exclude_that_cannot_be_read_is_named() {
    let world = World::with(&[
        ("/srv/p/CLAUDE.md", "P\n"),
        (
            "/srv/p/.claude/settings.json",
            r#"{"claudeMdExcludes":["/srv/p/[z-a]"]}"#,
        ),
    ]);
    let all = world.read("/srv/p");
    assert_eq!(paths(&all), ["/srv/p/CLAUDE.md"]);
    let [noted] = &*all.notes else {
        panic!("{:?}", all.notes);
    };
    assert_eq!(noted.path, Path::new("/srv/p/.claude/settings.json"));
    assert!(matches!(&noted.what, Noticed::BadGlob { pattern, .. } if pattern == "/srv/p/[z-a]"));
}

#[test]
fn a_rules_folder_that_cannot_be_listed_is_named() {
    let world = World::new();
    let place = world.place("/srv/p");
    let listing = |_: &Path| Err(io::ErrorKind::PermissionDenied.into());
    let all = read_listed(&world.disk, &place, &Manner::default(), &listing);
    let found = left_out(&all);
    assert!(
        found.contains(&"/srv/p/.claude/rules can't be read: permission denied".to_string()),
        "{found:?}"
    );
}
