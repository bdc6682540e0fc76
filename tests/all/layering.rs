//! The plan of the house, held: arrows between rooms point downwards only, the model of the screen
//! knows no outside world, views only draw, one room spawns, and a few habits of the sources.

pub mod code;

use std::fs;
use std::path::Path;

/// The rooms, lowest first. A room may name itself and those before it.
const ROOMS: [&str; 18] = [
    "base",
    "config",
    "safety",
    "store",
    "memory",
    "instructions",
    "transcript",
    "project",
    "health",
    "agents",
    "llm",
    "context",
    "turn",
    "engine",
    "app",
    "worker",
    "tui",
    "cli",
];

/// What the outside world is called in a source.
const WORLD: [&str; 12] = [
    "crossterm",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "base::disk",
    "SystemTime::now",
    "Instant::now",
    "Moment::now",
    "Timestamp::now",
    "tokio",
];

/// What starts a thread, a task or a process.
const SPAWNS: [&str; 9] = [
    "thread::spawn",
    "thread::Builder",
    "thread::scope",
    "tokio::spawn",
    "task::spawn",
    "spawn_blocking",
    "spawn_local",
    "JoinSet",
    ".spawn",
];

/// One source file below `src/`.
struct Source {
    /// Relative to `src/`, with `/`.
    path: String,
    text: String,
    /// The paths that it names, tests included.
    named: Vec<Vec<String>>,
    /// The paths that the program itself names.
    run: Vec<Vec<String>>,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        let bare = code::bare(text);
        let run = if path.ends_with("tests.rs") {
            Vec::new()
        } else {
            code::paths(&code::without_tests(&bare))
        };
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            named: code::paths(&bare),
            run,
        }
    }

    fn room(&self) -> Option<&str> {
        self.path.split_once('/').map(|(room, _)| room)
    }

    /// How many `super::` lead from this file to the root of the crate.
    fn depth(&self) -> usize {
        let parts = self.path.split('/').count();
        if self.path.ends_with("/mod.rs") {
            parts - 1
        } else {
            parts
        }
    }

    /// The rooms that its code names, by `crate::` or by enough `super::`; `*` is all of them.
    fn rooms_named<'a>(&'a self, code: &'a [Vec<String>]) -> impl Iterator<Item = &'a str> {
        code.iter().filter_map(|path| {
            let ups = path.iter().take_while(|part| *part == "super").count();
            match path[0].as_str() {
                "crate" => path.get(1).map(String::as_str),
                "super" if ups >= self.depth() => path.get(ups).map(String::as_str),
                _ => None,
            }
        })
    }

    /// Those of `forbidden` that the program's own code names.
    fn names<'a>(&self, forbidden: &'a [&str]) -> Vec<&'a str> {
        let holds = |sought: &&&str| {
            let sought: Vec<&str> = sought.split("::").collect();
            self.run.iter().any(|path| {
                path.windows(sought.len())
                    .any(|part| part.iter().eq(sought.iter()))
            })
        };
        forbidden.iter().filter(holds).copied().collect()
    }
}

/// What is wrong with one source: a sentence each.
fn faults(source: &Source) -> Vec<String> {
    let mut faults = arrows(source);
    let mut forbid = |inside: bool, words: &[&str], why: &str| {
        if inside {
            let named = source.names(words).into_iter();
            faults.extend(named.map(|word| format!("names {word}: {why}")));
        }
    };
    let room = source.room().unwrap_or_default();
    let views = source.path.starts_with("tui/view");
    let may_spawn = ["worker", "tui"].contains(&room);
    let may_scan = may_spawn || ["memory", "agents", "transcript"].contains(&room);
    forbid(room == "app", &WORLD, "app knows no outside world");
    forbid(views, &WORLD, "a view only draws");
    forbid(!may_spawn, &SPAWNS, "worker alone spawns");
    forbid(!may_scan, &["rayon"], "only a scan runs in parallel");
    let panics = [".unwrap", "unwrap", "todo!", "unimplemented!", "dbg!"];
    forbid(true, &panics, "expect names the invariant");
    if !source.path.ends_with("tests.rs") && !source.text.starts_with("//!") {
        faults.push("does not begin with //!: what it owns and must not know".to_owned());
    }
    faults
        .iter()
        .map(|fault| format!("src/{} {fault}", source.path))
        .collect()
}

fn arrows(source: &Source) -> Vec<String> {
    let Some(room) = source.room() else {
        return Vec::new();
    };
    let Some(own) = ROOMS.iter().position(|name| *name == room) else {
        return vec![format!("lies in {room}, which is no room of the house")];
    };
    let level = |named: &str| ROOMS.iter().position(|room| *room == named);
    let upward = source
        .rooms_named(&source.named)
        .filter(|named| level(named).is_some_and(|level| level > own))
        .map(|named| format!("knows {named}, which stands above {room}"));
    // A module for tests in `mod.rs` may say `super::*` and means its own room.
    let all = source
        .rooms_named(&source.run)
        .filter(|named| *named == "*");
    upward
        .chain(all.map(|_| "names everything at once".to_owned()))
        .collect()
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<Source>) {
        for entry in fs::read_dir(folder).expect("the sources can be listed") {
            let path = entry.expect("the sources can be listed").path();
            if path.is_dir() {
                walk(&path, root, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(root).expect("it lies below");
                let text = fs::read_to_string(&path).expect("the sources can be read");
                let name = below.to_str().expect("names are plain").replace('\\', "/");
                found.push(Source::new(&name, &text));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    walk(&root, &root, &mut found);
    found
}

#[test]
fn the_house_stands_as_planned() {
    let sources = sources();
    assert!(sources.len() > 10, "the sources were found");
    let faults: Vec<String> = sources.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn unsafe_code_is_forbidden() {
    let lib = include_str!("../../src/lib.rs");
    assert!(lib.contains("\n#![forbid(unsafe_code)]\n"));
}

#[test]
fn no_room_is_empty() {
    for room in ROOMS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room);
        let lib = include_str!("../../src/lib.rs");
        assert_eq!(
            folder.join("mod.rs").is_file(),
            lib.contains(&format!("\npub mod {room};\n")),
            "{room} is either there and named in lib.rs, or not at all"
        );
    }
}

#[track_caller]
fn found(path: &str, code: &str) -> String {
    faults(&Source::new(path, &format!("//! x\n{code}"))).join("\n")
}

#[test]
fn an_upward_arrow_is_found_wherever_it_stands() {
    for code in [
        "use crate::tui::run;",
        "use crate::{base::text, tui};",
        "fn f() { crate::tui::run::go() }",
        "use super::super::tui;",
        "use super::super::{base, tui::run};",
        "#[cfg(test)]\nmod tests { use crate::tui; }",
    ] {
        let faults = found("memory/scan.rs", code);
        assert!(
            faults.contains("knows tui, which stands above memory"),
            "{code}"
        );
    }
    assert!(found("memory/mod.rs", "use super::app;").contains("knows app"));
    assert!(found("memory/a/b.rs", "use super::super::super::app;").contains("knows app"));
    assert!(found("memory/a.rs", "use super::super::*;").contains("everything"));
    let inside = "#[cfg(test)]\nmod tests { use super::*; }";
    assert_eq!(found("memory/mod.rs", inside), "");
    assert!(found("cellar/a.rs", "").contains("no room"));
}

#[test]
fn downward_arrows_and_words_are_let_pass() {
    for code in [
        "use crate::{base::text, memory::file};",
        "use super::{app, tui};",
        "// crate::tui\n/// [`crate::tui`]\nconst T: &str = \"crate::tui\";",
        "use crate::apple;",
    ] {
        assert_eq!(found("memory/scan.rs", code), "", "{code}");
    }
}

#[test]
fn the_outside_world_is_found_in_app_and_views() {
    for code in [
        "use std::{fmt, fs};",
        "use crossterm::event::KeyCode;",
        "fn f() { std::env::var(\"X\"); }",
        "fn f() { std::time::SystemTime::now(); }",
        "use crate::base::{disk, text};",
    ] {
        assert!(
            found("app/keys.rs", code).contains("outside world"),
            "{code}"
        );
        assert!(
            found("tui/view/tree.rs", code).contains("only draws"),
            "{code}"
        );
        assert!(!found("cli/mod.rs", code).contains("world"), "{code}");
    }
    let name = "const DIR: &str = env!(\"CARGO\");";
    assert_eq!(found("app/a.rs", name), "");
}

#[test]
fn spawning_outside_the_worker_is_found() {
    for code in [
        "use std::thread; fn f() { thread::spawn(|| ()); }",
        "fn f() { tokio::task::spawn_blocking(|| ()); }",
        "fn f() { std::process::Command::new(\"git\").spawn(); }",
    ] {
        assert!(
            found("memory/git.rs", code).contains("worker alone"),
            "{code}"
        );
        assert_eq!(found("worker/mod.rs", code), "");
        let test = format!("#[cfg(test)]\nmod tests {{ {code} }}");
        assert_eq!(found("memory/git.rs", &test), "");
    }
    let parallel = "use rayon::prelude::*;";
    assert!(found("cli/ls.rs", parallel).contains("parallel"));
    assert_eq!(found("memory/scan.rs", parallel), "");
}

#[test]
fn unwraps_and_missing_heads_are_found() {
    assert!(found("base/a.rs", "fn f() { g().unwrap(); }").contains(".unwrap"));
    assert!(found("base/a.rs", "fn f() { todo!() }").contains("todo"));
    assert_eq!(found("base/a.rs", "fn f() { g().unwrap_or(1); }"), "");
    assert_eq!(found("base/a_tests.rs", "fn f() { g().unwrap(); }"), "");
    let bare = faults(&Source::new("base/a.rs", "fn f() {}"));
    assert!(bare[0].contains("//!"), "{bare:?}");
    assert!(faults(&Source::new("base/a_tests.rs", "use super::*;")).is_empty());
}
