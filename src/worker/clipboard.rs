//! The system's clipboard, by the programs that there are for it. The terminal's own (OSC 52) is not
//! known here.

use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};

/// Programs that take a text on their input, the first that is there first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clipboard {
    programs: &'static [&'static [&'static str]],
}

impl Clipboard {
    /// By what the environment says: over ssh, or without a display, there is none that is the
    /// person's own.
    pub fn from(var: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| var(name).is_some_and(|value| !value.is_empty());
        let programs: &[&[&str]] = if set("SSH_CONNECTION") || set("SSH_TTY") {
            &[]
        } else if set("WAYLAND_DISPLAY") {
            &[&["wl-copy"], X[0], X[1]]
        } else if set("DISPLAY") {
            &X
        } else if cfg!(target_os = "macos") {
            &[&["pbcopy"]]
        } else {
            &[]
        };
        Self { programs }
    }

    /// Whether there is any to try.
    pub fn is_there(&self) -> bool {
        !self.programs.is_empty()
    }

    /// Gives a text to the first program that there is; that one's name, `None` if there is none.
    ///
    /// # Errors
    /// A sentence: which program failed, and how.
    pub fn copy(&self, text: &str) -> Result<Option<&'static str>, String> {
        for command in self.programs {
            let (program, arguments) = command.split_first().expect("a command has a program");
            // It may go on in the background and keep what it writes to open: that is not waited for.
            let child = Command::new(program)
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            return match child {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => Err(format!("{program} could not be run ({error})")),
                Ok(child) => give(child, text)
                    .map(|()| Some(*program))
                    .map_err(|why| format!("{program} {why}")),
            };
        }
        Ok(None)
    }
}

/// Programs of the X window system.
const X: [&[&str]; 2] = [
    &["xclip", "-selection", "clipboard"],
    &["xsel", "--clipboard", "--input"],
];

fn give(mut child: Child, text: &str) -> Result<(), String> {
    let mut input = child.stdin.take().expect("its input is a pipe");
    let written = input.write_all(text.as_bytes());
    drop(input);
    match (child.wait(), written) {
        (Ok(status), _) if !status.success() => Err(format!("ended with {status}")),
        (Err(error), _) | (Ok(_), Err(error)) => Err(format!("did not take it ({error})")),
        (Ok(_), Ok(())) => Ok(()),
    }
}

#[cfg(test)]
#[path = "clipboard_tests.rs"]
mod tests;
