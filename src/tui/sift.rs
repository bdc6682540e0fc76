//! What the terminal sends, sorted before the terminal library (crossterm 0.29) reads it. The library
//! knows no answer to a question of ours and gives its bytes as keys, and keeps a paste that has no end
//! for ever: so answers are taken out here while one may come, and a paste can be ended by hand.
//! It knows bytes and times, no terminal.

use std::time::{Duration, Instant};

/// So long after a question whatever looks like an answer is one. Later, while none has come, only
/// what begins as an answer to it would: a person may have typed alt-].
const SURELY: Duration = Duration::from_secs(2);

/// A piece of an answer comes so long after the one before, at most.
const PIECE: Duration = Duration::from_secs(1);

/// An escape byte at the end of what came may be the beginning of an answer for so long.
const ESCAPE: Duration = Duration::from_millis(300);

/// Bytes of an answer that are kept; what goes on beyond is none, and is over at the first pause.
const LONGEST: usize = 4096;

/// A pause in what is too long: nobody types as fast.
const PAUSE: Duration = Duration::from_millis(100);

/// A paste that is silent for so long is told of.
const SILENCE: Duration = Duration::from_secs(2);

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CTRL_C: u8 = 0x03;

/// What follows `ESC [` at the beginning of a paste.
const PASTE: &[u8] = b"200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Ctrl-c so many times in a row ends a paste.
const ENOUGH: usize = 3;

/// A part of what came, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sifted {
    /// For the library.
    Keys(Vec<u8>),
    /// What stands between `ESC ]` and its end.
    Answer(Vec<u8>),
    /// A paste has begun and nothing comes any more.
    Unended,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Plain,
    /// An escape byte came and is held.
    Escape,
    /// `ESC [` and so many bytes of [`PASTE`] came.
    Begins(usize),
    /// In a string that began with ESC and this byte; `sure`: whatever it holds.
    Text {
        kind: u8,
        text: Vec<u8>,
        escape: bool,
        sure: bool,
    },
    /// In a paste: bytes of its end that came, ctrl-c bytes that are held, whether it was told of.
    Paste {
        end: usize,
        ctrl_c: usize,
        told: bool,
    },
}

/// Sorts what comes; remembers what is not whole yet.
#[derive(Debug)]
pub(super) struct Sift {
    state: State,
    /// When something came last.
    last: Option<Instant>,
    /// When the last answer ended: more may follow it.
    ended: Option<Instant>,
    /// The question that has its answer.
    answered: Option<Instant>,
}

impl Sift {
    pub(super) const fn new() -> Self {
        Self {
            state: State::Plain,
            last: None,
            ended: None,
            answered: None,
        }
    }

    /// Takes bytes that came at a time; `asked`: when the last question was put; `more`: the rest of
    /// them is still to be read.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        (now, asked): (Instant, Option<Instant>),
        more: bool,
    ) -> Vec<Sifted> {
        let mut out = self.expire(now);
        self.last = Some(now);
        let mut keys = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            self.byte(byte, (now, asked), &mut keys, &mut out);
        }
        let holds = more || asked.is_some_and(|at| self.owes(at) && now < at + SURELY);
        if self.state == State::Escape && !holds {
            keys.push(ESC);
            self.state = State::Plain;
        }
        flush(&mut keys, &mut out);
        out
    }

    /// When [`Sift::expire`] has something to do though nothing comes.
    pub(super) fn due(&self) -> Option<Instant> {
        let after = match &self.state {
            State::Escape => ESCAPE,
            State::Text {
                text,
                escape: false,
                ..
            } if text.is_empty() => PIECE,
            State::Paste { told: false, .. } => SILENCE,
            State::Plain | State::Begins(_) | State::Text { .. } | State::Paste { .. } => {
                return None;
            }
        };
        self.last.map(|last| last + after)
    }

    /// Lets go of what has waited too long for its end.
    pub(super) fn expire(&mut self, now: Instant) -> Vec<Sifted> {
        let passed = self.last.map_or(Duration::ZERO, |last| now - last);
        match &mut self.state {
            State::Escape if passed >= ESCAPE => {
                self.state = State::Plain;
                vec![Sifted::Keys(vec![ESC])]
            }
            // Nothing followed: somebody typed it.
            State::Text {
                kind,
                text,
                escape: false,
                ..
            } if text.is_empty() && passed >= PIECE => {
                let typed = vec![ESC, *kind];
                self.state = State::Plain;
                vec![Sifted::Keys(typed)]
            }
            State::Text { text, .. }
                if passed >= PIECE || text.len() >= LONGEST && passed >= PAUSE =>
            {
                self.state = State::Plain;
                Vec::new()
            }
            State::Paste { told, .. } if !*told && passed >= SILENCE => {
                *told = true;
                vec![Sifted::Unended]
            }
            State::Plain
            | State::Escape
            | State::Begins(_)
            | State::Text { .. }
            | State::Paste { .. } => Vec::new(),
        }
    }

    /// Whether the question of this time has no answer yet.
    fn owes(&self, asked: Instant) -> bool {
        self.answered != Some(asked)
    }

    /// Whether `ESC` and this byte begin an answer now; `Some(true)`: whatever follows.
    fn begins(&self, kind: u8, (now, asked): (Instant, Option<Instant>)) -> Option<bool> {
        let asked = asked?;
        let sure = now < asked + SURELY || self.ended.is_some_and(|ended| now < ended + PIECE);
        match kind {
            b']' if sure || self.owes(asked) => Some(sure),
            b'P' | b'_' if sure => Some(true),
            _ => None,
        }
    }

    fn byte(
        &mut self,
        byte: u8,
        times: (Instant, Option<Instant>),
        keys: &mut Vec<u8>,
        out: &mut Vec<Sifted>,
    ) {
        match &mut self.state {
            State::Plain | State::Begins(_) if byte == ESC => self.state = State::Escape,
            State::Plain => keys.push(byte),
            State::Escape if byte == ESC => keys.push(ESC),
            State::Escape => match self.begins(byte, times) {
                Some(sure) => {
                    self.state = State::Text {
                        kind: byte,
                        text: Vec::new(),
                        escape: false,
                        sure,
                    };
                }
                None => {
                    keys.extend([ESC, byte]);
                    self.state = match byte {
                        b'[' => State::Begins(0),
                        _ => State::Plain,
                    };
                }
            },
            State::Begins(came) => {
                keys.push(byte);
                self.state = match (PASTE[*came] == byte, *came + 1 == PASTE.len()) {
                    (true, true) => State::Paste {
                        end: 0,
                        ctrl_c: 0,
                        told: false,
                    },
                    (true, false) => State::Begins(*came + 1),
                    (false, _) => State::Plain,
                };
            }
            State::Text { .. } => self.in_text(byte, times, keys, out),
            State::Paste { end, ctrl_c, told } => {
                *told = false;
                if byte == CTRL_C {
                    (*end, *ctrl_c) = (0, *ctrl_c + 1);
                    if *ctrl_c == ENOUGH {
                        keys.extend(PASTE_END);
                        self.state = State::Plain;
                    }
                    return;
                }
                keys.extend(std::iter::repeat_n(CTRL_C, std::mem::take(ctrl_c)));
                keys.push(byte);
                *end = match (PASTE_END[*end] == byte, byte == ESC) {
                    (true, _) => *end + 1,
                    (false, true) => 1,
                    (false, false) => 0,
                };
                if *end == PASTE_END.len() {
                    self.state = State::Plain;
                }
            }
        }
    }

    fn in_text(
        &mut self,
        byte: u8,
        times: (Instant, Option<Instant>),
        keys: &mut Vec<u8>,
        out: &mut Vec<Sifted>,
    ) {
        let State::Text {
            kind,
            text,
            escape,
            sure,
        } = &mut self.state
        else {
            return;
        };
        match (byte, *escape) {
            (BEL, _) | (b'\\', true) => {
                let (kind, text) = (*kind, std::mem::take(text));
                self.state = State::Plain;
                (self.ended, self.answered) = (Some(times.0), times.1);
                flush(keys, out);
                if kind == b']' {
                    out.push(Sifted::Answer(text));
                }
            }
            // An escape byte that begins something else ends it.
            (_, true) => {
                self.state = State::Escape;
                self.byte(byte, times, keys, out);
            }
            (ESC, false) => *escape = true,
            // No answer holds it, and whoever types it wants to get out.
            (CTRL_C, false) => {
                keys.push(byte);
                self.state = State::Plain;
            }
            (_, false) if !*sure && text.is_empty() && !byte.is_ascii_digit() => {
                keys.extend([ESC, *kind, byte]);
                self.state = State::Plain;
            }
            (_, false) if text.len() < LONGEST => text.push(byte),
            (_, false) => {}
        }
    }
}

fn flush(keys: &mut Vec<u8>, out: &mut Vec<Sifted>) {
    if !keys.is_empty() {
        out.push(Sifted::Keys(std::mem::take(keys)));
    }
}

#[cfg(test)]
#[path = "sift_tests.rs"]
mod tests;
