//! A made-up screen for tests: a few shelves with everything that can be well or wrong on them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agents::{Contents, Entry, Hits, Layout, Shelf, ShelfHit, ShelfKind};
use crate::app::dialog::{Answer, Choice, Merge};
use crate::app::history_view::Past;
use crate::app::key::Key;
use crate::app::layout::Size;
use crate::app::list::List;
use crate::app::message::{Done, Editable, Effect, Excerpt, Message, Order, Proposed, Wanted};
use crate::app::{App, Measured, Start};
use crate::base::time::Moment;
use crate::base::{front_matter, markdown};
use crate::health::{Code, Finding, Fix};
use crate::memory::file::{Drawer, MemoryType, Page, State};
use crate::memory::index::Index;
use crate::memory::load;
use crate::memory::pointer::{self, Targets};
use crate::memory::proposal::{Proposal, Wish};
use crate::memory::search::{self, Hit, Place, Query};
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::diff;
use crate::store::draft::Draft;
use crate::store::journal;
use crate::store::merge::three_way;
use crate::store::trash::{Item, Manifest};

const NOW: i64 = 1_800_000_000;
const DAY: i64 = 86_400;

pub const PAGE: &str = "---\nname: db-migration-needs-backup\ndescription: Take a snapshot by hand before a migration\nmetadata:\n  type: project\n  owner: ops: team\n---\n# Before a migration\n\nBefore `prisma migrate deploy` in production, take a **snapshot** by hand.\n\n**Why:** the *automatic* one runs at night, see [[release-freeze]].\n\n1. open the console\n2. 数据库快照，再部署\n   - wait for `done`\n\n> It was lost once.\n\n| step | minutes |\n|------|--------:|\n| snapshot | 4 |\n\n```sh\nprisma migrate deploy\n```\n\nhidden: \u{202E}txt\u{1b}[31m\n";

/// A shelf of a kind.
pub fn shelf(kind: ShelfKind, key: &str, path: Option<&str>, memories: usize) -> Shelf {
    Shelf {
        key: key.to_string(),
        kind,
        path: path.map(PathBuf::from),
        folder: PathBuf::from(format!("/home/ada/.claude/projects/{key}/memory")),
        memories,
        transcripts: 3,
    }
}

/// The shelf of the working directory.
pub fn here() -> Shelf {
    shelf(
        ShelfKind::Project,
        "-work-shop-web",
        Some("/work/shop-web"),
        10,
    )
}

/// Others: a project without a known path, a hostile name, one with an index past its limit, an agent.
pub fn others() -> Vec<Shelf> {
    vec![
        shelf(ShelfKind::Project, "-work-api-gateway", None, 11),
        shelf(
            ShelfKind::Project,
            "-work-evil",
            Some("/work/nest\u{202E}dm.exe"),
            2,
        ),
        shelf(ShelfKind::Agent, "agent-memory/reviewer", None, 4),
    ]
}

/// A memory.
pub fn entry(path: &str, kind: MemoryType, state: State, days: i64) -> Entry {
    Entry {
        path: path.into(),
        name: None,
        description: None,
        kind,
        drawer: match path.split('/').next() {
            Some("team") => Drawer::Team,
            Some("learnings") => Drawer::Learnings,
            Some(_) | None => Drawer::Private,
        },
        created: None,
        modified: Some(Moment::from_seconds(NOW - days * DAY)),
        bytes: 1_204,
        state,
        unread: None,
    }
}

fn named(name: &str, entry: Entry) -> Entry {
    Entry {
        name: Some(name.into()),
        ..entry
    }
}

/// An index of a text whose pointers are looked up among these files.
pub fn index(text: &str, files: &[&str]) -> Index {
    Index {
        path: PathBuf::from("/home/ada/.claude/projects/-work-shop-web/memory/MEMORY.md"),
        text: text.to_string(),
        pointers: pointer::read(
            text,
            &markdown::marks(text),
            &Targets::new(files.iter().copied()),
        ),
        loaded: load::load(text),
        off: None,
        leads_out: None,
    }
}

/// What the shelf of the working directory holds.
pub fn contents() -> Contents {
    let entries = vec![
        entry(
            "db-migration-needs-backup.md",
            MemoryType::Project,
            State::Ok,
            34,
        ),
        entry("release-freeze.md", MemoryType::Project, State::Ghost, 2),
        entry("no-fences.md", MemoryType::Missing, State::Broken, 5),
        entry("likes-short-answers.md", MemoryType::User, State::Ok, 400),
        entry(
            "odd.md",
            MemoryType::Unknown("howto".into()),
            State::NoType,
            0,
        ),
        named(
            "nest\u{202E}dm.exe \u{1b}[31mred",
            entry("evil.md", MemoryType::Feedback, State::Ok, 1),
        ),
        named(
            "家族 👨‍👩‍👧 and \u{E0041}tags, a name that is long enough to be cut",
            entry("family.md", MemoryType::Reference, State::Ok, 12),
        ),
        entry("gone.md", MemoryType::Reference, State::Unsafe, 12),
        entry("team/deploy.md", MemoryType::Project, State::Ok, 7),
        entry("learnings/retry.md", MemoryType::Feedback, State::Ok, 9),
    ];
    let text = "<!-- kept by hand -->\n# Memory\n\n- [Backup](db-migration-needs-backup.md) — take a snapshot by hand before a migration\n- [Freeze](freeze.md) — gone\n- [Backup again](db-migration-needs-backup.md)\n- [Short](Likes-Short-Answers.md)\n- [Out](../../secret.md)\n- [Not closed](odd.md\n- \u{202E}[evil](evil.md) \u{1b}[31m\n";
    let files: Vec<_> = entries.iter().map(|entry| &*entry.path).collect();
    let team = index("- [Deploy](deploy.md)\n", &["deploy.md"]);
    Contents {
        layout: Layout::Classic,
        logs: vec!["logs/2027/01/2027-01-14.md".to_string()],
        index: Some(index(text, &files)),
        team_index: Some(team),
        index_fault: None,
        faults: vec!["locked.md can't be read: permission denied".to_string()],
        entries,
    }
}

/// Contents whose index is cut at its 200th line.
pub fn long_contents() -> Contents {
    let text: String = (1..=212)
        .map(|at| format!("- [Entry {at}](entry-{at}.md) — hook {at}\n"))
        .collect();
    let files: Vec<_> = (1..=212).map(|at| format!("entry-{at}.md")).collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    Contents {
        index: Some(index(&text, &files)),
        ..contents()
    }
}

/// A file read.
pub fn page(text: &str) -> Page {
    Page {
        path: PathBuf::from(
            "/home/ada/.claude/projects/-work-shop-web/memory/db-migration-needs-backup.md",
        ),
        text: text.to_string(),
        lossy: false,
        front: front_matter::read(text).into_owned(),
        modified: Moment::from_seconds(NOW - 34 * DAY),
        bytes: 1_204,
    }
}

/// A screen of this size on these contents, everything counted.
pub fn app_on(width: u16, height: u16, contents: Contents) -> App {
    let (mut app, effects) = App::new(Start {
        size: Size { width, height },
        now: Moment::from_seconds(NOW),
        here: here(),
        contents,
        store_notices: Vec::new(),
        mouse: true,
        demo: false,
    });
    answer(&mut app, effects);
    measure(&mut app);
    app
}

/// The usual screen.
pub fn app(width: u16, height: u16) -> App {
    app_on(width, height, contents())
}

/// A screen without any memory.
pub fn empty_app(width: u16, height: u16) -> App {
    let (app, _) = App::new(Start {
        size: Size { width, height },
        now: Moment::from_seconds(NOW),
        here: Shelf {
            memories: 0,
            ..here()
        },
        contents: Contents::default(),
        store_notices: vec!["memory is moved by CLAUDE_CONFIG_DIR to /elsewhere".to_string()],
        mouse: false,
        demo: false,
    });
    app
}

/// Tells the model of a view of forty lines, as drawing would.
pub fn measure(app: &mut App) {
    app.settle(Measured {
        page_lines: 40,
        ..Measured::default()
    });
}

/// Presses keys, one after the other, as the table writes them, and answers what they ask for.
pub fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut all = Vec::new();
    for key in Key::parse_chord(keys).expect("a test presses keys that exist") {
        let effects = app.update(Message::Key(key));
        all.extend(effects.clone());
        answer(app, effects);
        measure(app);
    }
    all
}

/// Answers effects as the worker would.
pub fn answer(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        let messages = match effect {
            Effect::Survey { id } => {
                let mut shelves = others();
                shelves.push(here());
                vec![
                    Message::Shelves {
                        id,
                        here: here(),
                        shelves: shelves.clone(),
                    },
                    Message::Surveyed { id, shelves },
                    Message::SurveyDone { id },
                ]
            }
            Effect::ReadShelf { id, shelf } => vec![Message::Contents {
                id,
                folder: shelf.folder,
                contents: Box::new(contents()),
            }],
            Effect::ReadPage { id, at } => vec![Message::Page {
                id,
                path: at.path(),
                page: Ok(Box::new(page(PAGE))),
            }],
            Effect::Examine { id, .. } => vec![Message::Examined {
                id,
                findings: findings(),
            }],
            Effect::EditOutside { at, bytes } => vec![Message::EditedOutside {
                at,
                edited: Ok([bytes.as_slice(), b"more\n"].concat()),
                before: bytes,
            }],
            Effect::Search { id, words } => vec![Message::Found {
                id,
                found: Box::new(found(&words)),
                done: true,
            }],
            Effect::Preview { id, .. } => vec![Message::Preview {
                id,
                excerpt: Ok(Excerpt {
                    first: 1,
                    lines: PAGE.lines().map(str::to_string).collect(),
                }),
            }],
            Effect::Write(order) => written(order),
            Effect::EndSearch
            | Effect::Watch { .. }
            | Effect::Copy(_)
            | Effect::Redraw
            | Effect::Mouse(_)
            | Effect::Suspend
            | Effect::Quit => Vec::new(),
        };
        for message in messages {
            let more = app.update(message);
            answer(app, more);
        }
    }
}

fn applied(id: u64, title: &str) -> Message {
    Message::Applied {
        id,
        applied: Ok(Done {
            title: title.to_string(),
            notices: Vec::new(),
        }),
    }
}

/// What a wish comes to here: one file to the trash and a line of the index.
fn proposed(folder: &Path, wanted: &Wanted) -> Proposed {
    let path = folder.join("MEMORY.md");
    let write = Op::Write {
        path: path.clone(),
        before: Some(b"- [A](a.md)\n- [B](b.md)\n".to_vec()),
        after: b"- [A](a.md)\n".to_vec(),
        age: Age::Keep,
    };
    let set = ChangeSet::new("trash b", Author::You)
        .with(write, "its line goes")
        .with(
            Op::Trash {
                path: folder.join("b.md"),
            },
            "to the trash",
        );
    Proposed {
        diff: diff::of_set(&set) + "trash b.md\n",
        notices: Vec::new(),
        proposals: vec![Proposal {
            set,
            file: match wanted {
                Wanted::Wish(Wish::Create { name, .. } | Wish::Rename { name, .. }) => {
                    Some(format!("{name}.md"))
                }
                Wanted::Wish(Wish::Remove { .. } | Wish::Index { .. }) | Wanted::Fix(_) => None,
            },
            warning: None,
        }],
    }
}

/// What any words find: three exact hits on two shelves, a hostile one among them, and a similar one.
pub fn found(words: &str) -> Hits {
    let query = Query::new(words);
    let hit = |path: &str, place, line, text: &str, exact| Hit {
        path: path.into(),
        name: Some(path.trim_end_matches(".md").into()),
        description: Some("Take a snapshot by hand before a migration".into()),
        kind: MemoryType::Project,
        place,
        line,
        text: text.to_string(),
        marks: search::marks(&query, text),
        score: 0,
        exact,
    };
    let (near, far) = (Arc::new(here()), Arc::new(others()[0].clone()));
    let backup = "db-migration-needs-backup.md";
    let body = "Before `prisma migrate deploy` in production, take a **snapshot** by hand.";
    let evil = "nest\u{202E}dm.exe snapshot \u{1b}[31mred 数据库快照";
    Hits {
        hits: vec![
            ShelfHit::new(
                Arc::clone(&far),
                hit(backup, Place::Body, Some(10), body, true),
            ),
            ShelfHit::new(
                Arc::clone(&near),
                hit(backup, Place::Body, Some(10), body, true),
            ),
            ShelfHit::new(
                Arc::clone(&near),
                hit("evil.md", Place::Name, Some(2), evil, true),
            ),
            ShelfHit::new(
                far,
                hit(
                    "release-freeze.md",
                    Place::Name,
                    Some(2),
                    "release-freeze",
                    false,
                ),
            ),
        ],
        exact: 3,
        fuzzy: 1,
        faults: Vec::new(),
    }
}

/// A draft that is offered.
pub fn choice() -> Choice {
    let draft = Draft {
        v: 1,
        path: PathBuf::from("/x.md"),
        base: String::new(),
        text: String::new(),
        cursor: (0, 0),
        time: String::new(),
    };
    Choice {
        title: "a draft".to_string(),
        lines: Vec::new(),
        answers: vec![
            ("take", Answer::TakeDraft(Box::new(draft.clone()))),
            ("drop", Answer::DropDraft(Box::new(draft))),
        ],
        list: List::default(),
    }
}

/// Two places that both sides changed, of the memory being edited.
pub fn conflict(app: &App) -> Merge {
    let at = app.editor.as_ref().expect("an edit is open").at.clone();
    let three_way = three_way(b"a\n--\nc\n", b"mine\n--\nmy\n", b"theirs\n--\nyour\n");
    Merge::new(at, three_way)
}

/// A few findings: with and without a fix.
pub fn findings() -> Vec<Finding> {
    let finding = |code: Code, path: &str, line, message: &str, fix| Finding {
        code,
        severity: code.severity(),
        project: "-work-shop-web".to_string(),
        path: path.to_string(),
        line,
        message: message.to_string(),
        fix,
    };
    let gone = Some(Fix::RemoveEntry {
        target: "gone.md".to_string(),
    });
    let dangling = "gone.md is not there: the model is sent to a file that it can't read";
    let stale =
        "112 days old: what it says may be true no more; read it and verify it, or let it go";
    vec![
        finding(Code::Dangling, "MEMORY.md", Some(4), dangling, gone),
        finding(Code::Stale, "odd.md", None, stale, None),
        finding(Code::Stale, "release-freeze.md", None, stale, None),
    ]
}

/// Three changes, one of them taken back, and one thing in the trash.
pub fn past() -> Past {
    let change =
        |key: &str, title: &str, author, minutes: i64, undoes: Option<&str>| journal::Entry {
            v: 1,
            key: key.to_string(),
            time: Moment::from_seconds(NOW - minutes * 60).rfc3339(),
            author,
            title: title.to_string(),
            session: None,
            steps: Vec::new(),
            undoes: undoes.map(str::to_string),
        };
    Past {
        changes: vec![
            change("k1", "trash old-plan", Author::You, 90, None),
            change("k2", "take the index line out", Author::Fix, 45, None),
            change(
                "k3",
                "undo take the index line out",
                Author::You,
                2,
                Some("k2"),
            ),
        ],
        trash: vec![Manifest {
            v: 1,
            key: "k1".to_string(),
            time: Moment::from_seconds(NOW - 90 * 60).rfc3339(),
            title: "trash old-plan".to_string(),
            items: vec![Item {
                name: "0".to_string(),
                path: PathBuf::from("/m/old-plan.md"),
            }],
        }],
    }
}

fn written(order: Order) -> Vec<Message> {
    match order {
        Order::Open { id, at } => vec![Message::Editable {
            id,
            at,
            read: Ok(Box::new(Editable {
                bytes: PAGE.as_bytes().to_vec(),
                modified: Some(Moment::from_seconds(NOW - 34 * DAY)),
                draft: None,
            })),
        }],
        Order::Propose { id, wishes } => vec![Message::Proposed {
            id,
            proposed: Ok(Box::new(proposed(&wishes[0].0, &wishes[0].1))),
        }],
        Order::Carry { id, .. } => vec![applied(id, "2 changes")],
        Order::Apply { id, set } => vec![applied(id, &set.title)],
        Order::Undo { id, .. } | Order::Restore { id, .. } | Order::Redo { id } => {
            vec![applied(id, "edit it")]
        }
        Order::ReadPast { id } => vec![Message::Past {
            id,
            past: Box::new(past()),
        }],
        Order::KeepDraft(_) | Order::DropDraft(_) | Order::ListDrafts => Vec::new(),
    }
}
