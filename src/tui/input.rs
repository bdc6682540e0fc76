//! Input: threads that wait for it and for its end, and events of the terminal library as messages of the model.

use std::io;
use std::thread;

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
/// Starts reading. An error of the terminal closes the channel.
pub(super) fn read() -> mpsc::Receiver<Event> {
    let (send, receive) = mpsc::channel(WAITING);
    thread::spawn(move || {
        while let Ok(event) = crossterm::event::read() {
            if send.blocking_send(event).is_err() {
                break;
            }
        }
    });
    receive
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
