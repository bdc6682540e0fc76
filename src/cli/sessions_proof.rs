//! `sessions proof`: what of the rules and the index reached the model in a session, which memories it read.

use serde::Serialize;

use crate::agents::claude::{Fate, Now, Proof, Used};
use crate::base::{display, text};
use crate::cli::args::Global;
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::sessions::Transcript;
use crate::cli::sessions_args::Which;
use crate::cli::words;
use crate::transcript::digest::Digest;

/// Cells of what became of a file.
const FATE_CELLS: usize = 20;

pub fn run(which: &Which, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::open(global)?;
    let file = Transcript::of(&opened, which)?;
    let (digest, _) = Digest::read(&file.file, file.bytes).map_err(|error| file.failed(&error))?;
    let proof = opened.store.proof(&file.file, file.bytes, &digest);
    let proof = proof.map_err(|error| file.failed(&error))?;
    match global.json {
        true => output.json(&ProofShape::new(&file.id(), &proof))?,
        false => lines(&opened, &proof, output)?,
    }
    Ok(())
}

fn lines(opened: &Opened, proof: &Proof, output: &mut Output) -> std::io::Result<()> {
    let colour = output.look.colour;
    if !proof.is_recorded {
        say(
            "what was sent is not recorded in it: the client does so since 2.1.270, and not in every session",
        );
    }
    if !proof.is_all_read {
        say(
            "a part of what is recorded can't be read: nothing can be said of what is not in the rest",
        );
    }
    if proof.cwd.is_none() {
        say("the folder where it ran is not there: nothing can be said of what was not sent");
    }
    for one in &proof.files {
        let style = match one.fate {
            Fate::Whole => Style::Ok,
            Fate::Cut { .. } => Style::Warning,
            Fate::NotLoaded | Fate::Waited | Fate::Unknown => Style::Dim,
        };
        let fate = text::fit(&one.fate.said(), FATE_CELLS);
        let now = match one.now {
            Now::Same | Now::Untold => "",
            Now::Changed => "  changed since",
            Now::Gone => "  gone since",
        };
        let times = match one.times.len() {
            0 | 1 => String::new(),
            many => format!("  sent {many} times"),
        };
        let path = words::short_path(&one.path, &opened.home);
        output.line(&format!(
            "{}  {:<8}  {}{}{}",
            colour.paint(style, &fate),
            one.layer,
            display::line(&path),
            colour.paint(Style::Dim, &times),
            colour.paint(Style::Warning, now),
        ))?;
    }
    let (used, unused): (Vec<&Used>, Vec<&Used>) =
        proof.memories.iter().partition(|one| !one.uses.is_empty());
    if !proof.memories.is_empty() {
        output.line("")?;
        output.line(&colour.paint(Style::Bold, "memories"))?;
    }
    for one in used {
        output.line(&format!(
            "  {}  {}",
            text::fit(&told(one), FATE_CELLS),
            display::line(&one.path)
        ))?;
        for it in &one.uses {
            let line = format!(
                "    turn {:<4} {}  {}",
                it.turn,
                words::second(&it.time),
                it.how.word()
            );
            output.line(&colour.paint(Style::Dim, &line))?;
        }
    }
    if !unused.is_empty() {
        let many = words::counted(unused.len(), "memory was", "memories were");
        output.line(&colour.paint(Style::Dim, &format!("  {many} neither read nor written")))?;
    }
    let below: Vec<&&Used> = unused
        .iter()
        .filter(|one| one.listed == Some(false))
        .collect();
    if !below.is_empty() {
        let many = words::counted(below.len(), "of them had", "of them had");
        let line = format!("  {many} no line in the index that was sent");
        output.line(&colour.paint(Style::Dim, &line))?;
    }
    Ok(())
}

/// `read 3×, written 1×`.
fn told(one: &Used) -> String {
    let times = |many: usize, word: &str| (many > 0).then(|| format!("{word} {many}×"));
    let parts = [times(one.reads(), "read"), times(one.writes(), "written")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[derive(Serialize)]
struct ProofShape<'a> {
    session: &'a str,
    version: Option<&'a str>,
    recorded: bool,
    /// Whether all that is recorded can be read: what is not may have been sent.
    read_whole: bool,
    files: Vec<FileShape<'a>>,
    memories: Vec<MemoryShape<'a>>,
}

/// `state`: whole, cut, not-loaded, waits, unknown. `cut_at_line`: of the file, or, where `cut_in` is
/// `sent`, of the text that was sent. `now`: same, changed, gone, untold.
#[derive(Serialize)]
struct FileShape<'a> {
    path: String,
    layer: &'a str,
    state: &'static str,
    cut_at_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_in: Option<&'static str>,
    sent: &'a [String],
    now: &'static str,
}

#[derive(Serialize)]
struct MemoryShape<'a> {
    path: &'a str,
    listed: Option<bool>,
    reads: usize,
    writes: usize,
    uses: Vec<UseShape<'a>>,
}

#[derive(Serialize)]
struct UseShape<'a> {
    how: &'static str,
    time: &'a str,
    turn: u32,
}

impl<'a> ProofShape<'a> {
    fn new(session: &'a str, proof: &'a Proof) -> Self {
        let files = proof.files.iter().map(|one| {
            let (cut_at_line, cut_in) = match one.fate {
                Fate::Cut { line, of_file } => {
                    (Some(line), Some(if of_file { "file" } else { "sent" }))
                }
                Fate::Whole | Fate::NotLoaded | Fate::Waited | Fate::Unknown => (None, None),
            };
            FileShape {
                path: one.path.to_string_lossy().into_owned(),
                layer: &one.layer,
                state: one.fate.word(),
                cut_at_line,
                cut_in,
                sent: &one.times,
                now: one.now.word(),
            }
        });
        let memories = proof.memories.iter().map(|one| MemoryShape {
            path: &one.path,
            listed: one.listed,
            reads: one.reads(),
            writes: one.writes(),
            uses: one
                .uses
                .iter()
                .map(|it| UseShape {
                    how: it.how.word(),
                    time: &it.time,
                    turn: it.turn,
                })
                .collect(),
        });
        Self {
            session,
            version: proof.version.as_deref(),
            recorded: proof.is_recorded,
            read_whole: proof.is_all_read,
            files: files.collect(),
            memories: memories.collect(),
        }
    }
}
