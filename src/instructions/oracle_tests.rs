//! What the reference client was seen to send, version by version.

use std::path::Path;

use serde_json::Value;

use super::fixture::{World, paths};
use super::*;

const CASES: &str = include_str!("../../tests/fixtures/oracle/instructions.json");

/// Its own label of a layer.
fn label(layer: Layer, version: &str) -> &'static str {
    match layer {
        Layer::Managed if number(version) >= 220 => "organization-managed policy instructions",
        Layer::Managed | Layer::User => "user's private global instructions for all projects",
        Layer::Project => "project instructions, checked into the codebase",
        Layer::Local => "user's private project instructions, not checked in",
    }
}

fn number(version: &str) -> u32 {
    version.rsplit('.').next().unwrap().parse().unwrap()
}

fn manner(version: &str) -> Manner {
    Manner {
        tidied: number(version) >= 112,
        agents_md: number(version) >= 300,
        added_local: number(version) >= 112,
    }
}

pub fn cases() -> Value {
    serde_json::from_str(CASES).unwrap()
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().unwrap().iter();
    all.map(|one| text(one).to_string()).collect()
}

/// The disk of a case, as it says.
pub fn world(case: &Value) -> World {
    let mut world = World::new();
    for (path, content) in case["files"].as_object().unwrap() {
        match text(content).strip_prefix("hex:") {
            None => world.write(path, text(content).as_bytes()),
            Some(hex) => {
                let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
                let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
                world.write(path, &bytes);
            }
        }
    }
    for (path, target) in case["links"].as_object().into_iter().flatten() {
        world.link(path, text(target));
    }
    if let Some(root) = case["git_init_at"].as_str() {
        world.folder(&format!("{root}/.git"));
    }
    if !case["user_settings"].is_null() {
        let settings = case["user_settings"].to_string();
        world.write("/home/u/.claude/settings.json", settings.as_bytes());
    }
    for (name, value) in case["env"].as_object().into_iter().flatten() {
        world.vars.insert(name.clone(), text(value).to_string());
    }
    if let Some(args) = case["args"].as_array() {
        assert_eq!(args[0], "--setting-sources");
        let names: Vec<&str> = text(&args[1]).split(',').collect();
        world.sources = Sources {
            user: names.contains(&"user"),
            project: names.contains(&"project"),
            local: names.contains(&"local"),
        };
    }
    world
}

/// Reads as a version does, folders listed as they were when the order was seen.
pub fn read_as(world: &World, cwd: &str, version: &str, order: &[String]) -> Instructions {
    let listing = |folder: &Path| {
        let mut items = world.disk.list(folder)?;
        items.sort_by_key(|item| {
            let path = folder.join(&item.name);
            let seen = |one: &String| Path::new(one).starts_with(&path);
            order.iter().position(seen)
        });
        Ok(items)
    };
    read_listed(&world.disk, &world.place(cwd), &manner(version), &listing)
}

/// The bodies in a block, between its headings and before what the version ends it with.
fn bodies(block: &str, order: &[String], labels: &[String]) -> Vec<String> {
    let heading = |at: usize| format!("Contents of {} ({}):\n\n", order[at], labels[at]);
    let end = block
        .rfind("\n# currentDate")
        .or_else(|| block.rfind("\n</system-reminder>"))
        .unwrap();
    let mut from = 0;
    let starts: Vec<usize> = (0..order.len())
        .map(|at| {
            let heading = heading(at);
            from += block[from..].find(&heading).unwrap() + heading.len();
            from
        })
        .collect();
    (0..order.len())
        .map(|at| {
            let end = match starts.get(at + 1) {
                Some(next) => next - heading(at + 1).len() - 2,
                None => end,
            };
            block[starts[at]..end].to_string()
        })
        .collect()
}

#[test]
fn every_observed_assembly_is_reproduced_in_order_layer_and_body() {
    let cases = cases();
    let mut compared = 0;
    for case in cases["instruction_assembly"].as_array().unwrap() {
        let world = world(case);
        let newest = &case["by_version"]["2.1.332"];
        for (version, seen) in case["by_version"].as_object().unwrap() {
            let seen = if seen == "same" { newest } else { seen };
            let name = format!("{} in {version}", text(&case["label"]));
            let (order, labels) = (texts(&seen["order"]), texts(&seen["labels"]));
            let found = read_as(&world, text(&case["cwd"]), version, &order);
            assert_eq!(paths(&found), order, "{name}");
            let layers: Vec<&str> = found
                .entries
                .iter()
                .map(|one| label(one.layer, version))
                .collect();
            assert_eq!(layers, labels, "{name}");
            compared += 1;
            let Some(block) = seen["block_text"].as_str() else {
                continue;
            };
            let sent: Vec<&str> = found.entries.iter().map(|one| &*one.text).collect();
            assert_eq!(sent, bodies(block, &order, &labels), "{name}");
        }
    }
    assert_eq!(compared, 19 * 4 + 4);
}

#[test]
fn a_large_file_is_sent_whole() {
    let cases = cases();
    let all = cases["instruction_assembly"].as_array().unwrap();
    let case = all.iter().find(|case| case["label"] == "big_50k").unwrap();
    let found = world(case).read(text(&case["cwd"]));
    let written = case["files"].as_object().unwrap().values();
    let written: Vec<&str> = written.map(|one| text(one).trim()).collect();
    let sent: Vec<&str> = found.entries.iter().map(|one| &*one.text).collect();
    assert!(sent[0].len() > 50_000);
    assert_eq!(sent, written);
}

#[test]
fn agents_md_stands_in_as_observed() {
    let cases = cases();
    let all = cases["agents_md_fallback"]["2.1.332"].as_array().unwrap();
    for case in all {
        let found = world(case).read(text(&case["cwd"]));
        let headings: Vec<String> = found
            .entries
            .iter()
            .map(|one| {
                let label = label(one.layer, "2.1.332");
                format!("Contents of {} ({label}):", one.path.display())
            })
            .collect();
        assert_eq!(headings, texts(&case["contents"]), "{}", case["label"]);
        let block: Vec<String> = headings
            .iter()
            .zip(&found.entries)
            .map(|(heading, one)| format!("{heading}\n\n{}", one.text))
            .collect();
        let block = block.join("\n\n") + "\n</system-reminder>";
        if let Some(seen) = case["text"].as_str() {
            assert_eq!(block, seen, "{}", case["label"]);
        }
    }
    assert_eq!(all.len(), 8);
}

#[test]
fn a_nested_worktree_skips_its_main_checkout_as_observed() {
    let cases = cases();
    let all = cases["nested_worktree_instructions"]["2.1.332"]
        .as_array()
        .unwrap();
    for case in all {
        let world = world(case);
        let cwd = text(&case["cwd"]);
        let worktree = cwd.strip_suffix("/sub").unwrap();
        for (path, content) in case["files"].as_object().unwrap() {
            let is_committed = !path.ends_with("CLAUDE.local.md");
            let below = path.strip_prefix("/srv/repo/").filter(|_| is_committed);
            if let Some(below) = below {
                world.write(&format!("{worktree}/{below}"), text(content).as_bytes());
            }
        }
        let git_dir = "/srv/repo/.git/worktrees/w";
        world.write(&format!("{git_dir}/commondir"), b"../..\n");
        let back = format!("{worktree}/.git\n");
        world.write(&format!("{git_dir}/gitdir"), back.as_bytes());
        let pointer = format!("gitdir: {git_dir}\n");
        world.write(&format!("{worktree}/.git"), pointer.as_bytes());
        let order = texts(&case["order"]);
        let found = read_as(&world, cwd, "2.1.332", &order);
        assert_eq!(paths(&found), order, "{}", case["label"]);
        // Each file that is skipped is named once, with what keeps it out.
        let skipped = |why: &dyn Fn(&Why) -> bool| -> Vec<String> {
            let all = found.left_out.iter().filter(|one| why(&one.why));
            all.map(|one| one.path.display().to_string()).collect()
        };
        let of_checkout: &[&str] = match text(&case["label"]) {
            "wt_in_claude" => &[
                "/srv/repo/CLAUDE.md",
                "/srv/repo/.claude/CLAUDE.md",
                "/srv/repo/AGENTS.md",
                "/srv/repo/.claude/rules/r.md",
            ],
            _ => &[],
        };
        assert_eq!(skipped(&|why| *why == Why::MainCheckout), of_checkout);
        let mains = order.iter().filter(|path| !path.contains("/rules/"));
        let mains: Vec<_> = mains.map(std::path::PathBuf::from).collect();
        assert_eq!(
            skipped(&|why| *why == Why::StoodIn(mains.clone())),
            [format!("{worktree}/AGENTS.md")]
        );
        assert_eq!(found.left_out.len(), of_checkout.len() + 1);
    }
    assert_eq!(all.len(), 2);
}

#[test]
fn the_rules_of_a_folder_come_in_the_order_of_its_listing() {
    let cases = cases();
    let case = &cases["rules_order"]["2.1.332"];
    let world = World::new();
    let rules = "/srv/p/.claude/rules";
    for name in texts(&case["created"]) {
        world.write(&format!("{rules}/{name}"), b"rule\n");
    }
    let listed = texts(&case["listdir"]);
    let order = texts(&case["order"]);
    let listing = |folder: &Path| {
        let mut items = world.disk.list(folder)?;
        items.sort_by_key(|item| {
            let name = item.name.to_str().unwrap();
            let of_top = listed.iter().position(|one| one == name);
            let below = order
                .iter()
                .position(|one| one.ends_with(&format!("/{name}")));
            if folder == Path::new(rules) {
                of_top
            } else {
                below
            }
        });
        Ok(items)
    };
    let place = world.place("/srv/p");
    let found = read_listed(&world.disk, &place, &Manner::default(), &listing);
    let wanted: Vec<String> = order.iter().map(|one| format!("{rules}/{one}")).collect();
    assert_eq!(paths(&found), wanted);
}
