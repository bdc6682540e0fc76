//! The files of sub-agents that have a memory of their own.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::agents::{AgentFile, Shelf, ShelfKind};
use crate::base::front_matter;
use crate::config::limits::{AGENT_FILES, HEAD_BYTES};
use crate::memory::index::decode;

impl Claude {
    /// The sub-agents with a memory that a session in this folder (absolute) knows, by name: those of the
    /// project, then the person's own. Of two with one name the project's is told.
    #[must_use]
    pub fn agent_files(&self, cwd: &Path) -> Vec<AgentFile> {
        let own = self.inner.config_home.join("agents");
        let mut all: Vec<AgentFile> = Vec::new();
        for folder in [cwd.join(".claude/agents"), own] {
            let items = self.inner.disk.list(&folder).unwrap_or_default();
            let mut paths: Vec<PathBuf> = items
                .into_iter()
                .map(|item| folder.join(item.name))
                .filter(|path| path.extension().is_some_and(|end| end == "md"))
                .collect();
            paths.sort();
            for path in paths.into_iter().take(AGENT_FILES) {
                let found = self.agent_file(cwd, path);
                all.extend(found.filter(|one| all.iter().all(|other| other.name != one.name)));
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Reads the head of one; `None`: it can't be read, bears no name or has no memory.
    fn agent_file(&self, cwd: &Path, path: PathBuf) -> Option<AgentFile> {
        let disk = &self.inner.disk;
        if !disk.is_file(&path) {
            return None;
        }
        let mut head = Vec::new();
        let file = disk.open(&path).ok()?;
        file.take(HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
        let text = decode(&head);
        let front = front_matter::read(&text);
        let name = front.get("name")?.trim();
        // It becomes the name of a folder.
        let is_one = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        if !is_one {
            return None;
        }
        let (kind, base) = match front.get("memory")?.trim() {
            "user" => (
                ShelfKind::Agent,
                self.inner.config_home.join("agent-memory"),
            ),
            "project" => (ShelfKind::AgentProject, cwd.join(".claude/agent-memory")),
            "local" => (
                ShelfKind::AgentLocal,
                cwd.join(".claude/agent-memory-local"),
            ),
            _ => return None,
        };
        Some(AgentFile {
            folder: base.join(name),
            name: name.to_string(),
            kind,
            path,
        })
    }

    /// The shelf of a sub-agent's memory. It need not be there yet.
    #[must_use]
    pub fn shelf_of_agent(&self, agent: &AgentFile) -> Shelf {
        self.survey(Shelf {
            key: agent.name.clone(),
            kind: agent.kind,
            path: None,
            folder: agent.folder.clone(),
            memories: 0,
            transcripts: 0,
        })
    }
}

#[cfg(test)]
#[path = "agent_files_tests.rs"]
mod tests;
