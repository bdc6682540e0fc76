//! Input: threads that wait for it and for its end, and events of the terminal library as messages of the model.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use tokio::sync::{mpsc, oneshot};

use crate::app::key::{Code, Key};
use crate::app::layout::Size;
use crate::app::look::Background;
use crate::app::message::{Message, Mouse, MouseDid};
use crate::tui::background;
use crate::tui::sift::{Sift, Sifted};

/// Events that wait to be taken at most; beyond that the terminal's own buffer has to hold them.
pub(super) const WAITING: usize = 4096;

/// Bytes that are read at once; the library takes in no less, so that it has all of them.
const GULP: usize = 1000;

/// The library reads nothing at all when it is given no time, and turns in circles for as long as it is
/// given. It may be too little: only when it has nothing so many times, it has nothing.
const A_MOMENT: Duration = Duration::from_micros(20);
const CALM: usize = 3;

/// What the terminal gave.
#[derive(Debug)]
pub(super) enum Heard {
    Event(Event),
    /// What it says of its background, if that is understood.
    Answer(Option<Background>),
    /// A paste has begun, and its end does not come.
    Unended,
}

impl Heard {
    /// The message that it is; `None` where it means nothing here.
    pub(super) fn message(self) -> Option<Message> {
        match self {
            Self::Event(event) => message(event),
            Self::Answer(answer) => answer.map(Message::Background),
            Self::Unended => Some(Message::PasteUnended),
        }
    }
}

/// The terminal's input, read by a thread that can be told to leave it to somebody else.
pub(super) struct Input {
    pub(super) heard: mpsc::Receiver<Heard>,
    /// A byte says: stop reading; the next one: go on.
    control: PipeWriter,
    /// The thread has stopped reading.
    stopped: std::sync::mpsc::Receiver<()>,
    /// When the last question was put.
    asked: Asked,
}

type Asked = Arc<Mutex<Option<Instant>>>;

impl Input {
    /// Starts reading. An error of the terminal closes the channel.
    pub(super) fn start() -> io::Result<Self> {
        let (send, heard) = mpsc::channel(WAITING);
        let (told, control) = io::pipe()?;
        let (say, stopped) = std::sync::mpsc::channel();
        let asked = Asked::default();
        let mut reader = Reader::new(send, Arc::clone(&asked))?;
        thread::spawn(move || reader.read(told, &say));
        Ok(Self {
            heard,
            control,
            stopped,
            asked,
        })
    }

    /// A question was put: its answer is no keys.
    pub(super) fn await_answer(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
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

/// Reads the terminal, sorts what comes, and lets the library make events of what are keys.
struct Reader {
    send: mpsc::Sender<Heard>,
    asked: Asked,
    sift: Sift,
    terminal: OwnedFd,
    /// What the library reads in the terminal's stead, and how that gets there.
    stand_in: PipeReader,
    keys: PipeWriter,
}

impl Reader {
    fn new(send: mpsc::Sender<Heard>, asked: Asked) -> io::Result<Self> {
        // Now it finds that the input is a terminal, and keeps to its number.
        crossterm::event::poll(Duration::ZERO)?;
        let (stand_in, keys) = io::pipe()?;
        let flags = fcntl_getfl(&stand_in)?;
        fcntl_setfl(&stand_in, flags | OFlags::NONBLOCK)?;
        Ok(Self {
            send,
            asked,
            sift: Sift::new(),
            terminal: io::stdin().as_fd().try_clone_to_owned()?,
            stand_in,
            keys,
        })
    }

    fn read(&mut self, mut told: PipeReader, stopped: &std::sync::mpsc::Sender<()>) {
        let mut bytes = [0; GULP];
        loop {
            let due = self.sift.due();
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            let mut watched = [
                PollFd::new(&self.terminal, PollFlags::IN),
                PollFd::new(&told, PollFlags::IN),
            ];
            match rustix::event::poll(&mut watched, left.as_ref()) {
                Err(Errno::INTR) => continue,
                Err(_) => return,
                Ok(_) => {}
            }
            let [typed, order] = watched.map(|one| one.revents());
            if !order.is_empty() {
                let mut byte = [0];
                let is_told =
                    |told: &mut PipeReader, byte: &mut [u8]| matches!(told.read(byte), Ok(1));
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
            let now = Instant::now();
            let sifted = if typed.contains(PollFlags::IN) {
                let read = match rustix::io::read(&self.terminal, &mut bytes) {
                    Err(Errno::INTR | Errno::AGAIN) => continue,
                    Ok(0) | Err(_) => return,
                    Ok(read) => read,
                };
                let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
                self.sift.take(&bytes[..read], (now, asked), read == GULP)
            } else if due.is_some_and(|due| due <= now) {
                self.sift.expire(now)
            } else {
                Vec::new()
            };
            if self.hand_over(sifted).is_err() {
                return;
            }
            if typed.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return;
            }
        }
    }

    fn hand_over(&mut self, sifted: Vec<Sifted>) -> io::Result<()> {
        for part in sifted {
            let heard = match part {
                Sifted::Keys(bytes) => self.events(&bytes)?.into_iter().map(Heard::Event).collect(),
                Sifted::Answer(text) => vec![Heard::Answer(background::understood(&text))],
                Sifted::Unended => vec![Heard::Unended],
            };
            for one in heard {
                let sent = self.send.blocking_send(one);
                sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
        }
        Ok(())
    }

    /// What the library makes of bytes. It reads its input by number and would wait in it for the
    /// rest of what is not whole: for the moment a pipe with these bytes has that number.
    fn events(&mut self, bytes: &[u8]) -> io::Result<Vec<Event>> {
        self.keys.write_all(bytes)?;
        rustix::stdio::dup2_stdin(&self.stand_in)?;
        let events = self.drain();
        rustix::stdio::dup2_stdin(&self.terminal)?;
        events
    }

    fn drain(&self) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let mut calm = 0;
        while calm < CALM {
            if crossterm::event::poll(A_MOMENT)? {
                events.push(crossterm::event::read()?);
                calm = 0;
                continue;
            }
            let mut left = [PollFd::new(&self.stand_in, PollFlags::IN)];
            rustix::event::poll(&mut left, Some(&Timespec::default()))?;
            calm = match left[0].revents().contains(PollFlags::IN) {
                true => 0,
                false => calm + 1,
            };
        }
        Ok(events)
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
fn message(event: Event) -> Option<Message> {
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
