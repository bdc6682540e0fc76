use std::fs;

use super::*;

fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, description, body) in [
        (
            "backup.md",
            "Take a snapshot before migrating production",
            "x".repeat(5_000),
        ),
        (
            "fonts.md",
            "The licence forbids embedding the font",
            "b".to_string(),
        ),
        ("tone.md", "Answer in short sentences", "b".to_string()),
    ] {
        let text = format!("---\nname: n\ndescription: {description}\ntype: project\n---\n{body}");
        fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

fn picks(question: Option<&str>) -> Picks {
    let world = world();
    let now = Moment::from_seconds(4_000_000_000);
    Picks::of(&Disk::system(), world.path(), question, now)
}

#[test]
fn the_list_the_picks_their_text_and_what_is_left_are_told() {
    let picks = picks(Some("migrate production without a snapshot?"));
    assert_eq!(picks.manifest.len(), 3);
    assert_eq!(picks.attached.len(), 1);
    let text: String = picks.attached[0]
        .iter()
        .map(|piece| piece.shown().into_owned())
        .collect();
    assert!(
        text.contains("days ago\n") && text.contains("Read has the rest"),
        "{text}"
    );
    assert_eq!(picks.notes.len(), 4);
    assert!(picks.notes[0].contains("by words"), "{:?}", picks.notes);
    assert!(
        picks.notes[1].starts_with("picked backup.md ("),
        "{:?}",
        picks.notes
    );
    assert_eq!(
        picks.notes[2],
        "of 3 to choose from, 2 more have not enough of the question's words"
    );
    assert_eq!(
        picks.notes[3],
        "57,344 of 61,440 bytes for memories are left in the session then"
    );
}

#[test]
fn nothing_is_picked_without_a_question_or_for_one_that_no_memory_answers() {
    assert_eq!(picks(None).notes[1], notes::NO_QUESTION);
    let none = picks(Some("thanks, that looks good"));
    assert!(none.attached.is_empty());
    assert_eq!(
        none.notes[1],
        "none of 3 has enough of the question's words"
    );
}
