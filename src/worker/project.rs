//! Changes of whole project folders as the screen shows them: what goes, what else a person should know,
//! where the old path stands; archives written and looked into. Knows no order of things: the writing
//! thread asks.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::agents::claude::{Claude, PlaceError, ProjectProposal, ProjectWish, Told};
use crate::app::archives::{Asked, Exported, Inside, Unexported};
use crate::app::message::{OldPath, Proposed, Wanted};
use crate::base::time::Moment;
use crate::memory::proposal::Proposal;
use crate::project::archive::{LeftOut, is_gzip, is_memory, is_transcript, pack};
use crate::project::elsewhere::Held;
use crate::project::{Project, census};
use crate::store::Store;
use crate::store::plan::Plan;

/// What a wish for a project comes to.
pub(super) struct Comes {
    pub(super) proposal: Proposal,
    /// The files that hold the old path too.
    pub(super) held: Vec<Held>,
    /// What is said of memories that go.
    pub(super) memories: Vec<String>,
}

/// What a wish comes to, judged by what is there now, and the files that hold the old path too.
pub(super) fn propose(store: &Claude, wish: &ProjectWish, told: &Told) -> Result<Comes, String> {
    let wish = &typed(store, wish);
    let ProjectProposal {
        set,
        listed,
        notes,
        asks,
        elsewhere,
        undone,
    } = store
        .wished_of(wish, told)
        .map_err(|error| error.to_string())?;
    let memories = listed.said_of_memories();
    let untold = listed.untold.join("; ");
    let untold = (!untold.is_empty())
        .then(|| format!("more memories may go, which can't be told: {untold}"));
    let what = match wish {
        ProjectWish::Split { .. } => [
            "memories that move",
            "sessions that move",
            "what else moves",
        ],
        ProjectWish::Prune { .. }
        | ProjectWish::Forget { .. }
        | ProjectWish::Relink { .. }
        | ProjectWish::Rewrite { .. }
        | ProjectWish::Merge { .. }
        | ProjectWish::FoldIn { .. }
        | ProjectWish::Memory { .. }
        | ProjectWish::Import { .. } => [
            "memories that go to the trash",
            "sessions that go to the trash",
            "what else goes to the trash",
        ],
    };
    let named = |(what, names): (&str, &Vec<String>)| {
        (!names.is_empty()).then(|| format!("{what} ({}): {}", names.len(), names.join(", ")))
    };
    let sessions = dated(store, wish, &listed.sessions);
    let all = [&listed.memories, &sessions, &listed.others];
    let listed = what.into_iter().zip(all).map(named);
    let warnings = merges(store, wish).into_iter().chain(undone);
    let warnings = warnings.chain(asks).chain(notes).chain(untold);
    let proposal = Proposal {
        there: false,
        below_the_cut: None,
        set,
        file: None,
        warnings: warnings.chain(listed.flatten()).collect(),
    };
    Ok(Comes {
        proposal,
        held: elsewhere,
        memories,
    })
}

/// The key of the project that a wish is for, if it is for one.
fn key_of(wish: &ProjectWish) -> Option<&str> {
    match wish {
        ProjectWish::Prune { key, .. }
        | ProjectWish::Relink { key, .. }
        | ProjectWish::Rewrite { key, .. }
        | ProjectWish::Merge { key, .. }
        | ProjectWish::Forget { key, .. }
        | ProjectWish::Split { key }
        | ProjectWish::FoldIn { key }
        | ProjectWish::Memory { key, .. } => Some(key),
        ProjectWish::Import { .. } => None,
    }
}

/// Sessions by the day of their last word, the newest first: their ids tell a person nothing.
fn dated(store: &Claude, wish: &ProjectWish, ids: &[String]) -> Vec<String> {
    let key = key_of(wish).filter(|_| !ids.is_empty());
    let sessions = key.map(|key| {
        let (folder, memory) = store.folders_of_key(key);
        census(store.disk(), &folder, &memory).sessions
    });
    let sessions = sessions.unwrap_or_default();
    let when = |id: &String| {
        let own = sessions.iter().find(|one| one.id == *id);
        own.and_then(|one| one.modified)
    };
    let mut ids: Vec<&String> = ids.iter().collect();
    ids.sort_by_key(|id| Reverse(when(id)));
    let told = |id: &String| when(id).map_or(id.clone(), Moment::date);
    ids.into_iter().map(told).collect()
}

/// Says of a relink to a place with a project folder of its own that it merges the two.
fn merges(store: &Claude, wish: &ProjectWish) -> Option<String> {
    let ProjectWish::Relink { key, path, .. } = wish else {
        return None;
    };
    let there = store.project(&store.place(path).key)?;
    let counted = |number: usize, one, many| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    };
    let memories = counted(there.census.memories.len(), "memory", "memories");
    let sessions = counted(there.census.sessions.len(), "session", "sessions");
    (there.key != *key).then(|| {
        format!(
            "{} has a project folder already, with {memories} and {sessions}: this merges the two",
            path.display()
        )
    })
}

/// What several wishes that were carried out are called.
pub(super) fn together(wishes: &[(PathBuf, Wanted)]) -> String {
    let all = |is: fn(&ProjectWish) -> bool| {
        let mut wishes = wishes.iter();
        wishes.all(|(_, wanted)| matches!(wanted, Wanted::Project(wish) if is(wish)))
    };
    let many = wishes.len();
    if all(|wish| matches!(wish, ProjectWish::Prune { .. })) {
        format!("{many} projects pruned")
    } else if all(|wish| matches!(wish, ProjectWish::Forget { .. })) {
        format!("{many} projects forgotten")
    } else {
        format!("{many} changes")
    }
}

/// A wish with its paths as they were meant where they were typed.
fn typed(store: &Claude, wish: &ProjectWish) -> ProjectWish {
    let meant = |path: &PathBuf| path.to_str().map_or(path.clone(), |path| store.typed(path));
    let mut wish = wish.clone();
    match &mut wish {
        ProjectWish::Relink { path, .. } | ProjectWish::Import { file: path, .. } => {
            *path = meant(path);
        }
        ProjectWish::Forget { .. }
        | ProjectWish::Prune { .. }
        | ProjectWish::Rewrite { .. }
        | ProjectWish::Merge { .. }
        | ProjectWish::Split { .. }
        | ProjectWish::FoldIn { .. }
        | ProjectWish::Memory { .. } => {}
    }
    wish
}

/// Tells the files that hold the old path by kind. Of those that a relink rewrites a line each stands
/// for the diff: in a transcript every line would be one that changes. What else is wished shows them.
pub(super) fn tell(wish: &ProjectWish, held: &[Held], plan: &mut Plan, all: &mut Proposed) {
    let ProjectWish::Relink { also, .. } = wish else {
        return;
    };
    for one in held {
        let taken = also.contains(&one.kind);
        match all.old_paths.iter_mut().find(|old| old.kind == one.kind) {
            Some(old) => {
                old.files += 1;
                old.places += one.places;
            }
            None => all.old_paths.push(OldPath {
                kind: one.kind,
                files: 1,
                places: one.places,
                taken,
            }),
        }
        if taken {
            plan.writes.retain(|(path, _, _)| *path != one.file);
            let (file, places) = (one.file.display(), one.places);
            let noun = if places == 1 { "place" } else { "places" };
            let _ = writeln!(all.diff, "rewrite {file} · {places} {noun}");
        }
    }
}

/// Writes projects into an archive, whole or not at all.
pub(super) fn export(
    store: &Claude,
    writer: &Store,
    asked: &Asked,
) -> Result<Exported, Unexported> {
    let said = |error: &dyn std::error::Error| Unexported::Said(error.to_string());
    let file = store.typed(&asked.file);
    match store.may_hold_archive(&file) {
        Ok(()) => {}
        Err(PlaceError::Taken { .. }) if asked.replace => {}
        Err(PlaceError::Taken { path }) => return Err(Unexported::Taken(path)),
        Err(error @ (PlaceError::InStore { .. } | PlaceError::NoFile { .. })) => {
            return Err(said(&error));
        }
    }
    let mut projects: Vec<Project> = Vec::new();
    for key in &asked.keys {
        let gone = || Unexported::Said(format!("no project folder has the key {key} any more"));
        projects.push(store.project(key).ok_or_else(gone)?);
    }
    let chosen: Vec<&Project> = projects.iter().collect();
    let packed = pack(store.disk(), &chosen, asked.transcripts, is_gzip(&file));
    let packed = packed.map_err(|error| said(&error))?;
    let put = writer.put_outside(&file, &packed.bytes, asked.replace);
    put.map_err(|error| said(&error))?;
    let left = |one: LeftOut| {
        let place = [&*one.key, &*one.path].join("/");
        format!("left out: {} {}", place.trim_end_matches('/'), one.why)
    };
    Ok(Exported {
        file,
        projects: packed.projects.len(),
        files: packed.projects.iter().map(|one| one.files.len()).sum(),
        left_out: packed.left_out.into_iter().map(left).collect(),
    })
}

/// What an archive holds.
pub(super) fn look_into(store: &Claude, file: &str) -> Result<Vec<Inside>, String> {
    let archive = Claude::archive(&store.typed(file)).map_err(|error| error.to_string())?;
    let inside = archive.projects.into_iter().map(|one| {
        let count = |is_it: fn(&str) -> bool| one.files.iter().filter(|it| is_it(&it.path)).count();
        Inside {
            memories: count(is_memory),
            transcripts: count(is_transcript),
            key: one.key,
            path: one.path,
        }
    });
    Ok(inside.collect())
}
