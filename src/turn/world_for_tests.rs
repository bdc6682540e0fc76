//! A project with a memory folder on the disk, and a conversation in it, for the tests of this room.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::agents::claude::{Claude, Setup};
use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::config::settings::Review;
use crate::context::ours::tests::session;
use crate::context::request::{Block, Content, Role};
use crate::store::Store;
use crate::turn::cage::Cage;
use crate::turn::call::{Call, Outcome};
use crate::turn::chat::Chat;
use crate::turn::overlay::Overlay;
use crate::turn::tools::Toolbox;

pub struct World {
    pub root: tempfile::TempDir,
    pub toolbox: Toolbox,
    pub chat: Chat,
    number: usize,
}

pub fn memory(name: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"
    )
}

impl World {
    /// A project `proj` with a source file, and two memories with their index.
    pub fn new(review: Review) -> Self {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap();
        let home = real.join("home");
        let project = real.join("proj");
        fs::create_dir_all(project.join("src")).unwrap();
        fs::create_dir_all(home.join(".claude")).unwrap();
        fs::write(
            project.join("src/main.rs"),
            "fn main() {\n    start();\n}\n",
        )
        .unwrap();
        let store = Claude::open(Setup {
            disk: Disk::system(),
            vars: std::collections::BTreeMap::default(),
            home: home.clone(),
            config_home: None,
            cwd: project.clone(),
            now: Moment::default(),
        })
        .unwrap();
        let folder = store.here().folder;
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("a.md"),
            memory("a", "The first thing", "Tabs, not spaces."),
        )
        .unwrap();
        fs::write(
            folder.join("b.md"),
            memory("b", "The second thing", "Ship on Fridays.\nNever at night."),
        )
        .unwrap();
        fs::write(
            folder.join("MEMORY.md"),
            "# Memories\n\n- [a](a.md) — The first thing\n- [b](b.md) — The second thing\n",
        )
        .unwrap();
        let writer = Store::new(&real.join("state"), store.home(), None, Faults::default());
        let toolbox = Toolbox {
            cage: Cage::new(&Disk::system(), &home, &project, &project, Some(&folder)),
            store,
            overlay: Overlay::default(),
            review,
            writer: Arc::new(writer),
        };
        Self {
            root,
            toolbox,
            chat: Chat::new("5e55", session()),
            number: 0,
        }
    }

    pub fn folder(&self) -> PathBuf {
        self.toolbox.cage.memory().unwrap().to_path_buf()
    }

    pub fn project(&self) -> PathBuf {
        self.toolbox.cage.project().to_path_buf()
    }

    /// A path in the memory folder, as the model writes it.
    pub fn at(&self, name: &str) -> String {
        self.folder().join(name).display().to_string()
    }

    pub fn call(&mut self, name: &str, input: Value) -> Call {
        self.number += 1;
        Call {
            id: format!("c{}", self.number),
            name: name.to_string(),
            input,
        }
    }

    /// Runs a call as the turn does: use and result stand in the conversation then.
    pub fn run(&mut self, name: &str, input: Value) -> Outcome {
        let now: Moment = std::time::SystemTime::now().into();
        let call = self.call(name, input);
        let outcome = self
            .toolbox
            .run(&call, &self.chat, now, &AtomicBool::new(false));
        let used = Content::ToolUse {
            id: call.id.clone(),
            name: call.name.clone(),
            input: call.input.clone(),
        };
        self.chat.say(Role::Assistant, vec![Block::new(used)], now);
        let result = Content::ToolResult {
            id: call.id,
            result: outcome.result.clone(),
            is_error: outcome.is_error,
        };
        self.chat.say(Role::User, vec![Block::new(result)], now);
        for pieces in &outcome.along {
            self.chat.attach(pieces.clone(), now);
        }
        outcome
    }

    /// The text of what came of a call that was run.
    pub fn given(&mut self, name: &str, input: Value) -> String {
        let outcome = self.run(name, input);
        assert!(!outcome.is_error, "{}", outcome.result.shown());
        outcome.result.shown().into_owned()
    }

    /// Why a call was refused.
    pub fn refused(&mut self, name: &str, input: Value) -> String {
        let outcome = self.run(name, input);
        assert!(outcome.is_error, "{}", outcome.result.shown());
        outcome.result.shown().into_owned()
    }

    /// All below the root, links not followed: paths, and what each holds.
    pub fn picture(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut all = Vec::new();
        take(self.root.path(), &mut all);
        all.sort();
        all
    }
}

fn take(folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        let holds = if kind.is_file() {
            fs::read(&path).unwrap()
        } else if kind.is_symlink() {
            fs::read_link(&path)
                .unwrap()
                .into_os_string()
                .into_encoded_bytes()
        } else {
            Vec::new()
        };
        all.push((path.clone(), holds));
        if kind.is_dir() {
            take(&path, all);
        }
    }
}
