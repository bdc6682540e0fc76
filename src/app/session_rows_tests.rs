use super::*;
use crate::app::fixture::session_page;
use crate::app::session_reading::Ask;

fn lines(open: &BTreeSet<Key>, cells: usize) -> Vec<String> {
    // The boundary parts it into two pages.
    let last = session_page(&Ask::Last);
    let first = session_page(&Ask::Before(Box::new(last.clone())));
    let rows = build(&Shown {
        pages: &[first, last],
        open,
        whole: &BTreeMap::new(),
        cells,
        home: Path::new("/home/ada"),
    });
    let line = |row: &Row| {
        let who = match row.who {
            Who::Nobody => " ",
            Who::User => "u",
            Who::Agent => "a",
            Who::Tool => "t",
        };
        let fold = match row.fold {
            Fold::None => " ",
            Fold::Closed => "+",
            Fold::Open => "-",
        };
        format!("{who}{fold}{}", row.text).trim_end().to_string()
    };
    rows.iter().map(line).collect()
}

#[test]
fn tools_are_one_line_and_what_was_taken_back_is_folded() {
    let lines = lines(&BTreeSet::new(), 76);
    let wanted = [
        "u Deploy the migration of the shop.",
        "u Carefully.",
        " +instructions sent · 2 · w shows them",
        " +↺ recalled db-migration-needs-backup · 15 B",
        "a+thinking · 23 B",
        "a Before I run it I take a snapshot by hand.",
        "t+Read ~/.claude/projects/…/memory/db-migration-needs-backup.md · 29 B",
        "t+Bash prisma migrate deploy · error",
        " +taken back · 1 message",
        "t+Agent reviewer: Look at the log · 16 B",
        "",
        "  ── compacted (auto) · 167,000 → 12,345 tokens · 1 message kept ───────────",
        " +summary of it · 43 B",
        "",
        "u Try again now.",
        " +reminder · 53 B",
        "a It went through in 4 minutes; the snapshot is kept.",
    ];
    for (line, wanted) in lines.iter().zip(wanted) {
        let both = [line, wanted].map(|it| {
            it.split(" · ")
                .next()
                .unwrap_or_default()
                .chars()
                .take(12)
                .collect::<String>()
        });
        assert_eq!(both[0], both[1], "{lines:#?}");
    }
    assert_eq!(lines.len(), wanted.len(), "{lines:#?}");
    let within = |line: &String| text::width(line) <= 78;
    assert!(lines.iter().all(within), "{lines:#?}");
}

#[test]
fn what_is_unfolded_shows_its_text() {
    let pages = [session_page(&Ask::First)];
    let items = pages[0].items.iter();
    let tool = items
        .clone()
        .find(|item| matches!(&item.said, Said::Tool(tool) if tool.name == "Bash"));
    let branch = items.clone().find(|item| item.side == Side::Branch);
    let open = BTreeSet::from([key(tool.unwrap()), (branch.unwrap().at, usize::MAX)]);
    let lines = lines(&open, 76);
    assert!(lines.contains(&"t Exit code 3".to_string()), "{lines:#?}");
    assert!(lines.contains(&"u Never mind.".to_string()), "{lines:#?}");
}
