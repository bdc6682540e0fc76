//! `sessions rescue` and `sessions bring-back`: a session out of reach of the client's sweep, and back.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::disk::Disk;
use crate::base::display;
use crate::base::time::Moment;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::sessions::{Transcript, path_of};
use crate::cli::sessions_args::Which;
use crate::cli::words;
use crate::transcript::digest::Digest;
use crate::transcript::rescue::{self, Around, Rescue, RescueError, Session};

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
    let projects = opened.store.home().join("projects");
    let around = around(&opened, &projects);
    let session = session(&opened, &around, &file.path)?;
    let place = opened.writer.rescued_folder().join(&session.key);
    let place = place.join(format!("{}.jsonl", session.id));
    let data = file.file.metadata().map_err(|error| file.failed(&error))?;
    let modified = data.modified().map(Moment::from).unwrap_or_default();
    let keep = opened.store.transcript_days();
    let left = (keep - modified.days_before(opened.store.now())).max(0);
    let about = RefCell::new(None);
    let set = || {
        let rescue = rescue::rescue(&around, &session, global.yes, opened.store.now());
        let rescue = rescue.map_err(failed)?;
        let set = rescue.set.clone();
        about.replace(Some(rescue));
        Ok(set)
    };
    let stays = match left {
        0 => "the original stays until the client's next sweep".to_string(),
        _ => format!(
            "the original stays {} more, unless its session goes on",
            words::counted(usize::try_from(left).unwrap_or(0), "day", "days")
        ),
    };
    // A dry run copies nothing, so that there is nothing to look at.
    let done = match global.dry_run {
        true => {
            let (rescue, _) = rescue::look(&around, &session, global.yes).map_err(failed)?;
            about.replace(Some(rescue));
            None
        }
        false => Some(change::carry_out_anew(&opened, global, set)?),
    };
    let about = about.into_inner();
    let told = Told {
        session: &session,
        place: &place,
        stays: Some((left, &stays)),
        about: about.as_ref(),
    };
    told.tell(&opened, global, done.as_ref(), output)
}

pub fn bring_back(which: &Which, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let path = kept(&opened, which)?;
    let projects = opened.store.home().join("projects");
    let around = around(&opened, &projects);
    let session = session(&opened, &around, &path)?;
    let place = projects
        .join(&session.key)
        .join(format!("{}.jsonl", session.id));
    let set = || rescue::bring_back(&around, &session, opened.store.now()).map_err(failed);
    let done = match global.dry_run {
        true if place.exists() => return Err(failed(RescueError::There { path: place }).into()),
        true => None,
        false => Some(change::carry_out_anew(&opened, global, set)?),
    };
    let told = Told {
        session: &session,
        place: &place,
        stays: None,
        about: None,
    };
    told.tell(&opened, global, done.as_ref(), output)
}

fn around<'a>(opened: &'a Opened, projects: &'a Path) -> Around<'a> {
    Around {
        store: &opened.writer,
        disk: &opened.disk,
        projects,
    }
}

/// The copy of a session that was rescued.
fn kept(opened: &Opened, which: &Which) -> Result<PathBuf, Failure> {
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

fn session(opened: &Opened, around: &Around<'_>, path: &Path) -> Result<Session, Failure> {
    // What lies elsewhere is not read for its title.
    Session::of(around, path, "").map_err(failed)?;
    let title = title(opened, path).unwrap_or_default();
    Session::of(around, path, &title).map_err(failed)
}

fn failed(error: RescueError) -> Failure {
    let message = error.to_string();
    match error {
        RescueError::Store(error) => error.into(),
        RescueError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(&path),
        RescueError::Agent { path }
        | RescueError::Rescued { path }
        | RescueError::NoTranscript { path }
        | RescueError::HoldsMore { copy: path, .. }
        | RescueError::Elsewhere { path, .. } => Failure::usage("refused", message).at(&path),
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
    /// Of a rescue: whether an older copy went to the trash.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<bool>,
    /// Of a rescue: what is not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<Vec<String>>,
}

/// What is told of a copy.
struct Told<'a> {
    session: &'a Session,
    place: &'a Path,
    /// Days until the client sweeps the original, and that in words.
    stays: Option<(i64, &'a str)>,
    about: Option<&'a Rescue>,
}

impl Told<'_> {
    fn tell(
        &self,
        opened: &Opened,
        global: &Global,
        done: Option<&Done>,
        output: &mut Output,
    ) -> Result<(), Stop> {
        let title = done.map_or(&*self.session.id, Done::title);
        let key = done.and_then(Done::key);
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        if global.json {
            output.json(&CopyShape {
                key,
                title,
                session: &self.session.id,
                place: self.place.to_string_lossy().into_owned(),
                dry_run: global.dry_run,
                days_left: self.stays.map(|(left, _)| left),
                replaces: self.about.map(|about| about.replaces),
                left_out: self
                    .about
                    .map(|about| about.left_out.iter().map(text).collect()),
            })?;
            return Ok(());
        }
        let colour = output.look.colour;
        output.line(&format!(
            "{}  {}",
            colour.paint(Style::Bold, &display::line(title)),
            colour.paint(Style::Dim, key.unwrap_or_default())
        ))?;
        let place = words::short_path(self.place, &opened.home);
        output.line(&format!("  {}", display::line(&place)))?;
        if let Some((_, stays)) = self.stays {
            output.line(&colour.paint(Style::Dim, &format!("  {stays}")))?;
        }
        output.flush()?;
        let notices = self.about.map(Rescue::notices).unwrap_or_default();
        for notice in notices {
            say(&display::line(&notice));
        }
        if global.dry_run {
            say("a dry run: nothing was written");
        }
        Ok(())
    }
}
