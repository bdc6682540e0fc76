use std::fs;

use crate::context::memory_prompt::Recall;
use crate::context::part::Kind;
use crate::context::preview::world_for_tests::{texts, transcript, usual, with};
use crate::context::preview::{Layout, Moment, Preview, Switches};

fn said<'a>(preview: &'a Preview, word: &str) -> Vec<&'a str> {
    let notes = preview.notes.iter().map(String::as_str);
    notes.filter(|note| note.contains(word)).collect()
}

fn of(layout: Layout, recall: Recall) -> Switches {
    Switches {
        layout,
        recall,
        ..Switches::default()
    }
}

#[test]
fn prefetching_says_who_chooses_and_no_index_that_is_not_sent_is_cut() {
    let preview = usual().preview(&with(of(Layout::Ours, Recall::Prefetch)));
    assert_eq!(said(&preview, "chosen by words here").len(), 1);
    assert_eq!(
        (preview.cut.is_none(), texts(&preview, Kind::Index).len()),
        (true, 0)
    );
    assert_eq!(texts(&preview, Kind::MemoryRules).len(), 1);
    assert_eq!(said(&preview, "there is no question yet").len(), 1);
    // Of the client it was not observed: the index is sent, and that is said.
    let preview = usual().preview(&with(of(Layout::Observed(None), Recall::Prefetch)));
    assert_eq!(
        said(&preview, "prefetching memories was not observed").len(),
        1
    );
    assert_eq!(
        (preview.cut.is_some(), texts(&preview, Kind::Index).len()),
        (true, 1)
    );
}

#[test]
fn memory_that_is_switched_off_takes_its_rules_out_of_system_and_is_said_once() {
    let mut world = usual();
    let name = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    world.vars.insert(name.to_string(), "1".to_string());
    for (layout, recall) in [
        (Layout::Ours, Recall::Index),
        (Layout::Ours, Recall::Prefetch),
        (Layout::Observed(None), Recall::Index),
    ] {
        let preview = world.preview(&with(of(layout, recall)));
        assert_eq!(texts(&preview, Kind::MemoryRules), [""; 0]);
        assert_eq!(texts(&preview, Kind::Index), [""; 0]);
        assert_eq!(preview.cut, None);
        assert_eq!(
            said(&preview, "memory"),
            [format!(
                "memory is switched off by {name}=1 in the environment: neither the memory index nor the rules \
                 for memory are sent"
            )]
        );
    }
    // What is known of the system prompt is its length with the rules for memory, and theirs alone.
    let preview = world.preview(&with(of(Layout::Observed(None), Recall::Index)));
    assert_eq!(
        texts(&preview, Kind::SystemPrompt),
        ["[4831 characters, not recorded]"]
    );
    let older = Layout::Observed(Some("2.1.220".to_string()));
    let preview = world.preview(&with(of(older, Recall::Index)));
    assert_eq!(texts(&preview, Kind::SystemPrompt), ["[not recorded]"]);
}

#[test]
fn a_system_prompt_that_was_recorded_is_shown_without_its_rules_for_memory() {
    let world = usual();
    let parts = ["You write code.", "# Memory\n\nLook there.", "# Rest"];
    let line = serde_json::json!({
        "type": "attachment", "version": "2.1.332",
        "attachment": {"type": "prompt_snapshot", "systemPrompt": parts},
    });
    transcript(&world, &[line]);
    let with_it = world.preview(&with(of(Layout::Observed(None), Recall::Index)));
    assert_eq!(texts(&with_it, Kind::MemoryRules), [parts[1]]);
    let without = world.preview(&with(of(Layout::Observed(None), Recall::Off)));
    assert_eq!(texts(&without, Kind::MemoryRules), [""; 0]);
    assert_eq!(texts(&without, Kind::SystemPrompt), [parts[0], parts[2]]);
    assert_eq!(
        said(&without, "recall is off: neither the memory index").len(),
        1
    );
}

#[test]
fn rules_that_are_switched_off_leave_the_rules_for_memory_and_are_said_once() {
    let mut world = usual();
    let name = "CLAUDE_CODE_DISABLE_CLAUDE_MDS";
    world.vars.insert(name.to_string(), "1".to_string());
    fs::create_dir_all(world.host("/srv/p/.git")).unwrap();
    let preview = world.preview(&with(of(Layout::Ours, Recall::Index)));
    assert_eq!(texts(&preview, Kind::MemoryRules).len(), 1);
    assert_eq!((texts(&preview, Kind::Rule).len(), preview.cut), (0, None));
    let preview = world.preview(&with(of(Layout::Ours, Recall::Index)));
    assert_eq!(
        said(&preview, name),
        [format!(
            "neither rules nor the memory index are sent: {name} is set in the environment"
        )]
    );
}

#[test]
fn of_our_own_chat_nothing_is_said_to_lack_and_a_resumed_one_is_not_shown_as_begun_anew() {
    let with_moment = |moment| Switches {
        moment,
        ..of(Layout::Ours, Recall::Index)
    };
    let preview = usual().preview(&with(with_moment(Moment::New)));
    assert_eq!(preview.notes, [""; 0]);
    let preview = usual().preview(&with(with_moment(Moment::Resumed)));
    assert_eq!(
        preview.notes,
        ["our own chat goes on with a session as it was begun: this is what a new one begins with"]
    );
}
