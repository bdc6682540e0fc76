//! `ls` and `show`, for people and for scripts.

use serde_json::{Value, json};

use crate::cli_home::{Home, MEMORY, NOW, keys, memory_of, project, text_of};

#[test]
fn ls_json_has_the_shape_that_is_promised() {
    let home = project();
    let list = home.json(&["ls", "--json"]);
    assert_eq!(keys(&list), ["projects"].into());
    let project = &list["projects"][0];
    assert_eq!(keys(project), ["key", "memories", "path"].into());
    assert_eq!(project["key"], "-srv-proj");
    assert_eq!(project["path"], "/srv/proj");
    let plan = memory_of(&list, "plan.md");
    assert_eq!(
        keys(plan),
        [
            "bytes",
            "description",
            "last_read",
            "modified",
            "name",
            "path",
            "reads",
            "state",
            "type"
        ]
        .into()
    );
    assert_eq!(plan["description"], "What comes next");
    assert_eq!(plan["type"], "project");
    assert_eq!(plan["state"], "ok");
    assert!(plan["bytes"].as_u64().unwrap() > 40);
    let modified = plan["modified"].as_str().unwrap();
    assert!(
        modified.ends_with('Z') && &modified[10..11] == "T",
        "{modified}"
    );
}

#[test]
fn ls_json_says_what_is_missing_as_null_and_what_is_unknown_as_written() {
    let home = project();
    let list = home.json(&["ls", "--json"]);
    assert_eq!(memory_of(&list, "odd.md")["type"], "opinion");
    assert_eq!(memory_of(&list, "team/who.md")["type"], "user");
    assert_eq!(memory_of(&list, "team/who.md")["description"], Value::Null);
    assert_eq!(memory_of(&list, "bare.md")["type"], Value::Null);
    assert_eq!(memory_of(&list, "bare.md")["name"], Value::Null);
    for (path, state) in [
        ("ghost.md", "ghost"),
        ("odd.md", "no-type"),
        ("bytes.md", "not-text"),
    ] {
        assert_eq!(memory_of(&list, path)["state"], state, "{path}");
    }
}

#[test]
fn ls_is_sorted_and_narrowed_as_asked() {
    let home = project();
    let listed = |arguments: &[&str]| -> Vec<Value> {
        let list = home.json(&[&["ls", "--json"], arguments].concat());
        list["projects"][0]["memories"].as_array().unwrap().clone()
    };
    let all = listed(&[]);
    let sizes: Vec<u64> = listed(&["--sort", "size"])
        .iter()
        .map(|memory| memory["bytes"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes.len(), all.len());
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_ne!(sizes.first(), sizes.last());
    let name = |memory: &Value| {
        let stem = memory["path"].as_str().unwrap().trim_end_matches(".md");
        let stem = stem.rsplit('/').next().unwrap().to_string();
        memory["name"].as_str().map_or(stem, str::to_string)
    };
    let names: Vec<String> = listed(&["--sort", "name"]).iter().map(name).collect();
    assert!(names.is_sorted(), "{names:?}");
    let found = listed(&["NEXT", "project"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["path"], "plan.md");
    assert_eq!(listed(&["next", "user"]), Vec::<Value>::new());
    let nothing = home.json(&["ls", "--all", "--json", "no-such-word"]);
    assert_eq!(nothing["projects"], json!([]));
}

#[test]
fn ls_is_aligned_and_has_a_word_beside_each_glyph() {
    let ran = project().run(&["ls"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with("proj  /srv/proj · 6 memories"),
        "{}",
        ran.out
    );
    let column = |word: &str| {
        lines
            .iter()
            .find_map(|line| line.find(word).map(|at| line[..at].chars().count()))
    };
    assert_eq!(column("plan.md"), column("ghost.md"));
    assert_eq!(column("What comes next"), column("Nobody points here"));
    assert!(ran.out.contains("◌ ghost"), "{}", ran.out);
}

#[test]
fn a_project_without_memories_is_an_empty_list_and_no_failure() {
    let home = Home::new();
    let ran = home.run(&["ls", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json(), json!({"projects": []}));
    let ran = home.run(&["ls"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("no memories yet"), "{ran:?}");
    assert_eq!(
        home.json(&["ls", "--all", "--json"]),
        json!({"projects": []})
    );
    let index = home.json(&["index", "--json"]);
    assert_eq!(
        index,
        json!({
            "entries": [], "lines": 0, "bytes": 0, "units": 0, "loaded_lines": 0, "loaded_units": 0,
            "cut_at_line": null, "warning": null, "loaded_text": "", "bodies_bytes": 0, "more_entries": null, "off": null,
        })
    );
}

#[test]
fn ls_all_lists_projects_by_key_and_the_agents_apart() {
    let home = project();
    home.write(
        "/home/u/.claude/projects/-a/memory/one.md",
        text_of("one", "First", "user"),
    );
    home.write(
        "/home/u/.claude/projects/-a/11111111-1111-4111-8111-111111111111.jsonl",
        "{\"type\":\"user\",\"cwd\":\"/a\"}\n",
    );
    home.folder("/home/u/.claude/projects/-z/memory");
    home.write(
        "/home/u/.claude/agent-memory/reviewer/r.md",
        text_of("r", "Worst first", "feedback"),
    );
    let list = home.json(&["ls", "--all", "--json"]);
    let found: Vec<(&str, &Value)> = list["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| (project["key"].as_str().unwrap(), &project["path"]))
        .collect();
    assert_eq!(
        found,
        [
            ("-a", &json!("/a")),
            ("-srv-proj", &json!("/srv/proj")),
            ("-z", &Value::Null),
        ]
    );
    assert_eq!(list["agents"][0]["key"], "agent-memory/reviewer");
    assert_eq!(list["agents"][0]["memories"][0]["name"], "r");
    let here = home.json(&["ls", "--json"]);
    assert!(here.get("agents").is_none(), "{here}");
    let people = home.run(&["ls", "--all"]).out;
    assert!(people.contains("agent-memory/reviewer"), "{people}");
}

#[test]
fn show_json_has_the_shape_that_is_promised() {
    let home = project();
    let page = home.json(&["show", "who", "--json"]);
    assert_eq!(
        keys(&page),
        [
            "body",
            "bytes",
            "description",
            "faults",
            "fields",
            "modified",
            "name",
            "path",
            "state",
            "type"
        ]
        .into()
    );
    assert_eq!(page["path"], "team/who.md");
    assert_eq!(page["body"], "The people.\n");
    assert_eq!(
        page["fields"],
        json!([
            {"under": null, "key": "name", "value": "who", "line": 2},
            {"under": "metadata", "key": "type", "value": "user", "line": 4},
        ])
    );
}

#[test]
fn a_memory_is_found_by_relative_path_by_any_path_and_by_name() {
    let home = project();
    let absolute = format!("{MEMORY}/team/who.md");
    for argument in ["team/who.md", "./team/who.md", &absolute, "who"] {
        let page = home.json(&["show", argument, "--json"]);
        assert_eq!(page["path"], "team/who.md", "{argument}");
    }
    home.write(
        "/home/u/.claude/projects/-other/memory/far.md",
        text_of("far", "Elsewhere", "user"),
    );
    let page = home.json(&[
        "show",
        "/home/u/.claude/projects/-other/memory/far.md",
        "--json",
    ]);
    assert_eq!(page["name"], "far");
    let people = home.run(&["show", "who"]).out;
    assert!(people.contains("metadata.type  user"), "{people}");
    assert!(people.ends_with("The people.\n"), "{people}");
}

#[test]
fn two_memories_of_one_name_are_both_told() {
    let home = project();
    home.memory("plan-b.md", text_of("plan", "The other plan", "project"));
    // A path is never ambiguous.
    assert_eq!(home.run(&["show", "plan.md"]).code, Some(0));
    let ran = home.run(&["show", "plan", "--json"]);
    assert_eq!(ran.code, Some(2));
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "ambiguous");
    for path in ["plan.md", "plan-b.md"] {
        assert!(error["message"].as_str().unwrap().contains(path), "{error}");
        assert!(ran.err.contains(path), "{ran:?}");
    }
}

#[test]
fn a_memory_that_is_not_there_says_where_it_was_looked_for() {
    let ran = project().run(&["show", "nothing-like-it", "--json"]);
    assert_eq!(ran.code, Some(2));
    let error = ran.json()["error"].clone();
    assert_eq!(error["code"], "not-found");
    assert_eq!(error["path"], MEMORY);
    assert!(ran.err.contains("loci ls"), "{ran:?}");
    let ran = project().run(&["show", "MEMORY.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("loci index"), "{ran:?}");
}

#[test]
fn ages_are_counted_to_the_moment_given() {
    let home = project();
    let path = home.at(&format!("{MEMORY}/plan.md"));
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW as u64 - 34 * 86_400);
    std::fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(then)
        .unwrap();
    let people = home.run(&["ls"]).out;
    let line = people
        .lines()
        .find(|line| line.contains("plan.md"))
        .unwrap();
    assert!(line.contains(" 34d "), "{line}");
}

#[test]
fn a_memory_that_only_lines_below_the_cut_name_says_so() {
    let home = Home::new();
    home.memory("plan.md", text_of("plan", "What comes next", "project"));
    let line = "- [Plan](plan.md)\n";
    let others = "- [Gone](gone.md)\n";
    home.memory("MEMORY.md", format!("{}{line}", others.repeat(199)));
    let said = "below the cut of the index (line 201): the model is not told of it";
    let is_marked = || {
        let lists = [&["ls"][..], &["ls", "--all"]].map(|asked| {
            let list = home.run(asked).out;
            let line = list.lines().find(|line| line.contains("plan.md"));
            line.unwrap().contains("✂ cut off")
        });
        let of = |asked: &[&str]| {
            let memory = match asked {
                ["show", ..] => home.json(asked),
                _ => memory_of(&home.json(asked), "plan.md").clone(),
            };
            assert_eq!(memory["state"], "ok", "{asked:?}");
            keys(&memory).contains("below_cut") && memory["below_cut"] == true
        };
        let json = [
            &["ls", "--json"][..],
            &["ls", "--all", "--json"],
            &["show", "plan", "--json"],
        ];
        let all = lists.into_iter().chain(json.map(of));
        all.collect::<std::collections::BTreeSet<_>>()
    };
    assert!(!home.run(&["show", "plan"]).out.contains("below the cut"));
    assert_eq!(is_marked(), [false].into());
    home.memory("MEMORY.md", format!("{}{line}", others.repeat(200)));
    let shown = home.run(&["show", "plan"]).out;
    assert!(shown.contains(said), "{shown}");
    assert_eq!(is_marked(), [true].into());
    home.memory("MEMORY.md", format!("{line}{}{line}", others.repeat(200)));
    assert!(!home.run(&["show", "plan"]).out.contains("below the cut"));
    assert_eq!(is_marked(), [false].into());
}
