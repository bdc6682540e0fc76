//! A made-up home below a sysroot of its own, and the real binary run in it. Nothing of the person
//! who runs the tests gets in: the environment is emptied.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub const LOCI: &str = env!("CARGO_BIN_EXE_loci");

/// The moment that the tests' ages are counted to.
pub const NOW: i64 = 1_790_000_000;

/// What the memory folder of `/srv/proj` is, seen from inside.
pub const MEMORY: &str = "/home/u/.claude/projects/-srv-proj/memory";

pub struct Home {
    root: TempDir,
}

/// What one run of the binary gave.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Home {
    /// A file system with the folders `/home/u` and `/srv/proj`.
    pub fn new() -> Self {
        let home = Self {
            root: tempfile::tempdir().unwrap(),
        };
        home.folder("/home/u");
        home.folder("/srv/proj");
        home
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The place on the real disk of a path seen from inside.
    pub fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path.trim_start_matches('/'))
    }

    pub fn folder(&self, path: &str) {
        fs::create_dir_all(self.at(path)).unwrap();
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a memory of `/srv/proj`.
    pub fn memory(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write(&format!("{MEMORY}/{path}"), text);
    }

    /// The binary with this home as its sysroot and `/srv/proj` as its project.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(LOCI);
        command
            .env_clear()
            .env("HOME", "/home/u")
            .env("LOCI_STATE_DIR", self.root.path().join("state"))
            .args(["--cwd", "/srv/proj", "--now", &NOW.to_string(), "--sysroot"])
            .arg(self.root.path())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(&mut self.command(arguments))
    }

    /// Runs it and reads its stdout as JSON; it must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.json()
    }
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The binary on its own demo, with nothing else around it.
pub fn demo(arguments: &[&str]) -> Ran {
    ran(Command::new(LOCI)
        .env_clear()
        .env("HOME", "/nowhere")
        .env("TMPDIR", std::env::temp_dir())
        .arg("--demo")
        .args(arguments)
        .stdin(Stdio::null()))
}

/// A memory with a name, a description and a type at the top.
pub fn text_of(name: &str, description: &str, kind: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\nThe fact.\n")
}

/// A project with a memory of each kind of state that text alone can give.
pub fn project() -> Home {
    let home = Home::new();
    home.memory(
        "MEMORY.md",
        "# Index\n- [Plan](plan.md) — what comes next\n- [Who](team/who.md) — the people\n\
         - [Gone](gone.md) — was here\n- [Plan again](plan.md)\n- [Case](PLAN.md)\n- [Out](../../x.md)\n- [Odd](odd.md)\n",
    );
    home.memory("plan.md", text_of("plan", "What comes next", "project"));
    home.memory(
        "team/who.md",
        "---\nname: who\nmetadata:\n  type: user\n---\nThe people.\n",
    );
    home.memory(
        "ghost.md",
        text_of("ghost", "Nobody points here", "feedback"),
    );
    home.memory("odd.md", text_of("odd", "An odd type", "opinion"));
    home.memory("bare.md", "Only text.\n");
    home.memory("bytes.md", b"---\nname: bytes\ntype: user\n---\n\xff\xfe\n");
    home
}

pub fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

pub fn memory_of<'a>(list: &'a Value, path: &str) -> &'a Value {
    list["projects"][0]["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|memory| memory["path"] == path)
        .unwrap_or_else(|| panic!("no {path} in {list}"))
}
