//! The loop: input, answers and signals in, frames out when something changed. At rest it sleeps
//! until one of them comes; there is no tick.

use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use anyhow::{Context as _, bail};
use rustix::io::Errno;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use crate::agents::claude::Claude;
use crate::app::message::{Effect, Message};
use crate::app::tree::FileAt;
use crate::app::{App, Start};
use crate::base::clock::Clock;
use crate::base::signalled;
use crate::config::settings::Glyphs;
use crate::store::Store;
use crate::tui::background::ON_ITS_WAY;
use crate::tui::input::{self, Heard, Input};
use crate::tui::pulse::Pulse;
use crate::tui::screen::Screen;
use crate::tui::terminal::Tty;
use crate::tui::{Options, Outcome, panic};
use crate::worker::{Worker, outside};

/// Frames that no single key asked for are at least so far apart.
const FRAME_GAP: Duration = Duration::from_millis(8);

/// What is typed is in a draft after so long (spec 11.3 allows a second).
const KEEP_AGE: Duration = Duration::from_millis(500);
/// So long nothing is typed before it is told what an edit costs.
const TYPING_PAUSE: Duration = Duration::from_millis(120);

/// Where a test wants things to go wrong (case TU15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rehearsal {
    None,
    StartupError,
    DrawPanic,
    WorkerPanic,
}

impl Rehearsal {
    fn from_environment() -> Self {
        match std::env::var("LOCI_TEST_PANIC").as_deref() {
            Ok("ui") => Self::DrawPanic,
            Ok("worker") => Self::WorkerPanic,
            Ok("startup-error") => Self::StartupError,
            Ok(_) | Err(_) => Self::None,
        }
    }
}

/// Shows the screen until the person leaves or a signal ends it.
///
/// # Errors
/// What the terminal could not do; it is restored by then.
pub fn run(store: Claude, writer: Store, options: Options) -> anyhow::Result<Outcome> {
    panic::install(&options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the loop could not be started")?;
    let cleanup = options.cleanup.clone();
    let outcome = runtime.block_on(show(store, writer, options));
    // Threads that still read are not waited for.
    runtime.shutdown_background();
    if let Some(folder) = &cleanup {
        remove(folder);
    }
    outcome
}

fn remove(folder: &Path) {
    // What cannot be removed lies in the system's folder for temporary files.
    let _ = std::fs::remove_dir_all(folder);
}

async fn show(store: Claude, writer: Store, options: Options) -> anyhow::Result<Outcome> {
    let rehearsal = Rehearsal::from_environment();
    let mut signals = Signals::new().context("signals could not be caught")?;
    if let Some(signal) = signalled::caught() {
        return Ok(Outcome::Signal(signal));
    }
    // The open shelf takes less time than handing it to a thread and back.
    let here = store.here();
    let contents = store.contents(&here);
    let motion = options.look.motion;
    let doubtful = options.look.glyphs == Glyphs::Ascii;
    let mut tty = Tty::enter(options.mouse, options.color, doubtful)
        .context("the terminal could not be set up")?;
    if rehearsal == Rehearsal::StartupError {
        bail!("a rehearsed error after the terminal was set up");
    }
    let clock = Clock::set(store.now());
    let (app, effects) = App::new(Start {
        size: tty.measure()?,
        now: store.now(),
        home: store.typed("~"),
        here,
        contents,
        store_notices: [options.notices, store.notices()].concat(),
        mouse: options.mouse,
        kept: options.kept,
        demo: options.demo,
        keymap: options.keymap,
        look: options.look,
    });
    let (send, answers) = unbounded_channel();
    let mut desk = Desk {
        app,
        screen: Screen::new(options.color, options.hyperlinks),
        tty,
        worker: Worker::new(store, writer, options.rules, options.config, send)
            .serving(options.agency),
        editor: options.editor,
        asked: None,
        pulse: Pulse::new(motion),
        clock,
        input: Input::start().context("the terminal's input could not be read")?,
        outside: false,
        drawn: Instant::now(),
        continued: false,
        rehearsal,
    };
    if let Err(error) = desk.draw() {
        return ended_by(error);
    }
    if rehearsal == Rehearsal::WorkerPanic {
        desk.worker.rehearse_panic();
    }
    if let Err(error) = desk.perform(effects) {
        return ended_by(error);
    }
    let outcome = desk.attend(answers, &mut signals).await;
    desk.await_answer().await;
    desk.leave();
    match outcome {
        Ok(Outcome::Quit { .. }) => Ok(Outcome::Quit {
            drafts: desk.app.drafts.len(),
        }),
        Ok(outcome @ Outcome::Signal(_)) => Ok(outcome),
        Err(error) => ended_by(error),
    }
}

/// A terminal that is gone says so in many ways; whichever is noticed first, the end is the same.
fn ended_by(error: io::Error) -> anyhow::Result<Outcome> {
    let gone =
        [Errno::IO, Errno::NXIO, Errno::BADF, Errno::PIPE].map(|errno| Some(errno.raw_os_error()));
    if gone.contains(&error.raw_os_error()) {
        Ok(Outcome::Signal(SIGHUP))
    } else {
        Err(error).context("the terminal does not take what is drawn")
    }
}

/// Everything the loop works on.
struct Desk {
    app: App,
    screen: Screen,
    tty: Tty,
    worker: Worker,
    clock: Clock,
    input: Input,
    /// What `E` runs, if the settings say it.
    editor: String,
    /// When work that goes on is shown again.
    pulse: Pulse,
    /// When the terminal was asked about its background, while it has not answered.
    asked: Option<Instant>,
    /// A person's editor has just had the terminal.
    outside: bool,
    drawn: Instant,
    /// The signal to go on is still to come for a suspension that is over.
    continued: bool,
    rehearsal: Rehearsal,
}

/// What woke the loop.
enum Woken {
    Signal(i32),
    Input(Vec<Heard>),
    Answer(Option<Message>),
    FrameDue,
    KeepDue,
    TypingPaused,
    Beat,
}

impl Desk {
    async fn attend(
        &mut self,
        mut answers: UnboundedReceiver<Message>,
        signals: &mut Signals,
    ) -> io::Result<Outcome> {
        let mut hang_up = input::hang_up();
        let mut dirty = false;
        let mut keep_due: Option<Instant> = None;
        let mut typing: Option<(u64, Instant)> = None;
        loop {
            let due = self.drawn + FRAME_GAP;
            keep_due = match (self.app.wants_draft() || self.app.wants_keeping(), keep_due) {
                (true, None) => Some(Instant::now() + KEEP_AGE),
                (true, due @ Some(_)) => due,
                (false, _) => None,
            };
            typing = match (self.app.typing(), typing) {
                (Some(now), Some((before, due))) if now == before => Some((before, due)),
                (Some(now), _) => Some((now, Instant::now() + TYPING_PAUSE)),
                (None, _) => None,
            };
            let pause_due = typing.map(|(_, due)| due);
            self.pulse.follow(self.app.is_working(), Instant::now());
            let beat_due = self.pulse.due();
            let woken = tokio::select! {
                biased;
                signal = signals.next() => Woken::Signal(signal),
                _ = &mut hang_up => Woken::Input(Vec::new()),
                batch = waiting(&mut self.input.heard) => Woken::Input(batch),
                answer = answers.recv() => Woken::Answer(answer),
                () = sleep_until(due), if dirty => Woken::FrameDue,
                () = sleep_until(keep_due.unwrap_or(due)), if keep_due.is_some() => Woken::KeepDue,
                () = sleep_until(pause_due.unwrap_or(due)), if pause_due.is_some() => Woken::TypingPaused,
                () = sleep_until(beat_due.unwrap_or(due)), if beat_due.is_some() => Woken::Beat,
            };
            let mut at_once = false;
            let outcome = match woken {
                Woken::Signal(SIGTSTP) => {
                    self.suspend(false)?;
                    None
                }
                Woken::Signal(SIGCONT) => {
                    if !std::mem::take(&mut self.continued) {
                        self.tty.reassert()?;
                    }
                    None
                }
                // The frame measures the terminal.
                Woken::Signal(SIGWINCH) | Woken::FrameDue => None,
                Woken::Beat => {
                    let seconds = self.pulse.beat(Instant::now());
                    self.take(std::iter::once(Message::Beat { seconds }))?
                }
                Woken::TypingPaused => self.take(std::iter::once(Message::TypingPaused))?,
                Woken::KeepDue => self.take(std::iter::once(Message::KeepDue))?,
                Woken::Signal(signal) => return Ok(Outcome::Signal(signal)),
                // The terminal is gone.
                Woken::Input(batch) if batch.is_empty() => return Ok(Outcome::Signal(SIGHUP)),
                Woken::Input(batch) => {
                    at_once = batch.len() == 1;
                    let mut messages = Vec::new();
                    for heard in batch {
                        self.answered(&heard);
                        messages.extend(heard.message());
                    }
                    self.take(messages.into_iter())?
                }
                Woken::Answer(first) => {
                    let first = first.expect("the worker holds a sender as long as the desk");
                    let more = std::iter::from_fn(|| answers.try_recv().ok());
                    self.take(std::iter::once(first).chain(more))?
                }
            };
            if let Some(outcome) = outcome {
                return Ok(outcome);
            }
            if std::mem::take(&mut self.outside) {
                // A ctrl-c there was meant for the editor.
                signals.forget(&[SIGINT, SIGQUIT, SIGTSTP, SIGCONT]);
            }
            dirty = true;
            if at_once || Instant::now() >= self.drawn + FRAME_GAP {
                self.draw()?;
                dirty = false;
            }
        }
    }

    /// An answer that is on its way when the screen is left would be the shell's next input.
    async fn await_answer(&mut self) {
        while let Some(asked) = self.asked {
            let next = self.input.heard.recv();
            match tokio::time::timeout_at(asked + ON_ITS_WAY, next).await {
                Ok(Some(heard)) => self.answered(&heard),
                Ok(None) | Err(_) => return,
            }
        }
    }

    fn answered(&mut self, heard: &Heard) {
        match heard {
            Heard::Answer(_) => self.asked = None,
            Heard::Event(_) | Heard::Unended => {}
        }
    }

    /// Keeps what was typed, and waits for what is being written.
    fn leave(&mut self) {
        for effect in self.app.leave() {
            self.worker.perform(effect);
        }
        self.worker.finish();
    }

    /// Takes messages that came together and does what they ask for.
    fn take(&mut self, messages: impl Iterator<Item = Message>) -> io::Result<Option<Outcome>> {
        let effects = self.app.update_all(messages);
        self.screen.settle(&mut self.app);
        self.perform(effects)
    }

    fn perform(&mut self, effects: Vec<Effect>) -> io::Result<Option<Outcome>> {
        let mut edited = Vec::new();
        for effect in effects {
            match self.worker.perform(effect) {
                Some(Effect::Quit) => return Ok(Some(Outcome::Quit { drafts: 0 })),
                Some(Effect::Suspend) => self.suspend(true)?,
                Some(Effect::EditOutside { at, bytes }) => {
                    edited.push(self.edit_outside(at, bytes)?);
                }
                Some(Effect::Copy { text, .. }) => Tty::copy(&text)?,
                Some(Effect::AskBackground) => {
                    self.input.await_answer();
                    self.asked = Some(Instant::now());
                    self.tty.ask_background()?;
                }
                Some(Effect::Redraw) => self.tty.redraw()?,
                Some(Effect::Mouse(on)) => self.tty.set_mouse(on)?,
                Some(
                    Effect::Agent(_)
                    | Effect::Survey { .. }
                    | Effect::Count { .. }
                    | Effect::ReadShelf { .. }
                    | Effect::ReadPage { .. }
                    | Effect::ReadRules { .. }
                    | Effect::ReadRule { .. }
                    | Effect::Search { .. }
                    | Effect::EndSearch
                    | Effect::Complete { .. }
                    | Effect::FindChoices { .. }
                    | Effect::Preview { .. }
                    | Effect::Paint { .. }
                    | Effect::PaintAnswer { .. }
                    | Effect::ReadLinks { .. }
                    | Effect::ReadProjects { .. }
                    | Effect::ReadSessions { .. }
                    | Effect::ReadSession { .. }
                    | Effect::ReadTexts { .. }
                    | Effect::SearchSessions { .. }
                    | Effect::FindInSession { .. }
                    | Effect::EndSessionSearch
                    | Effect::StopSessions
                    | Effect::ReadProof { .. }
                    | Effect::ExportSession { .. }
                    | Effect::BuildPreview { .. }
                    | Effect::ExportRequest { .. }
                    | Effect::Examine { .. }
                    | Effect::ExamineAll { .. }
                    | Effect::StopExamining
                    | Effect::Write(_)
                    | Effect::KeepTheme(_)
                    | Effect::Ledger(_)
                    | Effect::Watch { .. },
                )
                | None => {}
            }
        }
        if edited.is_empty() {
            return Ok(None);
        }
        self.take(edited.into_iter())
    }

    /// Leaves the terminal to a person's editor until that ends.
    fn edit_outside(&mut self, at: FileAt, bytes: Vec<u8>) -> io::Result<Message> {
        self.input.pause()?;
        let edited = self
            .tty
            .lend(|| outside::edit(&self.editor, &at.file, &bytes))?;
        self.input.resume()?;
        self.outside = true;
        Ok(Message::EditedOutside {
            at,
            before: bytes,
            edited,
        })
    }

    fn suspend(&mut self, job: bool) -> io::Result<()> {
        self.tty.suspend(job)?;
        self.continued = true;
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let size = self.tty.measure()?;
        if size != self.app.size {
            self.app.update(Message::Resize(size));
        }
        // Ages grow while the screen is open; a screen at rest shows those of its last frame.
        self.app.now = self.clock.now();
        self.screen.settle(&mut self.app);
        let (app, screen) = (&self.app, &self.screen);
        let panics = self.rehearsal == Rehearsal::DrawPanic;
        self.tty
            .draw(&app.title(), Screen::resting_place(app), |frame| {
                assert!(!panics, "a rehearsed panic while drawing");
                screen.draw(app, frame)
            })?;
        self.drawn = Instant::now();
        Ok(())
    }
}

/// The input that waits; none only when the terminal gives no more.
async fn waiting(heard: &mut Receiver<Heard>) -> Vec<Heard> {
    let mut batch = Vec::new();
    heard.recv_many(&mut batch, input::WAITING).await;
    batch
}

/// The signals that the screen answers.
struct Signals {
    streams: [(i32, Signal); 7],
}

impl Signals {
    fn new() -> io::Result<Self> {
        let stream = |number| -> io::Result<(i32, Signal)> {
            Ok((number, signal(SignalKind::from_raw(number))?))
        };
        Ok(Self {
            streams: [
                stream(SIGTERM)?,
                stream(SIGHUP)?,
                stream(SIGINT)?,
                stream(SIGQUIT)?,
                stream(SIGTSTP)?,
                stream(SIGCONT)?,
                stream(SIGWINCH)?,
            ],
        })
    }

    /// Lets signals go that came and were not answered.
    fn forget(&mut self, numbers: &[i32]) {
        let mut context = Context::from_waker(Waker::noop());
        for (number, stream) in &mut self.streams {
            while numbers.contains(number) && stream.poll_recv(&mut context).is_ready() {}
        }
    }

    async fn next(&mut self) -> i32 {
        poll_fn(|context| {
            for (number, stream) in &mut self.streams {
                if stream.poll_recv(context).is_ready() {
                    return Poll::Ready(*number);
                }
            }
            Poll::Pending
        })
        .await
    }
}
