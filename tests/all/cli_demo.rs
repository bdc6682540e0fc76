//! The demo by the command line: it is whole, it is seen by every subcommand, and it goes.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use loci::agents::claude::{Claude, Setup};
use loci::app::message::{Effect, Message};
use loci::base::disk::Disk;
use loci::base::fault::Faults;
use loci::base::time::Moment;
use loci::cli::demo::seed;
use loci::health::{Code, Rules};
use loci::store::Store;
use loci::worker::Worker;
use serde_json::Value;

use crate::cli_home::{LOCI, demo, ran};

/// What is wrong in the demo, each thing once: code, the end of its path, line.
const PLANTED: [(&str, &str, Option<u64>); 51] = [
    ("dangling", "-shop-web/memory/MEMORY.md", Some(14)),
    ("index-lines", "-shop-web/memory/MEMORY.md", Some(201)),
    ("index-size", "-shop-web/memory/MEMORY.md", Some(201)),
    ("index-content", "-shop-web/memory/MEMORY.md", Some(17)),
    ("ghost", "/image-cdn-cache-keys.md", None),
    ("name-duplicate", "/team/checkout-dashboard.md", Some(2)),
    ("stale", "/check-360px-before-done.md", None),
    ("type-place", "/team/browsers-we-support.md", Some(4)),
    ("unsafe-path", "-api-gateway/memory/MEMORY.md", Some(12)),
    ("case-pointer", "-api-gateway/memory/MEMORY.md", Some(5)),
    ("index-long-line", "-api-gateway/memory/MEMORY.md", Some(7)),
    ("hook-repeats", "-api-gateway/memory/MEMORY.md", Some(6)),
    ("hook-differs", "-api-gateway/memory/MEMORY.md", Some(8)),
    (
        "frontmatter-broken",
        "/certificates-rotate-on-tuesdays.md",
        Some(5),
    ),
    ("not-text", "/cafe-tenant.md", Some(11)),
    ("field-missing", "/retry-budget.md", None),
    ("link-broken", "/retry-budget.md", Some(11)),
    ("type-unknown", "/ask-before-wide-refactors.md", Some(6)),
    ("too-large", "/upstream-owners.md", Some(75)),
    ("body-empty", "/canary-zone.md", None),
    ("stale", "/rate-limits-per-tenant.md", None),
    ("invisible-text", "/rate-limits-per-tenant.md", Some(11)),
    ("relative-date", "/marco-is-on-call.md", Some(9)),
    ("duplicate-pointer", "-----/memory/MEMORY.md", Some(14)),
    ("index-multiline", "-----/memory/MEMORY.md", Some(8)),
    ("index-buried", "-----/memory/MEMORY.md", Some(18)),
    ("index-section-empty", "-----/memory/MEMORY.md", Some(20)),
    ("frontmatter-broken", "/answer-with-row-counts.md", Some(3)),
    (
        "conflict-copy",
        "/daily-reconciliation.sync-conflict-20261118-093012-K7QX2LM.md",
        None,
    ),
    ("relative-date", "/daily-reconciliation.md", Some(13)),
    ("name-file-mismatch", "/时区统一用上海.md", Some(2)),
    ("stale", "/lin-yue-owns-the-warehouse.md", None),
    ("block-late", "/scheduler-board.md", Some(3)),
    (
        "field-below-30",
        "reviewer/skip-generated-files.md",
        Some(33),
    ),
    (
        "description-weak",
        "reviewer/findings-worst-first.md",
        Some(3),
    ),
    ("index-missing", "writer/MEMORY.md", None),
    ("frontmatter-missing", "writer/words-we-use.md", Some(1)),
    ("name-not-slug", "writer/one-idea-a-page.md", Some(2)),
    ("rule-lost", "shop-web/.claude/rules/checkout.md", Some(5)),
    ("rule-unenforced", "work/shop-web/CLAUDE.md", Some(5)),
    ("rule-foreign", "home/work/CLAUDE.md", None),
    ("rule-unloaded", "work/shop-web/AGENTS.md", None),
    ("import-missing", "work/shop-web/CLAUDE.md", Some(7)),
    ("import-outside", "work/shop-web/CLAUDE.md", Some(6)),
    ("import-cycle", "shop-web/docs/checkout.md", Some(5)),
    ("import-twice", "shop-web/.claude/rules/tests.md", Some(1)),
    ("glob-invalid", "shop-web/.claude/rules/styles.md", Some(2)),
    ("moved", "-mobile-app", None),
    ("orphan", "-old-shop", None),
    ("orphan", "-shop-web--claude-worktrees-vouchers", None),
    ("ambiguous", "-price-feed", None),
];

fn demo_json(arguments: &[&str]) -> Value {
    let ran = demo(arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.err, "", "{arguments:?}");
    ran.json()
}

fn all_memories(list: &Value) -> Vec<&Value> {
    ["projects", "agents"]
        .iter()
        .flat_map(|kind| list[*kind].as_array().unwrap())
        .flat_map(|shelf| shelf["memories"].as_array().unwrap())
        .collect()
}

#[test]
fn it_has_seven_projects_two_agents_and_every_state_worth_seeing() {
    let list = demo_json(&["ls", "--all", "--json"]);
    let projects = list["projects"].as_array().unwrap();
    assert_eq!(projects.len(), 7);
    let titles: BTreeSet<String> = projects
        .iter()
        .filter_map(|project| project["path"].as_str())
        .map(|path| path.rsplit('/').next().unwrap().to_string())
        .collect();
    assert_eq!(
        titles,
        [
            // It has no transcript: a walk along its key finds it.
            "api-gateway",
            "mobile-app",
            "old-shop",
            "price-feed",
            "shop-web",
            "vouchers",
            "数据平台",
        ]
        .map(str::to_string)
        .into()
    );
    assert_eq!(list["agents"][0]["key"], "agent-memory/reviewer");
    assert_eq!(list["agents"][1]["key"], "agent-memory/writer");

    let memories = all_memories(&list);
    assert!((24..=35).contains(&memories.len()), "{}", memories.len());
    let values = |key: &str| -> BTreeSet<&str> {
        memories
            .iter()
            .filter_map(|memory| memory[key].as_str())
            .collect()
    };
    assert_eq!(
        values("type"),
        ["feedback", "preference", "project", "reference", "user"].into()
    );
    assert_eq!(
        values("state"),
        ["broken", "ghost", "no-type", "not-text", "ok"].into()
    );
    let paths = values("path");
    for folder in ["team/", "learnings/"] {
        assert!(
            paths.iter().any(|path| path.starts_with(folder)),
            "{folder}"
        );
    }
    assert!(!paths.iter().any(|path| path.starts_with("logs/")));
}

#[test]
fn its_first_index_is_cut_above_the_newest_entries() {
    let index = demo_json(&["index", "--json"]);
    let cut = index["cut_at_line"].as_u64().unwrap();
    assert!((195..=201).contains(&cut), "{cut}");
    assert!(index["warning"].as_str().unwrap().starts_with("> WARNING"));
    let entries = index["entries"].as_array().unwrap();
    let below = entries
        .iter()
        .filter(|entry| entry["line"].as_u64().unwrap() >= cut)
        .count();
    assert_eq!(below, 4);
    let dangling: Vec<&Value> = entries
        .iter()
        .filter(|entry| entry["state"] == "dangling")
        .collect();
    assert_eq!(dangling.len(), 1);
    let people = demo(&["index"]).out;
    assert!(
        people.contains("✂ the model sees nothing below · 4 entries"),
        "{people}"
    );
}

#[test]
fn its_other_projects_are_reached_from_its_own_working_directory() {
    let list = demo_json(&["--cwd", "../数据平台", "ls", "--json"]);
    assert_eq!(list["projects"][0]["memories"].as_array().unwrap().len(), 7);
    let page = demo_json(&[
        "--cwd",
        "../api-gateway",
        "show",
        "certificates-rotate-on-tuesdays",
        "--json",
    ]);
    assert_eq!(page["state"], "broken");
    assert!(!page["faults"].as_array().unwrap().is_empty());
    let key = demo_json(&["key", "--json"]);
    assert_eq!(key["key"], key["memory_key"]);
}

/// Every link between its memories leads somewhere, but the one that `doctor` shall find, and every
/// memory says why and how.
#[test]
fn its_texts_hold_together() {
    for project in ["../shop-web", "../api-gateway", "../数据平台"] {
        let list = demo_json(&["--cwd", project, "ls", "--json"]);
        let memories = list["projects"][0]["memories"].as_array().unwrap();
        let names: BTreeSet<&str> = memories
            .iter()
            .filter_map(|memory| memory["name"].as_str())
            .chain(["scheduler-board", "spring-outage"])
            .collect();
        for memory in memories {
            let path = memory["path"].as_str().unwrap();
            let page = demo_json(&["--cwd", project, "show", path, "--json"]);
            let body = page["body"].as_str().unwrap();
            assert!(
                body.contains("**Why:**") && body.contains("**How to apply:**"),
                "{path}"
            );
            for link in body.split("[[").skip(1) {
                let name = link.split("]]").next().unwrap();
                assert!(names.contains(name), "{path}: [[{name}]]");
            }
        }
    }
}

/// All that is planted is found once, and nothing else; every code of the product is among it, but
/// those that need hundreds of files or lines, and those of project folders that have grown into one another.
#[test]
fn doctor_finds_each_planted_fault_once_and_nothing_else() {
    let ran = demo(&["doctor", "--all", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    let mut left: Vec<Value> = ran.json()["findings"].as_array().unwrap().clone();
    for (code, path, line) in PLANTED {
        let is_it = |finding: &Value| {
            finding["code"] == code
                && finding["path"].as_str().unwrap().ends_with(path)
                && finding["line"].as_u64() == line
        };
        let at = left.iter().position(is_it);
        let at = at.unwrap_or_else(|| panic!("no {code} in {path} among {left:#?}"));
        left.remove(at);
    }
    // Most of its sessions are long gone, as in any store.
    let others = left.len();
    left.retain(|finding| finding["code"] != "origin-swept");
    assert!(left.is_empty(), "{left:#?}");
    assert_eq!(others, 15);
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(code, ..)| *code).collect();
    let missing: Vec<&str> = Code::ALL
        .map(Code::word)
        .into_iter()
        .filter(|code| !planted.contains(code))
        .collect();
    let folders = ["nested-project", "key-case", "guest-sessions", "misplaced"];
    let used = ["never-read", "origin-swept", "expiring"];
    let large = ["rule-large", "rule-long", "import-deep", "paths-limits"];
    assert_eq!(
        missing,
        [
            &["secret", "manifest-cut"],
            &used[..],
            &folders[..],
            &large[..]
        ]
        .concat()
    );
}

/// Each way in which a folder and its project part company can be tried on it.
#[test]
fn its_projects_are_there_to_be_mended() {
    let read = demo_json(&["projects", "--json"]);
    let of = |key: &str| {
        let mut all = read["projects"].as_array().unwrap().iter();
        let one = all.find(|it| it["key"].as_str().unwrap().ends_with(key));
        one.unwrap_or_else(|| panic!("no {key}")).clone()
    };
    for (key, origin) in [
        ("-work-shop-web", "live"),
        ("-work-api-gateway", "live"),
        ("-mobile-app", "moved"),
        ("-old-shop", "orphaned"),
        ("-price-feed", "ambiguous"),
        ("-worktrees-vouchers", "orphaned"),
    ] {
        assert_eq!(of(key)["origin"], origin, "{key}");
    }
    let done = |arguments: &[&str]| {
        let ran = demo(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.out + &ran.err
    };
    let relinked = done(&["relink", "../mobile-app", "../apps/mobile-app", "--dry-run"]);
    assert!(relinked.contains("apps-mobile-app"), "{relinked}");
    let folded = done(&["fold-in", "../shop-web", "--dry-run"]);
    assert!(folded.contains("gift-cards-are-no-vouchers.md"), "{folded}");
    let pruned = done(&["prune", "../old-shop", "--dry-run"]);
    assert!(pruned.contains("old-shop"), "{pruned}");
}

/// Nothing of it stays behind, and nothing of the person's own settings gets in.
#[test]
fn it_goes_at_the_end_and_is_not_moved_by_the_environment() {
    let temporary = tempfile::tempdir().unwrap();
    for arguments in [
        ["ls", "--all", "--json"].as_slice(),
        &["show", "nothing"],
        &["index", "--log"],
    ] {
        let ran = ran(Command::new(LOCI)
            .env_clear()
            .env("HOME", temporary.path())
            .env("TMPDIR", temporary.path())
            .env("CLAUDE_CONFIG_DIR", "/nowhere")
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
            .env("XDG_STATE_HOME", temporary.path().join("state"))
            .arg("--demo")
            .args(arguments)
            .stdin(Stdio::null()));
        assert_ne!(ran.code, Some(3), "{ran:?}");
        assert!(!ran.err.contains("DISABLE_AUTO_MEMORY"), "{ran:?}");
        let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
}

/// The screen looks at the same folders, by the same measures: what one finds the other finds.
#[test]
fn the_screen_finds_what_doctor_finds() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let now = Moment::from_seconds(1_790_000_000);
    let demo = seed(&root, now).unwrap();
    let state = root.join("state");
    let asked = ran(Command::new(LOCI)
        .env_clear()
        .env("HOME", &demo.home)
        .env("LOCI_STATE_DIR", &state)
        .env("LOCI_CONFIG_DIR", root.join("config"))
        .args(["--now", "1790000000", "doctor", "--all", "--json", "--cwd"])
        .arg(&demo.cwd)
        .stdin(Stdio::null()));
    let mut by_doctor: Vec<(String, String)> = asked.json()["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap().to_string();
            (text("project"), text("code"))
        })
        .collect();
    by_doctor.sort();
    let store = Claude::open(Setup {
        disk: Disk::system(),
        vars: std::collections::BTreeMap::new(),
        home: demo.home.clone(),
        config_home: None,
        cwd: demo.cwd.clone(),
        now,
    })
    .unwrap();
    let writer = Store::new(&state, &demo.config_home, None, Faults::none());
    let (out, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let mut worker = Worker::new(store.clone(), writer, Rules::default(), None, out);
    assert!(worker.perform(Effect::ExamineAll { id: 1 }).is_none());
    let mut found = Vec::new();
    while let Some(message) = heard.blocking_recv() {
        let Message::Swept { swept, done, .. } = message else {
            continue;
        };
        found.extend(swept.found.into_iter().flat_map(|(_, findings)| findings));
        if done {
            break;
        }
    }
    let of = |one: &loci::health::Finding| (one.project.clone(), one.code.word().to_string());
    let mut on_screen: Vec<_> = found.iter().map(of).collect();
    on_screen.sort();
    assert_eq!(on_screen, by_doctor);
    let codes: BTreeSet<&str> = found.iter().map(|one| one.code.word()).collect();
    assert!(
        codes.contains("orphan") && codes.contains("moved"),
        "{codes:?}"
    );
    // One project alone too: what its memories tell, then what sessions and its place do.
    let shelf = store
        .shelves()
        .into_iter()
        .find(|shelf| shelf.key.ends_with("-old-shop"));
    let shelf = shelf.expect("the project whose folder is gone");
    let effect = Effect::Examine {
        id: 2,
        shelf: shelf.clone(),
    };
    assert!(worker.perform(effect).is_none());
    let mut found = Vec::new();
    while let Some(message) = heard.blocking_recv() {
        match message {
            Message::Examined { id: 2, findings } => found.extend(findings),
            Message::Told { id: 2, findings } => {
                found.extend(findings);
                break;
            }
            _ => {}
        }
    }
    let mut on_screen: Vec<_> = found.iter().map(of).collect();
    on_screen.sort();
    let mut own = by_doctor;
    own.retain(|(project, _)| *project == shelf.key);
    assert_eq!(on_screen, own);
}
