//! `doctor`: the findings of this project or of all, and with `--fix` what mends them: each fix is a
//! change set of its own, so that each is one undo. The exit code is that of what is left.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::agents::{Shelf, ShelfKind};
use crate::base::{display, signalled, text};
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::doctor_look::{Look, evidence_of, needs_transcripts};
use crate::cli::failure::{Exit, Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Colour, Output, Style};
use crate::cli::words;
use crate::cli::{Ending, args};
use crate::config::limits::SEEK_MILLISECONDS;
use crate::health::{Counts, Examined, Finding, Fix, Severity, fix};
use crate::project::identity;
use crate::transcript::uses::Uses;

/// A fix can bring to light what another one mends; that ends soon.
const ROUNDS: usize = 8;

/// A folder with its findings: those that are left, and what was done.
struct Patient {
    shelf: Shelf,
    findings: Vec<Finding>,
    done: Vec<Done>,
}

/// Whether more than notes are left is in the ending.
pub fn run(asked: &args::Doctor, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    let opened = match asked.fix {
        true => Opened::to_write(global)?,
        false => Opened::open(global)?,
    };
    let rules = opened.rules();
    let digests = needs_transcripts(asked, &rules).then(|| opened.digests(None));
    let own = opened.own_sessions();
    let uses = digests.as_ref().map(Uses::of);
    let evidence = digests.as_ref().zip(uses.as_ref());
    let evidence = evidence.map(|(digests, uses)| evidence_of(&opened, digests, uses, &own));
    let look = Look {
        asked,
        rules: &rules,
        evidence: evidence.as_ref(),
    };
    let mut patients = examined(&opened, &look)?;
    let mut failed = None;
    if asked.fix {
        for patient in &mut patients {
            if let Err(failure) = mend(&opened, global, &look, patient) {
                failed = Some(failure);
                break;
            }
        }
    }
    find_origins(&opened, &look, &mut patients);
    match global.json {
        true => output.json(&Shape::new(&opened, &patients, asked.fix))?,
        false => tell(&opened, global, asked, &patients, output)?,
    }
    if let Some(failure) = failed {
        output.finish()?;
        return Err(failure.into());
    }
    Ok(match total(&patients).is_bad() {
        true => Ending::Found,
        false => Ending::Done,
    })
}

fn examined(opened: &Opened, look: &Look<'_>) -> Result<Vec<Patient>, Stop> {
    let mut patients = Vec::new();
    let mut take = |shelf: Shelf, examined: Examined| {
        patients.push(Patient {
            findings: look.findings(opened, &shelf, examined),
            shelf,
            done: Vec::new(),
        });
    };
    if look.asked.all {
        if let Some(fault) = opened.store.unlisted() {
            let failure = Failure::disk("unreadable", fault).at(opened.store.home());
            return Err(failure.into());
        }
        opened.store.examined_in_order(look.rules, take);
    } else {
        let here = opened.store.here();
        let examined = opened.store.examine(&here, look.rules);
        take(here, examined);
    }
    Ok(patients)
}

/// Adds what is found of the project folders themselves. No fix of one is without a guess.
fn find_origins(opened: &Opened, look: &Look<'_>, patients: &mut [Patient]) {
    let began = Instant::now();
    let limit = Duration::from_millis(SEEK_MILLISECONDS);
    let stop = || signalled::caught().is_some() || began.elapsed() > limit;
    let (store, kept) = (&opened.store, identity::kept(&opened.writer));
    let all = look.asked.all.then(|| store.project_folders(&kept, &stop));
    for patient in patients {
        if patient.shelf.kind != ShelfKind::Project {
            continue;
        }
        let own;
        let folders = match &all {
            Some(all) => all,
            None => {
                own = store.project_folder(&patient.shelf.key, &kept, &stop);
                &own
            }
        };
        let mut found = store.findings_of_folder(folders, &patient.shelf, look.rules);
        found.retain(|finding| look.is_asked(finding.code));
        patient.findings.extend(found);
        patient.findings.sort_by_key(|one| (one.severity, one.code));
    }
}

/// Applies every fix, and looks again what is left. A fix that is refused is said and left.
fn mend(
    opened: &Opened,
    global: &Global,
    look: &Look<'_>,
    patient: &mut Patient,
) -> Result<(), Failure> {
    let mut refused: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let before = patient.done.len();
        for finding in with_fixes(&patient.findings) {
            match carry_out(opened, global, &patient.shelf, finding) {
                Ok(done) => patient.done.push(done),
                Err(failure) if failure.exit == Exit::Usage => refused.push(failure.message),
                Err(failure) => return Err(failure),
            }
        }
        if global.dry_run {
            break;
        }
        if patient.done.len() == before {
            break;
        }
        refused.clear();
        let examined = opened.store.examine(&patient.shelf, look.rules);
        patient.findings = look.findings(opened, &patient.shelf, examined);
    }
    for message in refused {
        say(&format!("left as it is: {}", display::line(&message)));
    }
    Ok(())
}

/// The findings with a fix: those of one memory first, so that an index line which is added says
/// what the memory says then.
fn with_fixes(findings: &[Finding]) -> Vec<&Finding> {
    let with = |alone: bool| {
        findings.iter().filter(move |one| {
            let fix = one.fix.as_ref();
            fix.is_some_and(|fix| fix.is_of_one_memory() == alone)
        })
    };
    with(true).chain(with(false)).collect()
}

fn carry_out(
    opened: &Opened,
    global: &Global,
    shelf: &Shelf,
    finding: &Finding,
) -> Result<Done, Failure> {
    change::carry_out_anew(opened, global, || {
        let alone = finding.fix.as_ref().is_some_and(Fix::is_of_one_memory);
        let memories = match alone {
            true => Vec::new(),
            false => opened.store.entries(shelf).entries,
        };
        let folder = change::folder(opened, &shelf.folder, &memories);
        Ok(fix::propose(&folder, finding)?)
    })
}

fn total(patients: &[Patient]) -> Counts {
    let mut total = Counts::default();
    for patient in patients {
        total += Counts::of(&patient.findings);
    }
    total
}

fn tell(
    opened: &Opened,
    global: &Global,
    asked: &args::Doctor,
    patients: &[Patient],
    output: &mut Output,
) -> io::Result<()> {
    for done in patients.iter().flat_map(|patient| &patient.done) {
        if global.dry_run {
            let title = output
                .look
                .colour
                .paint(Style::Bold, &display::line(done.title()));
            output.line(&title)?;
        }
        done.show(opened, output)?;
    }
    if global.dry_run && asked.fix {
        output.flush()?;
        say("a dry run: nothing was written");
    }
    let fixed: usize = patients.iter().map(|patient| patient.done.len()).sum();
    let mut between = fixed > 0;
    for patient in patients.iter().filter(|one| !one.findings.is_empty()) {
        if between {
            output.line("")?;
        }
        between = true;
        tell_one(opened, patient, output)?;
    }
    if between {
        output.line("")?;
    }
    output.line(&summary(patients, fixed, asked, global))
}

fn summary(patients: &[Patient], fixed: usize, asked: &args::Doctor, global: &Global) -> String {
    let left = total(patients);
    let found = match left {
        Counts {
            errors: 0,
            warnings: 0,
            notes: 0,
        } => "nothing found".to_string(),
        some => counted(some),
    };
    let fixes = patients.iter().flat_map(|patient| &patient.findings);
    let fixable = fixes.filter(|one| one.fix.is_some()).count();
    match (asked.fix, global.dry_run) {
        (true, true) => format!("{found}; {fixed} of them would be fixed"),
        (true, false) => format!("{fixed} fixed; left: {found}"),
        (false, _) if fixable > 0 => {
            format!("{found}; `loci doctor --fix` mends {fixable} of them, each with its own undo")
        }
        (false, _) => found,
    }
}

fn counted(counts: Counts) -> String {
    let parts = [
        (counts.errors, "error", "errors"),
        (counts.warnings, "warning", "warnings"),
        (counts.notes, "note", "notes"),
    ];
    let some = parts.iter().filter(|(number, ..)| *number > 0);
    let words: Vec<String> = some
        .map(|(number, one, many)| words::counted(*number, one, many))
        .collect();
    words.join(", ")
}

fn tell_one(opened: &Opened, patient: &Patient, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let shelf = &patient.shelf;
    let place = shelf.path.as_deref().unwrap_or(&shelf.folder);
    let about = format!(
        "{} · {}",
        display::line(&words::short_path(place, &opened.home)),
        counted(Counts::of(&patient.findings)),
    );
    output.line(&format!(
        "{}  {}",
        colour.paint(Style::Bold, &display::line(&shelf.title())),
        colour.paint(Style::Dim, &about),
    ))?;
    for same in patient
        .findings
        .chunk_by(|one, other| one.severity == other.severity)
    {
        let severity = same[0].severity;
        let many = words::counted(
            same.len(),
            severity.word(),
            &format!("{}s", severity.word()),
        );
        output.line(&format!("  {}", colour.paint(style(severity), &many)))?;
        for finding in same {
            tell_finding(opened, finding, colour, output)?;
        }
    }
    Ok(())
}

fn tell_finding(
    opened: &Opened,
    finding: &Finding,
    colour: Colour,
    output: &mut Output,
) -> io::Result<()> {
    let glyph = match finding.severity {
        Severity::Error => '✗',
        Severity::Warning => '▲',
        Severity::Note => '·',
    };
    let line = finding
        .line
        .map_or(String::new(), |line| format!(":{line}"));
    output.line(&format!(
        "    {}  {}{line}",
        colour.paint(
            style(finding.severity),
            &format!("{glyph} {}", finding.code.word())
        ),
        match &*finding.path {
            "" => Cow::Borrowed("the project folder"),
            path => display::line(path),
        },
    ))?;
    let message = words::homely(&finding.message, &opened.home);
    let message = display::line(&message);
    let cells = output
        .look
        .cells
        .map(|cells| cells.saturating_sub(6).max(20));
    match cells {
        None => output.line(&format!("      {message}"))?,
        Some(cells) => {
            for row in text::wrap(&message, cells) {
                output.line(&format!("      {}", &message[row]))?;
            }
        }
    }
    if let Some(fix) = &finding.fix {
        let fix = format!("fix: {}", display::line(&fix.sentence()));
        output.line(&format!("      {}", colour.paint(Style::Ok, &fix)))?;
    }
    Ok(())
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => Style::Error,
        Severity::Warning => Style::Warning,
        Severity::Note => Style::Dim,
    }
}

#[derive(Serialize)]
struct Shape<'a> {
    findings: Vec<FindingShape<'a>>,
    counts: CountsShape,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Vec<change::WriteShape<'a>>>,
}

#[derive(Serialize)]
struct FindingShape<'a> {
    code: &'static str,
    severity: &'static str,
    project: &'a str,
    path: String,
    line: Option<usize>,
    message: &'a str,
    /// What mends it, in a few words.
    fix: Option<String>,
}

#[derive(Serialize)]
struct CountsShape {
    error: usize,
    warning: usize,
    note: usize,
}

impl<'a> Shape<'a> {
    fn new(opened: &Opened, patients: &'a [Patient], with_fixed: bool) -> Self {
        let home = opened.store.home();
        let findings = patients.iter().flat_map(|patient| {
            let folder = &patient.shelf.folder;
            let shape = move |finding| FindingShape::new(home, folder, finding);
            patient.findings.iter().map(shape)
        });
        let done = patients.iter().flat_map(|patient| &patient.done);
        let counts = total(patients);
        Self {
            findings: findings.collect(),
            counts: CountsShape {
                error: counts.errors,
                warning: counts.warnings,
                note: counts.notes,
            },
            fixed: with_fixed.then(|| done.map(Done::shape).collect()),
        }
    }
}

impl<'a> FindingShape<'a> {
    /// The path is relative to the config home, absolute outside of it.
    fn new(home: &Path, folder: &Path, finding: &'a Finding) -> Self {
        // An empty one: the project folder itself.
        let path = match &*finding.path {
            "" => home.join("projects").join(&finding.project),
            path => folder.join(path),
        };
        let path = path.strip_prefix(home).unwrap_or(&path);
        Self {
            code: finding.code.word(),
            severity: finding.severity.word(),
            project: &finding.project,
            path: path.to_string_lossy().into_owned(),
            line: finding.line,
            message: &finding.message,
            fix: finding.fix.as_ref().map(Fix::sentence),
        }
    }
}
