use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::app::diff_text::DiffText;
use crate::app::fixture;
use crate::app::index_rows::IndexRow;
use crate::app::message::{AgentTold, Effect, Message};
use crate::app::sessions_view::UnderWay;
use crate::config::settings::Glyphs;
use crate::context::tokens::Total;
use crate::engine::drive::Event;
use crate::llm::answer::{self, Usage};
use crate::turn::machine::End;

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 10)];

pub(super) fn draw(app: &mut App, color: bool) -> Buffer {
    let mut screen = Screen::new(color, false);
    screen.settle(app);
    let backend = TestBackend::new(app.size.width, app.size.height);
    let mut terminal = Terminal::new(backend).unwrap();
    terminal
        .draw(|frame| {
            screen.draw(app, frame);
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

pub(super) fn rows(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let lines = buffer.content.chunks(width).map(|row| {
        let mut line = String::new();
        let mut skip = 0;
        for cell in row {
            if skip == 0 {
                line.push_str(cell.symbol());
                skip = crate::base::text::width(cell.symbol()).max(1);
            }
            skip -= 1;
        }
        line.trim_end().to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Draws what `prepare` makes of each size and compares it with what a person has looked at.
fn snapshots(name: &str, prepare: impl Fn(u16, u16) -> App) {
    for (width, height) in SIZES {
        let mut app = prepare(width, height);
        let buffer = draw(&mut app, true);
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), rows(&buffer));
        });
    }
}

fn pressed(keys: &'static str) -> impl Fn(u16, u16) -> App {
    move |width, height| {
        let mut app = fixture::app(width, height);
        fixture::press(&mut app, keys);
        fixture::pause(&mut app);
        app
    }
}

#[test]
fn tree_and_shelf() {
    snapshots("shelf", pressed("j k"));
}

#[test]
fn the_border_of_the_tree_tells_what_is_marked() {
    let mut app = fixture::app(120, 40);
    fixture::press(&mut app, "j j j space");
    assert!(rows(&draw(&mut app, true)).contains("╰ 1 marked · by age ─"));
    fixture::press(&mut app, "esc");
    assert!(rows(&draw(&mut app, true)).contains("╰ by age ─"));
}

#[test]
fn tree_in_depth() {
    snapshots("tree", pressed("G k k enter j"));
}

#[test]
fn tree_narrowed_and_sorted() {
    snapshots("tree_filter", pressed("s s & e space e"));
    snapshots("tree_filter_kept", pressed("& z z z enter"));
}

#[test]
fn memory_rendered() {
    snapshots("memory", pressed("j j j j j j j enter"));
}

#[test]
fn a_memory_below_the_cut_of_the_index_is_not_said_to_be_well() {
    let line = "- [Backup](db-migration-needs-backup.md)\n";
    let shown = |before: usize| {
        let text = format!("{}{line}", "- [E](e.md)\n".repeat(before));
        let files = ["e.md", "db-migration-needs-backup.md"];
        let contents = crate::agents::Contents {
            index: Some(fixture::index(&text, &files)),
            below_cut: (before == 200)
                .then(|| (files[1].into(), 201))
                .into_iter()
                .collect(),
            ..fixture::contents()
        };
        let mut app = fixture::app_on(120, 40, contents);
        fixture::press(&mut app, "j j j j j j j enter");
        rows(&draw(&mut app, false))
    };
    let seen = shown(199);
    assert!(seen.contains("✓ ok · 34d old"), "{seen}");
    let below = shown(200);
    assert!(!below.contains("✓ ok"), "{below}");
    let said = "✂ below the cut of the index (line 201): the model is not told of it";
    assert!(below.contains(said), "{below}");
    // The tree marks it too.
    let marked = |screen: &str| screen.lines().any(|row| row.contains("✂ db-migration"));
    assert!(marked(&below) && !marked(&seen), "{below}");
}

#[test]
fn memory_raw() {
    snapshots("raw", pressed("j j j j j j j enter v"));
}

#[test]
fn index() {
    snapshots("index", pressed("2 2 G"));
}

#[test]
fn index_from_its_top() {
    snapshots("index_top", pressed("2 2 j j j"));
}

#[test]
fn index_with_its_cut() {
    snapshots("index_cut", |width, height| {
        let mut app = fixture::app_on(width, height, fixture::long_contents());
        fixture::press(&mut app, "2");
        app.focus = Pane::Main;
        app.index.list.cursor = 205;
        app
    });
}

#[test]
fn index_with_a_long_line_of_many() {
    snapshots("index_long", |width, height| {
        let mut contents = fixture::long_contents();
        let hook = "what the model chooses by, at some length: ".repeat(8);
        let text = format!("- [Entry 1](entry-1.md) — {hook}and the end\n- [b](b.md)\n");
        contents.index = Some(fixture::index(&text, &["entry-1.md"]));
        let entry = contents.entries[0].clone();
        contents.entries.extend((0..140).map(|_| entry.clone()));
        let mut app = fixture::app_on(width, height, contents);
        app.tab = Tab::Index;
        app.focus = Pane::Main;
        let is_line = |row: &IndexRow| matches!(row, IndexRow::Line { line: 1, .. });
        app.update(Message::Resize(app.size));
        app.index.list.cursor = app.index.rows().iter().position(is_line).unwrap();
        app.update(Message::Resize(app.size));
        app
    });
}

#[test]
fn preview() {
    snapshots("preview", pressed("p"));
}

#[test]
fn preview_with_an_open_part() {
    snapshots("preview_open", |width, height| {
        let mut app = fixture::app(width, height);
        fixture::press(&mut app, "p i w h y ? enter");
        let part = crate::app::preview_rows::PreviewRow::Part(2);
        let at = app.preview.rows().iter().position(|row| *row == part);
        app.preview.list.cursor = at.unwrap();
        fixture::press(&mut app, "enter");
        app
    });
}

#[test]
fn preview_of_a_sub_agent_is_chosen() {
    snapshots("preview_agent", pressed("p b"));
}

#[test]
fn preview_after_a_compaction() {
    snapshots("preview_compacted", pressed("p a G"));
}

#[test]
fn the_header_tells_what_an_edit_costs_when_the_memory_is_read() {
    let mut app = fixture::app(120, 40);
    fixture::press(&mut app, "j j j j j j j enter e x");
    fixture::pause(&mut app);
    assert!(rows(&draw(&mut app, true)).contains("≈ 118 t (+18) when read"));
}

#[test]
fn help() {
    snapshots("help", pressed("?"));
    snapshots("help_filtered", pressed("? p a g e"));
}

#[test]
fn finder() {
    snapshots("finder", pressed("/ s n a p s h o t down"));
    snapshots(
        "finder_similar",
        pressed("/ s n a p s h o t down down down"),
    );
    snapshots("finder_opened", pressed("/ s n a p s h o t enter"));
}

#[test]
fn palette() {
    snapshots("palette", pressed(": i n down"));
}

#[test]
fn edit() {
    snapshots("edit_text", pressed("j j j e N e w down"));
    snapshots(
        "edit_form",
        pressed("j j j e shift-tab right shift-tab end X"),
    );
    snapshots("edit_new", pressed("n n e w"));
}

#[test]
fn health() {
    snapshots("health", pressed("3 j"));
    snapshots("history", pressed("4 j"));
    snapshots("health_all", pressed("3 A j"));
    snapshots("health_filter", pressed("3 & s t a"));
    snapshots("past", pressed("4 G enter"));
}

#[test]
fn projects() {
    snapshots("project_list", pressed("5"));
    snapshots("project_filter", pressed("5 space & l i v e"));
    snapshots("project_word", pressed("5 d enter x enter"));
    snapshots("project_member", pressed("5 G"));
    snapshots("relink", pressed("5 r enter"));
    snapshots("import", pressed("5 j i a enter"));
}

#[test]
fn sessions() {
    snapshots("session_list", pressed("6 space"));
    snapshots("session_read", pressed("6 enter"));
    snapshots("session_unfolded", pressed("6 enter g g z"));
    snapshots("session_sent", pressed("6 w"));
    snapshots("agent", pressed("a"));
    snapshots("agent_completion", pressed("a / r e down"));
    snapshots("agent_card", pressed("a W h e n ? enter"));
    snapshots(
        "agent_decided",
        pressed("a W h e n ? enter esc y g g j j enter"),
    );
    snapshots("agent_edited", pressed("a W h e n ? enter esc e enter X"));
    snapshots("usage", pressed("7"));
    snapshots("usage_sessions", pressed("7 t enter b"));
    snapshots("usage_week", pressed("7 r r"));
    snapshots("usage_day", pressed("7 j enter"));
    // What can't be read is not claimed to be known.
    let mut app = pressed("7")(120, 40);
    let mut read = crate::app::fixture::session_list();
    read.usage.since = None;
    app.usage.take(read.usage);
    let shown = rows(&draw(&mut app, false));
    assert!(
        shown.contains("not complete: something could not be read"),
        "{shown}"
    );
    snapshots("session_hits", pressed("6 / l o c k enter"));
}

#[test]
fn ledger() {
    snapshots("ledger", pressed("8 space j"));
    snapshots("ledger_request", pressed("8 enter j enter"));
    snapshots("ledger_compared", pressed("8 d"));
}

#[test]
fn how_full_the_window_is_how_long_it_is_warm_and_that_recall_stopped() {
    let at = |tokens: usize, after: i64| {
        move |width, height| {
            let mut app = pressed("a W h e n ? enter")(width, height);
            let usage = Usage {
                input: 1_000,
                cache_read: tokens as u64 - 1_000,
                ..Usage::default()
            };
            let total = Total {
                tokens,
                exact: false,
            };
            let why = "recall has stopped after 3 failures in a row; the last: the server is busy";
            for told in [
                AgentTold::Turn(Event::Asking(total)),
                AgentTold::Turn(Event::Came(answer::Event::Usage(usage))),
                AgentTold::Turn(Event::Ended(End::Answered)),
                AgentTold::RecallStopped(Some(why.to_string())),
            ] {
                app.update(Message::Agent(Box::new(told)));
            }
            app.now.seconds += after;
            app
        }
    };
    snapshots("agent_warm", at(61_234, 0));
    snapshots("agent_warned", at(150_000, 0));
    snapshots("agent_cold", at(170_000, 3_600));
    snapshots("agent_full", at(180_000, 0));
    // What passed shows without colour, and nothing has to be drawn again for time alone.
    let shown = rows(&draw(&mut at(150_000, 0)(120, 40), false));
    assert!(shown.contains("▲ past w(arn)"), "{shown}");
    assert!(!at(61_234, 0)(120, 40).is_working());
}

#[test]
fn a_long_reading_of_sessions_has_a_bar_an_estimate_and_a_key() {
    let read = |keys: &'static str| {
        move |width, height| {
            let mut app = pressed(keys)(width, height);
            let effects = app.update(Message::SessionsChanged);
            let id = effects.iter().find_map(|effect| match effect {
                Effect::ReadSessions { id } => Some(*id),
                _ => None,
            });
            let way = UnderWay {
                read: 43,
                of: 100,
                left: Some(75),
            };
            let id = id.expect("they are read");
            app.update(Message::SessionsUnderWay { id, way });
            app
        }
    };
    snapshots("session_list_reading", read("6"));
    snapshots("usage_reading", read("7"));
    let mut app = read("6")(120, 40);
    let effects = fixture::press(&mut app, "esc");
    assert!(effects.contains(&Effect::StopSessions));
    let mut list = fixture::session_list();
    list.unread = 1_234;
    app.update(Message::Sessions {
        id: app.sessions.awaited().expect("it is read"),
        read: Box::new(list),
    });
    let shown = rows(&draw(&mut app, true));
    assert!(
        shown.contains("stopped: 1,234 not read, 6 reads on"),
        "{shown}"
    );
}

#[test]
fn an_error_longer_than_the_footer_is_read_whole() {
    let said = "the draft could not be kept: /home/ada/.local/state/loci/homes/0123456789abcdef/drafts/0011223344556677.json: read-only file system; make it writable, or set LOCI_STATE_DIR to a folder that is";
    snapshots("long_error", |width, height| {
        let mut app = fixture::app(width, height);
        app.notice = Some(crate::app::Notice::Error(said.to_string()));
        app
    });
    for (width, whole) in [(120, true), (80, true), (40, false)] {
        let mut app = fixture::app(width, 24);
        app.notice = Some(crate::app::Notice::Error(said.to_string()));
        let shown = rows(&draw(&mut app, true));
        assert_eq!(
            shown.contains("set LOCI_STATE_DIR"),
            whole,
            "{width}: {shown}"
        );
        fixture::press(&mut app, "esc");
        assert!(!rows(&draw(&mut app, true)).contains("read-only"));
    }
}

/// A line that is longer than the box, and than the screen, can be read to its end.
#[test]
fn long_lines_of_a_review_are_wrapped() {
    for (width, height) in SIZES {
        let mut app = fixture::app(width, height);
        fixture::press(&mut app, "j j j d");
        let Some(Overlay::Review(review)) = &mut app.overlay else {
            panic!("a review");
        };
        let words: Vec<String> = (100..700).map(|number| format!("word{number}")).collect();
        let lines = vec![format!("+{}", words.join(" ")), "-the last".to_string()];
        review.diff = DiffText::new(lines);
        let mut seen = rows(&draw(&mut app, true));
        assert!(!seen.contains("the last"), "{seen}");
        for _ in 0..200 {
            fixture::press(&mut app, "j");
            seen += &rows(&draw(&mut app, true));
        }
        let unseen: Vec<_> = words.iter().filter(|word| !seen.contains(*word)).collect();
        assert!(unseen.is_empty() && seen.contains("the last"), "{unseen:?}");
    }
}

#[test]
fn questions() {
    snapshots("review", pressed("j j j d"));
    snapshots("change", pressed("j j j e N e w ctrl-g"));
    snapshots("prompt", pressed("j j j r"));
    snapshots("projects", pressed("j j j m down"));
    snapshots("prompt_again", |width, height| {
        let mut app = pressed("j j j r")(width, height);
        if let Some(Overlay::Prompt(prompt)) = &mut app.overlay {
            let said = "`a/b` can't be a memory's name: a name holds no slash";
            prompt.said = Some(said.to_string());
        }
        app
    });
    snapshots("choice", |width, height| {
        let mut app = pressed("j j j e")(width, height);
        app.overlay = Some(Overlay::Choice(fixture::choice()));
        app
    });
    snapshots("merge", |width, height| {
        let mut app = pressed("j j j e")(width, height);
        app.overlay = Some(Overlay::Merge(Box::new(fixture::conflict(&app))));
        fixture::press(&mut app, "m");
        fixture::pause(&mut app);
        app
    });
}

#[test]
fn pending_chord() {
    snapshots("chord", pressed("g"));
}

#[test]
fn empty_store() {
    snapshots("empty", fixture::empty_app);
}

#[test]
fn no_size_is_too_small() {
    for (width, height) in [(1, 1), (2, 1), (39, 9), (40, 9), (39, 24), (200, 1)] {
        for keys in ["j", "2", "?", ":"] {
            let mut app = pressed(keys)(120, 40);
            app.size = crate::app::layout::Size { width, height };
            draw(&mut app, true);
        }
    }
    let mut app = fixture::app(39, 9);
    assert!(rows(&draw(&mut app, true)).starts_with("too small: 40×10"));
}

#[test]
fn nothing_hidden_reaches_a_cell() {
    for keys in ["G", "j j j j j", "j j j j j j j enter", "v", "2 2 G"] {
        let mut app = pressed(keys)(120, 40);
        let shown = rows(&draw(&mut app, true));
        let bad = ['\u{202E}', '\u{1b}', '\u{E0041}'];
        assert!(!shown.contains(bad), "{shown}");
    }
}

#[test]
fn the_last_look_catches_what_a_view_forgot() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
    for (x, symbol) in ["a\u{202E}", "\u{E0041}", "👨‍👩‍👧", "❤\u{FE0F}"]
        .into_iter()
        .enumerate()
    {
        buffer[(u16::try_from(x).unwrap(), 0)].set_symbol(symbol);
    }
    hide_nothing(&mut buffer);
    let symbols: Vec<_> = buffer
        .content
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(symbols, ["¿", "¿", "👨‍👩‍👧", "❤\u{FE0F}"]);
}

#[test]
fn the_marks_of_a_cell_are_limited() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
    buffer[(0, 0)].set_symbol(&format!("e{}", "\u{301}".repeat(200_000)));
    let most = format!("e{}", "\u{301}".repeat(16));
    buffer[(1, 0)].set_symbol(&most);
    hide_nothing(&mut buffer);
    assert_eq!(buffer[(0, 0)].symbol(), format!("{most}\u{20F0}"));
    assert_eq!(buffer[(1, 0)].symbol(), most);
}

#[test]
fn without_colour_the_selection_still_shows() {
    let mut app = fixture::app(80, 24);
    let buffer = draw(&mut app, false);
    assert!(buffer.content.iter().all(|cell| {
        cell.fg == ratatui::style::Color::Reset && cell.bg == ratatui::style::Color::Reset
    }));
    let reversed = buffer
        .content
        .iter()
        .any(|cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED));
    assert!(reversed && rows(&buffer).contains('▌'));
}

#[test]
fn a_narrow_header_keeps_the_limit_that_is_exceeded_and_what_is_unusual() {
    let header = |width, notice: &[&str]| {
        let mut app = fixture::app_on(width, 24, fixture::long_contents());
        app.store_notices = notice.iter().map(ToString::to_string).collect();
        let buffer = draw(&mut app, true);
        rows(&buffer).lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(
        header(120, &[]),
        " loci · shop-web · 10 memories · index 7,943/25,000 u · 212/200 lines"
    );
    assert_eq!(header(40, &[]), " loci · shop-web · 212/200 lines");
    assert_eq!(
        header(
            60,
            &["memory lies below /srv/shared/store: CLAUDE_CODE_REMOTE_MEMORY_DIR"]
        ),
        " shop-web · 212/200 lines · ▲ memory lies below /srv/share…"
    );
}

/// Every view and every box, at every size.
const VIEWS: &[&str] = &[
    "j k",
    "G k k enter j",
    "j j j j j j j enter",
    "j j j j j j j enter v",
    "2 2 G",
    "2 2 j j j",
    "3 j",
    "3 j j",
    "4 j",
    "7 j",
    "7 t enter b",
    "?",
    "? z z z",
    "/ s n a p s h o t down",
    "/ s n a p s h o t enter",
    "/ z q z q",
    ": i n down",
    "F3",
    "j j j e N e w down",
    "j j j e shift-tab right shift-tab end X",
    "n n e w",
    "j j j d",
    "j j j e N e w ctrl-g",
    "j j j r",
    "j j j e esc e",
    "space space",
    "y",
    "1 1",
    "g",
    "F2",
];

/// Case TU05: with `glyphs = "ascii"` nothing of ours is left that a terminal could draw two cells
/// wide, over content that is ASCII; content is shown as it is.
#[test]
fn tu05_ascii_glyphs_leave_no_other_mark_of_ours() {
    for (width, height) in SIZES {
        for keys in VIEWS {
            let mut app = fixture::app(width, height);
            app.look.glyphs = Glyphs::Ascii;
            fixture::press(&mut app, keys);
            assert_ascii(&draw(&mut app, true), keys);
        }
        let mut app = fixture::app_on(width, height, fixture::long_contents());
        app.look.glyphs = Glyphs::Ascii;
        fixture::press(&mut app, "2");
        app.index.list.cursor = 205;
        let shown = assert_ascii(&draw(&mut app, true), "the cut");
        assert!(shown.contains(">8 the model sees"), "{shown}");
        let mut app = fixture::app(width, height);
        app.look.glyphs = Glyphs::Ascii;
        fixture::press(&mut app, "j j j e");
        app.overlay = Some(Overlay::Merge(Box::new(fixture::conflict(&app))));
        fixture::press(&mut app, "m");
        assert_ascii(&draw(&mut app, true), "a conflict");
        app.overlay = Some(Overlay::Choice(fixture::choice()));
        assert_ascii(&draw(&mut app, true), "a choice");
    }
    // The case's own text: what stands behind its marks is there, and they are.
    let mut app = fixture::app(120, 40);
    app.look.glyphs = Glyphs::Ascii;
    fixture::press(&mut app, "j j j j j j j enter");
    let text = "---\nname: a\n---\n- ①②③ ■ … — ± end\n";
    let shown = app.reading.shown().expect("a memory is open").clone();
    app.reading.show(crate::app::reading::Shown {
        page: Ok(Box::new(fixture::page(text))),
        stamp: u64::MAX,
        ..shown
    });
    let shown = rows(&draw(&mut app, true));
    assert!(shown.contains("* ①②③ ■ … — ± end"), "{shown}");
}

#[track_caller]
fn assert_ascii(buffer: &Buffer, view: &str) -> String {
    let shown = rows(buffer);
    let is_content = |c: char| "家族👨👩👧数据库快照，再部署等待\u{200D}␛".contains(c);
    let odd = shown.chars().filter(|c| !c.is_ascii() && !is_content(*c));
    let odd: String = odd.collect();
    assert_eq!(odd, "", "{view}\n{shown}");
    let blinks = ratatui::style::Modifier::SLOW_BLINK;
    assert!(
        buffer
            .content
            .iter()
            .all(|cell| !cell.modifier.contains(blinks))
    );
    shown
}

#[test]
fn a_theme_colours_every_cell_and_is_looked_at_before_it_is_kept() {
    use ratatui::style::Color;
    let mut app = fixture::app(80, 24);
    fixture::press(&mut app, "F3 down");
    assert_eq!(app.theme(), "dark");
    let is_dark = |buffer: &Buffer| {
        let behind = Color::Rgb(0x17, 0x1a, 0x1f);
        // The second half of a wide character is never sent.
        let is_half = |at: usize| {
            let before = at.checked_sub(1).map(|at| buffer.content[at].symbol());
            before.is_some_and(|symbol| crate::base::text::width(symbol) > 1)
        };
        let mut cells = buffer.content.iter().enumerate();
        cells.all(|(at, cell)| is_half(at) || cell.bg == behind && cell.fg != Color::Reset)
    };
    assert!(is_dark(&draw(&mut app, true)));
    assert!(
        draw(&mut app, false)
            .content
            .iter()
            .all(|cell| cell.bg == Color::Reset)
    );
    fixture::press(&mut app, "esc");
    assert_eq!(app.theme(), "terminal");
    assert!(!is_dark(&draw(&mut app, true)));
    let effects = fixture::press(&mut app, "F3 down enter");
    assert_eq!(
        effects,
        [crate::app::message::Effect::KeepTheme("dark".to_string())]
    );
    assert!(app.overlay.is_none() && is_dark(&draw(&mut app, true)));
}

#[test]
fn themes() {
    snapshots("themes", pressed("F3"));
}

#[test]
fn work_that_lasts_is_shown_by_a_sign_that_moves_or_by_a_word() {
    use crate::app::message::Message;
    let mut app = fixture::app(80, 24);
    let header = |app: &mut App, seconds| {
        app.update(Message::Key(crate::app::key::Key::char('u')));
        app.update(Message::Beat { seconds });
        let shown = rows(&draw(app, true));
        let header = shown.lines().next().unwrap_or_default();
        header
            .split(" · ")
            .find(|part| part.contains("working"))
            .map(str::to_string)
    };
    assert_eq!(header(&mut app, 0).as_deref(), Some("⠋ working"));
    assert_eq!(header(&mut app, 1).as_deref(), Some("⠙ working 1 s"));
    app.look.motion = false;
    assert_eq!(header(&mut app, 2).as_deref(), Some("… working 2 s"));
    app.look.glyphs = Glyphs::Ascii;
    let shown = rows(&draw(&mut app, true));
    assert!(shown.contains("~ working 2 s"), "{shown}");
}

#[test]
fn rules_in_the_tree() {
    snapshots("rules", |width, height| {
        let mut app = fixture::ruled_app(width, height);
        fixture::press(&mut app, "j enter j j j");
        app
    });
}

#[test]
fn a_rule_that_waits_tells_for_what() {
    snapshots("rule_waiting", |width, height| {
        let mut app = fixture::ruled_app(width, height);
        fixture::press(&mut app, "j enter j j j j j j j enter");
        app
    });
}

#[test]
fn a_rule_that_is_missing_tells_who_names_it() {
    snapshots("rule_missing", |width, height| {
        let mut app = fixture::ruled_app(width, height);
        fixture::press(&mut app, "j enter j j j j enter");
        app
    });
}
