use super::*;
use crate::memory::file::MemoryType;

const FOLDER: &str = "/home/u/.claude/projects/-srv-proj/memory";

fn shipped(recall: Recall) -> String {
    MemoryPrompt::default().text(recall, Path::new(FOLDER))
}

#[test]
fn our_text_has_each_section_in_its_order() {
    let text = shipped(Recall::Index);
    let titles: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    assert_eq!(titles, Section::ALL.map(Section::title));
    assert!(text.starts_with("# Memory\n\n## Where memory is\n\n"));
    assert!(!text.contains("<!--"), "notes to people are not sent");
}

/// A number in the text that is a limit of ours stands there as a place: else it could go wrong.
#[test]
fn limits_and_places_are_those_of_the_code() {
    let bare = prompt_file::without_comments(SHIPPED);
    let numbers: Vec<&str> = bare
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .collect();
    // A date in an example, and the two steps.
    assert_eq!(numbers, ["2031", "03", "05", "1", "2"]);
    let used: Vec<&str> = bare.lines().flat_map(prompt_file::places).collect();
    for place in PLACES {
        assert!(used.contains(&place), "{{{place}}} is not used");
        assert!(value(place, Path::new("/x")).is_some(), "{place}");
    }
    let text = shipped(Recall::Index);
    assert!(
        text.contains("first 200 lines and 25000 characters")
            && text.contains(&format!("folder `{FOLDER}`"))
    );
    assert!(text.contains("below 150\n   characters"), "{text}");
    assert!(
        !text.contains('{') && !text.contains('}'),
        "every place is filled"
    );
    let prefetch = shipped(Recall::Prefetch);
    assert!(prefetch.contains("Up to 5 memories") && prefetch.contains("200 lines or 4096 bytes"));
}

#[test]
fn the_four_types_are_those_of_the_store() {
    let text = MemoryPrompt::default().section(Section::Types, Recall::Index, Path::new(FOLDER));
    let named: Vec<MemoryType> = text
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once('`'))
        .map(|(word, _)| MemoryType::of_word(word))
        .collect();
    let all = [
        MemoryType::User,
        MemoryType::Feedback,
        MemoryType::Project,
        MemoryType::Reference,
    ];
    assert_eq!(named, all);
}

#[test]
fn the_text_follows_the_mode() {
    let index = shipped(Recall::Index);
    let prefetch = shipped(Recall::Prefetch);
    assert!(index.contains("stands in the conversation") && !index.contains("No list of memories"));
    assert!(
        prefetch.contains("No list of memories")
            && !prefetch.contains("stands in the conversation")
    );
    for text in [&index, &prefetch] {
        assert!(!text.contains("index: ") && !text.contains("prefetch: "));
        // It never claims that the list is here.
        assert!(!text.contains("list below") && !text.contains("listed below"));
    }
    assert_eq!(shipped(Recall::Off), "");
}

#[test]
fn extraction_says_what_the_section_says() {
    let prompt = MemoryPrompt::default();
    for section in [Section::Types, Section::NotToSave, Section::HowToSave] {
        let alone = prompt.section(section, Recall::Index, Path::new(FOLDER));
        assert!(alone.starts_with(&format!("## {}\n\n", section.title())));
        assert!(shipped(Recall::Index).contains(&alone));
    }
}

#[test]
fn a_persons_own_text_must_have_what_the_code_needs() {
    let faults = |text: &str| -> Vec<String> {
        let parsed = MemoryPrompt::parse(Path::new("/c/prompts/memory.md"), text);
        parsed
            .err()
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert!(faults(SHIPPED).is_empty());
    let holds = "; the text that comes with loci holds";
    let missing = SHIPPED.replace(
        "## Memory and its neighbours",
        "### Memory and its neighbours",
    );
    assert_eq!(
        faults(&missing),
        [format!(
            "/c/prompts/memory.md: the section \"## Memory and its neighbours\" is missing{holds}"
        )]
    );
    let line = SHIPPED
        .lines()
        .position(|line| line == "## When to look")
        .map_or(0, |at| at + 1);
    let renamed = SHIPPED.replace("## When to look", "## When not to look");
    assert_eq!(
        faults(&renamed),
        [format!(
            "/c/prompts/memory.md:{line}: the section here must be \"## When to look\"{holds}"
        )]
    );
    let unknown = SHIPPED.replace("{index_lines}", "{index_rows}");
    let said = faults(&unknown);
    assert!(
        said.len() == 1 && said[0].contains("{index_rows} is no place that is known: {folder}, "),
        "{said:?}"
    );
    assert_eq!(faults("").len(), 1);
}

#[test]
fn a_persons_own_text_is_taken_from_our_configuration_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = Disk::system();
    assert_eq!(
        MemoryPrompt::read(&disk, folder.path()),
        (MemoryPrompt::default(), Vec::new())
    );
    let file = folder.path().join(FILE);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let own = SHIPPED.replace("Do it in this turn", "Do it AT ONCE, {folder}");
    std::fs::write(&file, own).expect("written");
    let (prompt, faults) = MemoryPrompt::read(&disk, folder.path());
    assert!(faults.is_empty());
    assert!(
        prompt
            .text(Recall::Index, Path::new("/m"))
            .contains("Do it AT ONCE, /m")
    );
    std::fs::write(&file, "# nothing").expect("written");
    let (prompt, faults) = MemoryPrompt::read(&disk, folder.path());
    assert_eq!((prompt, faults.len()), (MemoryPrompt::default(), 1));
    std::fs::write(&file, b"\xFF").expect("written");
    assert_eq!(MemoryPrompt::read(&disk, folder.path()).1.len(), 1);
}
