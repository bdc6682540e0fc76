//! Web addresses of the memory that is shown, as links of the terminal (OSC 8). Ratatui knows no links:
//! what a frame shows is looked through for the addresses that the text holds whole, and those cells
//! are sent once more between the marks of a link.

use std::io::{self, Write};

use ratatui::backend::Backend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

/// Addresses of one text that become links at most.
const MOST: usize = 200;
/// Bytes of an address at most: what terminals take.
const LONGEST: usize = 2_000;

/// A link on the screen, in cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    x: u16,
    y: u16,
    url: String,
    cells: Vec<Cell>,
}

/// The web addresses of a text, each once: printable ASCII, so that nothing in one ends the mark or
/// hides.
#[must_use]
pub(super) fn addresses(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), b"://") {
        let scheme = ["https", "http"]
            .into_iter()
            .find(|it| text[..at].ends_with(it));
        let Some(scheme) = scheme else { continue };
        let rest = &text[at - scheme.len()..];
        let url = &rest[..length(rest)];
        if url.len() > scheme.len() + 3 && url.len() <= LONGEST && !found.iter().any(|it| it == url)
        {
            found.push(url.to_string());
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Bytes of the address that a text begins with: as far as no sign of the sentence round it.
fn length(text: &str) -> usize {
    let is_part = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'"' | b'<' | b'>' | b'`' | b'|' | b'\\' | b'^' | b'{' | b'}'
            )
    };
    let bytes = text.as_bytes();
    let mut end = bytes
        .iter()
        .position(|byte| !is_part(*byte))
        .unwrap_or(bytes.len());
    // Brackets belong to it in pairs; a stop at its end belongs to the sentence.
    while end > 0 {
        let count = |one: u8| memchr::memchr_iter(one, &bytes[..end]).count();
        let is_stray = match bytes[end - 1] {
            b')' => count(b')') > count(b'('),
            b']' => count(b']') > count(b'['),
            last => matches!(
                last,
                b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_'
            ),
        };
        if !is_stray {
            break;
        }
        end -= 1;
    }
    end
}

/// Where these addresses stand whole in an area of a frame.
#[must_use]
pub(super) fn placed(buffer: &Buffer, area: Rect, addresses: &[String]) -> Vec<Placed> {
    let mut found = Vec::new();
    if addresses.is_empty() {
        return found;
    }
    let area = area.intersection(buffer.area);
    for y in area.rows().map(|row| row.y) {
        let row: Vec<&Cell> = (area.left()..area.right())
            .map(|x| &buffer[(x, y)])
            .collect();
        // A cell a byte; what is no ASCII is in no address.
        let text: String = row
            .iter()
            .map(|cell| match cell.symbol().as_bytes() {
                [byte] if byte.is_ascii() => char::from(*byte),
                _ => ' ',
            })
            .collect();
        let mut at = 0;
        while let Some(start) = text[at..].find("http").map(|found| at + found) {
            let length = length(&text[start..]);
            let url = &text[start..start + length];
            if addresses.iter().any(|it| it == url) {
                found.push(Placed {
                    x: area.left() + u16::try_from(start).unwrap_or(u16::MAX),
                    y,
                    url: url.to_string(),
                    cells: row[start..start + length]
                        .iter()
                        .map(|it| (*it).clone())
                        .collect(),
                });
            }
            at = start + length.max(4);
        }
    }
    found
}

/// Sends the links of a frame, and takes back those of the frame before that are none now.
///
/// # Errors
/// As the terminal says.
pub(super) fn send(
    before: &[Placed],
    now: &[Placed],
    buffer: &Buffer,
    out: &mut (impl Backend<Error = io::Error> + Write),
) -> io::Result<()> {
    for old in before.iter().filter(|old| !now.contains(old)) {
        let right = old
            .x
            .saturating_add(u16::try_from(old.cells.len()).unwrap_or(u16::MAX));
        let cells = (old.x..right.min(buffer.area.right()))
            .filter(|_| old.y < buffer.area.bottom())
            .map(|x| (x, old.y, &buffer[(x, old.y)]));
        out.draw(cells)?;
    }
    for new in now.iter().filter(|new| !before.contains(new)) {
        write!(out, "\x1b]8;;{}\x1b\\", new.url)?;
        let cells = (new.x..).zip(&new.cells);
        out.draw(cells.map(|(x, cell)| (x, new.y, cell)))?;
        write!(out, "\x1b]8;;\x1b\\")?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "hyperlink_tests.rs"]
mod tests;
