//! The demo: a made-up store in a folder of its own. Three projects, one in Chinese and one without
//! a transcript; four more whose folders give something to mend: one that has moved, one that is gone, one
//! that may be either of two, and a worktree that was removed; an index that is over its limits; the memories of two sub-agents; standing rules of the
//! person, of all projects and of the first one; two weeks of sessions with made-up prices; and one instance
//! of each thing that `doctor` finds, as far as a disk can easily have it. Ages are relative to now. The texts lie in
//! `assets/demo`, their ages in `ages.tsv` there; the `.git` folders are made here.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use include_dir::{Dir, include_dir};
use serde_json::json;

use crate::base::time::Moment;
use crate::memory::key;

#[path = "demo_sessions.rs"]
mod sessions;
#[path = "demo_usage.rs"]
mod usage;

static ASSETS: Dir = include_dir!("$CARGO_MANIFEST_DIR/assets/demo");

const DAY: i64 = 24 * 60 * 60;

/// Where things are in a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demo {
    pub home: PathBuf,
    pub config_home: PathBuf,
    /// The first project.
    pub cwd: PathBuf,
}

/// A project: its folder of texts, what its own folder is called, and the session that its
/// transcript is of.
struct Project {
    assets: &'static str,
    folder: &'static str,
    session: Option<Session>,
}

struct Session {
    id: &'static str,
    asked: &'static str,
    answered: &'static str,
    seconds_ago: i64,
}

const PROJECTS: [Project; 3] = [
    Project {
        assets: "shop-web",
        folder: "shop-web",
        session: Some(Session {
            id: "6f1d2c84-93a5-4b0e-8a57-2f4f0f3b7c11",
            asked: "The checkout test flickers again. Please find out why.",
            answered: "The container and the session store read two clocks, 40 s apart. I made the test wait for neither.",
            seconds_ago: 2 * 60 * 60,
        }),
    },
    Project {
        assets: "api-gateway",
        folder: "api-gateway",
        session: None,
    },
    Project {
        assets: "data-platform",
        folder: "数据平台",
        session: Some(Session {
            id: "51f6c2d8-0b9a-4e7d-a3f1-8d2e6b04c975",
            asked: "把上个季度的退款数据回填一下，先给方案。",
            answered: "按天分批，从最近一天往前；每批前后给行数和金额合计。先跑三天给你看。",
            seconds_ago: 25 * 60,
        }),
    },
];

/// A project folder that no longer leads to one folder of a project.
struct Lost {
    assets: &'static str,
    /// The folder that it is named after, below `work`.
    folder: &'static str,
    /// Where its sessions ran, below `work`.
    ran: &'static [(&'static str, Session)],
    /// What is there now: repositories with the files in them.
    there: &'static [(&'static str, &'static [&'static str])],
}

const LOST: [Lost; 4] = [
    // It lies elsewhere now: the files that its memory cites are there.
    Lost {
        assets: "mobile-app",
        folder: "mobile-app",
        ran: &[(
            "mobile-app",
            Session {
                id: "0b8f4d11-7c52-4e69-b1a8-c3d5e7f90a21",
                asked: "Why do two orders come in when the phone was in a lift?",
                answered: "One came from the queue and one from the view. I took the second way out.",
                seconds_ago: 6 * DAY,
            },
        )],
        there: &[("apps/mobile-app", &["src/queue.swift", "src/sync.swift"])],
    },
    // Nothing like it is there any more.
    Lost {
        assets: "old-shop",
        folder: "old-shop",
        ran: &[(
            "old-shop",
            Session {
                id: "2d6e9c53-1f08-4b7a-93c4-85a0d1b2e634",
                asked: "Where are the orders of 2019?",
                answered: "In the archive bucket, one file a month. They were never taken over.",
                seconds_ago: 11 * DAY,
            },
        )],
        there: &[],
    },
    // Two folders have this key, and sessions ran in both.
    Lost {
        assets: "price-feed",
        folder: "price-feed",
        ran: &[
            (
                "price-feed",
                Session {
                    id: "4a1c7e90-6b3d-4f25-8e71-d9f2a4c6b803",
                    asked: "Add the feed of the new supplier.",
                    answered: "Added. Its column is called net, as all of them are.",
                    seconds_ago: 5 * DAY,
                },
            ),
            (
                "price.feed",
                Session {
                    id: "7e5b2f38-9d41-4c06-a2f7-1b8c3d0e9546",
                    asked: "Is this the fork that goes live?",
                    answered: "It has the new export, the other folder has not.",
                    seconds_ago: 4 * DAY,
                },
            ),
        ],
        there: &[("price-feed", &[]), ("price.feed", &[])],
    },
    // A worktree of the first project that was removed, with what was learnt in it.
    Lost {
        assets: "shop-web-vouchers",
        folder: "shop-web/.claude/worktrees/vouchers",
        ran: &[(
            "shop-web/.claude/worktrees/vouchers",
            Session {
                id: "9c3f6a82-5e17-4d9b-b640-e2a7f1c8d035",
                asked: "A gift card shows up among the cart lines. Is that right?",
                answered: "No: it pays, so it belongs to the payment step. I moved it there.",
                seconds_ago: 7 * DAY,
            },
        )],
        there: &[],
    },
];

/// Makes the demo below `into`, which must exist, with ages counted to `now`.
///
/// # Errors
/// As the disk says.
pub fn seed(into: &Path, now: Moment) -> io::Result<Demo> {
    // Keys are made of real paths, and a temporary folder is often behind a link.
    let home = fs::canonicalize(into)?.join("home");
    let config_home = home.join(".claude");
    let work = home.join("work");
    for project in &PROJECTS {
        let folder = work.join(project.folder);
        make_repository(&folder)?;
        let kept = config_home
            .join("projects")
            .join(key::encode(&folder.to_string_lossy()));
        let memory = kept.join("memory");
        copy(project.assets, &memory, now)?;
        if let Some(session) = &project.session {
            write_transcript(session, &kept, &folder, now)?;
        }
        if project.assets == "shop-web" {
            write_day_log(&memory, now)?;
        }
    }
    for lost in &LOST {
        let folder = work.join(lost.folder);
        let kept = config_home
            .join("projects")
            .join(key::encode(&folder.to_string_lossy()));
        copy(lost.assets, &kept.join("memory"), now)?;
        for (ran, session) in lost.ran {
            write_transcript(session, &kept, &work.join(ran), now)?;
        }
        for (there, files) in lost.there {
            let folder = work.join(there);
            make_repository(&folder)?;
            for file in *files {
                write(&folder.join(file), b"", before(now, DAY))?;
            }
        }
    }
    copy("rules/user", &config_home, now)?;
    copy("rules/work", &work, now)?;
    let first = work.join(PROJECTS[0].folder);
    copy("rules/shop-web", &first, now)?;
    let kept = key::encode(&first.to_string_lossy());
    let kept = config_home.join("projects").join(kept);
    sessions::write_all(&kept, &first, &config_home, now)?;
    let chinese = work.join(PROJECTS[2].folder);
    let kept_there = key::encode(&chinese.to_string_lossy());
    let kept_there = config_home.join("projects").join(kept_there);
    usage::write_all((&kept, &first), (&kept_there, &chinese), now)?;
    usage::write_prices(&home, now)?;
    for agent in ["reviewer", "writer"] {
        let folder = config_home.join("agent-memory").join(agent);
        copy(&format!("agent-{agent}"), &folder, now)?;
    }
    Ok(Demo {
        cwd: work.join(PROJECTS[0].folder),
        home,
        config_home,
    })
}

/// A folder that counts as the root of a repository, as git lays it out.
fn make_repository(folder: &Path) -> io::Result<()> {
    let git = folder.join(".git");
    for inner in ["objects", "refs/heads"] {
        fs::create_dir_all(git.join(inner))?;
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(
        git.join("config"),
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    )
}

/// Writes the texts of one folder, each as old as `ages.tsv` says.
fn copy(assets: &str, to: &Path, now: Moment) -> io::Result<()> {
    let ages = ASSETS
        .get_file("ages.tsv")
        .and_then(include_dir::File::contents_utf8)
        .unwrap_or_default();
    for line in ages.lines() {
        let Some((path, age)) = line.split_once('\t') else {
            continue;
        };
        let Some(inner) = path
            .strip_prefix(assets)
            .and_then(|rest| rest.strip_prefix('/'))
        else {
            continue;
        };
        let text = ASSETS
            .get_file(path)
            .and_then(include_dir::File::contents_utf8)
            .ok_or_else(|| io::Error::other(format!("the demo has no {path}")))?;
        let time = before(now, seconds(age));
        let text = text
            .replace("{{modified}}", &time.rfc3339())
            .replace("{{release-notes}}", &release_notes(now))
            .replace("{{upstreams}}", &upstreams());
        write(&to.join(inner), &bytes_of(&text), time)?;
    }
    Ok(())
}

/// `25m`, `2h`, `47d` in seconds.
fn seconds(age: &str) -> i64 {
    let (number, unit) = age.split_at(age.len().saturating_sub(1));
    let unit = match unit {
        "m" => 60,
        "h" => 60 * 60,
        _ => DAY,
    };
    number.parse::<i64>().unwrap_or_default() * unit
}

fn before(now: Moment, seconds: i64) -> Moment {
    Moment::from_seconds(now.seconds - seconds)
}

/// `2026-05-04`: the day of a moment, in UTC.
fn day(time: Moment) -> String {
    time.rfc3339().chars().take(10).collect()
}

/// A text with a byte in it that is no UTF-8: somebody has saved it as Latin-1.
fn bytes_of(text: &str) -> Vec<u8> {
    let parts: Vec<&[u8]> = text.split("{{e9}}").map(str::as_bytes).collect();
    parts.join(&0xe9)
}

fn write(path: &Path, text: &[u8], time: Moment) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)?;
    let since = Duration::from_secs(u64::try_from(time.seconds).unwrap_or_default());
    let file = File::options().write(true).open(path)?;
    file.set_modified(SystemTime::UNIX_EPOCH + since)
}

/// What makes the first project's index too long: somebody keeps the release notes in it. The
/// entries that were added after them fall below the cut.
fn release_notes(now: Moment) -> String {
    const PARTS: [&str; 7] = [
        "cart",
        "checkout",
        "search",
        "product page",
        "account",
        "start page",
        "vouchers",
    ];
    const WHAT: [&str; 11] = [
        "fewer layout shifts while pictures load",
        "the total no longer jumps when a voucher is taken back",
        "keyboard focus stays visible in dialogs",
        "prices come with the first answer, not with the second",
        "long names break at the hyphen",
        "one request less on the way to the payment page",
        "errors of the address service are said in words",
        "the back button keeps the filters",
        "dark mode follows the system",
        "screen readers hear the number of results",
        "old session cookies are let go",
    ];
    const RELEASES: usize = 190;
    let lines: Vec<String> = (0..RELEASES)
        .map(|number| {
            let age = i64::try_from(RELEASES - number).unwrap_or_default() * 4 * DAY;
            format!(
                "- {} 2.{}.{}: {}: {}; canary 10 min, p95 {} ms, no rollback, Anna watched it",
                day(before(now, age)),
                number / 6,
                number % 6,
                PARTS[number % PARTS.len()],
                WHAT[number % WHAT.len()],
                180 + number * 37 % 240,
            )
        })
        .collect();
    lines.join("\n")
}

/// What makes one memory too large to be recalled whole: a list that belongs in a file of the project.
fn upstreams() -> String {
    const OWNERS: [(&str, &str); 6] = [
        ("storefront", "#storefront"),
        ("payments", "#payments-oncall"),
        ("logistics", "#logistics"),
        ("identity", "#identity"),
        ("pricing", "#pricing"),
        ("search", "#search-help"),
    ];
    const SERVICES: [&str; 8] = [
        "cart", "tax", "voucher", "stock", "address", "session", "image", "mail",
    ];
    const PARTS: [&str; 8] = [
        "api", "rounding", "events", "cache", "export", "admin", "batch", "mirror",
    ];
    let rows = SERVICES.iter().enumerate().flat_map(|(at, service)| {
        PARTS.iter().enumerate().map(move |(part, name)| {
            let (team, channel) = OWNERS[(at * 5 + part) % OWNERS.len()];
            format!(
                "| `{service}-{name}` | {team} | {channel} | {}:00 to 18:00 |",
                8 + part % 3
            )
        })
    });
    let head = "| upstream | team | channel | answers |\n| --- | --- | --- | --- |".to_string();
    let lines: Vec<String> = std::iter::once(head).chain(rows).collect();
    lines.join("\n")
}

/// Yesterday's notes, which dreaming would read. They are no memories.
fn write_day_log(memory: &Path, now: Moment) -> io::Result<()> {
    let yesterday = before(now, DAY);
    let day = day(yesterday);
    let path = memory
        .join("logs")
        .join(&day[..4])
        .join(&day[5..7])
        .join(format!("{day}.md"));
    let text = format!(
        "# {day}\n\n- 10:12 canary of 2.29.5 looked at for ten minutes, second row only\n\
         - 14:40 the checkout test failed again, one run in nine\n\
         - 16:05 asked Anna: the voucher field at 360 px may wrap, the button may not\n"
    );
    write(&path, text.as_bytes(), yesterday)
}

/// A short session. Its first line says where it ran.
fn write_transcript(session: &Session, kept: &Path, folder: &Path, now: Moment) -> io::Result<()> {
    let cwd = folder.to_string_lossy();
    let time = |later: i64| before(now, session.seconds_ago - later).rfc3339();
    // Each line's own: a line that two sessions share is that of a fork.
    let line = |number: u8| format!("{}0{number}", &session.id[..session.id.len() - 2]);
    let (first, second) = (line(1), line(2));
    let lines = [
        json!({
            "type": "user", "uuid": first, "parentUuid": null, "sessionId": session.id,
            "cwd": cwd, "gitBranch": "main", "version": "2.1.332", "timestamp": time(0),
            "message": {"role": "user", "content": session.asked},
        }),
        json!({
            "type": "assistant", "uuid": second, "parentUuid": first, "sessionId": session.id,
            "cwd": cwd, "gitBranch": "main", "version": "2.1.332", "timestamp": time(40),
            "message": {"role": "assistant", "content": [{"type": "text", "text": session.answered}]},
        }),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = kept.join(format!("{}.jsonl", session.id));
    write(
        &path,
        text.as_bytes(),
        before(now, session.seconds_ago - 40),
    )
}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
