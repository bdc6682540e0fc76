use std::fs;

use super::*;
use crate::base::fault::Point;

#[test]
fn what_was_begun_is_removed_where_it_can_not_be_written_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("request.json");
    let full = Faults::failing(Point::Flush, 28);
    let said = export(&full, &path, b"{}").expect_err("the disk is full");
    assert!(said.contains("request.json can't be written: "), "{said}");
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0, "nothing is left of it");
    assert_eq!(export(&Faults::none(), &path, b"{}"), Ok(2));
    let said = export(&full, &path, b"other").expect_err("it is taken");
    assert!(said.contains("is there already"), "{said}");
    assert_eq!(fs::read(&path).expect("it is there"), b"{}");
}

#[test]
fn prices_are_those_that_the_file_has_now_and_a_file_that_is_broken_leaves_those_of_before() {
    let dir = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(dir.path().join("config.toml"), text).unwrap();
    let price = |around: &Around| around.prices.of("claude-opus-5-5").map(|it| it.input);
    let around = read_again(Around::default(), dir.path());
    assert_eq!((price(&around), around.faults.len()), (None, 0));
    write("[prices.claude-opus]\ninput = 5\noutput = 25\n");
    let around = read_again(around, dir.path());
    assert_eq!((price(&around), around.faults.len()), (Some(5_000_000), 0));
    write("[prices.claude-opus]\ninput = 6\noutput = \n");
    let around = read_again(around, dir.path());
    assert_eq!(price(&around), Some(5_000_000));
    let said = &around.faults[0];
    assert!(said.starts_with("the prices of before are told: ") && said.contains("config.toml:3"));
    write("[prices.claude-opus]\ninput = 6\noutput = 30\n");
    let around = read_again(around, dir.path());
    assert_eq!((price(&around), around.faults.len()), (Some(6_000_000), 0));
}

#[test]
fn our_model_and_its_window_are_those_that_the_file_has_now() {
    let dir = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(dir.path().join("config.toml"), text).unwrap();
    let ours = |around: &Around| (around.ours.model.clone(), around.window);
    write("[model]\nmain = \"qwen-7b\"\nwindow = 8192\n");
    let around = read_again(Around::default(), dir.path());
    assert_eq!(ours(&around), ("qwen-7b".to_string(), Some(8_192)));
    assert_eq!(around.ours.max_tokens, Some(2_048));
    write("[model\n");
    let around = read_again(around, dir.path());
    assert_eq!(ours(&around), ("qwen-7b".to_string(), Some(8_192)));
    write("");
    assert_eq!(ours(&read_again(around, dir.path())), (String::new(), None));
}
