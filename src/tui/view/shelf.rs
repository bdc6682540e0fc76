//! What is known of a shelf, as lines: shown where no memory is chosen.

use std::collections::BTreeMap;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::agents::{Contents, Layout, ShelfKind};
use crate::app::App;
use crate::app::tree::ShelfState;
use crate::base::display;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::memory::file::{MemoryType, State};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::words;
use crate::tui::widget::line::{self, Runs};
use crate::tui::widget::meter::meter;

const KEY_CELLS: usize = 12;

/// The lines for a shelf at a width.
#[must_use]
pub fn lines(app: &App, state: &ShelfState, cells: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut page = Sheet {
        cells,
        theme,
        lines: Vec::new(),
    };
    let shelf = &state.shelf;
    page.text(&words::shelf(shelf), theme.style(Role::Strong));
    page.text("", Style::new());
    match &shelf.path {
        Some(path) => page.field("project", &path.to_string_lossy()),
        None => match shelf.kind {
            ShelfKind::Project => {
                page.field("project", "its folder is not known: no transcript names it");
            }
            ShelfKind::Agent => page.field("agent", "memories of a sub-agent, in every project"),
            ShelfKind::AgentProject => {
                page.field(
                    "agent",
                    "memories of a sub-agent in this project, under version control",
                );
            }
            ShelfKind::AgentLocal => {
                page.field(
                    "agent",
                    "memories of a sub-agent in this project, on this machine only",
                );
            }
        },
    }
    page.field("folder", &shelf.folder.to_string_lossy());
    if app.tree.is_empty_here(state) {
        page.text("", Style::new());
        page.text(
            "No memories yet. The first one that the agent writes here makes the folder; the other projects are in the tree.",
            theme.style(Role::Text),
        );
    } else if let Some(count) = state.count() {
        let mut holds = words::counted(count, "memory", "memories");
        if state.surveyed && shelf.transcripts > 0 {
            let transcripts = words::counted(shelf.transcripts, "transcript", "transcripts");
            holds = format!("{holds} · {transcripts}");
        }
        page.field("holds", &holds);
    }
    match &state.contents {
        Some(contents) => push_contents(&mut page, contents),
        None => page.text("", Style::new()),
    }
    if app.tree.is_here(state) && !app.store_notices.is_empty() {
        page.text("", Style::new());
        for notice in &app.store_notices {
            page.text(
                &format!("▲ {}", display::line(notice)),
                theme.style(Role::Warning),
            );
        }
    }
    page.lines
}

fn push_contents(page: &mut Sheet, contents: &Contents) {
    let theme = page.theme;
    if contents.layout == Layout::Tiny {
        page.field(
            "layout",
            "one fact a file, in the order of `created`, no index",
        );
    }
    let mut types: BTreeMap<&MemoryType, usize> = BTreeMap::new();
    for entry in &contents.entries {
        *types.entry(&entry.kind).or_default() += 1;
    }
    let mut runs = Runs::new();
    for (kind, count) in types {
        runs.push((words::kind(kind), theme.of_type(kind)));
        runs.push((format!(" {count}   "), theme.style(Role::Dim)));
    }
    page.runs("types", &runs);
    let mut states: BTreeMap<State, usize> = BTreeMap::new();
    for entry in &contents.entries {
        *states.entry(entry.state).or_default() += 1;
    }
    let mut runs = Runs::new();
    for (state, count) in states {
        let (mark, role) = words::state_mark(state).unwrap_or(("✓", Role::Ok));
        let word = words::state_word(state);
        runs.push((format!("{mark} {word}"), theme.style(role)));
        runs.push((format!(" {count}   "), theme.style(Role::Dim)));
    }
    page.runs("states", &runs);
    if let Some(index) = &contents.index {
        page.text("", Style::new());
        for (at, (name, used, limit)) in [
            ("lines", index.loaded.lines, INDEX_LINES),
            ("units", index.loaded.units, INDEX_UNITS),
        ]
        .into_iter()
        .enumerate()
        {
            let runs: Runs = meter(name, used, limit, 12, theme)
                .into_iter()
                .map(|span| (span.content.into_owned(), span.style))
                .collect();
            page.runs(if at == 0 { "index" } else { "" }, &runs);
        }
        if let Some(off) = &index.off {
            page.text(
                &format!("▲ {}", display::line(off)),
                theme.style(Role::Warning),
            );
        }
    }
    for fault in &contents.faults {
        page.text(
            &format!("✗ {}", display::line(fault)),
            theme.style(Role::Error),
        );
    }
}

struct Sheet {
    cells: usize,
    theme: Theme,
    lines: Vec<Line<'static>>,
}

impl Sheet {
    fn text(&mut self, text: &str, style: Style) {
        let runs = vec![(text.to_string(), style)];
        let rows = line::wrap(&runs, self.cells);
        self.lines.extend(rows.into_iter().map(Line::from));
    }

    fn field(&mut self, name: &str, value: &str) {
        let value = display::line(value).into_owned();
        self.runs(name, &[(value, self.theme.style(Role::Text))]);
    }

    fn runs(&mut self, name: &str, runs: &[(String, Style)]) {
        if runs.is_empty() {
            return;
        }
        let room = self.cells.saturating_sub(KEY_CELLS);
        for (at, row) in line::wrap(runs, room).into_iter().enumerate() {
            let key = if at == 0 { name } else { "" };
            let key = format!("{key:<KEY_CELLS$}");
            let mut spans = vec![Span::styled(key, self.theme.style(Role::Dim))];
            spans.extend(row);
            self.lines.push(Line::from(spans));
        }
    }
}
