use std::path::PathBuf;

use super::*;
use crate::app::key::Code;
use crate::store::change::{Age, Op};

const TEXT: &str = "---\nname: one # kept\ndescription: first\nmetadata:\n  type: project\n  owner: ada\n---\n\nThe fact.\r\nMore\n";

fn open(bytes: &[u8]) -> Editor {
    let at = FileAt {
        folder: PathBuf::from("/m"),
        file: "one.md".to_string(),
    };
    Editor::open(at, bytes.to_vec(), None).unwrap()
}

fn type_in(editor: &mut Editor, text: &str) {
    for c in text.chars() {
        assert!(editor.press(Key::char(c)));
    }
}

fn saved(editor: &Editor) -> (String, Age) {
    match editor.save().unwrap() {
        Save::Change(set) => match &set.changes[0].op {
            Op::Write { after, age, .. } => (String::from_utf8(after.clone()).unwrap(), *age),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_untouched_edit_saves_nothing() {
    assert_eq!(open(TEXT.as_bytes()).save().unwrap(), Save::Same);
    assert!(Editor::open(open(b"").at, vec![0xff], None).is_err());
}

#[test]
fn a_field_changes_its_bytes_alone_and_keeps_the_age() {
    let mut editor = open(format!("\u{FEFF}{TEXT}").as_bytes());
    editor.spot = Spot::Field(2);
    assert!(editor.press(Key::plain(Code::Right)));
    let (text, age) = saved(&editor);
    assert_eq!(
        text,
        format!("\u{FEFF}{TEXT}").replace("type: project", "type: reference")
    );
    assert_eq!(age, Age::Keep);
    assert!(!editor.makes_young());
}

#[test]
fn the_body_changes_alone_and_makes_young_unless_the_age_is_kept() {
    let mut editor = open(TEXT.as_bytes());
    type_in(&mut editor, "New. ");
    let (text, age) = saved(&editor);
    assert_eq!(text, TEXT.replace("The fact", "New. The fact"));
    assert_eq!((age, editor.makes_young()), (Age::Set, true));
    editor.keep_age = true;
    assert_eq!((saved(&editor).1, editor.makes_young()), (Age::Keep, false));
    assert!(editor.rewind(true));
}

#[test]
fn a_draft_comes_back_as_it_was() {
    let mut editor = open(TEXT.as_bytes());
    type_in(&mut editor, "数 x");
    editor.spot = Spot::Field(1);
    type_in(&mut editor, " of all");
    let draft = editor.draft(Moment::from_seconds(0)).unwrap();
    assert!(
        editor.draft(Moment::from_seconds(1)).is_none(),
        "nothing new"
    );
    let mut again = open(TEXT.as_bytes());
    assert!(again.fits(&draft));
    again.take_up(&draft);
    assert_eq!(again.body.cursor(), (0, 3));
    assert_eq!(saved(&again), saved(&editor));
    assert!(!open(b"other").fits(&draft));
}

#[test]
fn front_matter_that_never_closes_is_edited_as_text_only() {
    let mut editor = open(b"---\nname: x\nThe fact.\n");
    assert!(editor.locked_by().is_some());
    editor.spot = Spot::Field(0);
    assert!(!editor.press(Key::char('y')), "its fields can't be edited");
    editor.spot = Spot::Body;
    editor.move_field(-1);
    assert_eq!(editor.spot, Spot::Body, "nor gone to");
    type_in(&mut editor, "y");
    assert_eq!(saved(&editor).0, "y---\nname: x\nThe fact.\n");
}

#[test]
fn a_new_memory_has_a_template() {
    let mut editor = Editor::new_memory(PathBuf::from("/m"), "feedback");
    assert!(!editor.is_changed());
    type_in(&mut editor, "no-mocks");
    editor.move_field(1);
    type_in(&mut editor, "Never mock");
    match editor.save().unwrap() {
        Save::New {
            name,
            kind,
            description,
            body,
        } => {
            assert_eq!(
                (name.as_str(), kind, description.as_str()),
                ("no-mocks", MemoryType::Feedback, "Never mock")
            );
            assert!(body.starts_with("**Why:**") && body.ends_with("**How to apply:**"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_that_are_kept_are_passed_by() {
    let mut editor = open(TEXT.as_bytes());
    let owner = editor
        .fields
        .iter()
        .find(|field| field.label == "metadata.owner")
        .unwrap();
    assert!(owner.is_kept());
    editor.spot = Spot::Field(2);
    editor.move_field(1);
    assert_eq!(editor.spot, Spot::Body);
    editor.press(Key::plain(Code::Up));
    assert_eq!(editor.spot, Spot::Field(2));
}

#[test]
fn front_matter_that_is_no_yaml_is_mended_as_text() {
    let broken = "---\nname: x\ndescription: [The plan: \"x\nmeta data\n---\n\nThe fact.\n";
    let mut editor = open(broken.as_bytes());
    assert!(editor.locked_by().is_some());
    assert_eq!(editor.body.text(), broken, "all of it is the text");
    editor.move_field(-1);
    assert_eq!(editor.spot, Spot::Body, "no field can be gone to");
    editor.body.go(2, 13);
    type_in(&mut editor, "y");
    let draft = editor.draft(Moment::from_seconds(0)).expect("a draft");
    let after = broken.replace("[The", "y[The");
    assert_eq!(saved(&editor).0, after);
    let mut again = open(broken.as_bytes());
    again.take_up(&draft);
    assert_eq!(saved(&again).0, after);
}

#[test]
fn a_name_is_held_to_the_rule_of_renaming() {
    for (typed, fits) in [("x-2", true), ("likes-tea Caps!", false), ("Y", false)] {
        let mut editor = open(TEXT.as_bytes());
        editor.spot = Spot::Field(0);
        editor.fields[0].put("");
        type_in(&mut editor, typed);
        let saved = editor.save();
        assert_eq!(saved.is_ok(), fits, "{typed}: {saved:?}");
    }
}
