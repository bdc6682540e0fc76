//! The block of instructions and index, from the files of a disk to the text that was sent, byte for
//! byte, in every version that it was seen of.

use std::path::Path;

use crate::context::observed::{Given, Recorded, Stage, build, newest, rules_block, version};
use crate::context::part::Kind;
use crate::instructions::oracle::{cases, read_as, text, texts, world};
use crate::store::sha256;

/// The day on which the cases were recorded.
const DATE: &str = "2026-11-30";

fn given<'a>(name: &str, recorded: &'a Recorded) -> Given<'a> {
    let (version, own) = version(name).expect("a version");
    assert!(own, "{name} is held");
    Given {
        version,
        model: "claude-opus-5-5",
        recorded,
        instructions: &[],
        index: None,
        date: DATE,
        git: false,
        memory_prompt_moved: false,
        memory_off: false,
        edited: None,
        stage: Stage::First,
        prompt: Some("hi"),
    }
}

#[test]
fn every_observed_block_is_reproduced_exactly() {
    let (cases, recorded) = (cases(), Recorded::default());
    let mut compared = 0;
    for case in cases["instruction_assembly"].as_array().expect("cases") {
        let world = world(case);
        for (name, seen) in case["by_version"].as_object().expect("versions") {
            let about = format!("{} in {name}", text(&case["label"]));
            let order = texts(&seen["order"]);
            let found = read_as(&world, text(&case["cwd"]), name, &order);
            let given = Given {
                instructions: &found.entries,
                ..given(name, &recorded)
            };
            let block = rules_block(&given);
            // Of a long one only its hash was kept; where there is neither, nothing was sent.
            match (seen["block_text"].as_str(), seen["block_sha256"].as_str()) {
                (Some(expected), _) => assert_eq!(block, expected, "{about}"),
                (None, Some(hash)) => assert_eq!(sha256(block.as_bytes()), hash, "{about}"),
                (None, None) => assert_eq!(block, "", "{about}"),
            }
            // It is the one that stands in the request.
            let request = build(&given);
            let blocks = request.messages.iter().flat_map(|message| &message.blocks);
            let rules: Vec<_> = blocks.filter(|block| block.kind() == Kind::Rule).collect();
            assert_eq!(rules.len(), usize::from(!block.is_empty()), "{about}");
            if let [rules] = rules[..] {
                assert_eq!(rules.shown(), block, "{about}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 19 * 4 + 4);
}

#[test]
fn agents_md_and_the_labels_are_those_of_the_block() {
    let (cases, recorded) = (cases(), Recorded::default());
    for case in cases["agents_md_fallback"]["2.1.332"]
        .as_array()
        .expect("cases")
    {
        let world = world(case);
        let found = read_as(&world, text(&case["cwd"]), "2.1.332", &[]);
        let given = Given {
            instructions: &found.entries,
            index: Some((Path::new("/m/MEMORY.md"), "")),
            ..given("2.1.332", &recorded)
        };
        let block = rules_block(&given);
        let behind = block.strip_prefix(newest().wrapper.opening.as_str());
        assert_eq!(behind, case["text"].as_str(), "{}", case["label"]);
    }
}
