use super::*;

fn of(name: &str) -> Vec<Instructions> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/oracle/transcripts"
    );
    let bytes = std::fs::read(format!("{folder}/{name}.jsonl")).expect(name);
    instructions(&bytes[..], bytes.len() as u64).unwrap()
}

#[test]
fn the_instructions_that_were_sent_are_told_with_their_texts() {
    let found = of("instructions_changed_2.1.332");
    let files = |found: &Instructions| -> Vec<String> {
        let files = found.files.iter();
        files
            .map(|file| format!("{} {} {}", file.layer, file.path, file.content))
            .collect()
    };
    let index = "/home/u/.claude/projects/-srv-proj/memory/MEMORY.md";
    assert_eq!(found.len(), 2);
    assert_eq!(files(&found[0])[0], "Project /srv/proj/CLAUDE.md PROJ v1");
    assert!(files(&found[0])[1].starts_with(&format!("AutoMem {index} ")));
    assert_eq!(
        files(&found[1])[..2],
        [
            "User /home/u/.claude/CLAUDE.md USER new",
            "Project /srv/proj/CLAUDE.md PROJ v2"
        ]
    );
    assert!(found[0].time.starts_with("2026-11-30T"));
    assert!(found[0].uuid.starts_with("689d145c"));
}

#[test]
fn older_clients_record_none() {
    assert_eq!(of("compacted_resumed_2.1.220"), []);
}

/// A text that looks like one is none.
#[test]
fn the_kind_of_a_line_counts_and_not_its_text() {
    let text = "{\"type\":\"user\",\"uuid\":\"a\",\"attachment\":{\"type\":\"instructions\",\"files\":[]}}\n\
        {\"type\":\"attachment\",\"uuid\":\"b\",\"attachment\":{\"type\":\"file\",\"content\":{\"type\":\"instructions\",\"files\":[]}}}\n\
        {\"type\":\"attachment\",\"uuid\":\"c\",\"attachment\":{\"type\":\"instructions\",\"files\":[]}}\n";
    let found = instructions(text.as_bytes(), text.len() as u64).unwrap();
    assert_eq!(
        found.iter().map(|found| &*found.uuid).collect::<Vec<_>>(),
        ["c"]
    );
}
