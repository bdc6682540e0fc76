//! Real repositories, made by git itself: its pointers are what it writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs git in a folder, without anybody's settings; it must succeed.
#[track_caller]
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    let settings = [
        "user.name=t",
        "user.email=t@example.invalid",
        "protocol.file.allow=always",
    ];
    for setting in settings {
        command.args(["-c", setting]);
    }
    let command = command.current_dir(folder).args(arguments);
    let command = command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output().expect("git is on the search path");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

/// A repository with a file and a commit.
pub fn repository(folder: &Path) {
    fs::create_dir_all(folder.join("src")).unwrap();
    git(folder, &["init", "-q"]);
    // What is the same in all of it has the same hash.
    let text = format!("// {}\n", folder.display());
    fs::write(folder.join("src/pay.rs"), text).unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
}

/// A repository with two worktrees, one of them inside it, and a submodule.
pub struct Shop {
    pub main: PathBuf,
    pub beside: PathBuf,
}

/// Below the folder of a repository: a folder of its own, a worktree, a submodule.
pub const SRC: &str = "src";
pub const IDEA: &str = ".claude/worktrees/idea";
pub const LIB: &str = "lib";

impl Shop {
    pub fn make(folder: &Path) -> Self {
        let (main, beside) = (folder.join("shop"), folder.join("shop-fix"));
        let lib = folder.join("origin/lib");
        repository(&lib);
        repository(&main);
        git(&main, &["worktree", "add", "-q", "../shop-fix"]);
        git(&main, &["worktree", "add", "-q", "-b", "idea", IDEA]);
        git(
            &main,
            &["submodule", "add", "-q", lib.to_str().unwrap(), LIB],
        );
        git(&main, &["commit", "-q", "-m", "lib"]);
        Self { main, beside }
    }

    /// The repository under another name, as `mv` gives it one.
    pub fn renamed(&self, name: &str) -> PathBuf {
        let new = self.main.with_file_name(name);
        fs::rename(&self.main, &new).unwrap();
        new
    }
}
