//! Input: a thread that waits for it, and events of the terminal library as messages of the model.

use std::io;
use std::thread;
use std::time::Duration;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use tokio::sync::mpsc;

use crate::app::key::{Code, Key};
use crate::app::layout::Size;
use crate::app::message::{Message, Mouse, MouseDid};

/// Events that wait to be taken at most; beyond that the terminal's own buffer has to hold them.
pub(super) const WAITING: usize = 4096;
/// How long the library may look for an event in bytes that have come.
const LOOK: Duration = Duration::from_millis(1);

/// Starts reading. The channel closes when the terminal is gone.
///
/// The waiting is done here and not by the library (crossterm 0.29), which takes the end of input for
/// "more to come" and would read on for ever.
pub(super) fn read() -> mpsc::Receiver<Event> {
    let (send, receive) = mpsc::channel(WAITING);
    // An error is the end of input, and the end closes the channel.
    thread::spawn(move || read_into(&send).is_ok());
    receive
}

fn read_into(events: &mpsc::Sender<Event>) -> io::Result<()> {
    let input = io::stdin();
    loop {
        let mut watched = [PollFd::new(&input, PollFlags::IN)];
        match rustix::event::poll(&mut watched, None) {
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
            Ok(_) => {}
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if watched[0].revents().intersects(gone) {
            return Ok(());
        }
        while crossterm::event::poll(LOOK)? {
            if events.blocking_send(crossterm::event::read()?).is_err() {
                return Ok(());
            }
        }
    }
}

/// The message that an event is; `None` where it means nothing here.
pub(super) fn message(event: Event) -> Option<Message> {
    match event {
        Event::Key(event) => key(event).map(Message::Key),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Mouse(event) => mouse(event).map(Message::Mouse),
        Event::Resize(width, height) => Some(Message::Resize(Size { width, height })),
        Event::FocusGained | Event::FocusLost => None,
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
