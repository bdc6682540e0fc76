use super::*;
use crate::base::disk::Disk;
use crate::health::fixture::{NOW, World, head};
use crate::transcript::digest::Digest;
use crate::transcript::digests::{Digested, Digests};
use crate::transcript::found::Found;
use crate::transcript::swept::Swept;

const DAY: i64 = 86_400;

/// A session that read this file so many days ago.
fn read(world: &World, path: &str, days: i64) -> Digested {
    let time = Moment::from_seconds(NOW.seconds - days * DAY).rfc3339();
    let path = world.folder().join(path);
    let used = serde_json::json!({"type": "assistant", "uuid": "u", "timestamp": time, "message": {"content": [
        {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": path}}]}});
    let answered = serde_json::json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "t", "content": "x"}]}});
    let text = format!("{used}\n{answered}\n");
    let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    let found = Found {
        project: "-srv-p".to_string(),
        session: "s".to_string(),
        path: "/s.jsonl".into(),
        is_agent: false,
        bytes: 0,
        modified: None,
    };
    Digested { found, digest }
}

/// The findings of use, as `code path`. `known_days`: so far all is known. `sessions`: their ages in days.
fn found(
    world: &World,
    all: Vec<Digested>,
    known_days: i64,
    sessions: Option<&[(&str, i64)]>,
) -> Vec<String> {
    let digests = Digests {
        unread: 0,
        all,
        faults: Vec::new(),
        notices: Vec::new(),
        left_out: Vec::new(),
        read: 0,
        swept: Swept::nothing(known_days, NOW),
        is_blind: false,
    };
    let written = |days: i64| Some(Moment::from_seconds(NOW.seconds - days * DAY));
    let evidence = Evidence {
        uses: &Uses::of(&digests),
        sessions: sessions.map(|all| all.iter().map(|(id, days)| (*id, written(*days))).collect()),
        keep_days: 30,
        now: NOW,
    };
    let roots = Roots::of(&Disk::system(), &world.folder());
    let found = used("-srv-p", &world.examine(), &roots, &evidence, &world.rules);
    found
        .iter()
        .map(|one| format!("{} {}", one.code.word(), one.path))
        .collect()
}

#[test]
fn what_nobody_read_is_told_only_where_transcripts_reach_back() {
    let world = World::new();
    world.days_old("one.md", head("one"), 90);
    world.days_old("two.md", head("two"), 90);
    world.days_old("young.md", head("young"), 59);
    let reads = |days| vec![read(&world, "one.md", days)];
    assert_eq!(found(&world, reads(59), 60, None), ["never-read two.md"]);
    assert_eq!(
        found(&world, reads(61), 61, None),
        ["never-read one.md", "never-read two.md"]
    );
    assert_eq!(found(&world, reads(59), 59, None), [""; 0]);
}

#[test]
fn a_memory_whose_session_is_gone_or_goes_is_told() {
    let world = World::new();
    let from = |session: &str| {
        head("x").replace("  type:", &format!("  originSessionId: {session}\n  type:"))
    };
    world.file("gone.md", from("s0"));
    world.file("soon.md", from("s1"));
    world.file("later.md", from("s2"));
    let sessions = [("s1", 23), ("s2", 22)];
    assert_eq!(
        found(&world, Vec::new(), 0, Some(&sessions)),
        ["origin-swept gone.md", "expiring soon.md"]
    );
    // Where not all sessions could be listed, none is called gone.
    assert_eq!(found(&world, Vec::new(), 0, None), [""; 0]);
}

/// A project whose newest transcript is so old.
fn project(origin: Origin, memories: &[&str], days: i64) -> Project {
    let modified = Some(Moment::from_seconds(NOW.seconds - days * DAY));
    Project {
        key: "-srv-p".to_string(),
        folder: "/projects/-srv-p".into(),
        memory: "/projects/-srv-p/memory".into(),
        path: Some("/srv/p".into()),
        origin,
        evidence: Vec::new(),
        candidates: Vec::new(),
        census: crate::project::Census {
            sessions: vec![crate::project::Session {
                id: "s".to_string(),
                transcript: "/projects/-srv-p/s.jsonl".into(),
                bytes: 1,
                modified,
                folder: None,
                subagents: Vec::new(),
            }],
            memories: memories.iter().map(|path| (*path).to_string()).collect(),
            ..crate::project::Census::default()
        },
        guests: Vec::new(),
        memory_key: "-srv-p".to_string(),
        notes: Vec::new(),
    }
}

#[test]
fn the_last_transcripts_of_a_project_are_told_before_they_go() {
    let told = |one: &Project, is_told: bool| {
        let stay = Stay {
            keep_days: 30,
            now: NOW,
            is_told,
        };
        let found = expiring(one, stay, &Rules::default());
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let none = project(Origin::Live, &[], 23);
    assert_eq!(
        told(&none, true),
        [
            "its only session is cleaned up in 7 days, and no memory was made of any: read them before that"
        ]
    );
    assert_eq!(told(&project(Origin::Live, &[], 22), true), [""; 0]);
    assert_eq!(
        told(&project(Origin::Live, &["one.md"], 40), false),
        [""; 0]
    );
    let gone = project(Origin::Orphaned, &["one.md"], 40);
    assert_eq!(
        told(&gone, false),
        [
            "its only session goes with the client's next clean-up, and nothing else tells that the folder is about /srv/p"
        ]
    );
    assert_eq!(told(&gone, true), [""; 0]);
}
