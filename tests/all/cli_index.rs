//! `index`: entries, both limits, the cut in its place.

use serde_json::Value;

use crate::cli_home::{Home, MEMORY, keys, memory_of, project, text_of};

#[test]
fn index_json_has_the_shape_that_is_promised_and_a_state_for_each_entry() {
    let index = project().json(&["index", "--json"]);
    assert_eq!(
        keys(&index),
        [
            "bodies_bytes",
            "bytes",
            "cut_at_line",
            "entries",
            "lines",
            "loaded_lines",
            "loaded_text",
            "loaded_units",
            "more_entries",
            "off",
            "units",
            "warning"
        ]
        .into()
    );
    let states: Vec<(u64, &str)> = index["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["line"].as_u64().unwrap(),
                entry["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            (2, "ok"),
            (3, "ok"),
            (4, "dangling"),
            (5, "duplicate"),
            (6, "case"),
            (7, "unsafe"),
            (8, "ok")
        ]
    );
    assert_eq!(index["entries"][0]["hook"], "what comes next");
    assert_eq!(index["entries"][0]["title"], "Plan");
    assert_eq!(index["entries"][0]["target"], "plan.md");
}

/// IX02: the units are under the limit, the bytes are not, and both are said as what they are.
#[test]
fn an_index_over_the_limit_only_in_bytes_says_that_the_readings_disagree() {
    let home = Home::new();
    let lines: Vec<String> = (1..=150)
        .map(|n| format!("- [記{n:03}](t{n:03}.md) — {}", "鳥".repeat(137)))
        .collect();
    home.memory("MEMORY.md", lines.join("\n") + "\n");
    let index = home.json(&["index", "--json"]);
    let bytes = index["bytes"].as_u64().unwrap();
    let units = index["units"].as_u64().unwrap();
    assert!(bytes > 60_000 && units < 25_000, "{bytes} {units}");
    assert_eq!(index["warning"], Value::Null);
    let people = home.run(&["index"]).out;
    assert!(
        people.contains("over 25,000 bytes, under 25,000 UTF-16 units: readings disagree"),
        "{people}"
    );
    let grouped = |n: u64| format!("{},{:03}", n / 1000, n % 1000);
    assert!(people.contains(&format!("UTF-16 units {} of 25,000", grouped(units))));
    assert!(people.contains(&format!("bytes {}", grouped(bytes))));
    assert!(!people.contains(&format!("bytes {}", grouped(units))));
    assert!(!people.contains('✂'), "nothing is cut");
}

/// IX05: few lines, but the first alone bursts the limit; no character is parted.
#[test]
fn an_index_of_one_huge_line_is_cut_inside_it() {
    let home = Home::new();
    let long: String = (0..30_000)
        .map(|n| if n % 7 == 0 { '🪶' } else { 'x' })
        .collect();
    let rest: String = (0..11)
        .map(|n| format!("- [S{n}](s{n}.md) — y\n"))
        .collect();
    home.memory("MEMORY.md", format!("- [Big](big.md) — {long}\n{rest}"));
    let index = home.json(&["index", "--json"]);
    assert_eq!(index["lines"], 12);
    assert_eq!(index["cut_at_line"], 1);
    assert!(!index["loaded_text"].as_str().unwrap().contains('\u{FFFD}'));
    let units = index["loaded_units"].as_u64().unwrap();
    assert!((24_999..=25_000).contains(&units), "{units}");
    let people = home.run(&["index"]).out;
    let big = people.find("big.md").unwrap();
    let cut = people.find("✂ line 1 is loaded in part").unwrap();
    assert!(big < cut && cut < people.find("s0.md").unwrap(), "{people}");
    assert!(people.contains("11 entries"), "{people}");
}

/// IX07: examples and comments hold no pointers, and a comment protects no ghost.
#[test]
fn an_index_with_examples_has_only_its_real_pointers() {
    let home = Home::new();
    home.memory(
        "MEMORY.md",
        "# Index\n<!-- - [Hidden](hidden.md) — parked -->\nUse this shape:\n```\n- [Title](file.md) — hook\n```\n\
         or `- [S](sample.md) — s`.\n\n- [Real](real.md) — real one\n",
    );
    home.memory("real.md", text_of("real", "d", "user"));
    home.memory("hidden.md", text_of("hidden", "d", "user"));
    let index = home.json(&["index", "--json"]);
    assert_eq!(index["entries"].as_array().unwrap().len(), 1);
    assert_eq!(index["entries"][0]["target"], "real.md");
    let list = home.json(&["ls", "--json"]);
    assert_eq!(memory_of(&list, "real.md")["state"], "ok");
    assert_eq!(memory_of(&list, "hidden.md")["state"], "ghost");
}

#[test]
fn the_cut_stands_in_its_place_with_the_number_below_it() {
    let home = Home::new();
    let lines: String = (1..=212)
        .map(|n| format!("- [T{n}](t{n}.md) — h\n"))
        .collect();
    home.memory("MEMORY.md", lines);
    let people = home.run(&["index"]).out;
    let lines: Vec<&str> = people.lines().collect();
    let cut = lines
        .iter()
        .position(|line| *line == "✂ the model sees nothing below · 12 entries")
        .unwrap_or_else(|| panic!("{people}"));
    assert!(lines[cut - 1].contains("t200.md") && lines[cut + 1].contains("t201.md"));
    assert!(
        people.contains("> WARNING: MEMORY.md is 212 lines"),
        "{people}"
    );
}

#[test]
fn an_index_that_cannot_be_read_is_a_failure_not_an_empty_one() {
    let home = Home::new();
    home.memory("a.md", text_of("a", "d", "user"));
    let link = home.at(&format!("{MEMORY}/MEMORY.md"));
    std::os::unix::fs::symlink("/nowhere", link).unwrap();
    let ran = home.run(&["index", "--json"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.out.contains("\"error\"") && ran.err.contains("MEMORY.md can't be read"),
        "{ran:?}"
    );
}

#[test]
fn projects_that_cannot_be_listed_are_a_failure_not_none() {
    let home = Home::new();
    home.write("/home/u/.claude", "a file");
    for arguments in [&["ls", "--all"][..], &["ls", "--all", "--json"]] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.err.contains("can't be listed"), "{ran:?}");
    }
}
