//! Places for the program to run in: a temporary home, state and temporary folder of its own, and
//! stores made by hand in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::terminal::Setup;

/// The program under test.
pub const LOCI: &str = env!("CARGO_BIN_EXE_loci");

/// A temporary folder with everything that a run may touch. It goes when this is dropped.
pub struct Place {
    _folder: TempDir,
    root: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let folder = TempDir::with_prefix("loci").expect("a temporary folder");
        let root = folder.path().canonicalize().expect("it is there");
        for name in ["home/.claude/projects", "state", "config", "tmp", "work"] {
            fs::create_dir_all(root.join(name)).expect("a folder can be made");
        }
        Self {
            _folder: folder,
            root,
        }
    }

    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where the program's temporary files go, the demo's store too.
    pub fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// A folder of the place.
    pub fn root_of(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The folder of a project's own files, made.
    pub fn work(&self, project: &str) -> PathBuf {
        let folder = self.root.join("work").join(project);
        fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    /// The folder that a project's memories and transcripts are kept in, made.
    pub fn kept(&self, project: &str) -> PathBuf {
        let work = self.work(project);
        let key: String = work
            .to_str()
            .expect("plain names")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let folder = self.home().join(".claude/projects").join(key);
        fs::create_dir_all(folder.join("memory")).expect("a folder can be made");
        folder
    }

    /// Writes a file into a project's memory folder.
    pub fn memory(&self, project: &str, file: &str, bytes: impl AsRef<[u8]>) {
        write(&self.kept(project).join("memory").join(file), bytes);
    }

    /// Makes a memory so many seconds old.
    pub fn set_age(&self, project: &str, file: &str, seconds: u64) {
        let path = self.kept(project).join("memory").join(file);
        let file = fs::File::options().write(true).open(path);
        let time = SystemTime::now() - Duration::from_secs(seconds);
        let set = file.and_then(|file| file.set_modified(time));
        set.expect("a file's time can be set");
    }

    /// Writes a transcript that says where the project lies.
    pub fn transcript(&self, project: &str, cwd: &str) {
        let line = serde_json::json!({
            "type": "user",
            "cwd": cwd,
            "sessionId": "9a1c",
            "message": {"role": "user", "content": "hello"},
        });
        let file = self.kept(project).join("9a1c.jsonl");
        write(&file, format!("{line}\n"));
    }

    /// The folder of our own configuration.
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// The lock of those who write, not held. The screen has been open before.
    pub fn lock(&self) -> fs::File {
        let homes = fs::read_dir(self.root.join("state/homes")).expect("there is a state");
        let home = homes.flatten().next().expect("of one home").path();
        let mut options = fs::File::options();
        let options = options.write(true).create(true).truncate(false);
        options.open(home.join("lock")).expect("the lock")
    }

    /// The program in this place, in its terminal.
    pub fn loci<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Setup {
        self.around(Setup::new(LOCI, &self.home())).args(args)
    }

    /// The program on its made-up store.
    pub fn demo(&self) -> Setup {
        self.loci(["--demo"])
    }

    /// The program in the folder of a project.
    pub fn open(&self, project: &str) -> Setup {
        self.loci([]).cwd(&self.work(project))
    }

    /// A shell script in this place; `$LOCI` is the program.
    pub fn shell(&self, script: &str) -> Setup {
        self.around(Setup::new("/bin/sh", &self.home()))
            .env("LOCI", LOCI)
            .args(["-c", script])
    }

    fn around(&self, setup: Setup) -> Setup {
        setup
            .env("LOCI_STATE_DIR", self.root.join("state"))
            .env("LOCI_CONFIG_DIR", self.config())
            .env("TMPDIR", self.tmp())
            .cwd(&self.root.join("work"))
    }
}

/// Writes a file, with the folders above it.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// A memory file of the common shape.
pub fn memory(name: &str, kind: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: about {name}\nmetadata:\n  node_type: memory\n  type: {kind}\n---\n\n{body}\n"
    )
}
