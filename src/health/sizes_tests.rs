use crate::health::Code;
use crate::health::fixture::{World, head};

const NONE: [&str; 0] = [];

#[test]
fn too_large() {
    let head = head("one");
    let lines = head.lines().count();
    let filled = |bytes: usize| format!("{head}{}\n", "x".repeat(bytes - head.len() - 1));
    assert_eq!(World::one(filled(4_096)).found(), NONE);
    assert_eq!(
        World::one(filled(4_097)).found(),
        ["too-large warning one.md:8"]
    );
    let long = |all: usize| head.clone() + &"x\n".repeat(all - lines);
    assert_eq!(World::one(long(200)).found(), NONE);
    let world = World::one(long(201));
    assert_eq!(world.found(), ["too-large warning one.md:201"]);
    let message = world.the(Code::TooLarge).message;
    assert!(
        message.contains("201 lines") && message.contains("from line 201 on"),
        "{message}"
    );
}

#[test]
fn body_empty() {
    for body in [
        "",
        "\n\n",
        "# Title\n",
        "<!-- to come -->\n",
        "**Why:**\n\n**How to apply:**\n",
        "TODO\n",
        "---\n",
        "待补充\n",
    ] {
        let world = World::one(head("one") + body);
        assert_eq!(world.found(), ["body-empty warning one.md"], "{body}");
    }
    for body in [
        "x\n",
        "**Why:** so\n",
        "<!-- a --> text\n",
        "```\ncode\n```\n",
        "#tag\n",
    ] {
        assert_eq!(World::one(head("one") + body).found(), NONE, "{body}");
    }
    assert_eq!(World::one("").found(), ["body-empty warning one.md"]);
}
