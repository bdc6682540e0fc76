use crate::health::Code;
use crate::health::fixture::{World, head};

const NONE: [&str; 0] = [];

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = World::one(text).found();
    assert_eq!(found, expected, "{text}");
}

/// `one.md` with these lines in its block, before a good body.
fn block(lines: &str) -> String {
    format!("---\n{lines}---\n\nThe fact.\n")
}

const NAME: &str = "name: one\n";
const SAYS: &str = "description: What is to be known of one\n";
const TYPE: &str = "metadata:\n  type: user\n";

#[test]
fn frontmatter_missing() {
    check("The fact.\n", &["frontmatter-missing warning one.md:1"]);
    check(&block(&[NAME, SAYS, TYPE].concat()), &NONE);
    // FM15, FM17: a block that is late or open is not called missing.
    check(
        &format!("<!-- note -->\n\n{}The fact.\n", head("one")),
        &["block-late note one.md:3"],
    );
}

#[test]
fn frontmatter_broken_is_told_once_for_each_kind_at_its_first_line() {
    let tabs = "metadata:\n\ttype: user\n\tnode_type: memory\n";
    check(
        &block(&[NAME, SAYS, tabs].concat()),
        &["frontmatter-broken error one.md:5"],
    );
    check(
        &block(&[NAME, "description: What it is: a thing\n", TYPE].concat()),
        &["frontmatter-broken warning one.md:3"],
    );
    // FM11: both lines are in the sentence.
    let twice = block(&[NAME, SAYS, "type: user\ntype: project\n"].concat());
    let world = World::one(twice);
    let finding = world.the(Code::FrontmatterBroken);
    assert_eq!(finding.line, Some(4));
    assert_eq!(
        finding.message,
        "`type` stands twice: the value of line 5 is used, line 4 is not; another reader may take the other: keep the right one"
    );
    assert_eq!(finding.fix, None, "which one is meant is a guess");
    check(
        "---\nname: one\ntype: user\n--\nThe fact.\n",
        &["frontmatter-broken error one.md:1"],
    );
    check(
        &block(&[NAME, SAYS, TYPE, "tags: [a\n"].concat()),
        &["frontmatter-broken error one.md:7"],
    );
    // FM23: aliases are shown as written; nothing is wrong with them.
    check(&block(&[NAME, SAYS, TYPE, "x: *a\n"].concat()), &NONE);
}

#[test]
fn field_missing() {
    check(
        &block(&[SAYS, TYPE].concat()),
        &["field-missing warning one.md"],
    );
    check(
        &block(&["name:\n", TYPE].concat()),
        &[
            "field-missing warning one.md",
            "field-missing warning one.md:2",
        ],
    );
    check(
        &block(&[NAME, SAYS].concat()),
        &["field-missing warning one.md"],
    );
    check(&block(&[NAME, SAYS, TYPE].concat()), &NONE);
}

#[test]
fn type_unknown() {
    let odd = "metadata:\n  type: opinion\n";
    check(
        &block(&[NAME, SAYS, odd].concat()),
        &["type-unknown warning one.md:5"],
    );
    let world = World::one(block(&[NAME, SAYS, odd].concat()));
    assert_eq!(world.the(Code::TypeUnknown).fix, None);
}

#[test]
fn type_place() {
    check(
        &block(&[NAME, SAYS, "type: user\n"].concat()),
        &["type-place note one.md:4"],
    );
    check(&block(&[NAME, SAYS, TYPE].concat()), &NONE);
}

#[test]
fn description_weak() {
    let describe = |text: &str| block(&[NAME, &format!("description: {text}\n"), TYPE].concat());
    let weak = ["description-weak note one.md:3"];
    check(&describe("two words"), &weak);
    check(&describe("three whole words"), &NONE);
    check(&describe("五个汉字啊"), &weak);
    check(&describe("六个汉字在此"), &NONE);
    check(&describe("One!"), &weak);
    check(&describe(&"word ".repeat(40)), &NONE);
    check(&describe(&"words ".repeat(34)), &weak);
}

#[test]
fn field_below_30() {
    let many: String = (0..28).map(|n| format!("k{n}: v\n")).collect();
    let low = block(&[&many, TYPE, NAME, SAYS].concat());
    // The scan does not see them; the entry of the index, which the name is for, still leads there.
    check(
        &low,
        &[
            "field-below-30 note one.md:31",
            "field-below-30 note one.md:32",
            "field-below-30 note one.md:33",
        ],
    );
    let high = block(&[NAME, SAYS, TYPE, &many].concat());
    check(&high, &NONE);
}
