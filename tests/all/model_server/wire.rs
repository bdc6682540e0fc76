//! HTTP by hand: requests in, answers out in pieces, cut, or held open.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request that came.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    /// With its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Its body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The keys that it carries.
    pub fn keys(&self) -> Vec<&str> {
        let bearer = self.header("authorization");
        let bearer = bearer.map(|value| value.trim_start_matches("Bearer "));
        self.header("x-api-key").into_iter().chain(bearer).collect()
    }

    pub fn has_key(&self, key: &str) -> bool {
        self.keys().contains(&key)
    }
}

/// An answer, byte for byte, and how it goes out.
pub struct Sent {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Bytes of one write.
    pub piece: usize,
    pub ending: Ending,
}

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// In order.
    Whole,
    /// The connection breaks after so many bytes of the body.
    Cut(usize),
    /// Nothing more comes after so many bytes of the body, until the client goes; with `None` not even the
    /// status.
    Silent(Option<usize>),
}

/// What became of it.
pub enum Went {
    Whole,
    Ended,
    /// The client went first.
    Left,
}

pub fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_string(), words.next()?.to_string());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        method,
        path,
        headers,
        body: String::from_utf8(body).ok()?,
    })
}

pub fn send(stream: &mut TcpStream, sent: &Sent) -> Went {
    if sent.ending == Ending::Silent(None) {
        return until_gone(stream);
    }
    let mut head = format!(
        "HTTP/1.1 {} Said\r\ntransfer-encoding: chunked\r\n",
        sent.status
    );
    for (name, value) in &sent.headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    head.push_str("\r\n");
    let most = match sent.ending {
        Ending::Whole | Ending::Silent(None) => sent.body.len(),
        Ending::Cut(bytes) | Ending::Silent(Some(bytes)) => bytes.min(sent.body.len()),
    };
    let mut write = |bytes: &[u8]| {
        let done = stream.write_all(bytes).and_then(|()| stream.flush());
        done.is_ok()
    };
    if !write(head.as_bytes()) {
        return Went::Left;
    }
    for piece in sent.body[..most].chunks(sent.piece.max(1)) {
        let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
        if !write(&chunk) {
            return Went::Left;
        }
    }
    match sent.ending {
        Ending::Whole if write(b"0\r\n\r\n") => Went::Whole,
        Ending::Whole => Went::Left,
        Ending::Cut(_) => Went::Ended,
        Ending::Silent(_) => until_gone(stream),
    }
}

fn until_gone(stream: &mut TcpStream) -> Went {
    let mut rest = [0; 256];
    while stream.read(&mut rest).is_ok_and(|bytes| bytes > 0) {}
    Went::Left
}
