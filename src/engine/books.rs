//! What is kept of a conversation: its transcript, and each of its requests in the ledger. The file of a
//! session is begun with the first thing that is said in it.

use std::path::PathBuf;

use crate::base::time::Moment;
use crate::context::ledger::{self, Ledger, Purpose, Sent};
use crate::context::ours::Session;
use crate::context::part;
use crate::context::request::Request;
use crate::engine::session_file::{SessionError, SessionFile};
use crate::llm::answer::Answer;
use crate::turn::record::{Header, Item};

/// The books of one conversation.
#[derive(Debug)]
pub struct Books {
    file: Kept,
    session: String,
    ledger: Ledger,
    /// Requests so far in this process.
    requests: usize,
}

#[derive(Debug)]
enum Kept {
    NotYet {
        folder: PathBuf,
        header: Header,
        latched: Box<Session>,
    },
    Open(SessionFile),
}

impl Books {
    /// Of a conversation that begins. `folder`: that of its project, among our sessions.
    #[must_use]
    pub fn new(folder: PathBuf, header: Header, latched: &Session, ledger: Ledger) -> Self {
        Self {
            session: header.session.clone(),
            file: Kept::NotYet {
                folder,
                header,
                latched: Box::new(latched.clone()),
            },
            ledger,
            requests: 0,
        }
    }

    /// Of one that was taken up again.
    #[must_use]
    pub fn resumed(file: SessionFile, session: &str, ledger: Ledger) -> Self {
        Self {
            file: Kept::Open(file),
            session: session.to_string(),
            ledger,
            requests: 0,
        }
    }

    /// Whether the file of the session is there.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        matches!(self.file, Kept::Open(_))
    }

    /// The session goes on with another model: a line says so, where its file is begun.
    ///
    /// # Errors
    /// As for [`Books::keep`].
    pub fn relatch(&mut self, session: &Session, now: Moment) -> Result<(), SessionError> {
        match &mut self.file {
            Kept::NotYet { latched, .. } => {
                **latched = session.clone();
                Ok(())
            }
            Kept::Open(file) => file.keep(Item::Begun(session), now),
        }
    }

    /// Keeps what happened.
    ///
    /// # Errors
    /// What could not be kept, and what to do.
    pub fn keep(&mut self, item: Item<'_>, now: Moment) -> Result<(), SessionError> {
        if let Kept::NotYet {
            folder,
            header,
            latched,
        } = &self.file
        {
            let file = SessionFile::begin(folder, header.clone(), latched, now)?;
            self.file = Kept::Open(file);
        }
        match &mut self.file {
            Kept::Open(file) => file.keep(item, now),
            Kept::NotYet { .. } => Ok(()),
        }
    }

    /// The key of its project, which the folder of its file is called by.
    fn project(&self) -> Option<String> {
        let folder = match &self.file {
            Kept::NotYet { folder, .. } => Some(folder.as_path()),
            Kept::Open(file) => file.path().parent(),
        };
        let name = folder?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Writes a request into the ledger, with what the provider counted of it.
    ///
    /// # Errors
    /// A sentence.
    pub fn sent(
        &mut self,
        request: &Request,
        answer: Option<&Answer>,
        purpose: Purpose,
        now: Moment,
    ) -> Result<(), String> {
        self.requests += 1;
        let usage = answer.and_then(|answer| answer.usage).map(Into::into);
        let said = answer.map(ledger::said).unwrap_or_default();
        let parts = part::parts(request, None);
        let project = self.project();
        // A session that is taken up again counts anew, perhaps within the same second.
        let of = (std::process::id(), self.requests);
        let id = format!("{}-{}-{}-{}", self.session, now.seconds, of.0, of.1);
        let sent = Sent {
            id: &id,
            session: &self.session,
            project: project.as_deref(),
            purpose,
            model: &request.params.model,
            key: &ledger::key_of(&request.params),
            parts: &parts,
            usage,
            ended: &ledger::ended(answer),
            answer: &said,
        };
        let written = self.ledger.append(&sent, now);
        written.map(|_| ()).map_err(|error| error.to_string())
    }
}
