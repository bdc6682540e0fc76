use super::*;

#[test]
fn the_cursor_keeps_three_rows_of_context() {
    let mut list = List::default();
    list.go(20, 100);
    list.settle(100, 10);
    assert_eq!((list.cursor, list.offset), (20, 14));
    list.go(15, 100);
    list.settle(100, 10);
    assert_eq!(list.offset, 12);
    list.go(99, 100);
    list.settle(100, 10);
    assert_eq!(list.offset, 90);
}

#[test]
fn steps_say_whether_they_moved() {
    let mut list = List::default();
    assert!(!list.step(-1, 5));
    assert!(list.step(9, 5));
    assert_eq!(list.cursor, 4);
    assert!(!list.step(1, 5));
}

#[test]
fn scrolling_takes_the_cursor_along() {
    let mut list = List::default();
    assert!(list.scroll(3, 100, 10));
    assert_eq!((list.cursor, list.offset), (6, 3));
    list.scroll(500, 100, 10);
    assert_eq!(list.offset, 90);
    assert!(!list.scroll(1, 100, 10));
    list.scroll(-500, 100, 10);
    assert_eq!(list.offset, 0);
    let mut short = List::default();
    assert!(!short.scroll(3, 4, 10));
    short.settle(4, 10);
    assert_eq!(short, List::default());
}

#[test]
fn an_emptied_list_is_no_trouble() {
    let mut list = List {
        cursor: 9,
        offset: 4,
    };
    list.settle(0, 0);
    assert_eq!(list, List::default());
}
