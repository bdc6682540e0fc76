use super::*;

/// What is typed, with the cursor at its end, or `|` where it stands.
fn typed(text: &str) -> Body {
    let (before, after) = text.split_once('|').unwrap_or((text, ""));
    let mut body = Body::new(&format!("{before}{after}"));
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or("").chars().count();
    body.go(line, column);
    body
}

fn place(text: &str) -> Option<(Option<Source>, String)> {
    Place::of(&typed(text)).map(|place| (place.of, place.word))
}

fn choice(put: &str) -> Choice {
    Choice {
        put: put.to_string(),
        text: put.to_string(),
        about: String::new(),
    }
}

fn names(completing: &Completing) -> Vec<&str> {
    let all = completing.choices.iter();
    all.map(|one| one.text.split(' ').next().unwrap()).collect()
}

#[test]
fn a_slash_an_argument_and_an_at_sign_are_places() {
    let of = |source, word: &str| Some((source, word.to_string()));
    assert_eq!(place("/"), of(None, ""));
    assert_eq!(place("/re|call"), of(None, "re"));
    assert_eq!(place("/resume "), of(Some(Source::Sessions), ""));
    assert_eq!(place("/resume  ab"), of(Some(Source::Sessions), "ab"));
    assert_eq!(place("/model demo"), of(Some(Source::Models), "demo"));
    assert_eq!(place("/forget two"), of(Some(Source::Memories), "two"));
    assert_eq!(place("/recall why"), None);
    assert_eq!(place("/nothing why"), None);
    assert_eq!(place("see @src/m|ain"), of(Some(Source::Files), "src/m"));
    assert_eq!(place("one\ntwo @é"), of(Some(Source::Files), "é"));
    // An @ alone, one in a word, and a slash further down are nothing.
    assert_eq!(place("see @"), None);
    assert_eq!(place("me@example.org"), None);
    assert_eq!(place("what\n/resume"), None);
}

#[test]
fn commands_that_begin_so_are_offered_at_once() {
    let mut completing = Completing::new(Place::of(&typed("/")).unwrap());
    assert_eq!(completing.choices.len(), COMMANDS.len());
    assert_eq!(completing.lacks(), None);
    completing.turn_to(Place::of(&typed("/re")).unwrap());
    assert_eq!(names(&completing), ["/recall", "/remember", "/resume"]);
    completing.turn_to(Place::of(&typed("/rex")).unwrap());
    assert!(!completing.is_shown());
}

#[test]
fn enter_takes_a_command_that_is_not_whole_and_sends_one_that_is() {
    let takes = |text: &str| Completing::new(Place::of(&typed(text)).unwrap()).takes_enter();
    assert!(!takes("/"));
    assert!(takes("/rec"));
    assert!(!takes("/clear"));
    assert!(!takes("/xyz"));
    let mut chosen = Completing::new(Place::of(&typed("/clear")).unwrap());
    chosen.is_chosen = true;
    assert!(chosen.takes_enter());
}

#[test]
fn an_answer_to_something_older_is_dropped() {
    let mut completing = Completing::new(Place::of(&typed("@ma")).unwrap());
    assert_eq!(completing.lacks(), Some(Source::Files));
    completing.asking(1);
    assert_eq!(completing.lacks(), None);
    completing.turn_to(Place::of(&typed("@mai")).unwrap());
    assert_eq!(completing.lacks(), Some(Source::Files));
    completing.asking(2);
    completing.take(1, Ok(vec![choice("old")]));
    assert!(!completing.is_shown());
    completing.take(2, Ok(vec![choice("src/main.rs")]));
    assert!(completing.is_shown() && completing.takes_enter());
    completing.take(2, Err("the files of /p can't be listed".to_string()));
    assert!(completing.is_shown() && !completing.takes_enter());
}

#[test]
fn what_is_chosen_takes_the_place_of_what_is_typed() {
    let put = |text: &str, choice: Choice| {
        let body = typed(text);
        let mut completing = Completing::new(Place::of(&body).unwrap());
        completing.choices = vec![choice];
        completing.put(&body).unwrap()
    };
    assert_eq!(
        put("in é @ma| why\nso", choice("src/main.rs")),
        ("in é src/main.rs why\nso".to_string(), (0, 16))
    );
    assert_eq!(
        put("@ma", choice("src/main.rs")),
        ("src/main.rs ".to_string(), (0, 12))
    );
    assert_eq!(
        put("/resume ab", choice("abcdef12")),
        ("/resume abcdef12".to_string(), (0, 16))
    );
    assert_eq!(put("/co", choice("/cost")), ("/cost".to_string(), (0, 5)));
}

#[test]
fn a_list_that_was_closed_stays_closed_at_its_place() {
    let mut completing = Completing::new(Place::of(&typed("/re")).unwrap());
    completing.close();
    completing.turn_to(Place::of(&typed("/res")).unwrap());
    assert!(!completing.is_shown());
    completing.turn_to(Place::of(&typed("/resume ")).unwrap());
    completing.take(1, Ok(vec![choice("a")]));
    completing.asking(1);
    completing.take(1, Ok(vec![choice("a")]));
    assert!(completing.is_shown());
}
