//! What live projects are known by is kept for the day when they are gone: after every change, on the
//! command line and on the screen alike, and of all projects where all were looked at by what writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::Claude;
use crate::config::client::MemoryPlace;
use crate::project::identity::{self, Identity};
use crate::project::{Origin, Project, Standing};
use crate::store::Store;

impl Claude {
    /// Keeps what the live ones of some projects are known by.
    pub fn remember(&self, writer: &Store, projects: &[Project]) {
        let live = |one: &&Project| matches!(one.origin, Origin::Live | Origin::Worktree);
        let live = projects.iter().filter(live);
        self.keep(writer, &live.filter_map(|one| one.path.clone()).collect());
    }

    /// Keeps what the working directory's project is known by, if it has a memory folder, and the
    /// projects in whose folders a change has touched something.
    pub fn remember_touched(&self, writer: &Store, touched: &[PathBuf]) {
        let here = &self.inner.here;
        let memory = self.memory_folder(&here.memory_key);
        let has_memory = self.disk().is_folder(&memory);
        let here = has_memory.then(|| here.memory_root.clone());
        let keys = self.keys_of(touched).into_iter();
        let others = keys.filter_map(|key| self.live_path(key));
        self.keep(writer, &here.into_iter().chain(others).collect());
    }

    /// What can't be kept now is kept another time: it is no reason to stop.
    fn keep(&self, writer: &Store, paths: &BTreeSet<PathBuf>) {
        let looked = paths.par_iter();
        let looked = looked.filter_map(|path| Identity::look(self.disk(), path));
        if let Err(error) = identity::keep(writer, looked.collect()) {
            tracing::warn!(%error, "identities not kept");
        }
    }

    /// The keys of the project folders that some paths lie in.
    fn keys_of<'a>(&self, paths: &'a [PathBuf]) -> BTreeSet<&'a str> {
        let inner = &self.inner;
        let moved = match &inner.place {
            MemoryPlace::Keyed { base, .. } => Some(base),
            MemoryPlace::Fixed { .. } => None,
        };
        let homes = moved.into_iter().chain([&inner.config_home]);
        let homes: Vec<PathBuf> = homes.map(|home| home.join("projects")).collect();
        let below = |path: &'a PathBuf| {
            let mut homes = homes.iter();
            let below = homes.find_map(|home| path.strip_prefix(home).ok())?;
            below.iter().next()?.to_str()
        };
        paths.iter().filter_map(below).collect()
    }

    /// The one path that is there and that the sessions of a project folder name.
    fn live_path(&self, key: &str) -> Option<PathBuf> {
        let one = self.surveyed(key.to_string(), self.memory_folder(key));
        let claims = one.claims.iter();
        let there = claims.filter(|claim| claim.exact && claim.standing == Standing::There);
        let paths: BTreeSet<&Path> = there.map(|claim| &*claim.path).collect();
        let path = paths.first().filter(|_| paths.len() == 1);
        path.map(|path| path.to_path_buf())
    }
}
