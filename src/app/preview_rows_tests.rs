use std::path::PathBuf;

use super::*;
use crate::app::fixture::preview as fixture;
use crate::context::preview::{Asked, Below, LeftOut, Moment};

const HOME: &str = "/home/ada";

fn made(moment: Moment) -> Preview {
    fixture(Asked {
        cwd: PathBuf::from("/work/shop-web"),
        switches: Switches {
            moment,
            ..Switches::default()
        },
        edited: None,
    })
}

fn shown(preview: &Preview, open: &[Fold], cells: usize) -> Vec<String> {
    let keys = [("o".to_string(), "layout"), ("v".to_string(), "version")];
    let rows = build(
        preview,
        Making {
            switches: &preview.asked.switches,
            open: &open.iter().map(|fold| Opened::List(*fold)).collect(),
            cells,
            keys: &keys,
            home: Path::new(HOME),
        },
    );
    let words = rows.into_iter().map(|row| match row {
        PreviewRow::Said(said, _) => said,
        PreviewRow::Fold { said, is_open, .. } => {
            format!("{} {said}", if is_open { "▾" } else { "▸" })
        }
        PreviewRow::Switches(all) => all
            .iter()
            .map(|one| format!("{} {} {}", one.key, one.name, one.state))
            .collect::<Vec<_>>()
            .join(" | "),
        other => format!("{other:?}"),
    });
    words.collect()
}

#[test]
fn a_list_is_spelled_while_it_is_short_and_one_row_that_opens_once_it_is_long() {
    let mut preview = made(Moment::Compacted);
    let memory = preview.fates.pop().unwrap();
    let cut = preview.cut.as_mut().unwrap();
    cut.ghosts = (1..=229).map(|at| format!("g{at}.md")).collect();
    cut.below = (1..=7)
        .map(|line| Below {
            line,
            title: format!("T{line}"),
            path: None,
        })
        .collect();
    preview.fates.extend((0..UNFOLDED).map(|_| memory.clone()));
    let rows = shown(&preview, &[], 76);
    let has = |rows: &[String], said: &str| rows.iter().filter(|row| row.contains(said)).count();
    assert_eq!(
        has(&rows, "held by the summary only, if it had been read"),
        UNFOLDED
    );
    assert_eq!(has(&rows, "no line points at"), 1);
    assert_eq!(has(&rows, "▸ ◌ 229 memories that no line points at"), 1);
    assert_eq!(has(&rows, "▸ 7 entries below the cut"), 1);
    preview.fates.push(memory);
    let rows = shown(&preview, &[Fold::Ghosts], 76);
    assert_eq!(has(&rows, "▸ ~ 7 memories: held by the summary only"), 1);
    assert_eq!(has(&rows, "if it had been read"), 0);
    assert_eq!(has(&rows, "▾ ◌ 229 memories"), 1);
    assert_eq!(has(&rows, "◌ no line points at g"), 229);
}

#[test]
fn rows_that_wrap_hang_below_their_beginning() {
    let preview = made(Moment::Compacted);
    let rows = shown(&preview, &[], 40);
    let at = rows
        .iter()
        .position(|row| row.starts_with("  ✗ rule"))
        .unwrap();
    assert!(
        rows[at + 1].starts_with("    ") && !rows[at + 1].starts_with("     "),
        "{rows:#?}"
    );
    assert!(
        rows.iter()
            .all(|row| text::width(row) <= 40 || row.contains('{')),
        "{rows:#?}"
    );
}

#[test]
fn the_home_is_a_tilde_and_switches_stand_side_by_side_where_there_is_room() {
    let mut preview = made(Moment::New);
    preview.left_out = vec![LeftOut {
        path: PathBuf::from("/home/ada/.claude/CLAUDE.md"),
        why: "is not there".to_string(),
        named: None,
    }];
    preview.notes = vec!["/home/ada/x can't be read".to_string()];
    let wide = shown(&preview, &[], 76);
    let has = |rows: &[String], said: &str| rows.iter().any(|row| row == said);
    assert!(
        has(&wide, "  ~/.claude/CLAUDE.md is not there"),
        "{wide:#?}"
    );
    assert!(has(&wide, "  · ~/x can't be read"));
    assert!(has(&wide, "o layout observed | v version 2.1.332"));
    let keys = [
        ("ctrl-o".to_string(), "layout"),
        ("v".to_string(), "version"),
    ];
    let grid = preview_switches::rows(&preview, &preview.asked.switches, &keys, 76);
    let keys: Vec<&str> = grid[0].iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["ctrl-o", "v     "]);
    let narrow = shown(&preview, &[], 46);
    assert!(has(&narrow, "o layout observed") && has(&narrow, "v version 2.1.332"));
    assert!(
        wide.iter()
            .any(|row| row.starts_with("▣ cached for later turns"))
    );
}
