//! The Preview view: the request part by part, with tokens, bytes, share and what is cached.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::list::List;
use crate::app::preview_rows::{PreviewRow, Tone, file_near};
use crate::app::preview_switches::Switch;
use crate::base::{display, text};
use crate::context::part::{Kind, Part};
use crate::context::preview::{Group, Preview, groups};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{memory, words};
use crate::tui::widget::{line, meter, source};

/// Cells of the bar that shows a part's share of the request.
const BAR: usize = 8;
/// From these cells on a row has its bar, and from those its bytes.
const WITH_BAR: usize = 72;
const WITH_BYTES: usize = 52;

/// Draws the view.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let rows = app.preview.rows();
    // On a row that nothing can be done with no cursor is shown.
    let of = match app.preview.is_on_one() {
        true => app.preview.list,
        false => List {
            cursor: usize::MAX,
            ..app.preview.list
        },
    };
    let preview = app.preview.preview();
    let groups = preview.map(|it| groups(&it.parts)).unwrap_or_default();
    let shown = preview.map(|preview| Shown {
        parts: &preview.parts,
        groups: &groups,
        tokens: preview.tokens,
        near: vec![&preview.asked.cwd, &preview.memory_folder],
        home: &app.home,
    });
    memory::list(app, of, rows.len(), area, buffer, theme, |at, cells| {
        if let (PreviewRow::Meter, Some(preview)) = (&rows[at], preview) {
            return total(preview, cells, theme);
        }
        row(&rows[at], shown.as_ref(), cells, theme)
    });
}

/// The parts that rows are about.
pub(super) struct Shown<'a> {
    pub parts: &'a [Part],
    pub groups: &'a [Group],
    /// Of the whole request.
    pub tokens: usize,
    /// Folders from which paths are told.
    pub near: Vec<&'a PathBuf>,
    pub home: &'a Path,
}

/// All tokens against the window.
fn total(preview: &Preview, cells: usize, theme: Theme) -> Line<'static> {
    let about = match preview.about().trim_end() {
        "" => "tokens".to_string(),
        about => format!("tokens {about}"),
    };
    let bar = if cells >= WITH_BYTES { 12 } else { 0 };
    let spans = meter::meter(&about, preview.tokens, preview.window, bar, theme);
    line::row(spans, Vec::new(), cells)
}

pub(super) fn row(
    row: &PreviewRow,
    shown: Option<&Shown<'_>>,
    cells: usize,
    theme: Theme,
) -> Line<'static> {
    let plain = |said: &str, role| {
        let spans = vec![Span::styled(said.to_string(), theme.style(role))];
        line::row(spans, Vec::new(), cells)
    };
    match (row, shown) {
        (PreviewRow::Said(said, tone), _) => plain(said, role(*tone)),
        (PreviewRow::Switches(switches), _) => {
            line::row(grid(switches, cells, theme), Vec::new(), cells)
        }
        (
            PreviewRow::Fold {
                is_open,
                said,
                tone,
                ..
            },
            _,
        ) => {
            let mark = if *is_open { "▾" } else { "▸" };
            let spans = vec![
                Span::styled(format!("  {} ", theme.mark(mark)), theme.style(Role::Dim)),
                Span::styled(said.clone(), theme.style(role(*tone))),
            ];
            line::row(spans, Vec::new(), cells)
        }
        (PreviewRow::Place(words, tokens), _) => {
            let left = vec![Span::styled(words.clone(), theme.style(Role::Strong))];
            let right = vec![Span::styled(tokens.sum(), theme.style(Role::Dim))];
            line::row(left, right, cells)
        }
        (PreviewRow::Part(at), Some(shown)) => match shown.groups.get(*at) {
            Some(group) => part(shown, group, cells, theme),
            None => Line::default(),
        },
        (
            PreviewRow::Text {
                line: shown,
                around,
                ..
            },
            _,
        ) => {
            let mut spans = vec![Span::styled("  │ ", theme.style(Role::Dim))];
            match around {
                true => spans.push(Span::styled(shown.clone(), theme.style(Role::Dim))),
                false => spans.extend(source::spans(shown, &mut false, theme)),
            }
            Line::from(line::cut(spans, cells))
        }
        (PreviewRow::Cut(entries), _) => {
            let entries = words::counted(*entries, "entry", "entries");
            let mark = theme.mark("✂");
            let said = format!("{mark} the model sees nothing below · {entries} ");
            let rule = "─".repeat(cells.saturating_sub(text::width(&said)));
            let spans = vec![Span::styled(
                format!("{said}{rule}"),
                theme.style(Role::Error),
            )];
            Line::from(line::cut(spans, cells))
        }
        (PreviewRow::Blank | PreviewRow::Meter, _) | (PreviewRow::Part(_), None) => Line::default(),
    }
}

/// Cells of a switch's name.
const NAME: usize = 9;

/// `o layout     observed`: each in a column of its own.
fn grid(switches: &[Switch], cells: usize, theme: Theme) -> Vec<Span<'static>> {
    let column = cells / switches.len().max(1);
    let column = if column < cells { column } else { cells };
    let mut spans = Vec::new();
    for one in switches {
        let state = display::line(&one.state);
        let guessed = if one.guessed { " guessed" } else { "" };
        let key = text::width(&one.key) + 1;
        let most = column.saturating_sub(key + NAME + 2 + guessed.len() + 1);
        let state = text::cut_end(&state, most).into_owned();
        let filled = key + NAME + 2 + text::width(&state) + guessed.len();
        let state_role = if one.usual { Role::Text } else { Role::Strong };
        spans.extend([
            Span::styled(format!("{} ", one.key), theme.style(Role::Accent)),
            Span::styled(format!("{:<NAME$}  ", one.name), theme.style(Role::Dim)),
            Span::styled(state, theme.style(state_role)),
            Span::styled(guessed, theme.style(Role::Dim)),
            Span::raw(" ".repeat(column.saturating_sub(filled))),
        ]);
    }
    spans
}

fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Text,
        Tone::Dim => Role::Dim,
        Tone::Strong => Role::Strong,
        Tone::Warning => Role::Warning,
        Tone::Error => Role::Error,
        Tone::Lost => Role::Cut,
    }
}

/// `▣ index MEMORY.md   ≈ 8,378  25,146 B  ▓▓▓▓▓░░░`: what matters least gives way where it is narrow.
fn part(shown: &Shown<'_>, group: &Group, cells: usize, theme: Theme) -> Line<'static> {
    let main = &shown.parts[group.main];
    let tokens = group.tokens(shown.parts);
    let dim = theme.style(Role::Dim);
    let (mark, mark_role) = match main.cached {
        true => ("▣", Role::Ok),
        false => ("▢", Role::Note),
    };
    let mut left = vec![
        Span::styled(format!("{} ", theme.mark(mark)), theme.style(mark_role)),
        Span::raw(main.kind.word().replace('_', " ")),
    ];
    if let Some(path) = &main.path {
        let path =
            display::line(&file_near(path, shown.near.iter().copied(), shown.home)).into_owned();
        let role = if matches!(main.kind, Kind::Index | Kind::AgentIndex) {
            Role::Strong
        } else {
            Role::Text
        };
        left.push(Span::styled(format!(" {path}"), theme.style(role)));
        if let (Kind::Nested, Some(label)) = (main.kind, &main.label) {
            left.push(Span::styled(format!(" {}", display::line(label)), dim));
        }
    } else if let Some(label) = &main.label {
        left.push(Span::styled(format!(" {}", display::line(label)), dim));
    }
    if !main.recorded {
        left.push(Span::styled(" not recorded", dim));
    }
    let mut right = vec![Span::raw(tokens.one())];
    if cells >= WITH_BYTES {
        let bytes = group.bytes(shown.parts).one();
        right.push(Span::styled(format!(" {bytes:>9} B"), dim));
    }
    if cells >= WITH_BAR {
        let filled = (tokens.known * BAR)
            .checked_div(shown.tokens)
            .unwrap_or(0)
            .min(BAR);
        let bar = format!("  {}{}", "▓".repeat(filled), "░".repeat(BAR - filled));
        right.push(Span::styled(bar, dim));
    }
    line::row(left, right, cells)
}
