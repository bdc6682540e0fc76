use super::*;
use crate::llm::structured::Structured;

fn names(names: &[&str]) -> Selection {
    Selection::Names(names.iter().map(|name| (*name).to_string()).collect())
}

fn is_garbage(structured: &Structured) -> bool {
    matches!(read(structured), Selection::Garbage(_))
}

#[test]
fn a_choice_is_read_whole_or_as_far_as_it_came() {
    let whole = |text: &str| Structured::Whole(serde_json::from_str(text).unwrap());
    assert_eq!(
        read(&whole(r#"{"selected_memories": ["a.md", " b.md "]}"#)),
        names(&["a.md", "b.md"])
    );
    assert_eq!(read(&whole(r#"["a.md"]"#)), names(&["a.md"]));
    assert_eq!(read(&whole(r#"{"selected_memories": []}"#)), names(&[]));
    assert!(is_garbage(&whole(r#"{"selected_memories": "a.md"}"#)));
    assert!(is_garbage(&whole(r#"{"memories": ["a.md"]}"#)));
    assert!(is_garbage(&whole(r#"{"selected_memories": [1, null]}"#)));
    let cut = |text: &str| Structured::Cut(text.to_string());
    assert_eq!(
        read(&cut(r#"{"selected_memories": ["a.md", "b.m"#)),
        names(&["a.md"])
    );
    assert!(is_garbage(&cut(r#"{"selected_memories": ["a.m"#)));
    assert!(is_garbage(&Structured::Missing(String::new())));
    assert!(is_garbage(&Structured::Missing("none of them".to_string())));
}

#[test]
fn our_text_says_the_limit_of_the_code_and_asks_for_the_list_that_is_read() {
    let text = SelectorPrompt::default().text;
    assert!(text.starts_with("## What to do\n"), "{text}");
    assert!(text.contains("Choose at most 5."), "{text}");
    assert!(text.contains(&format!("{{\"{KEY}\": [")), "{text}");
    assert!(!text.contains("<!--"), "{text}");
    let bare: String = SHIPPED.chars().filter(char::is_ascii_digit).collect();
    assert_eq!(bare, "", "a limit stands there as a place");
}

#[test]
fn a_persons_own_text_holds_and_a_wrong_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::system();
    let own = folder.path().join(FILE);
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    let text = "## What to do\nMine, {recalled}.\n## What to choose\nb\n## What to leave out\nc\n";
    std::fs::write(&own, text).unwrap();
    let (prompt, faults) = SelectorPrompt::read(&disk, folder.path());
    assert!(
        faults.is_empty() && prompt.text.contains("Mine, 5."),
        "{faults:?}"
    );
    std::fs::write(&own, "## What to do\n{many}\n").unwrap();
    let (prompt, faults) = SelectorPrompt::read(&disk, folder.path());
    assert_eq!(prompt, SelectorPrompt::default());
    let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(
        said[0].contains(
            "{many} is no place that is known: {recalled}; the text that comes with loci holds"
        ),
        "{said:?}"
    );
    assert!(
        said[1].contains("the section \"## What to choose\" is missing"),
        "{said:?}"
    );
}
