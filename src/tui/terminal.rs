//! Setting the terminal up and leaving it as it was: one pair, used by start, exit, panic, signals
//! and suspension alike. Nothing here waits for an answer of the terminal, so a mute one costs nothing.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::clipboard::CopyToClipboard;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use crate::app::layout::Size;
use crate::base::{display, text};
use crate::tui::background;
use crate::tui::hyperlink::{self, Placed};
use crate::tui::wide::Ordered;

/// Title pushed; alternate screen; cursor hidden; bracketed paste; keys told apart (kitty's first
/// flag, which terminals that do not know it ignore).
const ENTER: &str = "\x1b[22;0t\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[>1u";
/// The same backwards, with an end for a frame that was cut short and for colours.
const LEAVE: &str = "\x1b[?2026l\x1b[0m\x1b[<1u\x1b[?2004l\x1b[?25h\x1b[?1049l\x1b[23;0t";
/// Clicks, drags and the wheel, with coordinates of any size.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
const FOCUS_ON: &str = "\x1b[?1004h";
const FOCUS_OFF: &str = "\x1b[?1004l";
const FRAME_BEGIN: &[u8] = b"\x1b[?2026h";
const FRAME_END: &[u8] = b"\x1b[?2026l";

/// Whether the terminal is set up; a panic in any thread asks.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Standard output past the library's buffer and lock, which a thread that panics cannot wait for.
fn output() -> io::Result<&'static File> {
    static OUTPUT: OnceLock<File> = OnceLock::new();
    if let Some(file) = OUTPUT.get() {
        return Ok(file);
    }
    let own = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    Ok(OUTPUT.get_or_init(|| own))
}

fn send(bytes: &[u8]) -> io::Result<()> {
    output()?.write_all(bytes)
}

/// Leaves the terminal as it was before [`Tty::enter`]; does nothing if that is so already.
pub(super) fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell: a terminal that is gone cannot be restored.
        let _ = send(MOUSE_OFF.as_bytes());
        let _ = send(FOCUS_OFF.as_bytes());
        let _ = send(LEAVE.as_bytes());
        let _ = crossterm::terminal::disable_raw_mode();
    }
}

/// Bytes of a frame, gathered until it is whole.
#[derive(Debug, Clone, Default)]
struct Pending(Rc<RefCell<Vec<u8>>>);

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a frame that was drawn comes with.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// Where the text cursor stands, if one is shown.
    pub(super) cursor: Option<(u16, u16)>,
    pub(super) links: Vec<Placed>,
}

/// The terminal, set up. Dropping it leaves.
pub(super) struct Tty {
    terminal: Terminal<Ordered<CrosstermBackend<Pending>>>,
    pending: Pending,
    size: Size,
    title: String,
    mouse: bool,
    /// The links of the last frame.
    links: Vec<Placed>,
    doubtful: bool,
    /// The terminal tells when it gets the focus.
    focus: bool,
}

impl Tty {
    /// Sets the terminal up. `doubtful`: it may draw characters of ambiguous width two cells wide.
    pub(super) fn enter(mouse: bool, color: bool, doubtful: bool) -> io::Result<Self> {
        // The library would look at the environment by itself; what was decided is what counts.
        crossterm::style::force_color_output(color);
        let size = size()?;
        let pending = Pending::default();
        let terminal = blank(size, &pending, doubtful)?;
        let mut tty = Self {
            terminal,
            pending,
            size,
            title: String::new(),
            mouse,
            links: Vec::new(),
            doubtful,
            focus: false,
        };
        tty.set_up()?;
        tty.redraw()?;
        Ok(tty)
    }

    fn set_up(&mut self) -> io::Result<()> {
        crossterm::terminal::enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        send(ENTER.as_bytes())?;
        if self.mouse {
            send(MOUSE_ON.as_bytes())?;
        }
        if self.focus {
            send(FOCUS_ON.as_bytes())?;
        }
        if !self.title.is_empty() {
            send(&title_bytes(&self.title))?;
        }
        Ok(())
    }

    /// Leaves, stops the process, and sets up again when it goes on. `job`: with all that it was
    /// started by, as ctrl-z does; else whoever waits for us (`cargo run`) would keep the terminal.
    pub(super) fn suspend(&mut self, job: bool) -> io::Result<()> {
        leave();
        if job {
            // All at once: were we stopped after the others, a shell could let us go on before.
            rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
        } else {
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        }
        self.set_up()?;
        self.redraw()
    }

    /// Leaves, lets `work` have the terminal, and sets up again.
    pub(super) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        leave();
        let done = work();
        self.set_up()?;
        self.redraw()?;
        Ok(done)
    }

    /// After the process was stopped from outside: a shell may have changed the modes.
    pub(super) fn reassert(&mut self) -> io::Result<()> {
        leave();
        self.set_up()?;
        self.redraw()
    }

    /// The size now; a changed one makes the next frame a whole one.
    pub(super) fn measure(&mut self) -> io::Result<Size> {
        let size = size()?;
        if size != self.size {
            self.size = size;
            self.redraw()?;
        }
        Ok(size)
    }

    /// Makes the next frame a whole one.
    pub(super) fn redraw(&mut self) -> io::Result<()> {
        self.terminal = blank(self.size, &self.pending, self.doubtful)?;
        self.pending.0.borrow_mut().clear();
        self.links.clear();
        self.pending.write_all(b"\x1b[0m\x1b[2J")
    }

    /// Hands a text to the terminal's clipboard (OSC 52), which works over ssh too.
    pub(super) fn copy(text: &str) -> io::Result<()> {
        let mut bytes = Vec::new();
        crossterm::queue!(bytes, CopyToClipboard::to_clipboard_from(text))?;
        send(&bytes)
    }

    /// Asks for the background's colour, and to be told of the focus from now on. Nobody waits.
    pub(super) fn ask_background(&mut self) -> io::Result<()> {
        self.focus = true;
        send(FOCUS_ON.as_bytes())?;
        send(background::QUESTION.as_bytes())
    }

    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        send(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
    }

    /// Draws a frame and sends it as one update, with the title if that is another. Where no text
    /// cursor is shown, the hidden one rests on the chosen row, for those who follow it by ear.
    pub(super) fn draw(
        &mut self,
        title: &str,
        (x, y): (u16, u16),
        draw: impl FnOnce(&mut Frame<'_>) -> Drawn,
    ) -> io::Result<()> {
        let before = std::mem::take(&mut *self.pending.0.borrow_mut());
        let mut drawn = Drawn::default();
        let completed = self.terminal.draw(|frame| {
            drawn = draw(frame);
        })?;
        let Drawn { cursor, links } = drawn;
        if !self.links.is_empty() || !links.is_empty() {
            let mut backend = CrosstermBackend::new(self.pending.clone());
            hyperlink::send(&self.links, &links, completed.buffer, &mut backend)?;
            if let Some((x, y)) = cursor {
                write!(self.pending, "\x1b[{};{}H", y + 1, x + 1)?;
            }
        }
        self.links = links;
        let mut frame = Vec::with_capacity(before.len() + 4096);
        frame.extend_from_slice(FRAME_BEGIN);
        frame.extend_from_slice(&before);
        frame.append(&mut self.pending.0.borrow_mut());
        if cursor.is_none() {
            write!(frame, "\x1b[{};{}H", y + 1, x + 1)?;
        }
        frame.extend_from_slice(FRAME_END);
        if self.title != title {
            self.title = title.to_string();
            frame.extend_from_slice(&title_bytes(title));
        }
        // Another thread's panic may have left the terminal meanwhile: nothing is drawn over that.
        if ENTERED.load(Ordering::SeqCst) {
            send(&frame)?;
        }
        Ok(())
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        leave();
    }
}

/// A terminal that knows of nothing drawn yet. Ratatui's own `clear` and `resize` would ask where the
/// cursor is and wait for the answer.
fn blank(
    size: Size,
    pending: &Pending,
    doubtful: bool,
) -> io::Result<Terminal<Ordered<CrosstermBackend<Pending>>>> {
    let viewport = Viewport::Fixed(rect(size));
    let backend = Ordered::new(CrosstermBackend::new(pending.clone()), doubtful);
    Terminal::with_options(backend, TerminalOptions { viewport })
}

fn title_bytes(title: &str) -> Vec<u8> {
    let safe = display::line(title);
    format!("\x1b]2;{}\x07", text::cut_end(&safe, 80)).into_bytes()
}

fn size() -> io::Result<Size> {
    let (width, height) = crossterm::terminal::size()?;
    Ok(Size { width, height })
}

fn rect(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}
