//! A standing rule: its row in the tree, and what the Memory view says above its text.

use ratatui::text::{Line, Span};

use crate::agents::rules::{RuleFile, RuleState, layer_word};
use crate::app::App;
use crate::app::action::{Action, Scope, UNBOUND};
use crate::app::rules::Import;
use crate::app::tree::ShelfState;
use crate::app::tree_rows::Row;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::instructions::Layer;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::tree::named;
use crate::tui::widget::line;

/// From this width of the tree on a rule's row names its layer.
const WITH_LAYER: usize = 30;
/// The column of field names.
const KEY_CELLS: usize = 18;

/// The row of all rules of a project: what they come to.
pub fn group_row(
    app: &App,
    shelf: Option<&ShelfState>,
    mark: Span<'static>,
    cells: usize,
    theme: Theme,
) -> Line<'static> {
    let rules = shelf.and_then(|state| state.rules.as_ref());
    let size = rules.map_or(0, crate::agents::rules::RuleList::bytes);
    let has_draft = rules.is_some_and(|rules| {
        let mut files = rules.files.iter();
        files.any(|file| app.drafts.contains(&file.real))
    });
    let draft = if has_draft { "✎ " } else { "" };
    let off = rules.is_some_and(|rules| rules.off.is_some());
    let size = match off {
        true => "off".to_string(),
        false => short_size(size),
    };
    let name = Span::styled("Rules", theme.style(Role::Text));
    let size = Span::styled(format!("{draft}{size}"), theme.style(Role::Dim));
    line::row(vec![mark, name], vec![size], cells)
}

/// The row of one.
pub fn row(app: &App, row: &Row, cells: usize, theme: Theme) -> Line<'static> {
    let Some((_, rule)) = app.tree.rule(row) else {
        return Line::default();
    };
    let (mark, role) = mark(rule);
    let draft = match app.drafts.contains(&rule.real) {
        true => "✎",
        false => "",
    };
    // An import bears the label of the file that it stands under.
    let layer = match rule.imported_by {
        Some(_) => "",
        None => layer_word(rule.layer),
    };
    let size = match rule.state {
        RuleState::LeftOut { .. } => String::new(),
        RuleState::Sent | RuleState::Waits { .. } => format!("{:>6}", short_size(rule.bytes)),
    };
    let right = match cells >= WITH_LAYER {
        true => format!("{draft}{layer} {size}").trim_end().to_string(),
        false => draft.to_string(),
    };
    let indent = 4 + 2 * usize::from(rule.depth.min(4));
    let right = Span::styled(right, theme.style(Role::Dim));
    let title = short_title(&rule.title);
    named(mark, Some(role), indent, title, right, cells, theme)
}

/// A title without the folder that rules folders lie in: whose it is says the layer.
fn short_title(title: &str) -> &str {
    let inner = title.strip_prefix("~/").unwrap_or(title);
    let inner = inner.strip_prefix(".claude/").unwrap_or(title);
    if inner.starts_with("rules/") {
        inner
    } else {
        title
    }
}

/// What a rule's state is marked with.
fn mark(rule: &RuleFile) -> (&'static str, Role) {
    match &rule.state {
        RuleState::Sent => (" ", Role::Text),
        RuleState::Waits { .. } => ("·", Role::Note),
        RuleState::LeftOut { .. } if rule.is_missing() => ("⊘", Role::Error),
        RuleState::LeftOut { .. } => ("▲", Role::Warning),
    }
}

/// `34 KB`, `812 B`.
fn short_size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..10_000 => {
            let tenths = (bytes * 10 + 512) / 1024;
            format!("{}.{} KB", tenths / 10, tenths % 10)
        }
        _ => format!("{} KB", grouped((bytes + 512) / 1024)),
    }
}

/// What is said of the rule that is shown.
#[derive(Debug)]
pub struct RuleHead {
    rule: RuleFile,
    /// Where it is named: a line, and what a list shows for the file.
    named: Option<(usize, String)>,
    /// The key that makes a file that is not there.
    makes: String,
    imports: Vec<Import>,
    /// Where a link leads.
    leads_to: Option<String>,
    /// What switches all rules off.
    off: Option<String>,
}

impl RuleHead {
    /// What is said of the rule under the cursor.
    #[must_use]
    pub fn of(app: &App) -> Option<Self> {
        let row = app.tree.row()?;
        let (state, rule) = app.tree.rule(row)?;
        let rules = state.rules.as_ref()?;
        Some(Self {
            named: match &rule.state {
                RuleState::LeftOut {
                    named: Some((from, line)),
                    ..
                } => Some((*line, rules.places.title(from))),
                RuleState::LeftOut { named: None, .. }
                | RuleState::Sent
                | RuleState::Waits { .. } => None,
            },
            makes: app.keymap.shown(Action::Edit, Scope::Memory),
            rule: rule.clone(),
            imports: app.imports_here(),
            leads_to: (rule.real != rule.path).then(|| rules.places.title(&rule.real)),
            off: rules.off.clone(),
        })
    }

    /// Whether nothing lies at its path.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.rule.is_missing()
    }

    /// Pushes the lines of it.
    pub fn push(&self, cells: usize, theme: Theme, lines: &mut Vec<Line<'static>>) {
        let text = theme.style(Role::Text);
        let mut field = |name: &str, runs: Vec<(String, ratatui::style::Style)>| {
            let room = cells.saturating_sub(KEY_CELLS);
            for (at, row) in line::wrap(&runs, room).into_iter().enumerate() {
                let name = if at == 0 { name } else { "" };
                let key = text::fit(name, KEY_CELLS.min(cells));
                let mut spans = vec![Span::styled(key, theme.style(Role::Dim))];
                spans.extend(row);
                lines.push(Line::from(spans));
            }
        };
        let safe = |said: &str| display::line(said).into_owned();
        let rule = &self.rule;
        if self.is_missing() {
            let path = safe(&rule.path.to_string_lossy());
            let mark = theme.style(Role::Error);
            field("⊘ no such file", vec![(path, mark)]);
        }
        if let Some(off) = &self.off {
            let said = format!("▲ no rule is sent: {}", safe(off));
            field("rules are off", vec![(said, theme.style(Role::Warning))]);
        }
        let whose = match rule.layer {
            Layer::Managed => "managed: your organisation's, only read here",
            Layer::User => "user: yours, in every project",
            Layer::Project => "project: for everybody who works in it",
            Layer::Local => "local: yours, in this project only",
        };
        field("layer", vec![(whose.to_string(), text)]);
        if let Some(to) = &self.leads_to {
            let said = format!("a link to {}: that is what an edit writes", safe(to));
            field("file", vec![(said, text)]);
        }
        let tokens = grouped(rule.tokens);
        match &rule.state {
            RuleState::Sent => {
                field(
                    "costs",
                    vec![(
                        format!("≈ {tokens} tokens a turn, with the line that names it"),
                        text,
                    )],
                );
                let said = "✓ it is read again and sent anew".to_string();
                field("after compaction", vec![(said, theme.style(Role::Ok))]);
            }
            RuleState::Waits { patterns, .. } => {
                let said = format!("≈ {tokens} tokens a turn, once it is loaded");
                field("costs", vec![(said, text)]);
                let patterns: Vec<String> = patterns.iter().map(|it| safe(it)).collect();
                field(
                    "paths",
                    vec![(patterns.join(" · "), theme.style(Role::Code))],
                );
                let said = "▲ gone until a matching file is read again".to_string();
                field("after compaction", vec![(said, theme.style(Role::Warning))]);
            }
            RuleState::LeftOut { why, .. } => {
                let role = mark(rule).1;
                let named = self.named.as_ref().map_or(String::new(), |(line, from)| {
                    format!(" · line {line} of {from} names it")
                });
                let makes = match self.is_missing() && self.makes != UNBOUND {
                    true => format!(" · {} makes it", self.makes),
                    false => String::new(),
                };
                let said = format!("it {}{named}{makes}", why.sentence());
                field("left out", vec![(safe(&said), theme.style(role))]);
            }
        }
        let (inward, outward): (Vec<&Import>, Vec<&Import>) =
            self.imports.iter().partition(|import| import.inward);
        for (name, imports) in [("→ imports", outward), ("← imported by", inward)] {
            let mut runs = Vec::new();
            for import in imports {
                if !runs.is_empty() {
                    runs.push((" · ".to_string(), theme.style(Role::Dim)));
                }
                runs.push((safe(&import.title), theme.style(Role::Link)));
                runs.push((format!(" line {}", import.line), theme.style(Role::Dim)));
                if let Some(lost) = &import.lost {
                    runs.push((format!(" ⊘ {}", safe(lost)), theme.style(Role::Error)));
                }
            }
            if !runs.is_empty() {
                field(name, runs);
            }
        }
    }
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
