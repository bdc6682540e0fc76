//! How a conversation of ours begins: what its session is latched to, and the tools that it has.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agents::claude::Claude;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::config::settings::{Keep, Review};
use crate::context::ledger::{self, Ledger};
use crate::context::memory_prompt::Recall;
use crate::context::ours::Session;
use crate::context::preview::{self, Around, PreviewError};
use crate::memory::git;
use crate::store::Store;
use crate::turn::cage::Cage;
use crate::turn::chat::Chat;
use crate::turn::overlay::Overlay;
use crate::turn::record::{Header, uuid_of};
use crate::turn::tools::Toolbox;

/// The folder of our sessions, in our state.
const SESSIONS: &str = "sessions";
/// The folder of the ledger, in our state.
pub const LEDGER: &str = "ledger";

/// What every conversation of one store has.
#[derive(Debug, Clone)]
pub struct Setup {
    pub store: Claude,
    pub writer: Arc<Store>,
    pub around: Around,
    pub recall: Recall,
    pub review: Review,
    /// How much of the ledger is kept, and how long.
    pub keep: Keep,
}

impl Setup {
    /// The ledger of this store.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        let keep = ledger::Keep {
            days: self.keep.ledger_days,
            bytes: self.keep.ledger_bytes,
        };
        Ledger::new(self.writer.own_file(LEDGER), keep, Faults::default())
    }

    /// The folder of our sessions of the project that a folder belongs to.
    #[must_use]
    pub fn sessions(&self, cwd: &Path) -> PathBuf {
        sessions(&self.writer, &self.store.shelf_of(cwd).key)
    }

    /// A new conversation in a folder (absolute) with a model.
    ///
    /// # Errors
    /// When the folder is not there.
    pub fn begin(&self, cwd: &Path, model: &str, now: Moment) -> Result<Chat, PreviewError> {
        let mut around = self.around.clone();
        around.ours.model = model.to_string();
        let store = self.store.at(now);
        let session = preview::session(&store, &around, cwd, self.recall)?;
        Ok(Chat::new(new_id(now), session))
    }

    /// The tools of a conversation.
    #[must_use]
    pub fn tools(&self, cwd: &Path, session: &Session, overlay: Overlay) -> Toolbox {
        let disk = self.store.disk();
        let project = git::work_root(disk, cwd).unwrap_or_else(|| cwd.to_path_buf());
        // A folder that only this repository claims is none of the agent's before a person approved it.
        let is_usable = session.recall != Recall::Off && self.store.claim().is_none();
        let memory = is_usable.then_some(&*session.memory_folder);
        Toolbox {
            cage: Cage::new(disk, self.store.user_home(), cwd, &project, memory),
            store: self.store.clone(),
            overlay,
            review: self.review,
            writer: Arc::clone(&self.writer),
        }
    }

    /// What each line of a conversation's transcript says.
    #[must_use]
    pub fn header(&self, cwd: &Path, id: &str) -> Header {
        let head = git::head(self.store.disk(), cwd);
        let branch = head.and_then(|head| head.strip_prefix("On branch ").map(str::to_string));
        Header {
            session: id.to_string(),
            cwd: cwd.to_path_buf(),
            branch,
        }
    }
}

/// The folder of our sessions of a project, by its key.
#[must_use]
pub fn sessions(writer: &Store, key: &str) -> PathBuf {
    writer.own_file(SESSIONS).join(key)
}

/// A name that no other session has.
fn new_id(now: Moment) -> String {
    let chance = RandomState::new().hash_one(now.nanos);
    uuid_of(&format!(
        "{} {} {chance} {}",
        now.seconds,
        now.nanos,
        std::process::id()
    ))
}
