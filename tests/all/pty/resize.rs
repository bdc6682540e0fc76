//! Sizes: down to one cell and back.

use super::store::Place;
use super::terminal::{ESC, Exit};

#[test]
fn squeezed_to_one_cell_and_back_it_is_the_same_screen() {
    let place = Place::new();
    let mut terminal = place.demo().start();
    terminal.wait_ready("数据平台");
    let before = terminal.text();
    for (columns, rows) in [
        (40, 10),
        (39, 9),
        (10, 3),
        (1, 1),
        (2, 40),
        (200, 1),
        (200, 60),
    ] {
        terminal.resize(columns, rows);
        terminal.wait_output();
        terminal.send("jk");
    }
    terminal.resize(120, 40);
    terminal.wait_same(&before);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn at_the_smallest_size_one_can_find_read_and_leave() {
    let place = Place::new();
    let mut terminal = place.demo().size(40, 10).start();
    terminal.wait_for("shop-web");
    terminal.send("?");
    terminal.wait_for("type to filter");
    terminal.send(ESC);
    terminal.wait_gone("type to filter");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn below_the_smallest_size_it_says_so_and_can_be_left() {
    for size in [(39, 9), (39, 40), (120, 9)] {
        let place = Place::new();
        let mut terminal = place.demo().size(size.0, size.1).start();
        terminal.wait_for("small");
        terminal.send("q");
        assert_eq!(terminal.wait_exit(), Exit::Code(0), "{size:?}");
    }
    for size in [(1, 1), (2, 1), (1, 2), (0, 0)] {
        let place = Place::new();
        let mut terminal = place.demo().size(size.0, size.1).start();
        terminal.wait_output();
        terminal.send("q");
        assert_eq!(terminal.wait_exit(), Exit::Code(0), "{size:?}");
        assert_eq!(terminal.left_behind(), Vec::<String>::new());
    }
}
