use super::*;
use crate::app::fixture::session_list;
use crate::transcript::search::Hit;

fn view() -> SessionsView {
    let mut view = SessionsView::default();
    assert!(view.wants(1));
    view.turn_to(Some("-work-shop-web"));
    assert!(view.take(1, session_list()));
    view
}

fn names(view: &SessionsView) -> Vec<&str> {
    let rows = view.rows().iter();
    let names = rows.filter_map(|row| match row {
        SessionRow::Session(at) | SessionRow::Agent(at) => Some(view.session(*at)?.id.as_str()),
        SessionRow::Hit { session, .. } => Some(view.session(*session)?.id.as_str()),
    });
    names.map(|id| &id[..4]).collect()
}

#[test]
fn sessions_of_the_project_are_listed_with_their_sub_agents_folded() {
    let mut view = view();
    assert_eq!(names(&view), ["3f1c", "7a2b", "1e4f"]);
    assert!(view.toggle_agents());
    assert_eq!(names(&view), ["3f1c", "agen", "7a2b", "1e4f"]);
    view.list.cursor = 1;
    assert!(view.toggle_agents(), "from the sub-agent too");
    assert_eq!(names(&view), ["3f1c", "7a2b", "1e4f"]);
    view.toggle_all();
    assert_eq!(names(&view), ["3f1c", "7a2b", "1e4f"]);
    // TR23: what a program had is listed where it is asked for.
    assert_eq!(view.unlisted(), 1);
    view.narrow("sdk");
    assert_eq!(names(&view), ["9c3d"]);
}

#[test]
fn they_are_sorted_and_narrowed_and_the_cursor_stays_on_its_session() {
    let mut view = view();
    view.list.cursor = 1;
    view.sort_by_next();
    assert_eq!(view.sort(), SessionSort::Left);
    assert_eq!(names(&view), ["7a2b", "3f1c", "1e4f"]);
    assert_eq!(view.chosen().unwrap().0.id, "7a2b");
    view.narrow("look");
    assert_eq!(names(&view), ["1e4f"]);
    view.narrow("migration shop");
    assert_eq!(names(&view), ["3f1c"]);
    view.narrow("");
    assert_eq!(names(&view).len(), 3);
}

#[test]
fn hits_take_the_place_of_the_list_until_that_is_asked_for_again() {
    let mut view = view();
    let paths = view.begin_search(7, "lock");
    assert_eq!(paths.len(), 4, "sub-agents too, other projects not");
    assert!(view.rows().is_empty());
    let hit = |at| {
        let hit = Hit {
            at,
            time: None,
            text: "a lock".to_string(),
        };
        (paths[0].clone(), hit)
    };
    let part = |hits: Vec<_>, done| SessionHits {
        hits,
        read: 1,
        of: 2,
        done,
    };
    view.take_hits(6, part(vec![hit(5)], false));
    assert!(
        view.rows().is_empty(),
        "those of another search are dropped"
    );
    view.take_hits(7, part(vec![hit(5)], false));
    view.take_hits(7, part(vec![hit(9)], true));
    view.list.cursor = 1;
    assert_eq!(
        view.chosen().map(|(one, at)| (one.id.len(), at)),
        Some((36, Some(9)))
    );
    assert!(!view.stop_search());
    assert!(view.end_search());
    assert_eq!(names(&view).len(), 3);
}

#[test]
fn hits_stand_by_session_and_one_hides_no_other() {
    let mut view = view();
    let paths = view.begin_search(7, "lock");
    let hits = |path: &PathBuf, many: u64| {
        let hit = |at| Hit {
            at,
            time: None,
            text: "a lock".to_string(),
        };
        let hits = (0..many).map(|at| (path.clone(), hit(at)));
        hits.collect::<Vec<_>>()
    };
    let part = |hits, done| SessionHits {
        hits,
        read: 1,
        of: 2,
        done,
    };
    view.take_hits(7, part(hits(&paths[1], 3_000), false));
    view.take_hits(7, part(hits(&paths[0], 2), true));
    assert_eq!(view.rows().len(), 2 + MOST_OF_ONE);
    assert_eq!(view.search.as_ref().map(|search| search.count), Some(3_002));
    assert_eq!(names(&view)[..3], ["3f1c", "3f1c", "agen"]);
}
