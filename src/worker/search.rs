//! Searching for the finder, on a thread of its own: of the searches that wait only the last is done,
//! and the one under way stops at its next file. What is held for the next key goes with the finder.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::agents::Hits;
use crate::agents::claude::{Claude, Corpus};
use crate::app::message::{Excerpt, Message};
use crate::app::tree::FileAt;
use crate::config::limits::FINDER_BYTES;
use crate::memory::search::Query;

/// Hits that the finder lists.
const MOST_HITS: usize = 200;
/// Answers in parts are at least so far apart.
const PART_AGE: Duration = Duration::from_millis(40);
/// Lines of a preview before and after its hit, and characters of each.
const LINES_AROUND: usize = 60;
const LINE_CHARS: usize = 2_000;

/// The searching thread.
#[derive(Debug)]
pub(super) struct Searcher {
    jobs: mpsc::Sender<Option<Job>>,
    /// The search that is wanted; another is under way for nothing.
    wanted: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Job {
    id: u64,
    words: String,
}

impl Searcher {
    pub(super) fn start(store: Claude, out: UnboundedSender<Message>) -> Self {
        let (jobs, receive) = mpsc::channel();
        let wanted = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&wanted);
        thread::spawn(move || search_jobs(&store, &receive, &seen, &out));
        Self { jobs, wanted }
    }

    pub(super) fn ask(&self, id: u64, words: String) {
        self.wanted.store(id, Ordering::Relaxed);
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.jobs.send(Some(Job { id, words }));
    }

    pub(super) fn end(&self) {
        self.wanted.store(0, Ordering::Relaxed);
        let _ = self.jobs.send(None);
    }
}

fn search_jobs(
    store: &Claude,
    jobs: &mpsc::Receiver<Option<Job>>,
    wanted: &AtomicU64,
    out: &UnboundedSender<Message>,
) {
    let mut corpus = None;
    while let Ok(mut last) = jobs.recv() {
        for next in jobs.try_iter() {
            if last.is_none() {
                corpus = None;
            }
            last = next;
        }
        match last {
            None => corpus = None,
            Some(job) => {
                let corpus = corpus.get_or_insert_with(|| Corpus::all(store, FINDER_BYTES));
                search(store, corpus, &job, wanted, out);
            }
        }
    }
}

fn search(
    store: &Claude,
    corpus: &mut Corpus,
    job: &Job,
    wanted: &AtomicU64,
    out: &UnboundedSender<Message>,
) {
    let id = job.id;
    let answer = |found: Hits, done: bool| {
        let found = Box::new(found);
        let _ = out.send(Message::Found { id, found, done });
    };
    let stop = || wanted.load(Ordering::Relaxed) != id;
    let mut told: Option<Instant> = None;
    let query = Query::new(&job.words);
    let found = corpus.search(store, &query, MOST_HITS, &stop, |so_far| {
        let due = told.is_none_or(|told| told.elapsed() >= PART_AGE);
        if due && !so_far.hits.is_empty() {
            told = Some(Instant::now());
            answer(so_far.clone(), false);
        }
    });
    if let Some(found) = found {
        answer(found, true);
    }
}

/// The lines of a file round one of them.
pub(super) fn excerpt(store: &Claude, at: &FileAt, line: usize) -> Result<Excerpt, String> {
    let page = store.page(&at.folder, &at.file)?;
    let before = line.saturating_sub(LINES_AROUND + 1);
    let lines = page.text.lines().skip(before).take(2 * LINES_AROUND);
    Ok(Excerpt {
        first: before + 1,
        lines: lines
            .map(|line| line.chars().take(LINE_CHARS).collect())
            .collect(),
    })
}
