//! What may stand where something is typed to the agent: our conversations, models, memories, files of the
//! project. Found on a thread of its own, of what is typed only the last; a project's files are listed once for
//! each word that begins, and not without end.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::thread;

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;
use tokio::sync::mpsc::UnboundedSender;

use crate::agents::claude::Claude;
use crate::app::agent::{Choice, Source};
use crate::app::message::Message;
use crate::base::clock::Clock;
use crate::base::time::Moment;
use crate::engine::{begin, session_file};
use crate::memory::{git, scan};
use crate::store::Store;
use crate::turn::tools::walk;

/// Choices that are offered at most.
const MOST: usize = 50;
/// Characters of a session's name that are put in.
const ID_CHARS: usize = 8;

/// What is asked.
#[derive(Debug)]
pub struct Asked {
    pub id: u64,
    pub cwd: PathBuf,
    pub of: Source,
    pub word: String,
    /// Models that the provider listed.
    pub models: Vec<String>,
}

/// The thread, by what it is asked through.
#[derive(Debug)]
pub struct Chooser {
    asks: mpsc::Sender<Asked>,
}

impl Chooser {
    /// `models`: those that the configuration names.
    pub fn start(
        store: Claude,
        writer: Arc<Store>,
        clock: Clock,
        models: Vec<String>,
        out: UnboundedSender<Message>,
    ) -> Self {
        let (asks, asked) = mpsc::channel::<Asked>();
        thread::spawn(move || {
            let mut finding = Finding {
                store,
                writer,
                models,
                listed: None,
            };
            while let Ok(first) = asked.recv() {
                let last = asked.try_iter().last().unwrap_or(first);
                let found = finding.find(&last, clock.now());
                let id = last.id;
                let _ = out.send(Message::Choices { id, found });
            }
        });
        Self { asks }
    }

    pub fn ask(&self, asked: Asked) {
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.asks.send(asked);
    }
}

/// Files and memories of a project.
struct Listed {
    cwd: PathBuf,
    all: Vec<Choice>,
}

struct Finding {
    store: Claude,
    writer: Arc<Store>,
    models: Vec<String>,
    listed: Option<Listed>,
}

impl Finding {
    fn find(&mut self, asked: &Asked, now: Moment) -> Result<Vec<Choice>, String> {
        let Asked {
            cwd, word, models, ..
        } = asked;
        match asked.of {
            Source::Sessions => {
                let folder = begin::sessions(&self.writer, &self.store.shelf_of(cwd).key);
                let listed = session_file::list(&folder).into_iter();
                let all = listed.map(|one| {
                    let id: String = one.id.chars().take(ID_CHARS).collect();
                    Choice {
                        text: format!("{id} {:>4}", one.modified.age(now)),
                        about: one.title,
                        put: id,
                    }
                });
                Ok(best(all.collect(), word))
            }
            Source::Models => {
                let plain = |name: &String, about: &str| Choice {
                    put: name.clone(),
                    text: name.clone(),
                    about: about.to_string(),
                };
                let named = self.models.iter().map(|it| plain(it, "config.toml"));
                let others = models.iter().filter(|it| !self.models.contains(it));
                let others = others.map(|it| plain(it, ""));
                Ok(best(named.chain(others).collect(), word))
            }
            Source::Memories => {
                let memories = self.memories(cwd).into_iter();
                let all = memories.map(|(path, description)| {
                    let name = path.trim_end_matches(".md").to_string();
                    Choice {
                        put: name.clone(),
                        text: name,
                        about: description,
                    }
                });
                Ok(best(all.collect(), word))
            }
            Source::Files => {
                // With the first letter the project is looked at anew.
                let is_first = word.chars().nth(1).is_none();
                let is_there = self.listed.as_ref().is_some_and(|it| it.cwd == *cwd);
                if is_first || !is_there {
                    self.listed = None;
                    let all = self.files(cwd)?;
                    self.listed = Some(Listed {
                        cwd: cwd.clone(),
                        all,
                    });
                }
                let all = self.listed.as_ref().map(|it| it.all.clone());
                Ok(best(all.unwrap_or_default(), word))
            }
        }
    }

    /// The memories of a project: path in their folder, and what they say of themselves.
    fn memories(&self, cwd: &Path) -> Vec<(String, String)> {
        let shelf = self.store.shelf_of(cwd);
        let entries = self.store.entries(&shelf).entries.into_iter();
        let all = entries.map(|one| {
            let description = one.description.as_deref().unwrap_or_default();
            (one.path.to_string(), description.to_string())
        });
        all.collect()
    }

    /// The files of the project, as the tools see them, then the memories.
    fn files(&self, cwd: &Path) -> Result<Vec<Choice>, String> {
        let disk = self.store.disk();
        let root = git::work_root(disk, cwd).unwrap_or_else(|| cwd.to_path_buf());
        let failed = |error| format!("the files of {} can't be listed: {error}", root.display());
        disk.list(&root).map_err(failed)?;
        let host = disk.host(&disk.resolve_existing(&root));
        let walked = walk::files(&host, false, &AtomicBool::new(false));
        let files = walked.files.iter().filter_map(|file| {
            let inner = file.strip_prefix(&host).ok()?;
            let seen = root.join(inner);
            let path = seen.strip_prefix(cwd).unwrap_or(&seen).to_str()?;
            Some(Choice {
                put: quoted(path),
                text: path.to_string(),
                about: String::new(),
            })
        });
        let mut all: Vec<Choice> = files.collect();
        let folder = self.store.shelf_of(cwd).folder;
        for (path, description) in self.memories(cwd) {
            if !scan::is_memory(&path) {
                continue;
            }
            let place = folder.join(&path);
            let home = place.strip_prefix(self.store.user_home());
            let place = match home {
                Ok(inner) => format!("~/{}", inner.display()),
                Err(_) => place.display().to_string(),
            };
            all.push(Choice {
                put: quoted(&place),
                text: path,
                about: format!("memory · {description}"),
            });
        }
        Ok(all)
    }
}

/// A path as it stands in a sentence: one with spaces in marks, so that it is seen where it ends.
fn quoted(path: &str) -> String {
    match path.contains(char::is_whitespace) {
        true => format!("`{path}`"),
        false => path.to_string(),
    }
}

/// Those that have the letters of a word, the best first; without a word all, in their order.
fn best(all: Vec<Choice>, word: &str) -> Vec<Choice> {
    if word.is_empty() {
        return all.into_iter().take(MOST).collect();
    }
    let matcher = SkimMatcherV2::default().ignore_case();
    let mut rated: Vec<(i64, Choice)> = all
        .into_iter()
        .filter_map(|one| {
            let text = matcher.fuzzy_match(&one.text, word);
            // What stands behind counts less.
            let about = matcher.fuzzy_match(&one.about, word).map(|rate| rate / 2);
            Some((text.max(about)?, one))
        })
        .collect();
    rated.sort_by(|(a, one), (b, other)| {
        let by_length = one.text.len().cmp(&other.text.len());
        b.cmp(a)
            .then(by_length)
            .then_with(|| one.text.cmp(&other.text))
    });
    rated.into_iter().take(MOST).map(|(_, one)| one).collect()
}

#[cfg(test)]
#[path = "choices_tests.rs"]
mod tests;
