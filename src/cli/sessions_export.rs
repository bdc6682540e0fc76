//! `sessions export`: a session as Markdown.

use std::io::{self, Write};
use std::path::Path;

use crate::agents::claude::PlaceError;
use crate::base::display;
use crate::base::time::grouped;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::sessions::Transcript;
use crate::cli::sessions_args::Which;
use crate::cli::sessions_rescue::title;
use crate::transcript::markdown::{self, Head, LeftOut};

/// On stdout, where nothing foreign reaches a terminal as it stands.
pub fn print(which: &Which, global: &Global, output: &mut Output) -> Result<(), Stop> {
    if global.json {
        let message = "Markdown is no JSON: leave --json away, or name a file with --to";
        return Err(Failure::usage("usage", message).into());
    }
    let opened = Opened::open(global)?;
    let file = Transcript::of(&opened, which)?;
    let (id, title) = (file.id(), title(&opened, &file.path));
    let head = Head {
        title: title.as_deref(),
        id: &id,
        path: &file.path,
    };
    let left_out = markdown::write(&file.file, file.bytes, &head, &display::block, output)?;
    output.flush()?;
    if let Some(said) = left_out.said() {
        say(&said);
    }
    Ok(())
}

/// Into a file, which is there whole or not at all.
pub fn write(which: &Which, to: &Path, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let file = Transcript::of(&opened, which)?;
    let path = opened.cwd.join(to);
    opened.refuse_own_place(&path)?;
    match opened.store.may_hold_archive(&path) {
        Ok(()) => {}
        Err(PlaceError::Taken { .. }) if global.yes || global.dry_run => {}
        Err(error) => {
            let (code, more) = match error {
                PlaceError::InStore { .. } => ("refused", ""),
                PlaceError::NoFile { .. } => ("taken", ""),
                PlaceError::Taken { .. } => ("taken", ": --yes writes over it"),
            };
            return Err(Failure::usage(code, format!("{error}{more}"))
                .at(&path)
                .into());
        }
    }
    let (id, title) = (file.id(), title(&opened, &file.path));
    let head = Head {
        title: title.as_deref(),
        id: &id,
        path: &file.path,
    };
    let is_over = path.symlink_metadata().is_ok();
    let (mut bytes, mut left_out) = (0, LeftOut::default());
    if !global.dry_run {
        let put = opened.writer.put_outside_by(&path, global.yes, |out| {
            let mut counting = Counting {
                out: io::BufWriter::new(out),
                bytes: 0,
            };
            let all = &str::to_string;
            left_out = markdown::write(&file.file, file.bytes, &head, all, &mut counting)?;
            counting.flush()?;
            bytes = counting.bytes;
            Ok(())
        });
        put.map_err(Failure::from)?;
    }
    if let Some(said) = left_out.said() {
        say(&said);
    }
    if is_over {
        say(match global.dry_run {
            true => "what is there would be written over, and `loci undo` could not bring it back",
            false => "what was there is written over: `loci undo` does not bring it back",
        });
    }
    if global.json {
        let shape = serde_json::json!({
            "file": path.to_string_lossy(), "bytes": bytes, "dry_run": global.dry_run, "session": id,
        });
        output.json(&shape)?;
        return Ok(());
    }
    if global.dry_run {
        say("a dry run: nothing was written");
        return Ok(());
    }
    let shown = path.display().to_string();
    let bytes = grouped(usize::try_from(bytes).unwrap_or(usize::MAX));
    output.line(&format!("{}  {bytes} bytes", display::line(&shown)))?;
    Ok(())
}

/// What is written, counted.
struct Counting<W: Write> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
