//! Projects taken out into an archive and in from one: what is asked, and what is said of it.

use std::path::{Path, PathBuf};

use crate::agents::claude::ProjectWish;
use crate::app::App;
use crate::app::dialog::{Answer, Choice, Prompt, Purpose};
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Effect, Order};
use crate::app::overlay::Overlay;
use crate::base::time::grouped;
use crate::project::Project;

/// What shall be written into an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub keys: Vec<String>,
    /// What a person calls them.
    pub title: String,
    /// The transcripts of their sessions too.
    pub transcripts: bool,
    /// The file, as typed.
    pub file: String,
    /// A file that is there is written over.
    pub replace: bool,
}

/// An archive that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub file: PathBuf,
    pub projects: usize,
    pub files: usize,
    /// What is not in it, and why: sentences.
    pub left_out: Vec<String>,
}

/// Why no archive was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unexported {
    /// A file is there already.
    Taken(PathBuf),
    /// A sentence.
    Said(String),
}

/// A project of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    pub key: String,
    /// The path that it was about where it came from.
    pub path: Option<String>,
    pub memories: usize,
    pub transcripts: usize,
}

impl App {
    /// Asks what of the marked projects, or the chosen one, goes into an archive.
    pub(super) fn ask_export(&mut self) {
        let Some((chosen, title)) = self.chosen_projects() else {
            return;
        };
        let asked = |transcripts| {
            Answer::Export(Asked {
                keys: chosen.iter().map(|one| one.key.clone()).collect(),
                title: title.clone(),
                transcripts,
                file: format!("{}.tgz", file_name(&chosen)),
                replace: false,
            })
        };
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("export {title}"),
            lines: vec!["into one file, from which it can be imported anywhere".to_string()],
            answers: vec![
                ("memories".to_string(), asked(false)),
                ("memories and sessions".to_string(), asked(true)),
            ],
            list: List::default(),
        }));
    }

    /// Asks for the file of an archive.
    pub(super) fn ask_archive(&mut self, asked: Asked) {
        self.prompt_archive(asked, None);
    }

    /// The same; `said` tells why the file that was typed did not do.
    fn prompt_archive(&mut self, asked: Asked, said: Option<String>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("export {} to which file?", asked.title),
            hint: "a path, from the folder in which loci was started · .tgz is smaller than .tar",
            field: Field::of(&asked.file),
            purpose: Purpose::Export(asked),
            said,
        }));
    }

    pub(super) fn export(&mut self, asked: Asked, effects: &mut Vec<Effect>) {
        let id = self.begin(Doing::Exporting(asked.clone()));
        effects.push(Effect::Write(Order::Export { id, asked }));
    }

    /// Takes what became of an archive.
    pub(super) fn exported(&mut self, asked: Asked, exported: Result<Exported, Unexported>) {
        match exported {
            Ok(done) => {
                let Exported {
                    file,
                    projects,
                    files,
                    left_out,
                } = done;
                for one in &left_out {
                    self.say(one);
                }
                let left = match left_out.len() {
                    0 => String::new(),
                    many => format!(" · {many} left out"),
                };
                let projects = counted(projects, "project", "projects");
                let files = counted(files, "file", "files");
                let file = file.display();
                self.say(format!("{file} holds {projects}, {files}{left}"));
            }
            Err(Unexported::Said(said)) if self.overlay.is_some() => self.fail(said),
            Err(Unexported::Said(said)) => self.prompt_archive(asked, Some(said)),
            Err(Unexported::Taken(path)) if self.overlay.is_some() => {
                let path = path.display();
                self.fail(format!("{path} is there already: nothing was written"));
            }
            Err(Unexported::Taken(path)) => {
                let other = Asked {
                    replace: false,
                    ..asked.clone()
                };
                let over = Asked {
                    replace: true,
                    ..asked
                };
                self.overlay = Some(Overlay::Choice(Choice {
                    title: format!("{} is there already", path.display()),
                    lines: Vec::new(),
                    answers: vec![
                        ("another file …".to_string(), Answer::Export(other)),
                        (
                            "write over it: what it holds is lost".to_string(),
                            Answer::ExportOver(over),
                        ),
                    ],
                    list: List::default(),
                }));
            }
        }
    }

    /// Asks for the archive that projects are taken from.
    pub(super) fn ask_import(&mut self) {
        self.prompt_import("", None);
    }

    /// The same; `said` tells why the file that stands in it did not do.
    fn prompt_import(&mut self, file: &str, said: Option<String>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: "import from which archive?".to_string(),
            hint: "its path, from the folder in which loci was started",
            field: Field::of(file),
            purpose: Purpose::Import,
            said,
        }));
    }

    pub(super) fn look_into(&mut self, file: String, effects: &mut Vec<Effect>) {
        let id = self.begin(Doing::LookingInto { file: file.clone() });
        effects.push(Effect::Write(Order::LookInto { id, file }));
    }

    /// Takes what an archive holds, and asks what of it is taken over.
    pub(super) fn looked_into(&mut self, file: &str, found: Result<Vec<Inside>, String>) {
        let found = match found {
            Ok(found) if found.is_empty() => {
                let said = "no project is in the archive".to_string();
                return self.prompt_import(file, Some(said));
            }
            Ok(found) => found,
            Err(said) => return self.prompt_import(file, Some(said)),
        };
        let import = |keys: Vec<String>, into: Option<String>| {
            let file = PathBuf::from(file);
            Answer::Import(ProjectWish::Import { file, keys, into })
        };
        let mut answers = Vec::new();
        if found.len() > 1 {
            let keys = found.iter().map(|one| one.key.clone()).collect();
            answers.push((format!("all {}", found.len()), import(keys, None)));
        }
        let here = self.projects.chosen();
        for one in &found {
            let keys = || vec![one.key.clone()];
            answers.push((told(one), import(keys(), None)));
            if let Some(here) = here.filter(|here| here.key != one.key) {
                let label = format!("  the same into {}", here.title());
                answers.push((label, import(keys(), Some(here.key.clone()))));
            }
        }
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("import from {file}"),
            lines: vec!["what is there already stays as it is".to_string()],
            answers,
            list: List::default(),
        }));
    }

    pub(super) fn import(&mut self, wish: ProjectWish, effects: &mut Vec<Effect>) {
        self.look_at("import".to_string(), [wish], effects);
    }
}

/// What a person calls the file of some projects, without its ending.
fn file_name(chosen: &[Project]) -> String {
    match chosen {
        [one] => one.title(),
        _ => "projects".to_string(),
    }
}

fn told(one: &Inside) -> String {
    let memories = counted(one.memories, "memory", "memories");
    let sessions = match one.transcripts {
        0 => String::new(),
        many => format!(", {}", counted(many, "session", "sessions")),
    };
    let path = one.path.as_deref();
    let name = path.map(Path::new).and_then(Path::file_name);
    let name = name.map_or(one.key.clone(), |name| name.to_string_lossy().into_owned());
    let path = path.map(|path| format!(" · {path}")).unwrap_or_default();
    format!("{name} · {memories}{sessions}{path}")
}

fn counted(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

#[cfg(test)]
#[path = "archives_tests.rs"]
mod tests;
