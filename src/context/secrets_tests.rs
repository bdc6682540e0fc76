use serde_json::json;

use super::*;
use crate::context::fixture_for_tests::asked;
use crate::context::part::{Kind, Origin, Piece};
use crate::safety::secret::MASK;
use crate::safety::secret::tests::planted;

fn masked(content: Content, allowed: &Allowed) -> Block {
    let mut blocks = [Block::new(content)];
    mask(&mut blocks, allowed);
    let [block] = blocks;
    block
}

#[test]
fn a_piece_knows_what_was_masked_in_it_and_where() {
    let (kind, text, value) = planted().remove(0);
    let piece = Piece::new(Kind::Rule, Origin::File, format!("# Rules\n\n{text}\n"));
    let block = masked(
        Content::Text(vec![asked("none"), piece]),
        &Allowed::default(),
    );
    let [plain, piece] = block.pieces() else {
        panic!("two pieces");
    };
    assert_eq!(plain.masked, []);
    assert_eq!(piece.masked, [Masked { kind, line: 3 }]);
    assert!(!piece.shown().contains(&value));
    let value = Allowed::new([value]);
    let piece = Piece::new(Kind::Rule, Origin::File, text.as_str());
    let block = masked(Content::Text(vec![piece]), &value);
    assert_eq!(block.shown(), text.as_str());
}

#[test]
fn a_tools_input_is_masked_by_its_names_and_stays_json() {
    let pass = ["n3st", "Pw9!"].concat();
    let input = json!({"path": "/p", "env": {"DB_PASSWORD": pass, "PORT": 5432}});
    let (id, name) = ("1".to_string(), "Write".to_string());
    let block = masked(Content::ToolUse { id, name, input }, &Allowed::default());
    let Content::ToolUse { input, .. } = &block.content else {
        panic!("a use");
    };
    assert_eq!(input["env"]["DB_PASSWORD"], format!("n{MASK}password]"));
    assert_eq!(input["env"]["PORT"], 5432);
    assert_eq!(block.masked.len(), 1);
}

#[test]
fn what_a_provider_has_signed_and_bytes_of_a_picture_stay() {
    let (_, text, value) = planted().remove(0);
    for stays in [
        json!({"type": "thinking", "thinking": text, "signature": "s"}),
        json!({"type": "image", "source": {"type": "base64", "data": value}}),
    ] {
        let block = masked(Content::Raw(stays.clone()), &Allowed::default());
        assert_eq!((block.content, block.masked), (Content::Raw(stays), vec![]));
    }
    let block = masked(
        Content::Raw(json!({"type": "document", "source": {"type": "text", "text": text}})),
        &Allowed::default(),
    );
    assert!(!block.unmarked().contains(&value));
}
