use super::*;

fn at(width: u16, height: u16, focus: Pane) -> Layout {
    Layout::of(Size { width, height }, focus, Wanted::default())
}

#[test]
fn below_the_smallest_size_there_is_one_sentence() {
    assert_eq!(at(39, 24, Pane::Tree), Layout::TooSmall);
    assert_eq!(at(80, 9, Pane::Tree), Layout::TooSmall);
    assert_eq!(at(1, 1, Pane::Main), Layout::TooSmall);
}

#[test]
fn below_sixty_columns_the_focus_decides() {
    let tree = at(40, 10, Pane::Tree);
    assert!(tree.pane(Pane::Tree).is_some() && tree.pane(Pane::Main).is_none());
    let main = at(59, 10, Pane::Main);
    assert!(main.pane(Pane::Tree).is_none() && main.pane(Pane::Main).is_some());
}

#[test]
fn two_panes_fill_the_width_and_obey_the_drag() {
    for drag in [None, Some(0), Some(30), Some(500)] {
        let size = Size {
            width: 80,
            height: 24,
        };
        let layout = Layout::of(
            size,
            Pane::Tree,
            Wanted {
                tree: drag,
                agent: None,
            },
        );
        let (tree, main) = (
            layout.pane(Pane::Tree).unwrap(),
            layout.pane(Pane::Main).unwrap(),
        );
        assert_eq!(tree.width + main.width, 80);
        assert_eq!(main.x, tree.width);
        assert!(tree.width >= 20 && main.width >= 30);
    }
}

#[test]
fn the_agent_stands_at_the_side_where_there_is_room_and_alone_where_it_is_wanted_so() {
    let of = |width, focus, agent| {
        let size = Size { width, height: 24 };
        let layout = Layout::of(
            size,
            focus,
            Wanted {
                tree: None,
                agent: Some(agent),
            },
        );
        [Pane::Tree, Pane::Main, Pane::Agent]
            .map(|pane| layout.pane(pane).map_or(0, |area| area.width))
    };
    assert_eq!(of(120, Pane::Agent, Width::Side), [32, 48, 40]);
    assert_eq!(of(120, Pane::Tree, Width::Full), [32, 48, 40]);
    assert_eq!(of(120, Pane::Agent, Width::Full), [0, 0, 120]);
    assert_eq!(of(80, Pane::Agent, Width::Side), [0, 46, 34]);
    assert_eq!(of(80, Pane::Main, Width::Side), [0, 46, 34]);
    assert_eq!(of(80, Pane::Tree, Width::Side), [32, 48, 0]);
    assert_eq!(of(50, Pane::Agent, Width::Side), [0, 0, 50]);
    assert_eq!(of(50, Pane::Main, Width::Side), [0, 50, 0]);
}
