//! Standing rules on a real terminal: what is found of them in the Health view.

use super::store::{Place, memory, write};
use super::terminal::Exit;

#[test]
fn findings_of_the_rules_stand_in_the_health_view_and_say_where_to_mend_them() {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    write(
        &place.work("shop").join("CLAUDE.md"),
        "Small commits.\n@docs/gone.md\n",
    );
    let mut terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("3");
    terminal.wait_for("import-missing");
    terminal.wait_for("`@docs/gone.md` is not there");
    terminal.send("j\r");
    terminal.wait_for("a rules file, no memory");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}
