//! `sessions rescue` and `sessions bring-back`: a session out of reach of the client's sweep, and back.

use std::path::Path;

use serde::Serialize;

use crate::base::disk::Disk;
use crate::base::display;
use crate::base::time::Moment;
use crate::cli::args::Global;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::sessions::{Transcript, path_of};
use crate::cli::sessions_args::Which;
use crate::cli::words;
use crate::transcript::digest::Digest;
use crate::transcript::rescue::{RescueError, Session, bring_back as brought, rescue as rescued};

/// What a person calls the session of a transcript in the store, if it says so.
pub fn title(opened: &Opened, path: &Path) -> Option<String> {
    if path.starts_with(opened.writer.rescued_folder()) {
        let file = Disk::system().open(path).ok()?;
        let bytes = file.metadata().ok()?.len();
        let (digest, _) = Digest::read(&file, bytes).ok()?;
        return digest.title().map(str::to_string);
    }
    let key = path.parent()?.file_name()?.to_string_lossy().into_owned();
    let digests = opened.digests(Some(&[key]));
    let own = digests.all.into_iter().find(|one| one.found.path == path)?;
    own.digest.title().map(str::to_string)
}

pub fn rescue(which: &Which, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let file = Transcript::of(&opened, which)?;
    let session = session(&opened, &file.path)?;
    let place = opened.writer.rescued_folder().join(&session.key);
    let place = place.join(format!("{}.jsonl", session.id));
    let data = file.file.metadata().map_err(|error| file.failed(&error))?;
    let modified = data.modified().map(Moment::from).unwrap_or_default();
    let keep = opened.store.transcript_days();
    let left = (keep - modified.days_before(opened.store.now())).max(0);
    let set = || {
        let now = opened.store.now();
        rescued(&opened.writer, &opened.disk, &session, now).map_err(failed)
    };
    let stays = match left {
        0 => "the original stays until the client's next sweep".to_string(),
        _ => format!(
            "the original stays {} more, unless its session goes on",
            words::counted(usize::try_from(left).unwrap_or(0), "day", "days")
        ),
    };
    tell(
        &opened,
        global,
        output,
        set,
        &session,
        &place,
        Some((left, &stays)),
    )
}

pub fn bring_back(which: &Which, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let path = kept(&opened, which)?;
    let session = session(&opened, &path)?;
    let projects = opened.store.home().join("projects");
    let place = projects
        .join(&session.key)
        .join(format!("{}.jsonl", session.id));
    let set = || {
        let now = opened.store.now();
        brought(&opened.writer, &session, &projects, now).map_err(failed)
    };
    tell(&opened, global, output, set, &session, &place, None)
}

/// The copy of a session that was rescued.
fn kept(opened: &Opened, which: &Which) -> Result<std::path::PathBuf, Failure> {
    let kept = opened.writer.rescued_folder();
    let path = path_of(opened, which)?;
    if path.starts_with(&kept) {
        return Ok(path);
    }
    // The client has it too: what is asked for is the copy.
    let names = path
        .parent()
        .and_then(Path::file_name)
        .zip(path.file_name());
    let copy = names.map(|(key, name)| kept.join(key).join(name));
    copy.filter(|copy| copy.is_file()).ok_or_else(|| {
        let message = format!(
            "{} was not rescued: `loci sessions rescue` does that",
            path.display()
        );
        Failure::usage("not-found", message).at(&path)
    })
}

fn session(opened: &Opened, path: &Path) -> Result<Session, Failure> {
    let title = title(opened, path).unwrap_or_default();
    Session::of(path, &title).map_err(failed)
}

fn failed(error: RescueError) -> Failure {
    let message = error.to_string();
    match error {
        RescueError::Store(error) => error.into(),
        RescueError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(&path),
        RescueError::Agent { path } | RescueError::Rescued { path } => {
            Failure::usage("refused", message).at(&path)
        }
        RescueError::Already { place: path, .. } | RescueError::There { path } => {
            Failure::usage("taken", message).at(&path)
        }
    }
}

#[derive(Serialize)]
struct CopyShape<'a> {
    key: Option<&'a str>,
    title: &'a str,
    session: &'a str,
    place: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
    /// Of a rescue: days until the client sweeps the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    days_left: Option<i64>,
}

fn tell(
    opened: &Opened,
    global: &Global,
    output: &mut Output,
    set: impl Fn() -> Result<crate::store::change::ChangeSet, Failure>,
    session: &Session,
    place: &Path,
    stays: Option<(i64, &str)>,
) -> Result<(), Stop> {
    // A dry run copies nothing, so that there is nothing to look at.
    let done = match global.dry_run {
        true => None,
        false => Some(change::carry_out_anew(opened, global, set)?),
    };
    let title = done.as_ref().map_or(&*session.id, |done| done.title());
    if global.json {
        output.json(&CopyShape {
            key: done.as_ref().and_then(|done| done.key()),
            title,
            session: &session.id,
            place: place.to_string_lossy().into_owned(),
            dry_run: global.dry_run,
            days_left: stays.map(|(left, _)| left),
        })?;
        return Ok(());
    }
    let colour = output.look.colour;
    let key = done
        .as_ref()
        .and_then(|done| done.key())
        .unwrap_or_default();
    output.line(&format!(
        "{}  {}",
        colour.paint(Style::Bold, &display::line(title)),
        colour.paint(Style::Dim, key)
    ))?;
    let place = words::short_path(place, &opened.home);
    output.line(&format!("  {}", display::line(&place)))?;
    if let Some((_, stays)) = stays {
        output.line(&colour.paint(Style::Dim, &format!("  {stays}")))?;
    }
    if global.dry_run {
        say("a dry run: nothing was written");
    }
    Ok(())
}
