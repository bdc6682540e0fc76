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
