//! How a conversation of ours begins: what its session is latched to, and the tools that it has.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

use crate::agents::claude::Claude;
use crate::base::time::Moment;
use crate::config::settings::Review;
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

/// What every conversation of one store has.
#[derive(Debug, Clone)]
pub struct Setup {
    pub store: Claude,
    pub writer: Arc<Store>,
    pub around: Around,
    pub recall: Recall,
    pub review: Review,
}

impl Setup {
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
