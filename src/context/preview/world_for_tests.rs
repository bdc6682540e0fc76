//! A home with a project, rules, an index and memories, for tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time;
use crate::context::part::Kind;

pub const CWD: &str = "/srv/p";
pub const MEMORY: &str = "/home/u/.claude/projects/-srv-p/memory";
pub const NOW: i64 = 1_800_000_000;

pub struct World {
    dir: tempfile::TempDir,
    /// Variables of the environment.
    pub vars: BTreeMap<String, String>,
}

impl World {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let world = Self {
            dir: tempfile::tempdir().unwrap(),
            vars: BTreeMap::new(),
        };
        fs::create_dir_all(world.host(CWD)).unwrap();
        fs::create_dir_all(world.host(MEMORY)).unwrap();
        for (path, text) in files {
            world.write(path, text);
        }
        world
    }

    pub fn host(&self, path: &str) -> PathBuf {
        self.dir.path().join(path.trim_start_matches('/'))
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.host(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn store(&self) -> Claude {
        Claude::open(Setup {
            disk: Disk::below(self.dir.path()).unwrap(),
            vars: self.vars.clone(),
            home: PathBuf::from("/home/u"),
            config_home: None,
            cwd: PathBuf::from(CWD),
            now: time::Moment::from_seconds(NOW),
        })
        .unwrap()
    }

    pub fn preview(&self, asked: &Asked) -> Preview {
        let mut transcripts = Transcripts::default();
        build(&self.store(), &mut transcripts, &Around::default(), asked).unwrap()
    }
}

pub fn asked() -> Asked {
    with(Switches::default())
}

pub fn with(switches: Switches) -> Asked {
    Asked {
        cwd: PathBuf::from(CWD),
        switches,
        edited: None,
    }
}

pub fn usual() -> World {
    World::with(&[
        ("/srv/p/CLAUDE.md", "Be brief.\n"),
        (
            "/srv/p/.claude/rules/css.md",
            "---\npaths: \"*.css\"\n---\nNo !important.\n",
        ),
        ("/srv/p/sub/CLAUDE.md", "Below.\n"),
        ("/srv/p/sub/a.css", "a {}\n"),
        (
            "/home/u/.claude/projects/-srv-p/memory/MEMORY.md",
            "- [One](one.md) — first\n",
        ),
        (
            "/home/u/.claude/projects/-srv-p/memory/one.md",
            "---\nname: one\ndescription: d\ntype: user\n---\nText of one.\n",
        ),
        (
            "/home/u/.claude/projects/-srv-p/memory/two.md",
            "---\nname: two\ndescription: d\ntype: user\n---\nText of two.\n",
        ),
    ])
}

pub fn texts(preview: &Preview, kind: Kind) -> Vec<&str> {
    let parts = preview.parts.iter().filter(|part| part.kind == kind);
    parts.map(|part| part.text.as_str()).collect()
}

/// Lines of a transcript, one a value, as the newest session's.
pub fn transcript(world: &World, lines: &[serde_json::Value]) {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    world.write("/home/u/.claude/projects/-srv-p/s.jsonl", &lines);
}

/// The attachment with the files that a session began with: layer, path, text.
pub fn began_with(files: &[(&str, &str, &str)]) -> serde_json::Value {
    let files: Vec<_> = files
        .iter()
        .map(
            |(layer, path, text)| serde_json::json!({"type": layer, "path": path, "content": text}),
        )
        .collect();
    serde_json::json!({
        "type": "attachment", "version": "2.1.332", "uuid": "a",
        "attachment": {"type": "instructions", "files": files},
    })
}
