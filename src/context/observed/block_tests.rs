use super::*;
use crate::context::fixture_for_tests::rule;
use crate::context::observed::data::{newest, version};
use crate::instructions::Layer;

fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(Piece::shown).collect()
}

#[test]
fn an_older_block_carries_the_date() {
    let (old, _) = version("2.1.220").expect("a version");
    let files = sent(&old.wrapper.labels, &[rule("/p/CLAUDE.md", "USER")], None);
    let pieces = pieces(&old.wrapper, &files, "2026-11-30");
    assert!(
        text(&pieces)
            .contains("USER\n# currentDate\nToday's date is 2026-11-30.\n\n      IMPORTANT")
    );
    assert!(text(&pieces).ends_with("</system-reminder>\n\n"));
    assert!(pieces.iter().any(|piece| piece.kind == Kind::Date));
}

#[test]
fn an_empty_index_is_no_entry_and_no_file_is_no_block() {
    let labels = &newest().wrapper.labels;
    let files = sent(labels, &[], Some((Path::new("/m/MEMORY.md"), "")));
    assert!(files.is_empty());
    assert!(pieces(&newest().wrapper, &files, "2026-11-30").is_empty());
}

#[test]
fn what_changed_is_told_file_by_file() {
    let labels = &newest().wrapper.labels;
    let before = sent(labels, &[rule("/a", "1"), rule("/b", "2")], None);
    let now = sent(
        labels,
        &[rule("/a", "1"), rule("/b", "3"), rule("/c", "4")],
        None,
    );
    let changed: Vec<String> = changed(&before, &now)
        .into_iter()
        .map(|one| one.text)
        .collect();
    assert_eq!(changed, ["3", "4"]);
}

/// What a list of rules counts is what the newest version sends.
#[test]
fn the_line_that_names_a_file_is_known_to_those_who_build_no_request() {
    let wrapper = &newest().wrapper;
    assert_eq!(wrapper.between, around::BETWEEN);
    for layer in [Layer::Managed, Layer::User, Layer::Project, Layer::Local] {
        let line = wrapper.entry.replace("{path}", "/p/CLAUDE.md");
        let line = line.replace("{label}", wrapper.labels.of(layer));
        assert_eq!(around::line(Path::new("/p/CLAUDE.md"), layer), line);
    }
}

#[test]
fn what_a_read_brings_along_has_no_label() {
    assert_eq!(
        text(&nested(Path::new("/p/sub/CLAUDE.md"), "SUB")),
        "<system-reminder>\nContents of /p/sub/CLAUDE.md:\n\nSUB\n\n</system-reminder>"
    );
}
