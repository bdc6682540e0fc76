//! The standing rules of a project as screen and command line show them: each file once, in the order
//! in which it is sent, with what it costs, what waits and what is left out. Made from
//! [`Instructions`], which knows how the client reads them.

use std::path::{Path, PathBuf};

use crate::instructions::{Edge, EdgeState, Instructions, Layer, NoImport, Role, Why, around};

/// All that a working directory's CLAUDE.md family holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleList {
    /// As sent, imports behind the file that names them; then what waits for a file to be read; then
    /// what is left out. What is left out of a file's imports stands behind that file.
    pub files: Vec<RuleFile>,
    /// Which file names which.
    pub edges: Vec<Edge>,
    /// Folders in which a change may make it otherwise.
    pub folders: Vec<PathBuf>,
    pub places: Places,
    /// Files, and folders in which rules are begun, that a link takes out of the folder in which they
    /// stand: the path, and where it really lies. What is below a folder lies there too.
    pub outside: Vec<(PathBuf, PathBuf)>,
    /// What switches all of it off.
    pub off: Option<String>,
}

/// Where rules go that are not there yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The person's own `CLAUDE.md`, for all projects.
    pub user: PathBuf,
    pub user_rules: PathBuf,
    pub project: PathBuf,
    pub project_rules: PathBuf,
    /// The person's own in this project: `CLAUDE.local.md`.
    pub local: PathBuf,
    /// The organisation's folder.
    pub managed: PathBuf,
    /// What the person's home is called, for short paths.
    pub home: PathBuf,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    /// As the client shows it: a link under the link's name.
    pub path: PathBuf,
    /// Where it really lies: what an edit writes.
    pub real: PathBuf,
    /// What a list shows for it: relative to the project, or from `~`.
    pub title: String,
    pub layer: Layer,
    /// `None`: it is left out, so it plays none.
    pub role: Option<Role>,
    pub state: RuleState,
    /// Position in the list of the file that names it.
    pub imported_by: Option<usize>,
    /// Levels below the file that began.
    pub depth: u16,
    /// Bytes of the text that is sent.
    pub bytes: usize,
    /// Tokens of it with the line that names it, as a request has it, estimated.
    pub tokens: usize,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleState {
    /// It is sent with the first request, and again after a compaction.
    Sent,
    /// It is sent once a file is read that matches one of these patterns, below this folder.
    Waits {
        base: PathBuf,
        patterns: Vec<String>,
    },
    LeftOut {
        why: Why,
        /// The file and the line, from 1, that name it.
        named: Option<(PathBuf, usize)>,
    },
}

impl RuleFile {
    /// Whether it comes back by itself after a compaction.
    #[must_use]
    pub fn survives(&self) -> bool {
        match self.state {
            RuleState::Sent => true,
            RuleState::Waits { .. } | RuleState::LeftOut { .. } => false,
        }
    }

    /// Whether it may be written: the managed layer is the organisation's.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        match self.layer {
            Layer::Managed => false,
            Layer::User | Layer::Project | Layer::Local => true,
        }
    }

    /// Whether nothing lies at its path.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        match &self.state {
            RuleState::LeftOut { why, .. } => matches!(why, Why::Missing { .. } | Why::Dangling),
            RuleState::Sent | RuleState::Waits { .. } => false,
        }
    }
}

/// The word of a layer.
#[must_use]
pub fn layer_word(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::User => "user",
        Layer::Project => "project",
        Layer::Local => "local",
    }
}

/// The word of a role.
#[must_use]
pub fn role_word(role: Option<Role>) -> &'static str {
    match role {
        Some(Role::Main) => "main",
        Some(Role::Local) => "local",
        Some(Role::Rule) => "rule",
        Some(Role::Agents) => "agents",
        Some(Role::Import) => "import",
        None => "none",
    }
}

impl RuleList {
    /// Puts what was read in the order of the list. `real` says where a path really lies.
    #[must_use]
    pub fn of(read: Instructions, places: Places, real: impl Fn(&Path) -> PathBuf) -> Self {
        let Instructions {
            entries,
            conditional,
            left_out,
            edges,
            // What is misread, and where lines stood, is a matter of health.
            notes: _,
            lines: _,
            off,
        } = read;
        let mut list = Self {
            edges,
            places,
            off,
            ..Self::default()
        };
        let file =
            |path: PathBuf, layer, role, state, text: &str, tokens, title: String| RuleFile {
                real: real(&path),
                path,
                title,
                layer,
                role,
                state,
                imported_by: None,
                depth: 0,
                bytes: text.len(),
                tokens,
            };
        let mut left: Vec<_> = left_out.into_iter().map(Some).collect();
        // Where the entries of the reading stand in the list.
        let mut at_of: Vec<usize> = Vec::new();
        for entry in entries {
            let tokens = around::tokens(&entry, at_of.is_empty());
            let title = list.places.title(&entry.path);
            let mut one = file(
                entry.path,
                entry.layer,
                Some(entry.role),
                RuleState::Sent,
                &entry.text,
                tokens,
                title,
            );
            one.imported_by = entry.imported_by.and_then(|at| at_of.get(at).copied());
            one.depth = list.below(one.imported_by);
            at_of.push(list.files.len());
            let (path, layer) = (one.path.clone(), one.layer);
            list.files.push(one);
            let parent = list.files.len() - 1;
            for slot in &mut left {
                let named = slot.as_ref().and_then(|it| it.named.as_ref());
                if named.is_some_and(|(from, _)| *from == path)
                    && let Some(out) = slot.take()
                {
                    let title = list.places.title(&out.path);
                    let state = RuleState::LeftOut {
                        why: out.why,
                        named: out.named,
                    };
                    let mut one = file(out.path, layer, None, state, "", 0, title);
                    one.imported_by = Some(parent);
                    one.depth = list.below(Some(parent));
                    list.files.push(one);
                }
            }
        }
        for rule in conditional {
            let title = list.places.title(&rule.path);
            let tokens = around::waiting_tokens(&rule);
            let state = RuleState::Waits {
                base: rule.base,
                patterns: rule.patterns,
            };
            let role = Some(Role::Rule);
            list.files.push(file(
                rule.path, rule.layer, role, state, &rule.text, tokens, title,
            ));
        }
        for out in left.into_iter().flatten() {
            let title = list.places.title(&out.path);
            let layer = list.places.layer(&out.path);
            let state = RuleState::LeftOut {
                why: out.why,
                named: out.named,
            };
            list.files
                .push(file(out.path, layer, None, state, "", 0, title));
        }
        list
    }

    fn below(&self, parent: Option<usize>) -> u16 {
        parent
            .and_then(|at| self.files.get(at))
            .map_or(0, |parent| parent.depth + 1)
    }

    /// A file by its path.
    #[must_use]
    pub fn at(&self, path: &Path) -> Option<&RuleFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Where a rules file really lies, if a link takes it out of the folder in which it stands: it is
    /// written only when that was asked for. It need not be there yet.
    #[must_use]
    pub fn leads_out(&self, path: &Path) -> Option<PathBuf> {
        let round = self.outside.iter().filter(|(at, _)| path.starts_with(at));
        let (at, real) = round.max_by_key(|(at, _)| at.as_os_str().len())?;
        match path.strip_prefix(at) {
            Ok(rest) if !rest.as_os_str().is_empty() => Some(real.join(rest)),
            Ok(_) | Err(_) => Some(real.clone()),
        }
    }

    /// The folder of a rules file, if a link takes it elsewhere with all that is in it.
    #[must_use]
    pub fn folder_that_leads_out(&self, path: &Path) -> Option<PathBuf> {
        self.leads_out(path.parent()?)
    }

    /// Bytes that are sent with the first request.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let sent = self.files.iter().filter(|file| file.survives());
        sent.map(|file| file.bytes).sum()
    }

    /// Tokens of it with the lines that name the files, estimated.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let sent = self.files.iter().filter(|file| file.survives());
        sent.map(|file| file.tokens).sum()
    }

    /// What a file names, in its order.
    pub fn imports_of(&self, path: &Path) -> impl Iterator<Item = &Edge> {
        let own = self.edges.iter().filter(move |edge| edge.from == path);
        own.filter(|edge| match edge.state {
            EdgeState::Loaded | EdgeState::Already | EdgeState::LeftOut(_) => true,
            EdgeState::NoImport(_) => false,
        })
    }

    /// What only looks like an import, file by file.
    pub fn not_imports(&self) -> impl Iterator<Item = (&Edge, NoImport)> {
        self.edges.iter().filter_map(|edge| match edge.state {
            EdgeState::NoImport(why) => Some((edge, why)),
            EdgeState::Loaded | EdgeState::Already | EdgeState::LeftOut(_) => None,
        })
    }

    /// The lines that bring a file in.
    pub fn importers_of(&self, path: &Path) -> impl Iterator<Item = &Edge> {
        let to = self.edges.iter().filter(move |edge| edge.to == path);
        to.filter(|edge| matches!(edge.state, EdgeState::Loaded | EdgeState::Already))
    }
}

impl Places {
    /// What a list shows for a path: relative to the project, or from `~`.
    #[must_use]
    pub fn title(&self, path: &Path) -> String {
        let below = |folder: Option<&Path>| path.strip_prefix(folder?).ok();
        if let Some(inner) = below(self.project.parent()) {
            return inner.to_string_lossy().into_owned();
        }
        match path.strip_prefix(&self.home) {
            Ok(inner) if !self.home.as_os_str().is_empty() => {
                format!("~/{}", inner.to_string_lossy())
            }
            Ok(_) | Err(_) => path.to_string_lossy().into_owned(),
        }
    }

    /// Whose a file is that plays no role, by where it lies.
    fn layer(&self, path: &Path) -> Layer {
        let config_home = self.user.parent();
        let managed = !self.managed.as_os_str().is_empty();
        if managed && path.starts_with(&self.managed) {
            Layer::Managed
        } else if config_home.is_some_and(|home| path.starts_with(home)) {
            Layer::User
        } else if path.ends_with("CLAUDE.local.md") {
            Layer::Local
        } else {
            Layer::Project
        }
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
