//! The Index view: the file line by line with the state of each pointer, both limits, and the cut in
//! its place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::agents::Contents;
use crate::app::App;
use crate::app::action::{Action, Scope};
use crate::app::index_rows::{self, Fate, IndexRow, Which};
use crate::app::layout::Pane;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::memory::index::Index;
use crate::memory::pointer::{Pointer, PointerState};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::{list, memory, words};
use crate::tui::widget::line;
use crate::tui::widget::meter::meter;

/// Draws the Index view of the current shelf.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let rows = app.index.rows();
    let nothing = Contents::default();
    let state = app.tree.current();
    let contents = state.and_then(|state| state.contents.as_ref());
    let files = Files::new(app, contents.unwrap_or(&nothing));
    let of = app.index.list;
    let inside = memory::frame(app, list::scroll(of, rows.len()), area, buffer, theme);
    let (above, below) = parted(inside, app.index.detail().len());
    let focused = app.is_focused(Pane::Main);
    list::draw(
        of,
        rows.len(),
        focused,
        above,
        buffer,
        theme,
        |at, cells| files.row(&rows[at], cells, theme),
    );
    draw_detail(app, below, buffer, theme);
}

/// The list, and below it the chosen line with its rule.
fn parted(inside: Rect, detail: usize) -> (Rect, Rect) {
    let rows = match u16::try_from(detail) {
        Ok(0) | Err(_) => 0,
        Ok(rows) => (rows + 1).min(inside.height),
    };
    let above = Rect {
        height: inside.height - rows,
        ..inside
    };
    let below = Rect {
        y: above.bottom(),
        height: rows,
        ..inside
    };
    (above, below)
}

/// The chosen line, whole: its row has no room for it.
fn draw_detail(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let mut rows = area.rows();
    let Some(rule) = rows.next() else {
        return;
    };
    let width = usize::from(area.width);
    let dim = theme.style(Role::Dim);
    buffer.set_stringn(rule.x, rule.y, "─".repeat(width), width, dim);
    let cells = width.saturating_sub(usize::from(list::SIDES));
    let detail = app.index.detail();
    for (at, (row, said)) in rows.zip(detail).enumerate() {
        let is_cut = app.index.is_cut() && at + 1 == detail.len();
        let said = match is_cut {
            true => text::cut_end(&format!("{said} …"), cells).into_owned(),
            false => said.clone(),
        };
        let style = theme.verbatim(theme.style(Role::Text));
        buffer.set_stringn(row.x + 1, row.y, said, cells, style);
    }
}

/// The two indexes, cut into lines once a frame.
struct Files<'a> {
    own: Option<(&'a Index, Vec<&'a str>)>,
    team: Option<(&'a Index, Vec<&'a str>)>,
    /// The key that adds an entry.
    add: String,
}

impl<'a> Files<'a> {
    fn new(app: &App, contents: &'a Contents) -> Self {
        let file = |which| {
            index_rows::index(contents, which).map(|index| (index, index.text.lines().collect()))
        };
        Self {
            own: file(Which::Own),
            team: file(Which::Team),
            add: app.keymap.shown(Action::AddEntry, Scope::Index),
        }
    }

    fn get(&self, which: Which) -> Option<(&'a Index, &[&'a str])> {
        let file = match which {
            Which::Own => &self.own,
            Which::Team => &self.team,
        };
        file.as_ref()
            .map(|(index, lines)| (*index, lines.as_slice()))
    }

    fn row(&self, row: &IndexRow, cells: usize, theme: Theme) -> Line<'static> {
        let said = |text: String, role| said_row(text, role, cells, theme);
        match row {
            IndexRow::None(text) | IndexRow::Room(text) => said(text.clone(), Role::Dim),
            IndexRow::Heading => said("⇄ team index".to_string(), Role::Strong),
            IndexRow::Blank => Line::default(),
            IndexRow::Meters(which) => self
                .get(*which)
                .map_or_else(Line::default, |(index, _)| meters(index, cells, theme)),
            IndexRow::Disagree(_) => said(
                format!(
                    "▲ over {0} bytes, under {0} UTF-16 units: readings disagree",
                    grouped(INDEX_UNITS)
                ),
                Role::Warning,
            ),
            IndexRow::Off(which) => {
                let off = self.get(*which).and_then(|(index, _)| index.off.as_deref());
                said(
                    format!("▲ {}", display::line(off.unwrap_or_default())),
                    Role::Warning,
                )
            }
            IndexRow::LeadsOut(which) => {
                let index = self.get(*which).map(|(index, _)| index);
                let to = index.and_then(|index| index.leads_out.as_deref());
                let sentence = format!(
                    "▲ a link to {}, out of the memory folder",
                    display::line(to.unwrap_or_default())
                );
                said(sentence, Role::Warning)
            }
            IndexRow::Ghosts(count) => {
                let memories = words::counted(*count, "memory", "memories");
                let add = &self.add;
                said(
                    format!("◌ no line points at {memories} ({add} adds one)"),
                    Role::Note,
                )
            }
            IndexRow::Ghost(path) => said(format!("  ◌ {}", display::line(path)), Role::Text),
            IndexRow::Cut { entries } => cut(*entries, cells, theme),
            IndexRow::Warning(text) | IndexRow::Many(text) => said(text.clone(), Role::Warning),
            IndexRow::Line { which, line, fate } => {
                self.get(*which)
                    .map_or_else(Line::default, |(index, lines)| {
                        let text = lines.get(*line - 1).copied().unwrap_or_default();
                        let digits = lines.len().to_string().len().max(2);
                        let pointer = index_rows::pointer(index, *line);
                        file_line(text, (*line, digits), pointer, *fate, cells, theme)
                    })
            }
        }
    }
}

fn said_row(text: String, role: Role, cells: usize, theme: Theme) -> Line<'static> {
    let spans = vec![Span::styled(text, theme.style(role))];
    line::row(spans, Vec::new(), cells)
}

/// Both limits. The figures come first: where it is narrow the bars give way, then the bytes.
fn meters(index: &Index, cells: usize, theme: Theme) -> Line<'static> {
    let loaded = &index.loaded;
    let bytes = format!("{} bytes", grouped(loaded.bytes));
    let figures = |bar| {
        let mut spans = meter("lines", loaded.lines, INDEX_LINES, bar, theme);
        spans.push(Span::raw("  "));
        spans.extend(meter("units", loaded.units, INDEX_UNITS, bar, theme));
        spans
    };
    let room = cells.saturating_sub(line::width(&figures(0)));
    let bar = |room: usize| (room / 2).saturating_sub(1).min(12);
    let beside = bar(room.saturating_sub(bytes.len() + 1));
    let (bar, bytes) = match (beside >= 4, room > bytes.len()) {
        (true, _) => (beside, Some(bytes)),
        (false, true) => (0, Some(bytes)),
        (false, false) => (0, None),
    };
    let right = bytes.map(|bytes| Span::styled(bytes, theme.style(Role::Dim)));
    line::row(figures(bar), right.into_iter().collect(), cells)
}

fn cut(entries: usize, cells: usize, theme: Theme) -> Line<'static> {
    let entries = words::counted(entries, "entry", "entries");
    let mark = theme.mark("✂");
    let words = format!("{mark} the model sees nothing below · {entries} ");
    let rule = "─".repeat(cells.saturating_sub(text::width(&words)));
    let spans = vec![
        Span::styled(words, theme.style(Role::Error)),
        Span::styled(rule, theme.style(Role::Error)),
    ];
    Line::from(line::cut(spans, cells))
}

fn file_line(
    raw: &str,
    (number, digits): (usize, usize),
    pointer: Option<&Pointer>,
    fate: Fate,
    cells: usize,
    theme: Theme,
) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let (mark, word, role) = match pointer {
        Some(pointer) => words::pointer(pointer.state),
        None => (" ", "", Role::Text),
    };
    let mut left = vec![
        Span::styled(format!("{number:>digits$} "), dim),
        Span::styled(format!("{mark} "), theme.style(role)),
    ];
    left.extend(match (fate, pointer) {
        (Fate::Loaded, Some(pointer)) => pointer_spans(raw, pointer, theme),
        (Fate::Loaded, None) => vec![Span::raw(safe(raw))],
        (Fate::Stripped | Fate::BelowCut, _) => {
            vec![Span::styled(safe(raw), theme.style(Role::Cut))]
        }
    });
    let word = match fate {
        Fate::Stripped => "not loaded",
        Fate::Loaded | Fate::BelowCut => word,
    };
    let role = match fate {
        Fate::Stripped => Role::Dim,
        Fate::Loaded | Fate::BelowCut => role,
    };
    let right = if word.is_empty() {
        Vec::new()
    } else {
        vec![Span::styled(word, theme.style(role))]
    };
    line::row(left, right, cells)
}

fn safe(raw: &str) -> String {
    display::line(&display::untab(raw)).into_owned()
}

/// The line as it stands, its title bold, what only makes the link dim.
fn pointer_spans(raw: &str, pointer: &Pointer, theme: Theme) -> Vec<Span<'static>> {
    let title = match pointer.state {
        PointerState::Malformed => None,
        PointerState::Ok
        | PointerState::Dangling
        | PointerState::Duplicate
        | PointerState::Case
        | PointerState::Unsafe => Some(pointer.title.as_str()),
    };
    let parts = title
        .filter(|title| !title.is_empty())
        .and_then(|title| {
            raw.split_once(title)
                .map(|(before, after)| (before, title, after))
        })
        .and_then(|(before, title, after)| {
            let end = after.find(')')? + 1;
            Some((before, title, &after[..end], &after[end..]))
        });
    let Some((before, title, target, hook)) = parts else {
        return vec![Span::raw(safe(raw))];
    };
    let dim = theme.style(Role::Dim);
    vec![
        Span::styled(safe(before), dim),
        Span::styled(safe(title), theme.style(Role::Strong)),
        Span::styled(safe(target), dim),
        Span::raw(safe(hook)),
    ]
}
