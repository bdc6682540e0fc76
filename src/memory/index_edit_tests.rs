use proptest::prelude::*;

use super::*;

fn entry<'a>(title: &'a str, target: &'a str, hook: &'a str, kind: &'a MemoryType) -> NewEntry<'a> {
    NewEntry {
        title,
        target,
        hook,
        kind,
    }
}

#[test]
fn a_new_entry_goes_to_the_end_of_the_last_list() {
    let before = "# Memory\n\n- [A](a.md) — x\n\nProse.\n";
    let after = add(before, &entry("B", "b.md", "y", &MemoryType::User)).expect("added");
    assert_eq!(
        after,
        "# Memory\n\n- [A](a.md) — x\n- [B](b.md) — y\n\nProse.\n"
    );
    assert_eq!(line_for(before, &MemoryType::User), 4);
}

#[test]
fn a_new_entry_goes_under_the_heading_of_its_type() {
    let before = "## User\n\n- [A](a.md)\n\n## Feedback\n\n- [B](b.md)\n";
    let after = add(before, &entry("C", "c.md", "", &MemoryType::User)).expect("added");
    assert_eq!(
        after,
        "## User\n\n- [A](a.md)\n- [C](c.md)\n\n## Feedback\n\n- [B](b.md)\n"
    );
    let after = add(before, &entry("C", "c.md", "", &MemoryType::Reference)).expect("added");
    assert!(after.ends_with("- [B](b.md)\n- [C](c.md)\n"));
}

#[test]
fn an_index_without_a_list_or_a_final_line_break_gets_one_line_more() {
    let added = |text| add(text, &entry("A", "a.md", "", &MemoryType::User)).expect("added");
    assert_eq!(added(""), "- [A](a.md)\n");
    assert_eq!(added("# Memory\n"), "# Memory\n- [A](a.md)\n");
    assert_eq!(added("- [B](b.md)"), "- [B](b.md)\n- [A](a.md)");
    assert_eq!(added("- [B](b.md)\r\n"), "- [B](b.md)\r\n- [A](a.md)\r\n");
}

#[test]
fn targets_that_need_it_stand_in_angle_brackets() {
    let after = add("", &entry("A [x]", "my notes(1).md", "", &MemoryType::User)).expect("added");
    assert_eq!(after, "- [A (x)](<my notes(1).md>)\n");
}

#[test]
fn forgetting_takes_exactly_one_line() {
    // Case IX08: rest-api.md and the line that only mentions api.md stay.
    let before = include_str!("../../tests/fixtures/IX08/MEMORY.md");
    let line = before
        .lines()
        .position(|line| line.contains("(api.md)"))
        .expect("a line")
        + 1;
    let after = remove(before, line).expect("removed");
    let expected: String = before
        .split_inclusive('\n')
        .enumerate()
        .filter(|(at, _)| at + 1 != line)
        .map(|(_, row)| row)
        .collect();
    assert_eq!(after, expected);
    assert!(after.contains("(rest-api.md)"));
}

#[test]
fn an_entry_over_several_lines_goes_whole() {
    let before = "- [A](a.md) — x\n  and more\n  - [B](b.md)\n";
    assert_eq!(remove(before, 1).expect("removed"), "  - [B](b.md)\n");
    assert_eq!(remove(before, 2), Err(IndexEditError::NoEntry { line: 2 }));
    assert_eq!(remove(before, 9), Err(IndexEditError::NoEntry { line: 9 }));
}

#[test]
fn entries_are_moved_up_and_down() {
    let before = "- [A](a.md)\nProse\n- [B](b.md)\n- [C](c.md)";
    assert_eq!(
        move_to(before, 4, 1).expect("moved"),
        "- [C](c.md)\n- [A](a.md)\nProse\n- [B](b.md)"
    );
    assert_eq!(
        move_to(before, 1, 3).expect("moved"),
        "Prose\n- [B](b.md)\n- [A](a.md)\n- [C](c.md)"
    );
    assert_eq!(
        move_to(before, 1, 4).expect("moved"),
        "Prose\n- [B](b.md)\n- [C](c.md)\n- [A](a.md)"
    );
}

#[test]
fn a_hook_is_changed_behind_its_own_dash() {
    let hook = |text| set_hook(text, 1, "new").expect("changed");
    assert_eq!(hook("- [A](a.md) – old  \nx\n"), "- [A](a.md) – new  \nx\n");
    assert_eq!(hook("- [A](a.md): old"), "- [A](a.md): new");
    assert_eq!(hook("- [A](a.md)  \r\nx"), "- [A](a.md) — new\r\nx");
    assert_eq!(
        set_hook("| a.md | x |\n", 1, "new"),
        Err(IndexEditError::TableRow { line: 1 })
    );
}

#[test]
fn a_rename_changes_target_and_title_and_nothing_else() {
    let before = "- [old](old.md) — see old.md\n- [Other](./old.md#x)\n- [[old]]\n`[x](old.md)`\n";
    let after = retarget(
        before,
        |_, target| target.starts_with("old") || target.starts_with("./old"),
        "new name.md",
        ("old", "new-name"),
    );
    assert_eq!(
        after,
        "- [new-name](<new name.md>) — see old.md\n- [Other](<new name.md>)\n- [[new-name]]\n`[x](old.md)`\n"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    #[test]
    fn an_edit_changes_only_its_lines(
        text in "((- |\\* |  - |1\\. |## |\\| )?(\\[[a-zé]{1,3}\\]\\([a-c]\\.md\\)| user|数|<!-- x -->|```)( — [a-z]{0,4})?(\r\n|\n)){0,8}",
        line in 1usize..9,
        to in 1usize..9,
    ) {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let added = add(&text, &entry("New", "new.md", "n", &MemoryType::User)).expect("one line");
        let mut without: Vec<&str> = added.split_inclusive('\n').collect();
        let at = line_for(&text, &MemoryType::User);
        prop_assert!(without[at - 1].contains("[New](new.md)"));
        without.remove(at - 1);
        prop_assert_eq!(&without, &lines);
        if let Ok(after) = remove(&text, line) {
            let gone = lines.len() - after.split_inclusive('\n').count();
            let mut expected = lines.clone();
            expected.drain(line - 1..line - 1 + gone);
            prop_assert_eq!(expected.concat(), after);
        }
        if let Ok(after) = move_to(&text, line, to) {
            let mut sorted: Vec<&str> = after.split_inclusive('\n').collect();
            let mut expected = lines.clone();
            sorted.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(sorted, expected);
        }
        if let Ok(after) = set_hook(&text, line, "hook") {
            let rows: Vec<&str> = after.split_inclusive('\n').collect();
            prop_assert_eq!(rows.len(), lines.len());
            for (number, (row, before)) in rows.iter().zip(&lines).enumerate() {
                prop_assert!(number + 1 == line || row == before);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    /// Whatever the text: its lines are all of it, and an edit that changes nothing gives it back.
    #[test]
    fn an_index_that_is_read_and_written_back_is_the_same(
        text in "(- |\\* |[ \t]|1\\. |## |\\| |\\[[a-z]?\\]|\\(a\\.md\\)|\\[\\[a\\]\\]|<|>|<!--|-->|```|`|—|:|user|\u{feff}|\u{0}|é|\r\n|\n|\r){0,14}",
    ) {
        let mut end = 0;
        for (at, row) in rows(&text).enumerate() {
            prop_assert_eq!(row.range.start, end);
            prop_assert!(text[row.range.clone()].starts_with(row.text));
            end = row.range.end;
            let line = at + 1;
            if let Ok(after) = move_to(&text, line, line) {
                prop_assert_eq!(&after, &text);
            }
            let links = links_of_line(row.text, &|_| false);
            let entry = links.iter().rev().find(|link| link.place != Place::Hook);
            let hook = entry.map(|link| link.hook.to_string());
            if let Some(Ok(after)) = hook.map(|hook| set_hook(&text, line, &hook)) {
                prop_assert_eq!(&after, &text);
            }
        }
        prop_assert_eq!(end, text.len());
        prop_assert_eq!(retarget(&text, |_, _| false, "b.md", ("a", "b")), text);
    }
}

#[test]
fn a_hook_with_a_link_in_it_is_replaced_whole() {
    let text = "- [A](a.md) — as in [B](b.md), see there\n";
    assert_eq!(set_hook(text, 1, "new").unwrap(), "- [A](a.md) — new\n");
}

#[test]
fn a_first_entry_heads_its_list_or_the_first_that_is_seen() {
    let user = MemoryType::User;
    let entry = NewEntry {
        title: "N",
        target: "n.md",
        hook: "h",
        kind: &user,
    };
    let text = "# Index\n- [A](a.md)\n\n## User\n- [B](b.md)\n";
    assert_eq!(
        add_first(text, &entry).unwrap(),
        "# Index\n- [A](a.md)\n\n## User\n- [N](n.md) — h\n- [B](b.md)\n"
    );
    assert_eq!(first_line_for(text, &user), 5);
    let long = format!(
        "- [A](a.md)\n{}## User\n- [B](b.md)\n",
        "prose\n".repeat(250)
    );
    assert_eq!(first_line_for(&long, &user), 1);
}

/// Case IX20: the one rule that governs behaviour is moved above the cut; the order alone changes.
#[test]
fn ix20_a_line_past_the_cut_is_moved_above_it() {
    let mut lines = vec!["# Memory".to_string(), String::new()];
    lines.extend((1..236).map(|at| match at % 5 {
        0 => format!("- [P{at}](p{at}.md) — x"),
        _ => format!("prose line {at}"),
    }));
    let rule = "- [After compact](after-compact.md) — feedback: always re-read".to_string();
    lines.push(rule.clone());
    let text = lines.join("\n") + "\n";
    assert_eq!(
        (lines.len(), load::load(&text).cut_at_line),
        (238, Some(201))
    );
    let moved = move_to(&text, 238, 7).unwrap();
    let mut expected = lines.clone();
    expected.pop();
    expected.insert(6, rule);
    assert_eq!(moved, expected.join("\n") + "\n");
}

/// Many at once are where they would be one by one.
#[test]
fn many_entries_go_where_each_would() {
    let kinds = [
        MemoryType::User,
        MemoryType::Missing,
        MemoryType::User,
        MemoryType::Project,
    ];
    let names = ["d.md", "e.md", "f.md", "g.md"];
    let entries: Vec<NewEntry<'_>> = names
        .iter()
        .zip(&kinds)
        .map(|(name, kind)| NewEntry {
            title: name,
            target: name,
            hook: "h",
            kind,
        })
        .collect();
    for text in [
        "# User\n- [a](a.md) — x\n\n# Project\n- [b](b.md) — x\n\n# Rest\n- [c](c.md) — x",
        "- [a](a.md) — x\r\n- [b](b.md) — x\r\n\r\nProse.\r\n",
        "# User\n",
        "- [a](a.md) — x",
    ] {
        let one_by_one = entries
            .iter()
            .try_fold(text.to_string(), |text, entry| add(&text, entry));
        assert_eq!(add_all(text, &entries), one_by_one, "{text:?}");
    }
    assert_eq!(add_all("x\n", &[]), Ok("x\n".to_string()));
}

#[test]
fn the_head_of_an_index_without_a_list_is_where_it_is_seen() {
    let entry = NewEntry {
        title: "New",
        target: "new.md",
        hook: "hook",
        kind: &MemoryType::User,
    };
    let line = |text: &str| {
        let after = add_first(text, &entry).unwrap();
        let at = after.lines().position(|line| line.contains("new.md"));
        let line = at.unwrap() + 1;
        assert_eq!(line, first_line_for(text, &MemoryType::User));
        assert!(load::load(&after).cut_at_line.is_none_or(|cut| line < cut));
        line
    };
    let prose = "Some words.\n".repeat(250);
    assert_eq!(line("Some words.\n"), 2);
    assert_eq!(line(&prose), 1);
    assert_eq!(line(&"Some words.\n".repeat(200)), 1);
    assert_eq!(line(&format!("# Memory\n\n{prose}")), 3);
    assert_eq!(line(&format!("# Memory\n\n  indented\n{prose}")), 1);
    // So where the only list begins below the cut.
    assert_eq!(line(&format!("{prose}- [Old](old.md)\n")), 1);
}
