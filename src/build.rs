//! Puts the version with the commit it is built from into `LOCI_VERSION`. Without git, or outside
//! our own repository (an unpacked package), the version stands alone; nothing here can fail.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    };
    println!("cargo::rustc-env=LOCI_VERSION={version}");
}

/// The short name of the commit that is checked out here.
fn commit() -> Option<String> {
    let home = env!("CARGO_MANIFEST_DIR");
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(home).canonicalize().ok()? {
        return None;
    }
    // The log of HEAD grows with every commit and checkout; a path that is missing would make
    // cargo run this each time.
    for watched in ["HEAD", "logs/HEAD"] {
        let path = Path::new(home).join(git(&["rev-parse", "--git-path", watched])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_string())
}
