//! `sessions`: the sessions of this project, or of all, the newest first.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agents::claude::Place;
use crate::base::disk::Disk;
use crate::base::time::{Moment, grouped};
use crate::base::{display, text};
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::sessions_args::SessionList;
use crate::cli::words;
use crate::transcript::days::Days;
use crate::transcript::digest::Digest;
use crate::transcript::digests::Digested;
use crate::transcript::found::{Found, transcripts, transcripts_of};
use crate::transcript::last_used::last_used;
use crate::transcript::sessions::{Kind, Listed, listed};

/// Seconds of a day.
const DAY_SECONDS: i64 = 86_400;

/// Cells that a title may always take.
const TITLE_CELLS: usize = 20;

/// Cells of an id: it is known by its beginning.
const ID_CELLS: usize = 8;

pub fn run(
    opened: &Opened,
    asked: &SessionList,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let days = asked.range.days()?;
    let keys = opened.store.session_keys(&opened.cwd);
    let digests = opened.digests_or_refuse((!asked.all).then_some(&keys[..]))?;
    let now = opened.store.now();
    let rescued = rescued(opened, (!asked.all).then_some(&keys[..]));
    let (also, only): (Vec<Digested>, Vec<Digested>) = rescued.into_iter().partition(|copy| {
        let mut there = digests.all.iter();
        there.any(|one| spot(&one.found) == spot(&copy.found))
    });
    let also: HashSet<_> = also.iter().map(|copy| spot(&copy.found)).collect();
    let mut all = listed(&digests, opened.store.transcript_days(), now);
    all.extend(only.iter().map(|one| Listed {
        one,
        kind: match (one.found.is_agent, one.digest.by_program) {
            (true, _) => Kind::Subagent,
            (false, true) => Kind::Program,
            (false, false) => Kind::Session,
        },
        fork_of: None,
        days_left: None,
    }));
    all.sort_by_cached_key(|one| std::cmp::Reverse(used(one)));
    let kept = Kept {
        folder: opened.writer.rescued_folder(),
        also,
    };
    all.retain(|one| ran_in(&days, one));
    if !asked.all {
        let place = opened.store.place(&opened.cwd);
        all.retain(|one| is_of(opened, &place, one.one));
    }
    if !asked.every_kind {
        all.retain(|one| one.kind != Kind::Subagent);
    }
    if json {
        let sessions: Vec<SessionShape<'_>> = all
            .iter()
            .map(|one| SessionShape::new(one, &kept))
            .collect();
        output.json(&Sessions { sessions })?;
        return Ok(());
    }
    let before = all.len();
    if !asked.every_kind {
        all.retain(|one| one.kind.is_of_a_person());
    }
    if all.is_empty() {
        let whose = if asked.all {
            "in this store"
        } else {
            "of this folder (loci sessions --all lists every project's)"
        };
        let when = days.words().map(|words| format!(" {words}"));
        say(&format!("no sessions{} {whose}", when.unwrap_or_default()));
    } else {
        table(opened, asked, &all, &kept, output)?;
    }
    let programs = before - all.len();
    if programs > 0 {
        output.flush()?;
        let sessions = words::counted(programs, "session", "sessions");
        say(&format!(
            "{sessions} that a program had: --every-kind lists them too"
        ));
    }
    Ok(())
}

/// Whether a session is one of a place: it lies where those of the place do, or shares its memory.
fn is_of(opened: &Opened, place: &Place, one: &Digested) -> bool {
    let key = &one.found.project;
    let shares = |cwd: &String| {
        let other = opened.store.place(Path::new(cwd));
        other.memory_key == place.memory_key
    };
    *key == place.key || *key == place.memory_key || one.digest.cwd.as_ref().is_some_and(shares)
}

/// Whether a session was at work on any of these days: between its first line and its last.
fn ran_in(days: &Days, one: &Listed<'_>) -> bool {
    let (found, digest) = (&one.one.found, &one.one.digest);
    let written = found.modified.map(Moment::date);
    let date = |time: &Option<String>| time.as_deref().and_then(Moment::date_of);
    let last = date(&digest.last).or(written).unwrap_or_default();
    let first = date(&digest.first).unwrap_or_else(|| last.clone());
    days.meet(&first, &last)
}

/// What tells a session and its copy: the key of its project, its session, and the name of its file.
fn spot(found: &Found) -> (String, String, OsString) {
    let name = found.path.file_name().unwrap_or_default().to_os_string();
    (found.project.clone(), found.session.clone(), name)
}

/// The sessions that were rescued, of these projects (`None`: of all). What can't be read is said.
fn rescued(opened: &Opened, keys: Option<&[String]>) -> Vec<Digested> {
    if opened.disk.is_sysroot() {
        return Vec::new();
    }
    let (disk, folder) = (Disk::system(), opened.writer.rescued_folder());
    let listing = match keys {
        None => transcripts(&disk, &folder),
        Some(keys) => transcripts_of(&disk, &folder, keys),
    };
    for fault in &listing.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let digested = listing.found.into_iter().filter_map(|found| {
        let file = disk.open(&found.path);
        match file.and_then(|file| Digest::read(&file, found.bytes)) {
            Ok((digest, _)) => Some(Digested { found, digest }),
            Err(error) => {
                let message = format!("loci: {} can't be read: {error}", found.path.display());
                say(&display::line(&message));
                None
            }
        }
    });
    digested.collect()
}

/// Which sessions were rescued.
struct Kept {
    /// The folder of the copies.
    folder: PathBuf,
    /// Those that the client has too.
    also: HashSet<(String, String, OsString)>,
}

impl Kept {
    /// `also` where the client has it too, `only` where the copy is all that is left.
    fn word(&self, found: &Found) -> Option<&'static str> {
        match found.path.starts_with(&self.folder) {
            true => Some("only"),
            false => self.also.contains(&spot(found)).then_some("also"),
        }
    }
}

fn used(one: &Listed<'_>) -> Option<Moment> {
    last_used(one.one.digest.last.as_deref(), one.one.found.modified)
}

#[derive(Serialize)]
struct Sessions<'a> {
    sessions: Vec<SessionShape<'a>>,
}

/// `path`: where it ran. `messages`: prompts and answers. `first` and `last`: RFC 3339. `days_left`: until the
/// clean-up takes it.
#[derive(Serialize)]
struct SessionShape<'a> {
    id: String,
    key: &'a str,
    path: Option<&'a str>,
    title: Option<&'a str>,
    bytes: u64,
    messages: u64,
    model: Option<&'a str>,
    first: Option<&'a str>,
    last: Option<&'a str>,
    days_left: Option<i64>,
    /// Whether it was rescued: `also` where the client has it too, `only` where the copy is all that is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'static str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fork_of: Option<&'a str>,
    /// Of a sub-agent: the session that it worked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    prompt: Option<&'a str>,
    branch: Option<&'a str>,
    version: Option<&'a str>,
    file: String,
}

impl<'a> SessionShape<'a> {
    fn new(one: &'a Listed<'a>, kept: &Kept) -> Self {
        let (found, digest) = (&one.one.found, &one.one.digest);
        Self {
            id: one.id(),
            key: &found.project,
            path: digest.cwd.as_deref(),
            title: digest.title(),
            bytes: found.bytes,
            messages: digest.messages,
            model: digest.model.as_deref(),
            first: digest.first.as_deref(),
            last: digest.last.as_deref(),
            days_left: one.days_left,
            kept: kept.word(found),
            kind: one.kind.word(),
            fork_of: one.fork_of,
            session: found.is_agent.then_some(&*found.session),
            prompt: digest.prompt.as_deref(),
            branch: digest.branch.as_deref(),
            version: digest.version.as_deref(),
            file: found.path.to_string_lossy().into_owned(),
        }
    }
}

/// The cells of a session's line, safe for a terminal.
struct Row {
    numbers: [String; 4],
    id: String,
    title: String,
}

const HEADS: [&str; 4] = ["used", "left", "size", "messages"];

fn table(
    opened: &Opened,
    asked: &SessionList,
    all: &[Listed<'_>],
    kept: &Kept,
    output: &mut Output,
) -> io::Result<()> {
    let now = opened.store.now();
    let rows: Vec<Row> = all
        .iter()
        .map(|one| row(one, asked, kept, opened, now))
        .collect();
    let mut widths = HEADS.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(&row.numbers) {
            *width = (*width).max(text::width(cell));
        }
    }
    let padded = |cells: &[String; 4]| {
        let cells = cells.iter().zip(widths);
        let cells =
            cells.map(|(cell, width)| format!("{}{cell}", " ".repeat(width - text::width(cell))));
        cells.collect::<Vec<_>>().join("  ")
    };
    let colour = output.look.colour;
    let head = format!(
        "{}  {:<ID_CELLS$}  title",
        padded(&HEADS.map(str::to_string)),
        "session"
    );
    output.line(&colour.paint(Style::Dim, &head))?;
    let before = widths.iter().sum::<usize>() + ID_CELLS + 5 * 2;
    let mut projects: HashMap<&str, usize> = HashMap::new();
    for (row, one) in rows.iter().zip(all) {
        *projects.entry(&one.one.found.project).or_default() += 1;
        let title = match output.look.cells {
            Some(cells) => text::cut_end(&row.title, cells.saturating_sub(before).max(TITLE_CELLS)),
            None => row.title.as_str().into(),
        };
        let id = colour.paint(Style::Dim, &row.id);
        output.line(&format!("{}  {id}  {title}", padded(&row.numbers)))?;
    }
    let many = words::counted(all.len(), "session", "sessions");
    let of = match projects.len() {
        1 => many,
        of if asked.all => format!("{many} of {of} projects"),
        of => format!("{many} of {of} folders of this project"),
    };
    let was_touched = all.iter().any(|one| {
        let said = one.one.digest.last.as_deref().and_then(Moment::parse);
        let written = one.one.found.modified;
        let days = |time: Option<Moment>| time.map(|time| time.seconds / DAY_SECONDS);
        let both = days(said).zip(days(written));
        both.is_some_and(|(said, written)| said.abs_diff(written) > 1)
    });
    let left = match was_touched {
        true => "; left: as the client counts it, from when the file was written",
        false => "",
    };
    output.line(&colour.paint(Style::Dim, &format!("{of}{left}")))
}

fn row(one: &Listed<'_>, asked: &SessionList, kept: &Kept, opened: &Opened, now: Moment) -> Row {
    let (found, digest) = (&one.one.found, &one.one.digest);
    let days = |days: i64| format!("{days}d");
    let mut title = digest.title().unwrap_or("(no prompt)").to_string();
    match (one.kind, one.fork_of) {
        (Kind::Fork, Some(of)) => {
            let of: String = of.chars().take(ID_CELLS).collect();
            title = format!("{title} (fork of {of})");
        }
        (Kind::Program | Kind::Subagent, _) => title = format!("{}: {title}", one.kind.word()),
        (Kind::Session | Kind::Fork, _) => {}
    }
    match kept.word(found) {
        Some("only") => title = format!("{title} (only its kept copy is left)"),
        Some(_) => title = format!("{title} (kept)"),
        None => {}
    }
    if asked.all {
        let place = digest.cwd.as_deref().unwrap_or(&found.project);
        title = format!("{} · {title}", words::homely(place, &opened.home));
    }
    let id = one.id();
    let id = id.strip_prefix("agent-").unwrap_or(&id);
    let id: String = id.chars().take(ID_CELLS).collect();
    Row {
        numbers: [
            words::age(used(one), now),
            one.days_left.map_or_else(|| "–".to_string(), days),
            words::size(found.bytes),
            grouped(usize::try_from(digest.messages).unwrap_or(usize::MAX)),
        ],
        id: text::fit(&display::line(&id), ID_CELLS),
        title: display::line(&title).into_owned(),
    }
}
