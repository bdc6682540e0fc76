//! Markdown as lines of a given width, each in pieces that say what they are for: headings, lists, quotes,
//! code, tables, emphasis, links, `[[wiki links]]`. Text is made safe on its way in. Knows no colours.

mod growing;
mod table;

pub use growing::{Growing, Grown};

use std::ops::Range;

use crate::app::painted::{Painted, PaintedLine, Tone};
use crate::base::markdown::options;
use crate::base::{display, text};
use crate::config::theme::Role;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// What a piece of text is for: roles, each laid over those before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ink {
    pub roles: Vec<Role>,
    /// It is text of the source, no mark of ours.
    pub is_verbatim: bool,
}

impl Ink {
    #[must_use]
    pub fn of(role: Role) -> Self {
        Self {
            roles: vec![role],
            is_verbatim: false,
        }
    }

    fn over(&self, role: Role) -> Self {
        let mut ink = self.clone();
        // Once each, whatever is nested in itself without end.
        ink.roles.retain(|one| *one != role);
        ink.roles.push(role);
        ink
    }

    fn verbatim(self) -> Self {
        Self {
            is_verbatim: true,
            ..self
        }
    }
}

/// Text in pieces of one ink each.
pub type Runs = Vec<(String, Ink)>;

/// Cells that a line takes.
#[must_use]
pub fn width(line: &Runs) -> usize {
    line.iter().map(|(piece, _)| text::width(piece)).sum()
}

/// Lays `source` out in lines of at most `cells` cells; its code in tones where it is painted.
#[must_use]
pub fn lay_out(source: &str, painted: Option<&Painted>, cells: usize) -> Vec<Runs> {
    let mut renderer = Renderer {
        cells,
        out: Vec::new(),
        runs: Runs::new(),
        inks: vec![Ink::default()],
        margins: Vec::new(),
        deeper: 0,
        lists: Vec::new(),
        table: None,
        code: None,
        painted: painted.map_or(&[][..], Vec::as_slice).iter(),
        link: None,
    };
    for event in Parser::new_ext(source, options()) {
        renderer.take(event);
    }
    renderer.flush();
    renderer.out
}

/// Margins beside each other at most: no screen shows more, and each line draws all of them.
pub const DEEPEST: usize = 16;

/// What stands left of every line of a block.
struct Margin {
    /// On the next line, once: a bullet or a number.
    first: Option<String>,
    /// On all others.
    rest: String,
}

struct Renderer<'a> {
    cells: usize,
    out: Vec<Runs>,
    /// Text of the block so far.
    runs: Runs,
    inks: Vec<Ink>,
    margins: Vec<Margin>,
    /// Blocks that are nested deeper than margins are drawn.
    deeper: usize,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    table: Option<Vec<Vec<String>>>,
    code: Option<String>,
    /// The blocks of code that are still to come, painted.
    painted: std::slice::Iter<'a, Option<Vec<PaintedLine>>>,
    link: Option<String>,
}

impl Renderer<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.push(&code, Ink::of(Role::Code)),
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(&text, Ink::of(Role::Code));
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                for (at, row) in html.trim_end_matches('\n').split('\n').enumerate() {
                    if at > 0 {
                        self.flush();
                    }
                    self.push(row, Ink::of(Role::Dim));
                }
            }
            Event::FootnoteReference(name) => {
                self.push(&format!("[^{name}]"), Ink::of(Role::Link));
            }
            Event::SoftBreak => self.push(" ", self.ink()),
            Event::HardBreak => self.flush(),
            Event::Rule => {
                self.part();
                let rule = "─".repeat(self.room().min(40));
                self.runs.push((rule, Ink::of(Role::Dim)));
                self.flush();
            }
            Event::TaskListMarker(done) => {
                self.push(if done { "[x] " } else { "[ ] " }, self.ink());
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.part(),
            Tag::Heading { level, .. } => {
                self.part();
                self.patch(match level {
                    HeadingLevel::H1 => Role::Title,
                    HeadingLevel::H2
                    | HeadingLevel::H3
                    | HeadingLevel::H4
                    | HeadingLevel::H5
                    | HeadingLevel::H6 => Role::Strong,
                });
            }
            Tag::BlockQuote(_) => {
                self.part();
                self.margin(None, "▎ ");
            }
            Tag::CodeBlock(_) => {
                self.part();
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.part();
                } else {
                    self.flush();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                let bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    Some(None) | None => "• ".to_string(),
                };
                let rest = " ".repeat(text::width(&bullet));
                self.margin(Some(bullet), &rest);
            }
            Tag::FootnoteDefinition(name) => {
                self.part();
                let label = display::line(&format!("[^{name}] ")).into_owned();
                let rest = " ".repeat(text::width(&label));
                self.margin(Some(label), &rest);
            }
            Tag::Table(_) => {
                self.part();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.patch(Role::Emphasis),
            Tag::Strong => self.patch(Role::Strong),
            Tag::Strikethrough => self.patch(Role::Struck),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.patch(Role::Link);
                self.link = Some(dest_url.to_string());
            }
            Tag::TableCell
            | Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.inks.pop();
            }
            TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush();
                match self.deeper {
                    0 => drop(self.margins.pop()),
                    _ => self.deeper -= 1,
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let cell: String = self.runs.drain(..).map(|(text, _)| text).collect();
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.inks.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.inks.pop();
                self.end_link();
            }
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.push_str(text),
            None => self.push(text, self.ink()),
        }
    }

    fn end_code(&mut self) {
        let code = self.code.take().unwrap_or_default();
        if let Some(Some(lines)) = self.painted.next() {
            for line in lines {
                self.push_painted(line);
            }
            return;
        }
        let ink = Ink::of(Role::Code).verbatim();
        for row in display::block(code.trim_end_matches('\n')).split('\n') {
            self.runs.push((format!("  {row}"), ink.clone()));
            self.flush();
        }
    }

    fn push_painted(&mut self, line: &PaintedLine) {
        self.runs.push(("  ".to_string(), Ink::default()));
        for (tone, piece) in line {
            let piece = display::line(&display::untab(piece)).into_owned();
            self.runs.push((piece, Ink::of(of_tone(*tone)).verbatim()));
        }
        self.flush();
    }

    fn end_table(&mut self) {
        let rows = self.table.take().unwrap_or_default();
        let room = self.room();
        for (at, row) in table::lay_out(&rows, room).into_iter().enumerate() {
            let role = if at == 0 { Role::Strong } else { Role::Text };
            self.runs.push((row, Ink::of(role)));
            self.flush();
            if at == 0 {
                let bars: Vec<_> = table::widths(&rows, room)
                    .into_iter()
                    .map(|width| "─".repeat(width))
                    .collect();
                self.runs.push((bars.join("─┼─"), Ink::of(Role::Dim)));
                self.flush();
            }
        }
    }

    /// Says where a link leads, unless its text is just that.
    fn end_link(&mut self) {
        let Some(target) = self.link.take() else {
            return;
        };
        let shown = self.runs.last().is_some_and(|(text, _)| *text == target);
        if !shown && !target.is_empty() {
            self.push(&format!(" ({target})"), Ink::of(Role::Dim));
        }
    }

    fn ink(&self) -> Ink {
        self.inks.last().cloned().unwrap_or_default()
    }

    fn patch(&mut self, role: Role) {
        self.inks.push(self.ink().over(role));
    }

    fn push(&mut self, text: &str, ink: Ink) {
        let text = display::line(&display::untab(text)).into_owned();
        self.runs.push((text, ink.verbatim()));
    }

    fn margin(&mut self, first: Option<String>, rest: &str) {
        if self.margins.len() == DEEPEST {
            self.deeper += 1;
            return;
        }
        self.margins.push(Margin {
            first,
            rest: rest.to_string(),
        });
    }

    /// Cells left of the margins.
    fn room(&self) -> usize {
        let margins: usize = self.margins.iter().map(|it| text::width(&it.rest)).sum();
        self.cells.saturating_sub(margins).max(8)
    }

    /// Ends what is begun and leaves a line free, but neither at the top nor after a bullet.
    fn part(&mut self) {
        self.flush();
        let fresh = self.margins.iter().any(|margin| margin.first.is_some());
        let free = self.out.last().is_none_or(|line| width(line) == 0);
        if !fresh && !free {
            let margin = self.margin_runs(false);
            self.out.push(margin);
        }
    }

    fn margin_runs(&mut self, taking: bool) -> Runs {
        let mut runs = Runs::new();
        for margin in &mut self.margins {
            let first = if taking { margin.first.take() } else { None };
            let text = first.unwrap_or_else(|| margin.rest.clone());
            runs.push((text, Ink::of(Role::Dim)));
        }
        if !taking && runs.iter().all(|(text, _)| text.trim().is_empty()) {
            runs.clear();
        }
        runs
    }

    /// Wraps the text so far into lines.
    fn flush(&mut self) {
        if self.runs.is_empty() {
            return;
        }
        let runs = mark_wiki_links(std::mem::take(&mut self.runs));
        for row in text::wrap_runs(&runs, self.room()) {
            let mut line = self.margin_runs(true);
            line.extend(row);
            self.out.push(line);
        }
    }
}

fn of_tone(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Text,
        Tone::Comment => Role::Dim,
        Tone::Text => Role::Code,
        Tone::Literal => Role::Literal,
        Tone::Keyword => Role::Keyword,
        Tone::Name => Role::Named,
    }
}

/// Gives `[[wiki links]]` the ink of links; the parser hands their brackets out one by one.
fn mark_wiki_links(runs: Runs) -> Runs {
    let whole: String = runs.iter().map(|(text, _)| text.as_str()).collect();
    let links = wiki_links(&whole);
    if links.is_empty() {
        return runs;
    }
    let mut marked = Runs::new();
    let mut at = 0;
    // Links and runs come in order, so that each is passed once.
    let mut next = 0;
    for (text, ink) in runs {
        let end = at + text.len();
        let mut from = at;
        while next < links.len() && links[next].end <= at {
            next += 1;
        }
        for link in links[next..].iter().take_while(|link| link.start < end) {
            let (start, stop) = (link.start.clamp(from, end), link.end.clamp(from, end));
            if start < stop {
                marked.push((whole[from..start].to_string(), ink.clone()));
                marked.push((whole[start..stop].to_string(), ink.over(Role::Link)));
                from = stop;
            }
        }
        marked.push((whole[from..end].to_string(), ink));
        at = end;
    }
    marked.retain(|(text, _)| !text.is_empty());
    marked
}

fn wiki_links(text: &str) -> Vec<Range<usize>> {
    let mut links = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find("[[").map(|at| at + from) {
        let Some(close) = text[open..].find("]]").map(|at| at + open + 2) else {
            break;
        };
        links.push(open..close);
        from = close;
    }
    links
}
