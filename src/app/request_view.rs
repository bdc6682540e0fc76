//! A request of the ledger that is open: what is known of it, its parts as they were sent, what came back.
//! Its parts are rows of the kind that the preview has.

use std::collections::BTreeSet;
use std::path::Path;

use crate::app::acting;
use crate::app::list::List;
use crate::app::preview_rows::{self, LEGEND, Opened as Unfolded, PartRow, PreviewRow, Tone, hung};
use crate::app::preview_words::place_words;
use crate::base::display;
use crate::base::time::{Moment, grouped};
use crate::context::ledger::{Entry, Opened};
use crate::context::part::Part;
use crate::context::preview::groups;
use crate::transcript::usage::Sum;

/// The state of the view.
#[derive(Debug, Clone)]
pub struct RequestView {
    pub id: String,
    awaited: Option<u64>,
    entry: Option<Entry>,
    /// What was sent, then what came back.
    parts: Vec<Part>,
    /// How many of them were sent.
    sent: usize,
    gone: usize,
    rows: Vec<PreviewRow>,
    /// Parts that are open.
    unfolded: BTreeSet<Unfolded>,
    made_at: Option<usize>,
    height: usize,
    pub list: List,
}

impl RequestView {
    #[must_use]
    pub fn new(id: String, awaited: u64) -> Self {
        Self {
            id,
            awaited: Some(awaited),
            entry: None,
            parts: Vec::new(),
            sent: 0,
            gone: 0,
            rows: Vec::new(),
            unfolded: BTreeSet::new(),
            made_at: None,
            height: 0,
            list: List::default(),
        }
    }

    #[must_use]
    pub fn rows(&self) -> &[PreviewRow] {
        &self.rows
    }

    #[must_use]
    pub fn row(&self) -> Option<&PreviewRow> {
        self.rows.get(self.list.cursor)
    }

    /// What was sent, then what came back.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.awaited.is_some()
    }

    /// Whether this answer is awaited.
    #[must_use]
    pub fn awaits(&self, id: u64) -> bool {
        self.awaited == Some(id)
    }

    /// Takes what was read.
    pub fn fill(&mut self, entry: Entry, opened: Opened) {
        self.awaited = None;
        self.entry = Some(entry);
        self.sent = opened.parts.len();
        self.gone = opened.gone;
        self.parts = opened.parts;
        self.parts.extend(opened.answer);
        self.made_at = None;
    }

    /// Builds the rows for a width. `project`: what its project is called.
    pub fn turn_to(&mut self, cells: usize, project: &dyn Fn(&str) -> String, home: &Path) {
        if self.made_at == Some(cells) {
            return;
        }
        self.made_at = Some(cells);
        let Some(entry) = &self.entry else {
            self.rows = preview_rows::said("being read …", cells);
            return;
        };
        let mut rows = Vec::new();
        for (said, tone) in head(entry, self.gone, project) {
            rows.extend(hung("", &display::homely(&said, home), tone, cells));
        }
        let heading = |part: usize| match part < self.sent {
            true => place_words(self.parts[part].place),
            false => "what came back".to_string(),
        };
        let parts = preview_rows::part_rows(&self.parts, &self.unfolded, cells, &heading);
        rows.extend(parts.into_iter().filter_map(|row| match row {
            PartRow::Row(row) => Some(row),
            PartRow::End(_) => None,
        }));
        rows.push(PreviewRow::Blank);
        if self.sent == self.parts.len() {
            rows.extend(hung(
                "",
                "of what came back nothing was kept",
                Tone::Dim,
                cells,
            ));
        }
        rows.extend(hung("", LEGEND, Tone::Dim, cells));
        self.rows = rows;
        self.list.go(self.list.cursor, self.rows.len());
        acting::land(&mut self.list, &self.rows, self.height);
    }

    /// Opens or closes the part under the cursor, which stays on it; `false`: there is none.
    pub fn toggle(&mut self) -> bool {
        let Some(opened) = self.row().and_then(PreviewRow::opens) else {
            return false;
        };
        if !self.unfolded.remove(&opened) {
            self.unfolded.insert(opened);
        }
        let at = self.rows.iter().position(|row| row.is_head_of(opened));
        self.list.cursor = at.unwrap_or(self.list.cursor);
        self.made_at = None;
        true
    }

    /// The exact text of the part under the cursor.
    #[must_use]
    pub fn chosen_text(&self) -> Option<String> {
        let group = self.row()?.group()?;
        Some(groups(&self.parts).get(group)?.text(&self.parts))
    }

    /// Moves by so many rows; `false`: it was at that end already.
    pub fn step(&mut self, rows: isize) -> bool {
        acting::step(&mut self.list, &self.rows, self.height, rows)
    }

    /// Scrolls the view by so many rows.
    pub fn scroll(&mut self, rows: isize) {
        self.list.scroll(rows, self.rows.len(), self.height);
        acting::land(&mut self.list, &self.rows, self.height);
    }

    /// Puts the cursor on a row that was clicked; `false`: nothing can be done with it.
    pub fn go(&mut self, row: usize) -> bool {
        let acts = self.rows.get(row).is_some_and(PreviewRow::acts);
        if acts {
            self.list.cursor = row;
        }
        acts
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
        acting::land(&mut self.list, &self.rows, height);
    }
}

/// What is known of a request: sentences.
fn head(entry: &Entry, gone: usize, project: &dyn Fn(&str) -> String) -> Vec<(String, Tone)> {
    let time = entry.time.map_or("–".to_string(), Moment::rfc3339);
    let of = entry.project.as_deref().map(project);
    let of = of.map_or(String::new(), |of| format!(" · {of}"));
    let mut said = vec![
        (
            format!(
                "{} · {} · {time} · {}",
                entry.purpose.word(),
                entry.model,
                entry.end()
            ),
            Tone::Strong,
        ),
        (format!("{}{of}", entry.id), Tone::Dim),
    ];
    let parts = match entry.parts {
        1 => "1 part".to_string(),
        many => format!("{} parts", grouped(many)),
    };
    let tokens = grouped(entry.tokens);
    match &entry.sum {
        Some(sum) => said.push((counted(sum), Tone::Plain)),
        None => said.push((
            format!("{parts}, ≈ {tokens} tokens; the provider counted nothing"),
            Tone::Warning,
        )),
    }
    if let Some(miss) = &entry.miss {
        said.push((format!("cache missed: {}", miss.sentence()), Tone::Warning));
    }
    if gone > 0 {
        said.push((
            format!(
                "{} of its texts are gone: purged, or changed by hand",
                grouped(gone)
            ),
            Tone::Error,
        ));
    }
    said
}

/// `12,345 in · 456 out · 9,000 read from the cache, 73 % (70 % of all) · $0.01`.
#[must_use]
pub fn counted(sum: &Sum) -> String {
    let number = |tokens: u64| grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
    let usage = &sum.usage;
    let shares = sum.cache_shares().map_or(String::new(), |(hit, of_all)| {
        let (hit, of_all) = (display::percent(hit), display::percent(of_all));
        format!(", {hit} % of what was not written to it, {of_all} % of all")
    });
    let cost = sum
        .dollars()
        .map_or("no price is known".to_string(), |dollars| {
            format!("${dollars:.4}")
        });
    format!(
        "tokens {} in · {} out · {} written to the cache · {} read from it{shares} · {cost}",
        number(usage.input),
        number(usage.output),
        number(usage.cache_creation),
        number(usage.cache_read),
    )
}
