//! No subcommand: the full screen.

use std::path::Path;

use crate::app::kept::{self, Kept};
use crate::app::look::Look;
use crate::base::disk::Disk;
use crate::cli::Ending;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Colour, Stream};
use crate::config::file::Fault;
use crate::context::memory_prompt::MemoryPrompt;
use crate::context::preview::Around;
use crate::engine::recall::SelectorPrompt;
use crate::tui;
use crate::turn::params::params;
use crate::worker::agent::Agency;

/// Whether there is a terminal to draw on, asked before anything is made or read.
pub fn check(global: &Global) -> Result<(), Failure> {
    for (given, name) in [(global.dry_run, "--dry-run"), (global.yes, "--yes")] {
        if given {
            let message = format!("{name} needs a subcommand that writes, such as loci edit");
            return Err(Failure::usage("usage", message));
        }
    }
    if global.json {
        let message = "--json needs a subcommand, such as loci ls --json";
        return Err(Failure::usage("usage", message));
    }
    tui::check_terminal().map_err(|message| Failure::usage("terminal", message))
}

/// Whom the agent asks, and what its requests are made with.
fn agency(opened: &Opened) -> Agency {
    let settings = opened.config.settings.clone();
    // What is wrong with it is said with the preview.
    let (memory_prompt, _) = MemoryPrompt::read(&opened.disk, &opened.places.config);
    Agency {
        around: Around {
            prices: settings.prices.clone(),
            memory_prompt,
            ours: params(&settings.model),
            window: settings.model.window,
            allowed: opened.rules().allowed,
            faults: Vec::new(),
        },
        selector: SelectorPrompt::read(&opened.disk, &opened.places.config).0,
        settings,
        vars: opened.vars.clone(),
        home: opened.home.clone(),
    }
}

/// Shows the store until the person leaves or a signal ends it. The demo's folder goes with
/// `opened`, after the terminal is itself again.
pub fn run(opened: Opened, global: &Global) -> Result<Ending, Failure> {
    let faults = faulty(&opened.config.faults, &opened.home);
    let notices = faults.into_iter().chain(recovered(&opened)).collect();
    let kept = kept(&opened, global);
    let options = tui::Options {
        kept,
        rules: opened.rules(),
        agency: agency(&opened),
        color: Colour::of(Stream::Out, global.color).is_on(),
        hyperlinks: supports_hyperlinks::supports_hyperlinks(),
        mouse: opened.config.settings.mouse,
        reports: opened.reports.clone(),
        cleanup: opened
            .demo
            .as_ref()
            .map(|folder| folder.path().to_path_buf()),
        demo: opened.demo.is_some(),
        keymap: opened.keymap,
        look: Look::new(
            opened.config.themes,
            opened.config.settings.theme,
            opened.config.settings.glyphs,
            opened.config.settings.motion,
        ),
        editor: opened.config.settings.editor,
        config: (!opened.disk.is_sysroot()).then_some(opened.places.config),
        notices,
    };
    let ended = tui::run(opened.store, opened.writer, options).map_err(|error| {
        tracing::error!(?error, "the screen failed");
        Failure::disk("terminal", format!("the screen failed: {error:#}"))
    })?;
    drop(opened.demo);
    Ok(match ended {
        tui::Outcome::Quit { drafts } => {
            if drafts > 0 && !global.demo {
                let (are, they) = match drafts {
                    1 => ("1 draft is".to_string(), "it"),
                    many => (format!("{many} drafts are"), "them"),
                };
                say(&format!("{are} kept: `g d` on the screen lists {they}"));
            }
            Ending::Done
        }
        tui::Outcome::Signal(signal) => Ending::Signal(signal),
    })
}

/// What the last run kept, unless nothing is to be remembered. The project is this folder's where one
/// was named.
fn kept(opened: &Opened, global: &Global) -> Option<Kept> {
    if opened.disk.is_sysroot() {
        return None;
    }
    let file = opened.writer.own_file(kept::FILE);
    let bytes = Disk::system().read(&file).unwrap_or_default();
    let read = match global.fresh {
        true => Kept::default(),
        false => Kept::read(&bytes),
    };
    let project = read.project.filter(|_| global.cwd.is_none());
    Some(Kept { project, ..read })
}

/// What is wrong in the settings, in one sentence: the fault, or how many there are.
fn faulty(faults: &[Fault], home: &Path) -> Option<String> {
    match faults {
        [] => None,
        [one] => {
            let file = match one.file.strip_prefix(home) {
                Ok(below) => Path::new("~").join(below),
                Err(_) => one.file.clone(),
            };
            Some(
                Fault {
                    file,
                    ..one.clone()
                }
                .to_string(),
            )
        }
        many => Some(format!(
            "{} faults in the settings · loci config check tells them",
            many.len()
        )),
    }
}

/// Finishes what a crash left unfinished. The screen opens whatever comes of it, and says it.
fn recovered(opened: &Opened) -> Vec<String> {
    if opened.disk.is_sysroot() {
        return Vec::new();
    }
    match opened.writer.recover() {
        Ok(recovered) => recovered.notices,
        Err(error) => vec![error.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_the_settings_are_one_sentence() {
        let fault = |line| Fault {
            file: "/home/u/.config/loci/config.toml".into(),
            line: Some(line),
            message: "them is no key of ours".to_string(),
        };
        let said = |faults: &[Fault]| faulty(faults, Path::new("/home/u"));
        assert_eq!(said(&[]), None);
        assert_eq!(
            said(&[fault(2)]).as_deref(),
            Some("~/.config/loci/config.toml:2: them is no key of ours")
        );
        assert_eq!(
            said(&[fault(2), fault(3)]).as_deref(),
            Some("2 faults in the settings · loci config check tells them")
        );
        let elsewhere = faulty(&[fault(2)], Path::new("/home/other"));
        assert!(elsewhere.is_some_and(|said| said.starts_with("/home/u/")));
    }
}
