//! `projects`: every project folder, what it is about and by what evidence, and what lies in it.
//! Worktrees stand below the repository whose memory they share.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::agents::claude::{Projects, Repository};
use crate::base::time::Moment;
use crate::base::{display, signalled, text};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::{ProjectList, Sort};
use crate::cli::words;
use crate::config::client::MemorySwitch;
use crate::config::limits::{SEEK_MILLISECONDS, SESSION_SECONDS};
use crate::project::identity;
use crate::project::{Candidate, Claim, Origin, Project};

/// Cells before the numbers, and before what stands below a project's line.
const INDENT: usize = 13;

/// Cells that a path may always take on a terminal.
const PATH_CELLS: usize = 20;

pub fn run(
    opened: &Opened,
    asked: &ProjectList,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let Projects {
        projects, faults, ..
    } = read(opened)?;
    let repositories = opened.store.repositories(&projects);
    for fault in &faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let origins: Vec<Origin> = asked.origin.iter().map(|origin| origin.origin()).collect();
    let mut shown: Vec<&Project> = projects
        .iter()
        .filter(|project| origins.is_empty() || origins.contains(&project.origin))
        .collect();
    sort(opened, &mut shown, asked);
    if json {
        let shapes = shown
            .iter()
            .map(|one| ProjectShape::new(one, opened, repositories.get(&one.key)));
        output.json(&ProjectsShape {
            projects: shapes.collect(),
        })?;
        return Ok(());
    }
    if shown.is_empty() {
        let home = words::short_path(opened.store.home(), &opened.home);
        let which = if origins.is_empty() {
            ""
        } else {
            " of that origin"
        };
        say(&format!("no projects{which} in {}", display::line(&home)));
        return Ok(());
    }
    table(opened, &shown, &repositories, output)?;
    Ok(())
}

/// All project folders. The search for those that moved ends by itself, or with a signal.
pub fn read(opened: &Opened) -> Result<Projects, Failure> {
    if let Some(fault) = opened.store.unlisted() {
        return Err(Failure::disk("unreadable", fault).at(opened.store.home()));
    }
    let began = Instant::now();
    let limit = Duration::from_millis(SEEK_MILLISECONDS);
    let stop = || signalled::caught().is_some() || began.elapsed() > limit;
    let kept = identity::kept(&opened.writer);
    Ok(opened.store.projects(&kept, &stop))
}

/// By what was asked for, a worktree right below the repository whose memory it shares.
fn sort(opened: &Opened, shown: &mut Vec<&Project>, asked: &ProjectList) {
    let keep = opened.store.transcript_days();
    let now = opened.store.now();
    match asked.sort {
        Sort::Used => shown.sort_by_key(|one| std::cmp::Reverse(one.last_used())),
        Sort::Path => shown.sort_by(|a, b| (&a.path, &a.key).cmp(&(&b.path, &b.key))),
        Sort::Origin => shown.sort_by_key(|one| one.origin),
        Sort::Memories => shown.sort_by_key(|one| std::cmp::Reverse(one.census.memories.len())),
        Sort::Size => shown.sort_by_key(|one| std::cmp::Reverse(one.census.bytes)),
        Sort::Left => {
            shown.sort_by_key(|one| one.days_left(keep, now).unwrap_or(i64::MAX));
        }
    }
    if asked.reverse {
        shown.reverse();
    }
    let (heads, mut members): (Vec<&Project>, Vec<&Project>) = std::mem::take(shown)
        .into_iter()
        .partition(|one| one.memory_key == one.key);
    for head in heads {
        shown.push(head);
        shown.extend(members.extract_if(.., |one| one.memory_key == head.key));
    }
    // Those whose repository is not listed stand by themselves.
    shown.append(&mut members);
}

/// The cells of a project's line, safe for a terminal.
struct Row {
    numbers: [String; 5],
    path: String,
}

const HEADS: [&str; 5] = ["memories", "sessions", "size", "used", "left"];

fn table(
    opened: &Opened,
    shown: &[&Project],
    repositories: &HashMap<String, Repository>,
    output: &mut Output,
) -> io::Result<()> {
    let colour = output.look.colour;
    let keep = opened.store.transcript_days();
    let now = opened.store.now();
    let mut above: Option<&str> = None;
    let mut rows = Vec::new();
    for project in shown {
        let place = project.path.as_deref();
        let place = place.map_or_else(
            || project.key.clone(),
            |path| words::short_path(path, &opened.home),
        );
        let is_member = project.memory_key != project.key && above == Some(&*project.memory_key);
        if !is_member {
            above = Some(&project.key);
        }
        let indent = if is_member { "└ " } else { "" };
        rows.push(Row {
            numbers: [
                project.census.memories.len().to_string(),
                project.census.sessions.len().to_string(),
                words::size(project.census.bytes),
                words::age(project.last_used(), now),
                project
                    .days_left(keep, now)
                    .map_or_else(|| "–".to_string(), |days| format!("{days}d")),
            ],
            path: format!("{indent}{}", display::line(&place)),
        });
    }
    let widths: Vec<usize> = (0..HEADS.len())
        .map(|at| {
            let cells = rows.iter().map(|row| text::width(&row.numbers[at])).max();
            cells.unwrap_or(0).max(HEADS[at].len())
        })
        .collect();
    let padded = |cells: &[String; 5]| {
        let cells = cells.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{}{cell}", " ".repeat(width - text::width(cell))))
            .collect();
        cells.join("  ")
    };
    let head = padded(&HEADS.map(str::to_string));
    output.line(&colour.paint(Style::Dim, &format!("{:<11}  {head}  path", "origin")))?;
    let before = INDENT + text::width(&head) + 2;
    for (project, row) in shown.iter().zip(&rows) {
        let path = match output.look.cells {
            Some(cells) => {
                text::cut_middle(&row.path, cells.saturating_sub(before).max(PATH_CELLS))
            }
            None => Cow::Borrowed(row.path.as_str()),
        };
        output.line(&format!(
            "{}  {}  {path}",
            mark(project.origin, output),
            padded(&row.numbers)
        ))?;
        for line in below(opened, project, repositories.get(&project.key)) {
            let line = words::homely(&line, &opened.home);
            let line = display::line(&line);
            let cells = output.look.cells.unwrap_or(usize::MAX);
            let room = cells.saturating_sub(INDENT).max(PATH_CELLS);
            for part in text::wrap(&line, room) {
                let part = colour.paint(Style::Dim, &line[part]);
                output.line(&format!("{:INDENT$}{part}", ""))?;
            }
        }
    }
    output.line(&colour.paint(Style::Dim, &summary(shown)))
}

/// Glyph and word of an origin, in eleven cells.
fn mark(origin: Origin, output: &Output) -> String {
    let style = match origin {
        Origin::Live | Origin::Worktree => Style::Ok,
        Origin::Ambiguous | Origin::Moved | Origin::Unknown => Style::Warning,
        Origin::Orphaned => Style::Error,
    };
    let glyph = origin.glyph();
    let word = format!("{glyph} {:<9}", origin.word());
    output.look.colour.paint(style, &word)
}

/// What stands below a project's line: its notes, the paths of a shared one, candidates.
fn below(opened: &Opened, project: &Project, repository: Option<&Repository>) -> Vec<String> {
    let short = |path: &Path| words::short_path(path, &opened.home);
    let mut lines = notes(project, repository);
    if let Some(seconds) = project.at_work(SESSION_SECONDS, opened.store.now()) {
        lines.push(format!(
            "a session may be live here: it wrote {seconds} s ago"
        ));
    }
    if let Some(MemorySwitch {
        on: false,
        by: Some(by),
    }) = switch(opened, project)
    {
        lines.push(format!("memory is switched off by {by}"));
    }
    if project.paths().len() > 1 {
        lines.extend(project.evidence.iter().map(|claim| {
            let sessions = words::counted(claim.sessions.len(), "session", "sessions");
            let by = claim.source.said();
            format!(
                "{} · {} · {by}, {sessions}",
                short(&claim.path),
                claim.standing.sentence()
            )
        }));
    }
    lines.extend(project.candidates.iter().map(|one| {
        let word = match (one.likely, project.origin) {
            (true, _) => "now at",
            (false, Origin::Unknown) => "candidate",
            (false, _) => "perhaps at",
        };
        format!("{word} {} · {}", short(&one.path), one.why)
    }));
    lines
}

/// What a person should know, also of the repository into which it can be folded.
fn notes(project: &Project, repository: Option<&Repository>) -> Vec<String> {
    let mut notes = project.notes.clone();
    notes.extend(repository.filter(|of| of.folds_in).map(|of| {
        let gone = match project.origin {
            Origin::Worktree => "",
            Origin::Live
            | Origin::Ambiguous
            | Origin::Moved
            | Origin::Orphaned
            | Origin::Unknown => " that is gone",
        };
        let (root, key) = (of.root.display(), &project.key);
        format!("a worktree of {root}{gone}: `loci fold-in {key}` takes what it holds into that")
    }));
    notes
}

/// Whether the client would keep memory in the folder that a project is about, if that is there.
fn switch(opened: &Opened, project: &Project) -> Option<MemorySwitch> {
    let path = project.path.as_deref()?;
    match project.origin {
        Origin::Live | Origin::Worktree => Some(opened.store.memory_switch(path)),
        Origin::Ambiguous | Origin::Moved | Origin::Orphaned | Origin::Unknown => None,
    }
}

/// `12 projects: 9 live, 3 orphaned`.
fn summary(shown: &[&Project]) -> String {
    let counts = Origin::ALL.iter().filter_map(|origin| {
        let count = shown.iter().filter(|one| one.origin == *origin).count();
        (count > 0).then(|| format!("{count} {}", origin.word()))
    });
    let counts: Vec<String> = counts.collect();
    format!(
        "{}: {}",
        words::counted(shown.len(), "project", "projects"),
        counts.join(", ")
    )
}

#[derive(Serialize)]
struct ProjectsShape<'a> {
    projects: Vec<ProjectShape<'a>>,
}

#[derive(Serialize)]
struct ProjectShape<'a> {
    key: &'a str,
    path: Option<Cow<'a, str>>,
    origin: &'static str,
    evidence: Vec<ClaimShape<'a>>,
    candidates: Vec<CandidateShape<'a>>,
    memories: usize,
    transcripts: usize,
    bytes: u64,
    last_used: Option<String>,
    days_left: Option<i64>,
    memory_key: &'a str,
    session_live: bool,
    /// Whether memory is on there.
    #[serde(rename = "memory")]
    switch: Option<SwitchShape>,
    /// The root of the repository that it is a worktree of.
    repository: Option<Cow<'a, str>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SwitchShape {
    on: bool,
    by: Option<String>,
}

#[derive(Serialize)]
struct ClaimShape<'a> {
    path: Cow<'a, str>,
    by: &'static str,
    standing: &'static str,
    exact: bool,
    sessions: &'a [String],
    file: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct CandidateShape<'a> {
    path: Cow<'a, str>,
    score: u32,
    why: &'a str,
    likely: bool,
}

impl<'a> ProjectShape<'a> {
    fn new(project: &'a Project, opened: &Opened, repository: Option<&'a Repository>) -> Self {
        let now = opened.store.now();
        let keep = opened.store.transcript_days();
        Self {
            key: &project.key,
            path: project.path.as_deref().map(Path::to_string_lossy),
            origin: project.origin.word(),
            evidence: project.evidence.iter().map(ClaimShape::new).collect(),
            candidates: project.candidates.iter().map(CandidateShape::new).collect(),
            memories: project.census.memories.len(),
            transcripts: project.census.sessions.len(),
            bytes: project.census.bytes,
            last_used: project.last_used().map(Moment::rfc3339),
            days_left: project.days_left(keep, now),
            memory_key: &project.memory_key,
            session_live: project.at_work(SESSION_SECONDS, now).is_some(),
            switch: switch(opened, project).map(|MemorySwitch { on, by }| SwitchShape { on, by }),
            repository: repository.map(|of| of.root.to_string_lossy()),
            notes: notes(project, repository),
        }
    }
}

impl<'a> ClaimShape<'a> {
    fn new(claim: &'a Claim) -> Self {
        Self {
            path: claim.path.to_string_lossy(),
            by: claim.source.word(),
            standing: claim.standing.word(),
            exact: claim.exact,
            sessions: &claim.sessions,
            file: claim.file.as_deref().map(Path::to_string_lossy),
        }
    }
}

impl<'a> CandidateShape<'a> {
    fn new(candidate: &'a Candidate) -> Self {
        Self {
            path: candidate.path.to_string_lossy(),
            score: candidate.score,
            why: &candidate.why,
            likely: candidate.likely,
        }
    }
}
