//! The thread that writes: proposals are made and change sets applied in the order in which they were
//! asked for, drafts kept in between. It ends with its sender, after all that was asked for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::UnboundedSender;

use crate::agents::claude::{Claude, Told};
use crate::app::history_view::Past;
use crate::app::kept::{self, Kept};
use crate::app::message::{Done, Editable, Message, Order, Proposed, Refusal, Unmet, Wanted};
use crate::app::tree::FileAt;
use crate::base::time::Moment;
use crate::health::{self, Finding, FixError, Rules};
use crate::memory::file::Memory;
use crate::memory::proposal::{Demotion, Folder, Proposal, ProposalError, Wish, wished};
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{ChangeSet, Op};
use crate::store::draft::Draft;
use crate::store::{Store, StoreError, diff};
use crate::transcript::rescue::{self, RescueError};
use crate::worker::back;
use crate::worker::project::{self, Comes};

/// The way to the thread.
#[derive(Debug)]
pub(super) struct Writer {
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(
        store: Claude,
        writer: Arc<Store>,
        rules: Rules,
        out: UnboundedSender<Message>,
    ) -> Self {
        let (orders, receive) = mpsc::channel();
        let desk = Desk {
            store,
            writer,
            rules,
        };
        let thread = thread::spawn(move || {
            for order in receive {
                let Some(message) = desk.perform(order) else {
                    continue;
                };
                let done = if let Message::Applied { applied, .. } = &message {
                    applied.as_ref().ok()
                } else {
                    None
                };
                let touched = done.map(|done| done.touched.clone());
                let _ = out.send(message);
                if let Some(touched) = touched.filter(|touched| !touched.is_empty()) {
                    desk.store.remember_touched(&desk.writer, &touched);
                }
            }
        });
        Self {
            orders: Some(orders),
            thread: Some(thread),
        }
    }

    pub(super) fn ask(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // The thread ends only with this sender, so there is always someone who receives.
            let _ = orders.send(order);
        }
    }

    /// Waits until all that was asked for is done.
    pub(super) fn finish(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported by its hook.
            let _ = thread.join();
        }
    }
}

struct Desk {
    store: Claude,
    writer: Arc<Store>,
    /// The measures of health.
    rules: Rules,
}

impl Desk {
    #[allow(clippy::too_many_lines, reason = "an arm an order")]
    fn perform(&self, order: Order) -> Option<Message> {
        match order {
            Order::Open { id, at } => Some(editable(id, self.open(&at), at)),
            Order::OpenRule { id, at } => Some(editable(id, self.open_rule(&at), at)),
            Order::OpenDrafts { id, at } => {
                let drafts = self.writer.drafts(&at.path());
                Some(editable(id, Ok(without(drafts)), at))
            }
            Order::Propose { id, wishes } => {
                let proposed = self.propose_all(&wishes).map(Box::new);
                Some(Message::Proposed { id, proposed })
            }
            Order::Carry { id, wishes } => Some(Message::Applied {
                id,
                applied: self.carry(&wishes),
            }),
            Order::Apply { id, set, leaks } => Some(Message::Applied {
                id,
                applied: match leaks {
                    true => self.write(&set),
                    false => self.apply(&set),
                },
            }),
            Order::Undo { id, key } => Some(Message::Applied {
                id,
                applied: self.undo(key.as_deref()),
            }),
            Order::Restore { id, key } => {
                let title = back::brought_back(&self.writer, &key);
                let restored = self.writer.restore(&key, now());
                let applied = restored.map(|applied| Done {
                    title,
                    notices: applied.notices,
                    // The undo of a removal: `u` would take back what was done before that.
                    sets: 0,
                    touched: applied.touched,
                });
                Some(Message::Applied {
                    id,
                    applied: applied.map_err(refusal),
                })
            }
            Order::Export { id, asked } => {
                let exported = project::export(&self.store.at(now()), &self.writer, &asked);
                Some(Message::Exported { id, exported })
            }
            Order::LookInto { id, file } => {
                let found = project::look_into(&self.store, &file);
                Some(Message::LookedInto { id, found })
            }
            Order::ReadPast { id } => {
                let past = Box::new(Past {
                    changes: self.writer.history(),
                    trash: self.writer.trashed(),
                });
                Some(Message::Past { id, past })
            }
            Order::Rescue {
                id,
                path,
                title,
                back,
            } => Some(Message::Applied {
                id,
                applied: self.rescue(&path, &title, back),
            }),
            Order::ShowPast { id, entry } => {
                let diff = self.writer.diff_of(&entry);
                Some(Message::PastShown { id, diff })
            }
            Order::Redo { id } => {
                let redone = self.writer.redo(now());
                // What is taken back here is an undo, and its title says so.
                let of = |title: &str| title.strip_prefix("undo ").unwrap_or(title).to_string();
                let applied = redone.map(|(entry, applied)| Done {
                    title: of(&entry.title),
                    notices: applied.notices,
                    sets: usize::from(!applied.touched.is_empty()),
                    touched: applied.touched,
                });
                Some(Message::Applied {
                    id,
                    applied: applied.map_err(refusal),
                })
            }
            Order::KeepDraft { draft, own } => {
                let kept = self.writer.keep_draft(&draft, own.as_deref());
                kept.err().map(|error| Message::DraftLost {
                    said: format!("the draft could not be kept: {error}"),
                    path: draft.path.clone(),
                    own,
                })
            }
            Order::DropDraft(own) => {
                let dropped = self.writer.discard_draft(&own);
                dropped.err().map(|error| Message::DraftLost {
                    said: error.to_string(),
                    path: own.path.clone(),
                    own: Some(own),
                })
            }
            Order::KeepScreen(kept) => {
                self.keep_screen(&kept);
                None
            }
            Order::ListDrafts => Some(Message::Drafts(self.writer.drafted())),
        }
    }

    /// Takes a change back, unless sessions have written since into what would go.
    fn undo(&self, key: Option<&str>) -> Result<Done, Refusal> {
        if let Some(said) = back::takes_along(&self.store.at(now()), &self.writer, key) {
            return Err(Refusal::Said(said));
        }
        // What was done again is taken back as the change that it is.
        let of = |title: &str| title.strip_prefix("redo ").unwrap_or(title).to_string();
        let (entry, applied) = self.writer.undo(key, now()).map_err(refusal)?;
        Ok(Done {
            title: of(&entry.title),
            notices: applied.notices,
            sets: usize::from(!applied.touched.is_empty()),
            touched: applied.touched,
        })
    }

    /// Copies a session out of reach of the client's clean-up, or back.
    fn rescue(&self, path: &Path, title: &str, back: bool) -> Result<Done, Refusal> {
        let said = |error: RescueError| match error {
            RescueError::Store(error) => refusal(error),
            error => Refusal::Said(error.to_string()),
        };
        let projects = self.store.home().join("projects");
        let around = rescue::Around {
            store: &self.writer,
            disk: self.store.disk(),
            projects: &projects,
        };
        let session = rescue::Session::of(&around, path, title).map_err(said)?;
        if back {
            let set = rescue::bring_back(&around, &session, now()).map_err(said)?;
            return self.apply(&set);
        }
        let rescued = rescue::rescue(&around, &session, false, now()).map_err(said)?;
        let mut done = self.apply(&rescued.set)?;
        done.notices.extend(rescued.notices());
        Ok(done)
    }

    /// What can't be kept is no loss: the next run begins as the first.
    fn keep_screen(&self, kept: &Kept) {
        let revised = self
            .writer
            .revise_own(kept::FILE, |_| serde_json::to_vec(kept).ok());
        if let Err(error) = revised {
            tracing::warn!(%error, "the screen's state could not be kept");
        }
    }

    fn open(&self, at: &FileAt) -> Result<Editable, String> {
        let drafts = self.writer.drafts(&at.path());
        if at.file == crate::app::editor::NEW_FILE {
            return Ok(without(drafts));
        }
        match self.store.bytes(&at.folder, &at.file) {
            Ok((bytes, modified)) => Ok(Editable {
                bytes: Some(bytes),
                modified: Some(modified),
                drafts,
            }),
            // What was typed is offered although its file is gone.
            Err(_) if !drafts.is_empty() && self.store.is_gone(&at.path()) => Ok(without(drafts)),
            Err(said) => Err(said),
        }
    }

    /// A rule that is not there is begun.
    fn open_rule(&self, at: &FileAt) -> Result<Editable, String> {
        match self.store.is_gone(&at.path()) {
            true => Ok(without(self.writer.drafts(&at.path()))),
            false => self.open(at),
        }
    }

    fn propose_all(&self, wishes: &[(PathBuf, Wanted)]) -> Result<Proposed, Unmet> {
        let mut all = Proposed {
            proposals: Vec::new(),
            diff: String::new(),
            notices: Vec::new(),
            old_paths: Vec::new(),
            memories: Vec::new(),
        };
        let told = Told::default();
        let mut made = HashSet::new();
        for (at, (folder, wish)) in wishes.iter().enumerate() {
            let comes = self.propose_telling(folder, wish, &told);
            let Comes {
                proposal,
                held,
                memories,
            } = comes.map_err(|error| Unmet {
                said: error.to_string(),
                name_of: error.is_about_a_name().then_some(at),
            })?;
            let mut plan = self.writer.check(&proposal.set).map_err(|error| Unmet {
                said: error.to_string(),
                name_of: None,
            })?;
            // Two of them can't go to one place.
            if let Some(taken) = made_by(&proposal.set).find(|path| !made.insert(path.clone())) {
                return Err(Unmet {
                    said: ProposalError::Taken { path: taken }.to_string(),
                    name_of: Some(at),
                });
            }
            if let Wanted::Project(wish) = wish {
                project::tell(wish, &held, &mut plan, &mut all);
            }
            all.diff += &diff::unified(&proposal.set, &plan);
            all.notices.extend(plan.notices);
            all.proposals.push(proposal);
            all.memories.push(memories);
        }
        Ok(all)
    }

    /// What is wanted, and what else is said of a project.
    fn propose_telling(
        &self,
        folder: &Path,
        wanted: &Wanted,
        told: &Told,
    ) -> Result<Comes, Unproposed> {
        // Of a whole project folder no memory is read for this.
        if let Wanted::Project(wish) = wanted {
            let comes = project::propose(&self.store.at(now()), wish, told);
            return comes.map_err(Unproposed::Nothing);
        }
        Ok(Comes {
            proposal: self.propose(folder, wanted)?,
            held: Vec::new(),
            memories: Vec::new(),
        })
    }

    fn propose(&self, folder: &Path, wanted: &Wanted) -> Result<Proposal, Unproposed> {
        let wish = match wanted {
            Wanted::Project(wish) => {
                let comes = project::propose(&self.store.at(now()), wish, &Told::default());
                return comes.map(|it| it.proposal).map_err(Unproposed::Nothing);
            }
            Wanted::Mend(path) => {
                let finding = self.worst_that_mends(folder, path);
                let finding = finding.map_err(Unproposed::Nothing)?;
                let said = vec![finding.message.clone()];
                return self.fixed(folder, &finding, said);
            }
            Wanted::Fix(finding) => return self.fixed(folder, finding, Vec::new()),
            Wanted::Wish(wish) => wish,
        };
        let memories = self.store.memories(folder);
        let mut proposal = wished(&self.seen(folder, &memories), wish, now())?;
        if let Wish::Promote { cwd, .. } | Wish::Demote(Demotion { cwd, .. }) = wish {
            let costs = self.store.weigh(cwd, folder, &proposal.set);
            proposal.warnings.splice(0..0, costs);
        }
        Ok(proposal)
    }

    /// A memory folder as proposals see it.
    fn seen<'a>(&'a self, folder: &'a Path, memories: &'a [Memory]) -> Folder<'a> {
        Folder {
            disk: self.store.disk(),
            path: folder,
            memories,
        }
    }

    /// The proposal that mends a finding.
    fn fixed(
        &self,
        folder: &Path,
        finding: &Finding,
        warnings: Vec<String>,
    ) -> Result<Proposal, Unproposed> {
        let memories = self.store.memories(folder);
        fixed(&self.seen(folder, &memories), finding, warnings)
    }

    /// The worst finding of a memory that can be mended without a guess.
    fn worst_that_mends(&self, folder: &Path, path: &str) -> Result<Finding, String> {
        let found = health::examine(self.store.disk(), "", folder, &self.rules, now()).findings;
        let own = |one: &&Finding| one.path == path;
        let said = match found.iter().find(own) {
            None => format!("{path}: nothing to mend"),
            Some(_) => format!("{path}: no fix without a guess · 3 says what is wrong"),
        };
        let mut of_it = found.into_iter().filter(|one| one.path == path);
        of_it.find(|one| one.fix.is_some()).ok_or(said)
    }

    /// Each wish is a change set of its own, made from what is there when its turn comes.
    fn carry(&self, wishes: &[(PathBuf, Wanted)]) -> Result<Done, Refusal> {
        let mut done = Done {
            title: String::new(),
            notices: Vec::new(),
            sets: 0,
            touched: Vec::new(),
        };
        let told = Told::default();
        for (at, (folder, wish)) in wishes.iter().enumerate() {
            let after = |said: String| match at {
                0 => said,
                _ => format!("{said} ({at} of {} were done before)", wishes.len()),
            };
            let set = self
                .propose_telling(folder, wish, &told)
                .map_err(|error| Refusal::Said(after(error.to_string())))?
                .proposal
                .set;
            match self.apply(&set) {
                Ok(one) => {
                    done.title = one.title;
                    done.notices.extend(one.notices);
                    done.sets += one.sets;
                    done.touched.extend(one.touched);
                }
                Err(Refusal::Said(said)) => return Err(Refusal::Said(after(said))),
                // Of several it is said; one is asked about.
                Err(Refusal::Secret { said, .. }) if wishes.len() > 1 => {
                    return Err(Refusal::Said(after(format!(
                        "{said}: nothing was written; do it by itself to write it all the same"
                    ))));
                }
                Err(secret @ Refusal::Secret { .. }) => return Err(secret),
                Err(overlap @ Refusal::Overlap { .. }) => return Err(overlap),
            }
        }
        if wishes.len() > 1 {
            done.title = project::together(wishes);
        }
        Ok(done)
    }

    /// Applies a change set, but asks first where it would put a secret into a file.
    fn apply(&self, set: &ChangeSet) -> Result<Done, Refusal> {
        if self.store.refusal(set).is_none()
            && let Some(said) = self.store.leak_asked(set)
        {
            let set = Box::new(set.clone());
            return Err(Refusal::Secret { said, set });
        }
        self.write(set)
    }

    fn write(&self, set: &ChangeSet) -> Result<Done, Refusal> {
        let refused = self.store.refusal(set);
        if let Some(said) = refused.or_else(|| self.store.link_out(set)) {
            return Err(Refusal::Said(said));
        }
        let applied = self.writer.apply(set, now()).map_err(refusal)?;
        Ok(Done {
            title: set.title.clone(),
            notices: applied.notices,
            sets: usize::from(!applied.touched.is_empty()),
            touched: applied.touched,
        })
    }
}

/// The proposal that mends a finding.
fn fixed(
    folder: &Folder<'_>,
    finding: &Finding,
    warnings: Vec<String>,
) -> Result<Proposal, Unproposed> {
    Ok(Proposal {
        set: health::fix::propose(folder, finding)?,
        file: None,
        warnings,
        there: false,
        below_the_cut: None,
    })
}

/// A file that is not read, or not there, with its drafts.
fn without(drafts: Vec<Draft>) -> Editable {
    Editable {
        bytes: None,
        modified: None,
        drafts,
    }
}

fn editable(id: u64, read: Result<Editable, String>, at: FileAt) -> Message {
    let read = read.map(Box::new);
    Message::Editable { id, at, read }
}

/// The files that a change set makes or moves something to, but for indexes, which several share.
fn made_by(set: &ChangeSet) -> impl Iterator<Item = PathBuf> + '_ {
    set.changes.iter().filter_map(|change| match &change.op {
        Op::Move { to, .. } => Some(to.clone()),
        Op::Write {
            path, before: None, ..
        } if !path.ends_with(INDEX_FILE) => Some(path.clone()),
        Op::Write { .. } | Op::Trash { .. } => None,
    })
}

/// Why a wish comes to no change set.
#[derive(Debug, thiserror::Error)]
enum Unproposed {
    #[error(transparent)]
    Wish(#[from] ProposalError),
    #[error(transparent)]
    Fix(#[from] FixError),
    /// There is nothing to mend: a sentence.
    #[error("{0}")]
    Nothing(String),
}

impl Unproposed {
    fn is_about_a_name(&self) -> bool {
        match self {
            Self::Wish(error) => error.is_about_a_name(),
            Self::Fix(_) | Self::Nothing(_) => false,
        }
    }
}

fn now() -> Moment {
    Moment::from(std::time::SystemTime::now())
}

fn refusal(error: StoreError) -> Refusal {
    match error {
        StoreError::Overlap { path, three_way } => Refusal::Overlap { path, three_way },
        StoreError::Conflict { .. }
        | StoreError::Later { .. }
        | StoreError::Twice { .. }
        | StoreError::Disk { .. }
        | StoreError::Busy { .. }
        | StoreError::Unknown { .. } => Refusal::Said(error.to_string()),
    }
}
