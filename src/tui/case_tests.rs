//! Cases TU03, TU04 and TU10: text that is wide, joined, cut or reversed moves no column.

use ratatui::buffer::Buffer;

use super::tests::{draw, rows};
use crate::agents::Contents;
use crate::app::App;
use crate::app::fixture;
use crate::app::layout::Pane;
use crate::base::text;
use crate::memory::file::{MemoryType, State};
use crate::tui::wide::in_order;

const EMOJI: &str = include_str!("../../tests/fixtures/TU03/emoji.txt");

/// A screen whose memories have these names, each thirty days old.
fn named(names: &[&str], width: u16, height: u16) -> App {
    let entries = names.iter().enumerate().map(|(at, name)| {
        let path = format!("memory-{at:02}.md");
        let entry = fixture::entry(&path, MemoryType::User, State::Ok, 30);
        fixture::named(name, entry)
    });
    let contents = Contents {
        entries: entries.collect(),
        ..fixture::contents()
    };
    fixture::app_on(width, height, contents)
}

/// What stands in the cells of a row from a column on.
fn cells(buffer: &Buffer, y: u16, from: u16, count: u16) -> String {
    (from..from + count)
        .map(|x| buffer[(x, y)].symbol())
        .collect()
}

/// The rows of the tree that show an age, and the column where its pane ends.
fn aged(app: &App, buffer: &Buffer) -> (Vec<u16>, u16) {
    let area = app.pane_area(Pane::Tree);
    let right = area.x + area.width - 1;
    let inner = area.y + 1..area.y + area.height - 1;
    let rows = inner.filter(|y| cells(buffer, *y, right - 5, 4).ends_with("30d"));
    (rows.collect(), right)
}

/// What a terminal shows: a wide glyph takes two cells, and half of one that is written over goes.
struct Shown(Vec<Vec<String>>);

impl Shown {
    fn take(&mut self, before: &Buffer, now: &Buffer) {
        for (x, y, cell) in in_order(before.diff(now).into_iter()) {
            let row = &mut self.0[usize::from(y)];
            let x = usize::from(x);
            // The second half of a glyph that is there goes with its first.
            if row[x].is_empty() && x > 0 {
                row[x - 1] = " ".to_string();
            }
            let wide = text::width(cell.symbol()).max(1);
            row[x] = cell.symbol().to_string();
            for over in x + 1..(x + wide).min(row.len()) {
                row[over] = String::new();
            }
            if row.get(x + wide).is_some_and(String::is_empty) {
                row[x + wide] = " ".to_string();
            }
        }
    }

    fn text(&self) -> String {
        let rows = self.0.iter().map(|row| row.concat().trim_end().to_string());
        rows.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn tu03_emoji_take_the_cells_that_the_table_says_and_leave_nothing_behind() {
    let names: Vec<&str> = EMOJI.lines().collect();
    assert_eq!(names.len(), 8);
    let mut app = named(&names, 120, 40);
    let buffer = draw(&mut app, true);
    let (rows_with_age, right) = aged(&app, &buffer);
    assert_eq!(rows_with_age.len(), names.len(), "{}", rows(&buffer));
    for y in &rows_with_age {
        assert_eq!(buffer[(right, *y)].symbol(), "│");
    }
    for (name, cells) in names.iter().zip([10, 9, 7, 6, 7, 5, 6, 6]) {
        assert_eq!(text::width(name), cells, "{name:?}");
    }
    // Many of them, scrolled: what the terminal then shows is the frame and nothing else.
    let many: Vec<&str> = names.iter().copied().cycle().take(60).collect();
    let mut app = named(&many, 80, 24);
    let mut before = Buffer::empty(draw(&mut app, true).area);
    let mut shown = Shown(vec![vec![" ".to_string(); 80]; 24]);
    for keys in [
        "j",
        "j j j j j j j j j",
        "G",
        "k k k k k",
        "g g",
        "ctrl-d",
        "ctrl-d",
    ] {
        fixture::press(&mut app, keys);
        let now = draw(&mut app, true);
        shown.take(&before, &now);
        assert_eq!(shown.text(), rows(&now), "after {keys}");
        before = now;
    }
}

#[test]
fn tu04_a_wide_path_is_cut_and_what_stands_right_of_it_stays() {
    for (name, width) in [
        ("湖".repeat(10), 40),
        ("湖".repeat(40), 40),
        ("湖".repeat(40), 60),
    ] {
        let mut app = fixture::app_on(width, 24, fixture::long_contents());
        fixture::lies_in(&mut app, &format!("/work/{name}"));
        let buffer = draw(&mut app, true);
        let header = rows(&buffer).lines().next().unwrap_or_default().to_string();
        assert!(text::width(&header) <= usize::from(width), "{header}");
        assert!(header.contains("212/200 lines"), "{header}");
        let whole = text::width(&name) + 20 <= usize::from(width);
        assert_eq!(header.contains('…'), !whole, "{header}");
    }
}

#[test]
fn tu10_controls_of_direction_are_marks_and_no_column_moves() {
    let names = [
        "nest\u{202E}dm.exe",
        "שלום",
        "\u{2066}\u{2067}\u{2068}\u{2069} unbalanced",
        "see\u{200B} this\u{E0041}\u{E0042}",
    ];
    let mut app = named(&names, 120, 40);
    let buffer = draw(&mut app, true);
    let (rows_with_age, right) = aged(&app, &buffer);
    assert_eq!(rows_with_age.len(), names.len(), "{}", rows(&buffer));
    for y in &rows_with_age {
        assert_eq!(buffer[(right, *y)].symbol(), "│");
    }
    let shown = rows(&buffer);
    assert!(shown.contains("nest<U+202E>dm.exe"), "{shown}");
    let hidden = |c: char| matches!(c, '\u{200B}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{E0000}'..='\u{E007F}');
    assert!(!shown.contains(hidden), "{shown}");
    // Letters that run from right to left: each cell holds one, none of them reorders its row.
    let hebrew = shown
        .lines()
        .find(|line| line.contains('ש'))
        .unwrap_or_default();
    assert!(hebrew.contains("30d"), "{hebrew}");
}
