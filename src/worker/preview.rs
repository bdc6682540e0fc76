//! The thread that builds previews: of those that wait only the last is wanted. And the file that a
//! request is exported to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use crate::agents::claude::Claude;
use crate::app::message::Message;
use crate::base::clock::Clock;
use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::swap;
use crate::config::model::Model;
use crate::config::prices::Prices;
use crate::config::secrets::Secrets;
use crate::context::memory_prompt::MemoryPrompt;
use crate::context::preview::{self, Around, Asked, Transcripts};
use crate::safety::secret::Allowed;
use crate::turn::params::params;

/// The thread, by what it is asked through.
#[derive(Debug)]
pub struct Previewer {
    asks: mpsc::Sender<(u64, PathBuf, Asked)>,
}

impl Previewer {
    pub fn start(
        store: &Claude,
        clock: Clock,
        around: &Around,
        config: Option<&Path>,
        out: &UnboundedSender<Message>,
    ) -> Self {
        let (asks, asked) = mpsc::channel();
        let (store, out, around) = (store.clone(), out.clone(), around.clone());
        let config = config.map(Path::to_path_buf);
        thread::spawn(move || {
            build_all(&store, clock, around, config.as_deref(), &asked, &out);
        });
        Self { asks }
    }

    /// Asks for a preview of the project of a memory folder.
    pub fn ask(&self, id: u64, folder: PathBuf, asked: Asked) {
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.asks.send((id, folder, asked));
    }
}

fn build_all(
    store: &Claude,
    clock: Clock,
    mut around: Around,
    config: Option<&Path>,
    asks: &mpsc::Receiver<(u64, PathBuf, Asked)>,
    out: &UnboundedSender<Message>,
) {
    let mut transcripts = Transcripts::default();
    while let Ok(first) = asks.recv() {
        let (id, folder, mut asked) = asks.try_iter().last().unwrap_or(first);
        // In the project of the working directory the session runs there, not in its root.
        if store.here().folder == folder {
            asked.cwd = store.cwd().to_path_buf();
        }
        if let Some(folder) = config {
            around = read_again(around, folder);
        }
        let store = store.at(clock.now());
        let built = preview::build(&store, &mut transcripts, &around, &asked);
        let preview = built.map(Box::new).map_err(|error| error.to_string());
        let _ = out.send(Message::PreviewBuilt { id, preview });
    }
}

/// Prices, our model and its window, what is let pass, and the text on memory as our configuration has them now;
/// where it can't be read, what was read before holds, and that is said.
fn read_again(before: Around, folder: &Path) -> Around {
    let disk = Disk::system();
    let (memory_prompt, of_prompt) = MemoryPrompt::read(&disk, folder);
    let (prices, mut faults) = match Prices::read(&disk, folder) {
        Ok((prices, faults)) => {
            let said = faults.iter().map(ToString::to_string);
            (prices, said.collect::<Vec<_>>())
        }
        Err(fault) => {
            let said = format!("the prices of before are told: {fault}");
            (before.prices, vec![said])
        }
    };
    faults.extend(of_prompt.iter().map(ToString::to_string));
    // Why the file can't be read is said with the prices.
    let allowed = Secrets::read(&disk, folder);
    let allowed = allowed.map_or(before.allowed, |secrets| Allowed::of(&secrets));
    let (ours, window) = match Model::read(&disk, folder) {
        Ok(model) => (params(&model), model.window),
        Err(_) => (before.ours, before.window),
    };
    Around {
        prices,
        memory_prompt,
        ours,
        window,
        allowed,
        faults,
    }
}

/// Writes a new file, whole or not at all; one that is there stays as it is.
pub fn export(faults: &Faults, path: &Path, body: &[u8]) -> Result<usize, String> {
    match swap::write_new(faults, path, body, 0o600, None) {
        Ok(()) => Ok(body.len()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(format!(
            "{} is there already: export to another name",
            path.display()
        )),
        Err(error) => Err(format!("{} can't be written: {error}", path.display())),
    }
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;
