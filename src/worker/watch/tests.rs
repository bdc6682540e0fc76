use std::fs;
use std::process::Command;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::pace::{CALM, PATIENCE};
use super::*;

struct Bench {
    root: tempfile::TempDir,
    _watch: Watch,
    heard: UnboundedReceiver<Message>,
}

impl Bench {
    /// Watches `memory` below a temporary folder; `made` says whether it is there already.
    fn new(made: bool, refused: Option<i32>) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("memory");
        if made {
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("a.md"), "one\n").expect("a file");
        }
        let (out, heard) = unbounded_channel();
        let watch = Watch::start(out, refused);
        watch.folders(vec![Shown {
            name: folder.clone(),
            real: folder,
            depth: Depth::All,
        }]);
        let mut bench = Self {
            root,
            _watch: watch,
            heard,
        };
        // The watch stands once a change is heard of.
        bench.settle(made);
        bench
    }

    fn folder(&self) -> PathBuf {
        self.root.path().join("memory")
    }

    fn settle(&mut self, made: bool) {
        let probe = if made {
            self.folder().join("probe.txt")
        } else {
            self.root.path().join("memory.probe")
        };
        if !made {
            // Nothing to be heard of: give the thread time to set its watch.
            thread::sleep(Duration::from_millis(300));
            return;
        }
        for attempt in 0.. {
            fs::write(&probe, format!("{attempt}")).expect("a file");
            if self.hears_within(Duration::from_millis(1500)) {
                break;
            }
            assert!(attempt < 20, "the watch never stands");
        }
        while self.hears_within(Duration::from_millis(300)) {}
    }

    fn hears_within(&mut self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        while Instant::now() < end {
            match self.heard.try_recv() {
                Ok(Message::Changed { folder }) => {
                    assert_eq!(folder, self.folder());
                    return true;
                }
                Ok(_) => {}
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
        false
    }

    fn hears(&mut self) {
        assert!(
            self.hears_within(Duration::from_secs(20)),
            "the change was never told"
        );
        while self.hears_within(Duration::from_millis(300)) {}
    }
}

#[test]
fn every_save_by_rename_is_seen() {
    // Case WA01: three saves by a temporary file and a rename.
    let mut bench = Bench::new(true, None);
    let folder = bench.folder();
    for version in 1..=3 {
        fs::write(folder.join(".a.tmp"), format!("{version}\n")).expect("a file");
        fs::rename(folder.join(".a.tmp"), folder.join("a.md")).expect("a rename");
        bench.hears();
    }
}

#[test]
fn one_edit_and_then_silence_is_seen() {
    // Case WA02.
    let mut bench = Bench::new(true, None);
    let done = Command::new("sed")
        .args(["-i", "s/one/two/"])
        .arg(bench.folder().join("a.md"))
        .status();
    assert!(done.is_ok_and(|status| status.success()));
    bench.hears();
}

#[test]
fn a_folder_that_is_made_removed_and_made_again_is_seen() {
    let mut bench = Bench::new(false, None);
    let folder = bench.folder();
    for _ in 0..2 {
        fs::create_dir(&folder).expect("a folder");
        bench.hears();
        fs::write(folder.join("a.md"), "x\n").expect("a file");
        bench.hears();
        fs::remove_dir_all(&folder).expect("removed");
        bench.hears();
    }
}

#[test]
fn a_folder_that_keeps_changing_is_told_of_less_and_less_often() {
    let began = Instant::now();
    let mut now = began;
    let mut pace = Pace::next(None, now);
    let mut rests = vec![pace.rest];
    for _ in 0..4 {
        now = pace.until();
        pace = Pace::next(Some(pace), now);
        rests.push(pace.rest);
    }
    let rests: Vec<u128> = rests.iter().map(Duration::as_millis).collect();
    assert_eq!(rests, [150, 300, 600, 750, 750]);
    // Left alone, it is as it was at first.
    let pace = Pace::next(Some(pace), pace.told + CALM);
    assert_eq!(pace.rest, PATIENCE);
}

#[test]
fn a_stream_of_changes_is_told_of_a_few_times_and_its_end_too() {
    let mut bench = Bench::new(true, None);
    let file = bench.folder().join("a.md");
    let mut told = 0;
    for line in 0..200 {
        fs::write(&file, format!("{line}\n")).expect("a file");
        thread::sleep(Duration::from_millis(10));
        while let Ok(message) = bench.heard.try_recv() {
            told += usize::from(matches!(message, Message::Changed { .. }));
        }
    }
    assert!((1..100).contains(&told), "{told}");
    fs::write(&file, "the last\n").expect("a file");
    bench.hears();
}

#[test]
fn reading_is_no_change() {
    let mut bench = Bench::new(true, None);
    for _ in 0..5 {
        fs::read(bench.folder().join("a.md")).expect("a file");
        fs::read_dir(bench.folder())
            .expect("a listing")
            .for_each(drop);
    }
    assert!(!bench.hears_within(Duration::from_millis(500)));
}

#[test]
fn where_watches_have_run_out_folders_are_looked_at() {
    // Case WA03: the sentence names the limit and does not claim that a disk is full.
    for (errno, names) in [(28, "fs.inotify.max_user_watches"), (24, "open files")] {
        let (out, mut heard) = unbounded_channel();
        let root = tempfile::tempdir().expect("a temporary folder");
        let watch = Watch::start(out, Some(errno));
        let folder = root.path().to_path_buf();
        watch.folders(vec![Shown {
            name: folder.clone(),
            real: folder,
            depth: Depth::All,
        }]);
        let mut said = None;
        let end = Instant::now() + Duration::from_secs(20);
        while said.is_none() && Instant::now() < end {
            if let Ok(Message::WatchLimited(sentence)) = heard.try_recv() {
                said = Some(sentence);
            }
            thread::sleep(Duration::from_millis(5));
        }
        let said = said.expect("a sentence");
        assert!(
            said.contains(names) && !said.contains("space") && !said.contains("disk"),
            "{said}"
        );
        fs::write(root.path().join("a.md"), "x").expect("a file");
        let end = Instant::now() + Duration::from_secs(20);
        while !matches!(heard.try_recv(), Ok(Message::Changed { .. })) {
            assert!(Instant::now() < end, "the change was never told");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a listing is told of within some time.
fn listed(heard: &mut UnboundedReceiver<Message>, patience: Duration) -> bool {
    let end = Instant::now() + patience;
    while Instant::now() < end {
        match heard.try_recv() {
            Ok(Message::Listed) => return true,
            Ok(_) => {}
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
    false
}

/// Of a folder whose names are watched only these are of concern, also where watches have run out.
#[test]
fn names_that_come_and_go_are_seen_and_what_lies_below_them_is_not() {
    for refused in [None, Some(28)] {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("projects");
        fs::create_dir_all(folder.join("a")).expect("a folder");
        let (out, mut heard) = unbounded_channel();
        let watch = Watch::start(out, refused);
        watch.folders(vec![Shown {
            name: folder.clone(),
            real: folder.clone(),
            depth: Depth::Names,
        }]);
        let mut attempts = 0..20;
        let stands = attempts.any(|attempt| {
            fs::create_dir(folder.join(format!("b{attempt}"))).expect("a folder");
            listed(&mut heard, Duration::from_millis(2500))
        });
        assert!(stands, "the watch never stands");
        while listed(&mut heard, Duration::from_millis(1500)) {}
        fs::write(folder.join("a/one.jsonl"), "{}\n").expect("a file");
        assert!(!listed(&mut heard, Duration::from_millis(1500)));
        fs::rename(folder.join("a"), root.path().join("away")).expect("moved");
        assert!(listed(&mut heard, Duration::from_secs(20)));
    }
}

/// Whether a change of transcripts is told of within some time.
fn told_of_sessions(heard: &mut UnboundedReceiver<Message>, patience: Duration) -> bool {
    let end = Instant::now() + patience;
    while Instant::now() < end {
        match heard.try_recv() {
            Ok(Message::SessionsChanged) => return true,
            Ok(_) => {}
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
    false
}

/// A watched folder with a session and a sub-agent's, in which nothing has happened yet.
struct Watched {
    _root: tempfile::TempDir,
    folder: PathBuf,
    heard: UnboundedReceiver<Message>,
    _watch: Watch,
}

impl Watched {
    fn new(refused: Option<i32>) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("projects");
        fs::create_dir_all(folder.join("a/s1/subagents")).expect("a folder");
        fs::create_dir_all(folder.join("a/memory")).expect("a folder");
        fs::write(folder.join("a/s1.jsonl"), "{}\n").expect("a file");
        fs::write(folder.join("a/s1/subagents/agent-1.jsonl"), "{}\n").expect("a file");
        let (out, heard) = unbounded_channel();
        let watch = Watch::start(out, refused);
        let shown = |depth| Shown {
            name: folder.clone(),
            real: folder.clone(),
            depth,
        };
        // The same folder is watched for something else too.
        let standing = watch.folders(vec![shown(Depth::Names), shown(Depth::Sessions)]);
        assert!(standing.recv().is_err(), "it ends when they are watched");
        Self {
            _root: root,
            folder,
            heard,
            _watch: watch,
        }
    }
}

fn append(file: &Path) {
    let text = fs::read_to_string(file).unwrap_or_default() + "{}\n";
    fs::write(file, text).expect("a file");
}

/// Each in a folder and a watch of its own, so that none is told by what another left behind.
#[test]
fn transcripts_that_come_grow_and_go_are_told_of_and_what_lies_beside_them_is_not() {
    const LONG: Duration = Duration::from_secs(20);
    type Step = fn(&Path);
    let told: [(&str, Step); 6] = [
        ("grown", |folder| append(&folder.join("a/s1.jsonl"))),
        ("a sub-agent's grown", |folder| {
            append(&folder.join("a/s1/subagents/agent-1.jsonl"));
        }),
        ("a new one", |folder| append(&folder.join("a/s2.jsonl"))),
        ("one of a new project", |folder| {
            fs::create_dir_all(folder.join("b")).expect("a folder");
            append(&folder.join("b/s3.jsonl"));
        }),
        ("a sub-agent's of a new project", |folder| {
            fs::create_dir_all(folder.join("b/s3/subagents")).expect("a folder");
            append(&folder.join("b/s3/subagents/agent-2.jsonl"));
        }),
        ("gone", |folder| {
            fs::remove_file(folder.join("a/s1.jsonl")).expect("it goes");
        }),
    ];
    std::thread::scope(|threads| {
        for refused in [None, Some(28)] {
            for (what, step) in told {
                threads.spawn(move || {
                    let mut watched = Watched::new(refused);
                    step(&watched.folder);
                    let is_told = told_of_sessions(&mut watched.heard, LONG);
                    assert!(is_told, "{what}, {refused:?}");
                });
            }
            threads.spawn(move || {
                let mut watched = Watched::new(refused);
                let folder = &watched.folder;
                fs::write(folder.join("a/memory/one.md"), "x").expect("a file");
                fs::write(folder.join("a/memory/one.jsonl"), "x").expect("a file");
                fs::write(folder.join("a/s1/other.txt"), "x").expect("a file");
                fs::read(folder.join("a/s1.jsonl")).expect("reading is no change");
                let quiet = Duration::from_millis(1_500);
                assert!(!told_of_sessions(&mut watched.heard, quiet), "{refused:?}");
            });
        }
    });
}
