use std::path::PathBuf;

use super::*;
use crate::base::markdown;
use crate::memory::file::{Drawer, Memory, MemoryType, State};
use crate::memory::load;
use crate::memory::pointer::{self, Targets};

fn index(text: &str) -> Index {
    let targets = Targets::new(["e.md"].into_iter());
    Index {
        path: PathBuf::from("/m/MEMORY.md"),
        text: text.to_string(),
        pointers: pointer::read(text, &markdown::marks(text), &targets),
        loaded: load::load(text),
        off: None,
        leads_out: None,
    }
}

fn memory(path: &str, bytes: u64) -> Memory {
    Memory {
        path: path.into(),
        name: None,
        description: None,
        kind: MemoryType::Project,
        drawer: Drawer::Private,
        created: None,
        modified: None,
        bytes,
        state: State::Ok,
        unread: None,
    }
}

#[test]
fn what_fits_is_told_by_the_limit_that_binds_first() {
    let more = |text: &str| Room::of(&index(text), &Contents::default(), false).more;
    // 40 entries of 30 units: 160 lines are left, and (25,000 - 1,199) / 30 = 793 by units.
    let line = "- [e](e.md) — 789 123456789 1\n";
    assert_eq!(line.encode_utf16().count(), 30);
    assert_eq!(more(&line.repeat(40)), Some(160));
    // 20 entries of 1,000 units: 5 more by units, (25,000 - 19,999) / 1,000, 180 by lines.
    let line = format!("- [e](e.md) — {}\n", "x".repeat(985));
    assert_eq!(line.encode_utf16().count(), 1_000);
    assert_eq!(more(&line.repeat(20)), Some(5));
    assert_eq!(more("# Memory\n"), None);
    assert_eq!(more(&"- [e](e.md)\n".repeat(212)), Some(0));
}

#[test]
fn an_index_stands_beside_the_bodies_of_its_own_memories() {
    let entries = vec![memory("e.md", 11_000), memory("team/t.md", 1_204)];
    let team_index = Some(index("- [T](t.md)\n"));
    let contents = Contents {
        entries,
        team_index,
        ..Contents::default()
    };
    let own = index(&"- [e](e.md)\n".repeat(199));
    assert_eq!(
        Room::of(&own, &contents, false).sentence(),
        "2 KB : 11 KB index to bodies · ≈ 1 more entry fits"
    );
    let team = contents.team_index.as_ref().expect("an index");
    assert_eq!(
        Room::of(team, &contents, true).sentence(),
        "11 bytes : 1 KB index to bodies · ≈ 199 more entries fit"
    );
    let alone = Contents {
        team_index: None,
        ..contents.clone()
    };
    assert_eq!(Room::of(&own, &alone, false).bodies, 12_204);
}

#[test]
fn many_memories_are_told_of() {
    assert_eq!(advice(149), None);
    let said = advice(150).expect("said");
    assert!(said.starts_with("150 memories: at some hundreds"), "{said}");
}
