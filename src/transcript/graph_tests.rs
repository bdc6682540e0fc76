use super::*;
use crate::transcript::made_for_tests::Made;

fn read(text: &str) -> Graph {
    Graph::read(text.as_bytes(), text.len() as u64).unwrap()
}

#[test]
fn the_last_message_of_the_file_is_the_leaf_whatever_its_time() {
    let text = "{\"type\":\"user\",\"uuid\":\"a\",\"timestamp\":\"2031-01-02T00:00:00Z\"}\n\
        {\"type\":\"user\",\"uuid\":\"b\",\"timestamp\":\"2030-01-01T00:00:00Z\"}\n\
        {\"type\":\"user\",\"uuid\":\"side\",\"isSidechain\":true}\n\
        {\"type\":\"attachment\",\"uuid\":\"c\",\"parentUuid\":\"b\"}\n\
        {\"type\":\"last-prompt\",\"leafUuid\":\"a\"}\n";
    let graph = read(text);
    assert_eq!(graph.leaf, Some(1));
    assert!(graph.is_attached_to);
    assert_eq!(graph.nodes.len(), 4);
}

#[test]
fn of_a_repeated_id_the_last_line_counts_in_the_place_of_the_first() {
    let text = "{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"old\"}}\n\
        {\"type\":\"user\",\"uuid\":\"b\"}\n\
        {\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"new\"}}\n";
    let graph = read(text);
    assert_eq!(
        (graph.nodes.len(), graph.repeated, graph.leaf),
        (2, 1, Some(0))
    );
    let begin = text.rfind("{\"type\"").expect("the last line") as u64;
    assert_eq!(graph.nodes[0].range, begin..text.len() as u64 - 1);
}

#[test]
fn versions_are_read_by_their_numbers() {
    assert_eq!(version("2.1.220"), Some([2, 1, 220]));
    assert_eq!(version("2.1.63-beta"), Some([2, 1, 63]));
    for none in ["", "2", "2.1", "x.y.z", "2.1.99999999999"] {
        assert_eq!(version(none), None, "{none}");
    }
}

/// What could be looked at is there, and that it is not all is said.
#[test]
fn a_line_that_holds_too_much_is_named() {
    let made = Made::of(&[
        (
            "{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\"}",
            1,
        ),
        (",{\"type\":\"text\",\"text\":\"x\"}", 60_000),
        (
            "]},\"parentUuid\":\"p\"}\n{\"type\":\"user\",\"uuid\":\"b\"}\n",
            1,
        ),
    ]);
    let graph = Graph::read(&made, made.length()).unwrap();
    assert_eq!(graph.nodes.len(), 2);
    assert_eq!(
        (
            graph.nodes[0].results.len(),
            graph.nodes[0].parent.is_some()
        ),
        (1, true)
    );
    assert_eq!(graph.thinned, [graph.nodes[0].range.clone()]);
}
