//! Input: threads that wait for it and for its end, and events of the terminal library as messages of the model.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::thread;
use std::time::Duration;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use tokio::sync::{mpsc, oneshot};

use crate::app::key::{Code, Key};
use crate::app::layout::Size;
use crate::app::message::{Message, Mouse, MouseDid};

/// Events that wait to be taken at most; beyond that the terminal's own buffer has to hold them.
pub(super) const WAITING: usize = 4096;

/// The library reads nothing at all when it is given no time, and turns in circles for as long as it is
/// given. Too little is no harm: what was not read is still there.
const A_MOMENT: Duration = Duration::from_micros(20);

/// The terminal's input, read by a thread that can be told to leave it to somebody else.
pub(super) struct Input {
    pub(super) events: mpsc::Receiver<Event>,
    /// A byte says: stop reading; the next one: go on.
    control: PipeWriter,
    /// The thread has stopped reading.
    stopped: std::sync::mpsc::Receiver<()>,
}

impl Input {
    /// Starts reading. An error of the terminal closes the channel.
    pub(super) fn start() -> io::Result<Self> {
        let (send, events) = mpsc::channel(WAITING);
        let (told, control) = io::pipe()?;
        let (say, stopped) = std::sync::mpsc::channel();
        thread::spawn(move || read(&send, told, &say));
        Ok(Self {
            events,
            control,
            stopped,
        })
    }

    /// Leaves the input to somebody else; returns when nobody here reads any more.
    pub(super) fn pause(&mut self) -> io::Result<()> {
        self.control.write_all(b"p")?;
        // A thread that has ended reads no more either.
        let _ = self.stopped.recv();
        Ok(())
    }

    /// Reads again.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        self.control.write_all(b"r")
    }
}

fn read(send: &mpsc::Sender<Event>, mut told: PipeReader, stopped: &std::sync::mpsc::Sender<()>) {
    let input = io::stdin();
    loop {
        let mut watched = [
            PollFd::new(&input, PollFlags::IN),
            PollFd::new(&told, PollFlags::IN),
        ];
        match rustix::event::poll(&mut watched, None) {
            Err(Errno::INTR) => continue,
            Err(_) => return,
            Ok(_) => {}
        }
        let [typed, order] = watched.map(|one| one.revents());
        if !order.is_empty() {
            let mut byte = [0];
            let is_told = |told: &mut PipeReader, byte: &mut [u8]| matches!(told.read(byte), Ok(1));
            // The other end is gone with the loop.
            if !is_told(&mut told, &mut byte) {
                return;
            }
            let _ = stopped.send(());
            if !is_told(&mut told, &mut byte) {
                return;
            }
            continue;
        }
        if typed.is_empty() {
            continue;
        }
        // All that has come; what is not whole yet waits in the library.
        loop {
            match crossterm::event::poll(A_MOMENT) {
                Ok(false) => break,
                Ok(true) => {}
                Err(_) => return,
            }
            let Ok(event) = crossterm::event::read() else {
                return;
            };
            if send.blocking_send(event).is_err() {
                return;
            }
        }
        if typed.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return;
        }
    }
}

/// Resolves when the terminal is gone. The library (crossterm 0.29) takes the end of input for "more
/// to come" and reads on for ever, so this must see it.
pub(super) fn hang_up() -> oneshot::Receiver<()> {
    let (send, receive) = oneshot::channel();
    thread::spawn(move || {
        let input = io::stdin();
        loop {
            // A hang-up is reported though nothing is asked for.
            let mut watched = [PollFd::new(&input, PollFlags::empty())];
            match rustix::event::poll(&mut watched, None) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) | Err(_) => break,
            }
        }
        // The loop may have ended for another reason.
        let _ = send.send(());
    });
    receive
}

/// The message that an event is; `None` where it means nothing here.
pub(super) fn message(event: Event) -> Option<Message> {
    match event {
        Event::Key(event) => key(event).map(Message::Key),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Mouse(event) => mouse(event).map(Message::Mouse),
        Event::Resize(width, height) => Some(Message::Resize(Size { width, height })),
        Event::FocusGained => Some(Message::Focused),
        Event::FocusLost => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    match event.kind {
        KeyEventKind::Press | KeyEventKind::Repeat => {}
        KeyEventKind::Release => return None,
    }
    let code = match event.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        KeyCode::Insert
        | KeyCode::Null
        | KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::KeypadBegin
        | KeyCode::Media(_)
        | KeyCode::Modifier(_) => return None,
    };
    Some(Key {
        code,
        ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        alt: event.modifiers.contains(KeyModifiers::ALT),
    })
}

fn mouse(event: MouseEvent) -> Option<Mouse> {
    let did = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseDid::Press,
        MouseEventKind::Drag(MouseButton::Left) => MouseDid::Drag,
        MouseEventKind::Up(MouseButton::Left) => MouseDid::Release,
        MouseEventKind::ScrollUp => MouseDid::WheelUp,
        MouseEventKind::ScrollDown => MouseDid::WheelDown,
        MouseEventKind::Down(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return None,
    };
    Some(Mouse {
        x: event.column,
        y: event.row,
        did,
    })
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
