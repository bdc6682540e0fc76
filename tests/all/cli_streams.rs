//! Streams and exit codes: what goes where, with which colour, and how a run ends.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::cli_home::{Home, LOCI, demo, ran, text_of};

fn project() -> Home {
    let home = Home::new();
    home.memory("MEMORY.md", "- [A](a.md) — first\n- [Gone](gone.md)\n");
    home.memory("a.md", text_of("a", "First", "project"));
    home
}

/// TU20, TU21: a pipe stays plain whatever the environment says, unless colour is asked for.
#[test]
fn tu20_tu21_a_pipe_has_no_escapes_unless_they_are_asked_for() {
    let home = project();
    for arguments in [["ls"].as_slice(), &["index"], &["show", "a"], &["key"]] {
        let mut command = home.command(arguments);
        command
            .env("TERM", "xterm-256color")
            .env("CLICOLOR_FORCE", "1");
        let plain = ran(&mut command);
        assert_eq!(plain.code, Some(0), "{plain:?}");
        assert!(
            !plain.out.contains('\x1b'),
            "{arguments:?}: {:?}",
            plain.out
        );
        let coloured = ran(command.args(["--color", "always"]));
        assert!(coloured.out.contains("\x1b["), "{arguments:?}");
    }
    let help = ran(Command::new(LOCI)
        .arg("--help")
        .env("TERM", "xterm-256color")
        .env("CLICOLOR_FORCE", "1"));
    assert!(!help.out.contains('\x1b'), "{:?}", help.out);
    let wrong = ran(Command::new(LOCI).arg("--wrong").env("CLICOLOR_FORCE", "1"));
    assert!(!wrong.err.contains('\x1b'), "{:?}", wrong.err);
}

#[test]
fn colour_asked_for_stands_in_text_only_and_never_in_json() {
    let home = project();
    let ran = home.run(&["ls", "--json", "--color", "always"]);
    assert!(!ran.out.contains('\x1b'), "{:?}", ran.out);
}

/// TU21: each stream is judged by itself. Stdout is a pipe, a file, a terminal in turn, while
/// stderr stays a terminal.
#[test]
#[cfg(unix)]
fn each_stream_is_judged_by_itself() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    let home = project();
    let run = format!(
        "\"{LOCI}\" --sysroot \"{}\" --cwd /srv/proj ls",
        home.root().display()
    );
    let at = |name: &str| home.root().join(name);
    for (term, no_color, coloured) in [
        ("xterm-256color", "", true),
        ("xterm-256color", "1", false),
        ("linux", "", true),
        ("dumb", "", false),
        ("", "", false),
    ] {
        let pair = native_pty_system()
            .openpty(PtySize {
                rows: 24,
                cols: 80,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
        let mut command = CommandBuilder::new("sh");
        command.env_clear();
        command.env("HOME", "/home/u");
        command.env("PATH", "/usr/bin:/bin");
        command.env("TERM", term);
        command.env("NO_COLOR", no_color);
        let script = format!(
            "{run} | cat > \"{}\"; {run} > \"{}\"; {run}",
            at("piped").display(),
            at("filed").display()
        );
        command.args(["-c", &script]);
        command.cwd(home.root());
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut seen = Vec::new();
        // Linux ends a terminal whose last writer has gone with an error, not with nothing.
        let _ = reader.read_to_end(&mut seen);
        child.wait().unwrap();
        let seen = String::from_utf8_lossy(&seen);
        assert!(seen.contains("a.md"), "{seen:?}");
        assert_eq!(
            seen.contains("\x1b["),
            coloured,
            "{term} {no_color}: {seen:?}"
        );
        for name in ["piped", "filed"] {
            let text = std::fs::read_to_string(at(name)).unwrap();
            assert!(text.contains("a.md") && !text.contains('\x1b'), "{text:?}");
        }
    }
}

/// TU21: who reads may go away at any moment; that is no failure and nothing is said.
#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    for n in 0..3000 {
        let long = "so that the pipe is full long before the end of the list ".repeat(2);
        home.memory(&format!("m{n:04}.md"), text_of("m", &long, "user"));
    }
    for arguments in [
        ["ls"].as_slice(),
        &["ls", "--json"],
        &["ls", "--all"],
        &["ls", "--all", "--json"],
    ] {
        let mut child = home
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_the_result_is_said() {
    let home = project();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = home
        .command(&["ls", "--json"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("could not be written"), "{said}");
}

#[test]
fn without_a_terminal_the_screen_is_refused_in_one_line_with_a_way_out() {
    for ran in [
        Home::new().run(&[]),
        demo(&[]),
        Home::new().run(&["--color", "always"]),
    ] {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(ran.out, "");
        assert_eq!(ran.err.trim_end().lines().count(), 1, "{ran:?}");
        assert!(ran.err.contains("terminal"), "{ran:?}");
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let home = project();
    for arguments in [
        ["--wrong"].as_slice(),
        &["nothing"],
        &["show"],
        &["ls", "--color", "green"],
        &["--json"],
        &["--demo", "ls"],
        &["show", "nothing"],
        &["completions", "cmd"],
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_failure_with_json_is_an_object_on_stdout_and_a_sentence_on_stderr() {
    let home = project();
    for (arguments, code) in [
        (["show", "nothing", "--json"].as_slice(), "not-found"),
        (&["--json", "--wrong"], "usage"),
        (&["--json"], "usage"),
        (&["ls", "--json", "--color", "green"], "usage"),
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        let object = ran.json();
        let error = object["error"].as_object().unwrap();
        let mut keys: Vec<&str> = error.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["code", "message", "path"]);
        assert_eq!(error["code"], code, "{arguments:?}");
        assert!(!error["message"].as_str().unwrap().is_empty());
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn a_working_directory_that_is_not_there_is_wrong_usage() {
    let home = Home::new();
    let ran = ran(Command::new(LOCI)
        .env_clear()
        .env("HOME", "/home/u")
        .arg("--sysroot")
        .arg(home.root())
        .args(["--cwd", "/not/there", "ls", "--json"]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.json()["error"]["path"], "/not/there");
}

/// Where the directory that loci was started in is gone, a whole path says where it is.
#[test]
fn a_whole_path_does_without_a_directory_to_begin_in() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    for name in ["home", "proj", "gone"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    let script = "cd \"$1\" && rmdir \"$1\" && shift && exec \"$@\"";
    let run = |cwd: &str| {
        std::fs::create_dir_all(root.join("gone")).unwrap();
        ran(Command::new("/bin/sh")
            .env_clear()
            .env("HOME", root.join("home"))
            .args(["-c", script, "sh"])
            .arg(root.join("gone"))
            .args([LOCI, "--cwd", cwd, "key", "--json"]))
    };
    let whole = run(root.join("proj").to_str().unwrap());
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let project = whole.json()["path"].as_str().unwrap().to_string();
    assert_eq!(project, root.join("proj").to_str().unwrap());
    let part = run("proj");
    assert_eq!(part.code, Some(2), "{part:?}");
    assert!(
        part.err.contains("pass a whole path with --cwd"),
        "{part:?}"
    );
}

/// A memory that can't be read is a failure of the disk, with the file's name.
#[test]
#[cfg(unix)]
fn a_memory_that_cannot_be_read_ends_with_three() {
    let home = project();
    std::os::unix::fs::symlink(
        "nowhere.md",
        home.at(&format!("{}/loose.md", crate::cli_home::MEMORY)),
    )
    .unwrap();
    let list = home.json(&["ls", "--json"]);
    let loose = list["projects"][0]["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|memory| memory["path"] == "loose.md")
        .unwrap();
    assert_eq!(loose["state"], "unsafe");
    let ran = home.run(&["show", "loose.md", "--json"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let error = ran.json()["error"].clone();
    assert_eq!(error["code"], "unreadable");
    assert!(
        error["path"].as_str().unwrap().ends_with("/loose.md"),
        "{error}"
    );
}

#[test]
fn the_log_is_off_unless_asked_for_and_never_on_a_stream() {
    let home = project();
    let log = home.root().join("state/log/loci.log");
    assert_eq!(home.run(&["ls"]).code, Some(0));
    assert!(
        !home.root().join("state").exists(),
        "nothing is made unasked"
    );
    let quiet = home.run(&["ls"]);
    let logged = home.run(&["ls", "--log"]);
    assert_eq!((quiet.out, quiet.err), (logged.out, logged.err));
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("started"), "{text}");
    std::fs::remove_file(&log).unwrap();
    assert_eq!(
        ran(home.command(&["ls"]).env("LOCI_LOG", "info")).code,
        Some(0)
    );
    assert!(log.exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&log), 0o600);
        assert_eq!(mode(log.parent().unwrap()), 0o700);
    }
}

/// What a link leads to outside is named, never shown.
#[test]
#[cfg(unix)]
fn a_link_out_of_the_folder_is_named_not_read() {
    let home = project();
    let secret = "---\ntype: user\ndescription: hunter2\n---\nhunter2\n";
    home.write("/srv/token.md", secret);
    let link = home.at(&format!("{}/out.md", crate::cli_home::MEMORY));
    std::os::unix::fs::symlink("/srv/token.md", link).unwrap();
    let shown = home.run(&["show", "out"]);
    assert_eq!(shown.code, Some(3), "{shown:?}");
    let listed = home.run(&["ls"]);
    for (text, ran) in [(&shown.err, &shown), (&listed.out, &listed)] {
        let named = text.contains("token.md, out of the memory folder");
        assert!(named && !format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
}
