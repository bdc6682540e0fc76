use super::*;
use crate::health::fixture::{World, head};

#[track_caller]
fn phrase(line: &str) -> Option<String> {
    relative(line, |_| false).map(|(_, phrase)| phrase)
}

#[test]
fn relative_date() {
    let world = World::one(format!(
        "{}\nOn 2026-05-04, not last week.\nDecided last week.\n`last week` in code.\n上周决定的。\n",
        head("one")
    ));
    assert_eq!(
        world.found(),
        [
            "relative-date note one.md:10",
            "relative-date note one.md:12"
        ]
    );
    let message = &world.findings()[0].message;
    assert_eq!(
        message,
        "\"last week\" can't be read in three months, and the model takes it from the day of reading: write the date (the file is of 2026-09-19)"
    );
    let description = head("one").replace("before work begins", "since yesterday");
    let world = World::one(format!("{description}\nThe fact.\n"));
    assert_eq!(world.found(), ["relative-date note one.md:3"]);
}

#[test]
fn english_phrases() {
    for (line, found) in [
        ("It broke yesterday.", "yesterday"),
        ("Tomorrow we ship", "Tomorrow"),
        ("the Last Monday meeting", "Last Monday"),
        ("changed two weeks ago", "two weeks ago"),
        ("days ago", "days ago"),
        ("due this quarter", "this quarter"),
    ] {
        assert_eq!(phrase(line).as_deref(), Some(found), "{line}");
    }
    for line in [
        "the last two versions",
        "the last ten seconds",
        "each week, on Monday",
        "this is so; week by week",
        "long ago",
        "yesterday_is_a_name",
        "last. Week",
    ] {
        assert_eq!(phrase(line), None, "{line}");
    }
}

#[test]
fn chinese_phrases() {
    for (line, found) in [
        ("昨天上线", "昨天"),
        ("在上个月改的", "上个月"),
        ("三天前回滚", "天前"),
        ("本季度不做", "本季度"),
    ] {
        assert_eq!(phrase(line).as_deref(), Some(found), "{line}");
    }
    for line in [
        "每天九点",
        "说明天气",
        "以前天天如此",
        "提前一周",
        "2026年5月的上周",
        "当天前缀",
    ] {
        assert_eq!(phrase(line), None, "{line}");
    }
}
