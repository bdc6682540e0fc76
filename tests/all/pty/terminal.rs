//! A pseudo-terminal with a program in it: starts it, presses keys, sees the screen, keeps every
//! byte, waits (with a generous limit, without asserting a time) and says how it ended.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::bytes;
use super::seen::{self, Seen, State, find, framed, read_all};

/// How long anything may take before a test is called failed. Far above what it does take.
const LIMIT: Duration = Duration::from_secs(40);

/// A silence that means that a program has nothing more to say.
const QUIET: Duration = Duration::from_millis(150);

/// Escape as a terminal sends it that tells it from the beginning of a sequence: what follows at
/// once is then never taken for alt and a key.
pub const ESC: &str = "\x1b[27u";

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

/// What to start, and in which terminal.
pub struct Setup {
    command: CommandBuilder,
    columns: u16,
    rows: u16,
    mute: bool,
}

impl Setup {
    /// `program` in an environment that has only a search path, a home and a terminal's name.
    pub fn new(program: impl AsRef<Path>, home: &Path) -> Self {
        let mut command = CommandBuilder::new(program.as_ref());
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.cwd(home);
        Self {
            command,
            columns: 120,
            rows: 40,
            mute: false,
        }
    }

    pub fn args<S: AsRef<std::ffi::OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, key: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    pub fn without_env(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    pub fn cwd(mut self, folder: &Path) -> Self {
        self.command.cwd(folder);
        self
    }

    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// A terminal that answers no question.
    pub fn mute(mut self) -> Self {
        self.mute = true;
        self
    }

    pub fn start(self) -> Terminal {
        let size = pty_size(self.columns, self.rows);
        let pair = native_pty_system().openpty(size).expect("a pty opens");
        let termios_before = format!("{:?}", pair.master.get_termios());
        let child = pair
            .slave
            .spawn_command(self.command)
            .expect("the program starts");
        drop(pair.slave); // else the output would never end
        let (keys, to_write) = channel::<Vec<u8>>();
        let mut writer = pair.master.take_writer().expect("a pty takes input");
        let writing = thread::spawn(move || {
            for bytes in to_write {
                if writer.write_all(&bytes).is_err() {
                    break;
                }
            }
        });
        let seen = Arc::new(Seen::new(self.columns, self.rows));
        let reader = pair
            .master
            .try_clone_reader()
            .expect("a pty gives its output");
        let answers = (!self.mute).then(|| keys.clone());
        let reading = {
            let seen = Arc::clone(&seen);
            thread::spawn(move || read_all(reader, &seen, answers.as_ref()))
        };
        Terminal {
            child,
            master: Some(pair.master),
            keys: Some(keys),
            threads: vec![reading, writing],
            seen,
            termios_before,
            exit: None,
        }
    }
}

/// A running program and what it has shown so far.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Sender<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
    seen: Arc<Seen>,
    termios_before: String,
    exit: Option<Exit>,
}

impl Terminal {
    pub fn send(&self, keys: impl AsRef<[u8]>) {
        let sender = self.keys.as_ref().expect("the terminal is still open");
        // A program that has ended takes no keys; the wait that follows says so better.
        let _ = sender.send(keys.as_ref().to_vec());
    }

    /// A click of the left button on a cell, counted from 0.
    pub fn click(&self, (row, column): (u16, u16)) {
        let (row, column) = (row + 1, column + 1);
        self.send(format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// A turn of the wheel, down or up, over a cell.
    pub fn wheel(&self, down: bool, (row, column): (u16, u16)) {
        let button = if down { 65 } else { 64 };
        self.send(format!("\x1b[<{button};{};{}M", column + 1, row + 1));
    }

    /// Another size. The screen begins anew: what the program does not draw again is blank.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.state().resize(columns, rows);
        let master = self.master.as_ref().expect("the terminal is still open");
        master
            .resize(pty_size(columns, rows))
            .expect("a pty can be resized");
    }

    pub fn signal(&self, signal: Signal) {
        let id = self.child.process_id().expect("the program has an id");
        let pid = Pid::from_raw(i32::try_from(id).expect("ids are small")).expect("not 0");
        kill_process(pid, signal).expect("the program takes signals");
    }

    /// Everything written so far.
    pub fn raw(&self) -> Vec<u8> {
        self.state().raw.clone()
    }

    /// The screen's text, without spaces at the ends of lines.
    pub fn text(&self) -> String {
        self.state().text()
    }

    /// Asks the screen something.
    pub fn screen<T>(&self, ask: impl FnOnce(&vt100::Screen) -> T) -> T {
        ask(self.state().parser.screen())
    }

    /// The first cell of `text` on the screen: row and column from 0.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        self.screen(|screen| find(screen, text))
    }

    /// Waits until the screen shows `text`.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} on the screen"), |screen| {
            screen.contents().contains(text)
        });
    }

    /// Waits until something was written since the start or the last change of size.
    #[track_caller]
    pub fn wait_output(&self) {
        self.wait_state("any output", |state| state.raw.len() > state.mark);
    }

    /// Waits until everything written so far is as `holds` says.
    #[track_caller]
    pub fn wait_raw(&self, what: &str, holds: impl Fn(&[u8]) -> bool) {
        self.wait_state(what, |state| holds(&state.raw));
    }

    /// Waits until the program has been quiet for a while: what the keys sent so far began is done.
    pub fn settle(&self) {
        self.settle_for(QUIET);
    }

    /// The same with another silence.
    pub fn settle_for(&self, quiet: Duration) {
        let mut state = self.state();
        loop {
            let before = state.raw.len();
            let waited = self.seen.changed.wait_timeout(state, quiet);
            state = waited.expect("the reader does not panic").0;
            if state.raw.len() == before {
                break;
            }
        }
    }

    /// Waits until the screen shows `text` and all of the store is listed.
    #[track_caller]
    pub fn wait_ready(&self, text: &str) {
        self.wait_until(&format!("{text:?} on a whole screen"), |screen| {
            let shown = screen.contents();
            shown.contains(text) && !shown.contains("counting …")
        });
    }

    /// Waits until the screen shows exactly `text`.
    #[track_caller]
    pub fn wait_same(&self, text: &str) {
        let what = format!("this screen:\n{}\n", framed(text));
        self.wait_until(&what, |screen| seen::text(screen) == text);
    }

    /// Waits until the screen no longer shows `text`.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("no {text:?} on the screen"), |screen| {
            !screen.contents().contains(text)
        });
    }

    /// Waits until the screen is as `holds` says; `what` is for the message.
    #[track_caller]
    pub fn wait_until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        self.wait_state(what, |state| holds(state.parser.screen()));
    }

    #[track_caller]
    fn wait_state(&self, what: &str, holds: impl Fn(&State) -> bool) {
        let end = Instant::now() + LIMIT;
        let mut state = self.state();
        while !holds(&state) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !state.ended && !left.is_zero(),
                "waited for {what}, but {}; the screen:\n{}",
                if state.ended {
                    "the program has let go of the terminal"
                } else {
                    "it did not come"
                },
                framed(&state.text())
            );
            let waited = self.seen.changed.wait_timeout(state, left);
            state = waited.expect("the reader does not panic").0;
        }
    }

    /// Waits until the program has ended and all of its output is read.
    #[track_caller]
    pub fn wait_exit(&mut self) -> Exit {
        let exit = self.wait_process();
        self.wait_state("the end of the output", |state| state.ended);
        exit
    }

    /// Waits until the program has ended.
    #[track_caller]
    fn wait_process(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let end = Instant::now() + LIMIT;
        loop {
            let child: &mut dyn Child = &mut *self.child;
            let child = child
                .downcast_mut::<std::process::Child>()
                .expect("a process of the system");
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                let exit = match status.signal() {
                    Some(signal) => Exit::Signal(signal),
                    None => Exit::Code(status.code().expect("a code or a signal")),
                };
                self.exit = Some(exit);
                return exit;
            }
            assert!(
                Instant::now() < end,
                "the program does not end; the screen:\n{}",
                framed(&self.text())
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the terminal under the program, as a window that is shut, and waits for its end.
    #[track_caller]
    pub fn hang_up(&mut self) -> Exit {
        self.state().let_go = true;
        self.resize(100, 30); // something must come for the reader to look up
        self.wait_state("the reader to let go", |state| state.ended);
        self.keys = None;
        for thread in self.threads.drain(..) {
            thread.join().expect("reader and writer do not panic");
        }
        self.master = None;
        self.wait_process()
    }

    /// What a shell would inherit now: modes still on, and settings that differ from before.
    pub fn left_behind(&self) -> Vec<String> {
        let state = self.state();
        let mut left = bytes::left_behind(&state.raw);
        let screen = state.parser.screen();
        let plain = vt100::Color::Default;
        if screen.bold() || screen.inverse() || screen.fgcolor() != plain {
            left.push("text attributes on".to_owned());
        }
        if let Some(master) = &self.master
            && format!("{:?}", master.get_termios()) != self.termios_before
        {
            left.push("terminal settings changed".to_owned());
        }
        left
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.seen.lock()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.exit.is_none() {
            let child: &mut dyn Child = &mut *self.child;
            if let Some(child) = child.downcast_mut::<std::process::Child>() {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}
